//! Rows of kernel objects other than tasks and queues: stream buffers, event groups, heap, sleep, and
//! calls of the kernel's functions; those of software timers are in `timers.rs`.
//!
//! A call stands on the row of its task's thread. What is no slice or counter is an instant on a row of
//! its object.

use std::io::Write;

use super::Perfetto;
use super::packets::{Arg, EventType};
use super::tracks::{Group, Parent, Row, Shows, Uuid};
use crate::timeline::{
    Actor, At, Bits, BitsCause, BufferCause, CallChange, Caller, EventGroupChange, EventGroupRef,
    HeapChange, KernelChange, Outcome, StreamBufferChange, StreamBufferRef, TaskState, World,
    function_name,
};

/// Rows by object, core or task; 0 stands for one that is not made yet.
#[derive(Debug, Default)]
pub struct ObjectRows {
    levels: Vec<Uuid>,
    buffer_events: Vec<Uuid>,
    bits: Vec<Uuid>,
    /// Event groups whose bits are shown now.
    shown_bits: Vec<bool>,
    pub(super) timers: Vec<Uuid>,
    /// By task, with one of nobody in front.
    pub(super) callbacks: Vec<Uuid>,
    sleep: Vec<Uuid>,
    isr_calls: Vec<Uuid>,
    nobody_calls: Vec<Uuid>,
    /// By [`Single`].
    singles: Vec<Uuid>,
    /// The arrow from a timer that expires to its callback, until that begins.
    pub(super) expiry: Option<u64>,
}

/// Rows of which there is one.
#[derive(Clone, Copy, Debug)]
enum Single {
    BytesFree,
    BytesInUse,
    BytesAskedFor,
    MallocFailed,
    Ticks,
    Pended,
}

impl Single {
    fn row(self) -> Row {
        let (group, name, shows, about) = match self {
            Self::BytesFree => {
                (Group::Kernel, "heap bytes free", Shows::Bytes, "As the heap counts them.")
            }
            Self::BytesInUse => (
                Group::Kernel,
                "heap bytes in use since the start",
                Shows::Bytes,
                "Bytes had less bytes given back since the recording began: less than 0 if what was \
                 had before is given back.",
            ),
            Self::BytesAskedFor => (
                Group::Kernel,
                "heap bytes asked for since the start",
                Shows::Bytes,
                "Bytes asked for less bytes given back since the recording began. The heap took more: this \
                 kernel is older than V11.2, which tells what was taken.",
            ),
            Self::MallocFailed => (Group::Kernel, "heap malloc failed", Shows::Slices, ""),
            Self::Ticks => {
                (Group::Kernel, "tick count", Shows::Counter, "The kernel's tick count.")
            }
            Self::Pended => (
                Group::Timers,
                "pended function calls",
                Shows::Slices,
                "Calls that the timer task is asked to make (xTimerPendFunctionCall).",
            ),
        };
        Row { about, ..Row::new(Parent::Group(group), name, shows) }
    }
}

type Rows = fn(&mut ObjectRows) -> &mut Vec<Uuid>;

impl<W: Write> Perfetto<W> {
    /// The row at a place, made if there is none.
    pub(super) fn object_row(
        &mut self,
        rows: Rows,
        index: usize,
        describe: impl FnOnce(&mut Self) -> Row,
    ) -> Uuid {
        match rows(&mut self.objects).get(index) {
            Some(row) if *row != 0 => return *row,
            _ => {}
        }
        let row = describe(self);
        let row = self.tracks.make(&mut self.packets, row);
        let known = rows(&mut self.objects);
        if known.len() <= index {
            known.resize(index + 1, 0);
        }
        if let Some(known) = known.get_mut(index) {
            *known = row;
        }
        row
    }

    fn single(&mut self, single: Single) -> Uuid {
        self.object_row(|rows| &mut rows.singles, single as usize, |_| single.row())
    }

