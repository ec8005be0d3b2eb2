//! Recordings of other recorders: their origin, and the data that they lack.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tband_conv::{ForeignRecording, Summary};

use crate::printable::printable;

/// For people: one paragraph an input.
pub fn text(summary: &Summary) -> String {
    let mut text = String::new();
    for (input, about) in &summary.sources {
        let ForeignRecording { format, recorder, inferred, not_recorded, .. } = about;
        let name = summary.inputs.get(*input).map_or("?", String::as_str);
        let recorder = if recorder.is_empty() { String::new() } else { format!(" ({recorder})") };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}: {format}{}", printable(name), printable(&recorder));
        for (label, all) in [("inferred", inferred), ("not recorded", not_recorded)] {
            for it in all {
                let _ = writeln!(text, "  {label}: {}", printable(it));
            }
        }
    }
    text
}

/// Returns the same for programs.
pub fn json(summary: &Summary) -> Value {
    let source = |(input, about): &(usize, ForeignRecording)| {
        json!({
            "file": summary.inputs.get(*input),
            "format": about.format,
            "recorder": about.recorder,
            "inferred": about.inferred,
            "not_recorded": about.not_recorded,
        })
    };
    summary.sources.iter().map(source).collect()
}
