//! Events that are encoded again for a trace.

use std::io;
use std::ops::ControlFlow;

use tband_format::Event;

use super::declared::DeclaredSchemas;
use super::fixed::{FixedPacker, StreamOfCore};
use super::records::{Classes, Records};
use super::streams::Streams;
use super::times::Times;
use super::{CtfSummary, CtfVersion};
use crate::diagnostics::{Finding, Problem};
use crate::model::{EventSink, EventTime, TimedEvent, World};
use crate::packets::Packer;

/// Maximum size of packets of encoded events, in bytes.
const SIZE: usize = 4096;

/// Puts events into packets.
enum Packing {
    One(FixedPacker),
    Two(Packer),
}

/// A sink of merged events that writes a trace.
pub(super) struct EventsToCtf<'e, 's, 'o> {
    streams: &'e mut Streams<'s, 'o>,
    summary: &'e mut CtfSummary,
    packing: Packing,
    records: Records,
    /// Input and core of the last event, and their stream.
    last: Option<(usize, u32, u8)>,
    /// By input, whose packets have gone into the trace already.
    is_unchanged: Vec<bool>,
    times: Times,
    /// How the trace describes events that only recordings do.
    declared: &'e DeclaredSchemas<'e>,
    /// By stream, the time that it has reached.
    reached: [u64; 256],
    /// By input, how many events it has reported to be dropped.
    dropped: Vec<u32>,
}

impl<'e, 's, 'o> EventsToCtf<'e, 's, 'o> {
    pub fn new(
        (streams, summary): (&'e mut Streams<'s, 'o>, &'e mut CtfSummary),
        version: CtfVersion,
        times: Times,
        is_unchanged: Vec<bool>,
        declared: &'e DeclaredSchemas<'e>,
    ) -> Self {
        let packing = match version {
            CtfVersion::One => Packing::One(FixedPacker::default()),
            CtfVersion::Two => Packing::Two(Packer::new(SIZE).without_state().compact()),
        };
        let dropped = vec![0; is_unchanged.len()];
        let reached = [0; 256];
        let records = Records::new(version);
        let last = None;
        Self {
            streams,
            summary,
            packing,
            records,
            last,
            is_unchanged,
            times,
            declared,
            reached,
            dropped,
        }
    }

    /// The classes that records had.
    pub fn into_classes(self) -> Classes {
        self.records.into_classes()
    }

    /// The stream of a core of an input, if it is not in the trace already.
    #[inline]
    fn stream(&mut self, input: usize, core: u32) -> io::Result<Option<u8>> {
        match self.last {
            Some((last_input, last_core, stream)) if last_input == input && last_core == core => {
                Ok(Some(stream))
            }
            _ => {
                let found = self.find_stream(input, core)?;
                self.last = found.map(|stream| (input, core, stream));
                Ok(found)
            }
        }
    }

    #[inline(never)]
    fn find_stream(&mut self, input: usize, core: u32) -> io::Result<Option<u8>> {
        if self.is_unchanged.get(input) != Some(&false) {
            return Ok(None);
        }
        self.streams.id((input, 0), core as u8).map(Some)
    }

    /// The time of the next event of a stream, which is not before that of the last one.
    #[inline]
    fn reach(&mut self, stream: u8, ticks: u64) -> u64 {
        let reached = &mut self.reached[usize::from(stream)];
        *reached = self.times.of(ticks, self.summary).max(*reached);
        *reached
    }

    /// Writes a log record of the application, which would otherwise go into its core's stream. Returns false if it stays
    /// there.
    #[cold]
    fn record(&mut self, of_core: u8, event: &TimedEvent<'_>) -> io::Result<bool> {
        let TimedEvent { at: EventTime { core, .. }, ticks, place, ref decoded, .. } = *event;
        self.records.enter_input(place.input);
        let Some(recorded) = self.records.read(&decoded.event) else { return Ok(false) };
        let reached = self.reach(of_core, ticks);
        let id = self.streams.id_of_records((place.input, 0), core as u8)?;
        let streams = &mut *self.streams;
        let mut out = |id: u8, bytes: &[u8]| streams.packet(id, bytes);
        self.records.push(StreamOfCore { id, core }, reached, &recorded, &mut out);
        self.summary.events = self.summary.events.saturating_add(1);
        self.streams.check()?;
        Ok(true)
    }

