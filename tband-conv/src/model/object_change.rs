//! The changes of each kind of object, as sinks get them.

use std::borrow::Cow;
use std::fmt;

use tband_format::api::api_function;
use tband_format::named::{NotifyAction, TimerCommand};

use super::object::TaskRef;

/// Why a priority changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PriorityCause {
    /// It is set.
    Set,
    /// Inherited from a task that waits for a mutex.
    Inherit,
    /// An inherited one is returned.
    Disinherit,
}

impl PriorityCause {
    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Set => "set",
            Self::Inherit => "inherit",
            Self::Disinherit => "disinherit",
        }
    }
}

/// Why the level of a queue is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueueCause {
    /// An item was sent, a semaphore or mutex given.
    Send,
    /// The one item was overwritten.
    Overwrite,
    /// An item was received, a semaphore or mutex taken.
    Receive,
    /// All items were discarded.
    Reset,
    /// The target reported the level.
    Reported,
}

impl QueueCause {
    /// In a word.
    #[inline]
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Overwrite => "overwrite",
            Self::Receive => "receive",
            Self::Reset => "reset",
            Self::Reported => "reported",
        }
    }
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// It got the object: that was given, sent to, set, or made room.
    Satisfied,
    /// It took too long.
    Timeout,
    /// Another task aborted it.
    Aborted,
    /// The object, or the task itself, was deleted.
    Deleted,
}

impl Outcome {
    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Satisfied => "satisfied",
            Self::Timeout => "timeout",
            Self::Aborted => "aborted",
            Self::Deleted => "deleted",
        }
    }
}

/// Changes of a task other than its states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskChange {
    /// It is notified.
    Notified {
        /// Which of its notifications.
        index: u32,
        /// The action of the notification.
        action: NotifyAction,
        /// Its value afterwards.
        value_after: u32,
    },
    /// It takes from its notification value; nothing if its wait timed out.
    NotificationTaken {
        /// Which of its notifications.
        index: u32,
        /// The value that it found, 0 after a time-out.
        value: u32,
        /// The value afterwards.
        value_after: u32,
    },
    /// Its wait for a notification ends.
    NotificationEnds {
        /// Which of its notifications.
        index: u32,
        /// The value that it found.
        value: u32,
        /// There was a notification.
        received: bool,
    },
    /// Its notification, if one is pending, is discarded.
    NotificationDiscarded {
        /// Which of its notifications.
        index: u32,
    },
    /// Bits of its notification value are cleared.
    NotificationCleared {
        /// Which of its notifications.
        index: u32,
        /// Which bits.
        bits: u32,
    },
    /// Its wait is to be aborted.
    WaitAborted,
    /// It is to wait until this count of kernel ticks at most.
    WakesAt(u32),
    /// It may run on these cores, one bit each.
    MayRunOn(u32),
    /// High-water mark of its stack: this many bytes were never used.
    StackHighWaterMark(u32),
    /// Its present state began at this time, in ns, before the window that the sink gets. Reported at the start of the window,
    /// for existing tasks that do not run.
    Since(i64),
}

/// Changes of a queue, semaphore or mutex other than its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueueChange {
    /// Its first item is peeked.
    Peek,
    /// There was none to peek.
    PeekFailed,
    /// Nothing could be sent, or given.
    SendFailed,
    /// Nothing was received, or taken.
    ReceiveFailed,
    /// A recursive mutex was not taken.
    TakeFailed,
    /// A recursive mutex was given that the task does not hold.
    GiveFailed,
    /// A recursive mutex is held this many times.
    Depth(u32),
    /// It is no more.
    Deleted,
}

impl QueueChange {
    /// In words, without a number.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Peek => "peek",
            Self::PeekFailed => "peek failed",
            Self::SendFailed => "send failed",
            Self::ReceiveFailed => "receive failed",
            Self::TakeFailed => "recursive take failed",
            Self::GiveFailed => "recursive give failed",
            Self::Depth(_) => "depth",
            Self::Deleted => "deleted",
        }
    }
}

/// Why the level of a stream buffer is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BufferCause {
    /// It was created.
    Created,
    /// Bytes were sent, this many.
    Send(u32),
    /// Bytes were received, this many.
    Receive(u32),
    /// It was emptied.
    Reset,
    /// It had this level before the window that is shown.
    Reported,
}

impl BufferCause {
    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Send(_) => "send",
            Self::Receive(_) => "receive",
            Self::Reset => "reset",
            Self::Reported => "reported",
        }
    }
}

/// A change of a stream buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamBufferChange {
    /// It holds this many bytes, lengths of messages included.
    Level(u32, BufferCause),
    /// Nothing could be sent.
    SendFailed,
    /// Nothing was received.
    ReceiveFailed,
    /// It is no more.
    Deleted,
}

impl StreamBufferChange {
    /// In words, without a number.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Level(_, cause) => cause.name(),
            Self::SendFailed => "send failed",
            Self::ReceiveFailed => "receive failed",
            Self::Deleted => "deleted",
        }
    }
}

/// Why the bits of an event group are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BitsCause {
    /// It was created.
    Created,
    /// These were set.
    Set(u64),
    /// These were cleared.
    Clear(u64),
    /// These were cleared since a wait for them ended.
    ClearOnExit(u64),
    /// A task found these bits.
    Found,
}

impl BitsCause {
    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Set(_) => "set",
            Self::Clear(_) | Self::ClearOnExit(_) => "clear",
            Self::Found => "reported",
        }
    }
}

