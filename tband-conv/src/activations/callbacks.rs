//! Callbacks of software timers, which the timer task calls: when each timer expired, and what its callback waited for.

use std::io;

use super::activation::{Release, Subject};
use super::open::OpenActivation;
use super::{ActivationSink, Activations};
use crate::model::{EventTime, PerRef, TaskRef, Timer, TimerChange, TimerRef, Waker, World};

/// A callback that runs.
#[derive(Debug)]
pub struct Callback {
    pub timer: TimerRef,
    /// The task that calls it.
    pub task: Option<TaskRef>,
    pub open: OpenActivation,
}

/// A timer.
#[derive(Debug, Default)]
struct TimerLine {
    /// The number of its last activation.
    number: u64,
    /// When it expired last, in ns.
    expired_ns: Option<i64>,
}

/// All callbacks.
#[derive(Debug, Default)]
pub struct Callbacks {
    /// Those that run.
    pub open: Vec<Callback>,
    timers: PerRef<Timer, TimerLine>,
    /// The time at which the tick woke the timer task last, once a callback has begun since then.
    used_wake: Option<i64>,
}

impl Callbacks {
    /// A callback of this task runs.
    pub fn is_running(&self, task: TaskRef) -> bool {
        self.open.iter().any(|callback| callback.task == Some(task))
    }
}

impl<R: ActivationSink> Activations<R> {
    pub(super) fn timer(
        &mut self,
        world: &World,
        at: EventTime,
        timer: TimerRef,
        change: TimerChange,
    ) -> io::Result<()> {
        match change {
            TimerChange::CallbackBegin(task) => {
                let expired = self.expiry(world, at.ns, timer, task);
                let line = self.callbacks.timers.entry(timer);
                line.number = line.number.saturating_add(1);
                line.expired_ns = expired;
                let subject = Subject::Timer(timer);
                let mut open =
                    OpenActivation::new(subject, line.number, at.ns, at.core, Release::Timer);
                open.done.started_ns = Some(at.ns);
                open.done.begin_seen = !self.is_initial;
                if let Some(expired) = expired {
                    open.release_earlier(&mut self.out, world, expired)?;
                }
                self.callbacks.open.push(Callback { timer, task, open });
                self.refresh(world, at.ns)
            }
            TimerChange::Received(_) => {
                // A command restarts the period.
                self.forget_expiry(timer);
                Ok(())
            }
            TimerChange::CallbackEnd { end_ns, .. } => {
                self.end_callback(world, timer, end_ns, true)
            }
            _ => Ok(()),
        }
    }

    /// When a timer expired whose callback begins at `ns`, if that is known.
    ///
    /// The tick that wakes the timer task is the expiry of the first callback. Others of the same run have expired at that tick, or
    /// while callbacks before them ran: their last expiry and their period tell which.
    fn expiry(
        &mut self,
        world: &World,
        ns: i64,
        timer: TimerRef,
        task: Option<TaskRef>,
    ) -> Option<i64> {
        let open = self.tasks.get(task?)?.open.as_deref()?;
        let woken = Some(open.done.ready_ns)
            .filter(|_| open.done.woken_by == Waker::Other && open.done.begin_seen);
        if let Some(woken) = woken
            && self.callbacks.used_wake.replace(woken) != Some(woken)
        {
            return Some(woken);
        }
        let last = self.callbacks.timers.get(timer).and_then(|line| line.expired_ns)?;
        let tick_hz = world.tick_rate_hz()?;
        let tick_ns = 1_000_000_000 / i64::from(tick_hz.max(1));
        let known = world.timers.get(timer).filter(|known| known.auto_reload == Some(true))?;
        let nominal = last.checked_add(i64::from(known.period?).checked_mul(tick_ns)?)?;
        match woken {
            Some(woken) if nominal <= woken.saturating_add(tick_ns / 2) => Some(woken),
            _ => Some(nominal.min(ns)),
        }
    }

    /// Events are missing: the timer may have been started again.
    pub(super) fn forget_expiry(&mut self, timer: TimerRef) {
        self.callbacks.timers.entry(timer).expired_ns = None;
    }

    pub(super) fn end_callback(
        &mut self,
        world: &World,
        timer: TimerRef,
        ns: i64,
        is_seen: bool,
    ) -> io::Result<()> {
        match self.callbacks.open.iter().rposition(|it| it.timer == timer) {
            Some(position) => {
                let callback = self.callbacks.open.remove(position);
                callback.open.end(&mut self.out, world, ns, is_seen)
            }
            None => Ok(()),
        }
    }
}
