//! The figures of recordings of other recorders.

use serde_json::{Value, json};

/// The goal: at most so many times the processor time that the same events take in frames.
pub const GOAL: f64 = 2.0;

/// Instructions for each event, or ns of processor time.
#[derive(Clone, Copy, Debug)]
pub struct EventCost {
    /// Of the recording.
    pub imported: u64,
    /// Of the same events in frames.
    pub of_frames: u64,
}

impl EventCost {
    /// How many times the same events in frames, in tenths.
    #[must_use]
    pub fn times(&self) -> f64 {
        (self.imported as f64 * 10.0 / self.of_frames.max(1) as f64).round() / 10.0
    }

    fn json(&self) -> Value {
        json!({"imported": self.imported, "of_frames": self.of_frames})
    }
}

impl ProcessorCost {
    fn json(&self) -> Value {
        json!({"stats": self.stats.json(), "conv": self.conv.json()})
    }
}

/// Processor time of two commands.
#[derive(Clone, Copy, Debug)]
pub struct ProcessorCost {
    pub stats: EventCost,
    pub conv: EventCost,
}

/// The cost of a recording of another recorder.
#[derive(Clone, Copy, Debug)]
pub struct ImporterCost {
    /// The format.
    pub name: &'static str,
    /// Of `stats`.
    pub instructions: EventCost,
    /// The most instructions that there may be, as a multiple of those of the same events in frames.
    pub most: f64,
    /// Processor time, if it was measured.
    pub processor_ns: Option<ProcessorCost>,
}

impl ImporterCost {
    /// Returns the line for people.
    #[must_use]
    pub fn line(&self) -> String {
        let Self { instructions, most, processor_ns, .. } = self;
        let counted = format!(
            "{} instructions an event, {:.1} times the same events in frames (budget {most:.1})",
            instructions.imported,
            instructions.times()
        );
        processor_ns.map_or(counted.clone(), |ProcessorCost { stats, conv }| {
            let time = |of: EventCost| format!("{} ns, {:.1} times", of.imported, of.times());
            format!("{counted}; stats {}, conv {} (goal {GOAL:.1})", time(stats), time(conv))
        })
    }

    /// It takes more than it may.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.instructions.times() > self.most
    }
}

/// Returns the figures for programs.
pub fn json(costs: &[ImporterCost]) -> Value {
    let figures = |it: &ImporterCost| {
        json!({
            "instructions_per_event": it.instructions.json(),
            "processor_ns_per_event": it.processor_ns.map(|time| time.json()),
        })
    };
    let members = costs.iter().map(|it| (it.name.to_owned(), figures(it)));
    Value::Object(members.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_above_its_budget_is_over() {
        let of = |imported| ImporterCost {
            name: "qs",
            instructions: EventCost { imported, of_frames: 400 },
            most: 2.0,
            processor_ns: None,
        };
        assert!(!of(800).is_over() && !of(819).is_over() && of(821).is_over());
        let stats = EventCost { imported: 90, of_frames: 50 };
        let conv = EventCost { imported: 120, of_frames: 80 };
        let line =
            ImporterCost { processor_ns: Some(ProcessorCost { stats, conv }), ..of(800) }.line();
        let end = "; stats 90 ns, 1.8 times, conv 120 ns, 1.5 times (goal 2.0)";
        assert!(line.contains("2.0 times") && line.ends_with(end), "{line}");
    }
}
