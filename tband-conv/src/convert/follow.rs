//! The timeline processes the events of a pass, and the sink receives the changes.

use std::ops::ControlFlow;

use tband_format::decode::Decoded;

use super::halt::FastPathExit;
use super::run::Consumer;
use crate::convert::timing::Stage;
use crate::diagnostics::{Finding, LazyOffset};
use crate::error::ConvError;
use crate::excerpt::Watch;
use crate::machine::Timeline;
use crate::model::{EventTime, Sink, TimedEvent};

/// A timeline, with the sink that `H` holds.
pub(super) struct TimelineStage<H> {
    pub timeline: Timeline,
    pub sink: H,
    /// Whether the sink wants these events.
    pub wants_events: bool,
}

impl<H: Watch> Stage for TimelineStage<H> {
    fn start_earlier(&mut self, ns: i64) -> Result<(), ConvError> {
        self.timeline.start_earlier(ns, &mut *self.sink).map_err(ConvError::Write)
    }

    #[inline]
    fn event(&mut self, event: &TimedEvent<'_>) -> Result<ControlFlow<()>, ConvError> {
        self.timeline.enter_input(event.place.input);
        let flow = self.sink.inspect(self.timeline.world(), event.at, &event.decoded);
        if flow.is_break() {
            return Ok(flow);
        }
        if self.wants_events {
            self.sink.event(event).map_err(ConvError::Write)?;
        }
        Ok(flow)
    }

    #[inline]
    fn change(&mut self, event: &TimedEvent<'_>, swaps: bool) -> Result<(), ConvError> {
        let &TimedEvent { at, place, ref decoded, .. } = event;
        self.timeline.expect_swap(swaps);
        self.timeline.event(at, place, &decoded.event, &mut *self.sink).map_err(ConvError::Write)
    }

    fn finding(
        &mut self,
        at: EventTime,
        _: u64,
        finding: &Finding<'_>,
    ) -> Result<ControlFlow<()>, ConvError> {
        self.timeline.finding(at, finding, &mut *self.sink).map_err(ConvError::Write)?;
        Ok(ControlFlow::Continue(()))
    }
}

impl<H: Watch> Consumer for TimelineStage<H> {
    const FINDS_OVERLAPS: bool = true;

    fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    #[inline]
    fn is_over(&self, cores_to_come: impl FnOnce() -> u64) -> bool {
        self.sink.is_past_end() && !self.sink.is_awaiting(cores_to_come())
    }

    #[inline(always)]
    fn consume(
        &mut self,
        at: EventTime,
        ticks: u64,
        place: LazyOffset,
        decoded: &Decoded<'_>,
    ) -> Result<(), FastPathExit> {
        // A copy and a call, so that on the fast path the event need not be in memory, and its kind stays known.
        if self.sink.needs_inspection() || H::IS_SHARED && self.wants_events {
            return self.consume_inspected(at, ticks, place, *decoded);
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

impl<H: Watch> TimelineStage<H> {
    /// As [`consume`](Consumer::consume), for an event that the watcher has to see first.
    #[inline(never)]
    fn consume_inspected(
        &mut self,
        at: EventTime,
        ticks: u64,
        place: LazyOffset,
        decoded: Decoded<'_>,
    ) -> Result<(), FastPathExit> {
        let event = TimedEvent { at, ticks, place: place.place(), decoded };
        if self.event(&event)?.is_break() {
            return Err(FastPathExit::enough());
        }
        self.change(&event, false)?;
        Ok(())
    }
}
