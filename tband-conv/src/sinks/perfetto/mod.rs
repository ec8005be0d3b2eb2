//! A trace for Perfetto, with real scheduling data.
//!
//! Tasks are threads with their states, interrupts are threads that preempt them or separate tracks, waits are slices on the
//! track of their task, queues are counters, mutexes are slices named after their holder, markers are slices and counters, and
//! losses and damage are in a group *Errors*. Memory grows with the number of objects.

mod clocks;
mod colours;
mod describe;
mod draw;
mod errors;
mod events;
mod flows;
mod ftrace;
mod interrupts;
mod load;
mod memory;
mod packets;
mod proto;
mod queues;
mod raw_events;
mod tasks;
mod trace;
mod trace_with;
mod tracks;
mod wire;

use std::io::{self, Write};

pub use self::memory::Interrupts;
pub use self::raw_events::RawEvents;
pub use self::tasks::activations::PerfettoWithActivations;
pub use self::tasks::load::PerfettoWithTaskLoad;
pub(crate) use self::tasks::tids::tid_of;
pub(crate) use self::trace::Trace;
pub use self::trace_with::{TraceSink, TraceWith};
use crate::model::{Change, EventTime, OwnMachine, Sink, Switch, World};
use crate::tracks::follow_switch;

/// Writes a Perfetto trace.
#[derive(Debug)]
pub struct Perfetto<W> {
    trace: Trace,
    out: W,
}

impl<W: Write> Perfetto<W> {
    /// Writes to `out`, in blocks.
    pub fn new(out: W) -> Self {
        Self { trace: Trace::default(), out }
    }

    /// Chooses how interrupts are shown.
    #[must_use]
    pub fn with_interrupts(mut self, interrupts: Interrupts) -> Self {
        self.trace.isrs.shown = interrupts;
        self
    }

    /// Continues a trace.
    pub(crate) const fn with_trace(trace: Trace, out: W) -> Self {
        Self { trace, out }
    }

    /// Returns the trace, for another output.
    pub(crate) fn into_trace(self) -> Trace {
        self.trace
    }

    /// Returns the output.
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl<W> Perfetto<W> {
    /// Returns the begin of the first few losses of events, in ns, and their names in the trace.
    #[must_use]
    pub fn first_losses(&self) -> &[(i64, String)] {
        &self.trace.errors.first
    }
}

impl<W: Write> Sink for Perfetto<W> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.trace.start(world);
        Ok(())
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.frequent(world, at, change)
    }

    #[inline(always)]
    fn frequent(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.trace.change(world, at, change)?;
        self.trace.packets.flush_if_full(&mut self.out)
    }

    #[inline]
    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        follow_switch(&mut self.trace, world, at, switch)?;
        self.trace.packets.flush_if_full(&mut self.out)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.trace.finish(world, end_ns);
        self.trace.packets.flush(&mut self.out)?;
        self.out.flush()
    }

    fn own_machine(&mut self) -> OwnMachine<'_> {
        OwnMachine::Perfetto(&mut self.trace, &mut self.out)
    }
}
