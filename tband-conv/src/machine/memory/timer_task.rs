//! Activities of the timer task.

use crate::model::{QueueRef, TaskRef, TimerRef};

/// A callback that runs.
#[derive(Clone, Copy, Debug)]
pub struct Callback {
    pub timer: TimerRef,
    pub task: Option<TaskRef>,
    pub begin_ns: i64,
    /// The task left the core at this time and gave no reason.
    pub left_ns: Option<i64>,
    /// The queue from which its task received last.
    pub received: Option<QueueRef>,
}

/// The known state of the timer task.
#[derive(Debug, Default)]
pub struct TimerTask {
    pub callback: Option<Callback>,
    pub command_queue: Option<QueueRef>,
    /// Queues among which the one of commands was not found by its name.
    pub searched: usize,
}

impl TimerTask {
    /// A callback runs.
    pub const fn is_calling(&self) -> bool {
        self.callback.is_some()
    }

    /// A task continues under another name.
    pub fn hand_over(&mut self, from: TaskRef, to: TaskRef) {
        if let Some(callback) = self.callback.as_mut().filter(|it| it.task == Some(from)) {
            callback.task = Some(to);
        }
    }
}
