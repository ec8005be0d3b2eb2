//! The figures of recordings of other recorders.

use serde_json::{Value, json};

/// The goal: at most so many times the instructions that the same events take in frames.
pub const GOAL: f64 = 2.0;

/// The cost of an importer, with everything after it.
#[derive(Clone, Copy, Debug)]
pub struct ImporterCost {
    /// The format.
    pub name: &'static str,
    /// Instructions of `stats` for each event.
    pub instructions: u64,
    /// The same for the same events in frames.
    pub of_frames: u64,
}

impl ImporterCost {
    /// How many times the instructions of frames it takes.
    pub fn factor(&self) -> f64 {
        self.instructions as f64 / self.of_frames.max(1) as f64
    }
}

/// Returns the figures for programs.
pub fn json(costs: &[ImporterCost]) -> Value {
    let figures =
        |it: &ImporterCost| json!({"instructions": it.instructions, "of_frames": it.of_frames});
    let members = costs.iter().map(|it| (it.name.to_owned(), figures(it)));
    Value::Object(members.collect())
}
