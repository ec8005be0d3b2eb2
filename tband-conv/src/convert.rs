//! The conversion: first pass, merge, timeline, sinks.

use std::fmt;
use std::io;

use tband_format::{Decoded, Event, FrameError, decode_payload, registry::trace_info_flags};

use crate::clock::{Clock, Known, MAX_NS, Told};
use crate::diagnostics::{Diagnostics, Finding, Place, Problem};
use crate::error::ConvError;
use crate::events::{Defect, EventReader, Item, MAX_CORES, Mode, Origin, Visitor};
use crate::frequency::Frequency;
use crate::input::Input;
use crate::lane::{Lane, RecordKind};
use crate::merge::{Merge, Merged, WINDOW, has_no_time, is_silent, queue};
use crate::overlap::Overlaps;
use crate::scan::{Extent, Scan};
use crate::starts::{Look, Start, StreamStarts};
use crate::timeline::{At, FREQUENT, Flows, Sink, Timeline, TraceInfo, World};
use crate::verdict::{Whole, judge};

/// How to convert.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Which events the recording may hold.
    pub mode: Mode,
    /// Number of cores of the target. Events of others are used, but are findings. `None`: what
    /// the recording says of itself, else whatever occurs.
    pub core_count: Option<u32>,
    /// Memory for putting cores that share an input in order, in bytes an input; `None` for
    /// [`WINDOW`].
    pub window: Option<usize>,
    /// Which flows the sinks are told of.
    pub flows: Flows,
    /// How often the timer of the timestamps counts at the start, whatever the recording says.
    pub tick_rate: Option<Frequency>,
}

/// What a conversion found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// Events that were read, metadata included.
    pub events: u64,
    /// What was wrong.
    pub diagnostics: Diagnostics,
    /// Names of the files that were read, in their order.
    pub inputs: Vec<String>,
    /// What the recording says of itself.
    pub trace_info: Option<TraceInfo>,
    /// Build that made the recording.
    pub build_id: Option<String>,
    /// How often the timer of the timestamps counts at the start; 1 GHz if the recording does not say.
    pub frequency: Frequency,
    /// For each input its files with their names, and the offsets of the recording at which they begin.
    files: Vec<Vec<(String, u64)>>,
}

impl Summary {
    /// A place, as messages name it.
    #[must_use]
    pub fn place(&self, place: Place) -> ShownPlace<'_> {
        let files = self.files.get(place.input).map_or(&[][..], Vec::as_slice);
        let before = files.iter().rfind(|(_, start)| *start <= place.offset);
        let (input, start) = before.map_or(("?", 0), |(name, start)| (name.as_str(), *start));
        ShownPlace { input, offset: place.offset.saturating_sub(start) }
    }
}

/// A place for messages.
#[derive(Clone, Copy, Debug)]
pub struct ShownPlace<'a> {
    input: &'a str,
    offset: u64,
}

impl fmt::Display for ShownPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: byte {}", self.input, self.offset)
    }
}

