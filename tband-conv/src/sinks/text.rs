//! The timeline as text, one line a change: for golden tests and for reading.

mod objects;

use std::io::{self, Write};

use self::objects::{Line, from_isr};

use crate::model::{
    Actor, Change, EventTime, Flow, ForgottenState, Marker, PriorityCause, QueueChange, Scope,
    ShedClass, Sink, Task, TaskChange, TaskRef, TaskState, TimerChange, Wait, Waker, World,
    describe_bits,
};
use tband_import::counted::counted;

/// Writes the timeline as text.
#[derive(Debug)]
pub struct TimelineText<W> {
    out: W,
    detailed: bool,
}

impl<W: Write> TimelineText<W> {
    /// Writes to `out`.
    pub const fn new(out: W) -> Self {
        Self { out, detailed: false }
    }

    /// Writes also how long tasks are willing to wait, how their waits end, and flows.
    #[must_use]
    pub fn detailed(mut self) -> Self {
        self.detailed = true;
        self
    }

    /// Returns the output.
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl<W: Write> Sink for TimelineText<W> {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        let detailed = self.detailed;
        let is_detail = matches!(
            change,
            Change::WaitEnded { .. }
                | Change::Flow(_)
                | Change::Migrated { .. }
                | Change::Timer(_, TimerChange::LeadsToCallback, _)
        );
        // The states that this makes unknown are reported one by one.
        let is_reported = match change {
            Change::Forgotten(ForgottenState::Core) => true,
            // No arrow.
            Change::Flow(flow) => flow.is_to_itself(),
            _ => false,
        };
        if is_reported || (is_detail && !detailed) {
            return Ok(());
        }
        let out = &mut self.out;
        write!(out, "{:>12} {} ", at.ns, at.core)?;
        match *change {
            Change::TaskAppears(task) => writeln!(out, "{}: appears", world.task_name(task)),
            Change::TaskRenamed(task) => writeln!(out, "{}: is its name", world.task_name(task)),
            Change::TaskState { task, from, to, waker } => {
                write!(out, "{}: ", world.task_name(task))?;
                let entry = world.tasks.get(task);
                if from != to {
                    state(out, world, entry, from)?;
                    write!(out, " -> ")?;
                }
                state(out, world, entry, to)?;
                if let (TaskState::Blocked(_), true, Some(ticks)) =
                    (to, detailed, entry.and_then(Task::limit))
                {
                    write!(out, ", {} at most", counted(ticks, "tick"))?;
                }
                if let Waker::Task(waker) = waker {
                    write!(out, " by {}", world.task_name(waker))?;
                }
                writeln!(out)
            }
            Change::WaitEnded { task, wait, outcome } => {
                let (name, wait) = (world.task_name(task), world.describe_wait(wait));
                writeln!(out, "{name}: wait on {wait} ended: {}", outcome.name())
            }
            Change::Task(task, change, by) => task_change(out, world, at, (task, change), by),
            Change::Flow(flow) => write_flow(out, world, flow),
            Change::Migrated { task, from, left_ns } => {
                writeln!(out, "{}: comes from core {from}, left @{left_ns}", world.task_name(task))
            }
            Change::StillRunning(task) => writeln!(out, "{}: runs on", world.task_name(task)),
            Change::Priority { task, priority, base, cause, .. } => {
                let how = match cause {
                    PriorityCause::Set => match base.filter(|base| *base != priority) {
                        Some(base) => &format!("base priority {base}, still priority"),
                        None => "priority",
                    },
                    PriorityCause::Inherit => "inherits priority",
                    PriorityCause::Disinherit => "falls back to priority",
                };
                writeln!(out, "{}: {how} {priority}", world.task_name(task))
            }
            Change::IsrEnter(isr) => writeln!(out, "{:#} begins", world.isr_name(isr, at.core)),
            Change::IsrExit(isr) => writeln!(out, "{:#} ends", world.isr_name(isr, at.core)),
            Change::QueueLevel { queue, level, cause, by } => {
                let what = cause.name();
                let by = from_isr(by);
                writeln!(out, "{}: {what}{by}, level {level}", world.queue_name(queue))
            }
            Change::Queue(queue, change, by) => {
                write!(out, "{}: ", world.queue_name(queue))?;
                write!(out, "{}", change.name())?;
                if let QueueChange::Depth(depth) = change {
                    write!(out, " {depth}")?;
                }
                write_actor(out, world, at, by)
            }
            Change::MutexTaken(queue, holder) => match holder {
                Some(task) => {
                    writeln!(out, "{}: taken by {}", world.queue_name(queue), world.task_name(task))
                }
                None => writeln!(out, "{}: taken", world.queue_name(queue)),
            },
            Change::MutexGiven(queue, _) => writeln!(out, "{}: given", world.queue_name(queue)),
            Change::Marker(marker, msg, _) => {
                scope(out, world, world.markers.get(marker))?;
                writeln!(out, "{}: {msg:?}", world.marker_name(marker))
            }
            Change::SpanBegin(marker, msg, _) => {
                scope(out, world, world.markers.get(marker))?;
                writeln!(out, "{}: begin {msg:?}", world.marker_name(marker))
            }
            Change::SpanEnd(marker, _) => {
                scope(out, world, world.markers.get(marker))?;
                writeln!(out, "{}: end", world.marker_name(marker))
            }
            Change::SpanAbandoned(marker) => {
                scope(out, world, world.markers.get(marker))?;
                writeln!(out, "{}: does not end", world.marker_name(marker))
            }
            Change::Value(value, number, _) => {
                scope(out, world, world.values.get(value))?;
                writeln!(out, "{} = {number}", world.value_name(value))
            }
            Change::Forgotten(ForgottenState::Isr(isr)) => {
                writeln!(out, "{:#}: unknown whether it is open", world.isr_name(isr, at.core))
            }
            Change::Forgotten(ForgottenState::Level(queue)) => {
                writeln!(out, "{}: unknown level", world.queue_name(queue))
            }
            Change::Forgotten(ForgottenState::Holder(queue)) => {
                writeln!(out, "{}: unknown holder", world.queue_name(queue))
            }
            Change::Forgotten(ForgottenState::Priority(task)) => {
                writeln!(out, "{:#}: unknown priority", world.task_name(task))
            }
            Change::Forgotten(ForgottenState::Span(marker)) => {
                scope(out, world, world.markers.get(marker))?;
                writeln!(out, "{}: unknown whether a span is open", world.marker_name(marker))
            }
            Change::StreamBuffer(..)
            | Change::EventGroup(..)
            | Change::Timer(..)
            | Change::Kernel(..)
            | Change::Call(..)
            | Change::Forgotten(_) => writeln!(out, "{}", Line { world, at, change }),
            Change::LeftOut(what, begins) => {
                let how = if begins { "not recorded from here on" } else { "recorded again" };
                writeln!(out, "{}: {how}", world.omission_name(what))
            }
            Change::Shed { class, events, .. } => {
                writeln!(
                    out,
                    "class {}: {} shed",
                    ShedClass::name_of(class),
                    counted(events, "event")
                )
            }
            Change::Crash(crash) => writeln!(out, "! {crash}"),
            Change::Trigger(trigger) => writeln!(out, "{trigger}"),
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

fn write_actor(
    out: &mut impl Write,
    world: &World,
    at: EventTime,
    by: Option<Actor>,
) -> io::Result<()> {
    match by {
        Some(by) => writeln!(out, " by {}", world.actor_name(by, at.core)),
        None => writeln!(out),
    }
}

fn task_change(
    out: &mut impl Write,
    world: &World,
    at: EventTime,
    (task, change): (TaskRef, TaskChange),
    by: Option<Actor>,
) -> io::Result<()> {
    write!(out, "{}: ", world.task_name(task))?;
    match change {
        TaskChange::Notified { index, action, value_after } => {
            let action = action.name().unwrap_or("unknown action");
            write!(out, "notified [{index}], {action}, value {value_after}")?;
            write_actor(out, world, at, by)
        }
        TaskChange::NotificationTaken { index, value, value_after } => {
            writeln!(out, "takes notification [{index}], value {value}, then {value_after}")
        }
        TaskChange::NotificationEnds { index, value, received } => {
            let how = if received { "gets" } else { "gets no" };
            writeln!(out, "{how} notification [{index}], value {value}")
        }
        TaskChange::NotificationDiscarded { index } => {
            writeln!(out, "notification [{index}] discarded")
        }
        TaskChange::NotificationCleared { index, bits } => {
            writeln!(out, "notification [{index}], bits {bits:#x} cleared")
        }
        TaskChange::WaitAborted => writeln!(out, "wait to be aborted"),
        TaskChange::WakesAt(tick) => writeln!(out, "waits until tick {tick}"),
        TaskChange::MayRunOn(mask) => writeln!(out, "may run on cores {mask:#b}"),
        TaskChange::StackHighWaterMark(bytes) => writeln!(out, "{bytes} bytes of stack never used"),
        TaskChange::Since(ns) => writeln!(out, "so since {ns}"),
    }
}

fn write_flow(out: &mut impl Write, world: &World, flow: &Flow) -> io::Result<()> {
    let Flow { from, to, woke, uncertain_ns } = flow;
    write!(
        out,
        "{} ({} @{}) -> {} ({})",
        world.actor_name(from.actor, from.core),
        world.describe_act(from.act),
        from.ns,
        world.actor_name(to.actor, to.core),
        world.describe_act(to.act)
    )?;
    if *uncertain_ns > 0 {
        write!(out, ", times are certain within {uncertain_ns} ns")?;
    }
    writeln!(out, "{}", if *woke { ", woken" } else { "" })
}

fn state(
    out: &mut impl Write,
    world: &World,
    task: Option<&Task>,
    state: TaskState,
) -> io::Result<()> {
    match state {
        TaskState::Unknown => write!(out, "unknown"),
        TaskState::Created => write!(out, "created"),
        TaskState::Ready => write!(out, "ready"),
        TaskState::Running(_) => write!(out, "running"),
        TaskState::Blocked(wait) => {
            write!(out, "blocked on {}", world.describe_wait(wait))?;
            match (wait, task) {
                (Wait::Bits(_) | Wait::EventGroupSync(_), Some(task)) => {
                    write!(out, ", {}", describe_bits(task.awaited_bits()))
                }
                _ => Ok(()),
            }
        }
        TaskState::Suspended => write!(out, "suspended"),
        TaskState::Deleted => write!(out, "deleted"),
    }
}

/// Whose marker it is, unless it is a global one.
fn scope(out: &mut impl Write, world: &World, marker: Option<&Marker>) -> io::Result<()> {
    match marker.map(|marker| marker.scope) {
        Some(Scope::Task(task)) => write!(out, "{}'s ", world.task_name(task)),
        Some(Scope::UnknownTask) => write!(out, "some task's "),
        _ => Ok(()),
    }
}
