//! The figures of recordings of other recorders.

use serde_json::{Value, json};

/// The goal: at most so many times the instructions of an event in a frame.
pub const GOAL: f64 = 2.0;

/// The cost of an importer, with everything after it.
#[derive(Clone, Copy, Debug)]
pub struct Imported {
    /// The format.
    pub name: &'static str,
    /// Instructions of `stats` for each event.
    pub instructions: u64,
}

/// Returns the figures for programs.
pub fn json(costs: &[Imported]) -> Value {
    let members = costs.iter().map(|it| (it.name.to_owned(), json!(it.instructions)));
    Value::Object(members.collect())
}
