//! What the timeline tells its sinks.

use std::io;

use tband_format::{Decoded, NotifyAction, Str};

use super::flow::{Actor, Flow};
use super::object::{
    CallChange, Caller, EventGroupChange, KernelChange, StreamBufferChange, TimerChange,
};
use super::world::{
    EventGroupRef, IsrRef, MarkerRef, QueueRef, StreamBufferRef, TaskRef, TaskState, TimerRef,
    Wait, World,
};
use crate::diagnostics::{Finding, Place};

/// When and where something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Nanoseconds on the target's clock, 0 and up.
    pub ns: i64,
    /// Core whose event tells of it.
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

/// Why a priority changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriorityCause {
    /// It is set.
    Set,
    /// It is inherited from a task that waits for a mutex.
    Inherit,
    /// An inherited one is given back.
    Disinherit,
}

/// Why the level of a queue is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueCause {
    /// An item was sent, a semaphore or mutex given.
    Send,
    /// The one item was overwritten.
    Overwrite,
    /// An item was received, a semaphore or mutex taken.
    Receive,
    /// All items were discarded.
    Reset,
    /// The target told the level.
    Told,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The object was given, sent to, set, or made room.
    Data,
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
            Self::Data => "data",
            Self::Timeout => "timeout",
            Self::Aborted => "aborted",
            Self::Deleted => "deleted",
        }
    }
}

/// What happens to a task besides its states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskChange {
    /// It is notified.
    Notified {
        /// Which of its notifications.
        index: u32,
        /// What that does.
        action: NotifyAction,
        /// Its value afterwards.
        value_after: u32,
        /// By whom, if that is known.
        by: Option<Actor>,
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
    /// So many bytes of its stack were never used.
    StackMargin(u32),
    /// What it does now began at this time, in ns, before the window that the sink is told of. Told at the start
    /// of the window, of tasks that are there and do not run.
    Since(i64),
}