/// Converts recordings of one target into whatever `sink` makes of them, in bounded memory.
///
/// Each input is opened and read twice. Damage is not an error: it is in the summary.
///
/// # Errors
/// [`ConvError`] if an input cannot be read or is no recording, or the sink fails.
pub fn convert<S: Sink + ?Sized>(
    inputs: &[Input<'_>],
    options: &Options,
    sink: &mut S,
) -> Result<Summary, ConvError> {
    let mut scan = Scan::run(inputs, options.mode)?;
    let info = scan.world.trace_info;
    let mode = match (options.mode, info) {
        // Unless it begins with FreeRTOS events all the same: a flag is damaged more easily.
        (Mode::Auto, Some(info))
            if info.flags & trace_info_flags::FREERTOS == 0 && !scan.has_freertos =>
        {
            Mode::BareMetal
        }
        (mode, _) => mode,
    };
    let known = scan.known();
    let first_ticks = scan.first_ticks.unwrap_or(0);
    let mut clock = match options.tick_rate {
        Some(truth) => Clock::corrected(known, truth, first_ticks),
        None => Clock::new(known, first_ticks),
    };
    let frequency = clock.frequency();
    // The first one may be beyond the range; that is told when it comes.
    scan.world.start_ns = scan.first_ticks.map(|ticks| clock.ns(ticks).unwrap_or(MAX_NS));
    let first_ns = scan.world.start_ns.unwrap_or(0);
    let mut run = Run {
        timeline: Timeline::new(scan.world).with_foretold(scan.foretold).with_flows(options.flows),
        sink,
        clock,
        events: 0,
        first_ns,
        last_ns: first_ns,
        out_of_range: false,
        doubt: None,
    };
    run.timeline.start(run.sink).map_err(ConvError::Write)?;
    let silent = run.sink.wants_events();
    run.look_at_cores(&scan.extents, options.core_count, info)?;
    if known == Known::Nothing && options.tick_rate.is_none() {
        run.note(Problem::NoResolution, Place::default(), Problem::NoResolution.title())?;
    }
    match (inputs, scan.extents.as_slice(), scan.starts.as_slice()) {
        ([input], [extents], [starts]) if extents.len() <= 1 && !input.is_joined() => {
            run = run.single(input, mode, starts, silent)?;
        }
        (_, extents, starts) => {
            let window = options.window.unwrap_or(WINDOW);
            let merge = Merge::new(inputs, (extents, starts), mode, window)?;
            run.all(if silent { merge.with_silent() } else { merge }, inputs)?;
        }
    }
    run.settle_doubt(At { ns: run.last_ns, core: 0 })?;
    let known = if options.tick_rate.is_some() { run.clock.known() } else { known };
    run.judge((scan.about, scan.core_ids), known)?;
    run.timeline.finish(run.sink).map_err(ConvError::Write)?;
    let World { trace_info, ref build_id, .. } = *run.timeline.world();
    Ok(Summary {
        events: run.events,
        trace_info,
        build_id: build_id.clone(),
        diagnostics: run.timeline.into_diagnostics(),
        inputs: inputs.iter().flat_map(Input::names).map(str::to_owned).collect(),
        frequency,
        files: inputs.iter().map(Input::files).collect(),
    })
}

/// A conversion without merge.
struct Single<'s, S: ?Sized> {
    run: Run<'s, S>,
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

impl<S: Sink + ?Sized> Visitor for Single<'_, S> {
    type Error = Stop;

    const FREQUENT: [bool; 256] = FREQUENT;

    #[inline(always)]
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

impl<S: Sink + ?Sized> Single<'_, S> {
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
            run.drain(lane, *core, true)?;
            *core = item.core;
        }
        if silent && (is_known || is_silent(item)) {
            lane.push(RecordKind::Silent, item.offset, item.payload);
        }
        if !is_known {
            queue(lane, item);
        }
        Ok(run.drain(lane, *core, false)?)
    }
}

struct Run<'s, S: ?Sized> {
    timeline: Timeline,
    sink: &'s mut S,
    clock: Clock,
    events: u64,
    /// Time of the first event; nothing is told of as earlier.
    first_ns: i64,
    /// Time of the last event that did not pass by its lane.
    last_ns: i64,
    out_of_range: bool,
    /// A rounded resolution that does not fit, where it stands and what is wrong. At the start of a stream
    /// the exact one that it comes from follows.
    doubt: Option<(u64, Place, String)>,
}

