//! What events of the kernel's objects mean: queues, semaphores, mutexes, timers, event groups, stream buffers, notifications.

use tband_format::named::{Created, NotifyAction, QueueKind, StreamBufferKind, TimerCommand};
use tband_format::registry::NOT_RECORDED;
use tband_format::{Event, Str};

use super::objects::HandleKind;
use super::target::{RawEvent, Target};
use crate::output::Output;

/// Pended calls of functions are shown on an event marker of this number.
const PENDED: u32 = 0xFD00_0000;

impl Target {
    /// An event of an object of FreeRTOS. Unknown ones are left out.
    pub fn kernel_event(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        match raw.code {
            0x11..=0x19 => self.object_created(raw, out),
            0x21..=0x29 => self.object_deleted(raw, out),
            0x40..=0x47 | 0x49 | 0x4A => self.report_create_failure(raw, out),
            0x50..=0x58 | 0x60..=0x68 | 0x70..=0x78 | 0xC0..=0xC2 | 0xC5..=0xC8 | 0xF6 => {
                self.queue_by_task(raw, out);
            }
            0x59..=0x5D | 0x69..=0x6D | 0xC3 | 0xC4 => self.queue_by_isr(raw, out),
            0x80..=0x83 => self.call_pended(raw, out),
            0xA0..=0xAF | 0xD2 => self.timer(raw, out),
            0xB0..=0xB9 => self.event_group(raw, out),
            0xC9..=0xCD => self.notification(raw, out),
            0xD3..=0xE8 => self.buffer(raw, out),
            _ => {}
        }
    }

    /// The object of an event, as one of this kind.
    fn object_of(&mut self, raw: &RawEvent<'_>, kind: HandleKind, out: &mut Output) -> Option<u32> {
        let number = self.objects.number(raw.words.get(0))?;
        self.objects.is(self.number_of(raw.core), number, kind, out);
        Some(number)
    }

    fn object_created(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let Some(kind) = kind_of(raw.code) else { return };
        let Some(number) = self.objects.number(raw.words.get(0)) else { return };
        let value = raw.words.low(1);
        self.objects.create(number);
        let event = match kind {
            HandleKind::Timer => Event::TimerCreated {
                timer_id: number,
                period: value,
                auto_reload: NOT_RECORDED,
                callback: NOT_RECORDED,
            },
            HandleKind::Group => Event::EventGroupCreated { event_group_id: number },
            HandleKind::Buffer(_) => Event::StreamBufferCreated {
                stream_buffer_id: number,
                size: value,
                trigger_level: NOT_RECORDED,
            },
            _ => Event::QueueCreated { queue_id: number },
        };
        self.emit(raw.core, raw.ts, &event, out);
        self.objects.is(self.number_of(raw.core), number, kind, out);
        if matches!(kind, HandleKind::Buffer(_)) {
            self.user.set_level(number, 0);
        }
    }

    fn object_deleted(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let Some(kind) = kind_of(raw.code - 0x10) else { return };
        let Some(number) = self.objects.number(raw.words.get(0)) else { return };
        let known = self.objects.kind_of(number);
        // All semaphores have the same code.
        let kind =
            known.filter(|it| matches!((it, kind), (HandleKind::Queue(_), HandleKind::Queue(_))));
        let kind = kind.or_else(|| kind_of(raw.code - 0x10));
        if let Some(kind) = kind {
            self.objects.is(self.number_of(raw.core), number, kind, out);
        }
        let event = match kind {
            // That it is deleted is a command to the timer task, like those to stop and start.
            Some(HandleKind::Timer) => Some(Event::TimerCommandSent {
                timer_id: number,
                command: TimerCommand::DELETE,
                value: 0,
                result: 1,
            }),
            Some(HandleKind::Group) => Some(Event::EventGroupDeleted { event_group_id: number }),
            Some(HandleKind::Buffer(_)) => {
                Some(Event::StreamBufferDeleted { stream_buffer_id: number })
            }
            Some(HandleKind::Queue(_)) => Some(Event::QueueDeleted { queue_id: number }),
            _ => None,
        };
        if let Some(event) = event {
            self.emit(raw.core, raw.ts, &event, out);
        }
        self.objects.forget(number);
        self.user.levels.remove(&number);
    }

