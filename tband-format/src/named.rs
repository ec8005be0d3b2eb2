//! Fields of one byte whose values have names.
//!
//! A type holds any byte, so that a recording of a newer recorder keeps its value. Values stay below
//! 128: there a byte and a varint look the same in the stream, so firmware records them as numbers.

use crate::field::{Field, FieldKind, Value};
use crate::packed::{Bytes, Packed};
use crate::reader::{FieldError, Reader};
use crate::short::Short;
use crate::writer::FrameWriter;

macro_rules! named_bytes {
    ($(
        $(#[doc = $doc:literal])+
        $type:ident $name:literal { $(
            $(#[doc = $value_doc:literal])+
            $constant:ident = $value:literal $meaning:literal,
        )+ }
    )*) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $type(pub u8);

        impl $type {
            $(
                $(#[doc = $value_doc])+
                pub const $constant: Self = {
                    assert!($value < 128);
                    Self($value)
                };
            )+

            const VALUES: &'static [(u8, &'static str)] = &[$(($value, $meaning)),+];

            /// What the value is called; `None` for one that this version does not know.
            #[must_use]
            pub fn name(self) -> Option<&'static str> {
                Self::VALUES.iter().find(|(value, _)| *value == self.0).map(|(_, name)| *name)
            }
        }

        impl<'a> Field<'a> for $type {
            const KIND: FieldKind = FieldKind::Enum { name: $name, values: Self::VALUES };

            #[inline]
            fn read(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
                reader.byte().map(Self)
            }

            unsafe fn write(self, writer: &mut FrameWriter) {
                // SAFETY: the caller made room for this field.
                unsafe { writer.u8(self.0) }
            }

            fn payload_len(self) -> usize {
                1
            }

            fn value(self) -> Option<Value<'a>> {
                Some(Value::Named(self.0, self.name()))
            }
        }

        impl<'a> Packed<'a> for $type {
            fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
                reader.byte().map(Self)
            }

            #[inline]
            fn read_short(short: &mut Short<'a>) -> Option<Self> {
                Some(Self(short.byte()))
            }

            fn write_packed(self, bytes: &mut Bytes<'_>) -> Option<()> {
                bytes.byte(self.0)
            }
        }
    )* };
}

named_bytes! {
    /// Kind of a queue-like kernel object.
    QueueKind "queue kind" {
        /// Plain queue.
        QUEUE = 0 "queue",
        /// Counting semaphore.
        COUNTING_SEMAPHORE = 1 "counting semaphore",
        /// Binary semaphore.
        BINARY_SEMAPHORE = 2 "binary semaphore",
        /// Mutex.
        MUTEX = 3 "mutex",
        /// Recursive mutex.
        RECURSIVE_MUTEX = 4 "recursive mutex",
        /// Queue set.
        QUEUE_SET = 5 "queue set",
    }

    /// Kind of a stream buffer (`sbTYPE_*` of the kernel).
    StreamBufferKind "stream buffer kind" {
        /// Bytes.
        STREAM_BUFFER = 0 "stream buffer",
        /// Messages, each with its length in front.
        MESSAGE_BUFFER = 1 "message buffer",
        /// Bytes, handed on only when the trigger level is exceeded.
        BATCHING_BUFFER = 2 "stream batching buffer",
    }

    /// What a notification does to the value that it finds (`eNotifyAction` of the kernel).
    NotifyAction "notify action" {
        /// Nothing: it wakes only.
        NONE = 0 "no action",
        /// Sets bits in it.
        SET_BITS = 1 "set bits",
        /// Adds one.
        INCREMENT = 2 "increment",
        /// Replaces it.
        OVERWRITE = 3 "overwrite",
        /// Replaces it unless an earlier notification is still pending.
        WRITE = 4 "write",
        /// As write, and there was one: the notification fails.
        WRITE_REFUSED = 5 "write refused",
    }

    /// Command to the kernel's timer task (`tmrCOMMAND_*` of the kernel).
    TimerCommand "timer command" {
        /// Start, sent by the kernel itself.
        START_DONT_TRACE = 0 "start untraced",
        /// Start.
        START = 1 "start",
        /// Start anew.
        RESET = 2 "reset",
        /// Stop.
        STOP = 3 "stop",
        /// Take a new period, and start.
        CHANGE_PERIOD = 4 "change period",
        /// Delete the timer.
        DELETE = 5 "delete",
        /// Start, sent by an interrupt.
        START_FROM_ISR = 6 "start from isr",
        /// Start anew, sent by an interrupt.
        RESET_FROM_ISR = 7 "reset from isr",
        /// Stop, sent by an interrupt.
        STOP_FROM_ISR = 8 "stop from isr",
        /// Take a new period, and start; sent by an interrupt.
        CHANGE_PERIOD_FROM_ISR = 9 "change period from isr",
    }

    /// What the kernel could not create.
    Created "kernel object" {
        /// A queue or semaphore.
        QUEUE = 0 "queue",
        /// A counting semaphore; the failure of its queue is reported before it.
        COUNTING_SEMAPHORE = 1 "counting semaphore",
        /// A mutex; the failure of its queue is reported before it.
        MUTEX = 2 "mutex",
        /// A task.
        TASK = 3 "task",
        /// An event group.
        EVENT_GROUP = 4 "event group",
        /// A stream, batching or message buffer.
        STREAM_BUFFER = 5 "stream buffer",
        /// A software timer.
        TIMER = 6 "timer",
    }
}
