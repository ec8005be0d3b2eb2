//! A source of a project, by the facts that `init` needs. It is read once.

use std::path::PathBuf;

use crate::syntax::c::without_comments;
use crate::syntax::steps;
use crate::syntax::text::{decode, has_identifier};

/// Calls that start a scheduler and do not return.
pub const SCHEDULERS: [&str; 2] = ["vTaskStartScheduler", "osKernelStart"];
/// Functions that a program begins with: of C, of ESP-IDF, and of Arduino.
pub const MAIN: &str = "main";
pub const APP_MAIN: &str = "app_main";
pub const SETUP: &str = "setup";

/// A source in C or C++, or a sketch.
#[derive(Debug)]
pub struct Source {
    pub path: PathBuf,
    /// It is made for Arduino.
    pub is_sketch: bool,
    /// The line, counted from 1, that defines CMSIS' variable of the clock.
    pub clock_line: Option<usize>,
    /// It calls tband's function that starts a recording.
    pub starts_recording: bool,
    pub starts_scheduler: bool,
    /// The line, counted from 1, that starts the kernel's scheduler.
    pub kernel_line: Option<usize>,
    /// The functions of the three above that it defines.
    entries: Vec<&'static str>,
}

impl Source {
    /// Examines a source with this content.
    pub fn of(path: PathBuf, content: &[u8]) -> Self {
        let code = without_comments(&decode(content));
        let is_ino = path.extension().is_some_and(|it| it == "ino");
        let is_start = |line: &str| SCHEDULERS.iter().any(|it| is_call(line.trim_start(), it));
        let is_kernel_start = |line: &str| is_call(line.trim_start(), SCHEDULERS[0]);
        let is_defined = |it: &&str| !functions(&code, it).is_empty();
        Self {
            path,
            is_sketch: is_ino || code.contains("Arduino.h"),
            clock_line: clock_line(&code),
            starts_recording: has_identifier(&code, "tband_trigger_snapshot"),
            starts_scheduler: code.lines().any(is_start),
            kernel_line: code.lines().position(is_kernel_start).map(|line| line + 1),
            entries: [MAIN, APP_MAIN, SETUP].into_iter().filter(is_defined).collect(),
        }
    }

    /// It defines this function that a program begins with.
    pub fn defines(&self, entry: &str) -> bool {
        self.entries.contains(&entry)
    }
}

/// Returns the line, counted from 1, that defines CMSIS' variable.
fn clock_line(code: &str) -> Option<usize> {
    let is_definition = |line: &str| {
        let rest = line.trim_start().strip_prefix("uint32_t ").map(str::trim_start);
        rest.is_some_and(|it| it.starts_with("SystemCoreClock") && it.contains(['=', ';']))
    };
    code.lines().zip(1..).find(|it| is_definition(it.0)).map(|it| it.1)
}

/// The text begins with a call of this name, or of `(void)` of it.
pub fn is_call(text: &str, name: &str) -> bool {
    let text = text.strip_prefix("(void)").unwrap_or(text).trim_start();
    text.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Returns the lines of all definitions of a function: those in conditions too.
pub fn functions(code: &str, name: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = code.lines().collect();
    // The first line from each line on that has a brace or ends a statement, and whether it is a brace.
    let mut marks = vec![None; lines.len()];
    let mut next = None;
    for (at, (line, mark)) in lines.iter().zip(&mut marks).enumerate().rev() {
        steps::count(1);
        if let Some(first) = line.find(['{', ';']) {
            next = Some((at, line.get(first..).is_some_and(|it| it.starts_with('{'))));
        }
        *mark = next;
    }
    let mut found = Vec::new();
    for (at, (line, mark)) in lines.iter().zip(&marks).enumerate() {
        let Some(before) = line.find(name) else { continue };
        let (before, after) = line.split_at(before);
        let is_type = ["int", "void", "int32_t", "extern \"C\" void", "extern \"C\" int"]
            .contains(&before.trim());
        let rest = after.get(name.len()..).unwrap_or_default().trim_start();
        // A declaration ends before a brace.
        if let (true, true, Some((brace, true))) = (is_type, rest.starts_with('('), *mark) {
            found.push((at, brace));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_its_facts() {
        let of = |name: &str, text: &str| Source::of(name.into(), text.as_bytes());
        let it = of(
            "a.c",
            "int main(void)\n{\n  (void)osKernelStart();\n}\nuint32_t SystemCoreClock = 1;\n",
        );
        assert!(it.starts_scheduler && !it.is_sketch && !it.starts_recording);
        assert!(it.defines(MAIN) && !it.defines(SETUP));
        assert_eq!(it.clock_line, Some(5));
        let it = of(
            "a.c",
            "// vTaskStartScheduler();\nextern uint32_t SystemCoreClock;\nint main(void);\n",
        );
        assert!(!it.starts_scheduler && it.clock_line.is_none() && !it.defines(MAIN));
        let it = of(
            "a.cpp",
            "#include <Arduino.h>\nvoid setup() {\n  (void)tband_trigger_snapshot();\n}\n",
        );
        assert!(it.is_sketch && it.defines(SETUP) && it.starts_recording);
        assert!(of("a.ino", "").is_sketch);
    }

    #[test]
    fn definitions_without_a_brace_are_passed_once() {
        steps::assert_linear(|size| {
            assert_eq!(functions(&"int main(\n".repeat(size), MAIN), []);
        });
    }
}