/// Bits of an event group, in binary and hex: `0b0101 (0x5)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits(pub u64);

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(bits) = *self;
        // Complete groups of four, one for each hexadecimal digit.
        let digits = (64_u32.saturating_sub(bits.leading_zeros())).div_ceil(4).max(1);
        let width = digits.saturating_mul(4).saturating_add(2) as usize;
        write!(f, "{bits:#0width$b} ({bits:#x})")
    }
}

/// A change of an event group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventGroupChange {
    /// These bits are set in it.
    Bits(u64, BitsCause),
    /// An interrupt requests the timer task to set these bits.
    SetDeferred(u64),
    /// An interrupt requests the timer task to clear these bits.
    ClearDeferred(u64),
    /// It is no more; its waits end.
    Deleted,
}

/// The act, without the bits that are set then.
impl fmt::Display for EventGroupChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Bits(_, BitsCause::Created) => f.write_str("created"),
            Self::Bits(_, BitsCause::Set(bits)) => write!(f, "set {bits:#x}"),
            Self::Bits(_, BitsCause::Clear(bits)) => write!(f, "clear {bits:#x}"),
            Self::Bits(_, BitsCause::ClearOnExit(bits)) => write!(f, "clear {bits:#x} on exit"),
            Self::Bits(_, BitsCause::Found) => f.write_str("found"),
            Self::SetDeferred(bits) => write!(f, "set {bits:#x} asked by interrupt"),
            Self::ClearDeferred(bits) => write!(f, "clear {bits:#x} asked by interrupt"),
            Self::Deleted => f.write_str("deleted"),
        }
    }
}

/// Why a software timer does not run towards its expiry any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DormantCause {
    /// It expired. An auto-reload timer is active again at once.
    Expired,
    /// It is started again, or with another period.
    Restarted,
    /// It was stopped.
    Stopped,
    /// It was deleted, or another timer was created with its number.
    Deleted,
}

impl DormantCause {
    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::Restarted => "restarted",
            Self::Stopped => "stopped",
            Self::Deleted => "deleted",
        }
    }
}

/// A change of a software timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimerChange {
    /// It is created, and dormant.
    Created,
    /// A command is sent to the timer task.
    Sent {
        /// The command.
        command: TimerCommand,
        /// There was room for it.
        accepted: bool,
    },
    /// The timer task carries out a command.
    Received(TimerCommand),
    /// It is active from now on: it runs towards its expiry.
    Active,
    /// It is dormant from now on.
    Dormant(DormantCause),
    /// A flow from its active time, which ends now, to its callback, which begins now. It is reported before both, and only if
    /// the timer is known to have been active.
    LeadsToCallback,
    /// Its callback is called, by this task if that is known.
    CallbackBegin(Option<TaskRef>),
    /// Its callback has returned.
    CallbackEnd {
        /// The task that called it.
        task: Option<TaskRef>,
        /// When it began, in ns.
        begin_ns: i64,
        /// When it ended, in ns: the time of the change, or before it where that shows only later.
        end_ns: i64,
    },
}

/// In words, without the task of a callback and its times.
impl fmt::Display for TimerChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |command: TimerCommand| command.name().unwrap_or("command");
        match *self {
            Self::Created => f.write_str("created"),
            Self::Sent { command, accepted } => {
                write!(f, "{} {}", named(command), if accepted { "sent" } else { "refused" })
            }
            Self::Received(command) => write!(f, "{} received", named(command)),
            Self::Active => f.write_str("active"),
            Self::LeadsToCallback => f.write_str("active -> callback"),
            Self::Dormant(cause) => f.write_str(cause.name()),
            Self::CallbackBegin(_) => f.write_str("callback begins"),
            Self::CallbackEnd { .. } => f.write_str("callback has ended"),
        }
    }
}

/// A change of the kernel as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelChange {
    /// Memory is allocated from the heap or freed.
    Heap(HeapChange),
    /// There was not enough memory.
    MallocFailed {
        /// Requested bytes.
        size: u32,
    },
    /// The core sleeps, for this many kernel ticks at most.
    Sleeps(u32),
    /// The core does not sleep any more.
    Wakes,
    /// The kernel's tick count has this value.
    Ticks(u32),
    /// A function call is sent to the timer task.
    Pended {
        /// Low 32 bits of the function's address.
        function: u32,
        /// There was room for it.
        accepted: bool,
    },
}

/// The heap after an allocation or a free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeapChange {
    /// Low 32 bits of its address.
    pub address: u32,
    /// It was freed.
    pub freed: bool,
    /// Allocated or freed bytes; 0 where the heap does not report them.
    pub size: u32,
    /// Bytes free in the heap, where it counts them.
    pub bytes_free: Option<u32>,
    /// Bytes in use, relative to the start of the recording: below 0 if older blocks were freed.
    pub in_use: i64,
}

/// The caller of a kernel function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A task.
    Task(TaskRef),
    /// The innermost open interrupt of the core.
    Isr,
    /// No task that is known: the program before the scheduler starts, or events are missing.
    Unknown,
}

/// A change of a call of a kernel function. Calls of one caller nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallChange {
    /// It begins.
    Begin,
    /// It ends.
    End {
        /// When it began, in ns.
        begin_ns: i64,
        /// Low 32 bits of the value that it returns, if it returns one.
        value: Option<u32>,
    },
    /// It never returns: its task or interrupt has ended.
    Abandoned,
}

/// Name of a function of the kernel, or a text in its place.
#[must_use]
pub fn function_name(function: u32) -> Cow<'static, str> {
    match api_function(function) {
        Some(name) => name.into(),
        None => format!("function {function}").into(),
    }
}
