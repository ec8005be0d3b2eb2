//! Tasks: their identities, and their states.
//!
//! Invariant: the task that runs on a core has the state [`TaskState::Running`] there, and no other has it.

use std::io;

use super::memory::task::{LastCore, least_duration};
use super::{AnyContext, Context, Timeline};
use crate::diagnostics::Problem;
use crate::model::{
    Change, EventTime, Object, Outcome, Sink, Task, TaskChange, TaskRef, TaskState, Transition,
    Waker,
};

impl Timeline {
    /// Reports a task to the sink that it has not seen; false if it has.
    pub(super) fn list(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        task: TaskRef,
    ) -> io::Result<bool> {
        if std::mem::replace(&mut self.tasks.entry(task).listed, true) {
            return Ok(false);
        }
        context.sink.change(&self.world, context.at, &Change::TaskAppears(task))?;
        Ok(true)
    }

    /// The task of this id, if it is known to the sink and lives.
    #[inline]
    fn listed_task(&self, id: u32) -> Option<TaskRef> {
        let task = self.world.tasks.find(id)?;
        let is_listed = self.tasks.get(task)?.listed;
        (is_listed && self.state(task) != TaskState::Deleted).then_some(task)
    }

    /// The task of this id, reported to the sink if it is new.
    #[inline]
    pub(super) fn known_task(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<Option<TaskRef>> {
        match self.listed_task(id) {
            None => self.new_task(&mut context.reborrow(), id),
            known => Ok(known),
        }
    }

    #[inline(never)]
    fn new_task(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<Option<TaskRef>> {
        let mut task = self.world.task(id);
        let gap = self.gaps.count;
        let is_over = |entry: &Task| entry.state == TaskState::Deleted && entry.life.gap != gap;
        if task.and_then(|task| self.world.tasks.get(task)).is_some_and(is_over) {
            // It was deleted before a gap, so its number belongs to another task.
            task = self.world.renew::<Task>(id);
        }
        match task {
            Some(task) => drop(self.list(context, task)?),
            None => self.too_many(context, "task", id)?,
        }
        Ok(task)
    }

    /// As [`known_task`](Self::known_task), for events that a deleted task cannot have. Such an
    /// event belongs to a new task with the old number.
    #[inline]
    pub(super) fn living_task(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        what: &str,
    ) -> io::Result<Option<TaskRef>> {
        match self.listed_task(id) {
            None => self.unusual_task(&mut context.reborrow(), id, what),
            known => Ok(known),
        }
    }

    #[inline(never)]
    fn unusual_task(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        what: &str,
    ) -> io::Result<Option<TaskRef>> {
        let task = self.known_task(context, id)?;
        if task.is_none_or(|task| self.state(task) != TaskState::Deleted) {
            return Ok(task);
        }
        let name = task.map(|task| format!("{:#}", self.world.task_name(task))).unwrap_or_default();
        let text = format!("{name} {what} although it was deleted");
        self.report_finding(context, Problem::DeletedTask, 1, &text)?;
        self.revive_task(context, id)
    }

    /// A task that was deleted runs again: most likely the deletion is wrong.
    fn revive_task(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<Option<TaskRef>> {
        let old = self.world.tasks.find(id);
        let new = self.world.renew::<Task>(id);
        let (Some(old), Some(task)) = (old, new) else {
            self.too_many(context, "task", id)?;
            return Ok(None);
        };
        let before = self.world.tasks.get(old).cloned().unwrap_or_default();
        if let Some(entry) = self.world.tasks.get_mut(task) {
            entry.inherit(&before, old);
        }
        self.has_priority(task, before.priority);
        self.tasks.entry(task).base_priority = self.tasks.entry(old).base_priority;
        self.list(context, task)?;
        Ok(Some(task))
    }

    pub(super) fn state(&self, task: TaskRef) -> TaskState {
        self.world.tasks.get(task).map_or(TaskState::Unknown, |task| task.state)
    }

    /// Changes a task's state, not before it may change, and reports it to the sink.
    #[inline(never)]
    pub(super) fn set_state<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        task: TaskRef,
        to: TaskState,
        waker: Waker,
    ) -> io::Result<()> {
        let from = self.state(task);
        if from == to {
            return Ok(());
        }
        if matches!(from, TaskState::Unknown) {
            // Its running times are unknown.
            if self.filters.are_runs_unknown && !matches!(to, TaskState::Deleted) {
                return Ok(());
            }
            if let Some(entry) = self.world.tasks.get_mut(task) {
                entry.life.used = true;
            }
            self.gaps.learnt_task(task);
        }
        self.transition(context, Transition { task, from, to }, waker)
    }

    /// As [`set_state`](Self::set_state), from another state that is known.
    #[inline]
    pub(super) fn transition<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        Transition { task, from, to }: Transition,
        waker: Waker,
    ) -> io::Result<()> {
        let Some(entry) = self.world.tasks.get_mut(task) else {
            return Ok(());
        };
        entry.state = to;
        let known = self.tasks.entry(task);
        let mut at = context.at;
        at.ns = at.ns.max(known.settled);
        known.settled = at.ns.wrapping_add(least_duration(to));
        if matches!(from, TaskState::Running(_)) {
            known.left_ns = at.ns;
        }
        if matches!(to, TaskState::Unknown) {
            known.ran_on = LastCore::default();
        }
        if at.ns > context.at.ns {
            self.moved_to(at);
        }
        let change = Change::TaskState { task, from, to, waker };
        context.sink.frequent(&self.world, at, &change)?;
        match to {
            TaskState::Running(core) => {
                self.arrive_on_core(&mut context.rare().sink, EventTime { core, ..at }, task)
            }
            _ => Ok(()),
        }
    }

    /// A change is reported later than its event. The task there changes no earlier.
    #[inline(never)]
    pub(super) fn moved_to(&mut self, EventTime { ns, core }: EventTime) {
        self.end_ns = self.end_ns.max(ns);
        let core = self.core(core);
        core.moved_ns = core.moved_ns.max(ns);
    }

    pub(super) fn suspended(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        let Some(task) = self.living_task(context, id, "is suspended")? else {
            return Ok(());
        };
        self.leave(context, task, TaskState::Suspended)
    }

    pub(super) fn deleted(&mut self, context: &mut AnyContext<'_, '_>, id: u32) -> io::Result<()> {
        match self.known_task(context, id)? {
            Some(task) => self.leave(context, task, TaskState::Deleted),
            None => Ok(()),
        }
    }

    /// A running task leaves at the next switch, another one at once.
    fn leave(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        task: TaskRef,
        to: TaskState,
    ) -> io::Result<()> {
        let was = self.state(task);
        let to = match to {
            TaskState::Deleted => to,
            _ if self.filters.are_wakes_unknown => TaskState::Unknown,
            _ => to,
        };
        if matches!(was, TaskState::Running(_)) {
            self.tasks.entry(task).leaves_to = to;
            return Ok(());
        }
        if to == TaskState::Deleted {
            self.task_is_over(context, task)?;
        }
        self.set_state(context, task, to, Waker::Other)?;
        match (was, to) {
            (TaskState::Blocked(wait), TaskState::Deleted) => {
                self.outcome(context, task, wait, Outcome::Deleted)
            }
            _ => Ok(()),
        }
    }

    pub(super) fn created(&mut self, context: &mut AnyContext<'_, '_>, id: u32) -> io::Result<()> {
        let before = self.world.name_of_task(id).map(str::to_owned);
        let Some(task) = self.create(context, id, Self::end_task)? else {
            return self.too_many(context, "task", id);
        };
        if !self.list(context, task)? && self.world.name_of_task(id) != before.as_deref() {
            context.sink.change(&self.world, context.at, &Change::TaskRenamed(task))?;
        }
        self.set_state(context, task, TaskState::Created, Waker::Other)
    }

    /// A change of a task without other effects.
    pub(super) fn task_changes(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        change: TaskChange,
    ) -> io::Result<()> {
        match self.known_task(context, id)? {
            Some(task) => self.task_change(context, task, change),
            None => Ok(()),
        }
    }

    pub(super) fn task_change(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        task: TaskRef,
        change: TaskChange,
    ) -> io::Result<()> {
        let by = self.by(context);
        context.sink.change(&self.world, context.at, &Change::Task(task, change, by))
    }

    /// A task's wait is to be aborted. The kernel reports this before it checks whether there is a wait.
    pub(super) fn wait_aborted(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        match self.known_task(context, id)? {
            Some(task) if !self.abort(task) => return Ok(()),
            _ => {}
        }
        self.task_changes(context, id, TaskChange::WaitAborted)
    }

    /// The running task is to wait until this tick count at most.
    pub(super) fn set_wake_tick(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        ticks: u32,
    ) -> io::Result<()> {
        if self.timer_task.is_calling() {
            self.delayed_while_calling(context)?;
        }
        match self.core(context.at.core).running {
            Some(task) => self.task_change(context, task, TaskChange::WakesAt(ticks)),
            None => Ok(()),
        }
    }
}
