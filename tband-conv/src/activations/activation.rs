//! The data that [`Activations`](super::Activations) reports: activations, their parts, and holds of locks.

use std::sync::Arc;

use crate::model::{
    EventGroupRef, IsrRef, QueueRef, StreamBufferRef, TaskRef, TimerRef, Wait, Waker, World,
};

/// The task, interrupt or software timer that an activation belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A task.
    Task(TaskRef),
    /// An interrupt on a core.
    Isr(IsrRef, u32),
    /// A software timer; its activations are calls of its callback.
    Timer(TimerRef),
}

impl Subject {
    /// The word that tables use: `task`, `interrupt` or `timer`.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Task(_) => "task",
            Self::Isr(..) => "interrupt",
            Self::Timer(_) => "timer",
        }
    }

    /// Its name, or its kind and number.
    #[must_use]
    pub fn name(self, world: &World) -> String {
        match self {
            Self::Task(task) => world.task_name(task).to_string(),
            Self::Isr(isr, core) => world.isr_name(isr, core).to_string(),
            Self::Timer(timer) => world.timer_name(timer).to_string(),
        }
    }

    /// The number that the target gave it.
    #[must_use]
    pub fn id(self, world: &World) -> u32 {
        match self {
            Self::Task(task) => world.tasks.get(task).map_or(0, |task| task.id),
            Self::Isr(isr, _) => world.isrs.get(isr).map_or(0, |isr| isr.id),
            Self::Timer(timer) => world.timers.get(timer).map_or(0, |timer| timer.id),
        }
    }
}

/// The cause that an activation serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Release {
    /// The end of a delay.
    Tick,
    /// An item of a queue, or a semaphore that was given.
    Item(QueueRef),
    /// Bytes in a stream buffer.
    Bytes(StreamBufferRef),
    /// A notification of this index.
    Notification(u32),
    /// Bits of an event group.
    Bits(EventGroupRef),
    /// The time limit of a wait for work passed before the work came.
    TimeOut,
    /// Another task aborted the wait.
    Abort,
    /// The expiry of a software timer.
    Timer,
    /// The request of the interrupt itself.
    Interrupt,
    /// Its creation, or a resume after the task suspended itself.
    Ready,
    /// Not known: the activation began before the recording or in a gap.
    Unknown,
}

impl Release {
    /// The word that tables and messages use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tick => "tick",
            Self::Item(_) => "item",
            Self::Bytes(_) => "bytes",
            Self::Notification(_) => "notify",
            Self::Bits(_) => "bits",
            Self::TimeOut => "timeout",
            Self::Abort => "abort",
            Self::Timer => "timer",
            Self::Interrupt => "interrupt",
            Self::Ready => "ready",
            Self::Unknown => "unknown",
        }
    }

    /// The object that the activation waited for, by name, if there is one.
    #[must_use]
    pub fn object(self, world: &World) -> Option<String> {
        match self {
            Self::Item(queue) => Some(world.queue_name(queue).to_string()),
            Self::Bytes(buffer) => Some(world.stream_buffer_name(buffer).to_string()),
            Self::Bits(group) => Some(world.event_group_name(group).to_string()),
            Self::Tick
            | Self::Notification(_)
            | Self::TimeOut
            | Self::Abort
            | Self::Timer
            | Self::Interrupt
            | Self::Ready
            | Self::Unknown => None,
        }
    }

    /// The release by the end of a wait for work.
    pub(super) const fn of(wait: Wait) -> Self {
        match wait {
            Wait::Delay | Wait::DelayUntil => Self::Tick,
            Wait::Receive(queue) | Wait::Peek(queue) | Wait::Send(queue) => Self::Item(queue),
            Wait::NotifyTake(index) | Wait::NotifyWait(index) => Self::Notification(index),
            Wait::SendBytes(buffer) | Wait::ReceiveBytes(buffer) => Self::Bytes(buffer),
            Wait::Bits(group) | Wait::EventGroupSync(group) => Self::Bits(group),
        }
    }
}

/// The task or interrupt that occupies a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occupant {
    /// A task.
    Task(TaskRef),
    /// An interrupt, and the core that it runs on.
    Isr(IsrRef, u32),
}

impl Occupant {
    /// A key to sort by: interrupts after tasks, then in the order of their first appearance.
    pub(super) const fn key(self) -> (bool, usize) {
        match self {
            Self::Task(task) => (false, task.index()),
            Self::Isr(isr, _) => (true, isr.index()),
        }
    }
}

