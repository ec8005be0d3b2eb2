//! Which signals there are.

use tband_conv::timeline::{
    EventGroupRef, IsrRef, MarkerRef, QueueRef, StreamBufferRef, TaskRef, TimerRef,
};

/// Notification values that a task has a signal for.
pub const MAX_NOTIFICATIONS: u32 = 16;

/// The object of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The task that runs on a core.
    Running(u32),
    /// An interrupt is open on a core.
    Isr(u32, IsrRef),
    /// A core sleeps.
    Sleep(u32),
    /// The state of a task.
    State(TaskRef),
    Priority(TaskRef),
    /// The value of a notification, below [`MAX_NOTIFICATIONS`].
    Notification(TaskRef, u32),
    /// Bytes of its stack that were never used.
    Stack(TaskRef),
    /// Reports to a task, and acts of a task, that end a wait.
    Acts(TaskRef),
    /// Acts of an interrupt of a core.
    IsrActs(u32, IsrRef),
    Level(QueueRef),
    Holder(QueueRef),
    Depth(QueueRef),
    /// Bytes in a stream buffer.
    Bytes(StreamBufferRef),
    Bits(EventGroupRef),
    /// A timer runs towards its expiry.
    Active(TimerRef),
    /// The callback of a timer runs.
    Callback(TimerRef),
    /// An event marker fires or begins a span.
    Fired(MarkerRef),
    /// The text that was reported.
    Text(MarkerRef),
    /// Spans that are open on it.
    Open(MarkerRef),
    /// A value marker that has only integers.
    Value(MarkerRef),
    /// One that has other numbers too.
    Real(MarkerRef),
    HeapFree,
    HeapUsed,
    Ticks,
    /// Something is lost or wrong.
    Finding,
}

/// How signals are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SignalGroup {
    Core(u32),
    Tasks,
    Queues,
    Semaphores,
    Mutexes,
    StreamBuffers,
    EventGroups,
    Timers,
    Markers,
    Values,
    Kernel,
    Recording,
}

/// The kind of a signal's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One of several labels.
    State,
    /// Any text.
    Text,
    Bit,
    /// An unsigned number of this many bits.
    Unsigned(u32),
    /// A signed number of 64 bits.
    Signed,
    /// A number of double precision.
    Real,
    /// No value: a moment.
    Moment,
}

impl Source {
    pub const fn shape(self) -> Shape {
        match self {
            Self::Running(_) | Self::State(_) | Self::Holder(_) => Shape::State,
            Self::Text(_) | Self::Finding | Self::Acts(_) | Self::IsrActs(..) => Shape::Text,
            Self::Isr(..) | Self::Sleep(_) | Self::Active(_) | Self::Callback(_) => Shape::Bit,
            Self::Priority(_)
            | Self::Notification(..)
            | Self::Stack(_)
            | Self::Level(_)
            | Self::Depth(_)
            | Self::Bytes(_)
            | Self::Open(_)
            | Self::HeapFree
            | Self::Ticks => Shape::Unsigned(32),
            // Of kernels with ticks of 64 bits; others have 24.
            Self::Bits(_) => Shape::Unsigned(56),
            Self::Value(_) | Self::HeapUsed => Shape::Signed,
            Self::Real(_) => Shape::Real,
            Self::Fired(_) => Shape::Moment,
        }
    }

    /// Returns a table for each kind of signal, and an index in it: indices are as dense as objects.
    #[inline]
    pub(super) fn place(self) -> (usize, usize) {
        match self {
            Self::Running(core) => (0, core as usize),
            Self::Sleep(core) => (1, core as usize),
            Self::State(task) => (2, task.index()),
            Self::Priority(task) => (3, task.index()),
            Self::Stack(task) => (4, task.index()),
            Self::Level(queue) => (5, queue.index()),
            Self::Holder(queue) => (6, queue.index()),
            Self::Depth(queue) => (7, queue.index()),
            Self::Bytes(buffer) => (8, buffer.index()),
            Self::Bits(group) => (9, group.index()),
            Self::Active(timer) => (10, timer.index()),
            Self::Callback(timer) => (11, timer.index()),
            Self::Fired(marker) => (12, marker.index()),
            Self::Text(marker) => (13, marker.index()),
            Self::Open(marker) => (14, marker.index()),
            Self::Value(marker) => (15, marker.index()),
            Self::HeapFree => (16, 0),
            Self::HeapUsed => (16, 1),
            Self::Ticks => (16, 2),
            Self::Finding => (16, 3),
            Self::Acts(task) => (17, task.index()),
            Self::Real(marker) => (18, marker.index()),
            Self::Notification(task, index) => (19 + index as usize, task.index()),
            Self::Isr(core, isr) => {
                (19 + MAX_NOTIFICATIONS as usize + 2 * core as usize, isr.index())
            }
            Self::IsrActs(core, isr) => {
                (20 + MAX_NOTIFICATIONS as usize + 2 * core as usize, isr.index())
            }
        }
    }
}
