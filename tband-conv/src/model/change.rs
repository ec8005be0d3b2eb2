//! The reports of the timeline to its sinks.

use tband_format::Str;

use super::crash::Crash;
use super::flow::{Actor, Flow};
use super::object::{
    EventGroupRef, IsrRef, MarkerRef, QueueRef, StreamBufferRef, TaskRef, TaskState, TimerRef, Wait,
};
use super::object_change::{
    CallChange, Caller, EventGroupChange, KernelChange, Outcome, PriorityCause, QueueCause,
    QueueChange, StreamBufferChange, TaskChange, TimerChange,
};
use super::omission::Omission;
use super::trigger::Trigger;
use crate::diagnostics::Finding;
use crate::number::Number;

/// When and where something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventTime {
    /// Nanoseconds on the target's clock, 0 and up.
    pub ns: i64,
    /// Core whose event reports it.
    pub core: u32,
}

/// The waker of a task, as far as its act proves it. A delay or a time-out that ends has no waker, whatever ran or was open
/// then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waker {
    /// A task.
    Task(TaskRef),
    /// An interrupt.
    Isr(IsrRef),
    /// An interrupt that is not recorded itself, the clock, or an unknown waker.
    Other,
}

impl Waker {
    /// Returns the actor as the waker of a task.
    pub(crate) const fn of(actor: Actor) -> Self {
        match actor {
            Actor::Task(task) => Self::Task(task),
            Actor::Isr(isr) => Self::Isr(isr),
            Actor::UnknownIsr => Self::Other,
        }
    }
}

/// A change of the timeline. Its kind is a separate number in memory (`repr`), so that where it is known at compile time it
/// stays known in a sink that is inlined there.
///
/// A change that is an act on an object has an actor, in a field `by` or as the last one; [`by`](Self::by) returns it for every
/// change. It is `None` where the actor is unknown, and where nothing was done now: for changes that are only reported, as a
/// level at the start of a window, or concluded, as the end of an object whose number is given to another one.
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
        /// Its state so far.
        from: TaskState,
        /// Its state now; differs from `from`, unless a window opens on a task whose state is no longer known.
        to: TaskState,
        /// The task's waker.
        waker: Waker,
    },
    /// The outcome of a wait is proven: when it ends, or when its task calls the kernel next. Waits without a proven outcome
    /// have no such change. A wait for a mutex ends with [`Outcome::Satisfied`] when the task takes the mutex: until then
    /// another one may be faster, although the wait's state is over.
    WaitEnded {
        /// The task that waited.
        task: TaskRef,
        /// The object that it waited for.
        wait: Wait,
        /// How that ended.
        outcome: Outcome,
    },
    /// Another change of a task, with its actor.
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
    LeftOut(Omission, bool),
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
        /// The actor.
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
        /// The actor that sends, receives or resets.
        by: Option<Actor>,
    },
    /// Another change of a queue, with its actor.
    Queue(QueueRef, QueueChange, Option<Actor>),
    /// A mutex is taken, by this task if it is known.
    MutexTaken(QueueRef, Option<TaskRef>),
    /// A taken mutex is given, with the actor.
    MutexGiven(QueueRef, Option<Actor>),
    /// An event marker fires, with the actor.
    Marker(MarkerRef, Str<'a>, Option<Actor>),
    /// A span opens on an event marker, with the actor.
    SpanBegin(MarkerRef, Str<'a>, Option<Actor>),
    /// The innermost open span of an event marker ends, with the actor.
    SpanEnd(MarkerRef, Option<Actor>),
    /// The innermost open span of a task-local event marker never ends: its task is no more.
    SpanAbandoned(MarkerRef),
    /// A value marker, or a counter of records, takes a value, with the actor.
    Value(MarkerRef, Number, Option<Actor>),
    /// A change of a stream buffer, with its actor.
    StreamBuffer(StreamBufferRef, StreamBufferChange, Option<Actor>),
    /// A change of an event group, with its actor.
    EventGroup(EventGroupRef, EventGroupChange, Option<Actor>),
    /// A change of a software timer, with its actor.
    Timer(TimerRef, TimerChange, Option<Actor>),
    /// A change of the kernel as a whole, with its actor.
    Kernel(KernelChange, Option<Actor>),
    /// A call of a function of the kernel begins or ends; its number is that of
    /// [`API_FUNCTIONS`](tband_format::api::API_FUNCTIONS).
    Call(Caller, u32, CallChange),
    /// Something that was known is not known any more, since events are missing. Tasks have
    /// [`TaskState::Unknown`] for that.
    Forgotten(ForgottenState),
    /// The firmware has crashed.
    Crash(&'a Crash),
    /// A trigger of the firmware has fired, or the events to be recorded after it are recorded.
    Trigger(&'a Trigger),
    /// Something is lost or wrong.
    Finding(&'a Finding<'a>),
}

impl Change<'_> {
    /// Returns the actor. A task that becomes ready has a waker instead; interrupts and states have no actor.
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

/// State that is unknown from now on, until an event reports it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForgottenState {
    /// The state of this core: its events are missing from here, its last one, up to its next.
    Core,
    /// Whether the innermost open interrupt of this core is still open.
    Isr(IsrRef),
    /// How many items are in a queue.
    Level(QueueRef),
    /// Whether a mutex is taken, how many times, and its holder.
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
    /// Whether the innermost call of a kernel function is still open.
    Call(Caller, u32),
    /// Whether this core still sleeps.
    Sleep,
}

/// A task gets the core from another at one time, which is that of both tasks' changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The task that ran.
    pub previous: TaskRef,
    /// Its state now.
    pub to: TaskState,
    /// The task that runs now.
    pub next: TaskRef,
    /// Its state so far.
    pub from: TaskState,
}

impl Switch {
    /// The changes of both tasks' states, that of the task that leaves the core first.
    #[inline]
    #[must_use]
    pub const fn changes(&self, core: u32) -> [Change<'static>; 2] {
        let [leaves, arrives] = self.transitions(core);
        [leaves.change(Waker::Other), arrives.change(Waker::Other)]
    }

    /// The transitions of both tasks, that of the task that leaves the core first.
    #[inline]
    pub(crate) const fn transitions(&self, core: u32) -> [Transition; 2] {
        let Self { previous, to, next, from } = *self;
        let runs = TaskState::Running(core);
        [Transition { task: previous, from: runs, to }, Transition { task: next, from, to: runs }]
    }
}

/// A task goes from one state to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transition {
    pub task: TaskRef,
    pub from: TaskState,
    pub to: TaskState,
}

impl Transition {
    /// Returns the state change.
    #[inline]
    pub const fn change(self, waker: Waker) -> Change<'static> {
        let Self { task, from, to } = self;
        Change::TaskState { task, from, to, waker }
    }
}
