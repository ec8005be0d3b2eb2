//! Where a crash is, in words.

use tband_conv::model::Crash;

use crate::code::Code;
use crate::memory::Memory;
use crate::unwind::calls;

/// Prefixes of functions that record a crash; some are inlined in their callers.
const RECORDERS: [&str; 2] = ["tband_fault_", "tband::crash::"];
/// Functions that lead there from a panic in Rust.
const PANICS: [&str; 3] = ["rust_begin_unwind", "__rustc::rust_begin_unwind", "core::panicking::"];
/// Prefixes of functions of Rust's libraries that panic on behalf of their callers, as `expect` does.
const PANICS_FOR_OTHERS: [&str; 4] = ["core::", "alloc::", "<core::", "<alloc::"];

/// Where a crash is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrashPlace {
    /// Function, file and line, and with the target's memory its callers, innermost first. An uncertain entry begins with
    /// `perhaps`.
    pub functions: Vec<String>,
    /// Note on missing entries, with the reason: more callers, for example.
    pub unknown: Option<String>,
}

impl CrashPlace {
    /// Returns the lines in the form of recordings. The last one may be the reason why no more are known, after a question
    /// mark.
    #[must_use]
    pub fn lines(self) -> Vec<String> {
        let unknown = self.unknown.map(|why| format!("?{why}"));
        self.functions.into_iter().chain(unknown).collect()
    }
}

/// Where a crash is.
#[must_use]
pub fn places(code: &Code, crash: &Crash, memory: Option<&mut dyn Memory>) -> CrashPlace {
    if code.is_another_than(crash) {
        let unknown =
            Some("functions: the ELF file is of another program than the one that crashed".into());
        return CrashPlace { functions: Vec::new(), unknown };
    }
    let mut places: Vec<(String, u32)> = Vec::new();
    let mut is_panic = false;
    let unknown = calls(code, crash, memory, |step| {
        for place in code.named(step.at) {
            // The functions that record the crash are not its place.
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
    CrashPlace { functions: places.into_iter().map(shown).collect(), unknown }
}
