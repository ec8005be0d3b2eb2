//! The time of all cores by its owner, from the steps of tasks.

use super::core_time::CoreTime;
use crate::model::{PerCore, TaskState, World};
use crate::tracks::TaskStep;

/// Follows the owners of all cores for an output that shows how long interrupts took a core from a task.
#[derive(Clone, Debug, Default)]
pub struct CoreTimes(PerCore<CoreTime>);

impl CoreTimes {
    /// A task changes its state. Returns the time that interrupts took of its stay on a core, in ns, if it leaves one.
    pub fn step(&mut self, world: &World, ns: i64, step: &TaskStep) -> Option<i64> {
        let interrupted = match step.from {
            TaskState::Running(core) => Some(self.end_stay(core, ns)),
            _ => None,
        };
        if let TaskState::Running(core) = step.to {
            let is_idle = world.tasks.get(step.task).is_some_and(|it| it.idle_of.is_some());
            self.0.entry(core).start_task(ns, is_idle);
        }
        interrupted
    }

    /// The task that has a core leaves it. Returns the time that interrupts took of its stay, in ns.
    pub fn end_stay(&mut self, core: u32, ns: i64) -> i64 {
        self.0.entry(core).remove_task(ns).interrupted_ns
    }

    /// An interrupt begins on a core.
    pub fn isr_enters(&mut self, core: u32, ns: i64) {
        self.0.entry(core).isr_enters(ns);
    }

    /// The innermost interrupt of a core ends, or is not known any more.
    pub fn isr_exits(&mut self, core: u32, ns: i64) {
        self.0.entry(core).isr_exits(ns);
    }

    /// The cores that had a task or an interrupt, by number.
    pub fn cores(&self) -> std::ops::Range<u32> {
        0..u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}
