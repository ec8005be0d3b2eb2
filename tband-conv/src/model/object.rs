//! The objects of a target: the known facts about each of them.
//!
//! Each object has its own handle, also if other objects had its number before; see `generation.rs`.

use tband_format::named::{QueueKind, StreamBufferKind};
use tband_format::registry::event_group_flags;

use super::life::Life;
use super::table::{Key, Ref};

/// The object of a blocked task's wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wait {
    /// The end of a delay.
    Delay,
    /// A tick count.
    DelayUntil,
    /// An item, a semaphore or a mutex.
    Receive(QueueRef),
    /// Room in a queue.
    Send(QueueRef),
    /// An item that it only peeks.
    Peek(QueueRef),
    /// Something to take from its notification value of this index.
    NotifyTake(u32),
    /// A notification of this index.
    NotifyWait(u32),
    /// Room in a stream buffer.
    SendBytes(StreamBufferRef),
    /// Bytes in a stream buffer.
    ReceiveBytes(StreamBufferRef),
    /// Bits of an event group, see [`Task::awaited_bits`].
    Bits(EventGroupRef),
    /// The bits of all tasks that synchronise (`xEventGroupSync`), see [`Task::awaited_bits`].
    EventGroupSync(EventGroupRef),
}

impl Wait {
    /// Kinds of [`place`](Self::place).
    pub const KINDS: usize = 10;

    /// A kind of waits, and which one of that kind it is, from 0 on: for tables. Numbers are as dense as objects, or
    /// those of notifications, which damage may make any.
    #[inline]
    #[must_use]
    pub const fn place(self) -> (usize, usize) {
        match self {
            Self::Delay => (0, 0),
            Self::DelayUntil => (0, 1),
            Self::Receive(queue) => (1, queue.index()),
            Self::Send(queue) => (2, queue.index()),
            Self::Peek(queue) => (3, queue.index()),
            Self::NotifyTake(index) => (4, index as usize),
            Self::NotifyWait(index) => (5, index as usize),
            Self::SendBytes(buffer) => (6, buffer.index()),
            Self::ReceiveBytes(buffer) => (7, buffer.index()),
            Self::Bits(group) => (8, group.index()),
            Self::EventGroupSync(group) => (9, group.index()),
        }
    }
}

/// How a task waits: with which limit, and for which bits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WaitTerms {
    /// Kernel ticks to wait; the highest number means no limit.
    pub ticks: u32,
    /// Ticks of its last delay, or the tick count at which that ended.
    pub delay: u32,
    /// Bits of an event group, and the flags of the wait.
    pub bits: u64,
    pub flags: u32,
}

/// The state of a task. The order matters for speed: the states from [`Created`](Self::Created) on are those of a task that is
/// known to exist and not to run, so that one comparison finds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum TaskState {
    /// Not known yet.
    #[default]
    Unknown,
    /// It runs on this core.
    Running(u32),
    /// It is no more.
    Deleted,
    /// It exists and was never ready.
    Created,
    /// It could run.
    Ready,
    /// It waits.
    Blocked(Wait),
    /// It was suspended.
    Suspended,
}

impl TaskState {
    /// Whether the task is known to exist and not to run.
    #[inline]
    pub(crate) const fn is_off_core(self) -> bool {
        !matches!(self, Self::Unknown | Self::Deleted | Self::Running(_))
    }
}

/// A task.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Task {
    /// Task number that the target gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// Its lifetime.
    pub life: Life,
    /// Its priority, if known; higher is more urgent.
    pub priority: Option<u32>,
    /// Its state.
    pub state: TaskState,
    /// It is the idle task of this core.
    pub idle_of: Option<u32>,
    /// It is the kernel's timer task.
    pub is_timer: bool,
    /// Of its wait, or its last one.
    pub(crate) terms: WaitTerms,
    /// The task that had its number before a reset of the target.
    pub(crate) before: Option<TaskRef>,
}

impl Task {
    /// Kernel ticks after which its wait, or its last one, times out; `None` if it never does. Delays
    /// have no limit: they are one.
    #[must_use]
    pub fn limit(&self) -> Option<u32> {
        Some(self.terms.ticks).filter(|ticks| *ticks != u32::MAX)
    }

