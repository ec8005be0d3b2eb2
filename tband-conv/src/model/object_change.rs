//! What happens to each kind of object, as sinks get it.

use std::borrow::Cow;
use std::fmt;

use tband_format::{NotifyAction, TimerCommand, api_function};

use super::object::TaskRef;

/// Why a priority changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PriorityCause {
    /// It is set.
    Set,
    /// It is inherited from a task that waits for a mutex.
    Inherit,
    /// An inherited one is given back.
    Disinherit,
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

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// It got what it waited for: the object was given, sent to, set, or made room.
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

/// What happens to a task besides its states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskChange {
    /// It is notified.
    Notified {
        /// Which of its notifications.
        index: u32,
        /// What that does.
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
    /// High-water mark of its stack: so many bytes were never used.
    StackHighWaterMark(u32),
    /// What it does now began at this time, in ns, before the window that the sink gets. Reported at the start
    /// of the window, of tasks that are there and do not run.
    Since(i64),
}

/// What happens to a queue, semaphore or mutex besides its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueueChange {
    /// Its first item is looked at.
    Peek,
    /// There was none to look at.
    PeekFailed,
    /// Nothing could be sent, or given.
    SendFailed,
    /// Nothing was received, or taken.
    ReceiveFailed,
    /// A recursive mutex was not taken.
    TakeFailed,
    /// A recursive mutex was given that is not held.
    GiveFailed,
    /// A recursive mutex is held this many times.
    Depth(u32),
    /// It is no more.
    Deleted,
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

/// What happens to a stream buffer.
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

/// Bits of an event group, in binary and hex: `0b0101 (0x5)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits(pub u64);

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(bits) = *self;
        // Whole groups of four, one for each digit of the hex number.
        let digits = (64_u32.saturating_sub(bits.leading_zeros())).div_ceil(4).max(1);
        let width = digits.saturating_mul(4).saturating_add(2) as usize;
        write!(f, "{bits:#0width$b} ({bits:#x})")
    }
}

/// What happens to an event group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventGroupChange {
    /// These bits are set in it.
    Bits(u64, BitsCause),
    /// An interrupt asks the timer task to set these bits.
    SetDeferred(u64),
    /// An interrupt asks the timer task to clear these bits.
    ClearDeferred(u64),
    /// It is no more; its waits end.
    Deleted,
}

/// Why a software timer does not run towards its expiry any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DormantCause {
    /// It expired. One that restarts by itself is active again at once.
    Expired,
    /// It is started anew, or with another period.
    Restarted,
    /// It was stopped.
    Stopped,
    /// It was deleted, or another timer was created with its number.
    Deleted,
}

/// What happens to a software timer.
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
    /// A flow: that it runs towards its expiry, which ends now, leads to its callback, which begins now.
    /// Told before both, and only if it is known that it was active.
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

/// What happens in the kernel at large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelChange {
    /// Memory is taken from the heap or given back.
    Heap(HeapChange),
    /// There was not enough memory.
    MallocFailed {
        /// Bytes asked for.
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

/// The heap after memory was taken or given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeapChange {
    /// Low 32 bits of its address.
    pub address: u32,
    /// It was given back.
    pub freed: bool,
    /// Bytes taken or given back; 0 where the heap does not say.
    pub size: u32,
    /// Bytes free in the heap, where it counts them.
    pub bytes_free: Option<u32>,
    /// Bytes in use, more than at the start of the recording: below 0 if memory was given back that was
    /// taken before.
    pub in_use: i64,
}

/// Who calls a function of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A task.
    Task(TaskRef),
    /// The innermost open interrupt of the core.
    Isr,
    /// No task that is known: the program before the scheduler starts, or events are missing.
    Nobody,
}

/// What happens to a call of a function of the kernel. Calls of one caller nest.
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
