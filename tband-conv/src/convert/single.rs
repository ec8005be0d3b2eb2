//! A conversion without merge: the events of one core in one input.

use std::io;

use tband_format::{Decoded, Event};

use super::Run;
use super::halt::Halt;
use crate::error::ConvError;
use crate::events::EventReader;
use crate::excerpt::Watch;
use crate::input::Input;
use crate::item::{Item, Origin, Visitor};
use crate::machine::FREQUENT;
use crate::merge::{Lane, ReadFailed, What, has_no_time, is_silent, queue};
use crate::model::TimedEvent;
use crate::model::{At, Sink};
use crate::notation::BoxRead;
use crate::starts::{Look, Start, StreamStarts};

/// The events of one core in one input: nothing to merge, hardly anything to queue.
pub(super) struct Single<H> {
    run: Run<H>,
    lane: Lane,
    core: u32,
    starts: StreamStarts,
    /// Events that change nothing are reported too.
    silent: bool,
}

/// Small, since it is asked for after each event.
pub(super) struct Stop(Box<Cause>);

enum Cause {
    Read(io::Error),
    Convert(ConvError),
    /// Nothing more has to be read.
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

impl<H: Watch> Visitor for Single<H> {
    type Error = Stop;

    const FREQUENT: [bool; 256] = FREQUENT;

    #[inline(always)]
    fn event(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> Result<(), Stop> {
        if let Some(raw) = decoded.ts
            && !matches!(decoded.event, Event::CoreId { .. } | Event::TsFrequency { .. })
            && let Some(ticks) = self.lane.pass(raw, self.run.timing.clock.span().last())
        {
            return self.run.timed(ticks, origin, decoded);
        }
        // A copy, so that the event itself need not be in memory on the usual way.
        self.queue_event(origin.core, origin.offset(), *decoded, origin.reported)
    }

    fn other(&mut self, item: &Item<'_>) -> Result<(), Stop> {
        self.queue(item)
    }
}

impl<H: Watch> Single<H> {
    /// Starts with an input whose streams start there.
    pub fn new(run: Run<H>, input: &Input<'_>, starts: &[Start]) -> Self {
        let silent = run.sink.wants_events();
        let (lane, starts) = (Lane::default(), StreamStarts::new(starts));
        Self { run, lane, core: input.core(), starts, silent }
    }

    #[inline(never)]
    fn queue_event(
        &mut self,
        core: u32,
        offset: u64,
        decoded: Decoded<'_>,
        reported: Option<u64>,
    ) -> Result<(), Stop> {
        self.queue(&Item { core, offset, len: 0, event: Ok(decoded), reported })
    }

    fn queue(&mut self, item: &Item<'_>) -> Result<(), Stop> {
        let &mut Self { ref mut run, ref mut lane, ref mut core, ref mut starts, silent, .. } =
            self;
        if let Some(ticks) = lane.passed() {
            run.timing.passed(ticks);
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
        if silent
            && (is_known || is_silent(item))
            && let Ok(decoded) = item.event
        {
            lane.push_reported(item.reported, item.offset, &What::Silent(decoded));
        }
        if !is_known {
            queue(lane, item);
        }
        if run.drain(lane, *core, false)? { Ok(()) } else { Err(Stop::enough()) }
    }

    /// Goes on by a block of the input. False: the input has ended, or nothing more has to be read.
    pub fn step(&mut self, events: &mut EventReader<BoxRead<'_>>) -> Result<bool, Halt> {
        match events.visit_block(self) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(Stop(stop)) => match *stop {
                Cause::Read(error) => return Err(Halt::Read(ReadFailed { input: 0, error })),
                Cause::Convert(error) => return Err(Halt::Convert(error)),
                Cause::Enough => self.run.has_enough = true,
            },
        }
        let Self { run, lane, core, .. } = self;
        run.events = events.events();
        if let Some(ticks) = lane.passed() {
            run.timing.passed(ticks);
        }
        if !run.has_enough {
            run.has_enough = !run.drain(lane, *core, true)?;
        }
        Ok(false)
    }

    /// What was found.
    pub fn into_run(self) -> Run<H> {
        self.run
    }
}

impl<H: Watch> Run<H> {
    /// An event of a recording without merge, at a time that is not before the last one's, nor after
    /// the span of the clock.
    #[inline(always)]
    fn timed(&mut self, ticks: u64, origin: &Origin, decoded: &Decoded<'_>) -> Result<(), Stop> {
        let at = At { ns: self.timing.clock.span().ns(ticks), core: origin.core };
        if !self.sink.sees(self.timeline.world(), at, decoded) {
            return Err(Stop::enough());
        }
        let sink = &mut *self.sink;
        let event = TimedEvent { at, ticks, place: origin.place.place(), decoded: *decoded };
        if let Err(error) = sink.event(&event) {
            return Err(ConvError::Write(error).into());
        }
        match self.timeline.event_in_turn(at, origin.place, &decoded.event, sink) {
            Ok(()) => Ok(()),
            Err(error) => Err(ConvError::Write(error).into()),
        }
    }
}
