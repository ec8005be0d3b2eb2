//! Switches: the task that gets a core, and the next state of the one that had it.
//!
//! FreeRTOS reports why a task leaves the core before it leaves it (`curtask_delay`, then a switch), so the next state waits in
//! [`TaskMemory`] until the switch.

use std::io;

use super::memory::core::Core;
use super::memory::task::{LastCore, TaskMemory, WaitRecord, least_duration};
use super::{AnyContext, Context, SingleEntrySink, Timeline};
use crate::diagnostics::Problem;
use crate::model::{Caller, EventTime, Sink, Switch, TaskRef, TaskState, Wait, Waker};

impl Timeline {
    #[inline]
    pub(super) fn switched_in<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        if self.usual_switch(context.at, id, context.sink)? {
            return Ok(());
        }
        self.unusual_switch(&mut context.rare().any(), id)
    }

    /// Handles a switch from one task to another, if all of it is usual; otherwise it has no effect. It is a separate path,
    /// because it is the most frequent and most expensive event.
    #[inline]
    fn usual_switch<S: Sink + ?Sized>(
        &mut self,
        EventTime { ns: arrived, core }: EventTime,
        id: u32,
        sink: &mut S,
    ) -> io::Result<bool> {
        let Some(next) = self.world.tasks.find(id) else {
            return Ok(false);
        };
        let on_core = self.cores.get_mut(core);
        let Some(previous) = on_core.running else {
            return Ok(false);
        };
        if self.timer_task.is_calling() || self.calls.has_unknown_caller() {
            return Ok(false);
        }
        let (Some([left, got]), Some([leaves, gets])) =
            (self.world.tasks.both_mut(previous, next), self.tasks.both_mut(previous, next))
        else {
            return Ok(false);
        };
        let (to, from, runs) = (leaves.leaves_to, got.state, TaskState::Running(core));
        if matches!(to, TaskState::Deleted) || !from.is_off_core() {
            return Ok(false);
        }
        // Both tasks change at one time, after the last change of each.
        let ns = arrived.max(on_core.moved_ns).max(gets.settled).max(leaves.settled);
        // As `least_duration`, of states that it can leave to.
        leaves.settled = ns.wrapping_add(if matches!(to, TaskState::Ready) { 1 } else { 2 });
        leaves.left_ns = ns;
        let before = std::mem::replace(&mut gets.ran_on, LastCore::core(core));
        gets.settled = ns.wrapping_add(least_duration(runs));
        gets.leaves_to = self.filters.leaves_to;
        (left.state, got.state) = (to, runs);
        on_core.running = Some(next);
        on_core.skip_left_isrs();
        if ns > arrived {
            self.moved_to(EventTime { ns, core });
        }
        sink.switch(&self.world, EventTime { ns, core }, &Switch { previous, to, next, from })?;
        if before != LastCore::core(core) {
            self.migrate_from(&mut SingleEntrySink(sink), EventTime { ns, core }, next, before)?;
        }
        Ok(true)
    }

    #[inline(never)]
    pub(super) fn unusual_switch(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        // The first switch of a core takes this path.
        if !std::mem::replace(&mut self.hooks.any_switch, true) {
            self.start_scheduler(context.at.ns);
        }
        let Some(task) = self.living_task(context, id, "is switched in")? else {
            return Ok(());
        };
        let core = self.core(context.at.core);
        if core.running == Some(task) {
            // It was about to leave and stayed.
            self.tasks.entry(task).leaves_to = self.filters.leaves_to;
            return Ok(());
        }
        if let TaskState::Running(other) = self.state(task) {
            self.leave_other_core(context, task, other)?;
        }
        // Both tasks change at one time, after the last change of each.
        let EventTime { ns: arrived, core } = context.at;
        let &mut Core { running: previous, moved_ns, .. } = self.core(core);
        if self.timer_task.is_calling() {
            self.switched_while_calling(previous, task, arrived);
        }
        if self.calls.has_unknown_caller() {
            self.end_calls(context, Caller::Unknown)?;
        }
        context.at.ns = context.at.ns.max(moved_ns);
        for side in [previous, Some(task)].into_iter().flatten() {
            context.at.ns = context.at.ns.max(self.tasks.entry(side).settled);
        }
        if context.at.ns > arrived {
            self.moved_to(context.at);
        }
        if let Some(previous) = previous {
            let to = self.tasks.entry(previous).leaves_to;
            self.set_state(context, previous, to, Waker::Other)?;
            if matches!(to, TaskState::Deleted) {
                let at = std::mem::replace(&mut context.at.ns, arrived);
                self.task_is_over(context, previous)?;
                context.at.ns = at;
            }
        }
        self.core(core).running = Some(task);
        self.core(core).skip_left_isrs();
        self.set_state(context, task, TaskState::Running(core), Waker::Other)?;
        self.tasks.entry(task).leaves_to = self.filters.leaves_to;
        context.at.ns = arrived;
        Ok(())
    }

    /// A task is switched in that runs on another core.
    #[cold]
    #[inline(never)]
    fn leave_other_core(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        task: TaskRef,
        other: u32,
    ) -> io::Result<()> {
        if std::mem::take(&mut self.swaps) {
            // It leaves there at the same time.
            return self.leave_core(context, other, TaskState::Ready);
        }
        let text = format!(
            "{:#} is switched in on core {} while it runs on core {other}",
            self.world.task_name(task),
            context.at.core
        );
        self.report_finding(context, Problem::TaskOnTwoCores, 1, &text)?;
        self.leave_core(context, other, TaskState::Ready)
    }

    /// The running task of a core is about to wait.
    #[inline]
    pub(super) fn wait(&mut self, core: u32, wait: Wait, ticks: u32) -> io::Result<()> {
        self.prepare_wait(core, wait, ticks);
        Ok(())
    }

    /// The running task of a core is about to wait for the clock.
    #[inline]
    pub(super) fn delay(&mut self, core: u32, wait: Wait, ticks: u32) -> io::Result<()> {
        if let Some(task) = self.prepare_wait(core, wait, u32::MAX) {
            task.waiting.delay = ticks;
            if let Some(running) = self.core(core).running
                && let Some(entry) = self.world.tasks.get_mut(running)
            {
                entry.terms.delay = ticks;
            }
        } else {
            self.hooks.any_delay = true;
        }
        Ok(())
    }

    #[inline]
    fn prepare_wait(&mut self, core: u32, wait: Wait, ticks: u32) -> Option<&mut TaskMemory> {
        self.hooks.waits = self.hooks.waits.wrapping_add(1);
        let Some(running) = self.core(core).running else { return self.prepare_unknown_wait() };
        self.world.tasks.get_mut(running)?.terms.ticks = ticks;
        let task = self.tasks.get_mut(running)?;
        task.leaves_to = if self.filters.are_wakes_unknown {
            TaskState::Unknown
        } else {
            TaskState::Blocked(wait)
        };
        (task.waiting.number, task.waiting.over) = (self.acts_so_far, None);
        Some(task)
    }

    /// A task is about to wait, and none is known to run.
    #[cold]
    fn prepare_unknown_wait(&mut self) -> Option<&mut TaskMemory> {
        self.hooks.waits_of_nobody = self.hooks.waits_of_nobody.saturating_add(1);
        None
    }

    /// The running task of a core is about to wait for an object beyond the limit.
    #[cold]
    pub(super) fn wait_for_unknown(&mut self, core: u32) -> io::Result<()> {
        if let Some(task) = self.running(core) {
            task.leaves_to = TaskState::Unknown;
            task.waiting = WaitRecord::default();
        }
        Ok(())
    }

    /// The running task of a core calls the kernel again, so it did not block after all. True if it was
    /// woken from a wait and has not called the kernel since.
    #[inline]
    pub(super) fn note_not_blocked(&mut self, core: u32) -> bool {
        let leaves_to = self.filters.leaves_to;
        let Some(task) = self.running(core) else {
            return false;
        };
        if matches!(task.leaves_to, TaskState::Blocked(_) | TaskState::Unknown) {
            task.leaves_to = leaves_to;
        }
        task.waiting.over.is_some()
    }

    /// The task that runs on a core.
    #[inline]
    pub(super) fn running(&mut self, core: u32) -> Option<&mut TaskMemory> {
        let running = self.core(core).running?;
        self.tasks.get_mut(running)
    }

    /// The task of a core leaves it, and none follows at once. Later events may have been seen there.
    #[cold]
    #[inline(never)]
    pub(super) fn leave_core(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        number: u32,
        to: TaskState,
    ) -> io::Result<()> {
        let at = context.at;
        let core = self.core(number);
        let Some(task) = core.running.take() else {
            return Ok(());
        };
        core.moved_ns = at.ns.max(core.moved_ns).max(core.last_ns);
        context.at = EventTime { ns: core.moved_ns, core: number };
        let result = self.set_state(context, task, to, Waker::Other);
        context.at = at;
        result
    }
}
