//! Software timers: commands, when they are armed, their callbacks.
//!
//! A timer is armed from the command that starts it, once the timer task carries that out, until it
//! expires or is stopped; one that restarts by itself is armed anew at once. That it does so may have to
//! be learnt from a second expiry, since only its creation tells.
//!
//! No event tells that a callback returns. It has where the timer task is seen in its own loop again:
//! it handles a timer or a command, looks into its command queue, or waits without saying for what, since
//! only that wait has no event. A callback that itself blocks, or is preempted, goes on. That the task
//! waited may show only when it becomes ready; then the callback ended when the task left the core.

use std::io;

use tband_format::{Event, TimerCommand, api_function};

use super::change::{Change, Forgotten, Sink};
use super::flow::Flows;
use super::gap::Known;
use super::object::{Disarmed, TimerChange};
use super::world::{QueueRef, TaskRef, TaskState, TimerRef};
use super::{Step, Timeline};

/// Name under which the kernel registers the queue of commands.
const COMMAND_QUEUE: &str = "TmrQ";

/// The function in which the timer task waits; nothing else calls it.
const WAITS: &str = "vQueueWaitForMessageRestricted";

/// A callback that runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Callback {
    timer: TimerRef,
    task: Option<TaskRef>,
    begin_ns: i64,
    /// The task left the core at this time and gave no reason.
    left_ns: Option<i64>,
    /// The queue from which its task received last.
    received: Option<QueueRef>,
}

/// What is known of the timer task.
#[derive(Debug, Default)]
pub(super) struct TimerTask {
    callback: Option<Callback>,
    command_queue: Option<QueueRef>,
    /// Queues among which the one of commands was not found by its name.
    searched: usize,
}

impl TimerTask {
    /// A callback runs.
    pub const fn calls(&self) -> bool {
        self.callback.is_some()
    }

    /// A task goes on under another name.
    pub fn hand_over(&mut self, from: TaskRef, to: TaskRef) {
        if let Some(callback) = self.callback.as_mut().filter(|it| it.task == Some(from)) {
            callback.task = Some(to);
        }
    }
}

impl Timeline {
    fn timer<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<Option<TimerRef>> {
        let timer = self.world.timer(id);
        if timer.is_none() {
            self.too_many(step, "timer", id)?;
        }
        Ok(timer.map(|timer| self.timer_used(timer)))
    }

    /// That a command was sent may be told behind the timer's deletion.
    fn timer_used(&mut self, timer: TimerRef) -> TimerRef {
        let life = self.world.timers.get(timer).map(|timer| timer.life).unwrap_or_default();
        if life.died_ns.is_some() && life.gap == self.gaps.count {
            return timer;
        }
        self.living(timer)
    }

