//! Events and objects that filters on the target have left out, as text of `check` and `stats`, and the figures that therefore
//! lack them.

use std::fmt::Write as _;

use crate::printable::printable;
use serde_json::{Value, json};
use tband_conv::model::OmissionTime;

use crate::time_unit::TimeUnit;

/// Times that are shown.
const SHOWN: usize = 10;

/// Which figures are of the rest only, while this is left out.
#[must_use]
pub fn lacking(what: &str) -> &'static str {
    lacking_class(what.strip_prefix("class ").unwrap_or_default())
}

/// As [`lacking`], of a class by its name.
#[must_use]
pub fn lacking_class(name: &str) -> &'static str {
    match name {
        "TASK" => "load, states, waits and switches of all tasks",
        "QUEUE" => "levels and holders of queues and mutexes, and waits for them",
        "TASK_EXTRA" | "QUEUE_EXTRA" => "peeks, failures and recursive mutexes",
        "NOTIFICATION" => "notifications, and waits for them",
        "STREAM_BUFFER" => "levels of stream buffers, and waits for them",
        "EVENT_GROUP" => "bits of event groups, and waits for them",
        "TIMER" => "timers and their callbacks",
        "HEAP" => "use of the heap",
        "ISR" | "OWN_ISR" => "interrupts, and the time that they take of tasks",
        "STACK" => "stack that is left",
        "MARKER" => "markers and values",
        "API" => "calls of the kernel",
        "TICK" | "LOW_POWER" | "SCHEDULER_STEP" => "ticks and sleep",
        _ => "counts and times of this",
    }
}

/// For people: nothing, or a line for each time.
#[must_use]
pub fn text(times: &[OmissionTime], unit: TimeUnit) -> String {
    let mut text = String::new();
    for time in times.iter().take(SHOWN) {
        let to = time.to_ns.map_or_else(|| "the end".to_owned(), |ns| unit.duration(ns));
        let _ = writeln!(
            text,
            "not recorded: {}, from {} to {to}, as the {} has chosen; figures lack {}",
            printable(&time.what),
            unit.duration(time.from_ns),
            time.by,
            lacking(&time.what)
        );
    }
    if let Some(more @ 1..) = times.len().checked_sub(SHOWN) {
        let _ = writeln!(text, "not recorded: {more} more, which stats lists");
    }
    text
}

/// Returns the same for programs.
#[must_use]
pub fn json(times: &[OmissionTime]) -> Value {
    let one = |time: &OmissionTime| {
        json!({
            "what": time.what,
            "by": time.by,
            "from_ns": time.from_ns,
            "to_ns": time.to_ns,
            "figures_lack": lacking(&time.what),
        })
    };
    times.iter().map(one).collect()
}
