//! Triggers of the firmware that have fired, in the words of `check`.

use std::fmt::Write as _;

use crate::printable::printable;
use serde_json::{Value, json};
use tband_conv::model::Trigger;

use crate::time_unit::TimeUnit;

/// Maximum number of shown triggers; the last ones, because the recording was made for them.
const SHOWN: usize = 8;

/// For people: a line for each.
#[must_use]
pub fn text(triggers: &[Trigger], unit: TimeUnit) -> String {
    let mut text = String::new();
    for trigger in triggers.iter().skip(triggers.len().saturating_sub(SHOWN)) {
        let at = match unit {
            TimeUnit::Ns => format!("{:.9} s", trigger.ns as f64 / 1e9),
            TimeUnit::Ticks => format!("tick {}", trigger.ns),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} at {at}", printable(&trigger.to_string()));
    }
    text
}

/// Returns the same for programs.
#[must_use]
pub fn json(triggers: &[Trigger]) -> Value {
    let one = |trigger: &Trigger| {
        let at = trigger.at.as_ref();
        json!({
            "n": trigger.n,
            "at_ns": trigger.ns,
            "core": trigger.core,
            "what": trigger.to_string(),
            "trigger": at.map(|at| at.trigger),
            "condition": at.map(|at| &at.condition),
            "event": at.map(|at| &at.event),
            "object": at.and_then(|at| at.object.as_ref()),
            "frozen": at.is_none(),
        })
    };
    triggers.iter().map(one).collect()
}
