//! Where a crash is, in words.

use tband_conv::timeline::Crash;

use crate::code::Code;
use crate::memory::Memory;
use crate::unwind::calls;

/// What functions that record a crash begin with; some are inlined in who calls them.
const RECORDER: &str = "tband_fault_";

/// Where a crash is: function, file and line, and with the target's memory those that have called it, innermost first.
#[must_use]
pub fn places(code: &Code, crash: &Crash, memory: Option<&mut dyn Memory>) -> Vec<String> {
    let mut places: Vec<(String, u32)> = Vec::new();
    calls(code, crash, memory, |at| {
        for place in code.named(at) {
            // What records the crash is not where it is.
            if places.is_empty() && place.starts_with(RECORDER) {
                continue;
            }
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
    places.into_iter().map(shown).collect()
}
