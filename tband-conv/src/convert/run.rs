//! What happens to each event: it gets its time, the timeline takes it in, the sink is told.

use std::marker::PhantomData;

use tband_format::{Event, decode_payload};

use crate::clock::{Clock, Known, MAX_NS, Told};
use crate::diagnostics::{Finding, Place, Problem};
use crate::error::ConvError;
use crate::events::MAX_CORES;
use crate::excerpt::{Seen, Watch};
use crate::input::Input;
use crate::lane::{Lane, RecordKind};
use crate::machine::Timeline;
use crate::merge::{Merge, Merged};
use crate::model::{At, Sink, TraceInfo};
use crate::overlap::Overlaps;
use crate::scan::Extent;
use crate::verdict::{Whole, judge};

/// A second pass.
pub(super) struct Run<'s, S: ?Sized, W> {
    pub timeline: Timeline,
    pub sink: &'s mut S,
    pub clock: Clock,
    pub events: u64,
    /// Time of the first event; nothing is told of as earlier.
    first_ns: i64,
    /// Time of the last event that did not pass by its lane.
    pub last_ns: i64,
    /// What follows was found to be of no interest.
    pub has_enough: bool,
    out_of_range: bool,
    /// A rounded resolution that does not fit, where it stands and what is wrong. At the start of a stream
    /// the exact one that it comes from follows.
    doubt: Option<(u64, Place, String)>,
    watch: PhantomData<W>,
}

impl<'s, S: Sink + ?Sized, W: Watch<S>> Run<'s, S, W> {
    pub fn new(timeline: Timeline, sink: &'s mut S, clock: Clock, first_ns: i64) -> Self {
        let (events, last_ns, out_of_range, doubt) = (0, first_ns, false, None);
        let (has_enough, watch) = (false, PhantomData);
        Self {
            has_enough,
            timeline,
            sink,
            clock,
            events,
            first_ns,
            last_ns,
            out_of_range,
            doubt,
            watch,
        }
    }