/// What happens to a queue, semaphore or mutex besides its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// One step of the timeline. Its kind has a place of its own in memory, so that where it is known it
/// stays known in a sink that is inlined there.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Change<'a> {
    /// A task is seen for the first time, or its number for the first time as this task's. Tasks that are
    /// known from the start are in the world that [`Sink::start`] gets.
    TaskAppears(TaskRef),
    /// A task's name or role becomes known or changes.
    TaskRenamed(TaskRef),
    /// A task goes from one state to another. The time of a task's changes rises strictly.
    TaskState {
        /// The task.
        task: TaskRef,
        /// What it did so far.
        from: TaskState,
        /// What it does now; differs from `from`.
        to: TaskState,
        /// Who made it ready.
        waker: Waker,
    },
    /// It is proven how a wait ended: when it ends, or when its task acts on. Waits of which nothing
    /// proves that have no such step. A wait for a mutex ends with [`Outcome::Data`] when the task takes the
    /// mutex: until then another one may be faster, although the wait's state is over.
    WaitEnded {
        /// The task that waited.
        task: TaskRef,
        /// What it waited for.
        wait: Wait,
        /// How that ended.
        outcome: Outcome,
    },
    /// Something else happens to a task.
    Task(TaskRef, TaskChange),
    /// An act followed from another.
    Flow(&'a Flow),
    /// The recording ends while the task runs on this core, at this time.
    StillRunning(TaskRef),
    /// A task has this priority from now on.
    Priority {
        /// The task.
        task: TaskRef,
        /// Its priority; higher is more urgent.
        priority: u32,
        /// Why it changes.
        cause: PriorityCause,
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
        /// Why it is told.
        cause: QueueCause,
        /// By an interrupt.
        from_isr: bool,
    },
    /// Something else happens to a queue, by this task or interrupt if it is known.
    Queue(QueueRef, QueueChange, Option<Actor>),
    /// A mutex is taken, by this task if it is known.
    MutexTaken(QueueRef, Option<TaskRef>),
    /// A mutex that was taken is given.
    MutexGiven(QueueRef),
    /// An event marker fires.
    Marker(MarkerRef, Str<'a>),
    /// A span opens on an event marker.
    SpanBegin(MarkerRef, Str<'a>),
    /// The innermost open span of an event marker ends.
    SpanEnd(MarkerRef),
    /// The innermost open span of a task-local event marker never ends: its task is no more.
    SpanAbandoned(MarkerRef),
    /// A value marker takes a value.
    Value(MarkerRef, i64),
    /// Something happens to a stream buffer, by this task or interrupt if it is known.
    StreamBuffer(StreamBufferRef, StreamBufferChange, Option<Actor>),
    /// Something happens to an event group.
    EventGroup(EventGroupRef, EventGroupChange),
    /// Something happens to a software timer.
    Timer(TimerRef, TimerChange),
    /// Something happens in the kernel at large.
    Kernel(KernelChange),
    /// A call of a function of the kernel begins or ends; its number is that of
    /// [`API_FUNCTIONS`](tband_format::API_FUNCTIONS).
    Call(Caller, u32, CallChange),
    /// Something that was known is not known any more, since events are missing. Tasks have
    /// [`TaskState::Unknown`] for that.
    Forgotten(Forgotten),
    /// Something is lost or wrong.
    Finding(&'a Finding<'a>),
}

/// What is not known any more, until an event tells it anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgotten {
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

/// Takes the timeline in, step by step.
///
/// Steps of one core come in the order of time; across cores time may step back a little where the
/// recording is not in order.
pub trait Sink {
    /// Called once before the first step, with what the first pass learnt.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn start(&mut self, world: &World) -> io::Result<()> {
        let _ = world;
        Ok(())
    }

    /// Whether it is to be told of each event as well, and of those that change nothing; see
    /// [`event`](Self::event). Asked once.
    fn wants_events(&self) -> bool {
        false
    }

    /// An event as it was recorded, before the steps that follow from it. Events of a core come in the order
    /// in which its input has them; those without a time of their own have that of the one before them.
    ///
    /// # Errors
    /// If the output cannot be written.
    #[inline(always)]
    fn event(&mut self, at: At, place: Place, decoded: &Decoded<'_>) -> io::Result<()> {
        let _ = (at, place, decoded);
        Ok(())
    }

    /// One step. `world` is as it is after the step.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn change(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()>;

    /// Two steps in one: a task leaves the core and another gets it. A sink that does not care gets
    /// them one by one.
    ///
    /// # Errors
    /// If the output cannot be written.
    #[inline(always)]
    fn switch(&mut self, world: &World, at: At, switch: &Switch) -> io::Result<()> {
        let Switch { previous, to, next, from } = *switch;
        let (runs, waker) = (TaskState::Running(at.core), Waker::Other);
        let leaves = Change::TaskState { task: previous, from: runs, to, waker };
        self.change(world, at, &leaves)?;
        self.change(world, at, &Change::TaskState { task: next, from, to: runs, waker })
    }

    /// What has stood since before the window that the sink is told of, at the start of that: the step that
    /// told it last, or one that comes to the same. What goes on (states, interrupts, spans, calls) is
    /// as if it began there; a level or a value was reached before, by an act that is not to be counted.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn stands(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        self.change(world, at, change)
    }

    /// Called once after the last step. `end_ns` is the last time in the recording.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        let _ = (world, end_ns);
        Ok(())
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn start(&mut self, world: &World) -> io::Result<()> {
        (**self).start(world)
    }

    fn wants_events(&self) -> bool {
        (**self).wants_events()
    }

    #[inline(always)]
    fn event(&mut self, at: At, place: Place, decoded: &Decoded<'_>) -> io::Result<()> {
        (**self).event(at, place, decoded)
    }

    fn change(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        (**self).change(world, at, change)
    }

    #[inline(always)]
    fn switch(&mut self, world: &World, at: At, switch: &Switch) -> io::Result<()> {
        (**self).switch(world, at, switch)
    }

    fn stands(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        (**self).stands(world, at, change)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        (**self).finish(world, end_ns)
    }
}

/// Two sinks fed in one pass; nest pairs for more.
impl<A: Sink, B: Sink> Sink for (A, B) {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.0.start(world)?;
        self.1.start(world)
    }

    fn wants_events(&self) -> bool {
        self.0.wants_events() || self.1.wants_events()
    }

    #[inline(always)]
    fn event(&mut self, at: At, place: Place, decoded: &Decoded<'_>) -> io::Result<()> {
        self.0.event(at, place, decoded)?;
        self.1.event(at, place, decoded)
    }

    fn change(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        self.0.change(world, at, change)?;
        self.1.change(world, at, change)
    }

    fn switch(&mut self, world: &World, at: At, switch: &Switch) -> io::Result<()> {
        self.0.switch(world, at, switch)?;
        self.1.switch(world, at, switch)
    }

    fn stands(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        self.0.stands(world, at, change)?;
        self.1.stands(world, at, change)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.0.finish(world, end_ns)?;
        self.1.finish(world, end_ns)
    }
}

/// Takes everything and keeps nothing: for runs that are only about the diagnostics.
impl Sink for () {
    fn change(&mut self, _: &World, _: At, _: &Change<'_>) -> io::Result<()> {
        Ok(())
    }
}