/// One lock of a chain: a task waits for it, and another one holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// The mutex, or the binary semaphore that is used as a lock.
    pub lock: QueueRef,
    /// The task that holds it, if that is known and there is one.
    pub holder: Option<TaskRef>,
}

/// The use of an instant's time, at the end of a chain of locks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The task is busy with its previous activation, or the timer task has not yet called the callback or set the bits.
    Backlog,
    /// Events are missing.
    Unknown,
    /// The task runs.
    Own,
    /// This interrupt runs instead of the task, on this core.
    Interrupt(IsrRef, u32),
    /// The task is ready, and these more urgent tasks (or interrupts) run.
    Preempted(Vec<Occupant>),
    /// The task is ready, and these equally urgent tasks run.
    Shares(Vec<Occupant>),
    /// The task is ready, and these tasks run, which are less urgent but inherited a priority.
    Pushed(Vec<Occupant>),
    /// The task is ready, and these less urgent or idle tasks run: a switch, a critical section, or a suspended scheduler.
    HeldOff(Vec<Occupant>),
    /// The lock is free or was given, and the task has not taken it yet.
    HandedOver,
    /// The chain of locks leads back to a task that is already part of it.
    Deadlock,
    /// The task waits for room in a queue; this task or interrupt finally made the room, if it is known.
    Room(QueueRef, Option<Occupant>),
    /// The task waits for room in a stream buffer; this task or interrupt finally made the room, if it is known.
    BufferRoom(StreamBufferRef, Option<Occupant>),
    /// This task or interrupt suspended the task during its work.
    Suspended(Option<Occupant>),
    /// Only for the holder of a lock: it waits for work.
    Waits(Wait),
}

/// Sums that a [`Reason`] counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PartKind {
    /// The task was busy with its previous activation.
    Backlog,
    /// The task, interrupt or callback ran.
    Own,
    /// An interrupt ran instead.
    Interrupts,
    /// A more urgent task ran.
    Preempted,
    /// An equally urgent task ran.
    Shared,
    /// A less urgent task with an inherited priority ran.
    Pushed,
    /// A less urgent task, or an idle task, ran.
    HeldOff,
    /// The task waited for a lock.
    Locked,
    /// The task waited for room.
    Room,
    /// Another task had suspended it.
    Suspended,
    /// Events are missing.
    Unknown,
}

impl PartKind {
    /// How many kinds there are.
    pub const COUNT: usize = 11;

    /// All kinds, in the order in which tables have them.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Backlog,
        Self::Own,
        Self::Interrupts,
        Self::Preempted,
        Self::Shared,
        Self::Pushed,
        Self::HeldOff,
        Self::Locked,
        Self::Room,
        Self::Suspended,
        Self::Unknown,
    ];

    /// The word that tables and messages use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Backlog => "backlog",
            Self::Own => "own",
            Self::Interrupts => "interrupts",
            Self::Preempted => "preempted",
            Self::Shared => "shared",
            Self::Pushed => "pushed",
            Self::HeldOff => "held off",
            Self::Locked => "locked",
            Self::Room => "room",
            Self::Suspended => "suspended",
            Self::Unknown => "unknown",
        }
    }
}

/// Why an activation does not advance, or that it does: the path of an instant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    /// The chain of locks from the task to the last holder, at most [`MAX_DEPTH`](Self::MAX_DEPTH) long; empty if the task does
    /// not wait for a lock.
    pub locks: Vec<Link>,
    /// The use of the time at the end of the chain.
    pub reason: Reason,
    /// A task less urgent than the waiter, by base priorities, keeps the last holder from running.
    pub is_inverted: bool,
}

impl Path {
    /// Locks that a chain is followed through.
    pub const MAX_DEPTH: usize = 8;

    /// A path without locks.
    #[must_use]
    pub const fn of(reason: Reason) -> Self {
        Self { locks: Vec::new(), reason, is_inverted: false }
    }

