//! Software timers: commands, active times, and callbacks.
//!
//! A timer is active from the command that starts it, once the timer task executes that, until it expires or is stopped; an
//! auto-reload timer is active again at once. That a timer reloads may have to be learnt from a second expiry, since only its
//! creation reports it.
//!
//! No event reports the return of a callback. A callback has returned where the timer task is seen in its own loop again: it
//! handles a timer or a command, looks into its command queue, or waits without a recorded reason, since only that wait has no
//! event. A callback that itself blocks, or is preempted, continues. That the task waited may show only when it becomes ready;
//! then the callback ended when the task left the core.

use std::io;

use tband_format::api::api_function;
use tband_format::named::TimerCommand;
use tband_format::registry::NOT_RECORDED;

use crate::machine::memory::gaps::ObjectReport;
use crate::machine::memory::timer_task::Callback;
use crate::machine::{AnyContext, EventActor, Timeline};
use crate::model::{
    Actor, Change, DormantCause, Flows, ForgottenState, Queue, QueueRef, TaskRef, TaskState,
    TimerChange, TimerRef,
};

/// Name under which the kernel registers the queue of commands.
const COMMAND_QUEUE: &str = "TmrQ";

/// The function in which the timer task waits; it has no other caller.
const WAITS: &str = "vQueueWaitForMessageRestricted";

impl Timeline {
    fn timer(&mut self, context: &mut AnyContext<'_, '_>, id: u32) -> io::Result<Option<TimerRef>> {
        let timer = self.world.timer(id);
        if timer.is_none() {
            self.too_many(context, "timer", id)?;
        }
        Ok(timer.map(|timer| self.timer_used(timer)))
    }

    /// That a command was sent may be reported after the timer's deletion.
    fn timer_used(&mut self, timer: TimerRef) -> TimerRef {
        let life = self.world.timers.get(timer).map(|timer| timer.life).unwrap_or_default();
        if life.died_ns.is_some() && life.gap == self.gaps.count {
            return timer;
        }
        self.living(timer)
    }

    fn emit_timer(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        timer: TimerRef,
        change: TimerChange,
    ) -> io::Result<()> {
        let by = self.by(context);
        context.sink.change(&self.world, context.at, &Change::Timer(timer, change, by))
    }

    /// A timer is active, or not, from now on; `why` if it was until now.
    pub(in crate::machine) fn set_active(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        timer: TimerRef,
        active: bool,
        why: DormantCause,
    ) -> io::Result<()> {
        let Some(entry) = self.world.timers.get_mut(timer) else {
            return Ok(());
        };
        let before = entry.active.replace(active);
        self.gaps.learnt(ObjectReport::Timer(timer));
        if before == Some(true) {
            self.emit_timer(context, timer, TimerChange::Dormant(why))?;
        }
        if active { self.emit_timer(context, timer, TimerChange::Active) } else { Ok(()) }
    }

    /// A number is used, for the first time or again.
    pub(in crate::machine) fn timer_created(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        period: u32,
        auto_reload: u32,
        callback: u32,
    ) -> io::Result<()> {
        let Some(timer) = self.create(context, id, Self::end_timer)? else {
            return self.too_many(context, "timer", id);
        };
        if let Some(entry) = self.world.timers.get_mut(timer) {
            let is_recorded = |it: &u32| *it != NOT_RECORDED;
            (entry.period, entry.callback) = (Some(period), Some(callback).filter(is_recorded));
            entry.auto_reload = Some(auto_reload).filter(is_recorded).map(|it| it != 0);
        }
        self.set_active(context, timer, false, DormantCause::Deleted)?;
        self.emit_timer(context, timer, TimerChange::Created)
    }

    pub(in crate::machine) fn timer_command_sent(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        command: TimerCommand,
        accepted: bool,
    ) -> io::Result<()> {
        if matches!(
            command,
            TimerCommand::START_FROM_ISR
                | TimerCommand::RESET_FROM_ISR
                | TimerCommand::STOP_FROM_ISR
                | TimerCommand::CHANGE_PERIOD_FROM_ISR
        ) {
            context.by = EventActor::Isr;
        }
        match self.timer(context, id)? {
            Some(timer) => self.emit_timer(context, timer, TimerChange::Sent { command, accepted }),
            None => Ok(()),
        }
    }

