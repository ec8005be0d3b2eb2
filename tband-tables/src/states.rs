//! From when to when each task was in a state.

use std::collections::HashMap;
use std::io;

use tband_conv::load::CoreTimes;
use tband_conv::model::{TaskRef, TaskState, World};
use tband_conv::tracks::{Now, TaskStep};

use crate::row::Rows;

struct OpenState {
    state: TaskState,
    begin_ns: i64,
    begin_seen: bool,
}

/// Follows states and writes them as they end.
#[derive(Default)]
pub struct States {
    open: HashMap<TaskRef, OpenState>,
    /// The owner of each core's time.
    pub times: CoreTimes,
}

impl States {
    /// A task changes from its state to another one.
    pub fn change(
        &mut self,
        (table, recording): (&mut impl Rows, &str),
        now: Now<'_>,
        step: &TaskStep,
        begin_seen: bool,
    ) -> io::Result<()> {
        let (TaskStep { task, to, .. }, Now { world, ns, .. }) = (*step, now);
        let is_known = |state| !matches!(state, TaskState::Unknown | TaskState::Deleted);
        let new = is_known(to).then_some(OpenState { state: to, begin_ns: ns, begin_seen });
        let old = match new {
            Some(new) => self.open.insert(task, new),
            None => self.open.remove(&task),
        };
        let interrupted = self.times.step(world, ns, step);
        let Some(old) = old else { return Ok(()) };
        row((table, recording), world, task, &old, (ns, to != TaskState::Unknown, interrupted))
    }

    /// The recording ends.
    pub fn finish(
        &mut self,
        (table, recording): (&mut impl Rows, &str),
        world: &World,
        end_ns: i64,
    ) -> io::Result<()> {
        let mut open: Vec<_> = self.open.drain().collect();
        open.sort_by_key(|(task, _)| task.index());
        for (task, open) in open {
            let interrupted = match open.state {
                TaskState::Running(core) => Some(self.times.end_stay(core, end_ns)),
                _ => None,
            };
            row((table, recording), world, task, &open, (end_ns, false, interrupted))?;
        }
        Ok(())
    }
}

fn row(
    (table, recording): (&mut impl Rows, &str),
    world: &World,
    task: TaskRef,
    open: &OpenState,
    (end_ns, end_seen, interrupted): (i64, bool, Option<i64>),
) -> io::Result<()> {
    let known = world.tasks.get(task);
    let (mut core, mut wait) = (None, None);
    let state = match open.state {
        TaskState::Running(on) => {
            core = Some(on);
            "running"
        }
        TaskState::Blocked(on) => {
            wait = Some(world.describe_wait(on));
            "blocked"
        }
        TaskState::Ready => "ready",
        TaskState::Suspended => "suspended",
        TaskState::Created => "created",
        TaskState::Unknown | TaskState::Deleted => return Ok(()),
    };
    table.row(&[
        recording.into(),
        open.begin_ns.into(),
        end_ns.max(open.begin_ns).into(),
        known.map_or(0, |known| known.id).into(),
        (&world.task_name(task).to_string()).into(),
        known.is_some_and(|known| known.idle_of.is_some()).into(),
        state.into(),
        core.into(),
        wait.as_ref().into(),
        known.and_then(|known| known.priority).into(),
        open.begin_seen.into(),
        end_seen.into(),
        interrupted.into(),
    ])
}
