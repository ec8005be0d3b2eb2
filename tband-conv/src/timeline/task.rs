//! Tasks: states, switches, priorities.
//!
//! FreeRTOS tells why a task leaves the core before it leaves it (`curtask_delay`, then a switch), so
//! the state that it leaves to waits in [`Task`](super::world::Task) until the next switch.
//!
//! Invariant: the task that runs on a core has the state [`TaskState::Running`] there, and no other
//! has it.

use std::io;

use super::change::{Change, Outcome, PriorityCause, Sink, Switch, Waker};
use super::core::Core;
use super::object::Caller;
use super::wait::Waiting;
use super::world::{Task, TaskRef, TaskState, Wait};
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
            && self.world.tasks.get(task).is_some_and(|entry| entry.listed)
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
        let task = self.world.task(id);
        match task {
            Some(task) => drop(self.list(step, task)?),
            None => self.too_many(step, "task", id)?,
        }
        Ok(task)
    }

    /// As [`known_task`](Self::known_task), for events that a deleted task cannot have. Such an
    /// event belongs to a new task with the old number.
    #[inline(always)]
    fn living_task<S: Sink + ?Sized>(
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
        let entry = task.and_then(|task| self.world.tasks.get_mut(task));
        if entry.is_some_and(|entry| std::mem::take(&mut entry.may_be_reborn)) {
            return self.reborn(step, id);
        }
        let name = task.map(|task| format!("{:#}", self.world.task_name(task))).unwrap_or_default();
        let text = format!("{name} {what} although it was deleted");
        self.found(step, Problem::DeletedTask, 1, &text)?;
        self.reborn(step, id)
    }

    /// A new task takes over the number, name and role of an old one.
    fn reborn<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<Option<TaskRef>> {
        let old = self.world.tasks.find(id).and_then(|task| self.world.tasks.get(task)).cloned();
        let mut new = old.unwrap_or_default();
        (new.state, new.listed) = (TaskState::Unknown, false);
        (new.may_be_reborn, new.waiting) = (false, Waiting::default());
        new.settled = 0;
        let Some(task) = self.world.tasks.insert(id, new) else {
            self.too_many(step, "task", id)?;
            return Ok(None);
        };
        self.list(step, task)?;
        Ok(Some(task))
    }

    fn state(&self, task: TaskRef) -> TaskState {
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
    fn enter_state<S: Sink + ?Sized>(
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
        if at.ns > step.at.ns {
            self.moved_to(at);
        }
        if matches!(from, TaskState::Unknown) {
            self.gaps.learnt_task(task);
        }
        let change = Change::TaskState { task, from, to, waker };
        step.sink.change(&self.world, at, &change)
    }

    /// A change is told later than the event that tells of it. What runs there changes no earlier.
    #[inline(never)]
    fn moved_to(&mut self, At { ns, core }: At) {
        self.end_ns = self.end_ns.max(ns);
        let core = self.core(core);
        core.moved_ns = core.moved_ns.max(ns);
    }

    #[inline(always)]
    pub(super) fn switched_in<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        if self.usual_switch(step.at, id, step.sink)? {
            return Ok(());
        }
        self.unusual_switch(&mut step.again(), id)
    }

    /// A switch from one task to another, if nothing about it is unusual; else nothing happens. Apart
    /// from all other events, since it is the most frequent one and does most.
    #[inline(always)]
    fn usual_switch<S: Sink + ?Sized>(
        &mut self,
        At { ns: arrived, core }: At,
        id: u32,
        sink: &mut S,
    ) -> io::Result<bool> {
        let Some((next, settled)) = self.usual_task(id) else {
            return Ok(false);
        };
        let &mut Core { running: Some(previous), moved_ns, .. } = self.core(core) else {
            return Ok(false);
        };
        if self.timer_task.calls() || self.calls.any_of_nobody() {
            return Ok(false);
        }
        let Some(entry) = self.world.tasks.get_mut(previous) else {
            return Ok(false);
        };
        let to = entry.leaves_to;
        if matches!(to, TaskState::Deleted) {
            return Ok(false);
        }
        // Both tasks change at one time, behind the last change of each.
        let ns = arrived.max(moved_ns).max(settled).max(entry.settled);
        // As `least_duration`, of states that it can leave to.
        entry.settled = ns.wrapping_add(if matches!(to, TaskState::Ready) { 1 } else { 2 });
        entry.state = to;
        self.core(core).running = Some(next);
        if ns > arrived {
            self.moved_to(At { ns, core });
        }
        let Some(entry) = self.world.tasks.get_mut(next) else {
            return Ok(true);
        };
        let (from, runs) = (entry.state, TaskState::Running(core));
        entry.settled = ns.wrapping_add(least_duration(runs));
        (entry.state, entry.leaves_to) = (runs, TaskState::Ready);
        sink.switch(&self.world, At { ns, core }, &Switch { previous, to, next, from })?;
        Ok(true)
    }

    /// A task of which it is known that it lives and does not run, and from when on it may change.
    #[inline(always)]
    fn usual_task(&self, id: u32) -> Option<(TaskRef, i64)> {
        let task = self.world.tasks.find(id)?;
        let entry = self.world.tasks.get(task)?;
        match entry.state {
            // Those that may be the first of their task or an error.
            TaskState::Unknown | TaskState::Deleted | TaskState::Running(_) => None,
            _ => Some((task, entry.settled)),
        }
    }

    #[inline(never)]
    fn unusual_switch<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(task) = self.living_task(step, id, "is switched in")? else {
            return Ok(());
        };
        let core = self.core(step.at.core);
        if core.running == Some(task) {
            // It was about to leave and stayed.
            if let Some(entry) = self.world.tasks.get_mut(task) {
                entry.leaves_to = TaskState::Ready;
            }
            return Ok(());
        }
        if let TaskState::Running(other) = self.state(task) {
            self.leave_other_core(step, task, other)?;
        }
        // Both tasks change at one time, behind the last change of each.
        let At { ns: arrived, core } = step.at;
        let &mut Core { running: previous, moved_ns, .. } = self.core(core);
        if self.timer_task.calls() {
            self.switched_while_calling(previous, task, arrived);
        }
        if self.calls.any_of_nobody() {
            self.end_calls(step, Caller::Nobody)?;
        }
        step.at.ns = step.at.ns.max(moved_ns);
        for side in [previous, Some(task)].into_iter().flatten() {
            let settled = self.world.tasks.get(side).map_or(0, |task| task.settled);
            step.at.ns = step.at.ns.max(settled);
        }
        if step.at.ns > arrived {
            self.moved_to(step.at);
        }
        if let Some(previous) = previous {
            let entry = self.world.tasks.get(previous);
            let to = entry.map_or(TaskState::Ready, |task| task.leaves_to);
            self.set_state(step, previous, to, Waker::Other)?;
            if matches!(to, TaskState::Deleted) {
                let at = std::mem::replace(&mut step.at.ns, arrived);
                self.end_calls(step, Caller::Task(previous))?;
                step.at.ns = at;
            }
        }
        self.core(core).running = Some(task);
        self.set_state(step, task, TaskState::Running(core), Waker::Other)?;
        if let Some(entry) = self.world.tasks.get_mut(task) {
            entry.leaves_to = TaskState::Ready;
        }
        step.at.ns = arrived;
        Ok(())
    }

    /// A task is switched in that runs on another core.
    #[cold]
    #[inline(never)]
    fn leave_other_core<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
        other: u32,
    ) -> io::Result<()> {
        let at = step.at;
        let text = format!(
            "{:#} is switched in on core {} while it runs on core {other}",
            self.world.task_name(task),
            at.core
        );
        self.found(step, Problem::TaskOnTwoCores, 1, &text)?;
        self.takes_from(step, other, task)
    }

    /// A task cannot run on this core any more, of which later events may have been seen.
    fn takes_from<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        number: u32,
        task: TaskRef,
    ) -> io::Result<()> {
        let at = step.at;
        let core = self.core(number);
        core.running = None;
        core.moved_ns = at.ns.max(core.moved_ns).max(core.last_ns);
        step.at = At { ns: core.moved_ns, core: number };
        let result = self.set_state(step, task, TaskState::Ready, Waker::Other);
        step.at = at;
        result
    }

    #[inline(always)]
    pub(super) fn ready<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        match self.usual_task(id) {
            Some((task, _)) => {
                self.before_ready(step, task)?;
                self.make_ready(step, task)
            }
            None => self.unusual_ready(&mut step.again(), id),
        }
    }

    #[inline(never)]
    fn unusual_ready<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(task) = self.living_task(step, id, "becomes ready")? else {
            return Ok(());
        };
        self.before_ready(step, task)?;
        if let Some(entry) = self.world.tasks.get_mut(task)
            && let TaskState::Running(_) = entry.state
        {
            // Woken before it left the core.
            entry.leaves_to = TaskState::Ready;
            return Ok(());
        }
        self.make_ready(step, task)
    }

    /// What event groups and timers learn from it that a task is made ready.
    #[inline(always)]
    fn before_ready<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
    ) -> io::Result<()> {
        if self.waiters.any() {
            self.waiters.woken(task);
        }
        if self.timer_task.calls() {
            self.ready_while_calling(&mut step.again(), task)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn make_ready<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
    ) -> io::Result<()> {
        let core = self.core(step.at.core);
        let waker = match core.running {
            Some(running) if core.isrs.is_empty() => Waker::Task(running),
            _ => Waker::Other,
        };
        let was = self.state(task);
        self.enter_state(step, task, TaskState::Ready, waker)?;
        match was {
            TaskState::Blocked(wait) => self.woken(&mut step.again(), task, wait),
            _ => Ok(()),
        }
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
        let Some(task) = self.known_task(step, id)? else {
            return Ok(());
        };
        self.leaves(step, task, TaskState::Deleted)
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
                if to == TaskState::Deleted {
                    self.end_calls(step, Caller::Task(task))?;
                }
                self.set_state(step, task, to, Waker::Other)?;
                match (was, to) {
                    (TaskState::Blocked(wait), TaskState::Deleted) => {
                        self.outcome(step, task, wait, Outcome::Deleted)
                    }
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
        let Some(mut task) = self.known_task(step, id)? else {
            return Ok(());
        };
        let state = self.state(task);
        if state != TaskState::Unknown {
            // The number is used again: the target started anew, or reuses numbers.
            if let TaskState::Running(core) = state {
                self.takes_from(step, core, task)?;
            }
            self.end_calls(step, Caller::Task(task))?;
            self.set_state(step, task, TaskState::Deleted, Waker::Other)?;
            let Some(new) = self.reborn(step, id)? else {
                return Ok(());
            };
            task = new;
        }
        self.set_state(step, task, TaskState::Created, Waker::Other)
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
            entry.priority = Some(priority);
        }
        step.sink.change(&self.world, step.at, &Change::Priority { task, priority, cause })
    }

    /// The running task of a core is about to wait.
    #[inline(always)]
    pub(super) fn waits(&mut self, core: u32, wait: Wait, ticks: u32) -> io::Result<()> {
        let number = self.acts_so_far;
        if let Some(task) = self.running(core) {
            task.leaves_to = TaskState::Blocked(wait);
            (task.waiting.ticks, task.waiting.number, task.waiting.over) = (ticks, number, None);
        }
        Ok(())
    }

    /// The running task of a core is about to wait for a queue.
    pub(super) fn waits_for<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        queue_id: u32,
        ticks: u32,
        wait: impl Fn(super::QueueRef) -> Wait,
    ) -> io::Result<()> {
        match self.world.queue(queue_id) {
            Some(queue) => self.waits(step.at.core, wait(queue), ticks),
            None => self.too_many(&mut step.again(), "queue", queue_id),
        }
    }

    /// The running task of a core goes on to act, so it did not wait after all. True if a wait of it
    /// is over and it did not act since.
    #[inline(always)]
    pub(super) fn acts(&mut self, core: u32) -> bool {
        let Some(task) = self.running(core) else {
            return false;
        };
        if matches!(task.leaves_to, TaskState::Blocked(_)) {
            task.leaves_to = TaskState::Ready;
        }
        task.waiting.over.is_some()
    }

    /// The task that runs on a core.
    #[inline(always)]
    pub(super) fn running(&mut self, core: u32) -> Option<&mut Task> {
        let running = self.core(core).running?;
        self.world.tasks.get_mut(running)
    }
}
