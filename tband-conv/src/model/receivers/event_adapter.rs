//! A receiver of events beside the sinks of a conversion.

use std::io;

use super::event_sink::EventSink;
use super::own_machine::OwnMachine;
use super::sink::Sink;
use crate::model::change::{Change, EventTime};
use crate::model::timed_event::TimedEvent;
use crate::model::world::World;

/// Makes a sink of events one of the sinks of a conversion. A conversion has more findings than the events alone:
/// contradictions that the timeline finds. The ticks of a finding are those of the last event. A sink that returns
/// [`ControlFlow::Break`](std::ops::ControlFlow::Break) receives no more events, while the other sinks continue.
#[derive(Clone, Debug)]
pub struct Events<E> {
    sink: E,
    has_enough: bool,
    /// Time of the last event.
    ticks: u64,
    /// Time of the last event that it was reported, or of the first one of all.
    end_ns: i64,
}

impl<E: EventSink> Events<E> {
    /// Feeds this one.
    pub const fn new(sink: E) -> Self {
        Self { sink, has_enough: false, ticks: 0, end_ns: 0 }
    }

    /// Returns the sink.
    pub fn into_inner(self) -> E {
        self.sink
    }
}

impl<E: EventSink> Sink for Events<E> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.end_ns = world.start_ns.unwrap_or(0);
        self.sink.start(world)
    }

    fn needs_events(&self) -> bool {
        true
    }

    #[inline]
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        self.ticks = event.ticks;
        if !self.has_enough {
            self.end_ns = self.end_ns.max(event.at.ns);
            self.has_enough = self.sink.event(event)?.is_break();
        }
        Ok(())
    }

    // Where the kind of change is known, the compiler removes all of this.
    #[inline]
    fn change(&mut self, _: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        if let Change::Finding(finding) = change
            && !self.has_enough
        {
            self.has_enough = self.sink.finding(at, self.ticks, finding)?.is_break();
        }
        Ok(())
    }

    fn finish(&mut self, _: &World, _: i64) -> io::Result<()> {
        self.sink.finish(self.end_ns)
    }

    fn own_machine(&mut self) -> OwnMachine<'_> {
        OwnMachine::Events(&mut self.sink)
    }
}
