//! The task that runs on each core.

use crate::model::{PerCore, TaskRef, TaskState};

/// The running task of each core. A [`TrackSink`](super::TrackSink) keeps it for [`follow`](super::follow()).
#[derive(Clone, Debug, Default)]
pub struct RunningTasks(PerCore<Option<TaskRef>>);

impl RunningTasks {
    /// A task changes its state. Returns the core that it leaves, if no other task has got that core already.
    #[inline]
    pub(super) fn step(&mut self, task: TaskRef, from: TaskState, to: TaskState) -> Option<u32> {
        let mut left = None;
        if let TaskState::Running(core) = from
            && to != from
            && let Some(runs) = self.0.get_mut(core)
            && *runs == Some(task)
        {
            *runs = None;
            left = Some(core);
        }
        if let TaskState::Running(core) = to {
            self.set(core, task);
        }
        left
    }

    /// A task gets a core from another one.
    #[inline]
    pub(super) fn set(&mut self, core: u32, task: TaskRef) {
        *self.0.entry(core) = Some(task);
    }
}
