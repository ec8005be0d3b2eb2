//! Events of kernel objects other than tasks and queues, and what is rarer still: which step each is.
//!
//! They stand apart from the frequent events so that those stay fast.

use std::io;

use tband_format::Event;

use super::change::Sink;
use super::event_group::Condition;
use super::object::{BufferCause, EventGroupChange, StreamBufferChange};
use super::{Step, Timeline};

impl Timeline {
    #[inline(never)]
    pub(super) fn kernel_event<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        match *event {
            Event::ApiEnter { function } => self.api_enter(step, function),
            Event::ApiReturn { function, value } => self.api_return(step, function, value),
            Event::IsrExitMissed { isr_id } => self.isr_exit_missed(step, isr_id),
            Event::HeapMalloc { address, size, bytes_free } => {
                self.heap(step, (address, size), bytes_free, false)
            }
            Event::HeapFree { address, size, bytes_free } => {
                self.heap(step, (address, size), bytes_free, true)
            }
            // It has the tick count before it.
            Event::TickIncrement { tick_count } => self.ticks(step, tick_count.wrapping_add(1)),
            Event::TickCountIncrease { ticks } => self.ticks_jump(step, ticks),
            Event::LowPowerIdleBegin { expected_ticks } => self.sleeps(step, expected_ticks),
            Event::LowPowerIdleEnd {} => self.wakes(step),
            Event::PendFuncCall { function, result, .. } => {
                self.pended(step, function, result != 0, false)
            }
            Event::PendFuncCallFromIsr { function, result, .. } => {
                self.pended(step, function, result != 0, true)
            }
            _ => self.stream_buffer_event(step, event),
        }
    }

    fn stream_buffer_event<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        match *event {
            Event::StreamBufferCreated { stream_buffer_id, size, .. } => {
                self.stream_buffer_created(step, stream_buffer_id, size)
            }
            Event::StreamBufferSend { stream_buffer_id: id, amount, level_after } => {
                self.stream_buffer_level(step, id, level_after, BufferCause::Send(amount), false)
            }
            Event::StreamBufferSendFromIsr { stream_buffer_id: id, amount, level_after } => {
                self.stream_buffer_level(step, id, level_after, BufferCause::Send(amount), true)
            }
            Event::StreamBufferReceive { stream_buffer_id: id, amount, level_after } => {
                self.stream_buffer_level(step, id, level_after, BufferCause::Receive(amount), false)
            }
            Event::StreamBufferReceiveFromIsr { stream_buffer_id: id, amount, level_after } => {
                self.stream_buffer_level(step, id, level_after, BufferCause::Receive(amount), true)
            }
            Event::StreamBufferReset { stream_buffer_id: id } => {
                self.stream_buffer_level(step, id, 0, BufferCause::Reset, false)
            }
            Event::StreamBufferResetFromIsr { stream_buffer_id: id } => {
                self.stream_buffer_level(step, id, 0, BufferCause::Reset, true)
            }
            Event::StreamBufferSendFailed { stream_buffer_id: id } => {
                self.stream_buffer_failed(step, id, StreamBufferChange::SendFailed, false)
            }
            Event::StreamBufferSendFromIsrFailed { stream_buffer_id: id } => {
                self.stream_buffer_failed(step, id, StreamBufferChange::SendFailed, true)
            }
            Event::StreamBufferReceiveFailed { stream_buffer_id: id } => {
                self.stream_buffer_failed(step, id, StreamBufferChange::ReceiveFailed, false)
            }
            Event::StreamBufferReceiveFromIsrFailed { stream_buffer_id: id } => {
                self.stream_buffer_failed(step, id, StreamBufferChange::ReceiveFailed, true)
            }
            Event::StreamBufferDeleted { stream_buffer_id } => {
                self.stream_buffer_deleted(step, stream_buffer_id)
            }
            _ => self.event_group_event(step, event),
        }
    }

    fn event_group_event<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        match *event {
            Event::EventGroupCreated { event_group_id } => {
                self.event_group_created(step, event_group_id)
            }
            Event::EventGroupDeleted { event_group_id } => {
                self.event_group_deleted(step, event_group_id)
            }
            Event::EventGroupSetBits { event_group_id, bits, bits_after } => {
                self.event_group_set(step, event_group_id, bits, bits_after)
            }
            Event::EventGroupClearBits { event_group_id, bits, bits_after } => {
                self.event_group_cleared(step, event_group_id, bits, bits_after)
            }
            Event::EventGroupSetBitsFromIsr { event_group_id, bits } => {
                self.event_group_asked(step, event_group_id, EventGroupChange::SetAsked(bits))
            }
            Event::EventGroupClearBitsFromIsr { event_group_id, bits } => {
                self.event_group_asked(step, event_group_id, EventGroupChange::ClearAsked(bits))
            }
            Event::CurtaskBlockOnEventGroupWait { event_group_id, bits, flags, .. } => {
                self.event_group_wait(step, event_group_id, Condition::wait(bits, flags))
            }
            Event::CurtaskBlockOnEventGroupSync { event_group_id, bits, .. } => {
                self.event_group_wait(step, event_group_id, Condition::rendezvous(bits))
            }
            Event::EventGroupWaitEnd { event_group_id, bits, flags, found } => {
                let condition = Condition::wait(bits, flags);
                self.event_group_wait_ends(step, event_group_id, condition, (flags, found))
            }
            Event::EventGroupSyncEnd { event_group_id, bits, flags, found, .. } => {
                let condition = Condition::rendezvous(bits);
                self.event_group_wait_ends(step, event_group_id, condition, (flags, found))
            }
            _ => self.timer_event(step, event),
        }
    }

    fn timer_event<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        match *event {
            Event::TimerCreated { timer_id, period, auto_reload, callback } => {
                self.timer_created(step, timer_id, period, (auto_reload, callback))
            }
            Event::TimerCommandSent { timer_id, command, result, .. } => {
                self.timer_command_sent(step, timer_id, command, result != 0)
            }
            Event::TimerCommandReceived { timer_id, command, value } => {
                self.timer_command_received(step, timer_id, command, value)
            }
            Event::TimerExpired { timer_id, callback } => {
                self.timer_expired(step, timer_id, callback)
            }
            _ => self.metadata(step, event),
        }
    }
}
