//! The files that a failed command did not find, and the packages that contain them.

use std::collections::BTreeSet;

use anyhow::Result;

use super::root::Machine;
use super::show;
use crate::command::run_quiet;

/// Prints the packages with the files that a command's output reports as missing.
///
/// # Errors
/// The machine cannot look them up.
pub fn print(machine: &mut Machine, output: &str) -> Result<()> {
    let names = names(output);
    if names.is_empty() {
        eprintln!("No program or file seems to be missing; the failure is another.");
        return Ok(());
    }
    let words = |line: &str| ["sh", "-c", line].map(str::to_owned);
    let install = "apt-get install -y -qq --no-install-recommends apt-file && apt-file update";
    eprintln!(
        "Looking up the missing files: {}",
        names.iter().cloned().collect::<Vec<_>>().join(" ")
    );
    if !show(&mut machine.command(&words(install))?)?.0 {
        return Ok(());
    }
    for name in names {
        let line = format!("apt-file search -l -x '/{}$' || true", pattern(&name));
        let found = run_quiet(&mut machine.command(&words(&line))?)?;
        let found = String::from_utf8_lossy(&found.stdout).lines().collect::<Vec<_>>().join(", ");
        match found.as_str() {
            "" => eprintln!("{name}: not in any package"),
            _ => eprintln!("{name}: set-up did not install a package that has it: {found}"),
        }
    }
    Ok(())
}

/// Returns the names of programs and files that a text reports as missing; `*` is a wildcard.
fn names(output: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in output.lines() {
        for name in [
            // Shells.
            before(line, ": not found"),
            before(line, ": command not found"),
            // Programs of the project, cargo and rustc; compilers that call others.
            between(line, "cannot start `", "`"),
            between(line, "cannot run ", ":"),
            between(line, "linker `", "` not found"),
            between(line, "cannot execute ‘", "’"),
            between(line, "cannot execute '", "'"),
            // Headers and libraries.
            between(line, "fatal error: ", ": No such file"),
            between(line, "fatal error: '", "' file not found"),
            between(line, "cannot open linker script file ", ":"),
            between(line, "cannot read spec file '", "'"),
            between(line, "couldn't find any valid shared libraries matching: ['", "'"),
            between(line, "error while loading shared libraries: ", ":"),
            between(line, "CMAKE_MAKE_PROGRAM is not set", "").map(|_| "make"),
        ]
        .into_iter()
        .flatten()
        {
            // With its arguments, or the path where it was searched.
            let name = name.split_whitespace().next().unwrap_or_default();
            names.insert(name.rsplit('/').next().unwrap_or(name).to_owned());
        }
        if let Some(library) =
            between(line, "cannot find -l", "").or(between(line, "unable to find library -l", ""))
        {
            let end = library.find([':', ' ']).unwrap_or(library.len());
            names.insert(format!("lib{}.*", &library[..end]));
        }
    }
    names.remove("");
    names
}

/// The last word in front of a text.
fn before<'a>(line: &'a str, end: &str) -> Option<&'a str> {
    let (front, _) = line.split_once(end)?;
    front.rsplit([' ', '`']).next()
}

/// Returns the part between two texts; to the end of the line if the second is empty.
fn between<'a>(line: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let rest = line.split_once(start)?.1;
    if end.is_empty() { Some(rest) } else { Some(rest.split_once(end)?.0) }
}

/// A name as a regular expression.
fn pattern(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            '*' => text.push_str(".*"),
            '.' | '+' | '[' | ']' | '(' | ')' => text.extend(['\\', c]),
            '\'' => {}
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_names(output: &str, expected: &[&str]) {
        assert_eq!(names(output).into_iter().collect::<Vec<_>>(), expected, "{output}");
    }

    #[test]
    fn missing_tools_are_read_from_the_output() {
        check_names("sh: 1: cmake: not found\n", &["cmake"]);
        check_names("bash: line 1: /usr/bin/ninja: command not found", &["ninja"]);
        check_names("Error: cannot start `qemu-system-arm -M mps2-an386`", &["qemu-system-arm"]);
        check_names(
            "thread panicked at a.rs: cannot run pkg-config: No such file",
            &["pkg-config"],
        );
        check_names("error: linker `cc` not found", &["cc"]);
        check_names("a.c:1:10: fatal error: sys/queue.h: No such file or directory", &["queue.h"]);
        check_names("wrapper.h:1:10: fatal error: 'stddef.h' file not found", &["stddef.h"]);
        check_names(
            "/usr/bin/ld: cannot find -latomic: No such file or directory",
            &["libatomic.*"],
        );
        check_names(
            "Unable to find libclang: \"couldn't find any valid shared libraries matching: ['libclang.so', 'libclang-*.so'], set",
            &["libclang.so"],
        );
        check_names("g++: fatal error: cannot execute ‘cc1plus’: execvp", &["cc1plus"]);
        check_names("test a ... ok\nassertion failed: left == right\n  error: x\n", &[]);
    }

    #[test]
    fn names_are_looked_for_as_they_are() {
        assert_eq!(pattern("g++"), r"g\+\+");
        assert_eq!(pattern("libm.*"), r"libm\..*");
    }
}