    /// The sum that it counts for.
    #[must_use]
    pub const fn kind(&self) -> PartKind {
        if !self.locks.is_empty() {
            return PartKind::Locked;
        }
        match self.reason {
            Reason::Backlog => PartKind::Backlog,
            Reason::Own => PartKind::Own,
            Reason::Interrupt(..) => PartKind::Interrupts,
            Reason::Preempted(_) => PartKind::Preempted,
            Reason::Shares(_) => PartKind::Shared,
            Reason::Pushed(_) => PartKind::Pushed,
            Reason::HeldOff(_) => PartKind::HeldOff,
            Reason::HandedOver | Reason::Deadlock => PartKind::Locked,
            Reason::Room(..) | Reason::BufferRoom(..) => PartKind::Room,
            Reason::Suspended(_) => PartKind::Suspended,
            Reason::Unknown | Reason::Waits(_) => PartKind::Unknown,
        }
    }
}

/// A time of an activation with one path.
#[derive(Clone, Copy, Debug)]
pub struct PathSegment<'a> {
    /// Whose activation it is.
    pub subject: Subject,
    /// The number of the activation.
    pub number: u64,
    /// First instant, in ns.
    pub begin_ns: i64,
    /// End, in ns; later than the first instant.
    pub end_ns: i64,
    /// The use of the time.
    pub path: &'a Path,
}

/// One activation of a task, an interrupt or a software timer, once it has ended.
///
/// The lengths in [`split`](Self::split) add up to `ended_ns - released_ns`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Activation {
    /// Its task, interrupt or timer.
    pub subject: Subject,
    /// Its number among those of the subject, from 1.
    pub number: u64,
    /// The cause that it serves.
    pub release: Release,
    /// The waker of the task, or the sender of the item that it serves.
    pub woken_by: Waker,
    /// Core on which it started.
    pub core: u32,
    /// Time of the first cause that it serves, in ns.
    pub released_ns: i64,
    /// When the task became ready, in ns.
    pub ready_ns: i64,
    /// When the task got a core for the first time, in ns; `None` if it did not.
    pub started_ns: Option<i64>,
    /// When it ended, in ns.
    pub ended_ns: i64,
    /// How long each path took, in ns, in the order of their first appearance.
    pub split: Vec<(Arc<Path>, i64)>,
    /// Further paths that the split has no room for, by [`PartKind`], in ns.
    pub others: [i64; PartKind::COUNT],
    /// In which a less urgent task delayed it through a lock, in ns.
    pub inverted_ns: i64,
    /// How often the task got a core again after it had lost it.
    pub resumes: u32,
    /// How many causes it serves; 1 unless notifications were merged.
    pub merged: u32,
    /// Priority of the task when it started, if known.
    pub priority: Option<u32>,
    /// Its begin is recorded.
    pub begin_seen: bool,
    /// Its end is recorded, and no gap is in it.
    pub end_seen: bool,
}

impl Activation {
    /// From its release to its end, in ns.
    #[must_use]
    pub const fn response_ns(&self) -> i64 {
        self.ended_ns.saturating_sub(self.released_ns)
    }

    /// How long it took at least, in ns: the response time; of a cut activation, without the time in which events are missing.
    #[must_use]
    pub fn min_response_ns(&self) -> i64 {
        let unknown = if self.is_whole() { 0 } else { self.sum(PartKind::Unknown) };
        self.response_ns().saturating_sub(unknown)
    }

    /// From ready to its end, in ns.
    #[must_use]
    pub const fn busy_ns(&self) -> i64 {
        self.ended_ns.saturating_sub(self.ready_ns)
    }

    /// From ready to its first instant on a core, in ns.
    #[must_use]
    pub fn start_delay_ns(&self) -> Option<i64> {
        Some(self.started_ns?.saturating_sub(self.ready_ns))
    }

    /// How long parts of a kind took, in ns.
    #[must_use]
    pub fn sum(&self, kind: PartKind) -> i64 {
        let listed = self.split.iter().filter(|(path, _)| path.kind() == kind).map(|(_, ns)| *ns);
        listed.sum::<i64>().saturating_add(self.others[kind as usize])
    }

    /// Begin and end are recorded: it may count in distributions.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.begin_seen && self.end_seen
    }
}

/// A task held a lock, from the outermost take to the last give.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LockHold {
    /// The lock.
    pub lock: QueueRef,
    /// The task that held it, if that is known.
    pub holder: Option<TaskRef>,
    /// When it was taken, in ns.
    pub begin_ns: i64,
    /// When it was given, in ns.
    pub end_ns: i64,
    /// How often tasks began to wait for it.
    pub waiters: u32,
    /// Its take is recorded.
    pub begin_seen: bool,
    /// Its give is recorded.
    pub end_seen: bool,
}