    pub(in crate::machine) fn timer_command_received(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        command: TimerCommand,
        value: u32,
    ) -> io::Result<()> {
        let received = self.timer_task.callback.and_then(|callback| callback.received);
        self.timer_task.command_queue = self.timer_task.command_queue.or(received);
        self.end_callback(context)?;
        let Some(timer) = self.timer(context, id)? else {
            return Ok(());
        };
        self.emit_timer(context, timer, TimerChange::Received(command))?;
        let (active, why) = match command {
            TimerCommand::STOP | TimerCommand::STOP_FROM_ISR => (false, DormantCause::Stopped),
            TimerCommand::DELETE => (false, DormantCause::Deleted),
            TimerCommand::CHANGE_PERIOD | TimerCommand::CHANGE_PERIOD_FROM_ISR => {
                if let Some(entry) = self.world.timers.get_mut(timer) {
                    entry.period = Some(value);
                }
                (true, DormantCause::Restarted)
            }
            TimerCommand::START_DONT_TRACE
            | TimerCommand::START
            | TimerCommand::RESET
            | TimerCommand::START_FROM_ISR
            | TimerCommand::RESET_FROM_ISR => (true, DormantCause::Restarted),
            // The effect of a command of a later kernel is unknown.
            _ => return Ok(()),
        };
        if command == TimerCommand::DELETE {
            self.delete(context.at.ns, timer);
        }
        self.set_active(context, timer, active, why)
    }

    pub(in crate::machine) fn timer_expired(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        callback: u32,
    ) -> io::Result<()> {
        self.end_callback(context)?;
        let Some(timer) = self.timer(context, id)? else {
            return Ok(());
        };
        let (mut restarts, mut was_active) = (false, false);
        if let Some(entry) = self.world.timers.get_mut(timer) {
            entry.callback = Some(callback);
            if entry.active == Some(false) {
                // No command started it, so it reloads automatically.
                entry.auto_reload = entry.auto_reload.or(Some(true));
            }
            restarts = entry.auto_reload == Some(true);
            was_active = entry.active == Some(true);
        }
        if was_active && self.senders.mode != Flows::None {
            self.emit_timer(context, timer, TimerChange::LeadsToCallback)?;
        }
        self.set_active(context, timer, restarts, DormantCause::Expired)?;
        self.find_command_queue();
        let task = self.core(context.at.core).running;
        let begin_ns = context.at.ns;
        self.timer_task.callback =
            Some(Callback { timer, task, begin_ns, left_ns: None, received: None });
        self.emit_timer(context, timer, TimerChange::CallbackBegin(task))
    }

    /// The open callback, if there is one, has returned.
    fn end_callback(&mut self, context: &mut AnyContext<'_, '_>) -> io::Result<()> {
        let Some(callback) = self.timer_task.callback.take() else {
            return Ok(());
        };
        let Callback { timer, task, begin_ns, left_ns, .. } = callback;
        let end_ns = left_ns.unwrap_or(context.at.ns).max(begin_ns);
        // Others may act when it shows.
        let change = TimerChange::CallbackEnd { task, begin_ns, end_ns };
        let change = Change::Timer(timer, change, task.map(Actor::Task));
        context.sink.change(&self.world, context.at, &change)
    }

    /// The core runs the task whose callback runs, and no interrupt.
    fn callback_of_core(&mut self, core: u32) -> Option<&mut Callback> {
        let core = self.core(core);
        let task = core.running.filter(|_| core.isrs.is_empty())?;
        self.timer_task.callback.as_mut().filter(|callback| callback.task == Some(task))
    }

