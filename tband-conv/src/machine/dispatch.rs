//! Maps each event to its function. The match has no catch-all arm: a new event of the registry does not compile until it is
//! added here.

use std::io;

use tband_format::Event;
use tband_format::named::NotifyAction;
use tband_format::registry::event_group_flags::{ALL, CLEAR_ON_EXIT};

use super::memory::waiters::Condition;
use super::objects::event_group::BitsTerms;
use super::{AnyContext, Context, EventActor, Timeline};
use crate::model::{
    Act, BufferCause, EventGroupChange, PriorityCause, QueueCause, QueueChange, Scope, Sink,
    StreamBufferChange, TaskChange, Wait,
};

impl Timeline {
    /// Takes one event in. Where it is known which one it is, only its arm is left.
    #[inline(always)]
    pub(super) fn dispatch<const IN_TURN: bool, S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        let at = context.at;
        // The count of dropped events covers the time before it.
        if !event.is_metadata() && !matches!(event, Event::DroppedEvtCnt { .. }) {
            if at.ns > self.core(at.core).ticks.due_ns {
                self.tick_is_overdue(&mut context.rare().any())?;
            }
            if IN_TURN {
                self.core(at.core).last_ns = at.ns;
            } else if self.reach(at, context.place.input) {
                self.begin_core(&mut context.rare().any())?;
            }
        }
        match *event {
            // The frequent ones; see `item/frequent.rs`.
            Event::IsrEnter { isr_id } => self.isr_enter(context, isr_id),
            Event::IsrExit { isr_id } => self.isr_exit(context, isr_id, false),
            Event::IsrExitToScheduler { isr_id } => self.isr_exit(context, isr_id, true),
            Event::EvtmarkerBegin { evtmarker_id, msg } => {
                self.span_begin(context, (Scope::Global, evtmarker_id), msg)
            }
            Event::EvtmarkerEnd { evtmarker_id } => {
                self.span_end(context, (Scope::Global, evtmarker_id))
            }
            Event::Valmarker { valmarker_id, val } => {
                self.value(context, (Scope::Global, valmarker_id), val.into())
            }
            Event::TaskSwitchedIn { task_id } => self.switched_in(context, task_id),
            Event::TaskToRdyState { task_id } | Event::TaskResumed { task_id } => {
                self.ready(context, task_id)
            }
            Event::CurtaskDelay { ticks } => self.delay(at.core, Wait::Delay, ticks),
            Event::CurtaskDelayUntil { time_to_wake } => {
                self.delay(at.core, Wait::DelayUntil, time_to_wake)
            }
            Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait } => {
                self.wait_for_queue(context, queue_id, ticks_to_wait, Wait::Receive)
            }
            Event::QueueSend { queue_id, len_after } => {
                if self.isr_sends_to_set(at.core, queue_id) {
                    context.by = EventActor::Isr;
                }
                self.queue_level(context, queue_id, len_after, QueueCause::Send)
            }
            Event::QueueSendFromIsr { queue_id, len_after } => {
                self.queue_level(context.with_isr_actor(), queue_id, len_after, QueueCause::Send)
            }
            Event::QueueReceive { queue_id, len_after } => {
                self.queue_level(context, queue_id, len_after, QueueCause::Receive)
            }
            Event::QueueReceiveFromIsr { queue_id, len_after } => {
                self.queue_level(context.with_isr_actor(), queue_id, len_after, QueueCause::Receive)
            }
            // The adjacent switch and wake-up contain the same information.
            Event::TaskSwitchedOut { .. } | Event::TaskInReadyList { .. } => Ok(()),
            _ => self.dispatch_rare(&mut context.rare().any(), event),
        }
    }

    /// Takes one event in that is not frequent: compiled once for all sinks.
    fn dispatch_rare(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        let at = context.at;
        match *event {
            // They have an arm in `dispatch`.
            Event::IsrEnter { .. }
            | Event::IsrExit { .. }
            | Event::IsrExitToScheduler { .. }
            | Event::EvtmarkerBegin { .. }
            | Event::EvtmarkerEnd { .. }
            | Event::Valmarker { .. }
            | Event::TaskSwitchedIn { .. }
            | Event::TaskSwitchedOut { .. }
            | Event::TaskInReadyList { .. }
            | Event::TaskToRdyState { .. }
            | Event::TaskResumed { .. }
            | Event::CurtaskDelay { .. }
            | Event::CurtaskDelayUntil { .. }
            | Event::CurtaskBlockOnQueueReceive { .. }
            | Event::QueueSend { .. }
            | Event::QueueSendFromIsr { .. }
            | Event::QueueReceive { .. }
            | Event::QueueReceiveFromIsr { .. } => Ok(()),

            // Tasks.
            Event::TaskResumedFromIsr { task_id } => self.ready(context.with_isr_actor(), task_id),
            Event::TaskSuspended { task_id } => self.suspended(context, task_id),
            Event::TaskCreated { task_id } => self.created(context, task_id),
            Event::TaskDeleted { task_id } => self.deleted(context, task_id),
            Event::TaskPrioritySet { task_id, priority } => {
                self.priority(context, task_id, priority, PriorityCause::Set)
            }
            Event::TaskPriorityInherit { task_id, priority } => {
                self.priority(context, task_id, priority, PriorityCause::Inherit)
            }
            Event::TaskPriorityDisinherit { task_id, priority } => {
                self.priority(context, task_id, priority, PriorityCause::Disinherit)
            }
            Event::TaskBasePriority { task_id, priority } => {
                self.base_priority(context, task_id, priority)
            }
            Event::TaskDelayAbort { task_id } => self.wait_aborted(context, task_id),
            Event::TaskCoreAffinitySet { task_id, core_mask } => {
                self.task_changes(context, task_id, TaskChange::MayRunOn(core_mask))
            }
            Event::TaskStackHighWaterMark { task_id, bytes } => self.task_changes(
                context.without_actor(),
                task_id,
                TaskChange::StackHighWaterMark(bytes),
            ),
            Event::CurtaskToDelayedList { time_to_wake }
            | Event::CurtaskToOverflowDelayedList { time_to_wake } => {
                self.set_wake_tick(context, time_to_wake)
            }

            // Notifications.
            Event::TaskNotify { task_id, index, action, value_after, .. } => {
                self.notified(context, task_id, index, action, value_after)
            }
            Event::TaskNotifyFromIsr { task_id, index, action, value_after, .. } => {
                self.notified(context.with_isr_actor(), task_id, index, action, value_after)
            }
            Event::TaskNotifyGiveFromIsr { task_id, index, value_after } => self.notified(
                context.with_isr_actor(),
                task_id,
                index,
                NotifyAction::INCREMENT,
                value_after,
            ),
            Event::CurtaskNotifyTake { index, value, value_after } => {
                self.take_notification_value(context, index, value, value_after)
            }
            Event::CurtaskNotifyWait { index, value, received } => {
                self.notify_waited(context, index, value, received != 0)
            }
            Event::CurtaskBlockOnNotifyTake { index, ticks_to_wait } => {
                self.wait_for_notification(at.core, Wait::NotifyTake(index), ticks_to_wait)
            }
            Event::CurtaskBlockOnNotifyWait { index, ticks_to_wait } => {
                self.wait_for_notification(at.core, Wait::NotifyWait(index), ticks_to_wait)
            }
            Event::TaskNotifyStateClear { task_id, index } => {
                self.task_changes(context, task_id, TaskChange::NotificationDiscarded { index })
            }
            Event::TaskNotifyValueClear { task_id, index, bits } => {
                self.task_changes(context, task_id, TaskChange::NotificationCleared { index, bits })
            }

            // Queues, semaphores and mutexes.
            Event::QueueCreated { queue_id } => self.queue_created(context, queue_id),
            Event::QueueDeleted { queue_id } => self.queue_deleted(context, queue_id),
            Event::QueueOverwrite { queue_id, len_after } => {
                self.queue_level(context, queue_id, len_after, QueueCause::Overwrite)
            }
            Event::QueueOverwriteFromIsr { queue_id, len_after } => self.queue_level(
                context.with_isr_actor(),
                queue_id,
                len_after,
                QueueCause::Overwrite,
            ),
            Event::QueueReset { queue_id } => {
                self.queue_level(context, queue_id, 0, QueueCause::Reset)
            }
            Event::QueueCurLength { queue_id, length } => {
                self.queue_level(context.without_actor(), queue_id, length, QueueCause::Reported)
            }
            Event::QueueSentToFront { queue_id } => self.sent_to_front(queue_id),
            Event::CurtaskBlockOnQueuePeek { queue_id, ticks_to_wait } => {
                self.wait_for_queue(context, queue_id, ticks_to_wait, Wait::Peek)
            }
            Event::CurtaskBlockOnQueueSend { queue_id, ticks_to_wait } => {
                self.wait_for_queue(context, queue_id, ticks_to_wait, Wait::Send)
            }
            Event::QueuePeek { queue_id } => self.queue_peeked(context, queue_id),
            Event::QueuePeekFromIsr { queue_id } => self.report_queue_failure(
                context.with_isr_actor(),
                queue_id,
                QueueChange::Peek,
                Act::Peek,
            ),
            Event::QueueSendFailed { queue_id } => {
                self.report_queue_failure(context, queue_id, QueueChange::SendFailed, Act::Send)
            }
            Event::QueueSendFromIsrFailed { queue_id } => self.report_queue_failure(
                context.with_isr_actor(),
                queue_id,
                QueueChange::SendFailed,
                Act::Send,
            ),
            Event::QueueReceiveFailed { queue_id } => self.fail_receive(context, queue_id),
            Event::QueueReceiveFromIsrFailed { queue_id } => self.report_queue_failure(
                context.with_isr_actor(),
                queue_id,
                QueueChange::ReceiveFailed,
                Act::Receive,
            ),
            Event::QueuePeekFailed { queue_id } => {
                self.report_queue_failure(context, queue_id, QueueChange::PeekFailed, Act::Peek)
            }
            Event::QueuePeekFromIsrFailed { queue_id } => self.report_queue_failure(
                context.with_isr_actor(),
                queue_id,
                QueueChange::PeekFailed,
                Act::Peek,
            ),
            // Its kind is reported as metadata.
            Event::MutexCreated { .. } => Ok(()),
            Event::MutexRecursiveTake { queue_id, depth_after } => {
                self.recursive_take(context, queue_id, depth_after)
            }
            Event::MutexRecursiveTakeFailed { queue_id } => {
                self.fail_recursive_take(context, queue_id)
            }
            Event::MutexRecursiveGive { queue_id, depth_after } => {
                self.recursive_give(context, queue_id, depth_after)
            }
            Event::MutexRecursiveGiveFailed { queue_id } => {
                self.report_queue_failure(context, queue_id, QueueChange::GiveFailed, Act::Send)
            }

            // Stream buffers.
            Event::StreamBufferCreated { stream_buffer_id, size, .. } => {
                self.stream_buffer_created(context, stream_buffer_id, size)
            }
            Event::StreamBufferDeleted { stream_buffer_id } => {
                self.stream_buffer_deleted(context, stream_buffer_id)
            }
            Event::StreamBufferSend { stream_buffer_id: id, amount, level_after } => {
                self.transfer_bytes(context, id, level_after, BufferCause::Send(amount))
            }
            Event::StreamBufferSendFromIsr { stream_buffer_id: id, amount, level_after } => self
                .transfer_bytes(
                    context.with_isr_actor(),
                    id,
                    level_after,
                    BufferCause::Send(amount),
                ),
            Event::StreamBufferReceive { stream_buffer_id: id, amount, level_after } => {
                self.transfer_bytes(context, id, level_after, BufferCause::Receive(amount))
            }
            Event::StreamBufferReceiveFromIsr { stream_buffer_id: id, amount, level_after } => self
                .transfer_bytes(
                    context.with_isr_actor(),
                    id,
                    level_after,
                    BufferCause::Receive(amount),
                ),
            Event::StreamBufferReset { stream_buffer_id } => {
                self.stream_buffer_reset(context, stream_buffer_id)
            }
            Event::StreamBufferResetFromIsr { stream_buffer_id } => {
                self.stream_buffer_reset(context.with_isr_actor(), stream_buffer_id)
            }
            Event::StreamBufferSendFailed { stream_buffer_id: id } => self
                .report_stream_buffer_failure(
                    context,
                    id,
                    StreamBufferChange::SendFailed,
                    Act::SendBytes,
                ),
            Event::StreamBufferSendFromIsrFailed { stream_buffer_id: id } => self
                .report_stream_buffer_failure(
                    context.with_isr_actor(),
                    id,
                    StreamBufferChange::SendFailed,
                    Act::SendBytes,
                ),
            Event::StreamBufferReceiveFailed { stream_buffer_id: id } => self
                .report_stream_buffer_failure(
                    context,
                    id,
                    StreamBufferChange::ReceiveFailed,
                    Act::ReceiveBytes,
                ),
            Event::StreamBufferReceiveFromIsrFailed { stream_buffer_id: id } => self
                .report_stream_buffer_failure(
                    context.with_isr_actor(),
                    id,
                    StreamBufferChange::ReceiveFailed,
                    Act::ReceiveBytes,
                ),
            Event::CurtaskBlockOnStreamBufferSend { stream_buffer_id, ticks_to_wait } => {
                self.wait_for_bytes(context, stream_buffer_id, ticks_to_wait, Wait::SendBytes)
            }
            Event::CurtaskBlockOnStreamBufferReceive { stream_buffer_id, ticks_to_wait } => {
                self.wait_for_bytes(context, stream_buffer_id, ticks_to_wait, Wait::ReceiveBytes)
            }

            // Event groups.
            Event::EventGroupCreated { event_group_id } => {
                self.event_group_created(context, event_group_id)
            }
            Event::EventGroupDeleted { event_group_id } => {
                self.event_group_deleted(context, event_group_id)
            }
            Event::EventGroupSetBits { event_group_id, bits, bits_after } => {
                let [bits, after] = self.all_bits(context, event_group_id, [bits, bits_after]);
                self.event_group_set(context, event_group_id, bits, after)
            }
            Event::EventGroupSetBitsFromIsr { event_group_id, bits } => {
                let [bits, _] = self.all_bits(context.with_isr_actor(), event_group_id, [bits, 0]);
                let change = EventGroupChange::SetDeferred(bits);
                self.event_group_deferred(context, event_group_id, change)
            }
            Event::EventGroupClearBits { event_group_id, bits, bits_after } => {
                let [bits, after] = self.all_bits(context, event_group_id, [bits, bits_after]);
                self.event_group_cleared(context, event_group_id, bits, after)
            }
            Event::EventGroupClearBitsFromIsr { event_group_id, bits } => {
                let [bits, _] = self.all_bits(context.with_isr_actor(), event_group_id, [bits, 0]);
                let change = EventGroupChange::ClearDeferred(bits);
                self.event_group_deferred(context, event_group_id, change)
            }
            Event::CurtaskBlockOnEventGroupWait {
                event_group_id: id,
                bits,
                flags,
                ticks_to_wait,
            } => {
                let [bits, _] = self.all_bits(context, id, [bits, 0]);
                let condition = Condition::wait(bits, flags);
                let terms = BitsTerms { ticks: ticks_to_wait, bits, flags, condition };
                self.wait_for_bits(context, id, Wait::Bits, terms)
            }
            Event::CurtaskBlockOnEventGroupSync {
                event_group_id: id, bits, ticks_to_wait, ..
            } => {
                let [bits, _] = self.all_bits(context, id, [bits, 0]);
                // A rendezvous sets its bits before it waits.
                let (condition, flags) = (Condition::sync(bits), ALL | CLEAR_ON_EXIT);
                let terms = BitsTerms { ticks: ticks_to_wait, bits, flags, condition };
                self.wait_for_bits(context, id, Wait::EventGroupSync, terms)
            }
            Event::EventGroupWaitEnd { event_group_id, bits, flags, found } => {
                let [bits, found] = self.all_bits(context, event_group_id, [bits, found]);
                let condition = Condition::wait(bits, flags);
                self.end_event_group_wait(context, event_group_id, condition, flags, found)
            }
            Event::EventGroupSyncEnd { event_group_id, bits, flags, found, .. } => {
                let [bits, found] = self.all_bits(context, event_group_id, [bits, found]);
                let condition = Condition::sync(bits);
                self.end_event_group_wait(context, event_group_id, condition, flags, found)
            }

            Event::Bits { of, is } => {
                self.high_bits(context, of, is);
                Ok(())
            }

            // Software timers.
            Event::TimerCreated { timer_id, period, auto_reload, callback } => {
                self.timer_created(context, timer_id, period, auto_reload, callback)
            }
            Event::TimerCommandSent { timer_id, command, result, .. } => {
                self.timer_command_sent(context, timer_id, command, result != 0)
            }
            Event::TimerCommandReceived { timer_id, command, value } => {
                self.timer_command_received(context, timer_id, command, value)
            }
            Event::TimerExpired { timer_id, callback } => {
                self.timer_expired(context, timer_id, callback)
            }

            // Markers.
            Event::Evtmarker { evtmarker_id, msg } => {
                self.marker(context, (Scope::Global, evtmarker_id), msg)
            }
            Event::TaskEvtmarker { evtmarker_id, msg } => {
                self.marker(context, (self.task_scope(at.core), evtmarker_id), msg)
            }
            Event::TaskEvtmarkerBegin { evtmarker_id, msg } => {
                self.span_begin(context, (self.task_scope(at.core), evtmarker_id), msg)
            }
            Event::TaskEvtmarkerEnd { evtmarker_id } => {
                self.span_end(context, (self.task_scope(at.core), evtmarker_id))
            }
            Event::TaskValmarker { valmarker_id, val } => {
                self.value(context, (self.task_scope(at.core), valmarker_id), val.into())
            }

            // The kernel at large.
            Event::ApiEnter { function } => self.api_enter(context, function),
            Event::ApiReturn { function, value } => self.api_return(context, function, value),
            Event::HeapMalloc { address, size, bytes_free } => {
                self.heap(context, address, size, bytes_free, false)
            }
            Event::HeapFree { address, size, bytes_free } => {
                self.heap(context, address, size, bytes_free, true)
            }
            // It has the tick count before it.
            Event::TickIncrement { tick_count } => self.tick(context, tick_count),
            Event::TickCountIncrease { ticks } => self.jump_ticks(context, ticks),
            Event::LowPowerIdleBegin { expected_ticks } => self.sleep(context, expected_ticks),
            Event::LowPowerIdleEnd {} => self.wake(context),
            Event::PendFuncCall { function, result, .. } => {
                self.pended(context, function, result != 0)
            }
            Event::PendFuncCallFromIsr { function, result, .. } => {
                self.pended(context.with_isr_actor(), function, result != 0)
            }
            Event::CreateFailed { object } => self.report_create_failure(context, object),

            // The recording itself.
            Event::IsrExitMissed { isr_id } => self.isr_exit_missed(context, isr_id),
            Event::RunningTask { task_id } => self.running_is_reported(context, task_id),
            Event::OpenIsr { isr_id } => self.open_isr_is_reported(context, isr_id),
            Event::DroppedEvtCnt { cnt } => self.dropped(context, cnt),
            Event::MetadataDropped { core_id, cnt, size_needed } => {
                self.metadata_dropped(context, core_id, cnt, size_needed)
            }
            // The reader follows the core, and the clock its frequency.
            Event::CoreId { .. } | Event::TsFrequency { .. } | Event::TsResolutionNs { .. } => {
                Ok(())
            }
            // The sender of the command waits for the answer; its effects have their own events.
            Event::Answer { .. } => Ok(()),
            Event::IsrName { .. }
            | Event::EvtmarkerName { .. }
            | Event::ValmarkerName { .. }
            | Event::TaskEvtmarkerName { .. }
            | Event::TaskValmarkerName { .. }
            | Event::TaskName { .. }
            | Event::TaskIsIdleTask { .. }
            | Event::TaskIsTimerTask { .. }
            | Event::QueueName { .. }
            | Event::QueueKind { .. }
            | Event::StreamBufferName { .. }
            | Event::StreamBufferKind { .. }
            | Event::StreamBufferInfo { .. }
            | Event::EventGroupName { .. }
            | Event::TimerName { .. }
            | Event::TimerInfo { .. }
            | Event::TraceInfo { .. }
            | Event::BuildId { .. }
            | Event::CrashPlaces { .. }
            | Event::Program { .. }
            | Event::FormatsOf { .. }
            | Event::Format { .. }
            | Event::Symbol { .. }
            | Event::Constant { .. } => self.metadata(context, event),

            // The application's log records.
            Event::Record { at, is } => self.record(context, at, is),
            Event::Typed { no, is } => self.typed_record(context, no, is),

            // The end of the firmware.
            Event::Fault { what, is } => {
                self.fault_fact(at.core, what, is);
                Ok(())
            }
            Event::Crash { kind, of } => self.crash(context, kind, of),

            // Filters and triggers.
            Event::Filter { of, is } => self.filter_fact(context, of, is),
            Event::Shed { class, n } => self.events_shed(context, class, n),
            Event::Trigger { n, is } => self.trigger(context, n, Some(is)),
            Event::Frozen { n } => self.trigger(context, n, None),

            // The reader uses their schemas; their meaning is unknown here.
            Event::EventSchema { .. } => Ok(()),
            Event::Described(it) | Event::DescribedMetadata(it) => {
                self.newer_events.count(&it);
                Ok(())
            }
        }
    }
}
