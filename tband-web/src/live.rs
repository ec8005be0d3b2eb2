//! What is known of a recording while it comes in.

use serde_json::{Value, json};
use tband_conv::timeline::{At, Change, Sink, World};
use tband_conv::{Conversion, Mode, Options, Severity};

/// Counts what happens.
#[derive(Debug, Default)]
struct Counters {
    switches: u64,
    interrupts: u64,
    lost: u64,
    damaged: u64,
}

impl Sink for Counters {
    fn change(&mut self, _: &World, _: At, change: &Change<'_>) -> std::io::Result<()> {
        use tband_conv::timeline::TaskState;
        let count = match change {
            Change::TaskState { to: TaskState::Running(_), .. } => &mut self.switches,
            Change::IsrEnter(_) => &mut self.interrupts,
            Change::Finding(finding) => {
                let count = match finding.problem.severity() {
                    Severity::Note => return Ok(()),
                    Severity::Loss => &mut self.lost,
                    Severity::Damage => &mut self.damaged,
                };
                *count = count.saturating_add(finding.amount);
                return Ok(());
            }
            _ => return Ok(()),
        };
        *count = count.saturating_add(1);
        Ok(())
    }
}

/// A recording that is fed as it comes.
pub struct Live {
    conversion: Option<Conversion<Counters>>,
    error: Option<String>,
    bytes: u64,
}

impl Live {
    /// One that has not begun.
    #[must_use]
    pub fn new() -> Self {
        let mut options = Options::default();
        options.mode = Mode::Auto;
        let conversion = Conversion::new([("live", 0)], &options, Counters::default());
        Self { error: None, conversion: conversion.ok(), bytes: 0 }
    }

    /// Takes what has come.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        if let Some(conversion) = &mut self.conversion
            && let Err(error) = conversion.feed_all(bytes)
        {
            self.error = Some(tband_report::messages::error(&error).1);
            self.conversion = None;
        }
    }

    /// What is known by now, as an object of numbers.
    pub fn counters(&mut self) -> Value {
        let bytes = self.bytes;
        let Some(conversion) = &mut self.conversion else {
            return json!({"bytes": bytes, "error": self.error});
        };
        let progress = conversion.progress();
        let (tasks, cores) = conversion
            .world()
            .map_or((0, 0), |world| (world.tasks.iter().count(), world.cores.len()));
        let counters =
            conversion.sink().map(|it| (it.switches, it.interrupts, it.lost, it.damaged));
        let (switches, interrupts, lost, damaged) = counters.unwrap_or_default();
        json!({
            "bytes": bytes,
            "events": progress.events,
            "last_ns": progress.last_ns,
            "tasks": tasks,
            "cores": cores,
            "switches": switches,
            "interrupts": interrupts,
            "lost": lost,
            "damaged": damaged,
        })
    }
}

impl Default for Live {
    fn default() -> Self {
        Self::new()
    }
}
