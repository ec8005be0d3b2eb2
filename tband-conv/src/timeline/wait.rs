//! Waits: what ended each of them, as far as events prove it.
//!
//! Whoever ends a wait acts on the object first and makes the task ready then, on the same core, so the
//! last act of a core is what ended the waits that end behind it. A wait that ends without such an
//! act is proven by what its task does next: it gets what it waited for, or says that it failed.
//! Where neither is recorded the outcome stays unknown.

use std::io;

use tband_format::registry::event_group_flags::{ALL, TIMED_OUT};

use super::change::{Change, Outcome, Sink, Waker};
use super::flow::{Act, Actor, End, Flows};
use super::notify::LastNotified;
use super::world::{EventGroupRef, IsrRef, QueueRef, StreamBufferRef, TaskRef, TaskState, Wait};
use super::{At, Step, Timeline};

/// The last act of a core that may end waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cause {
    ns: i64,
    act: Act,
    /// Bits of an event group behind it; of a queue whether it is a mutex.
    bits: u32,
    /// Number of this act.
    number: u32,
    /// What ran and was open on the core then.
    task: Option<TaskRef>,
    isr: Option<IsrRef>,
    from_isr: bool,
}

impl Cause {
    /// The act as an end of a flow, if it is known who acted.
    pub fn end(&self, core: u32) -> Option<End> {
        let actor = Actor::of(self.isr, self.from_isr, self.task)?;
        Some(End { ns: self.ns, core, actor, act: self.act })
    }
}

/// A notification that a task got.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notified {
    pub index: u32,
    pub end: Option<End>,
    /// Number of this act.
    pub number: u32,
}

/// What is known of a wait: how it was asked for, and once it is over how it ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waiting {
    /// Kernel ticks to wait; the highest number stands for no limit.
    pub ticks: u32,
    /// Of a delay: kernel ticks that it lasts, or the tick count at its end.
    pub delay: u32,
    /// Bits of an event group, and the flags of the wait.
    pub bits: u32,
    pub flags: u32,
    /// Number of the last act before it.
    pub number: u32,
    /// It is to be aborted.
    pub aborted: bool,
    pub notified: Option<Notified>,
    /// It asked for this recursive mutex while another task held it.
    pub asked: Option<QueueRef>,
    pub over: Option<Over>,
}

/// A wait that is over, until its task acts on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Over {
    pub wait: Wait,
    /// Its outcome is told.
    pub told: bool,
    pub by: Option<End>,
}

impl Waiting {
    fn is_later(&self, number: u32) -> bool {
        number.wrapping_sub(self.number).cast_signed() > 0
    }

    /// Whether this act can end this wait.
    fn is_ended_by(&self, wait: Wait, cause: &Cause) -> bool {
        let ends = match (wait, cause.act) {
            // An item that is only looked at is there for the next.
            (Wait::Receive(queue) | Wait::Peek(queue), Act::Send(at) | Act::Peek(at)) => {
                queue == at
            }
            (Wait::Send(queue), Act::Receive(at) | Act::Reset(at)) => queue == at,
            (Wait::ReceiveBytes(_) | Wait::SendBytes(_), act) => lets_go_on(wait, act),
            (Wait::Bits(group) | Wait::Rendezvous(group), Act::DeleteGroup(at)) => group == at,
            (Wait::Bits(group) | Wait::Rendezvous(group), Act::SetBits(at)) => {
                let found = cause.bits & self.bits;
                let holds = if self.flags & ALL != 0 { found == self.bits } else { found != 0 };
                group == at && holds
            }
            _ => false,
        };
        ends && self.is_later(cause.number)
    }
}

impl Timeline {
    /// An act that may end waits happens now.
    #[inline(always)]
    pub(super) fn set_cause(&mut self, at: At, act: Act, from_isr: bool, bits: u32) {
        self.acts_so_far = self.acts_so_far.wrapping_add(1);
        let number = self.acts_so_far;
        let core = self.core(at.core);
        let (task, isr) = (core.running, core.isrs.last().copied());
        core.cause = Some(Cause { ns: at.ns, act, bits, number, task, isr, from_isr });
    }