    fn report_create_failure(&self, raw: &RawEvent<'_>, out: &mut Output) {
        let object = match raw.code {
            0x40 => Created::TASK,
            0x43 | 0x47 => Created::MUTEX,
            0x44 => Created::TIMER,
            0x45 => Created::EVENT_GROUP,
            0x46 => Created::COUNTING_SEMAPHORE,
            0x49 | 0x4A => Created::STREAM_BUFFER,
            _ => Created::QUEUE,
        };
        self.emit(raw.core, raw.ts, &Event::CreateFailed { object }, out);
    }

    fn queue_by_task(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let words = raw.words;
        let (code, kind) = match raw.code {
            0xC0 => (0x50, Some(QueueKind::QUEUE)),
            0xC1 => (0x53, Some(QueueKind::QUEUE)),
            0xC2 => (0x56, Some(QueueKind::QUEUE)),
            0xC5 => (0x52, Some(QueueKind::RECURSIVE_MUTEX)),
            0xC6 => (0xC6, Some(QueueKind::RECURSIVE_MUTEX)),
            0xC7 => (0x62, Some(QueueKind::RECURSIVE_MUTEX)),
            0xC8 => (0x65, Some(QueueKind::RECURSIVE_MUTEX)),
            0xF6 => (0x68, Some(QueueKind::RECURSIVE_MUTEX)),
            code => (code, of_class(code)),
        };
        let known = self.objects.number(words.get(0)).and_then(|it| self.objects.kind_of(it));
        // A recursive mutex is peeked at like others.
        let is_known = matches!(known, Some(HandleKind::Queue(Some(_))));
        let kind = known.filter(|_| is_known).unwrap_or(HandleKind::Queue(kind));
        let Some(queue_id) = self.object_of(raw, kind, out) else { return };
        let ticks_to_wait = words.low(1);
        let event = match code {
            0x50..=0x52 => {
                let len_after = if code == 0x52 { 1 } else { words.low(1) };
                Event::QueueSend { queue_id, len_after }
            }
            0x53..=0x55 => Event::QueueSendFailed { queue_id },
            0x56..=0x58 => Event::CurtaskBlockOnQueueSend { queue_id, ticks_to_wait: NOT_RECORDED },
            0x60..=0x62 => {
                let len_after = if code == 0x62 { 0 } else { words.low(2) };
                Event::QueueReceive { queue_id, len_after }
            }
            0x63..=0x65 => Event::QueueReceiveFailed { queue_id },
            0x66..=0x68 => Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait },
            0x70..=0x72 => Event::QueuePeek { queue_id },
            0x73..=0x75 => Event::QueuePeekFailed { queue_id },
            0x76..=0x78 => Event::CurtaskBlockOnQueuePeek { queue_id, ticks_to_wait },
            _ => Event::MutexRecursiveGiveFailed { queue_id },
        };
        self.emit(raw.core, raw.ts, &event, out);
        if raw.code == 0xC0 {
            self.emit(raw.core, raw.ts, &Event::QueueSentToFront { queue_id }, out);
        }
    }

    fn queue_by_isr(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let (code, kind) = match raw.code {
            0xC3 => (0x59, Some(QueueKind::QUEUE)),
            0xC4 => (0x5C, Some(QueueKind::QUEUE)),
            code @ (0x59 | 0x5C | 0x69 | 0x6C) => (code, Some(QueueKind::QUEUE)),
            code => (code, None),
        };
        let Some(queue_id) = self.object_of(raw, HandleKind::Queue(kind), out) else { return };
        let len_after = raw.words.low(1);
        let event = match code {
            0x59 | 0x5A => Event::QueueSendFromIsr { queue_id, len_after },
            0x5C | 0x5D => Event::QueueSendFromIsrFailed { queue_id },
            0x69 | 0x6A => Event::QueueReceiveFromIsr { queue_id, len_after },
            0x6C | 0x6D => Event::QueueReceiveFromIsrFailed { queue_id },
            _ => return,
        };
        self.emit(raw.core, raw.ts, &event, out);
        if raw.code == 0xC3 {
            self.emit(raw.core, raw.ts, &Event::QueueSentToFront { queue_id }, out);
        }
    }

    fn call_pended(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let text = format!(
            "{:#x}{}",
            raw.words.get(0),
            if raw.code >= 0x82 { ", refused: the queue of the timer task is full" } else { "" }
        );
        self.message(raw, (PENDED, "pended function calls"), &text, out);
    }

    fn timer(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        self.facts.has_timers = true;
        let Some(timer_id) = self.object_of(raw, HandleKind::Timer, out) else { return };
        let event = match raw.code {
            0xD2 => Event::TimerExpired { timer_id, callback: raw.words.low(1) },
            code => Event::TimerCommandSent {
                timer_id,
                command: match code & 7 {
                    0 => TimerCommand::START,
                    1 => TimerCommand::RESET,
                    2 => TimerCommand::STOP,
                    3 => TimerCommand::CHANGE_PERIOD,
                    4 => TimerCommand::START_FROM_ISR,
                    5 => TimerCommand::RESET_FROM_ISR,
                    6 => TimerCommand::STOP_FROM_ISR,
                    _ => TimerCommand::CHANGE_PERIOD_FROM_ISR,
                },
                value: raw.words.low(1),
                result: u32::from(code & 8 == 0),
            },
        };
        self.emit(raw.core, raw.ts, &event, out);
    }

    /// The bits that are set afterwards are not recorded, so only what a task waits for becomes a state.
    fn event_group(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        self.facts.has_groups = true;
        let Some(event_group_id) = self.object_of(raw, HandleKind::Group, out) else { return };
        let bits = raw.words.low(1);
        let event = match raw.code {
            0xB3 => Event::EventGroupClearBitsFromIsr { event_group_id, bits },
            0xB5 => Event::EventGroupSetBitsFromIsr { event_group_id, bits },
            0xB6 => Event::CurtaskBlockOnEventGroupSync {
                event_group_id,
                set: 0,
                bits: 0,
                ticks_to_wait: NOT_RECORDED,
            },
            0xB7 => Event::CurtaskBlockOnEventGroupWait {
                event_group_id,
                bits: 0,
                flags: 0,
                ticks_to_wait: NOT_RECORDED,
            },
            code => {
                let what = match code {
                    0xB0 => "meets others at bits",
                    0xB1 => "found bits of",
                    0xB2 => "clears bits",
                    0xB4 => "sets bits",
                    0xB8 => "timed out at bits",
                    _ => "timed out for bits",
                };
                let name = self.objects.name_of(event_group_id).map(str::to_owned);
                let name = name.unwrap_or_else(|| format!("event group {event_group_id:#x}"));
                self.message(raw, (event_group_id, &name), &format!("{what} {bits:#x}"), out);
                return;
            }
        };
        self.emit(raw.core, raw.ts, &event, out);
    }

    /// Neither index nor value is recorded.
    fn notification(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        self.facts.has_notifications = true;
        let Some(task_id) = self.object_of(raw, HandleKind::Task, out) else { return };
        let (index, action) = (NOT_RECORDED, NotifyAction::NONE);
        let event = match raw.code {
            0xC9 => Event::TaskNotify { task_id, index, action, value: 0, value_after: 0 },
            0xCD => Event::TaskNotifyFromIsr { task_id, index, action, value: 0, value_after: 0 },
            0xCB => Event::CurtaskBlockOnNotifyWait { index: 0, ticks_to_wait: raw.words.low(1) },
            code => Event::CurtaskNotifyWait { index, value: 0, received: (code == 0xCA).into() },
        };
        self.emit(raw.core, raw.ts, &event, out);
    }

    fn buffer(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        self.facts.has_buffers = true;
        let is_message = raw.code >= 0xDE;
        let kind = if is_message {
            StreamBufferKind::MESSAGE_BUFFER
        } else {
            StreamBufferKind::STREAM_BUFFER
        };
        let Some(id) = self.object_of(raw, HandleKind::Buffer(kind), out) else { return };
        let (stream_buffer_id, level_after) = (id, raw.words.low(1));
        let before = self.user.levels.get(&id).copied();
        let ticks_to_wait = NOT_RECORDED;
        let code = if is_message { raw.code - 0xDE } else { raw.code - 0xD3 };
        if matches!(code, 0 | 3 | 6 | 8 | 10) {
            self.user.set_level(id, level_after);
        }
        // After a loss the level before is unknown.
        let sent = before.map_or(0, |before| level_after.saturating_sub(before));
        let received = before.map_or(0, |before| before.saturating_sub(level_after));
        let event = match code {
            0 => Event::StreamBufferSend { stream_buffer_id, amount: sent, level_after },
            1 => Event::CurtaskBlockOnStreamBufferSend { stream_buffer_id, ticks_to_wait },
            2 => Event::StreamBufferSendFailed { stream_buffer_id },
            3 => Event::StreamBufferReceive { stream_buffer_id, amount: received, level_after },
            4 => Event::CurtaskBlockOnStreamBufferReceive { stream_buffer_id, ticks_to_wait },
            5 => Event::StreamBufferReceiveFailed { stream_buffer_id },
            6 => Event::StreamBufferSendFromIsr { stream_buffer_id, amount: sent, level_after },
            7 => Event::StreamBufferSendFromIsrFailed { stream_buffer_id },
            8 => Event::StreamBufferReceiveFromIsr {
                stream_buffer_id,
                amount: received,
                level_after,
            },
            9 => Event::StreamBufferReceiveFromIsrFailed { stream_buffer_id },
            _ => Event::StreamBufferReset { stream_buffer_id },
        };
        self.emit(raw.core, raw.ts, &event, out);
    }

    /// A moment on an event marker, which has this number and name.
    pub fn message(
        &mut self,
        raw: &RawEvent<'_>,
        (marker, name): (u32, &str),
        text: &str,
        out: &mut Output,
    ) {
        let core = self.number_of(raw.core);
        self.user.name_marker(core, marker, name, out);
        let event = Event::Evtmarker { evtmarker_id: marker, msg: Str(text.as_bytes()) };
        out.timed(core, raw.ts, &event);
    }
}

/// The kind of object that an event creates.
const fn kind_of(code: u16) -> Option<HandleKind> {
    Some(match code {
        0x11 => HandleKind::Queue(Some(QueueKind::QUEUE)),
        0x12 => HandleKind::Queue(Some(QueueKind::BINARY_SEMAPHORE)),
        0x13 => HandleKind::Queue(Some(QueueKind::MUTEX)),
        0x14 => HandleKind::Timer,
        0x15 => HandleKind::Group,
        0x16 => HandleKind::Queue(Some(QueueKind::COUNTING_SEMAPHORE)),
        0x17 => HandleKind::Queue(Some(QueueKind::RECURSIVE_MUTEX)),
        0x18 => HandleKind::Buffer(StreamBufferKind::STREAM_BUFFER),
        0x19 => HandleKind::Buffer(StreamBufferKind::MESSAGE_BUFFER),
        _ => return None,
    })
}

/// The kind of queue of an event: in each group of three it is a queue, a semaphore, a mutex.
const fn of_class(code: u16) -> Option<QueueKind> {
    match (code & 0xF) % 3 {
        0 => Some(QueueKind::QUEUE),
        1 => None,
        _ => Some(QueueKind::MUTEX),
    }
}
