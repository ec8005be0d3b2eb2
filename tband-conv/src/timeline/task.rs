//! Tasks: who they are, their states and priorities.
//!
//! Invariant: the task that runs on a core has the state [`TaskState::Running`] there, and no other
//! has it.

use std::io;

use super::change::{Change, Outcome, PriorityCause, Sink, Waker};
use super::life::Object;
use super::world::{Task, TaskRef, TaskState};
use super::{At, Step, Timeline, least_duration};
use crate::diagnostics::Problem;

impl Timeline {
    /// Tells the sink of a task that it has not seen; false if it has.
    pub(super) fn list<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
    ) -> io::Result<bool> {
        match self.world.tasks.get_mut(task) {
            Some(entry) if !entry.listed => entry.listed = true,
            _ => return Ok(false),
        }
        step.sink.change(&self.world, step.at, &Change::TaskAppears(task))?;
        Ok(true)
    }

    /// The task of this id, told to the sink if it is new.
    #[inline(always)]
    pub(super) fn known_task<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<Option<TaskRef>> {
        if let Some(task) = self.world.tasks.find(id)
            && let Some(entry) = self.world.tasks.get(task)
            && entry.listed
            && entry.state != TaskState::Deleted
        {
            return Ok(Some(task));
        }
        self.new_task(&mut step.again(), id)
    }

    #[inline(never)]
    fn new_task<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
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
            Some(task) => drop(self.list(step, task)?),
            None => self.too_many(step, "task", id)?,
        }
        Ok(task)
    }

    /// As [`known_task`](Self::known_task), for events that a deleted task cannot have. Such an
    /// event belongs to a new task with the old number.
    #[inline(always)]
    pub(super) fn living_task<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        what: &str,
    ) -> io::Result<Option<TaskRef>> {
        if let Some(task) = self.world.tasks.find(id)
            && let Some(entry) = self.world.tasks.get(task)
            && entry.listed
            && entry.state != TaskState::Deleted
        {
            return Ok(Some(task));
        }
        self.unusual_task(&mut step.again(), id, what)
    }

    #[inline(never)]
    fn unusual_task<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        what: &str,
    ) -> io::Result<Option<TaskRef>> {
        let task = self.known_task(step, id)?;
        if task.is_none_or(|task| self.state(task) != TaskState::Deleted) {
            return Ok(task);
        }
        let name = task.map(|task| format!("{:#}", self.world.task_name(task))).unwrap_or_default();
        let text = format!("{name} {what} although it was deleted");
        self.found(step, Problem::DeletedTask, 1, &text)?;
        self.reborn(step, id)
    }

    /// A task that was deleted lives on: most likely the deletion is what is wrong.
    fn reborn<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<Option<TaskRef>> {
        let old = self.world.tasks.find(id);
        let new = self.world.renew::<Task>(id);
        let (Some(old), Some(task)) = (old, new) else {
            self.too_many(step, "task", id)?;
            return Ok(None);
        };
        let before = self.world.tasks.get(old).cloned().unwrap_or_default();
        if let Some(entry) = self.world.tasks.get_mut(task) {
            entry.inherit(&before, old);
        }
        self.has_priority(task, before.priority);
        self.list(step, task)?;
        Ok(Some(task))
    }

    pub(super) fn state(&self, task: TaskRef) -> TaskState {
        self.world.tasks.get(task).map_or(TaskState::Unknown, |task| task.state)
    }

    /// Changes a task's state, not before it may change, and tells the sink.
    #[inline(never)]
    pub(super) fn set_state<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
        to: TaskState,
        waker: Waker,
    ) -> io::Result<()> {
        self.enter_state(step, task, to, waker)
    }

    /// As [`set_state`](Self::set_state), where that is done often.
    #[inline(always)]
    pub(super) fn enter_state<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
        to: TaskState,
        waker: Waker,
    ) -> io::Result<()> {
        let Some(entry) = self.world.tasks.get_mut(task) else {
            return Ok(());
        };
        let from = entry.state;
        if from == to {
            return Ok(());
        }
        let mut at = step.at;
        at.ns = at.ns.max(entry.settled);
        entry.settled = at.ns.wrapping_add(least_duration(to));
        entry.state = to;
        if matches!(from, TaskState::Unknown) {
            entry.life.used = true;
            self.gaps.learnt_task(task);
        }
        if at.ns > step.at.ns {
            self.moved_to(at);
        }
        let change = Change::TaskState { task, from, to, waker };
        step.sink.change(&self.world, at, &change)
    }

    /// A change is told later than the event that tells of it. What runs there changes no earlier.
    #[inline(never)]
    pub(super) fn moved_to(&mut self, At { ns, core }: At) {
        self.end_ns = self.end_ns.max(ns);
        let core = self.core(core);
        core.moved_ns = core.moved_ns.max(ns);
    }

    pub(super) fn suspended<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(task) = self.living_task(step, id, "is suspended")? else {
            return Ok(());
        };
        self.leaves(step, task, TaskState::Suspended)
    }

    pub(super) fn deleted<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        match self.known_task(step, id)? {
            Some(task) => self.leaves(step, task, TaskState::Deleted),
            None => Ok(()),
        }
    }

    /// A running task leaves at the next switch, another one at once.
    fn leaves<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
        to: TaskState,
    ) -> io::Result<()> {
        match self.world.tasks.get_mut(task) {
            Some(entry) if matches!(entry.state, TaskState::Running(_)) => {
                entry.leaves_to = to;
                Ok(())
            }
            Some(entry) => {
                let was = entry.state;
                if to != TaskState::Deleted {
                    return self.set_state(step, task, to, Waker::Other);
                }
                self.task_is_over(step, task)?;
                self.set_state(step, task, to, Waker::Other)?;
                match was {
                    TaskState::Blocked(wait) => self.outcome(step, task, wait, Outcome::Deleted),
                    _ => Ok(()),
                }
            }
            None => Ok(()),
        }
    }

    pub(super) fn created<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let before = self.world.name_of_task(id).map(str::to_owned);
        let Some(task) = self.creates(step, id, Self::task_ends)? else {
            return self.too_many(step, "task", id);
        };
        if !self.list(step, task)? && self.world.name_of_task(id) != before.as_deref() {
            step.sink.change(&self.world, step.at, &Change::TaskRenamed(task))?;
        }
        self.set_state(step, task, TaskState::Created, Waker::Other)
    }

    /// Notes the priority of a task, if it is known.
    pub(super) fn has_priority(&mut self, task: TaskRef, priority: Option<u32>) {
        let known = self.world.tasks.get_mut(task).map(|task| &mut task.priority);
        if let (Some(known), Some(priority)) = (known, priority)
            && known.replace(priority).is_none()
        {
            self.gaps.learnt_priority(task);
        }
    }

    pub(super) fn priority<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        priority: u32,
        cause: PriorityCause,
    ) -> io::Result<()> {
        let Some(task) = self.known_task(step, id)? else {
            return Ok(());
        };
        if let Some(entry) = self.world.tasks.get_mut(task) {
            entry.life.used = true;
            entry.inherits = cause == PriorityCause::Inherit;
        }
        self.has_priority(task, Some(priority));
        step.sink.change(&self.world, step.at, &Change::Priority { task, priority, cause })
    }

    /// A recording starts, and this is what the task's priority is, unless it inherited a higher one.
    #[cold]
    pub(super) fn base_priority<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        priority: u32,
    ) -> io::Result<()> {
        // It says nothing of a use of the task: it may stand ahead of the task's creation.
        let Some(task) = self.world.task(id) else {
            return self.too_many(step, "task", id);
        };
        let Some(entry) = self.world.tasks.get_mut(task) else {
            return Ok(());
        };
        let is_known =
            entry.priority == Some(priority) || (entry.inherits && entry.priority > Some(priority));
        if is_known {
            return Ok(());
        }
        entry.priority = Some(priority);
        self.list(step, task)?;
        let change = Change::Priority { task, priority, cause: PriorityCause::Set };
        step.sink.change(&self.world, step.at, &change)
    }
}
