//! Changes that are reported later than they come.

use std::io;

use tband_format::Str;

use crate::diagnostics::{Finding, Place, Problem};
use crate::model::{
    Actor, Change, Crash, EventTime, Flow, ForgottenState, MarkerRef, QueueChange, Sink, TaskState,
    Trigger, World,
};

/// A change that owns its data.
#[derive(Clone, Debug)]
pub(super) enum OwnedChange {
    Plain(Change<'static>),
    Flow(Flow),
    Crash(Box<Crash>),
    Trigger(Box<Trigger>),
    Marker(MarkerRef, Vec<u8>, Option<Actor>),
    SpanBegin(MarkerRef, Vec<u8>, Option<Actor>),
    Finding { problem: Problem, place: Place, amount: u64, text: String },
}

impl OwnedChange {
    pub fn new(change: &Change<'_>) -> Self {
        Self::Plain(match *change {
            Change::Flow(flow) => return Self::Flow(*flow),
            Change::Crash(crash) => return Self::Crash(crash.clone().into()),
            Change::Trigger(trigger) => return Self::Trigger(trigger.clone().into()),
            Change::Marker(marker, text, by) => {
                return Self::Marker(marker, text.0.to_vec(), by);
            }
            Change::SpanBegin(marker, text, by) => {
                return Self::SpanBegin(marker, text.0.to_vec(), by);
            }
            Change::Finding(&Finding { problem, place, amount, text }) => {
                return Self::Finding { problem, place, amount, text: text.to_owned() };
            }
            Change::TaskAppears(task) => Change::TaskAppears(task),
            Change::TaskRenamed(task) => Change::TaskRenamed(task),
            Change::TaskState { task, from, to, waker } => {
                Change::TaskState { task, from, to, waker }
            }
            Change::WaitEnded { task, wait, outcome } => Change::WaitEnded { task, wait, outcome },
            Change::Task(task, change, by) => Change::Task(task, change, by),
            Change::Migrated { task, from, left_ns } => Change::Migrated { task, from, left_ns },
            Change::StillRunning(task) => Change::StillRunning(task),
            Change::Priority { task, priority, base, cause, by } => {
                Change::Priority { task, priority, base, cause, by }
            }
            Change::LeftOut(what, begins) => Change::LeftOut(what, begins),
            Change::Shed { class, events, total } => Change::Shed { class, events, total },
            Change::IsrEnter(isr) => Change::IsrEnter(isr),
            Change::IsrExit(isr) => Change::IsrExit(isr),
            Change::QueueLevel { queue, level, cause, by } => {
                Change::QueueLevel { queue, level, cause, by }
            }
            Change::Queue(queue, change, by) => Change::Queue(queue, change, by),
            Change::MutexTaken(queue, holder) => Change::MutexTaken(queue, holder),
            Change::MutexGiven(queue, by) => Change::MutexGiven(queue, by),
            Change::SpanEnd(marker, by) => Change::SpanEnd(marker, by),
            Change::SpanAbandoned(marker) => Change::SpanAbandoned(marker),
            Change::Value(marker, value, by) => Change::Value(marker, value, by),
            Change::StreamBuffer(buffer, change, by) => Change::StreamBuffer(buffer, change, by),
            Change::EventGroup(group, change, by) => Change::EventGroup(group, change, by),
            Change::Timer(timer, change, by) => Change::Timer(timer, change, by),
            Change::Kernel(change, by) => Change::Kernel(change, by),
            Change::Call(caller, function, change) => Change::Call(caller, function, change),
            Change::Forgotten(what) => Change::Forgotten(what),
        })
    }

    /// Whether the change undoes this one or continues it for the same task or mutex, so that it has to come after this one.
    pub fn is_taken_back_by(&self, change: &Change<'_>) -> bool {
        let Self::Plain(kept) = self else { return false };
        match *change {
            Change::Forgotten(ForgottenState::Priority(task)) => {
                matches!(*kept, Change::Priority { task: of, .. } if of == task)
            }
            Change::TaskState { task, to, .. } => match *kept {
                Change::TaskState { task: of, .. } => of == task,
                // A task that is deleted has none of these.
                Change::Priority { task: of, .. } | Change::Task(of, ..) => {
                    of == task && to == TaskState::Deleted
                }
                _ => false,
            },
            Change::MutexTaken(queue, _)
            | Change::MutexGiven(queue, _)
            | Change::Forgotten(ForgottenState::Holder(queue)) => match *kept {
                Change::Queue(of, QueueChange::Depth(_) | QueueChange::Deleted, _)
                | Change::MutexTaken(of, _)
                | Change::MutexGiven(of, _)
                | Change::Forgotten(ForgottenState::Holder(of)) => of == queue,
                _ => false,
            },
            _ => false,
        }
    }

    pub fn emit(&self, world: &World, at: EventTime, sink: &mut dyn Sink) -> io::Result<()> {
        let change = match self {
            Self::Plain(change) => *change,
            Self::Flow(flow) => Change::Flow(flow),
            Self::Crash(crash) => Change::Crash(crash),
            Self::Trigger(trigger) => Change::Trigger(trigger),
            Self::Marker(marker, text, by) => Change::Marker(*marker, Str(text), *by),
            Self::SpanBegin(marker, text, by) => Change::SpanBegin(*marker, Str(text), *by),
            Self::Finding { problem, place, amount, text } => {
                let finding = Finding { problem: *problem, place: *place, amount: *amount, text };
                return sink.change(world, at, &Change::Finding(&finding));
            }
        };
        sink.change(world, at, &change)
    }
}
