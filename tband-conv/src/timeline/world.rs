//! What is known of the target at one moment: its objects, their names and their states.
//!
//! The [`Timeline`](super::Timeline) changes it, sinks read it. Each object has a handle of its own,
//! whoever else had its number before; see `life.rs`. Names outlive restarts of the stream: metadata
//! that comes again changes nothing.

use tband_format::registry::event_group_flags;
use tband_format::{QueueKind, StreamBufferKind};

use super::life::Life;
use super::table::{Key, Ref, Table};
use super::wait::Waiting;

/// What a blocked task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// The end of a delay.
    Delay,
    /// A tick count.
    DelayUntil,
    /// An item, a semaphore or a mutex.
    Receive(QueueRef),
    /// Room in a queue.
    Send(QueueRef),
    /// An item that it only looks at.
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
    /// The bits of all that take part in a rendezvous, see [`Task::awaited_bits`].
    Rendezvous(EventGroupRef),
}

/// What a task does. The states are told apart all the time, so each has a number; from
/// [`Created`](Self::Created) on are those of a task that is known to live and does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u32)]
pub enum TaskState {
    /// Nothing is known yet.
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

/// A task.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Task number that the target gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// When it came and went.
    pub life: Life,
    /// Its priority, if known; higher is more urgent.
    pub priority: Option<u32>,
    /// It has that priority from a task that waits for its mutex.
    pub(super) inherits: bool,
    /// What it does.
    pub state: TaskState,
    /// It is the idle task of this core.
    pub idle_of: Option<u32>,
    /// It is the kernel's timer task.
    pub is_timer: bool,
    /// While it runs: what becomes of it at the next switch.
    pub(super) leaves_to: TaskState,
    pub(super) waiting: Waiting,
    /// It may change its state from this time on, in ns.
    pub(super) settled: i64,
    pub(super) listed: bool,
    /// The task that had its number before a reset of the target.
    pub(super) before: Option<TaskRef>,
}

impl Task {
    /// Kernel ticks after which its wait, or its last one, times out; `None` if it never does. Delays
    /// have no limit: they are one.
    #[must_use]
    pub fn limit(&self) -> Option<u32> {
        Some(self.waiting.ticks).filter(|ticks| *ticks != u32::MAX)
    }

    /// Bits that it waits for, or waited for last, and whether all of them must be set.
    #[must_use]
    pub const fn awaited_bits(&self) -> (u32, bool) {
        (self.waiting.bits, self.waiting.flags & event_group_flags::ALL != 0)
    }
}

/// Handle of a task.
pub type TaskRef = Ref<Task>;

/// A queue, semaphore, mutex or queue set.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// Queue number that the target gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// What it is, if the recording says so.
    pub kind: Option<QueueKind>,
    /// When it came and went.
    pub life: Life,
    /// Items in it, or count of the semaphore, if known.
    pub level: Option<u32>,
    /// Task that took the mutex, if that is known.
    pub holder: Option<TaskRef>,
    /// A mutex that is taken.
    pub taken: bool,
    /// It is in the list of what to forget at the next gap.
    pub(super) noted: bool,
    /// It is noted, and it is known what a step changes.
    pub(super) has: Has,
}

/// What a step changes of a queue that is noted and lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Has {
    /// It is to be found out.
    #[default]
    Unknown,
    /// Its level.
    Level,
    /// Its level and its holder.
    Holder,
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
pub struct StreamBuffer {
    /// Number that the target gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// What it is, if the recording says so.
    pub kind: Option<StreamBufferKind>,
    /// When it came and went.
    pub life: Life,
    /// Bytes that it can hold, if known.
    pub size: Option<u32>,
    /// Bytes in it, with the lengths of messages, if known.
    pub level: Option<u32>,
    /// It is in the list of what to forget at the next gap.
    pub(super) noted: bool,
}

/// Handle of a stream buffer.
pub type StreamBufferRef = Ref<StreamBuffer>;

/// An event group.
#[derive(Clone, Debug, Default)]
pub struct EventGroup {
    /// Number that the target gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// When it came and went.
    pub life: Life,
    /// Its bits, if known.
    pub bits: Option<u32>,
    /// It is in the list of what to forget at the next gap.
    pub(super) noted: bool,
}

/// Handle of an event group.
pub type EventGroupRef = Ref<EventGroup>;

/// A software timer.
#[derive(Clone, Debug, Default)]
pub struct Timer {
    /// Number that the target gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// When it came and went.
    pub life: Life,
    /// Its period in kernel ticks, if known.
    pub period: Option<u32>,
    /// It restarts by itself, if known.
    pub auto_reload: Option<bool>,
    /// Low 32 bits of its callback's address, if known.
    pub callback: Option<u32>,
    /// It runs towards its expiry, if known.
    pub armed: Option<bool>,
    /// It is in the list of what to forget at the next gap.
    pub(super) noted: bool,
}

/// Handle of a software timer.
pub type TimerRef = Ref<Timer>;

/// An interrupt. Names belong to one core each.
#[derive(Clone, Debug, Default)]
pub struct Isr {
    /// Number that the firmware gave it.
    pub id: u32,
    pub(super) names: Vec<(u32, String)>,
}

/// Handle of an interrupt.
pub type IsrRef = Ref<Isr>;

impl Isr {
    /// Its name on `core`, else one that another core gave it.
    #[must_use]
    pub fn name_on(&self, core: u32) -> Option<&str> {
        let own = self.names.iter().find(|entry| entry.0 == core);
        own.or(self.names.first()).map(|entry| entry.1.as_str())
    }
}

