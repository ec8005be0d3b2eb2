//! Waits: how each of them ended, as far as events prove it.
//!
//! The task or interrupt that ends a wait acts on the object first and then makes the waiting task ready, on the same core. So
//! the last act of a core ended the waits that end after it. If a wait ends without such an act, the next events of its task
//! prove the outcome: it gets the object that it waited for, or reports a failure. Where neither is recorded the outcome stays
//! unknown.

use std::io;

use crate::machine::memory::task::{Cause, EndedWait, is_acquisition};
use crate::machine::{AnyContext, Context, Timeline};
use crate::model::{
    Act, Actor, Change, End, EventTime, Outcome, Sink, Task, TaskRef, TaskState, Wait, Waker,
};

impl Timeline {
    /// An act that may end waits happens now.
    #[inline]
    pub(in crate::machine) fn set_cause(
        &mut self,
        at: EventTime,
        by: Option<Actor>,
        act: Act,
        bits: u64,
    ) {
        self.acts_so_far = self.acts_so_far.wrapping_add(1);
        let number = self.acts_so_far;
        let core = self.core(at.core);
        core.cause = Some(Cause { ns: at.ns, act, bits, number, by });
    }

    /// A task that waited is ready: finds its waker, and how its wait ended, as far as an earlier act proves it.
    #[inline(never)]
    pub(in crate::machine) fn woken(
        &mut self,
        at: EventTime,
        task: TaskRef,
        wait: Wait,
    ) -> (Waker, Option<Outcome>) {
        let core = at.core;
        let no_waker = (Waker::Other, None);
        let (Some(entry), Some(Task { terms, .. })) =
            (self.tasks.get_mut(task), self.world.tasks.get(task))
        else {
            return no_waker;
        };
        let waiting = &mut entry.waiting;
        let aborted = std::mem::take(&mut waiting.aborted);
        // It left its core when that state had two nanoseconds to go before the next.
        let from = entry.settled.wrapping_sub(2);
        let is_delay = matches!(wait, Wait::Delay | Wait::DelayUntil);
        if !aborted && is_delay {
            if waiting.delay > 1 {
                let ticks = if wait == Wait::Delay { waiting.delay } else { 0 };
                self.woken_by_clock(task, wait, ticks, core, from, at.ns);
            }
            return no_waker;
        }
        let on_core = self.cores.get_mut(core);
        let cause = on_core.cause.as_ref();
        let ticks = terms.ticks;
        let endless = ticks == u32::MAX && !is_delay;
        let by = match wait {
            Wait::NotifyTake(index) | Wait::NotifyWait(index) => waiting
                .notified
                .filter(|it| it.index == index && waiting.is_later(it.number))
                .map(|it| it.end),
            _ => cause
                .filter(|cause| waiting.is_later(cause.number) && cause.can_end(wait, terms))
                .map(|cause| cause.end(core)),
        };
        let is_deleted = matches!(cause, Some(Cause { act: Act::DeleteGroup(_), .. }));
        let outcome = match by {
            _ if aborted => Some(Outcome::Aborted),
            Some(_) if is_deleted && matches!(wait, Wait::Bits(_) | Wait::EventGroupSync(_)) => {
                Some(Outcome::Deleted)
            }
            Some(_) => Some(Outcome::Satisfied),
            None => None,
        };
        let waker = match by.flatten() {
            _ if aborted => None,
            by => by.map(|by| Waker::of(by.actor)),
        };
        let by = by.flatten().filter(|_| outcome == Some(Outcome::Satisfied));
        let has_item = outcome == Some(Outcome::Satisfied);
        // A mutex is its when it takes it.
        let is_mutex = matches!(wait, Wait::Receive(_))
            && matches!(cause, Some(Cause { act: Act::Send(_), bits: 1.., .. }));
        let reported = outcome.filter(|_| !(has_item && is_mutex));
        waiting.over = Some(EndedWait { wait, reported: reported.is_some(), by });
        let for_bits = matches!(wait, Wait::Bits(_) | Wait::EventGroupSync(_));
        if has_item && !for_bits {
            // One item ends one wait.
            on_core.cause = None;
        }
        if outcome.is_none() && !endless {
            self.woken_by_clock(task, wait, ticks, core, from, at.ns);
        }
        let waker = match waker {
            // The abort of a wait has its effect at once.
            None if aborted => self.acting(core),
            // The clock does not end a wait without limit, nor does a task that does nothing.
            None if endless && outcome.is_none() => match self.acting(core) {
                Waker::Task(task) if self.is_idle(task) => Waker::Other,
                waker => waker,
            },
            waker => waker.unwrap_or(Waker::Other),
        };
        (waker, reported)
    }

    /// Returns the actor on a core as the waker of a task.
    fn acting(&mut self, core: u32) -> Waker {
        self.actor(core, false).map_or(Waker::Other, Waker::of)
    }

    pub(in crate::machine) fn is_idle(&self, task: TaskRef) -> bool {
        self.world.tasks.get(task).is_some_and(|task| task.idle_of.is_some())
    }

    pub(in crate::machine) fn outcome<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        task: TaskRef,
        wait: Wait,
        outcome: Outcome,
    ) -> io::Result<()> {
        context.sink.frequent(&self.world, context.at, &Change::WaitEnded { task, wait, outcome })
    }

    /// Handles the finished wait of the running task of a core, if there is one, which now proves to have ended in this way.
    /// Returns the actor that ended it.
    #[inline(never)]
    pub(in crate::machine) fn wait_over<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        outcome: Outcome,
        is_it: impl Fn(Wait) -> bool,
    ) -> io::Result<Option<End>> {
        let Some(task) = self.core(context.at.core).running else {
            return Ok(None);
        };
        let over = self.tasks.get_mut(task).and_then(|it| it.waiting.over.take());
        let Some(EndedWait { wait, reported, by }) = over.filter(|over| is_it(over.wait)) else {
            return Ok(None);
        };
        if outcome == Outcome::Timeout {
            self.timed_out(task);
        }
        if !reported {
            self.outcome(context, task, wait, outcome)?;
        }
        Ok(by)
    }

    /// A wait of the running task is over, and the task got this object.
    pub(in crate::machine) fn end_wait_with<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        act: Act,
    ) -> io::Result<Option<End>> {
        self.wait_over(context, Outcome::Satisfied, |wait| is_acquisition(wait, act))
    }

    /// The running task did not get the requested object, after a wait or without one.
    pub(in crate::machine) fn failed(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        act: Act,
    ) -> io::Result<()> {
        self.wait_over(context, Outcome::Timeout, |wait| is_acquisition(wait, act))?;
        Ok(())
    }

    /// Marks the wait of a task as aborted. Returns false if the task is known not to wait.
    pub(in crate::machine) fn abort(&mut self, task: TaskRef) -> bool {
        let mut state = self.state(task);
        let known = self.tasks.entry(task);
        known.waiting.aborted = matches!(state, TaskState::Blocked(_));
        if let TaskState::Running(_) = state {
            state = known.leaves_to;
        }
        matches!(state, TaskState::Blocked(_) | TaskState::Unknown)
    }
}
