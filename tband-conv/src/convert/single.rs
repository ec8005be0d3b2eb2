//! A conversion without merge: the events of one core in one input.

use std::io;

use tband_format::{Decoded, Event, FrameError, decode_payload};

use super::run::Run;
use crate::clock::MAX_NS;
use crate::error::ConvError;
use crate::events::{Defect, EventReader, Item, Mode, Origin, Visitor};
use crate::excerpt::{Seen, Watch};
use crate::input::Input;
use crate::lane::{Lane, RecordKind};
use crate::machine::FREQUENT;
use crate::merge::{has_no_time, is_silent, queue};
use crate::model::{At, Sink};
use crate::starts::{Look, Start, StreamStarts};

struct Single<'s, S: ?Sized, W> {
    run: Run<'s, S, W>,
    lane: Lane,
    core: u32,
    starts: StreamStarts,
    /// Events that change nothing are told too.
    silent: bool,
}

/// Small, since it is asked for after each event.
struct Stop(Box<Cause>);

enum Cause {
    Read(io::Error),
    Convert(ConvError),
    /// What follows is of no interest.
    Enough,
}

impl Stop {
    #[cold]
    fn enough() -> Self {
        Self(Box::new(Cause::Enough))
    }
}

impl From<io::Error> for Stop {
    #[cold]
    fn from(error: io::Error) -> Self {
        Self(Box::new(Cause::Read(error)))
    }
}

impl From<ConvError> for Stop {
    #[cold]
    fn from(error: ConvError) -> Self {
        Self(Box::new(Cause::Convert(error)))
    }
}

impl<S: Sink + ?Sized, W: Watch<S>> Visitor for Single<'_, S, W> {
    type Error = Stop;

    const FREQUENT: [bool; 256] = FREQUENT;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn event(&mut self, origin: &Origin<'_>, decoded: &Decoded<'_>) -> Result<(), Stop> {
        if let Some(raw) = decoded.ts
            && !matches!(decoded.event, Event::CoreId { .. } | Event::TsFrequency { .. })
            && let Some(ticks) = self.lane.pass(raw, self.run.clock.span().last())
        {
            return self.run.timed(ticks, origin, decoded);
        }
        // Not by reference, so that neither has to be in memory on the usual way.
        self.queue_event(origin.core, origin.offset(), origin.payload())
    }

    fn other(&mut self, item: &Item<'_>) -> Result<(), Stop> {
        self.queue(item)
    }
}

impl<S: Sink + ?Sized, W: Watch<S>> Single<'_, S, W> {
    #[inline(never)]
    fn queue_event(&mut self, core: u32, offset: u64, payload: &[u8]) -> Result<(), Stop> {
        let event =
            decode_payload(payload).map_err(|error| Defect::Undecodable(FrameError::Event(error)));
        self.queue(&Item { core, offset, len: 0, payload, event })
    }

    fn queue(&mut self, item: &Item<'_>) -> Result<(), Stop> {
        let &mut Self { ref mut run, ref mut lane, ref mut core, ref mut starts, silent } = self;
        if let Some(ticks) = lane.passed() {
            run.last_ns = run.clock.ns(ticks).unwrap_or(MAX_NS);
        }
        let mut is_known = false;
        if has_no_time(item) {
            let Look { anew, known } = starts.look(item);
            if anew.is_some() {
                lane.push_start(0, item.offset);
            }
            is_known = known;
        }
        if item.core != *core {
            if !run.drain(lane, *core, true)? {
                return Err(Stop::enough());
            }
            *core = item.core;
        }
        if silent && (is_known || is_silent(item)) {
            lane.push(RecordKind::Silent, item.offset, item.payload);
        }
        if !is_known {
            queue(lane, item);
        }
        if run.drain(lane, *core, false)? { Ok(()) } else { Err(Stop::enough()) }
    }
}

impl<S: Sink + ?Sized, W: Watch<S>> Run<'_, S, W> {
    /// The events of one core in one input: nothing to merge, hardly anything to queue.
    pub fn single(
        self,
        input: &Input<'_>,
        mode: Mode,
        starts: &[Start],
        silent: bool,
    ) -> Result<Self, ConvError> {
        let mut events = EventReader::new(input.open()?, input.core(), mode);
        let (lane, starts) = (Lane::default(), StreamStarts::new(starts));
        let mut single = Single { run: self, lane, core: input.core(), starts, silent };
        let has_enough = match events.visit(&mut single) {
            Ok(()) => false,
            Err(Stop(stop)) => match *stop {
                Cause::Read(error) => return Err(input.read_error(error)),
                Cause::Convert(error) => return Err(error),
                Cause::Enough => true,
            },
        };
        let Single { mut run, mut lane, core, .. } = single;
        run.events = events.events();
        if let Some(ticks) = lane.passed() {
            run.last_ns = run.clock.ns(ticks).unwrap_or(MAX_NS);
        }
        run.has_enough = has_enough;
        if !has_enough {
            run.has_enough = !run.drain(&mut lane, core, true)?;
        }
        Ok(run)
    }

    /// An event of a recording without merge, at a time that is not before the last one's, nor behind
    /// the span of the clock.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn timed(
        &mut self,
        ticks: u64,
        origin: &Origin<'_>,
        decoded: &Decoded<'_>,
    ) -> Result<(), Stop> {
        let at = At { ns: self.clock.span().ns(ticks), core: origin.core };
        if !W::sees(self.sink, self.timeline.world(), &Seen { at, payload: origin.payload() }) {
            return Err(Stop::enough());
        }
        if let Err(error) = self.sink.event(at, origin.place.place(), decoded) {
            return Err(ConvError::Write(error).into());
        }
        match self.timeline.event_in_turn(at, origin.place, &decoded.event, self.sink) {
            Ok(()) => Ok(()),
            Err(error) => Err(ConvError::Write(error).into()),
        }
    }
}
