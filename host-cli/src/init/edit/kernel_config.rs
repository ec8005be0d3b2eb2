//! `FreeRTOSConfig.h`: the two macros that tband needs, and `tband.h` at its end.

use super::Outcome;
use crate::doctor::headers::{Macro, without_comments};
use crate::init::kernel::{Kernel, Recorder};
use crate::init::text::Text;

/// Macros that must be 1.
const NEEDED: [&str; 2] = ["configUSE_TRACE_FACILITY", "INCLUDE_xTaskGetIdleTaskHandle"];
const INCLUDE: &str = "#include \"tband.h\"";

/// A `#define` in a line: the macro's name and its value.
fn definition(line: &str) -> Option<(&str, &str)> {
    let rest = directive(line)?.strip_prefix("define")?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    Some(rest.split_at(end.unwrap_or(rest.len())))
}

/// A directive without its mark.
fn directive(line: &str) -> Option<&str> {
    Some(line.trim_start().strip_prefix('#')?.trim_start())
}

pub fn edit(kernel: &Kernel, mut text: Text) -> Outcome {
    let before = text.clone();
    if let Some(Recorder { lines, .. }) = &kernel.other {
        // From the last one on, so that places stay.
        lines.iter().rev().for_each(|line| text.remove(line - 1));
    }
    let mut missing = String::new();
    for name in NEEDED {
        let code = without_comments(&text.whole());
        let places: Vec<usize> = code
            .lines()
            .enumerate()
            .filter(|(_, line)| definition(line).is_some_and(|it| it.0 == name))
            .map(|(at, _)| at)
            .collect();
        match places.as_slice() {
            [] if let Macro::Is(value, place) = kernel.header.get(name) => {
                if !is_on(&value) {
                    return by_hand(&format!("{place}: set {name} to 1"));
                }
            }
            [] if kernel.header.get(name) == Macro::Unsure => {}
            [] => missing += &format!("#define {name} 1\n"),
            [at] => {
                let line = text.lines().nth(*at).unwrap_or_default().to_owned();
                let value = code.lines().nth(*at).and_then(definition).map_or("", |it| it.1);
                match set(&line, name) {
                    _ if is_on(value) => {}
                    Some(line) if !is_nested(&code, *at) => text.replace(*at, &line),
                    _ => return by_hand(&format!("line {}: set {name} to 1", at + 1)),
                }
            }
            // Conditions decide.
            several => {
                let values = code.lines().filter_map(definition).filter(|it| it.0 == name);
                if values.map(|it| it.1).all(|it| !is_on(it)) {
                    return by_hand(&format!(
                        "set {name} to 1 in one of its {} lines",
                        several.len()
                    ));
                }
            }
        }
    }
    let code = without_comments(&text.whole());
    let place = code.lines().position(|line| {
        let rest = directive(line).and_then(|it| it.strip_prefix("include"));
        rest.is_some_and(|it| it.trim() == "\"tband.h\"" || it.trim() == "<tband.h>")
    });
    match place {
        Some(at) if !missing.is_empty() && is_nested(&code, at) => {
            return by_hand(&format!("before tband.h is included add\n{missing}"));
        }
        // tband.h reads the macros.
        Some(at) => text.insert(at, &missing),
        None => {
            missing += INCLUDE;
            let Some(at) = end(&text) else {
                return by_hand(&format!("add at its end:\n{missing}"));
            };
            let marked = format!("/* tband, by tband-cli init: the last lines. */\n{missing}\n");
            text.insert(at, &marked);
        }
    }
    if text == before { Outcome::Complete } else { Outcome::Edited(text) }
}

fn by_hand(step: &str) -> Outcome {
    Outcome::ByHand(step.to_owned())
}

/// The value of a macro in a line, and where it begins.
fn value<'l>(line: &'l str, name: &str) -> Option<(usize, &'l str)> {
    let at = line.find(name)? + name.len();
    let rest = line.get(at..)?;
    let start = at + (rest.len() - rest.trim_start().len());
    let rest = line.get(start..)?;
    let end = rest.find("/*").or_else(|| rest.find("//")).unwrap_or(rest.len());
    Some((start, rest.get(..end)?.trim_end()))
}

/// The number that a value is: with brackets, a suffix and a base of C, or a name of the kernel for it.
fn number(value: &str) -> Option<u64> {
    let mut value = value.trim();
    while let Some(inner) = value.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        value = inner.trim();
    }
    match value {
        "pdFALSE" | "false" => return Some(0),
        "pdTRUE" | "true" => return Some(1),
        _ => {}
    }
    let small = value.to_ascii_lowercase();
    let digits = small.trim_end_matches(['u', 'l']);
    let (digits, base) = match digits.get(..2) {
        Some("0x") => (digits.get(2..)?, 16),
        Some("0b") => (digits.get(2..)?, 2),
        _ if digits.starts_with('0') => (digits, 8),
        _ => (digits, 10),
    };
    u64::from_str_radix(digits, base).ok()
}

fn is_on(value: &str) -> bool {
    number(value).is_some_and(|it| it != 0)
}