impl<S: Sink + ?Sized> Run<'_, S> {
    /// The events of one core in one input: nothing to merge, hardly anything to queue.
    fn single(
        self,
        input: &Input<'_>,
        mode: Mode,
        starts: &[Start],
        silent: bool,
    ) -> Result<Self, ConvError> {
        let mut events = EventReader::new(input.open()?, input.core(), mode);
        let (lane, starts) = (Lane::default(), StreamStarts::new(starts));
        let mut single = Single { run: self, lane, core: input.core(), starts, silent };
        events.visit(&mut single).map_err(|Stop(stop)| match *stop {
            Cause::Read(error) => input.read_error(error),
            Cause::Convert(error) => error,
        })?;
        let Single { mut run, mut lane, core, .. } = single;
        run.events = events.events();
        if let Some(ticks) = lane.passed() {
            run.last_ns = run.clock.ns(ticks).unwrap_or(MAX_NS);
        }
        run.drain(&mut lane, core, true)?;
        Ok(run)
    }

    /// An event of a recording without merge, at a time that is not before the last one's, nor behind
    /// the span of the clock.
    #[inline(always)]
    fn timed(
        &mut self,
        ticks: u64,
        origin: &Origin<'_>,
        decoded: &Decoded<'_>,
    ) -> Result<(), Stop> {
        let at = At { ns: self.clock.span().ns(ticks), core: origin.core };
        if let Err(error) = self.sink.event(at, origin.place.place(), decoded) {
            return Err(ConvError::Write(error).into());
        }
        match self.timeline.event_in_turn(at, origin.place, &decoded.event, self.sink) {
            Ok(()) => Ok(()),
            Err(error) => Err(ConvError::Write(error).into()),
        }
    }

    /// Takes what is ready out of a lane.
    #[inline(never)]
    fn drain(&mut self, lane: &mut Lane, core: u32, closed: bool) -> Result<(), ConvError> {
        while lane.ready(closed).is_some() {
            let Some(record) = lane.pop() else { break };
            self.one(&Merged { input: 0, core, record, swaps: false })?;
        }
        Ok(())
    }

    fn all(&mut self, mut merge: Merge<'_, '_>, inputs: &[Input<'_>]) -> Result<(), ConvError> {
        let mut overlaps = Overlaps::default();
        while let Some(merged) = merge.next_record(&self.timeline)? {
            if let Some(other) = overlaps.found(&merged) {
                self.overlap(&merged, inputs, other)?;
            }
            self.one(&merged)?;
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

    #[inline]
    fn one(&mut self, merged: &Merged<'_>) -> Result<(), ConvError> {
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
            return self.timeline.finding(at, &finding, self.sink).map_err(ConvError::Write);
        }
        // It was decoded before it was queued.
        let Ok(decoded) = decode_payload(record.bytes) else {
            return Ok(());
        };
        self.sink.event(at, place, &decoded).map_err(ConvError::Write)?;
        if record.kind == RecordKind::Silent {
            return Ok(());
        }
        if let Event::TsFrequency { .. } | Event::TsResolutionNs { .. } = decoded.event {
            self.tell_clock(at, record.ticks, place, &decoded.event)?;
        }
        self.timeline.expect_swap(swaps);
        self.timeline.event(at, place, &decoded.event, self.sink).map_err(ConvError::Write)
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
        let (told, what) = match *event {
            Event::TsResolutionNs { ns_per_ts: ns } => {
                (self.clock.told_resolution(ticks, ns), format!("{ns} ns a tick"))
            }
            Event::TsFrequency { numerator, denominator } => (
                self.clock.told_frequency(ticks, numerator, denominator),
                format!("{numerator}/{denominator} Hz"),
            ),
            _ => return Ok(()),
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
    fn judge(&mut self, (about, core_ids): (u64, u64), known: Known) -> Result<(), ConvError> {
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
    fn settle_doubt(&mut self, at: At) -> Result<(), ConvError> {
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

    fn note(&mut self, problem: Problem, place: Place, text: &str) -> Result<(), ConvError> {
        let finding = Finding { problem, place, amount: 1, text };
        let at = At { ns: self.last_ns, core: 0 };
        self.timeline.finding(at, &finding, self.sink).map_err(ConvError::Write)
    }

    /// Cores that the target should not have.
    fn look_at_cores(
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
