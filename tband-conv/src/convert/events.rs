//! Events of all inputs in the order of time, without a timeline.

use std::ops::ControlFlow;

use tband_format::decode::Decoded;

use super::driver::Driver;
use super::halt::FastPathExit;
use super::run::Consumer;
use crate::convert::timing::{Stage, Timing};
use crate::diagnostics::{Diagnostics, Finding, LazyOffset, Problem};
use crate::error::ConvError;
use crate::excerpt::Bounds;
use crate::input::Input;
use crate::machine::Timeline;
use crate::merge::{Merge, Source, WINDOW};
use crate::model::EventSink;
use crate::model::EventTime;
use crate::model::TimedEvent;
use crate::options::Options;
use crate::scan::Scan;

/// Result of a pass over events.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct EventSummary {
    /// Events that were read, metadata included.
    pub events: u64,
    /// Faults of bytes and times. Only [`convert()`](crate::convert()) finds contradictions between events.
    pub diagnostics: Diagnostics,
}

/// Passes every event to `sink`, of all cores and inputs in the order of time, in bounded memory. State changes are not
/// followed, so simultaneous events come in the order of the inputs.
///
/// Each input is opened and read twice. Only these options apply: the mode, the window, the tick rate, and the start and end of
/// the count.
///
/// # Errors
/// [`ConvError`] if an input cannot be read or is not a recording, or the sink fails.
pub fn convert_events<E: EventSink + ?Sized>(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut E,
) -> Result<EventSummary, ConvError> {
    let scan = Scan::run(inputs, options)?;
    walk(inputs, options, scan, (&mut &mut *sink, true))
}

/// Runs the second pass of [`convert_events`], with or without reporting clock findings to the sink. The sink is a trait
/// object, so that the pass is compiled once.
pub(crate) fn walk(
    inputs: &[Input<'_>],
    options: &Options,
    scan: Scan,
    (sink, has_clock_findings): (&mut dyn EventSink, bool),
) -> Result<EventSummary, ConvError> {
    let empty = scan.empty_inputs(|input| inputs.get(input).map_or(0, Input::core));
    let bounds = Bounds::find(options, scan.full_clock(options.tick_rate))?;
    let Scan { mut outset, layouts, .. } = scan;
    let mut clock = outset.clock(options.tick_rate);
    let sources = Source::open_all(inputs, &layouts, options.mode)?;
    let merge = Merge::new(sources, options.window.unwrap_or(WINDOW)).with_silent();
    outset.world.start_ns = outset.first_ticks().and_then(|ticks| clock.ns(ticks));
    let first_ticks = outset.first_ticks().unwrap_or(0);
    let first_ns = outset.world.start_ns.unwrap_or(0);
    sink.start(&outset.world).map_err(ConvError::Write)?;
    let mut consumer = EventAdapter {
        sink,
        has_clock_findings,
        bounds,
        inside: outset.cores().fold(0, |cores, core| cores | bit(core)),
        is_past_end: false,
        found: EventSummary::default(),
        has_enough: false,
        end_ns: first_ns,
        untouched: Timeline::default(),
    };
    for (place, text) in empty {
        let problem = Problem::EmptyInput;
        let finding = Finding { problem, place, amount: 1, text: &text };
        // Whether the sink has enough is in the consumer.
        let at = EventTime { ns: first_ns, core: 0 };
        let _ = consumer.clock_finding(at, first_ticks, &finding)?;
    }
    let timing = Timing::new(clock, first_ticks, first_ns);
    let mut driver = Driver::new(merge, Vec::new(), consumer, timing);
    while !driver.run.consumer.has_enough
        && driver.step().map_err(|halt| halt.of(inputs))?.is_continue()
    {}
    driver.run.end_clock_check()?;
    let events = driver.events();
    let EventAdapter { sink, found, end_ns, .. } = driver.run.consumer;
    sink.finish(end_ns).map_err(ConvError::Write)?;
    Ok(EventSummary { events, ..found })
}

/// Adapts a sink of events to the stage after the clock.
struct EventAdapter<'s> {
    sink: &'s mut dyn EventSink,
    has_clock_findings: bool,
    bounds: Bounds,
    /// Cores that have not gone beyond the end, one bit each.
    inside: u64,
    /// There are cores that have.
    is_past_end: bool,
    found: EventSummary,
    /// The sink gets nothing more.
    has_enough: bool,
    end_ns: i64,
    /// The timeline is not followed here.
    untouched: Timeline,
}

const fn flow(has_enough: bool) -> ControlFlow<()> {
    if has_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

const fn bit(core: u32) -> u64 {
    1_u64.wrapping_shl(core)
}

impl Stage for EventAdapter<'_> {
    fn event(&mut self, event: &TimedEvent<'_>) -> Result<ControlFlow<()>, ConvError> {
        let Bounds { from, to } = self.bounds;
        if self.has_enough {
            return Ok(ControlFlow::Break(()));
        }
        if event.at.ns > to {
            (self.inside, self.is_past_end) = (self.inside & !bit(event.at.core), true);
            return Ok(flow(self.inside == 0));
        }
        if event.at.ns < from {
            return Ok(ControlFlow::Continue(()));
        }
        self.end_ns = self.end_ns.max(event.at.ns);
        let flow = self.sink.event(event).map_err(ConvError::Write)?;
        self.has_enough = flow.is_break();
        Ok(flow)
    }

    fn clock_finding(
        &mut self,
        at: EventTime,
        ticks: u64,
        finding: &Finding<'_>,
    ) -> Result<ControlFlow<()>, ConvError> {
        if self.has_clock_findings {
            self.finding(at, ticks, finding)
        } else {
            Ok(ControlFlow::Continue(()))
        }
    }

    fn finding(
        &mut self,
        at: EventTime,
        ticks: u64,
        finding: &Finding<'_>,
    ) -> Result<ControlFlow<()>, ConvError> {
        let Bounds { from, to } = self.bounds;
        if self.has_enough || at.ns < from || at.ns > to {
            return Ok(flow(self.has_enough));
        }
        self.found.diagnostics.add(finding);
        let flow = self.sink.finding(at, ticks, finding).map_err(ConvError::Write)?;
        self.has_enough = flow.is_break();
        Ok(flow)
    }
}

impl Consumer for EventAdapter<'_> {
    const FINDS_OVERLAPS: bool = false;

    fn timeline(&self) -> &Timeline {
        &self.untouched
    }

    fn is_over(&self, cores_to_come: impl FnOnce() -> u64) -> bool {
        self.is_past_end && self.inside & cores_to_come() == 0
    }

    fn consume(
        &mut self,
        at: EventTime,
        ticks: u64,
        place: LazyOffset,
        decoded: &Decoded<'_>,
    ) -> Result<(), FastPathExit> {
        let event = TimedEvent { at, ticks, place: place.place(), decoded: *decoded };
        if self.event(&event)?.is_continue() { Ok(()) } else { Err(FastPathExit::enough()) }
    }
}
