//! A trace with slices or counters that take longer to compute than its usual ones: a sink around another one, so that a trace
//! without them costs nothing.

use std::io::{self, Write};

use super::trace::Trace;
use super::{Perfetto, RawEvents};
use crate::model::{Change, EventTime, Sink, Switch, TimedEvent, World};

/// A sink that writes a trace.
pub trait TraceSink: Sink {
    /// The trace that is made.
    fn trace(&mut self) -> &mut Trace;

    /// Writes the packets when many have piled up.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn flush_if_full(&mut self) -> io::Result<()>;
}

impl<W: Write> TraceSink for Perfetto<W> {
    fn trace(&mut self) -> &mut Trace {
        &mut self.trace
    }

    #[inline]
    fn flush_if_full(&mut self) -> io::Result<()> {
        self.trace.packets.flush_if_full(&mut self.out)
    }
}

impl<W: Write> TraceSink for RawEvents<W> {
    fn trace(&mut self) -> &mut Trace {
        self.sink.trace()
    }

    #[inline]
    fn flush_if_full(&mut self) -> io::Result<()> {
        self.sink.flush_if_full()
    }
}

/// What a trace may have too.
pub trait Addition {
    /// Computes it from the changes.
    type Follow: Sink;

    /// Computes it from the changes.
    fn follow(&mut self) -> &mut Self::Follow;

    /// Whether the trace shows this change. Some changes are reported only for the addition.
    fn is_of_trace(&self, change: &Change<'_>) -> bool {
        let _ = change;
        true
    }

    /// Whether something is to be written.
    fn is_ready(&self) -> bool;

    /// Writes it.
    fn write(&mut self, world: &World, trace: &mut Trace);
}

/// A trace with an addition.
#[derive(Debug)]
pub struct TraceWith<S, A> {
    sink: S,
    addition: A,
}

impl<S, A> TraceWith<S, A> {
    /// Adds something to a trace that is not begun yet.
    pub(super) const fn of(sink: S, addition: A) -> Self {
        Self { sink, addition }
    }

    /// Returns the sink.
    pub fn into_inner(self) -> S {
        self.sink
    }
}

impl<S: TraceSink, A: Addition> TraceWith<S, A> {
    fn write(&mut self, world: &World) -> io::Result<()> {
        if !self.addition.is_ready() {
            return Ok(());
        }
        self.addition.write(world, self.sink.trace());
        self.sink.flush_if_full()
    }
}

impl<S: TraceSink, A: Addition> TraceSink for TraceWith<S, A> {
    fn trace(&mut self) -> &mut Trace {
        self.sink.trace()
    }

    fn flush_if_full(&mut self) -> io::Result<()> {
        self.sink.flush_if_full()
    }
}

impl<S: TraceSink, A: Addition> Sink for TraceWith<S, A> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.sink.start(world)?;
        self.addition.follow().start(world)
    }

    fn start_earlier(&mut self, world: &World) -> io::Result<()> {
        self.sink.start_earlier(world)
    }

    fn needs_events(&self) -> bool {
        self.sink.needs_events()
    }

    fn before_event(&mut self, world: &World, at: EventTime) {
        self.sink.before_event(world, at);
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        self.sink.event(event)
    }

    fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.sink.initial(world, at, change)?;
        self.addition.follow().initial(world, at, change)?;
        self.write(world)
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        if self.addition.is_of_trace(change) {
            self.sink.change(world, at, change)?;
        }
        self.addition.follow().change(world, at, change)?;
        self.write(world)
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        self.sink.switch(world, at, switch)?;
        self.addition.follow().switch(world, at, switch)?;
        self.write(world)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.addition.follow().finish(world, end_ns)?;
        self.write(world)?;
        self.sink.finish(world, end_ns)
    }
}
