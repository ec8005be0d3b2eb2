//! The running tasks of each core, with the event names of the Linux kernel's tracer: a trace of CTF 1.8 for views of its
//! scheduling.

use std::io;

use super::counts::{Counts, precision};
use super::fixed::{FixedPacker, StreamOfCore, string};
use super::streams::Streams;
use super::{CtfSummary, tsdl, write};
use crate::convert::{Summary, convert};
use crate::diagnostics::{Finding, Problem};
use crate::error::ConvError;
use crate::input::Input;
use crate::model::{Change, EventTime, IsrRef, Sink, Switch, TaskRef, TaskState, World};
use crate::options::Options;
use crate::output::Output;
use crate::sinks::tid_of;

/// The events, by their ids.
const EVENTS: [(&str, &[(&str, &str)]); 5] = [
    (
        "sched_switch",
        &[
            (STRING, "prev_comm"),
            ("int32_t", "prev_tid"),
            ("int32_t", "prev_prio"),
            ("int64_t", "prev_state"),
            (STRING, "next_comm"),
            ("int32_t", "next_tid"),
            ("int32_t", "next_prio"),
        ],
    ),
    (
        "sched_wakeup",
        &[
            (STRING, "comm"),
            ("int32_t", "tid"),
            ("int32_t", "prio"),
            ("int32_t", "success"),
            ("int32_t", "target_cpu"),
        ],
    ),
    ("irq_handler_entry", &[("int32_t", "irq"), (STRING, "name")]),
    ("irq_handler_exit", &[("int32_t", "irq"), ("int32_t", "ret")]),
    (
        "sched_migrate_task",
        &[
            (STRING, "comm"),
            ("int32_t", "tid"),
            ("int32_t", "prio"),
            ("int32_t", "orig_cpu"),
            ("int32_t", "dest_cpu"),
        ],
    ),
];
const STRING: &str = "string { encoding = UTF8; }";
const SWITCH: u8 = 0;
const WAKEUP: u8 = 1;
const IRQ_ENTRY: u8 = 2;
const IRQ_EXIT: u8 = 3;
const MIGRATE: u8 = 4;

/// Writes the running tasks of each core into a folder as a trace of CTF 1.8, with the names and fields of LTTng's events of
/// the Linux kernel. Files are read twice.
///
/// Tasks are threads with their own numbers, except idle tasks, which have number 0 as in Linux, and tasks whose number was
/// used by another task before them. A core whose running task is unknown has number 0, too. Priorities are the target's, where
/// the higher number is the more urgent. Times are nanoseconds. Lost packets and events are counted as such. The other findings
/// of the conversion are returned.
///
/// # Errors
/// [`ConvError`] if an input cannot be read or is not a recording, or a file cannot be written.
pub fn convert_scheduling_to_ctf(
    inputs: &[Input<'_>],
    options: &Options,
    output: &mut Output<'_>,
) -> Result<(Summary, CtfSummary), ConvError> {
    let mut streams = Streams::new(output);
    let hz = 1_000_000_000;
    let summary = CtfSummary { hz, ..CtfSummary::default() };
    let packer = FixedPacker::default();
    let mut sink = Scheduling { streams: &mut streams, summary, packer, reached: Vec::new() };
    let found = convert(inputs, options, &mut sink)?;
    let summary = sink.summary;
    streams.close().map_err(ConvError::Write)?;
    let counts = Counts {
        hz,
        first_ticks: 0,
        precision: precision(inputs, hz),
        is_unknown: found.diagnostics.get(Problem::NoResolution).is_some(),
    };
    let text = tsdl::kernel_metadata(counts, &EVENTS);
    write(output, "metadata", text.as_bytes()).map_err(ConvError::Write)?;
    Ok((found, summary))
}

/// Writes the events.
struct Scheduling<'e, 's, 'o> {
    streams: &'e mut Streams<'s, 'o>,
    summary: CtfSummary,
    packer: FixedPacker,
    /// By core, the time that it has reached, in ns.
    reached: Vec<u64>,
}

/// A thread as the events report it.
struct Thread {
    comm: String,
    tid: i32,
    priority: i32,
}

impl Thread {
    fn of(world: &World, task: TaskRef) -> Self {
        let known = world.tasks.get(task);
        let priority = known.and_then(|it| it.priority).unwrap_or(0);
        let is_idle = known.is_some_and(|it| it.idle_of.is_some());
        Self {
            comm: world.task_name(task).to_string(),
            tid: if is_idle { 0 } else { tid_of(world, task) },
            priority: i32::try_from(priority).unwrap_or(i32::MAX),
        }
    }

    /// The entry for an unknown running task.
    fn unknown(core: u32) -> Self {
        Self { comm: format!("swapper/{core}"), tid: 0, priority: 0 }
    }
}

/// Returns the present state of a task that ran, by Linux's numbers.
const fn state_of(state: TaskState) -> i64 {
    match state {
        TaskState::Running(_) | TaskState::Ready | TaskState::Created => 0,
        TaskState::Blocked(_) => 1,
        // The task sleeps for an unknown reason.
        TaskState::Unknown => 2,
        TaskState::Suspended => 4,
        TaskState::Deleted => 64,
    }
}

