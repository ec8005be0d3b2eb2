//! What happens to each event: the timeline takes it in, the sink is told.

use crate::clock::Known;
use crate::cores::MAX_CORES;
use crate::diagnostics::{Finding, Place, Problem};
use crate::error::ConvError;
use crate::excerpt::Watch;
use crate::layout::Extent;
use crate::machine::Timeline;
use crate::merge::{Lane, Merged, Overlaps};
use crate::model::TimedEvent;
use crate::model::{At, Sink, TraceInfo};
use crate::timing::{Stage, Timing};
use crate::verdict::{Whole, judge};

/// A second pass, which tells what `H` holds.
pub(super) struct Run<H> {
    pub timeline: Timeline,
    pub sink: H,
    pub timing: Timing,
    pub events: u64,
    /// Nothing more has to be read.
    pub has_enough: bool,
}

/// The timeline as what comes after the clock.
pub(super) struct ToTimeline<'t, H> {
    timeline: &'t mut Timeline,
    sink: &'t mut H,
}

impl<H: Watch> Stage for ToTimeline<'_, H> {
    fn starts_earlier(&mut self, ns: i64) -> Result<(), ConvError> {
        self.timeline.starts_earlier(ns, &mut **self.sink).map_err(ConvError::Write)
    }

    #[inline]
    fn event(&mut self, event: &TimedEvent<'_>) -> Result<bool, ConvError> {
        if !self.sink.sees(self.timeline.world(), event.at, &event.decoded) {
            return Ok(false);
        }
        self.sink.event(event).map_err(ConvError::Write)?;
        Ok(true)
    }

    #[inline]
    fn change(&mut self, event: &TimedEvent<'_>, swaps: bool) -> Result<(), ConvError> {
        let &TimedEvent { at, place, ref decoded, .. } = event;
        self.timeline.expect_swap(swaps);
        self.timeline.event(at, place, &decoded.event, &mut **self.sink).map_err(ConvError::Write)
    }

    fn finding(&mut self, at: At, _: u64, finding: &Finding<'_>) -> Result<bool, ConvError> {
        self.timeline.finding(at, finding, &mut **self.sink).map_err(ConvError::Write)?;
        Ok(true)
    }
}

impl<H: Watch> Run<H> {
    pub const fn new(timeline: Timeline, sink: H, timing: Timing) -> Self {
        Self { has_enough: false, timeline, sink, timing, events: 0 }
    }

    /// The clock, and what comes after it.
    #[inline]
    fn stages(&mut self) -> (&mut Timing, ToTimeline<'_, H>) {
        let Self { timeline, sink, timing, .. } = self;
        (timing, ToTimeline { timeline, sink })
    }

    /// Takes what is ready out of a lane. False: nothing more has to be read.
    #[inline(never)]
    pub fn drain(&mut self, lane: &mut Lane, core: u32, closed: bool) -> Result<bool, ConvError> {
        if closed {
            lane.settle();
        }
        while lane.ready(closed).is_some() {
            let Some(record) = lane.pop() else { break };
            if !self.one(&Merged { input: 0, core, record, swaps: false })? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes in a record of several cores or inputs. False: it was not needed, and nothing more has to be read.
    #[inline]
    pub fn merged(
        &mut self,
        merged: &Merged<'_>,
        (overlaps, names): (&mut Overlaps, &[String]),
    ) -> Result<bool, ConvError> {
        if let Some(other) = overlaps.found(merged) {
            self.overlap(merged, names, other)?;
        }
        self.one(merged)
    }

    /// Two inputs have events of one core at the same time.
    #[cold]
    fn overlap(
        &mut self,
        merged: &Merged<'_>,
        names: &[String],
        other: usize,
    ) -> Result<(), ConvError> {
        let name = |input: usize| names.get(input).map(String::as_str).unwrap_or_default();
        let (first, second) = (merged.input.min(other), merged.input.max(other));
        let (first, second) = (name(first), name(second));
        let place = Place { input: merged.input, offset: merged.record.offset };
        let text = format!(
            "{first} and {second} have events of core {} at the same time; if {second} is of another \
             core, say so as in {second}@{}",
            merged.core,
            merged.core.saturating_add(1)
        );
        let (timing, mut stage) = self.stages();
        timing.ns(merged.record.ticks, place, &mut stage)?;
        self.note(Problem::FilesOverlap, place, &text)
    }

    /// Takes in a record. False: it was not needed, and nothing more has to be read.
    #[inline]
    fn one(&mut self, merged: &Merged<'_>) -> Result<bool, ConvError> {
        let (timing, mut stage) = self.stages();
        timing.record(merged, &mut stage)
    }

    /// What is wrong with the recording as a whole.
    pub fn judge(&mut self, (about, core_ids): (u64, u64), known: Known) -> Result<(), ConvError> {
        let Timing { first_ns, last_ns, ref clock, .. } = self.timing;
        let length_ns = u64::try_from(last_ns.saturating_sub(first_ns)).unwrap_or(0);
        let whole = Whole { events: self.events, about, core_ids, length_ns, known };
        let at = At { ns: last_ns, core: 0 };
        for (problem, amount, text) in judge(&whole, &self.timeline, clock) {
            let finding = Finding { problem, place: Place::default(), amount, text: &text };
            self.timeline.finding(at, &finding, &mut *self.sink).map_err(ConvError::Write)?;
        }
        Ok(())
    }

    /// Nothing came that a rounded resolution would fit to.
    pub fn settle_doubt(&mut self) -> Result<(), ConvError> {
        let (timing, mut stage) = self.stages();
        timing.close(&mut stage)
    }

    pub fn note(&mut self, problem: Problem, place: Place, text: &str) -> Result<(), ConvError> {
        let finding = Finding { problem, place, amount: 1, text };
        let at = At { ns: self.timing.last_ns, core: 0 };
        self.timeline.finding(at, &finding, &mut *self.sink).map_err(ConvError::Write)
    }

    /// Cores that the target should not have.
    pub fn look_at_cores<'e>(
        &mut self,
        extents: impl Iterator<Item = &'e [Extent]>,
        core_count: Option<u32>,
        info: Option<TraceInfo>,
    ) -> Result<(), ConvError> {
        let reported = info.map(|info| info.core_count).filter(|count| *count > 0);
        let Some(count) = core_count.or(reported) else {
            return Ok(());
        };
        if count >= MAX_CORES {
            return Ok(());
        }
        for (input, extents) in extents.enumerate() {
            for Extent { core, first, .. } in extents.iter().filter(|extent| extent.core >= count) {
                let text = format!("core id {core} occurs, but the core count is {count}");
                let place = Place { input, offset: *first };
                self.note(Problem::CoreOutOfRange, place, &text)?;
            }
        }
        Ok(())
    }
}
