//! The receiver of tracks.

use std::{fmt, io};

use tband_format::Str;

use super::running::RunningTasks;
use super::track::Track;
use crate::diagnostics::Finding;
use crate::model::{
    Actor, CallChange, Caller, Crash, EventTime, Flow, IsrRef, Outcome, Switch, TaskRef, TaskState,
    Trigger, Waker, World,
};
use crate::number::Number;

/// The moment of a call, and the known state of the target then.
#[derive(Clone, Copy, Debug)]
pub struct Now<'w> {
    /// The known state.
    pub world: &'w World,
    /// The time, in ns.
    pub ns: i64,
    /// The core whose event reports it.
    pub core: u32,
}

impl Now<'_> {
    /// The time with its core.
    #[must_use]
    pub const fn at(&self) -> EventTime {
        EventTime { ns: self.ns, core: self.core }
    }
}

/// Receives slices, levels, instants and flows, each on a [`Track`]. By default they are ignored.
///
/// Times of one track never go back, except where the recording is damaged. An error of any call ends the conversion: the
/// output cannot be written.
#[expect(unused_variables, reason = "an output draws some of them")]
pub trait TrackSink {
    /// The tasks that run now, for [`follow`](super::follow()). `None`: the sink does not need to know which core a task leaves.
    #[inline]
    fn running(&mut self) -> Option<&mut RunningTasks> {
        None
    }

    /// A task changes its state: a new slice on its own track, and on those of the cores that it leaves and gets.
    fn task(&mut self, now: Now<'_>, step: &TaskStep) -> io::Result<()>;

    /// Two steps in one: a task leaves the core and another one gets it. By default the sink gets them one by one.
    #[inline]
    fn switch(&mut self, now: Now<'_>, switch: &Switch) -> io::Result<()> {
        let &Switch { previous, to, next, from } = switch;
        let (runs, waker) = (TaskState::Running(now.core), Waker::Other);
        let leaves = Some(now.core);
        self.task(now, &TaskStep { task: previous, from: runs, to, waker, leaves })?;
        self.task(now, &TaskStep { task: next, from, to: runs, waker, leaves: None })
    }

    /// A track that holds one value at a time has this one from now on.
    fn state(&mut self, now: Now<'_>, track: Track, state: State<'_>) -> io::Result<()> {
        Ok(())
    }

    /// A counter has this value from now on.
    fn level(&mut self, now: Now<'_>, track: Track, level: Level) -> io::Result<()> {
        Ok(())
    }

    /// A slice begins inside of those that are open on the track.
    fn begin(&mut self, now: Now<'_>, track: Track, slice: Event<'_>) -> io::Result<()> {
        Ok(())
    }

    /// The innermost slice of the track ends, if one is open.
    fn end(&mut self, now: Now<'_>, track: Track, end: SliceEnd) -> io::Result<()> {
        Ok(())
    }

    /// Something happens that has no length.
    fn instant(&mut self, now: Now<'_>, track: Track, event: Event<'_>) -> io::Result<()> {
        Ok(())
    }

    /// The slice of one track that ends now leads to the one of the other that begins now. It is reported before both.
    fn link(&mut self, now: Now<'_>, from: Track, to: Track) -> io::Result<()> {
        Ok(())
    }

    /// A call of a kernel function begins or ends; `None` if it is not known any more whether it is open.
    fn call(
        &mut self,
        now: Now<'_>,
        caller: Caller,
        function: u32,
        change: Option<CallChange>,
    ) -> io::Result<()> {
        Ok(())
    }

    /// The state that a task has at the start of a window began at this time, in ns, before the window.
    fn state_began(&mut self, now: Now<'_>, task: TaskRef, ns: i64) -> io::Result<()> {
        Ok(())
    }

    /// The outcome of a task's last wait is known.
    fn wait_ended(&mut self, now: Now<'_>, task: TaskRef, outcome: Outcome) -> io::Result<()> {
        Ok(())
    }

    /// An act of one actor follows from that of another.
    fn flow(&mut self, now: Now<'_>, flow: &Flow) -> io::Result<()> {
        Ok(())
    }

    /// Events of the core are missing from here on. The tracks that this makes unknown are reported one by one.
    fn gap(&mut self, now: Now<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Something is lost or wrong.
    fn finding(&mut self, now: Now<'_>, finding: &Finding<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// A task changes its state.
#[derive(Clone, Copy, Debug)]
pub struct TaskStep {
    /// The task.
    pub task: TaskRef,
    /// Its state so far.
    pub from: TaskState,
    /// Its state from now on.
    pub to: TaskState,
    /// The task's waker.
    pub waker: Waker,
    /// The core that it leaves, and that no other task has got.
    pub leaves: Option<u32>,
}

/// The value of a track that holds one at a time.
#[derive(Clone, Copy, Debug)]
pub enum State<'a> {
    /// It is not known, or its owner is no more.
    Unknown,
    /// It has none: a mutex is free, a timer is dormant. How the value before it ended, in a word, if that is known.
    None(Option<&'static str>),
    /// This one.
    Is(Text<'a>),
}

/// The content of a slice or an instant.
#[derive(Clone, Copy, Debug)]
pub enum Text<'a> {
    /// This task holds it.
    Task(TaskRef),
    /// An unknown task holds it.
    UnknownTask,
    /// An interrupt of the core.
    Isr(IsrRef),
    /// A fixed word.
    Word(&'static str),
    /// The callback of a timer, in this task.
    Callback(Option<TaskRef>),
    /// An act on an object, in words.
    Act(fmt::Arguments<'a>),
    /// A call of the function of this address is sent to the timer task, if there was room.
    Pended(u32, bool),
    /// A text of the target.
    Message(Str<'a>),
    /// A core sleeps for this many ticks at most.
    Sleeps(u32),
    /// The heap had not this many bytes.
    MallocFailed(u32),
    /// A crash.
    Crash(&'a Crash),
    /// A trigger.
    Trigger(&'a Trigger),
}

/// A slice or an instant.
#[derive(Clone, Copy, Debug)]
pub struct Event<'a> {
    /// Its content.
    pub text: Text<'a>,
    /// The actor.
    pub by: Option<Actor>,
}

/// The new value of a counter.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The value; `None` if it is not known, or if there is none.
    pub value: Option<Number>,
    /// There is none any more, since its owner is no more.
    pub has_ended: bool,
    /// Its cause, in a word.
    pub cause: &'static str,
    /// The actor.
    pub by: Option<Actor>,
}

impl Level {
    /// It is not known.
    pub(super) const UNKNOWN: Self =
        Self { value: None, has_ended: false, cause: "unknown", by: None };
    /// Its owner is no more.
    pub(super) const ENDED: Self =
        Self { value: None, has_ended: true, cause: "deleted", by: None };

    /// An integer with its cause.
    #[inline]
    pub(super) fn new(value: impl Into<i64>, cause: &'static str, by: Option<Actor>) -> Self {
        Self::of(Number::Integer(value.into()), cause, by)
    }

    /// A value with its cause.
    #[inline]
    pub(super) const fn of(value: Number, cause: &'static str, by: Option<Actor>) -> Self {
        Self { value: Some(value), has_ended: false, cause, by }
    }
}

/// How a slice ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceEnd {
    /// Its end is recorded.
    Recorded,
    /// It never ends: its task is no more.
    Abandoned,
    /// It is not known whether it is still open.
    Unknown,
}