    fn tell_timer<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        timer: TimerRef,
        change: TimerChange,
    ) -> io::Result<()> {
        step.sink.change(&self.world, step.at, &Change::Timer(timer, change))
    }

    /// A timer is armed, or not, from now on; `why` if it was until now.
    pub(super) fn set_armed<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        timer: TimerRef,
        armed: bool,
        why: Disarmed,
    ) -> io::Result<()> {
        let Some(entry) = self.world.timers.get_mut(timer) else {
            return Ok(());
        };
        let before = entry.armed.replace(armed);
        if !std::mem::replace(&mut entry.noted, true) {
            self.gaps.learnt(Known::Timer(timer));
        }
        if before == Some(true) {
            self.tell_timer(step, timer, TimerChange::Disarmed(why))?;
        }
        if armed { self.tell_timer(step, timer, TimerChange::Armed) } else { Ok(()) }
    }

    /// A number is used, for the first time or again.
    pub(super) fn timer_created<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        period: u32,
        (auto_reload, callback): (u32, u32),
    ) -> io::Result<()> {
        let Some(timer) = self.creates(step, id, Self::timer_ends)? else {
            return self.too_many(step, "timer", id);
        };
        if let Some(entry) = self.world.timers.get_mut(timer) {
            (entry.period, entry.callback) = (Some(period), Some(callback));
            entry.auto_reload = Some(auto_reload != 0);
        }
        self.set_armed(step, timer, false, Disarmed::Deleted)?;
        self.tell_timer(step, timer, TimerChange::Created)
    }

    pub(super) fn timer_command_sent<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        command: TimerCommand,
        accepted: bool,
    ) -> io::Result<()> {
        match self.timer(step, id)? {
            Some(timer) => self.tell_timer(step, timer, TimerChange::Sent { command, accepted }),
            None => Ok(()),
        }
    }

    pub(super) fn timer_command_received<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        command: TimerCommand,
        value: u32,
    ) -> io::Result<()> {
        let received = self.timer_task.callback.and_then(|callback| callback.received);
        self.timer_task.command_queue = self.timer_task.command_queue.or(received);
        self.callback_ends(step)?;
        let Some(timer) = self.timer(step, id)? else {
            return Ok(());
        };
        self.tell_timer(step, timer, TimerChange::Received(command))?;
        let (armed, why) = match command {
            TimerCommand::STOP | TimerCommand::STOP_FROM_ISR => (false, Disarmed::Stopped),
            TimerCommand::DELETE => (false, Disarmed::Deleted),
            TimerCommand::CHANGE_PERIOD | TimerCommand::CHANGE_PERIOD_FROM_ISR => {
                if let Some(entry) = self.world.timers.get_mut(timer) {
                    entry.period = Some(value);
                }
                (true, Disarmed::Restarted)
            }
            TimerCommand::START_DONT_TRACE
            | TimerCommand::START
            | TimerCommand::RESET
            | TimerCommand::START_FROM_ISR
            | TimerCommand::RESET_FROM_ISR => (true, Disarmed::Restarted),
            // What a command of a later kernel does is not known.
            _ => return Ok(()),
        };
        if command == TimerCommand::DELETE {
            self.dies(step.at.ns, timer);
        }
        self.set_armed(step, timer, armed, why)
    }

    pub(super) fn timer_expired<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        callback: u32,
    ) -> io::Result<()> {
        self.callback_ends(step)?;
        let Some(timer) = self.timer(step, id)? else {
            return Ok(());
        };
        let (mut restarts, mut was_armed) = (false, false);
        if let Some(entry) = self.world.timers.get_mut(timer) {
            entry.callback = Some(callback);
            if entry.armed == Some(false) {
                // Nobody started it, so it did so itself.
                entry.auto_reload = entry.auto_reload.or(Some(true));
            }
            restarts = entry.auto_reload == Some(true);
            was_armed = entry.armed == Some(true);
        }
        if was_armed && self.senders.mode != Flows::None {
            self.tell_timer(step, timer, TimerChange::LeadsToCallback)?;
        }
        self.set_armed(step, timer, restarts, Disarmed::Expired)?;
        self.find_command_queue();
        let task = self.core(step.at.core).running;
        let begin_ns = step.at.ns;
        self.timer_task.callback =
            Some(Callback { timer, task, begin_ns, left_ns: None, received: None });
        self.tell_timer(step, timer, TimerChange::CallbackBegin(task))
    }

    /// The callback that runs, if there is one, has returned.
    fn callback_ends<S: Sink + ?Sized>(&mut self, step: &mut Step<'_, S>) -> io::Result<()> {
        let Some(callback) = self.timer_task.callback.take() else {
            return Ok(());
        };
        let Callback { timer, task, begin_ns, left_ns, .. } = callback;
        let end_ns = left_ns.unwrap_or(step.at.ns).max(begin_ns);
        self.tell_timer(step, timer, TimerChange::CallbackEnd { task, begin_ns, end_ns })
    }

    /// The core runs the task whose callback runs, and no interrupt.
    fn callback_of_core(&mut self, core: u32) -> Option<&mut Callback> {
        let core = self.core(core);
        let task = core.running.filter(|_| core.isrs.is_empty())?;
        self.timer_task.callback.as_mut().filter(|callback| callback.task == Some(task))
    }

    /// Anything that is recorded while a callback runs, and is not among the events that come all the
    /// time.
    #[cold]
    pub(super) fn follow_callback<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        let Some(task) = self.callback_of_core(step.at.core).and_then(|callback| callback.task)
        else {
            return Ok(());
        };
        let in_loop = match *event {
            Event::CurtaskToDelayedList { .. } | Event::CurtaskToOverflowDelayedList { .. } => {
                self.world.tasks.get(task).is_some_and(|task| task.leaves_to == TaskState::Ready)
            }
            Event::QueueReceiveFailed { queue_id } => {
                let known = self.timer_task.command_queue;
                known.is_none_or(|known| self.world.queues.find(queue_id) == Some(known))
            }
            Event::ApiEnter { function } => api_function(function) == Some(WAITS),
            _ => false,
        };
        if in_loop { self.callback_ends(step) } else { Ok(()) }
    }

    fn find_command_queue(&mut self) {
        let task = &mut self.timer_task;
        let known = self.world.queues.len();
        if task.command_queue.is_none() && task.searched != known {
            task.searched = known;
            let mut queues = self.world.queues.iter();
            let named = queues.find(|(_, queue)| queue.name.as_deref() == Some(COMMAND_QUEUE));
            task.command_queue = named.map(|(queue, _)| queue);
        }
    }

    /// A queue is received from while a callback runs.
    #[cold]
    pub(super) fn received_while_calling<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        queue: QueueRef,
    ) -> io::Result<()> {
        let known = self.timer_task.command_queue;
        let Some(callback) = self.callback_of_core(step.at.core) else {
            return Ok(());
        };
        callback.received = Some(queue);
        if known == Some(queue) { self.callback_ends(step) } else { Ok(()) }
    }

    /// A task leaves the core, or comes back to one, while a callback runs.
    #[cold]
    pub(super) fn switched_while_calling(
        &mut self,
        previous: Option<TaskRef>,
        task: TaskRef,
        ns: i64,
    ) {
        let Some(callback) = &mut self.timer_task.callback else { return };
        if callback.task == Some(task) {
            callback.left_ns = None;
        } else if callback.task == previous
            && previous
                .and_then(|task| self.world.tasks.get(task))
                .is_some_and(|task| task.leaves_to == TaskState::Ready)
        {
            callback.left_ns = Some(ns);
        }
    }

    /// A task becomes ready while a callback runs.
    #[cold]
    pub(super) fn ready_while_calling<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        task: TaskRef,
    ) -> io::Result<()> {
        let callback = self.timer_task.callback;
        let waited = callback.is_some_and(|it| it.task == Some(task) && it.left_ns.is_some());
        if waited { self.callback_ends(step) } else { Ok(()) }
    }

    pub(super) fn forget_timer<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        timer: TimerRef,
    ) -> io::Result<()> {
        let Some(entry) = self.world.timers.get_mut(timer) else {
            return Ok(());
        };
        entry.noted = false;
        if entry.armed.take() != Some(true) {
            return Ok(());
        }
        step.sink.change(&self.world, step.at, &Change::Forgotten(Forgotten::Timer(timer)))
    }

    pub(super) fn forget_callback<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
    ) -> io::Result<()> {
        let Some(Callback { timer, task, .. }) = self.timer_task.callback.take() else {
            return Ok(());
        };
        let change = Change::Forgotten(Forgotten::Callback(timer, task));
        step.sink.change(&self.world, step.at, &change)
    }
}
