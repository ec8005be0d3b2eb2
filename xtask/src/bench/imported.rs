//! The figures of recordings of other recorders.

use serde_json::{Value, json};

/// The goal: at most so many times the processor time that the same events take in frames.
pub const GOAL: f64 = 2.0;

/// The cost of `stats` for each event.
#[derive(Clone, Copy, Debug)]
pub struct EventCost {
    pub instructions: u64,
    /// Processor time in ns.
    pub processor_ns: u64,
}

/// The cost of an importer, with everything after it.
#[derive(Clone, Copy, Debug)]
pub struct ImporterCost {
    /// The format.
    pub name: &'static str,
    /// Of the recording.
    pub imported: EventCost,
    /// Of the same events in frames.
    pub of_frames: EventCost,
}

impl ImporterCost {
    /// Returns the line for people.
    pub fn line(&self) -> String {
        let EventCost { instructions, processor_ns } = self.imported;
        let times = |own: u64, frames: u64| own as f64 / frames.max(1) as f64;
        format!(
            "{instructions} instructions an event, {:.1} times the same events in frames; {processor_ns} ns, {:.1} times (goal \
             {GOAL})",
            times(instructions, self.of_frames.instructions),
            times(processor_ns, self.of_frames.processor_ns),
        )
    }
}

/// Returns the figures for programs.
pub fn json(costs: &[ImporterCost]) -> Value {
    let of =
        |it: EventCost| json!({"instructions": it.instructions, "processor_ns": it.processor_ns});
    let figures =
        |it: &ImporterCost| json!({"imported": of(it.imported), "of_frames": of(it.of_frames)});
    let members = costs.iter().map(|it| (it.name.to_owned(), figures(it)));
    Value::Object(members.collect())
}
