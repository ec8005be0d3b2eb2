//! Waits of tasks, and their outcomes. The outcome of a wait may be reported after the task runs again.

use std::collections::HashMap;
use std::io;

use tband_conv::model::{Outcome, TaskRef, TaskState, Wait, World};
use tband_conv::tracks::{Now, Owner, TaskStep};

use crate::row::Rows;

struct PendingWait {
    wait: Wait,
    begin_ns: i64,
    begin_seen: bool,
    limit: Option<u32>,
    /// Its end, and the actor that ended it.
    end: Option<(i64, Option<String>)>,
}

/// Follows waits and writes them when their outcome is known, or the next one of their task begins.
#[derive(Default)]
pub struct WaitRows {
    pending: HashMap<TaskRef, PendingWait>,
}

impl WaitRows {
    /// A task changes its state.
    pub fn change(
        &mut self,
        out: (&mut impl Rows, &str),
        now: Now<'_>,
        step: &TaskStep,
        begin_seen: bool,
    ) -> io::Result<()> {
        let (TaskStep { task, to, waker, .. }, Now { world, ns, core }) = (*step, now);
        let by = world.waker_name(waker, core);
        if let Some(pending) = self.pending.get_mut(&task)
            && pending.end.is_none()
            && to != TaskState::Unknown
        {
            pending.end = Some((ns, by));
        }
        match to {
            TaskState::Blocked(wait) => {
                let limit = match wait {
                    Wait::Delay | Wait::DelayUntil => None,
                    _ => world.tasks.get(task).and_then(|task| task.limit()),
                };
                let new = PendingWait { wait, begin_ns: ns, begin_seen, limit, end: None };
                match self.pending.insert(task, new) {
                    Some(old) => row(out, world, task, &old, None, ns),
                    None => Ok(()),
                }
            }
            TaskState::Unknown => match self.pending.remove(&task) {
                Some(old) => row(out, world, task, &old, None, ns),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// It is known how the last wait of a task ended.
    pub fn ended(
        &mut self,
        out: (&mut impl Rows, &str),
        Now { world, ns, .. }: Now<'_>,
        task: TaskRef,
        outcome: Outcome,
    ) -> io::Result<()> {
        let Some(mut pending) = self.pending.remove(&task) else { return Ok(()) };
        // A task that is woken since the mutex was given does not have it yet.
        if outcome == Outcome::Satisfied && world.is_for_mutex(pending.wait) {
            pending.end = pending.end.map(|(_, by)| (ns, by)).or(Some((ns, None)));
        }
        row(out, world, task, &pending, Some(outcome), ns)
    }

    /// The recording ends.
    pub fn finish(
        &mut self,
        (table, recording): (&mut impl Rows, &str),
        world: &World,
        end_ns: i64,
    ) -> io::Result<()> {
        let mut pending: Vec<_> = self.pending.drain().collect();
        pending.sort_by_key(|(task, _)| task.index());
        for (task, pending) in pending {
            row((table, recording), world, task, &pending, None, end_ns)?;
        }
        Ok(())
    }
}

/// Returns the object of a wait: kind, number and name.
fn object(world: &World, wait: Wait) -> Option<(&'static str, u32, String)> {
    let owner = Owner::of_wait(wait)?;
    let label = owner.label(world)?;
    Some((owner.kind(world), label.id(), label.to_string()))
}

fn row(
    (table, recording): (&mut impl Rows, &str),
    world: &World,
    task: TaskRef,
    pending: &PendingWait,
    outcome: Option<Outcome>,
    now_ns: i64,
) -> io::Result<()> {
    let object = object(world, pending.wait);
    let (end_ns, by) = match &pending.end {
        Some((ns, by)) => (*ns, by.as_ref()),
        None => (now_ns, None),
    };
    table.row(&[
        recording.into(),
        pending.begin_ns.into(),
        end_ns.max(pending.begin_ns).into(),
        world.tasks.get(task).map_or(0, |known| known.id).into(),
        (&world.task_name(task).to_string()).into(),
        (&world.describe_wait(pending.wait)).into(),
        object.as_ref().map(|(kind, ..)| *kind).into(),
        object.as_ref().map(|(_, id, _)| *id).into(),
        object.as_ref().map(|(.., name)| name).into(),
        pending.limit.into(),
        outcome.map(Outcome::name).into(),
        by.into(),
        pending.begin_seen.into(),
        (pending.end.is_some() || outcome.is_some()).into(),
    ])
}
