//! Stream buffers, event groups, timers, heap, sleep and kernel calls, as text.

use std::fmt::{self, Display, Formatter};

use crate::model::{Actor, Bits, Change, EventTime};
use crate::model::{
    BufferCause, CallChange, Caller, EventGroupChange, ForgottenState, HeapChange, KernelChange,
    StreamBufferChange, TimerChange, World, function_name,
};
use tband_import::counted::counted;

/// A line of text for a change of these objects, after its time and core; empty for any other change.
pub struct Line<'a> {
    pub world: &'a World,
    pub at: EventTime,
    pub change: &'a Change<'a>,
}

/// Returns the mark after an act of an interrupt.
pub const fn from_isr(by: Option<Actor>) -> &'static str {
    match by {
        Some(by) if by.is_isr() => " from isr",
        _ => "",
    }
}

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { world, at, change } = *self;
        match *change {
            Change::StreamBuffer(buffer, change, by) => {
                write!(f, "{:#}: {}", world.stream_buffer_name(buffer), change.name())?;
                if let StreamBufferChange::Level(
                    _,
                    BufferCause::Send(amount) | BufferCause::Receive(amount),
                ) = change
                {
                    write!(f, " {amount}")?;
                }
                if let Some(by) = by {
                    write!(f, " by {}", world.actor_name(by, at.core))?;
                }
                match change {
                    StreamBufferChange::Level(level, _) => write!(f, ", level {level}"),
                    _ => Ok(()),
                }
            }
            Change::EventGroup(group, change, _) => {
                write!(f, "{:#}: {change}", world.event_group_name(group))?;
                match change {
                    EventGroupChange::Bits(bits, _) => write!(f, ", bits {}", Bits(bits)),
                    _ => Ok(()),
                }
            }
            Change::Timer(timer, change, _) => {
                write!(f, "{:#}: {change}", world.timer_name(timer))?;
                match change {
                    TimerChange::CallbackBegin(Some(task)) => {
                        write!(f, " in {}", world.task_name(task))
                    }
                    TimerChange::CallbackBegin(None) => write!(f, " in an unknown owner"),
                    TimerChange::CallbackEnd { begin_ns, end_ns, .. } => {
                        write!(f, " at {end_ns} after {} ns", end_ns.saturating_sub(begin_ns))
                    }
                    _ => Ok(()),
                }
            }
            Change::Kernel(change, by) => kernel(f, world, change, by),
            Change::Call(caller, function, change) => {
                write!(f, "{}: ", caller_name(world, caller))?;
                match change {
                    CallChange::Begin => write!(f, "{} begins", function_name(function)),
                    CallChange::Abandoned => {
                        write!(f, "{} does not return", function_name(function))
                    }
                    CallChange::End { begin_ns, value } => {
                        let time = at.ns.saturating_sub(begin_ns);
                        write!(f, "{} ends after {time} ns", function_name(function))?;
                        value.map_or(Ok(()), |value| write!(f, " with {value}"))
                    }
                }
            }
            Change::Forgotten(what) => forgotten(f, world, what),
            _ => Ok(()),
        }
    }
}

fn forgotten(f: &mut Formatter<'_>, world: &World, what: ForgottenState) -> fmt::Result {
    match what {
        ForgottenState::StreamBuffer(buffer) => {
            write!(f, "{:#}: unknown level", world.stream_buffer_name(buffer))
        }
        ForgottenState::EventGroup(group) => {
            write!(f, "{:#}: unknown bits", world.event_group_name(group))
        }
        ForgottenState::Timer(timer) => {
            write!(f, "{:#}: unknown whether it is active", world.timer_name(timer))
        }
        ForgottenState::Callback(timer, _) => {
            write!(f, "{:#}: unknown whether its callback runs", world.timer_name(timer))
        }
        ForgottenState::Call(caller, function) => {
            let caller = caller_name(world, caller);
            write!(f, "{caller}: unknown whether {} continues", function_name(function))
        }
        ForgottenState::Sleep => write!(f, "core: unknown whether it sleeps"),
        _ => Ok(()),
    }
}

fn kernel(
    f: &mut Formatter<'_>,
    world: &World,
    change: KernelChange,
    by: Option<Actor>,
) -> fmt::Result {
    match change {
        KernelChange::Heap(HeapChange { freed, size, bytes_free, in_use, .. }) => {
            let what = if freed { "free" } else { "malloc" };
            write!(f, "heap: {what} {size}, in use {in_use}")?;
            bytes_free.map_or(Ok(()), |free| write!(f, ", free {free}"))
        }
        KernelChange::MallocFailed { size } => {
            write!(f, "heap: malloc {size} failed")?;
            let task = by.and_then(Actor::task);
            task.map_or(Ok(()), |task| write!(f, " in {}", world.task_name(task)))
        }
        KernelChange::Sleeps(ticks) => {
            write!(f, "core: sleeps for up to {}", counted(ticks, "tick"))
        }
        KernelChange::Wakes => write!(f, "core: wakes"),
        KernelChange::Ticks(ticks) => write!(f, "tick count {ticks}"),
        KernelChange::Pended { function, accepted } => {
            let outcome = if accepted { "sent" } else { "refused" };
            write!(f, "call of {function:#x} by the timer task{} {outcome}", from_isr(by))
        }
    }
}

fn caller_name(world: &World, caller: Caller) -> String {
    match caller {
        Caller::Task(task) => world.task_name(task).to_string(),
        Caller::Isr => "isr".to_owned(),
        Caller::Unknown => "nobody".to_owned(),
    }
}
