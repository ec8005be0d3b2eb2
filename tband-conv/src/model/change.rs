//! What the timeline reports to its sinks.

use tband_format::Str;

use super::crash::Crash;
use super::flow::{Actor, Flow};
use super::left_out::LeftOut;
use super::object::{
    EventGroupRef, IsrRef, MarkerRef, QueueRef, StreamBufferRef, TaskRef, TaskState, TimerRef, Wait,
};
use super::object_change::{
    CallChange, Caller, EventGroupChange, KernelChange, Outcome, PriorityCause, QueueCause,
    QueueChange, StreamBufferChange, TaskChange, TimerChange,
};
use super::trigger::Trigger;
use crate::diagnostics::Finding;
use crate::number::Number;

/// When and where something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Nanoseconds on the target's clock, 0 and up.
    pub ns: i64,
    /// Core whose event reports it.
    pub core: u32,
}

/// Who makes a task ready, as far as an act of theirs proves it. Time passes by itself: of a delay or a
/// time-out that ends nobody is the waker, whatever ran or was open then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waker {
    /// A task.
    Task(TaskRef),
    /// An interrupt.
    Isr(IsrRef),
    /// An interrupt that is not recorded itself, the clock, or nobody that is known.
    Other,
}

impl Waker {
    /// Who acts, as one who makes a task ready.
    pub(crate) const fn of(actor: Actor) -> Self {
        match actor {
            Actor::Task(task) => Self::Task(task),
            Actor::Isr(isr) => Self::Isr(isr),
            Actor::UnknownIsr => Self::Other,
        }
    }
}