impl Scheduling<'_, '_, '_> {
    fn event(
        &mut self,
        EventTime { ns, core }: EventTime,
        id: u8,
        fields: impl FnOnce(&mut Vec<u8>),
    ) -> io::Result<()> {
        let index = core as usize;
        if self.reached.len() <= index {
            self.reached.resize(index + 1, 0);
        }
        let reached = &mut self.reached[index];
        *reached = u64::try_from(ns).unwrap_or(0).max(*reached);
        let of = StreamOfCore { id: self.streams.id((0, 0), core as u8)?, core };
        let streams = &mut *self.streams;
        let mut out = |id: u8, bytes: &[u8]| streams.packet(id, bytes);
        self.packer.push_fields(of, *reached, [id], &mut out, fields);
        self.summary.events = self.summary.events.saturating_add(1);
        self.streams.check()
    }

    fn write_switch(
        &mut self,
        at: EventTime,
        (previous, state): (&Thread, i64),
        next: &Thread,
    ) -> io::Result<()> {
        self.event(at, SWITCH, |bytes| {
            string(bytes, previous.comm.as_bytes());
            bytes.extend(previous.tid.to_le_bytes());
            bytes.extend(previous.priority.to_le_bytes());
            bytes.extend(state.to_le_bytes());
            string(bytes, next.comm.as_bytes());
            bytes.extend(next.tid.to_le_bytes());
            bytes.extend(next.priority.to_le_bytes());
        })
    }

    fn task_state(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        (from, to): (TaskState, TaskState),
    ) -> io::Result<()> {
        let thread = Thread::of(world, task);
        match (from, to) {
            (_, TaskState::Running(core)) => {
                self.write_switch(EventTime { core, ..at }, (&Thread::unknown(core), 0), &thread)
            }
            (TaskState::Running(core), _) => {
                let previous = (&thread, state_of(to));
                self.write_switch(EventTime { core, ..at }, previous, &Thread::unknown(core))
            }
            (
                TaskState::Blocked(_) | TaskState::Suspended | TaskState::Created,
                TaskState::Ready,
            ) => self.event(at, WAKEUP, |bytes| {
                string(bytes, thread.comm.as_bytes());
                bytes.extend(thread.tid.to_le_bytes());
                bytes.extend(thread.priority.to_le_bytes());
                bytes.extend(1_i32.to_le_bytes());
                bytes.extend(at.core.cast_signed().to_le_bytes());
            }),
            _ => Ok(()),
        }
    }

    fn write_migration(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        from: u32,
    ) -> io::Result<()> {
        let thread = Thread::of(world, task);
        self.event(at, MIGRATE, |bytes| {
            string(bytes, thread.comm.as_bytes());
            bytes.extend(thread.tid.to_le_bytes());
            bytes.extend(thread.priority.to_le_bytes());
            bytes.extend(from.cast_signed().to_le_bytes());
            bytes.extend(at.core.cast_signed().to_le_bytes());
        })
    }

    fn isr(&mut self, world: &World, at: EventTime, isr: IsrRef, enters: bool) -> io::Result<()> {
        let irq = world.isrs.get(isr).map_or(0, |isr| isr.id).cast_signed();
        if !enters {
            return self.event(at, IRQ_EXIT, |bytes| {
                bytes.extend(irq.to_le_bytes());
                bytes.extend(1_i32.to_le_bytes());
            });
        }
        let name = world.isr_name(isr, at.core).to_string();
        self.event(at, IRQ_ENTRY, |bytes| {
            bytes.extend(irq.to_le_bytes());
            string(bytes, name.as_bytes());
        })
    }

    fn finding(&mut self, core: u32, finding: &Finding<'_>) -> io::Result<()> {
        let amount = u32::try_from(finding.amount).unwrap_or(u32::MAX);
        let (events, packets) = match finding.problem {
            Problem::EventsDiscarded | Problem::EventsLost => (amount, 0),
            Problem::PacketsLost => (0, amount),
            _ => return Ok(()),
        };
        let of = StreamOfCore { id: self.streams.id((0, 0), core as u8)?, core };
        let streams = &mut *self.streams;
        let mut out = |id: u8, bytes: &[u8]| streams.packet(id, bytes);
        self.packer.missing(of, events, packets, &mut out);
        self.streams.check()
    }
}

impl Sink for Scheduling<'_, '_, '_> {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        match *change {
            Change::TaskState { task, from, to, .. } => {
                self.task_state(world, at, task, (from, to))
            }
            Change::Migrated { task, from, .. } => self.write_migration(world, at, task, from),
            Change::IsrEnter(isr) => self.isr(world, at, isr, true),
            Change::IsrExit(isr) => self.isr(world, at, isr, false),
            Change::Finding(finding) => self.finding(at.core, finding),
            _ => Ok(()),
        }
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        let (previous, next) = (Thread::of(world, switch.previous), Thread::of(world, switch.next));
        self.write_switch(at, (&previous, state_of(switch.to)), &next)
    }

    fn finish(&mut self, _: &World, _: i64) -> io::Result<()> {
        let streams = &mut *self.streams;
        self.packer.flush(&mut |id: u8, bytes: &[u8]| streams.packet(id, bytes));
        self.streams.check()
    }
}
