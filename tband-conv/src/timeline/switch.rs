//! Switches: which task has a core, and what becomes of the one that had it.
//!
//! FreeRTOS tells why a task leaves the core before it leaves it (`curtask_delay`, then a switch), so
//! the state that it leaves to waits in [`Task`](super::world::Task) until the next switch.

use std::io;

use super::change::{Sink, Switch, Waker};
use super::core::Core;
use super::object::Caller;
use super::world::{QueueRef, Task, TaskRef, TaskState, Wait};
use super::{At, Step, Timeline, least_duration};
use crate::diagnostics::Problem;

impl Timeline {
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
                self.task_is_over(step, previous)?;
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
        if std::mem::take(&mut self.swaps) {
            // It leaves there at the same time.
            return self.leaves_core(step, other, TaskState::Ready);
        }
        let text = format!(
            "{:#} is switched in on core {} while it runs on core {other}",
            self.world.task_name(task),
            step.at.core
        );
        self.found(step, Problem::TaskOnTwoCores, 1, &text)?;
        self.leaves_core(step, other, TaskState::Ready)
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

    /// The running task of a core is about to wait for the clock.
    #[inline(always)]
    pub(super) fn delays(&mut self, core: u32, wait: Wait, ticks: u32) -> io::Result<()> {
        let number = self.acts_so_far;
        if let Some(task) = self.running(core) {
            task.leaves_to = TaskState::Blocked(wait);
            (task.waiting.ticks, task.waiting.delay) = (u32::MAX, ticks);
            (task.waiting.number, task.waiting.over) = (number, None);
        }
        Ok(())
    }

    /// The running task of a core is about to wait for a queue.
    pub(super) fn waits_for<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        queue_id: u32,
        ticks: u32,
        wait: impl Fn(QueueRef) -> Wait,
    ) -> io::Result<()> {
        match self.world.queue(queue_id) {
            Some(queue) => {
                let queue = self.living(queue);
                self.waits(step.at.core, wait(queue), ticks)
            }
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