    /// The callback of the running task on this core has returned, if another event shows that the task is in its own loop.
    #[cold]
    fn in_loop(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        shows: impl FnOnce(&Self, TaskRef) -> bool,
    ) -> io::Result<()> {
        match self.callback_of_core(context.at.core).and_then(|callback| callback.task) {
            Some(task) if shows(self, task) => self.end_callback(context),
            _ => Ok(()),
        }
    }

    /// The running task is to wait, while a callback runs.
    pub(in crate::machine) fn delayed_while_calling(
        &mut self,
        context: &mut AnyContext<'_, '_>,
    ) -> io::Result<()> {
        self.in_loop(context, |this, task| {
            this.tasks.get(task).is_some_and(|task| task.leaves_to == TaskState::Ready)
        })
    }

    /// A failed receive from a queue while a callback is open.
    pub(in crate::machine) fn received_nothing_while_calling(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        queue_id: u32,
    ) -> io::Result<()> {
        self.in_loop(context, |this, _| {
            let known = this.timer_task.command_queue;
            known.is_none_or(|known| this.world.queues.find(queue_id) == Some(known))
        })
    }

    /// A function of the kernel is called while a callback runs.
    pub(in crate::machine) fn called_while_calling(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        function: u32,
    ) -> io::Result<()> {
        self.in_loop(context, |_, _| api_function(function) == Some(WAITS))
    }

    fn find_command_queue(&mut self) {
        let task = &mut self.timer_task;
        let known = self.world.queues.len();
        if task.command_queue.is_none() && task.searched != known {
            task.searched = known;
            let is_named = |queue: &Queue| {
                queue.name.as_deref().map(|name| self.world.own_name(name)) == Some(COMMAND_QUEUE)
            };
            let named = self.world.queues.iter_current().find(|(_, queue)| is_named(queue));
            task.command_queue = named.map(|(queue, _)| queue);
        }
    }

    /// A queue is received from while a callback runs.
    #[cold]
    pub(in crate::machine) fn received_while_calling(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        queue: QueueRef,
    ) -> io::Result<()> {
        let known = self.timer_task.command_queue;
        let Some(callback) = self.callback_of_core(context.at.core) else {
            return Ok(());
        };
        callback.received = Some(queue);
        if known == Some(queue) { self.end_callback(context) } else { Ok(()) }
    }

    /// A task leaves the core, or comes back to one, while a callback is open.
    #[cold]
    pub(in crate::machine) fn switched_while_calling(
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
                .and_then(|task| self.tasks.get(task))
                .is_some_and(|task| task.leaves_to == TaskState::Ready)
        {
            callback.left_ns = Some(ns);
        }
    }

    /// A task becomes ready while a callback runs.
    #[cold]
    pub(in crate::machine) fn ready_while_calling(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        task: TaskRef,
    ) -> io::Result<()> {
        let callback = self.timer_task.callback;
        let waited = callback.is_some_and(|it| it.task == Some(task) && it.left_ns.is_some());
        if waited { self.end_callback(context) } else { Ok(()) }
    }

    pub(in crate::machine) fn forget_timer(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        timer: TimerRef,
    ) -> io::Result<()> {
        let Some(entry) = self.world.timers.get_mut(timer) else {
            return Ok(());
        };
        if entry.active.take() != Some(true) {
            return Ok(());
        }
        context.sink.change(
            &self.world,
            context.at,
            &Change::Forgotten(ForgottenState::Timer(timer)),
        )
    }

    pub(in crate::machine) fn forget_callback(
        &mut self,
        context: &mut AnyContext<'_, '_>,
    ) -> io::Result<()> {
        let Some(Callback { timer, task, .. }) = self.timer_task.callback.take() else {
            return Ok(());
        };
        let change = Change::Forgotten(ForgottenState::Callback(timer, task));
        context.sink.change(&self.world, context.at, &change)
    }

    /// The timer has ended, but no event reported its deletion.
    pub(in crate::machine) fn end_timer(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        timer: TimerRef,
    ) -> io::Result<()> {
        self.delete(context.at.ns, timer);
        self.set_active(context, timer, false, DormantCause::Deleted)
    }
}
