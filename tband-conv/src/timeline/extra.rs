//! Events of the classes that Tonbandgerät does not have: which step each is.
//!
//! They stand apart from the frequent events so that those stay fast. What tells of a wait is looked
//! at here whatever else it tells.

use std::io;

use tband_format::registry::event_group_flags::{ALL, CLEAR_ON_EXIT};
use tband_format::{Created, Event, NotifyAction};

use super::change::{Change, QueueChange, Sink, TaskChange};
use super::flow::{Act, Flows};
use super::world::{QueueRef, Wait};
use super::{Step, Timeline};
use crate::diagnostics::Problem;

impl Timeline {
    #[inline(never)]
    pub(super) fn extra_event<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        if self.timer_task.calls() {
            self.follow_callback(step, event)?;
        }
        match *event {
            Event::TaskNotify { task_id, index, action, value_after, .. } => {
                self.notified(step, (task_id, index), action, value_after, false)
            }
            Event::TaskNotifyFromIsr { task_id, index, action, value_after, .. } => {
                self.notified(step, (task_id, index), action, value_after, true)
            }
            Event::TaskNotifyGiveFromIsr { task_id, index, value_after } => {
                let action = NotifyAction::INCREMENT;
                self.notified(step, (task_id, index), action, value_after, true)
            }
            Event::CurtaskNotifyTake { index, value, value_after } => {
                self.notify_taken(step, index, value, value_after)
            }
            Event::CurtaskNotifyWait { index, value, received } => {
                self.notify_waited(step, index, value, received != 0)
            }
            Event::CurtaskBlockOnNotifyTake { index, ticks_to_wait } => {
                let wait = Wait::NotifyTake(index);
                self.waits_for_notification(step.at.core, wait, ticks_to_wait)
            }
            Event::CurtaskBlockOnNotifyWait { index, ticks_to_wait } => {
                let wait = Wait::NotifyWait(index);
                self.waits_for_notification(step.at.core, wait, ticks_to_wait)
            }
            Event::TaskNotifyStateClear { task_id, index } => {
                self.task_changes(step, task_id, TaskChange::NotificationDiscarded { index })
            }
            Event::TaskNotifyValueClear { task_id, index, bits } => {
                self.task_changes(step, task_id, TaskChange::NotificationCleared { index, bits })
            }
            Event::TaskDelayAbort { task_id } => {
                // The kernel says so before it looks whether there is anything to abort.
                match self.known_task(step, task_id)? {
                    Some(task) if !self.abort(task) => return Ok(()),
                    _ => {}
                }
                self.task_changes(step, task_id, TaskChange::WaitAborted)
            }
            Event::TaskCoreAffinitySet { task_id, core_mask } => {
                self.task_changes(step, task_id, TaskChange::MayRunOn(core_mask))
            }
            Event::TaskStackMargin { task_id, bytes } => {
                self.task_changes(step, task_id, TaskChange::StackMargin(bytes))
            }
            Event::CurtaskToDelayedList { time_to_wake }
            | Event::CurtaskToOverflowDelayedList { time_to_wake } => {
                match self.core(step.at.core).running {
                    Some(task) => {
                        let change = TaskChange::WakesAt(time_to_wake);
                        step.sink.change(&self.world, step.at, &Change::Task(task, change))
                    }
                    None => Ok(()),
                }
            }
            // The switch and the wake-up beside them say the same.
            Event::TaskSwitchedOut { .. } | Event::TaskInReadyList { .. } => Ok(()),
            Event::CreateFailed { object } => self.create_failed(step, object),
            _ => self.queue_extra(step, event),
        }
    }

    fn queue_extra<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        match *event {
            Event::QueueDeleted { queue_id } => self.queue_deleted(step, queue_id),
            Event::QueueSentToFront { queue_id } => {
                if self.senders.mode == Flows::All
                    && let Some(queue) = self.world.queues.find(queue_id)
                {
                    match self.world.queues.get(queue).and_then(|queue| queue.level) {
                        Some(level) => self.senders.move_to_front(queue, level),
                        None => self.senders.forget_queue(queue),
                    }
                }
                Ok(())
            }
            Event::QueuePeek { queue_id } => {
                let Some(queue) = self.world.queue(queue_id) else {
                    return self.too_many(step, "queue", queue_id);
                };
                self.acts(step.at.core);
                let act = Act::Peek(queue);
                self.set_cause(step.at, act, false, 0);
                let by = self.got(step, act)?;
                self.queue_changes(step, queue, QueueChange::Peek, false)?;
                match (by, self.end(step, act, false)) {
                    (Some(by), Some(now)) => self.flow(step, by, now, true),
                    _ => Ok(()),
                }
            }
            Event::QueuePeekFromIsr { queue_id } => {
                self.queue_fails(step, queue_id, QueueChange::Peek, None)
            }
            Event::QueueSendFailed { queue_id } => {
                self.queue_fails(step, queue_id, QueueChange::SendFailed, Some(Act::Send))
            }
            Event::QueueSendFromIsrFailed { queue_id } => {
                self.queue_fails(step, queue_id, QueueChange::SendFailed, None)
            }
            Event::QueueReceiveFailed { queue_id } => {
                self.queue_fails(step, queue_id, QueueChange::ReceiveFailed, Some(Act::Receive))
            }
            Event::QueueReceiveFromIsrFailed { queue_id } => {
                self.queue_fails(step, queue_id, QueueChange::ReceiveFailed, None)
            }
            Event::QueuePeekFailed { queue_id } => {
                self.queue_fails(step, queue_id, QueueChange::PeekFailed, Some(Act::Peek))
            }
            Event::QueuePeekFromIsrFailed { queue_id } => {
                self.queue_fails(step, queue_id, QueueChange::PeekFailed, None)
            }
            Event::MutexRecursiveTakeFailed { queue_id } => {
                if let Some(task) = self.running(step.at.core) {
                    task.waiting.asked = None;
                }
                self.queue_fails(step, queue_id, QueueChange::TakeFailed, Some(Act::Receive))
            }
            Event::MutexRecursiveGiveFailed { queue_id } => {
                self.queue_fails(step, queue_id, QueueChange::GiveFailed, Some(Act::Send))
            }
            Event::MutexRecursiveTake { queue_id, depth_after } => {
                self.recursive_take(step, queue_id, depth_after)
            }
            Event::MutexRecursiveGive { queue_id, depth_after } => {
                self.acts(step.at.core);
                match self.world.queue(queue_id) {
                    Some(queue) => {
                        self.queue_changes(step, queue, QueueChange::Depth(depth_after), false)
                    }
                    None => self.too_many(step, "queue", queue_id),
                }
            }
            // Its kind is told as metadata.
            Event::MutexCreated { .. } => Ok(()),
            _ => self.buffer_extra(step, event),
        }
    }

    fn buffer_extra<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        let core = step.at.core;
        match *event {
            Event::CurtaskBlockOnStreamBufferSend { stream_buffer_id: id, ticks_to_wait } => {
                if let Some(buffer) = self.world.stream_buffer(id) {
                    let buffer = self.living(buffer);
                    self.waits(core, Wait::SendBytes(buffer), ticks_to_wait)?;
                }
            }
            Event::CurtaskBlockOnStreamBufferReceive { stream_buffer_id: id, ticks_to_wait } => {
                if let Some(buffer) = self.world.stream_buffer(id) {
                    let buffer = self.living(buffer);
                    self.waits(core, Wait::ReceiveBytes(buffer), ticks_to_wait)?;
                }
            }
            Event::StreamBufferSend { stream_buffer_id: id, amount, level_after } => {
                self.bytes_sent(step, (id, level_after), amount, false)?;
            }
            Event::StreamBufferSendFromIsr { stream_buffer_id: id, amount, level_after } => {
                self.bytes_sent(step, (id, level_after), amount, true)?;
            }
            Event::StreamBufferReceive { stream_buffer_id: id, level_after, .. } => {
                if let Some(buffer) = self.world.stream_buffer(id) {
                    self.bytes_pass(step, (buffer, level_after), None, false)?;
                }
            }
            Event::StreamBufferReceiveFromIsr { stream_buffer_id: id, level_after, .. } => {
                if let Some(buffer) = self.world.stream_buffer(id) {
                    self.bytes_pass(step, (buffer, level_after), None, true)?;
                }
            }
            Event::StreamBufferReset { stream_buffer_id: id }
            | Event::StreamBufferResetFromIsr { stream_buffer_id: id }
            | Event::StreamBufferDeleted { stream_buffer_id: id }
            | Event::StreamBufferCreated { stream_buffer_id: id, .. } => {
                if let Some(buffer) = self.world.stream_buffers.find(id) {
                    self.senders.forget_buffer(buffer);
                }
            }
            Event::StreamBufferSendFailed { stream_buffer_id: id } => {
                if let Some(buffer) = self.world.stream_buffer(id) {
                    self.failed(step, Act::SendBytes(buffer))?;
                }
            }
            Event::StreamBufferReceiveFailed { stream_buffer_id: id } => {
                if let Some(buffer) = self.world.stream_buffer(id) {
                    self.failed(step, Act::ReceiveBytes(buffer))?;
                }
            }
            _ => self.group_extra(step, event)?,
        }
        self.kernel_event(step, event)
    }

    fn group_extra<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        let core = step.at.core;
        let id = match *event {
            Event::EventGroupDeleted { event_group_id }
            | Event::EventGroupSetBits { event_group_id, .. }
            | Event::CurtaskBlockOnEventGroupWait { event_group_id, .. }
            | Event::CurtaskBlockOnEventGroupSync { event_group_id, .. }
            | Event::EventGroupWaitEnd { event_group_id, .. }
            | Event::EventGroupSyncEnd { event_group_id, .. } => event_group_id,
            _ => return Ok(()),
        };
        let Some(group) = self.world.event_group(id) else {
            return Ok(());
        };
        match *event {
            Event::EventGroupDeleted { .. } => {
                self.acts(core);
                self.set_cause(step.at, Act::DeleteGroup(group), false, 0);
                Ok(())
            }
            Event::EventGroupSetBits { bits_after, .. } => {
                // A rendezvous sets its bits before it waits.
                self.set_cause(step.at, Act::SetBits(group), false, bits_after);
                Ok(())
            }
            Event::CurtaskBlockOnEventGroupWait { bits, flags, ticks_to_wait, .. } => {
                self.waits_for_bits(core, Wait::Bits(group), ticks_to_wait, (bits, flags))
            }
            Event::CurtaskBlockOnEventGroupSync { bits, ticks_to_wait, .. } => {
                let wait = Wait::Rendezvous(group);
                self.waits_for_bits(core, wait, ticks_to_wait, (bits, ALL | CLEAR_ON_EXIT))
            }
            Event::EventGroupWaitEnd { flags, .. } | Event::EventGroupSyncEnd { flags, .. } => {
                self.bits_found(step, group, flags)
            }
            _ => Ok(()),
        }
    }

    fn bytes_sent<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        (id, level_after): (u32, u32),
        amount: u32,
        from_isr: bool,
    ) -> io::Result<()> {
        match self.world.stream_buffer(id) {
            Some(buffer) => self.bytes_pass(step, (buffer, level_after), Some(amount), from_isr),
            None => Ok(()),
        }
    }

    fn task_changes<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        change: TaskChange,
    ) -> io::Result<()> {
        match self.known_task(step, id)? {
            Some(task) => step.sink.change(&self.world, step.at, &Change::Task(task, change)),
            None => Ok(()),
        }
    }

    pub(super) fn queue_changes<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        queue: QueueRef,
        change: QueueChange,
        from_isr: bool,
    ) -> io::Result<()> {
        let by = self.actor(step.at.core, from_isr);
        step.sink.change(&self.world, step.at, &Change::Queue(queue, change, by))
    }

    /// Something that does not change a queue: by the running task, which ends its wait if it was
    /// about this act, or by an interrupt.
    fn queue_fails<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        change: QueueChange,
        act: Option<fn(QueueRef) -> Act>,
    ) -> io::Result<()> {
        let Some(queue) = self.world.queue(id) else {
            return self.too_many(step, "queue", id);
        };
        if let Some(act) = act {
            self.failed(step, act(queue))?;
        }
        self.queue_changes(step, queue, change, act.is_none())
    }

    fn queue_deleted<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(queue) = self.world.queue(id) else {
            return self.too_many(step, "queue", id);
        };
        self.acts(step.at.core);
        self.queue_cleared(step, queue)?;
        self.dies(step.at.ns, queue);
        self.queue_changes(step, queue, QueueChange::Deleted, false)
    }

    /// The firmware shall know; the recording is whole all the same.
    #[cold]
    fn create_failed<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        object: Created,
    ) -> io::Result<()> {
        let what = object.name().unwrap_or("kernel object");
        let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let core = self.core(step.at.core);
        let text = match core.running.filter(|_| core.isrs.is_empty()) {
            Some(task) => {
                format!("{:#} could not create {article} {what}", self.world.task_name(task))
            }
            None => format!("{article} {what} could not be created"),
        };
        self.found(step, Problem::CreateFailed, 1, &text)
    }
}
