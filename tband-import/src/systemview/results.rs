//! What the results of calls show: objects that were created, and bits of event groups.

use tband_format::Event;
use tband_format::named::{QueueKind, StreamBufferKind, TimerCommand};
use tband_format::registry::event_group_flags::{ALL, CLEAR_ON_EXIT, TIMED_OUT};

use super::calls::Call;
use super::names::NamedObject;
use super::target::Target;
use crate::output::Output;

impl Target {
    /// A call has returned this value. A handle is a number of packets.
    pub(super) fn show_result(&mut self, call: Call, value: u32, out: &mut Output) {
        let handle = self.address(value);
        let event = match call {
            Call::Receive { queue, .. } if value == 0 => {
                Event::QueueReceiveFailed { queue_id: self.address(queue) }
            }
            Call::Peek { queue, .. } if value == 0 => {
                Event::QueuePeekFailed { queue_id: self.address(queue) }
            }
            Call::Send { queue, .. } if value == 0 => {
                Event::QueueSendFailed { queue_id: self.address(queue) }
            }
            Call::WaitBits { group, bits, flags, .. } => {
                let is_met =
                    if flags & ALL != 0 { value & bits == bits } else { value & bits != 0 };
                let flags = flags | if is_met { 0 } else { TIMED_OUT };
                let event_group_id = self.address(group);
                Event::EventGroupWaitEnd { event_group_id, bits, flags, found: value }
            }
            Call::SyncBits { group, set, bits, .. } => {
                let flags = ALL | CLEAR_ON_EXIT;
                let flags = flags | if value & bits == bits { 0 } else { TIMED_OUT };
                let event_group_id = self.address(group);
                Event::EventGroupSyncEnd { event_group_id, set, bits, flags, found: value }
            }
            Call::SetBits { group, bits } => {
                let event_group_id = self.address(group);
                Event::EventGroupSetBits { event_group_id, bits, bits_after: value }
            }
            // The result is the value before.
            Call::ClearBits { group, bits } => {
                let event_group_id = self.address(group);
                Event::EventGroupClearBits { event_group_id, bits, bits_after: value & !bits }
            }
            Call::CommandTimer { timer, command, value: of_command } => {
                // Negative commands are functions that the timer task calls.
                let Ok(command) = u8::try_from(command).map(TimerCommand) else { return };
                let timer_id = self.address(timer);
                Event::TimerCommandSent { timer_id, command, value: of_command, result: value }
            }
            // There was no memory for an object without an address.
            _ if handle == 0 => return,
            Call::CreateQueue { kind } => return self.created_queue(handle, kind, out),
            Call::CreateGroup => Event::EventGroupCreated { event_group_id: handle },
            Call::CreateBuffer { size, trigger_level, kind } => {
                let stream_buffer_id = handle;
                let created = Event::StreamBufferCreated { stream_buffer_id, size, trigger_level };
                self.emit(&created, out);
                let kind = StreamBufferKind(u8::try_from(kind).unwrap_or_default());
                let of_kind = Event::StreamBufferKind { stream_buffer_id, kind };
                return out.metadata(self.cores.on.number, &of_kind);
            }
            Call::CreateTimer { period, auto_reload, callback } => Event::TimerCreated {
                timer_id: handle,
                period,
                auto_reload,
                callback: self.address(callback),
            },
            _ => return,
        };
        self.emit(&event, out);
    }

    fn created_queue(&mut self, queue_id: u32, kind: u32, out: &mut Output) {
        self.names.forget(NamedObject::Queue(queue_id));
        self.emit(&Event::QueueCreated { queue_id }, out);
        let kind = match kind {
            1 => QueueKind::MUTEX,
            2 => QueueKind::COUNTING_SEMAPHORE,
            3 => QueueKind::BINARY_SEMAPHORE,
            4 => QueueKind::RECURSIVE_MUTEX,
            _ => QueueKind::QUEUE,
        };
        out.metadata(self.cores.on.number, &Event::QueueKind { queue_id, kind });
    }
}