/// Whose marker it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Of the whole firmware.
    Global,
    /// Of this task.
    Task(TaskRef),
    /// Of a task, but it is not known which one ran.
    UnknownTask,
}

/// Key of a marker.
pub type MarkerKey = (Scope, u32);

impl Key for MarkerKey {
    #[inline(always)]
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
pub struct Marker {
    /// Whose it is.
    pub scope: Scope,
    /// Number that the firmware gave it.
    pub id: u32,
    /// Its name, if the recording has it.
    pub name: Option<String>,
    /// Open spans.
    pub depth: u32,
    /// After which gap a span began or ended last.
    pub(super) proven: u32,
    /// It is in the list of what to forget at the next gap.
    pub(super) noted: bool,
}

/// Handle of a marker in its table.
pub type MarkerRef = Ref<Marker>;

/// What `trace_info` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceInfo {
    /// Version of the event set.
    pub format_version: u32,
    /// Number of cores.
    pub core_count: u32,
    /// Flags, see `tband_format::registry::trace_info_flags`.
    pub flags: u32,
    /// Kernel version, major * 10000 + minor * 100 + patch.
    pub kernel_version: Option<u32>,
    /// Kernel ticks per second.
    pub tick_rate_hz: Option<u32>,
}

impl TraceInfo {
    /// An allocation tells the bytes that were asked for, not those that the heap took for it, which are more:
    /// kernels before V11.2.
    #[must_use]
    pub fn tells_bytes_asked_for(&self) -> bool {
        self.kernel_version.is_some_and(|version| version < 110_200)
    }
}

/// What is known of the target.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Cores that had an event so far, by number. Metadata does not count.
    pub cores: Vec<u32>,
    /// Tasks.
    pub tasks: Table<u32, Task>,
    /// Queues, semaphores, mutexes, queue sets.
    pub queues: Table<u32, Queue>,
    /// Stream, message and batching buffers.
    pub stream_buffers: Table<u32, StreamBuffer>,
    /// Event groups.
    pub event_groups: Table<u32, EventGroup>,
    /// Software timers.
    pub timers: Table<u32, Timer>,
    /// Interrupts.
    pub isrs: Table<u32, Isr>,
    /// Event markers.
    pub markers: Table<MarkerKey, Marker>,
    /// Value markers.
    pub values: Table<MarkerKey, Marker>,
    /// Time of the earliest event, in ns, if the recording was looked at before.
    pub start_ns: Option<i64>,
    /// What the recording says of itself.
    pub trace_info: Option<TraceInfo>,
    /// Name of the main program, if the target gives it one.
    pub(super) main_name: Option<String>,
    /// Build that made the recording.
    pub build_id: Option<String>,
}

impl World {
    /// Whether this is a wait to take a mutex.
    #[must_use]
    pub fn is_for_mutex(&self, wait: Wait) -> bool {
        matches!(wait, Wait::Receive(queue) if self.queues.get(queue).is_some_and(Queue::is_mutex))
    }

    /// The task of this id, made known if it is not.
    #[inline]
    pub(super) fn task(&mut self, id: u32) -> Option<TaskRef> {
        self.object(id)
    }

    /// The queue of this id, made known if it is not.
    #[inline]
    pub(super) fn queue(&mut self, id: u32) -> Option<QueueRef> {
        self.object(id)
    }

    /// The stream buffer of this id, made known if it is not.
    pub(super) fn stream_buffer(&mut self, id: u32) -> Option<StreamBufferRef> {
        self.object(id)
    }

    /// The event group of this id, made known if it is not.
    pub(super) fn event_group(&mut self, id: u32) -> Option<EventGroupRef> {
        self.object(id)
    }

    /// The software timer of this id, made known if it is not.
    pub(super) fn timer(&mut self, id: u32) -> Option<TimerRef> {
        self.object(id)
    }

    /// The interrupt of this id, made known if it is not.
    #[inline]
    pub(super) fn isr(&mut self, id: u32) -> Option<IsrRef> {
        match self.isrs.find(id) {
            Some(known) => Some(known),
            None => self.isrs.insert(id, Isr { id, ..Isr::default() }),
        }
    }

    /// The event marker of this key, made known if it is not.
    #[inline]
    pub(super) fn marker(&mut self, key: MarkerKey) -> Option<MarkerRef> {
        match self.markers.find(key) {
            Some(known) => Some(known),
            None => new_marker(&mut self.markers, &self.tasks, key),
        }
    }

    /// The value marker of this key, made known if it is not.
    #[inline]
    pub(super) fn value(&mut self, key: MarkerKey) -> Option<MarkerRef> {
        match self.values.find(key) {
            Some(known) => Some(known),
            None => new_marker(&mut self.values, &self.tasks, key),
        }
    }
}

/// A task-local marker has the name that it had before a reset of the target, unless another is told.
#[cold]
#[inline(never)]
fn new_marker(
    table: &mut Table<MarkerKey, Marker>,
    tasks: &Table<u32, Task>,
    (scope, id): MarkerKey,
) -> Option<MarkerRef> {
    let before = match scope {
        Scope::Task(task) => tasks.get(task).and_then(|task| task.before),
        Scope::Global | Scope::UnknownTask => None,
    };
    let before = before.and_then(|task| table.find((Scope::Task(task), id)));
    let name = before.and_then(|marker| table.get(marker)?.name.clone());
    table.insert((scope, id), Marker { scope, id, name, depth: 0, proven: 0, noted: false })
}
