//! Rows of task states as switches and waits.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use tband_format::Event;
use tband_format::registry::NOT_RECORDED;

use super::label::TaskState;
use crate::output::Output;

/// The running task is unknown.
pub const NO_TASK: Event<'static> = Event::RunningTask { task_id: NOT_RECORDED };
/// A wait for an object that is not recorded.
pub const UNKNOWN_WAIT: Event<'static> =
    Event::CurtaskBlockOnQueueReceive { queue_id: NOT_RECORDED, ticks_to_wait: u32::MAX };

/// A core.
#[derive(Clone, Copy, Debug, Default)]
struct Core {
    running: Option<u32>,
    /// Its task has left it, at this time, and none follows so far.
    left: Option<u64>,
    /// It is recorded what its task leaves to.
    is_leave_known: bool,
}

/// Who runs where.
#[derive(Debug, Default)]
pub struct Tasks {
    cores: HashMap<u32, Core, FixedState>,
    /// The core of each running task.
    runs_on: HashMap<u32, u32, FixedState>,
    /// A core may have been left.
    has_left: bool,
}

impl Tasks {
    /// Events are missing.
    pub fn forget(&mut self) {
        self.cores.clear();
        self.runs_on.clear();
        self.has_left = false;
    }

    /// The time is this now: cores without a task before it had none.
    pub fn advance_time(&mut self, ts: u64, out: &mut Output) {
        if !self.has_left {
            return;
        }
        self.has_left = false;
        for (number, core) in &mut self.cores {
            match core.left {
                Some(left) if left < ts => {
                    core.left = None;
                    out.timed(*number, left, &NO_TASK);
                }
                Some(_) => self.has_left = true,
                None => {}
            }
        }
    }

    /// A task runs on a core from now on.
    pub fn set_running(&mut self, core: u32, ts: u64, task_id: u32, out: &mut Output) {
        let on_core = self.cores.entry(core).or_default();
        on_core.left = None;
        match on_core.running {
            // It was about to leave and stayed.
            Some(running) if running == task_id => {}
            Some(running) => {
                self.runs_on.remove(&running);
                if !on_core.is_leave_known {
                    out.timed(core, ts, &UNKNOWN_WAIT);
                }
            }
            None => {}
        }
        *on_core = Core { running: Some(task_id), left: None, is_leave_known: false };
        self.runs_on.insert(task_id, core);
        out.timed(core, ts, &Event::TaskSwitchedIn { task_id });
    }

    /// The task of a core has left it.
    pub fn leave_core(&mut self, core: u32, ts: u64, out: &mut Output) {
        let Some(on_core) = self.cores.get_mut(&core) else { return };
        let Some(running) = on_core.running.take() else { return };
        self.runs_on.remove(&running);
        if !std::mem::take(&mut on_core.is_leave_known) {
            out.timed(core, ts, &UNKNOWN_WAIT);
        }
        on_core.left = Some(ts);
        self.has_left = true;
    }

    /// A task is in another state from now on than running, or in one that is not known. `wait` is the event for a task that
    /// runs and waits, `has_switches`: another signal shows who runs.
    pub fn state(
        &mut self,
        (core, ts): (u32, u64),
        task_id: u32,
        state: Option<&TaskState>,
        wait: &Event<'static>,
        has_switches: bool,
        out: &mut Output,
    ) {
        let runs_on = self.runs_on.get(&task_id).copied();
        let core = runs_on.unwrap_or(core);
        match (state, runs_on) {
            (Some(TaskState::Ready), None) => {
                out.timed(core, ts, &Event::TaskToRdyState { task_id });
            }
            // It is ready unless something else is recorded.
            (Some(TaskState::Ready), Some(_)) if has_switches => {}
            // It gives way to the task that runs next, or was woken before it left.
            (Some(TaskState::Ready), Some(_)) => {
                out.timed(core, ts, &Event::TaskToRdyState { task_id });
                if let Some(on_core) = self.cores.get_mut(&core) {
                    on_core.is_leave_known = true;
                }
                return;
            }
            (Some(TaskState::Waits(_)), Some(_)) => out.timed(core, ts, wait),
            (Some(TaskState::Suspended), _) => {
                out.timed(core, ts, &Event::TaskSuspended { task_id });
            }
            (Some(TaskState::Deleted), _) => out.timed(core, ts, &Event::TaskDeleted { task_id }),
            (Some(TaskState::Created), None) => {
                out.timed(core, ts, &Event::TaskCreated { task_id });
            }
            (_, Some(_)) => out.timed(core, ts, &UNKNOWN_WAIT),
            // The format of tband has no event for that.
            (_, None) => {}
        }
        if runs_on.is_none() {
            return;
        }
        if let Some(on_core) = self.cores.get_mut(&core) {
            on_core.is_leave_known = true;
        }
        if !has_switches {
            self.leave_core(core, ts, out);
        }
    }
}
