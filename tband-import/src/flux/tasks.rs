//! Rows of task states as switches and waits.

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
    number: u32,
    running: Option<u32>,
    /// Its task has left it, at this time, and none follows so far.
    left: Option<u64>,
    /// It is recorded what its task leaves to.
    is_leave_known: bool,
}

/// A task that runs on a core.
#[derive(Clone, Copy, Debug)]
struct Runner {
    task_id: u32,
    core: u32,
}

/// Who runs where.
#[derive(Debug, Default)]
pub struct Tasks {
    /// These are so few that the search for one of them is short.
    cores: Vec<Core>,
    runners: Vec<Runner>,
    /// A core may have been left.
    has_left: bool,
}

impl Tasks {
    /// Events are missing.
    pub fn forget(&mut self) {
        self.cores.clear();
        self.runners.clear();
        self.has_left = false;
    }

    /// The cores on which tasks ran.
    pub fn cores(&self) -> impl Iterator<Item = u32> {
        self.cores.iter().map(|core| core.number)
    }

    fn core(&mut self, number: u32) -> Option<&mut Core> {
        self.cores.iter_mut().find(|core| core.number == number)
    }

    /// The task runs nowhere.
    fn take_away(&mut self, task_id: u32) {
        self.runners.retain(|runner| runner.task_id != task_id);
    }

    /// The time is this now: cores without a task before it had none.
    #[inline]
    pub fn advance_time(&mut self, ts: u64, out: &mut Output) {
        if !self.has_left {
            return;
        }
        self.has_left = false;
        for core in &mut self.cores {
            match core.left {
                Some(left) if left < ts => {
                    core.left = None;
                    out.timed(core.number, left, &NO_TASK);
                }
                Some(_) => self.has_left = true,
                None => {}
            }
        }
    }

    /// A task runs on a core from now on.
    pub fn set_running(&mut self, core: u32, ts: u64, task_id: u32, out: &mut Output) {
        let now = Core { number: core, running: Some(task_id), left: None, is_leave_known: false };
        let before = match self.core(core) {
            Some(on_core) => std::mem::replace(on_core, now),
            None => {
                self.cores.push(now);
                Core::default()
            }
        };
        // It may have been about to leave, and stayed.
        if let Some(running) = before.running.filter(|running| *running != task_id) {
            self.take_away(running);
            if !before.is_leave_known {
                out.timed(core, ts, &UNKNOWN_WAIT);
            }
        }
        match self.runners.iter_mut().find(|runner| runner.task_id == task_id) {
            Some(runner) => runner.core = core,
            None => self.runners.push(Runner { task_id, core }),
        }
        out.timed(core, ts, &Event::TaskSwitchedIn { task_id });
    }

    /// The task of a core has left it.
    pub fn leave_core(&mut self, core: u32, ts: u64, out: &mut Output) {
        let Some(on_core) = self.core(core) else { return };
        let Some(running) = on_core.running.take() else { return };
        on_core.left = Some(ts);
        let is_leave_known = std::mem::take(&mut on_core.is_leave_known);
        self.take_away(running);
        if !is_leave_known {
            out.timed(core, ts, &UNKNOWN_WAIT);
        }
        self.has_left = true;
    }

    /// A task is in another state from now on than running, or in one that is not known. `wait` is the event for a task that
    /// runs and waits, `has_switches`: another signal shows who runs.
    pub fn state(
        &mut self,
        (core, ts): (u32, u64),
        task_id: u32,
        state: Option<TaskState>,
        wait: &Event<'static>,
        has_switches: bool,
        out: &mut Output,
    ) {
        let runner = self.runners.iter().find(|runner| runner.task_id == task_id);
        let runs_on = runner.map(|runner| runner.core);
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
                if let Some(on_core) = self.core(core) {
                    on_core.is_leave_known = true;
                }
                return;
            }
            (Some(TaskState::Waits), Some(_)) => out.timed(core, ts, wait),
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
        if let Some(on_core) = self.core(core) {
            on_core.is_leave_known = true;
        }
        if !has_switches {
            self.leave_core(core, ts, out);
        }
    }
}
