//! The timeline takes in the events of a pass, and the sink is reported what changes.

use tband_format::Decoded;

use super::halt::Stop;
use super::run::Consumer;
use crate::convert::timing::Stage;
use crate::diagnostics::{Finding, LazyOffset};
use crate::error::ConvError;
use crate::excerpt::Watch;
use crate::machine::Timeline;
use crate::model::{At, Sink, TimedEvent};

/// A timeline, with the sink that `H` holds.
pub(super) struct Follow<H> {
    pub timeline: Timeline,
    pub sink: H,
    /// What the sink has said of that.
    pub wants_events: bool,
}

impl<H: Watch> Stage for Follow<H> {
    fn starts_earlier(&mut self, ns: i64) -> Result<(), ConvError> {
        self.timeline.starts_earlier(ns, &mut *self.sink).map_err(ConvError::Write)
    }

    #[inline]
    fn event(&mut self, event: &TimedEvent<'_>) -> Result<bool, ConvError> {
        self.timeline.enter_input(event.place.input);
        if !self.sink.sees(self.timeline.world(), event.at, &event.decoded) {
            return Ok(false);
        }
        if self.wants_events {
            self.sink.event(event).map_err(ConvError::Write)?;
        }
        Ok(true)
    }

    #[inline]
    fn change(&mut self, event: &TimedEvent<'_>, swaps: bool) -> Result<(), ConvError> {
        let &TimedEvent { at, place, ref decoded, .. } = event;
        self.timeline.expect_swap(swaps);
        self.timeline.event(at, place, &decoded.event, &mut *self.sink).map_err(ConvError::Write)
    }

    fn finding(&mut self, at: At, _: u64, finding: &Finding<'_>) -> Result<bool, ConvError> {
        self.timeline.finding(at, finding, &mut *self.sink).map_err(ConvError::Write)?;
        Ok(true)
    }
}

impl<H: Watch> Consumer for Follow<H> {
    const FINDS_OVERLAPS: bool = true;

    fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    #[inline]
    fn is_over(&self, cores_to_come: impl FnOnce() -> u64) -> bool {
        self.sink.is_past_end() && !self.sink.awaits(cores_to_come())
    }

    #[inline(always)]
    fn in_turn(
        &mut self,
        at: At,
        ticks: u64,
        place: LazyOffset,
        decoded: &Decoded<'_>,
    ) -> Result<(), Stop> {
        // A copy and a call, so that on the usual way the event need not be in memory, and it stays known which one it
        // is.
        if self.sink.looks() || H::IS_SHARED && self.wants_events {
            return self.seen_in_turn(at, ticks, place, *decoded);
        }
        let sink = &mut *self.sink;
        if self.wants_events {
            let event = TimedEvent { at, ticks, place: place.place(), decoded: *decoded };
            if let Err(error) = sink.event(&event) {
                return Err(ConvError::Write(error).into());
            }
        }
        match self.timeline.event_in_turn(at, place, &decoded.event, sink) {
            Ok(()) => Ok(()),
            Err(error) => Err(ConvError::Write(error).into()),
        }
    }
}

impl<H: Watch> Follow<H> {
    /// As [`in_turn`](Consumer::in_turn), of an event that somebody else has to see first.
    #[inline(never)]
    fn seen_in_turn(
        &mut self,
        at: At,
        ticks: u64,
        place: LazyOffset,
        decoded: Decoded<'_>,
    ) -> Result<(), Stop> {
        let event = TimedEvent { at, ticks, place: place.place(), decoded };
        if !self.event(&event)? {
            return Err(Stop::enough());
        }
        self.change(&event, false)?;
        Ok(())
    }
}
