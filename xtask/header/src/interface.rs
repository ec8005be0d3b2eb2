//! The interface between shim and library, and the number that it has in the name of the shim's constant.
//!
//! `tband-ffi/released_abi.txt` holds both as they were in the last release. A shim and a library of which one
//! has changed must not link, so where the interface is another, the number is.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Where the last release's number and interface are.
const RELEASED: &str = "tband-ffi/released_abi.txt";

/// What the number follows in the name of the shim's constant.
const BEFORE_NUMBER: &str = "tband_shim_for_library_abi_";

/// Fails if the interface has changed since the last release and its number has not.
///
/// # Errors
/// The interface has changed, or a file cannot be read; the message states what to do.
pub fn check(root: &Path, header: &str) -> Result<()> {
    let path = root.join(RELEASED);
    let released = fs::read_to_string(&path).with_context(|| format!("cannot read {RELEASED}"))?;
    let (number, then) = released.split_once('\n').context("released_abi.txt has no lines")?;
    let number: u32 = number.strip_prefix("abi ").and_then(|number| number.parse().ok()).context(
        "the first line of released_abi.txt must be `abi` and the number of the last release",
    )?;
    demand(number, then, current_number(root)?, &declarations(header))
}

/// The rule itself, for the release's number and interface and those of today.
fn demand(released: u32, then: &str, current: u32, now: &str) -> Result<()> {
    ensure!(current >= released, "the number of the interface is {current}, it was {released}");
    let line = |text: &str, other: &str, sign: char| -> Vec<String> {
        let is_new = |line: &&str| !other.lines().any(|known| known == *line);
        text.lines().filter(is_new).map(|line| format!("{sign} {line}")).collect()
    };
    let changed = [line(then, now, '-'), line(now, then, '+')].concat();
    ensure!(
        changed.is_empty() || current > released,
        "the interface between shim and library is not that of the last release, but its number is: write \
         {BEFORE_NUMBER}{} in tband-ffi/src/port.rs and port/tband_shim.c\n{}",
        released + 1,
        changed.join("\n")
    );
    Ok(())
}

/// Writes down that today's interface is the one of a release.
///
/// # Errors
/// The interface's number has to rise first, or the file cannot be written.
pub fn release(root: &Path, header: &str) -> Result<()> {
    check(root, header)?;
    let text = format!("abi {}\n{}", current_number(root)?, declarations(header));
    fs::write(root.join(RELEASED), text).with_context(|| format!("cannot write {RELEASED}"))
}

fn current_number(root: &Path) -> Result<u32> {
    let file = "tband-ffi/src/port.rs";
    let text =
        fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
    let (_, after) =
        text.split_once(BEFORE_NUMBER).context("port.rs does not name the shim's constant")?;
    let digits = after.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    digits.parse().context("the name of the shim's constant has no number")
}

/// A line for each declaration and each length of a frame, sorted: what both sides were compiled with. Event ids
/// and the values of their fields belong to the wire format.
fn declarations(header: &str) -> String {
    let mut code = String::new();
    let mut rest = header;
    while let Some((before, after)) = rest.split_once("/*") {
        code.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    code.push_str(rest);
    let mut lines: Vec<String> = Vec::new();
    let mut declaration = String::new();
    let mut depth = 0;
    for line in code.lines().map(|line| line.split("//").next().unwrap_or_default().trim()) {
        if line.starts_with('#') {
            if line.starts_with("#define TBAND_FRAME_LEN_") {
                lines.push(line.to_owned());
            }
            continue;
        }
        // The braces around the declarations for C++.
        if line == "extern \"C\" {" || (line == "}" && depth == 0) {
            continue;
        }
        for word in line.split_whitespace() {
            if !declaration.is_empty() {
                declaration.push(' ');
            }
            declaration.push_str(word);
        }
        depth += line.matches('{').count();
        depth -= line.matches('}').count().min(depth);
        if depth == 0 && declaration.ends_with(';') {
            lines.push(std::mem::take(&mut declaration));
        }
    }
    lines.sort();
    lines.dedup();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::{declarations, demand};

    const HEADER: &str = "#define TBAND_EVT_A 1U\n#define TBAND_FRAME_LEN_U32 18\n/* why */\n\
        typedef struct s {\n  /** bytes; { */\n  uint32_t a;\n} s;\n#ifdef __cplusplus\nextern \"C\" {\n\
        #endif // __cplusplus\nvoid f(struct s *a,\n       bool b);\n#ifdef __cplusplus\n}  // extern\n#endif\n";

    #[test]
    fn comments_spaces_and_event_ids_are_no_interface() {
        let expected = "#define TBAND_FRAME_LEN_U32 18\ntypedef struct s { uint32_t a; } s;\n\
                        void f(struct s *a, bool b);\n";
        assert_eq!(declarations(HEADER), expected);
        let other = HEADER.replace("/* why */", "").replace("a,\n       bool", "a, bool");
        assert_eq!(declarations(&other.replace("EVT_A 1U", "EVT_A 2U")), expected);
    }

    #[test]
    fn a_change_demands_another_number() {
        let now = declarations(HEADER);
        for (from, to) in
            [("uint32_t a", "uint64_t a"), ("bool b", "bool c"), ("_U32 18", "_U32 19")]
        {
            let then = declarations(&HEADER.replace(from, to));
            let error = demand(4, &then, 4, &now).expect_err("another interface").to_string();
            assert!(error.contains("write tband_shim_for_library_abi_5 in"), "{error}");
            assert!(error.contains("\n- ") && error.contains("\n+ "), "{error}");
            demand(4, &then, 5, &now).expect("another number");
        }
        demand(4, &now, 4, &now).expect("nothing has changed");
        demand(4, &now, 3, &now).expect_err("numbers only rise");
    }
}