    /// A task that waited is ready: who made it so, and how its wait ended, as far as an act before proves
    /// it.
    #[inline(never)]
    pub(super) fn woken(&mut self, at: At, task: TaskRef, wait: Wait) -> (Waker, Option<Outcome>) {
        let core = at.core;
        let nobody = (Waker::Other, None);
        let Some(entry) = self.world.tasks.get_mut(task) else {
            return nobody;
        };
        let aborted = std::mem::take(&mut entry.waiting.aborted);
        // It left its core when that state had two nanoseconds to go before the next.
        let from = entry.settled.wrapping_sub(2);
        if !aborted && matches!(wait, Wait::Delay | Wait::DelayUntil) {
            if entry.waiting.delay > 1 {
                self.woken_by_clock(task, wait, from, at.ns);
            }
            return nobody;
        }
        let cause = self.core(core).cause;
        let Some(entry) = self.world.tasks.get_mut(task) else {
            return nobody;
        };
        let waiting = &mut entry.waiting;
        let endless = waiting.ticks == u32::MAX && !matches!(wait, Wait::Delay | Wait::DelayUntil);
        let by = match wait {
            Wait::NotifyTake(index) | Wait::NotifyWait(index) => waiting
                .notified
                .filter(|it| it.index == index && waiting.is_later(it.number))
                .map(|it| it.end),
            _ => {
                cause.filter(|cause| waiting.is_ended_by(wait, cause)).map(|cause| cause.end(core))
            }
        };
        let is_deleted = matches!(cause, Some(Cause { act: Act::DeleteGroup(_), .. }));
        let outcome = match by {
            _ if aborted => Some(Outcome::Aborted),
            Some(_) if is_deleted && matches!(wait, Wait::Bits(_) | Wait::Rendezvous(_)) => {
                Some(Outcome::Deleted)
            }
            Some(_) => Some(Outcome::Data),
            None => None,
        };
        let waker = match by.flatten() {
            _ if aborted => None,
            by => by.map(|by| Waker::of(by.actor)),
        };
        let by = by.flatten().filter(|_| outcome == Some(Outcome::Data));
        let has_item = outcome == Some(Outcome::Data);
        // A mutex is its when it takes it.
        let is_mutex = matches!(wait, Wait::Receive(_))
            && matches!(cause, Some(Cause { act: Act::Send(_), bits: 1.., .. }));
        let told = outcome.filter(|_| !(has_item && is_mutex));
        waiting.over = Some(Over { wait, told: told.is_some(), by });
        let for_bits = matches!(wait, Wait::Bits(_) | Wait::Rendezvous(_));
        if has_item && !for_bits {
            // One item ends one wait.
            self.core(core).cause = None;
        }
        if outcome.is_none() && !endless {
            self.woken_by_clock(task, wait, from, at.ns);
        }
        let waker = match waker {
            // Who aborts a wait does so at once.
            None if aborted => self.acting(core, false),
            // The clock does not end a wait without limit, nor does a task that does nothing.
            None if endless && outcome.is_none() => match self.acting(core, false) {
                Waker::Task(task) if self.is_idle(task) => Waker::Other,
                waker => waker,
            },
            waker => waker.unwrap_or(Waker::Other),
        };
        (waker, told)
    }

    fn is_idle(&self, task: TaskRef) -> bool {
        self.world.tasks.get(task).is_some_and(|task| task.idle_of.is_some())
    }

