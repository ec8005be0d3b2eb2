//! The timeline as text, one line a change: for golden tests and for reading.

use std::io::{self, Write};

use crate::timeline::{
    At, Change, Forgotten, Label, PriorityCause, QueueCause, Scope, Sink, TaskState, Waker,
};
use crate::timeline::{Marker, World};

/// Writes the timeline as text.
#[derive(Debug)]
pub struct TimelineText<W> {
    out: W,
}

impl<W: Write> TimelineText<W> {
    /// Writes to `out`.
    pub const fn new(out: W) -> Self {
        Self { out }
    }

    /// Gives the output back.
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl<W: Write> Sink for TimelineText<W> {
    fn change(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        let out = &mut self.out;
        write!(out, "{:>12} {} ", at.ns, at.core)?;
        match *change {
            Change::TaskAppears(task) => writeln!(out, "{}: appears", world.task_name(task)),
            Change::TaskRenamed(task) => writeln!(out, "{}: is its name", world.task_name(task)),
            Change::TaskState { task, from, to, waker } => {
                write!(out, "{}: ", world.task_name(task))?;
                state(out, world, from)?;
                write!(out, " -> ")?;
                state(out, world, to)?;
                if let Waker::Task(waker) = waker {
                    write!(out, " by {}", world.task_name(waker))?;
                }
                writeln!(out)
            }
            Change::StillRunning(task) => writeln!(out, "{}: runs on", world.task_name(task)),
            Change::Priority { task, priority, cause } => {
                let how = match cause {
                    PriorityCause::Set => "priority",
                    PriorityCause::Inherit => "inherits priority",
                    PriorityCause::Disinherit => "falls back to priority",
                };
                writeln!(out, "{}: {how} {priority}", world.task_name(task))
            }
            Change::IsrEnter(isr) => writeln!(out, "{:#} begins", world.isr_name(isr, at.core)),
            Change::IsrExit(isr) => writeln!(out, "{:#} ends", world.isr_name(isr, at.core)),
            Change::QueueLevel { queue, level, cause, from_isr } => {
                let what = match cause {
                    QueueCause::Send => "send",
                    QueueCause::Overwrite => "overwrite",
                    QueueCause::Receive => "receive",
                    QueueCause::Reset => "reset",
                    QueueCause::Told => "told",
                };
                let by = if from_isr { " from isr" } else { "" };
                writeln!(out, "{}: {what}{by}, level {level}", world.queue_name(queue))
            }
            Change::MutexTaken(queue, holder) => match holder {
                Some(task) => {
                    writeln!(out, "{}: taken by {}", world.queue_name(queue), world.task_name(task))
                }
                None => writeln!(out, "{}: taken", world.queue_name(queue)),
            },
            Change::MutexGiven(queue) => writeln!(out, "{}: given", world.queue_name(queue)),
            Change::Marker(marker, msg) => {
                scope(out, world, world.markers.get(marker))?;
                writeln!(out, "{}: {msg:?}", world.marker_name(marker))
            }
            Change::SpanBegin(marker, msg) => {
                scope(out, world, world.markers.get(marker))?;
                writeln!(out, "{}: begin {msg:?}", world.marker_name(marker))
            }
            Change::SpanEnd(marker) => {
                scope(out, world, world.markers.get(marker))?;
                writeln!(out, "{}: end", world.marker_name(marker))
            }
            Change::Value(value, number) => {
                scope(out, world, world.values.get(value))?;
                writeln!(out, "{} = {number}", world.value_name(value))
            }
            Change::Forgotten(Forgotten::Isr(isr)) => {
                writeln!(out, "{:#}: unknown whether it is open", world.isr_name(isr, at.core))
            }
            Change::Forgotten(Forgotten::Level(queue)) => {
                writeln!(out, "{}: unknown level", world.queue_name(queue))
            }
            Change::Forgotten(Forgotten::Holder(queue)) => {
                writeln!(out, "{}: unknown holder", world.queue_name(queue))
            }
            Change::Forgotten(Forgotten::Span(marker)) => {
                scope(out, world, world.markers.get(marker))?;
                writeln!(out, "{}: unknown whether a span is open", world.marker_name(marker))
            }
            Change::Finding(finding) => {
                writeln!(
                    out,
                    "! {} @{}: {}",
                    finding.problem.title(),
                    finding.place.offset,
                    finding.text
                )
            }
        }
    }

    fn finish(&mut self, _: &World, end_ns: i64) -> io::Result<()> {
        writeln!(self.out, "{end_ns:>12} end")?;
        self.out.flush()
    }
}

fn state(out: &mut impl Write, world: &World, state: TaskState) -> io::Result<()> {
    match state {
        TaskState::Unknown => write!(out, "unknown"),
        TaskState::Created => write!(out, "created"),
        TaskState::Ready => write!(out, "ready"),
        TaskState::Running(_) => write!(out, "running"),
        TaskState::Blocked(wait) => write!(out, "blocked on {}", world.describe_wait(wait)),
        TaskState::Suspended => write!(out, "suspended"),
        TaskState::Deleted => write!(out, "deleted"),
    }
}

/// Whose marker it is, unless it is a global one.
fn scope(out: &mut impl Write, world: &World, marker: Option<&Marker>) -> io::Result<()> {
    match marker.map(|marker| marker.scope) {
        Some(Scope::Task(id)) => {
            write!(out, "{}'s ", Label::of("task", id, world.name_of_task(id)))
        }
        Some(Scope::UnknownTask) => write!(out, "some task's "),
        _ => Ok(()),
    }
}