/// Returns the line with 1 instead of 0; `None` if it has another value.
fn set(line: &str, name: &str) -> Option<String> {
    let (start, value) = value(line, name)?;
    if number(value) != Some(0) {
        return None;
    }
    let is_digit = |it: char| it.is_ascii_digit();
    let changed = match (value.find(is_digit), value.rfind('0')) {
        // The last digit, so that the base stays; 00 is 01.
        (Some(_), Some(at)) => format!("{}1{}", value.get(..at)?, value.get(at + 1..)?),
        _ => value.replacen("pdFALSE", "pdTRUE", 1).replacen("false", "true", 1),
    };
    Some(format!("{}{changed}{}", line.get(..start)?, line.get(start + value.len()..)?))
}

/// The depth of conditions at each line: of an opening or closing one, without itself.
fn depths(lines: &[&str]) -> Option<Vec<usize>> {
    let mut depth = 0_usize;
    let depth_at = |line: &&str| {
        let it = directive(line).unwrap_or_default();
        if it.starts_with("endif") {
            depth = depth.checked_sub(1)?;
        }
        let at = depth;
        depth += usize::from(it.starts_with("if"));
        Some(at)
    };
    let depths: Option<Vec<usize>> = lines.iter().map(depth_at).collect();
    depths.filter(|_| depth == 0)
}

/// The line is in a condition other than the guard of the header.
fn is_nested(code: &str, at: usize) -> bool {
    let lines: Vec<&str> = code.lines().collect();
    let allowed = usize::from(guard_end(&lines).is_some());
    depths(&lines).and_then(|it| it.get(at).copied()).is_none_or(|depth| depth > allowed)
}

/// Returns the line that ends the guard of a header: it closes the directive that begins the code, and is the last line of code.
fn guard_end(lines: &[&str]) -> Option<usize> {
    let depths = depths(lines)?;
    let is_code = |line: &&str| !line.trim().is_empty();
    let begin = lines.iter().position(is_code)?;
    let opening = directive(lines.get(begin)?)?;
    let condition = opening.strip_prefix("if")?.replace([' ', '\t'], "");
    if !condition.starts_with("ndef") && !condition.starts_with("!defined") {
        return None;
    }
    let is_of_guard = |at: &usize, word: &str| {
        depths.get(*at) == Some(&usize::from(word == "el"))
            && lines.get(*at).and_then(|it| directive(it)).is_some_and(|it| it.starts_with(word))
    };
    let end = (begin + 1..lines.len()).find(|at| is_of_guard(at, "endif"))?;
    // With another branch, the lines before the end are of that one.
    let has_branch = (begin + 1..end).any(|at| is_of_guard(&at, "el"));
    (lines.iter().rposition(is_code) == Some(end) && !has_branch).then_some(end)
}

/// Returns the line before which the last lines belong: in the section that CubeMX keeps, before the end of the guard, or the
/// end of the file. `None` if the file's conditions have no clear end.
fn end(text: &Text) -> Option<usize> {
    let is_mark = |line: &str, mark: &str| line.contains(mark) && line.contains("USER CODE");
    let begin = text.lines().position(|it| is_mark(it, "BEGIN Defines"));
    let end = text.lines().position(|it| is_mark(it, "END Defines"));
    if let (Some(begin), Some(end)) = (begin, end)
        && begin < end
    {
        return Some(end);
    }
    let code = without_comments(&text.whole());
    let lines: Vec<&str> = code.lines().collect();
    depths(&lines)?;
    Some(guard_end(&lines).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_configuration() {
        let end_of = |text: &str| end(&Text::of(text.as_bytes()).unwrap());
        assert_eq!(end_of("#ifndef A\n#define A\n#define B 1\n#endif /* A */\n\n"), Some(3));
        assert_eq!(end_of("#pragma once\n#if X\n#endif\n"), Some(3));
        assert_eq!(end_of("#ifndef X\n#endif\n#define B 1"), Some(3));
        assert_eq!(end_of("#ifndef X\n#define X\n"), None);
        // The first condition is no guard.
        assert_eq!(end_of("#ifndef X\n#define X 1\n#endif\n#if Y\n#define Z\n#endif\n"), Some(6));
        assert_eq!(end_of("#ifndef X\n#define X 1\n#else\n#define Z\n#endif\n"), Some(5));
        let cube = "#ifndef A\n/* USER CODE BEGIN Defines */\n/* x */\n/* USER CODE END Defines */\n#endif\n";
        assert_eq!(end_of(cube), Some(3));
    }

    #[test]
    fn a_value_of_0_becomes_1() {
        let name = "configUSE_TRACE_FACILITY";
        let line = |value: &str| format!("  #define {name}   {value} /* 0 */");
        assert_eq!(set(&line("0"), name), Some(line("1")));
        assert_eq!(set(&line("( 0U )"), name), Some(line("( 1U )")));
        assert_eq!(set(&line("1"), name), None);
        for (before, after) in
            [("0x0", "0x1"), ("(0x00UL)", "(0x01UL)"), ("00", "01"), ("pdFALSE", "pdTRUE")]
        {
            assert_eq!(set(&line(before), name), Some(line(after)));
        }
        for (value, expected) in [("1", true), ("(0x10u)", true), ("0", false), ("(1-1)", false)] {
            assert_eq!(is_on(value), expected, "{value}");
        }
    }
}