    pub(super) fn outcome<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
        wait: Wait,
        outcome: Outcome,
    ) -> io::Result<()> {
        step.sink.change(&self.world, step.at, &Change::WaitEnded { task, wait, outcome })
    }

    /// The wait of the task that runs on a core, if one is over, which it now shows to have ended
    /// this way. Gives who ended it.
    #[inline(never)]
    pub(super) fn wait_over<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        outcome: Outcome,
        is_it: impl Fn(Wait) -> bool,
    ) -> io::Result<Option<End>> {
        let Some(task) = self.core(step.at.core).running else {
            return Ok(None);
        };
        let over = self.world.tasks.get_mut(task).and_then(|it| it.waiting.over.take());
        let Some(Over { wait, told, by }) = over.filter(|over| is_it(over.wait)) else {
            return Ok(None);
        };
        if outcome == Outcome::Timeout {
            self.timed_out(task);
        }
        if !told {
            self.outcome(step, task, wait, outcome)?;
        }
        Ok(by)
    }

    /// A wait of the running task is over, and this is what it waited for.
    pub(super) fn got<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        act: Act,
    ) -> io::Result<Option<End>> {
        self.wait_over(step, Outcome::Data, |wait| gets(wait, act))
    }

    /// The running task did not get what it asked for, after a wait or without one.
    pub(super) fn failed<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        act: Act,
    ) -> io::Result<()> {
        self.acts(step.at.core);
        self.wait_over(step, Outcome::Timeout, |wait| gets(wait, act))?;
        Ok(())
    }

    /// The wait of a task is to be aborted. False if it is known that it does not wait.
    pub(super) fn abort(&mut self, task: TaskRef) -> bool {
        let Some(entry) = self.world.tasks.get_mut(task) else {
            return false;
        };
        entry.waiting.aborted = matches!(entry.state, TaskState::Blocked(_));
        let state = match entry.state {
            TaskState::Running(_) => entry.leaves_to,
            state => state,
        };
        matches!(state, TaskState::Blocked(_) | TaskState::Unknown)
    }

    /// The running task of a core is about to wait for bits of an event group.
    pub(super) fn waits_for_bits(
        &mut self,
        core: u32,
        wait: Wait,
        ticks: u32,
        (bits, flags): (u32, u32),
    ) -> io::Result<()> {
        if let Some(task) = self.running(core) {
            (task.waiting.bits, task.waiting.flags) = (bits, flags);
        }
        self.waits(core, wait, ticks)
    }

    /// The running task is about to wait for a notification. That is also how it waits for a stream
    /// buffer, which says more.
    pub(super) fn waits_for_notification(
        &mut self,
        core: u32,
        wait: Wait,
        ticks: u32,
    ) -> io::Result<()> {
        let buffer = |wait| matches!(wait, Wait::SendBytes(_) | Wait::ReceiveBytes(_));
        match self.running(core).map(|task| task.leaves_to) {
            Some(TaskState::Blocked(for_buffer)) if buffer(for_buffer) => Ok(()),
            _ => self.waits(core, wait, ticks),
        }
    }

    /// The running task's wait for bits ends.
    pub(super) fn bits_found<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        group: EventGroupRef,
        flags: u32,
    ) -> io::Result<()> {
        self.acts(step.at.core);
        let timed_out = flags & TIMED_OUT != 0;
        let outcome = if timed_out { Outcome::Timeout } else { Outcome::Data };
        let act = Act::FindBits(group);
        let by = self.wait_over(step, outcome, |wait| gets(wait, act))?;
        match (by, self.end(step, act, false)) {
            (Some(by), Some(now)) => self.flow(step, by, now, true),
            _ => Ok(()),
        }
    }

    /// Bytes go in or out of a stream buffer.
    pub(super) fn bytes_pass<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        (buffer, level): (StreamBufferRef, u32),
        sent: Option<u32>,
        from_isr: bool,
    ) -> io::Result<()> {
        let act = match sent {
            Some(_) => Act::SendBytes(buffer),
            None => Act::ReceiveBytes(buffer),
        };
        let mut by = None;
        if !from_isr {
            self.acts(step.at.core);
            by = self.bytes_got(step.at.core, act);
        }
        if from_isr {
            self.bytes_ended_wait(step, act)?;
        }
        self.set_cause(step.at, act, from_isr, 0);
        if self.senders.mode == Flows::None {
            return Ok(());
        }
        let now = self.end(step, act, from_isr);
        self.match_bytes(step, (buffer, level), sent, now, by)
    }

    /// An interrupt wakes the task that waits for a stream buffer before it tells what it did there.
    fn bytes_ended_wait<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        act: Act,
    ) -> io::Result<()> {
        let (core, number) = (step.at.core, self.acts_so_far);
        let last = self.last_notified.filter(|last| last.core == core && last.number == number);
        let Some(LastNotified { task, .. }) = last else {
            return Ok(());
        };
        let end = self.end(step, act, true);
        let over = self.world.tasks.get_mut(task).and_then(|task| task.waiting.over.as_mut());
        let Some(over) = over.filter(|over| lets_go_on(over.wait, act)) else {
            return Ok(());
        };
        over.by = end;
        if std::mem::replace(&mut over.told, true) {
            return Ok(());
        }
        let wait = over.wait;
        self.outcome(step, task, wait, Outcome::Data)
    }

    /// As [`got`](Self::got). Some bytes may have come after a time-out as well, so they alone do not
    /// prove why the wait ended.
    fn bytes_got(&mut self, core: u32, act: Act) -> Option<End> {
        let over = self.running(core)?.waiting.over.take()?;
        over.by.filter(|_| over.told && gets(over.wait, act))
    }
}

/// With this act on a stream buffer somebody else ends this wait.
fn lets_go_on(wait: Wait, act: Act) -> bool {
    match (wait, act) {
        (Wait::ReceiveBytes(buffer), Act::SendBytes(at))
        | (Wait::SendBytes(buffer), Act::ReceiveBytes(at)) => buffer == at,
        _ => false,
    }
}

/// With this act a task gets what it waited for.
fn gets(wait: Wait, act: Act) -> bool {
    match (wait, act) {
        (Wait::Receive(queue), Act::Receive(at))
        | (Wait::Send(queue), Act::Send(at))
        | (Wait::Peek(queue), Act::Peek(at)) => queue == at,
        (Wait::SendBytes(buffer), Act::SendBytes(at))
        | (Wait::ReceiveBytes(buffer), Act::ReceiveBytes(at)) => buffer == at,
        (Wait::Bits(group) | Wait::Rendezvous(group), Act::FindBits(at)) => group == at,
        _ => false,
    }
}
