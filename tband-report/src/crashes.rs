//! Crashes of the firmware, in the words of `check`: its last lines.

use std::fmt::Write as _;

use crate::printable::printable;
use serde_json::{Value, json};
use tband_conv::model::Crash;

/// Crashes that are shown; the last ones, since the last one has ended the recording.
const SHOWN: usize = 4;

/// For people: nothing, or an empty line and a line for each crash, with the calls that led there.
#[must_use]
pub fn text(crashes: &[Crash]) -> String {
    let mut text = String::new();
    let Some(earlier) = crashes.len().checked_sub(1) else { return text };
    text.push('\n');
    if earlier >= SHOWN {
        let _ = writeln!(text, "{} crashes, the last of which:", crashes.len());
    }
    for crash in crashes.iter().skip(crashes.len().saturating_sub(SHOWN)) {
        if let Some(why) = &crash.unknown {
            let _ = writeln!(text, "  not known: {}", printable(why));
        }
        for caller in crash.places.iter().skip(1).rev() {
            let _ = writeln!(text, "  called by {}", printable(caller));
        }
        let _ = writeln!(text, "{}", printable(&crash.to_string()));
    }
    text
}

/// Returns the same for programs.
#[must_use]
pub fn json(crashes: &[Crash]) -> Value {
    let one = |crash: &Crash| {
        let values = crash.values.iter().map(|(what, value)| {
            let name = what.name().map_or_else(|| format!("value_{}", what.0), str::to_owned);
            (name, json!(value))
        });
        let left = crash.stack_left();
        json!({
            "kind": crash.title(),
            "text": crash.text,
            "at_ns": crash.ns,
            "core": crash.core,
            "task": crash.task,
            "causes": crash.causes(),
            "places": crash.places,
            "unknown": crash.unknown,
            "stack_left_bytes": left.map(|(left, _)| left),
            "stack_size_bytes": left.and_then(|(_, size)| size),
            "values": values.collect::<serde_json::Map<_, _>>(),
        })
    };
    crashes.iter().map(one).collect()
}