    /// Takes what is ready out of a lane. False: what follows is of no interest.
    #[inline(never)]
    pub fn drain(&mut self, lane: &mut Lane, core: u32, closed: bool) -> Result<bool, ConvError> {
        while lane.ready(closed).is_some() {
            let Some(record) = lane.pop() else { break };
            if !self.one(&Merged { input: 0, core, record, swaps: false })? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The events of all cores and inputs.
    pub fn all(&mut self, mut merge: Merge<'_, '_>, inputs: &[Input<'_>]) -> Result<(), ConvError> {
        let mut overlaps = Overlaps::default();
        loop {
            if W::is_behind(self.sink) && !W::awaits(self.sink, merge.cores_to_come()) {
                self.has_enough = true;
                break;
            }
            let Some(merged) = merge.next_record(&self.timeline)? else { break };
            if let Some(other) = overlaps.found(&merged) {
                self.overlap(&merged, inputs, other)?;
            }
            if !self.one(&merged)? {
                self.has_enough = true;
                break;
            }
        }
        self.events = merge.events();
        Ok(())
    }

    /// Two inputs have events of one core at the same time.
    #[cold]
    fn overlap(
        &mut self,
        merged: &Merged<'_>,
        inputs: &[Input<'_>],
        other: usize,
    ) -> Result<(), ConvError> {
        let name = |input: usize| inputs.get(input).map(Input::name).unwrap_or_default();
        let (first, second) = (merged.input.min(other), merged.input.max(other));
        let (first, second) = (name(first), name(second));
        let place = Place { input: merged.input, offset: merged.record.offset };
        let text = format!(
            "{first} and {second} have events of core {} at the same time; if {second} is of another \
             core, say so as in {second}@{}",
            merged.core,
            merged.core.saturating_add(1)
        );
        self.last_ns = self.ns(merged.record.ticks, place)?;
        self.note(Problem::FilesOverlap, place, &text)
    }

    /// Takes a record in. False: it and what follows are of no interest.
    #[inline]
    fn one(&mut self, merged: &Merged<'_>) -> Result<bool, ConvError> {
        let Merged { input, core, record, swaps } = *merged;
        let place = Place { input, offset: record.offset };
        let mut ns = self.ns(record.ticks, place)?;
        if record.kind != RecordKind::Timed {
            ns = ns.max(self.first_ns);
        }
        let at = At { ns, core };
        if let RecordKind::Finding(problem) = record.kind {
            let text = String::from_utf8_lossy(record.bytes);
            let finding = Finding { problem, place, amount: 1, text: &text };
            self.timeline.finding(at, &finding, self.sink).map_err(ConvError::Write)?;
            return Ok(true);
        }
        // It was decoded before it was queued.
        let Ok(decoded) = decode_payload(record.bytes) else {
            return Ok(true);
        };
        let seen = Seen { at, payload: record.bytes };
        if !W::sees(self.sink, self.timeline.world(), &seen) {
            return Ok(false);
        }
        self.sink.event(at, place, &decoded).map_err(ConvError::Write)?;
        if record.kind == RecordKind::Silent {
            return Ok(true);
        }
        if let Event::TsFrequency { .. } | Event::TsResolutionNs { .. } = decoded.event {
            self.tell_clock(at, record.ticks, place, &decoded.event)?;
        }
        self.timeline.expect_swap(swaps);
        self.timeline.event(at, place, &decoded.event, self.sink).map_err(ConvError::Write)?;
        Ok(true)
    }

    /// Lets the clock follow what the recording says of it.
    #[cold]
    fn tell_clock(
        &mut self,
        at: At,
        ticks: u64,
        place: Place,
        event: &Event<'_>,
    ) -> Result<(), ConvError> {
        let Some(told) = self.clock.follow(ticks, event) else { return Ok(()) };
        let what = match *event {
            Event::TsFrequency { numerator, denominator } => {
                format!("{numerator}/{denominator} Hz")
            }
            Event::TsResolutionNs { ns_per_ts: ns } => format!("{ns} ns a tick"),
            _ => String::new(),
        };
        let now = self.clock.frequency();
        if self.doubt.take_if(|(ns, ..)| now.rounds_to(*ns)).is_none() {
            self.settle_doubt(at)?;
        }
        let (problem, text) = match told {
            Told::Nothing => return Ok(()),
            Told::Changed(before) => (
                Problem::FrequencyChange,
                format!("timestamps count at {now} from here on, at {before} before"),
            ),
            Told::Contradiction => {
                let text = format!("the recording says {what} here, but timestamps count at {now}");
                if let Event::TsResolutionNs { ns_per_ts: ns @ 1.. } = *event {
                    self.doubt = Some((ns, place, text));
                    return Ok(());
                }
                (Problem::FrequencyConflict, text)
            }
        };
        let finding = Finding { problem, place, amount: 1, text: &text };
        self.timeline.finding(at, &finding, self.sink).map_err(ConvError::Write)
    }

    /// What is wrong with the recording as a whole.
    pub fn judge(&mut self, (about, core_ids): (u64, u64), known: Known) -> Result<(), ConvError> {
        let length_ns = u64::try_from(self.last_ns.saturating_sub(self.first_ns)).unwrap_or(0);
        let whole = Whole { events: self.events, about, core_ids, length_ns, known };
        let at = At { ns: self.last_ns, core: 0 };
        for (problem, amount, text) in judge(&whole, &self.timeline, &self.clock) {
            let finding = Finding { problem, place: Place::default(), amount, text: &text };
            self.timeline.finding(at, &finding, self.sink).map_err(ConvError::Write)?;
        }
        Ok(())
    }

    /// Nothing came that a rounded resolution would fit to.
    pub fn settle_doubt(&mut self, at: At) -> Result<(), ConvError> {
        let Some((_, place, text)) = self.doubt.take() else { return Ok(()) };
        let problem = Problem::FrequencyConflict;
        let finding = Finding { problem, place, amount: 1, text: &text };
        self.timeline.finding(at, &finding, self.sink).map_err(ConvError::Write)
    }

    /// Ticks to nanoseconds.
    #[inline]
    fn ns(&mut self, ticks: u64, place: Place) -> Result<i64, ConvError> {
        self.last_ns = match self.clock.ns(ticks) {
            Some(ns) => ns,
            None => self.beyond_range(ticks, place)?,
        };
        Ok(self.last_ns)
    }

    #[cold]
    fn beyond_range(&mut self, ticks: u64, place: Place) -> Result<i64, ConvError> {
        if !self.out_of_range {
            self.out_of_range = true;
            let text = format!(
                "timestamp {ticks} at {} is beyond 292 years; it and all after it are shown at that limit",
                self.clock.frequency()
            );
            self.note(Problem::TimeOutOfRange, place, &text)?;
        }
        Ok(MAX_NS)
    }

    pub fn note(&mut self, problem: Problem, place: Place, text: &str) -> Result<(), ConvError> {
        let finding = Finding { problem, place, amount: 1, text };
        let at = At { ns: self.last_ns, core: 0 };
        self.timeline.finding(at, &finding, self.sink).map_err(ConvError::Write)
    }

    /// Cores that the target should not have.
    pub fn look_at_cores(
        &mut self,
        extents: &[Vec<Extent>],
        core_count: Option<u32>,
        info: Option<TraceInfo>,
    ) -> Result<(), ConvError> {
        let told = info.map(|info| info.core_count).filter(|count| *count > 0);
        let Some(count) = core_count.or(told) else {
            return Ok(());
        };
        if count >= MAX_CORES {
            return Ok(());
        }
        for (input, extents) in extents.iter().enumerate() {
            for Extent { core, first, .. } in extents.iter().filter(|extent| extent.core >= count) {
                let text = format!("core id {core} occurs, but the core count is {count}");
                let place = Place { input, offset: *first };
                self.note(Problem::CoreOutOfRange, place, &text)?;
            }
        }
        Ok(())
    }
}