/// What changes. Its kind is a number of its own in memory (`repr`), so that where it is known at compile
/// time it stays known in a sink that is inlined there.
///
/// What somebody does to an object says who, in a field `by` or as the last one; [`by`](Self::by) has it of every
/// change. It is `None` where that is not known, and where nobody did it now: what is only reported, as a level at the
/// start of a window, and what is concluded, as the end of an object whose number is given to another one.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
#[non_exhaustive]
pub enum Change<'a> {
    /// A task is seen for the first time, or its number for the first time as this task's. Tasks that are
    /// known from the start are in the world that [`Sink::start`](super::Sink::start) gets.
    TaskAppears(TaskRef),
    /// A task's name or role becomes known or changes.
    TaskRenamed(TaskRef),
    /// A transition of a task from one state to another. Each is later than the task's last one.
    TaskState {
        /// The task.
        task: TaskRef,
        /// What it did so far.
        from: TaskState,
        /// What it does now; differs from `from`, unless a window opens on a task of which nothing is known any more.
        to: TaskState,
        /// Who made it ready.
        waker: Waker,
    },
    /// It is proven how a wait ended: when it ends, or when its task calls the kernel next. Waits of which
    /// nothing proves that have no such change. A wait for a mutex ends with [`Outcome::Satisfied`] when the task takes the
    /// mutex: until then another one may be faster, although the wait's state is over.
    WaitEnded {
        /// The task that waited.
        task: TaskRef,
        /// What it waited for.
        wait: Wait,
        /// How that ended.
        outcome: Outcome,
    },
    /// Something else happens to a task, by whom.
    Task(TaskRef, TaskChange, Option<Actor>),
    /// An act followed from another.
    Flow(&'a Flow),
    /// A task that runs now ran on another core before, with nothing missing in between.
    Migrated {
        /// The task.
        task: TaskRef,
        /// The core that it left.
        from: u32,
        /// When it left that, in ns.
        left_ns: i64,
    },
    /// A filter on the target leaves this out from now on (`true`), or does not any more.
    LeftOut(LeftOut, bool),
    /// Events of a class were not recorded, since packets ran out.
    Shed {
        /// The class, by its bit in the flags of `trace_info`.
        class: u32,
        /// How many, since this was reported last.
        events: u32,
        /// How many so far.
        total: u64,
    },
    /// The recording ends while the task runs on this core, at this time.
    StillRunning(TaskRef),
    /// A task has this priority from now on.
    Priority {
        /// The task.
        task: TaskRef,
        /// The priority at which it runs; higher is more urgent.
        priority: u32,
        /// Its base priority, if it is known: another one while the task inherits.
        base: Option<u32>,
        /// Why it changes.
        cause: PriorityCause,
        /// Who changes it.
        by: Option<Actor>,
    },
    /// An interrupt begins on this core, inside those that are open there.
    IsrEnter(IsrRef),
    /// The innermost open interrupt of this core ends.
    IsrExit(IsrRef),
    /// A queue has this many items, or a semaphore this count.
    QueueLevel {
        /// The queue.
        queue: QueueRef,
        /// Items in it.
        level: u32,
        /// Why it is reported.
        cause: QueueCause,
        /// Who sends, receives or resets.
        by: Option<Actor>,
    },
    /// Something else happens to a queue, by whom.
    Queue(QueueRef, QueueChange, Option<Actor>),
    /// A mutex is taken, by this task if it is known.
    MutexTaken(QueueRef, Option<TaskRef>),
    /// A mutex that was taken is given, by whom.
    MutexGiven(QueueRef, Option<Actor>),
    /// An event marker fires, by whom.
    Marker(MarkerRef, Str<'a>, Option<Actor>),
    /// A span opens on an event marker, by whom.
    SpanBegin(MarkerRef, Str<'a>, Option<Actor>),
    /// The innermost open span of an event marker ends, by whom.
    SpanEnd(MarkerRef, Option<Actor>),
    /// The innermost open span of a task-local event marker never ends: its task is no more.
    SpanAbandoned(MarkerRef),
    /// A value marker, or a counter of records, takes a value, by whom.
    Value(MarkerRef, Number, Option<Actor>),
    /// Something happens to a stream buffer, by whom.
    StreamBuffer(StreamBufferRef, StreamBufferChange, Option<Actor>),
    /// Something happens to an event group, by whom.
    EventGroup(EventGroupRef, EventGroupChange, Option<Actor>),
    /// Something happens to a software timer, by whom.
    Timer(TimerRef, TimerChange, Option<Actor>),
    /// Something happens in the kernel at large, by whom.
    Kernel(KernelChange, Option<Actor>),
    /// A call of a function of the kernel begins or ends; its number is that of
    /// [`API_FUNCTIONS`](tband_format::API_FUNCTIONS).
    Call(Caller, u32, CallChange),
    /// Something that was known is not known any more, since events are missing. Tasks have
    /// [`TaskState::Unknown`] for that.
    Forgotten(Forgotten),
    /// The firmware has crashed.
    Crash(&'a Crash),
    /// A trigger of the firmware has fired, or what was to be recorded after it is recorded.
    Trigger(&'a Trigger),
    /// Something is lost or wrong.
    Finding(&'a Finding<'a>),
}

impl Change<'_> {
    /// Who did it. A task that becomes ready is made so by its waker; interrupts and states come of themselves.
    #[must_use]
    pub const fn by(&self) -> Option<Actor> {
        match *self {
            Self::Task(.., by)
            | Self::Priority { by, .. }
            | Self::QueueLevel { by, .. }
            | Self::Queue(.., by)
            | Self::MutexGiven(_, by)
            | Self::Marker(.., by)
            | Self::SpanBegin(.., by)
            | Self::SpanEnd(_, by)
            | Self::Value(.., by)
            | Self::StreamBuffer(.., by)
            | Self::EventGroup(.., by)
            | Self::Timer(.., by)
            | Self::Kernel(_, by) => by,
            Self::MutexTaken(_, Some(task))
            | Self::TaskState { waker: Waker::Task(task), .. }
            | Self::Call(Caller::Task(task), ..) => Some(Actor::Task(task)),
            Self::TaskState { waker: Waker::Isr(isr), .. } => Some(Actor::Isr(isr)),
            Self::TaskAppears(_)
            | Self::TaskRenamed(_)
            | Self::TaskState { .. }
            | Self::WaitEnded { .. }
            | Self::Flow(_)
            | Self::Migrated { .. }
            | Self::LeftOut(..)
            | Self::Shed { .. }
            | Self::StillRunning(_)
            | Self::IsrEnter(_)
            | Self::IsrExit(_)
            | Self::MutexTaken(..)
            | Self::SpanAbandoned(_)
            | Self::Call(..)
            | Self::Forgotten(_)
            | Self::Crash(_)
            | Self::Trigger(_)
            | Self::Finding(_) => None,
        }
    }
}

/// What is not known any more, until an event reports it anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Forgotten {
    /// What this core does: its events are missing from here, its last one, up to its next.
    Core,
    /// Whether the innermost open interrupt of this core is still open.
    Isr(IsrRef),
    /// How many items are in a queue.
    Level(QueueRef),
    /// Whether a mutex is taken, how many times, and by whom.
    Holder(QueueRef),
    /// The priority of a task.
    Priority(TaskRef),
    /// Whether the innermost open span of an event marker is still open.
    Span(MarkerRef),
    /// How many bytes are in a stream buffer.
    StreamBuffer(StreamBufferRef),
    /// Which bits are set in an event group.
    EventGroup(EventGroupRef),
    /// Whether a software timer runs towards its expiry.
    Timer(TimerRef),
    /// Whether a software timer's callback still runs.
    Callback(TimerRef, Option<TaskRef>),
    /// Whether the innermost call of a function of the kernel still goes on.
    Call(Caller, u32),
    /// Whether this core still sleeps.
    Sleep,
}

/// A task gets the core from another at one time, which is that of both tasks' changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The task that ran.
    pub previous: TaskRef,
    /// What it does now.
    pub to: TaskState,
    /// The task that runs now.
    pub next: TaskRef,
    /// What it did so far.
    pub from: TaskState,
}

impl Switch {
    /// The changes of both tasks' states, that of the task that leaves the core first.
    #[inline]
    #[must_use]
    pub const fn changes(&self, core: u32) -> [Change<'static>; 2] {
        let Self { previous, to, next, from } = *self;
        let (runs, waker) = (TaskState::Running(core), Waker::Other);
        [
            Change::TaskState { task: previous, from: runs, to, waker },
            Change::TaskState { task: next, from, to: runs, waker },
        ]
    }
}