    /// Events, or packets, of a stream are missing here.
    fn missing(&mut self, of: StreamOfCore, events: u32, packets: u32) -> io::Result<()> {
        let streams = &mut *self.streams;
        match &mut self.packing {
            Packing::One(packer) => {
                let mut out = |id: u8, bytes: &[u8]| streams.packet(id, bytes);
                packer.missing(of, events, packets, &mut out);
            }
            Packing::Two(packer) => {
                let mut out = |id: u8, bytes: &[u8]| streams.target_packet(id, bytes);
                packer.missing(of.id, events, packets, &mut out);
            }
        }
        self.streams.check()
    }
}

impl EventSink for EventsToCtf<'_, '_, '_> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.records.start(world);
        Ok(())
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<ControlFlow<()>> {
        let TimedEvent { at: EventTime { core, .. }, ticks, place, ref decoded, .. } = *event;
        let Some(id) = self.stream(place.input, core)? else {
            return Ok(ControlFlow::Continue(()));
        };
        let of = StreamOfCore { id, core };
        match decoded.event {
            Event::Described(ref event) | Event::DescribedMetadata(ref event)
                if !self.declared.has(event) =>
            {
                self.summary.left_out = self.summary.left_out.saturating_add(1);
                return Ok(ControlFlow::Continue(()));
            }
            Event::DroppedEvtCnt { cnt } => {
                let known = self.dropped.get_mut(place.input).map(|it| std::mem::replace(it, cnt));
                let lost = cnt.saturating_sub(known.unwrap_or(0));
                if lost > 0 {
                    self.missing(of, lost, 0)?;
                }
            }
            Event::Record { .. } | Event::Typed { .. } if self.record(id, event)? => {
                return Ok(ControlFlow::Continue(()));
            }
            _ if decoded.ts.is_none() => {
                self.records.enter_input(place.input);
                self.records.learn(&decoded.event);
            }
            _ => {}
        }
        let reached = self.reach(id, ticks);
        let streams = &mut *self.streams;
        let is_written = match &mut self.packing {
            Packing::One(packer) => {
                let mut out = |id: u8, bytes: &[u8]| streams.packet(id, bytes);
                packer.push(of, reached, &decoded.event, &mut out)
            }
            Packing::Two(packer) => {
                let mut out = |id: u8, bytes: &[u8]| streams.target_packet(id, bytes);
                packer.push(of.id, reached, &decoded.event, &mut out).is_ok()
            }
        };
        let count = if is_written { &mut self.summary.events } else { &mut self.summary.left_out };
        *count = count.saturating_add(1);
        self.streams.check()?;
        Ok(ControlFlow::Continue(()))
    }

    fn finding(
        &mut self,
        at: EventTime,
        _: u64,
        finding: &Finding<'_>,
    ) -> io::Result<ControlFlow<()>> {
        let amount = u32::try_from(finding.amount).unwrap_or(u32::MAX);
        let (events, packets) = match finding.problem {
            Problem::EventsDiscarded => (amount, 0),
            Problem::PacketsLost => (0, amount),
            _ => return Ok(ControlFlow::Continue(())),
        };
        if let Some(id) = self.stream(finding.place.input, at.core)? {
            self.missing(StreamOfCore { id, core: at.core }, events, packets)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&mut self, _: i64) -> io::Result<()> {
        let streams = &mut *self.streams;
        match &mut self.packing {
            Packing::One(packer) => packer.flush(&mut |id, bytes| streams.packet(id, bytes)),
            Packing::Two(packer) => {
                packer.flush(&mut |id, bytes| streams.target_packet(id, bytes));
            }
        }
        self.records.flush(&mut |id, bytes| streams.packet(id, bytes));
        self.streams.check()
    }
}