    /// Bits that it waits for, or waited for last, and whether all of them must be set.
    #[must_use]
    pub const fn awaited_bits(&self) -> (u64, bool) {
        (self.terms.bits, self.terms.flags & event_group_flags::ALL != 0)
    }
}

/// Handle of a task.
pub type TaskRef = Ref<Task>;

/// A queue, semaphore, mutex or queue set.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Queue {
    /// Queue number that the target gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// Its kind, if the recording contains it.
    pub kind: Option<QueueKind>,
    /// Its lifetime.
    pub life: Life,
    /// Items in it, or count of the semaphore, if known.
    pub level: Option<u32>,
    /// Task that took the mutex, if that is known.
    pub holder: Option<TaskRef>,
    /// A mutex that is taken.
    pub taken: bool,
}

/// Handle of a queue.
pub type QueueRef = Ref<Queue>;

impl Queue {
    /// It is a mutex or a recursive mutex.
    #[must_use]
    pub fn is_mutex(&self) -> bool {
        matches!(self.kind, Some(QueueKind::MUTEX | QueueKind::RECURSIVE_MUTEX))
    }

    /// It is a counting or binary semaphore.
    #[must_use]
    pub fn is_semaphore(&self) -> bool {
        matches!(self.kind, Some(QueueKind::COUNTING_SEMAPHORE | QueueKind::BINARY_SEMAPHORE))
    }
}

/// A stream buffer, message buffer or batching buffer.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct StreamBuffer {
    /// Number that the target gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// Its kind, if the recording contains it.
    pub kind: Option<StreamBufferKind>,
    /// Its lifetime.
    pub life: Life,
    /// Bytes that it can hold, if known.
    pub size: Option<u32>,
    /// Bytes in it, with the lengths of messages, if known.
    pub level: Option<u32>,
}

/// Handle of a stream buffer.
pub type StreamBufferRef = Ref<StreamBuffer>;

/// An event group.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EventGroup {
    /// Number that the target gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// Its lifetime.
    pub life: Life,
    /// Its bits, if known.
    pub bits: Option<u64>,
}

/// Handle of an event group.
pub type EventGroupRef = Ref<EventGroup>;

/// A software timer.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Timer {
    /// Number that the target gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// Its lifetime.
    pub life: Life,
    /// Its period in kernel ticks, if known.
    pub period: Option<u32>,
    /// Whether it reloads automatically, if known.
    pub auto_reload: Option<bool>,
    /// Low 32 bits of its callback's address, if known.
    pub callback: Option<u32>,
    /// It is active, that is, runs towards its expiry, if known.
    pub active: Option<bool>,
}

/// Handle of a software timer.
pub type TimerRef = Ref<Timer>;

/// An interrupt. Names belong to one core each.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Isr {
    /// Number that the firmware gave it.
    pub id: u32,
    pub(crate) names: Vec<(u32, String)>,
    /// At which start of the recording a name was reported last.
    pub(crate) named: u32,
}

/// Handle of an interrupt.
pub type IsrRef = Ref<Isr>;

impl Isr {
    /// Returns its name on `core`, or otherwise one that another core gave it.
    #[must_use]
    pub fn name_on(&self, core: u32) -> Option<&str> {
        let own = self.names.iter().find(|entry| entry.0 == core);
        own.or(self.names.first()).map(|entry| entry.1.as_str())
    }
}

/// Whose marker it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The complete firmware.
    Global,
    /// Of this task.
    Task(TaskRef),
    /// A task, but the running task is not known.
    UnknownTask,
}

/// Key of a marker.
pub type MarkerKey = (Scope, u32);

impl Key for MarkerKey {
    #[inline]
    fn dense(self) -> Option<usize> {
        let scope = match self.0 {
            Scope::Global => 0,
            Scope::UnknownTask => 1,
            Scope::Task(task) => task.index().checked_add(2)?,
        };
        // 64 scopes of 64 markers are looked up directly.
        (scope < 64 && self.1 < 64).then(|| scope * 64 + self.1 as usize)
    }
}

/// An event marker or a value marker.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Marker {
    /// Its scope.
    pub scope: Scope,
    /// Number that the firmware gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// Open spans.
    pub depth: u32,
    /// At which start of the recording its name was reported last.
    pub(crate) named: u32,
    /// Run of the target that it belongs to, from 0.
    pub(crate) run: u32,
}

/// Handle of a marker in its table.
pub type MarkerRef = Ref<Marker>;