    /// An instant with a name that is made up.
    pub(super) fn instant(&mut self, ns: i64, row: Uuid, name: &str, args: &[(&str, Arg<'_>)]) {
        let name = self.packets.name(name.as_bytes());
        self.packets.event_with(ns, EventType::Instant, row, Some(name), args, None);
    }

    pub(super) fn slice(&mut self, ns: i64, row: Uuid, name: &str, args: &[(&str, Arg<'_>)]) {
        let name = self.packets.name(name.as_bytes());
        self.packets.event_with(ns, EventType::SliceBegin, row, Some(name), args, None);
    }

    pub(super) fn slice_ends(&mut self, ns: i64, row: Uuid, args: &[(&str, Arg<'_>)]) {
        self.packets.event_with(ns, EventType::SliceEnd, row, None, args, None);
    }

    #[inline(never)]
    pub(super) fn stream_buffer(
        &mut self,
        world: &World,
        at: At,
        buffer: StreamBufferRef,
        change: StreamBufferChange,
        by: Option<Actor>,
    ) {
        let what = match change {
            StreamBufferChange::Level(level, cause) => {
                self.stream_buffer_level(world, at, buffer, level);
                match cause {
                    BufferCause::Reset => "reset",
                    _ => return,
                }
            }
            StreamBufferChange::SendFailed => "send failed",
            StreamBufferChange::ReceiveFailed => "receive failed",
            StreamBufferChange::Deleted => {
                self.stream_buffer_level(world, at, buffer, 0);
                "deleted"
            }
        };
        let row = self.object_row(
            |rows| &mut rows.buffer_events,
            buffer.index(),
            |this| {
                let name = world.stream_buffer_name(buffer);
                let name = format!("{} events", this.tracks.unique(Group::StreamBuffers, &name));
                Row::new(Parent::Group(Group::StreamBuffers), name, Shows::Slices)
            },
        );
        match by {
            Some(by) => {
                let text = format!("{what} by {}", world.actor_name(by, at.core));
                self.instant(at.ns, row, &text, &[]);
            }
            None => self.instant(at.ns, row, what, &[]),
        }
    }

    fn stream_buffer_level(&mut self, world: &World, at: At, buffer: StreamBufferRef, level: u32) {
        let row = self.object_row(
            |rows| &mut rows.levels,
            buffer.index(),
            |this| {
                let label = world.stream_buffer_name(buffer);
                let mut name = this.tracks.unique(Group::StreamBuffers, &label);
                if label.name().is_some() {
                    name = format!("{} {name}", label.kind());
                }
                if let Some(size) = world.stream_buffers.get(buffer).and_then(|it| it.size) {
                    name.push_str(&format!(", {size} bytes"));
                }
                Row::new(Parent::Group(Group::StreamBuffers), name, Shows::Bytes)
            },
        );
        self.packets.counter(at.ns, row, level.into());
    }

    /// How many bytes are in a stream buffer is not known any more.
    pub(super) fn bytes_are_unknown(&mut self, at: At, buffer: StreamBufferRef) {
        let row = self.objects.levels.get(buffer.index()).copied().unwrap_or(0);
        self.counter_is_unknown(at, row);
    }

    fn event_group_row(&mut self, world: &World, group: EventGroupRef) -> Uuid {
        self.object_row(
            |rows| &mut rows.bits,
            group.index(),
            |this| Row {
                about: "The bits that are set, and when bits were set and cleared.",
                ..Row::new(
                    Parent::Group(Group::EventGroups),
                    this.tracks.unique(Group::EventGroups, &world.event_group_name(group)),
                    Shows::Slices,
                )
            },
        )
    }

    #[inline(never)]
    pub(super) fn event_group(
        &mut self,
        world: &World,
        at: At,
        group: EventGroupRef,
        change: EventGroupChange,
    ) {
        let text = match change {
            EventGroupChange::Bits(bits, cause) => {
                self.event_group_bits(world, at, group, Some(bits));
                match cause {
                    BitsCause::Set(bits) => format!("set {bits:#x}"),
                    BitsCause::Clear(bits) => format!("clear {bits:#x}"),
                    BitsCause::ClearOnExit(bits) => format!("clear {bits:#x} on exit"),
                    BitsCause::Created | BitsCause::Found => return,
                }
            }
            EventGroupChange::SetAsked(bits) => format!("set {bits:#x} asked by interrupt"),
            EventGroupChange::ClearAsked(bits) => format!("clear {bits:#x} asked by interrupt"),
            EventGroupChange::Deleted => {
                self.event_group_bits(world, at, group, None);
                "deleted".to_owned()
            }
        };
        let row = self.event_group_row(world, group);
        self.instant(at.ns, row, &text, &[]);
    }

    /// Shows the bits of an event group from now on; none if they are not known.
    pub(super) fn event_group_bits(
        &mut self,
        world: &World,
        at: At,
        group: EventGroupRef,
        bits: Option<u32>,
    ) {
        let row = self.event_group_row(world, group);
        let shown = &mut self.objects.shown_bits;
        if shown.len() <= group.index() {
            shown.resize(group.index() + 1, false);
        }
        let shown = shown.get_mut(group.index());
        if shown.is_some_and(|shown| std::mem::replace(shown, bits.is_some())) {
            self.slice_ends(at.ns, row, &[]);
        }
        if let Some(bits) = bits {
            self.slice(at.ns, row, &Bits(bits).to_string(), &[("bits", Arg::Number(bits))]);
        }
    }

    #[inline(never)]
    pub(super) fn kernel(&mut self, world: &World, at: At, change: KernelChange) {
        match change {
            KernelChange::Heap(HeapChange { bytes_free, in_use, .. }) => {
                if let Some(free) = bytes_free {
                    let row = self.single(Single::BytesFree);
                    self.packets.counter(at.ns, row, free.into());
                }
                let is_asked_for =
                    world.trace_info.is_some_and(|info| info.tells_bytes_asked_for());
                let row = if is_asked_for && bytes_free.is_none() {
                    Single::BytesAskedFor
                } else {
                    Single::BytesInUse
                };
                let row = self.single(row);
                self.packets.counter(at.ns, row, in_use);
            }
            KernelChange::MallocFailed { size, task } => {
                let row = self.single(Single::MallocFailed);
                let task = task.map(|task| world.task_name(task).to_string());
                let task = task.as_deref().map(|task| ("task", Arg::Text(task)));
                let name = format!("malloc of {size} bytes failed");
                self.instant(at.ns, row, &name, task.as_slice());
            }
            KernelChange::Sleeps(ticks) => {
                let row = self.sleep_row(at.core);
                self.slice(at.ns, row, "sleep", &[("expected_ticks", Arg::Number(ticks))]);
            }
            KernelChange::Wakes => self.sleep_ends(at),
            KernelChange::Ticks(ticks) => {
                let row = self.single(Single::Ticks);
                self.packets.counter(at.ns, row, ticks.into());
            }
            KernelChange::Pended { function, accepted, .. } => {
                let row = self.single(Single::Pended);
                let name = if accepted { "call sent" } else { "call refused" };
                self.instant(at.ns, row, name, &[("function", Arg::Address(function))]);
            }
        }
    }

    fn sleep_row(&mut self, core: u32) -> Uuid {
        self.object_row(
            |rows| &mut rows.sleep,
            core as usize,
            |_| Row {
                about: "While the core sleeps since nothing is to be done (tickless idle).",
                ..Row::new(
                    Parent::Group(Group::Kernel),
                    format!("low power, core {core}"),
                    Shows::Slices,
                )
            },
        )
    }

    /// A core does not sleep any more.
    pub(super) fn sleep_ends(&mut self, at: At) {
        let row = self.sleep_row(at.core);
        self.slice_ends(at.ns, row, &[]);
    }

    fn call_row(&mut self, world: &World, core: u32, caller: Caller) -> Uuid {
        let (rows, what): (Rows, _) = match caller {
            Caller::Task(task) => return self.calls(world, task),
            Caller::Isr => (|rows| &mut rows.isr_calls, "kernel calls of interrupts"),
            Caller::Nobody => (|rows| &mut rows.nobody_calls, "kernel calls outside of tasks"),
        };
        self.object_row(rows, core as usize, |_| {
            Row::new(Parent::Group(Group::Kernel), format!("{what}, core {core}"), Shows::Slices)
        })
    }

    #[inline(never)]
    pub(super) fn call(
        &mut self,
        world: &World,
        at: At,
        (caller, function): (Caller, u32),
        change: CallChange,
    ) {
        let row = self.call_row(world, at.core, caller);
        if change == CallChange::Abandoned {
            self.wait_inside_ends(world, at, caller, Some(Outcome::Deleted));
        }
        match change {
            CallChange::Begin => self.slice(at.ns, row, &function_name(function), &[]),
            CallChange::End { value, .. } => {
                let value = value.map(|value| ("value", Arg::Number(value)));
                self.slice_ends(at.ns, row, value.as_slice());
            }
            CallChange::Abandoned => {
                self.slice_ends(at.ns, row, &[("returns", Arg::Text("never"))]);
            }
        }
    }

    /// It is not known any more whether a call goes on.
    pub(super) fn call_forgotten(&mut self, world: &World, at: At, caller: Caller) {
        self.wait_inside_ends(world, at, caller, None);
        let row = self.call_row(world, at.core, caller);
        self.slice_ends(at.ns, row, &[]);
    }

    /// A call ends in which its task still waits: the wait ends first, since it lies inside.
    fn wait_inside_ends(
        &mut self,
        world: &World,
        at: At,
        caller: Caller,
        outcome: Option<Outcome>,
    ) {
        if let Caller::Task(task) = caller
            && let Some(TaskState::Blocked(_)) = world.tasks.get(task).map(|task| task.state)
        {
            self.wait_stops(at.ns, task, None);
            self.wait_ends(world, task, outcome, Some(at.ns));
        }
    }
}
