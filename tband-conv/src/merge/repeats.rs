//! Wake-ups that the recordings of several cores contain.
//!
//! Espressif's tool writes each wake-up, without its core, to the files of both cores. One of them is kept: that of the core
//! that has most likely woken the task.

use tband_format::Event;

/// What a core does.
#[derive(Clone, Debug, Default)]
pub(crate) struct CoreActivity {
    /// Interrupts that are open.
    nesting: u32,
    running: Option<u32>,
    idle: Option<u32>,
    /// Time of its last event that no other core has, in ticks.
    last: u64,
}

/// How likely a core has woken a task: in an interrupt, in a task that is not the idle task, shortly after another event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Likelihood(bool, bool, u64);

/// A wake-up that another recording may contain too.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedWake {
    pub task: u32,
    /// Its place among the steps of its group.
    pub step: usize,
    pub likelihood: Likelihood,
    /// The same wake-up of another core was found.
    pub has_other: bool,
}

impl CoreActivity {
    /// The core has this event.
    pub fn take(&mut self, ticks: u64, event: &Event<'_>) {
        match *event {
            Event::IsrEnter { .. } => self.nesting = self.nesting.saturating_add(1),
            Event::IsrExit { .. } | Event::IsrExitToScheduler { .. } => {
                self.nesting = self.nesting.saturating_sub(1);
            }
            Event::TaskSwitchedIn { task_id } => (self.nesting, self.running) = (0, Some(task_id)),
            Event::TaskIsIdleTask { task_id, .. } => self.idle = Some(task_id),
            Event::TaskToRdyState { .. } => return,
            _ => {}
        }
        self.last = ticks;
    }

    /// The wake-up by this event, which is that step of its group.
    pub(super) fn wake(&self, event: &Event<'_>, step: usize) -> Option<SharedWake> {
        let Event::TaskToRdyState { task_id: task } = *event else { return None };
        let is_in_task = self.running.is_some() && self.running != self.idle;
        let likelihood = Likelihood(self.nesting > 0, is_in_task, self.last);
        Some(SharedWake { task, step, likelihood, has_other: false })
    }
}
