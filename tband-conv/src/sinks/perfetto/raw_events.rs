//! Each event as it was recorded, as an instant with its fields, on a track per core. It is for users who search for faults of
//! a recorder rather than of a program.
//!
//! It is a separate sink around the usual one, so that it costs nothing when it is not used.

use std::io::{self, Write};
use std::ops::ControlFlow;

use super::Perfetto;
use super::tracks::{Group, NewTrack, Parent, TrackContent, Uuid};
use crate::model::EventSink;
use crate::model::TimedEvent;
use crate::model::{Change, EventTime, PerCore, Sink, Switch, World};

/// Writes a Perfetto trace that has every event of the recording too, metadata included.
#[derive(Debug)]
pub struct RawEvents<W> {
    pub(super) sink: Perfetto<W>,
    /// Track and last event's time, by core; 0 means not created yet.
    tracks: PerCore<(Uuid, i64)>,
}

impl<W: Write> RawEvents<W> {
    /// Adds the events to a trace that is not begun yet.
    pub fn new(sink: Perfetto<W>) -> Self {
        Self { sink, tracks: PerCore::default() }
    }

    /// Returns the trace.
    pub fn into_trace(self) -> Perfetto<W> {
        self.sink
    }

    /// The track of a core, and when to show an event there, so that the order stays.
    fn track(&mut self, EventTime { ns, core }: EventTime) -> (Uuid, i64) {
        let (track, last) = self.tracks.entry(core);
        if *track == 0 {
            let new = NewTrack {
                about: "Every event of this core as it was recorded, metadata included, in the \
                        order of the recording. ts is its timestamp in ticks, byte its place.",
                ..NewTrack::new(
                    Parent::Group(Group::RECORDED),
                    format!("core {core}"),
                    TrackContent::Slices,
                )
            };
            *track = self.sink.trace.tracks.make(&mut self.sink.trace.packets, new);
        }
        *last = ns.max(*last);
        (*track, *last)
    }
}

impl<W: Write> EventSink for RawEvents<W> {
    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let &TimedEvent { at, place, ref decoded, .. } = event;
        self.sink.trace.open(at.ns);
        let (track, ns) = self.track(at);
        self.sink.trace.packets.recorded(ns, track, place.offset, decoded);
        self.sink.trace.packets.flush_if_full(&mut self.sink.out)?;
        Ok(ControlFlow::Continue(()))
    }
}

impl<W: Write> Sink for RawEvents<W> {
    fn needs_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        EventSink::event(self, event).map(drop)
    }

    fn start(&mut self, world: &World) -> io::Result<()> {
        self.sink.start(world)
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.sink.change(world, at, change)
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        self.sink.switch(world, at, switch)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.sink.finish(world, end_ns)
    }
}
