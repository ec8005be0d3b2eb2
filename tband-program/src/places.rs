//! Where a crash is, in words.

use tband_conv::timeline::Crash;

use crate::code::Code;
use crate::memory::Memory;
use crate::unwind::calls;

/// What the names of functions begin with that record a crash; some are inlined in who calls them.
const RECORDERS: [&str; 2] = ["tband_fault_", "tband::crash::"];
/// The same of functions that lead there from a panic in Rust.
const PANICS: [&str; 3] = ["rust_begin_unwind", "__rustc::rust_begin_unwind", "core::panicking::"];
/// The same of functions of Rust's libraries that panic for who calls them, as `expect` does.
const PANICS_FOR_OTHERS: [&str; 4] = ["core::", "alloc::", "<core::", "<alloc::"];

/// Where a crash is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Function, file and line, and with the target's memory those that have called it, innermost first. What is likely only
    /// begins with `perhaps`.
    pub functions: Vec<String>,
    /// What is not known, and why: more callers, for example.
    pub unknown: Option<String>,
}

impl Places {
    /// As lines, the last of which says after a question mark why no more are known: as recordings have them.
    #[must_use]
    pub fn lines(self) -> Vec<String> {
        let unknown = self.unknown.map(|why| format!("?{why}"));
        self.functions.into_iter().chain(unknown).collect()
    }
}

/// Where a crash is.
#[must_use]
pub fn places(code: &Code, crash: &Crash, memory: Option<&mut dyn Memory>) -> Places {
    if code.is_another_than(crash) {
        let unknown =
            Some("functions: the ELF file is of another program than the one that crashed".into());
        return Places { functions: Vec::new(), unknown };
    }
    let mut places: Vec<(String, u32)> = Vec::new();
    let mut is_panic = false;
    let unknown = calls(code, crash, memory, |step| {
        for place in code.named(step.at) {
            // What records the crash is not where it is.
            if places.is_empty() {
                let begins = |with: &[&str]| with.iter().any(|it| place.starts_with(it));
                let panics = begins(&PANICS);
                is_panic |= panics;
                if panics || begins(&RECORDERS) || (is_panic && begins(&PANICS_FOR_OTHERS)) {
                    continue;
                }
            }
            let place = if step.is_sure { place } else { format!("perhaps {place}") };
            match places.last_mut() {
                // Recursion is one line.
                Some((last, times)) if *last == place => *times += 1,
                _ => places.push((place, 1)),
            }
        }
    });
    let shown = |(place, times): (String, u32)| match times {
        1 => place,
        times => format!("{place}, {times} times"),
    };
    let callers = unknown.map(|why| format!("callers before that: {why}"));
    let missing = code.missing();
    let missing = (!missing.is_empty()).then(|| {
        format!(
            "files and lines: debug info cannot be read, or is not there: {}",
            missing.join(", ")
        )
    });
    let unknown: Vec<String> = callers.into_iter().chain(missing).collect();
    let unknown = (!unknown.is_empty()).then(|| unknown.join("; "));
    Places { functions: places.into_iter().map(shown).collect(), unknown }
}
