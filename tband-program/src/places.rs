//! Where a crash is, in words.

use tband_conv::timeline::Crash;

use crate::code::Code;
use crate::memory::Memory;
use crate::unwind::calls;

/// What functions that record a crash begin with; some are inlined in who calls them.
const RECORDER: &str = "tband_fault_";

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
    let unknown = calls(code, crash, memory, |step| {
        for place in code.named(step.at) {
            // What records the crash is not where it is.
            if places.is_empty() && place.starts_with(RECORDER) {
                continue;
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
