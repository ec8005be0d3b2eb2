//! The beginning and the end of a pass over the events: state known before the first event, and findings of the recording as a
//! whole.

use std::collections::BTreeSet;

use super::Summary;
use super::driver::Driver;
use super::follow::TimelineStage;
use crate::clock::frequency::Frequency;
use crate::clock::{FrequencyKnowledge, MAX_NS};
use crate::convert::timing::{Stage, Timing};
use crate::cores::MAX_CORES;
use crate::diagnostics::{Finding, Place, Problem};
use crate::error::ConvError;
use crate::excerpt::Watch;
use crate::item::Mode;
use crate::machine::Timeline;
use crate::merge::Merge;
use crate::model::{EventTime, Sink, World};
use crate::options::Options;
use crate::outset::Outset;
use crate::outset::layout::{Extent, Layout};
use crate::packets::{FirstPacket, FirstPackets, Link, MissingFirstPackets, find_missing};
use crate::scan::Scan;
use crate::verdict::{EndFacts, judge};
use tband_format::classes::buffers::Backend;
use tband_import::importer::ForeignRecording;

/// Data from the beginning that the end needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpeningData {
    /// How often the timer counts at the start.
    frequency: Frequency,
    known: FrequencyKnowledge,
}

/// Totals of all inputs.
#[derive(Clone, Debug, Default)]
pub(super) struct InputTotals {
    /// Events that change no state of the target.
    pub about: u64,
    /// Those of them that are `core_id`.
    pub core_ids: u64,
    /// Statistics of the link, if any input consists of packets.
    pub link: Option<Link>,
    /// Facts about inputs of other recorders, by the numbers of the inputs.
    pub sources: Vec<(usize, ForeignRecording)>,
    /// The first packets of the cores in each input.
    pub firsts: Vec<FirstPackets>,
    /// Statistics of the link for each input.
    pub links: Vec<Option<Link>>,
    /// The inputs are of several boards, each with its own cores.
    pub has_boards: bool,
}

/// Results of a first pass over the inputs, and the messages for those without an event.
pub(super) type FirstPassResult<'f> = (&'f [Layout], Vec<(Place, String)>);

impl InputTotals {
    /// The foreign recordings among the inputs that do not contain the frequency of their timer. Each has a separate timer,
    /// while files of one tband recording, and streams of one trace, share one.
    pub fn without_timer(&self, outset: &Outset, is_stream: impl Fn(usize) -> bool) -> Vec<usize> {
        let is_foreign =
            |input: &usize| !is_stream(*input) && self.sources.iter().any(|(it, _)| it == input);
        outset.without_timer().filter(is_foreign).collect()
    }

    /// As a first pass has found them.
    pub fn of(scan: &Scan, has_boards: bool) -> Self {
        let &Scan { about, core_ids, link, ref links, ref firsts, .. } = scan;
        let (links, firsts) = (links.clone(), firsts.clone());
        let sources = scan.sources.clone();
        Self { about, core_ids, link, sources, firsts, links, has_boards }
    }
}

impl<'r, H: Watch> Driver<'r, TimelineStage<H>> {
    /// Begins with the state known before the first event. Without a first pass, `found` is empty, and clock facts that are
    /// learnt late apply from there.
    pub fn open(
        (merge, names): (Merge<'r>, Vec<String>),
        mut outset: Outset,
        found: Option<FirstPassResult<'_>>,
        options: &Options,
        sink: H,
    ) -> Result<(Self, OpeningData), ConvError> {
        let boards = 0..outset.world.boards.count();
        // A recording without events has no main program.
        let has_events = outset.first_ticks().is_some();
        let mut bare_metal = Vec::new();
        for board in boards.clone().rev() {
            outset.world.enter(board);
            let is_bare_metal = outset.is_bare_metal() || options.mode == Mode::BareMetal;
            if is_bare_metal && has_events {
                bare_metal.push(board);
            }
            if let Some((program, facts)) = options.program_facts() {
                outset.world.give(program, &facts);
            }
        }
        let cores: BTreeSet<u32> = outset.cores().collect();
        let known = outset.known();
        let mut clock = outset.clock(options.tick_rate);
        let frequency = clock.frequency();
        // The first one may be out of range; that is reported when it comes.
        outset.world.start_ns = outset.first_ticks().map(|ticks| clock.ns(ticks).unwrap_or(MAX_NS));
        let first_ticks = outset.first_ticks().unwrap_or(0);
        let first_ns = outset.world.start_ns.unwrap_or(0);
        outset.world.are_times_ticks =
            known == FrequencyKnowledge::Nothing && options.tick_rate.is_none();
        let timeline =
            Timeline::new(outset.world).with_deferred(outset.deferred).with_flows(options.flows);
        if found.is_none() {
            clock.run();
        }
        let timing = Timing::new(clock, first_ticks, first_ns);
        let wants_events = sink.needs_events();
        let merge = if wants_events { merge.with_silent() } else { merge };
        let follow = TimelineStage { timeline, sink, wants_events };
        let mut driver = Self::new(merge, names, follow, timing);
        let TimelineStage { timeline, sink, .. } = &mut driver.run.consumer;
        timeline.start(&mut **sink).map_err(ConvError::Write)?;
        let (layouts, empty) = found.unwrap_or_default();
        let extents = layouts.iter().map(|layout| layout.extents.as_slice());
        driver.check_cores(extents, options.core_count)?;
        for board in bare_metal.into_iter().rev() {
            let TimelineStage { timeline, sink, .. } = &mut driver.run.consumer;
            timeline.enter(board);
            let is_of_board = |core: &u32| {
                let of_input = |(input, layout): (usize, &Layout)| {
                    timeline.world().boards.board_of_input(input) == board
                        && layout.extents.iter().any(|extent| extent.core == *core)
                };
                boards.len() == 1 || layouts.iter().enumerate().any(of_input)
            };
            let cores: BTreeSet<u32> = cores.iter().copied().filter(is_of_board).collect();
            timeline.main_program(first_ns, &cores, &mut &mut **sink).map_err(ConvError::Write)?;
        }
        for (place, text) in empty {
            driver.note(Problem::EmptyInput, place, &text)?;
        }
        Ok((driver, OpeningData { frequency, known }))
    }

    /// Reports a finding if the timer's frequency is unknown, or that of these inputs, each of which has a separate timer.
    pub fn check_clock(
        &mut self,
        (opened, without_timer): (OpeningData, &[usize]),
        options: &Options,
    ) -> Result<(), ConvError> {
        if options.tick_rate.is_some() {
            return Ok(());
        }
        if opened.known == FrequencyKnowledge::Nothing {
            return self.note(
                Problem::NoResolution,
                Place::default(),
                Problem::NoResolution.title(),
            );
        }
        let text = format!(
            "unknown frequency of the timestamps; they are taken to count at {}, as those of another input",
            opened.frequency
        );
        for input in without_timer.iter().copied() {
            self.note(Problem::NoOwnResolution, Place { input, offset: 0 }, &text)?;
        }
        Ok(())
    }

    /// Reports cores that the target should not have.
    pub fn check_cores<'e>(
        &mut self,
        extents: impl Iterator<Item = &'e [Extent]>,
        core_count: Option<u32>,
    ) -> Result<(), ConvError> {
        for (input, extents) in extents.enumerate() {
            let timeline = &mut self.run.consumer.timeline;
            timeline.enter_input(input);
            let world = timeline.world();
            let reported = world.trace_info.map(|info| info.core_count).filter(|count| *count > 0);
            let Some(count) = core_count.or(reported) else { continue };
            let count = count.saturating_add(world.boards.first_core());
            if count >= MAX_CORES {
                continue;
            }
            for Extent { core, first, .. } in extents.iter().filter(|extent| extent.core >= count) {
                let text = format!("core id {core} occurs, but the core count is {count}");
                let place = Place { input, offset: *first };
                self.note(Problem::CoreOutOfRange, place, &text)?;
            }
        }
        Ok(())
    }

    /// Ends with the findings of the recording as a whole.
    pub fn close(
        &mut self,
        opened: OpeningData,
        totals: &mut InputTotals,
        options: &Options,
    ) -> Result<(), ConvError> {
        self.run.end_clock_check()?;
        if !self.run.has_enough {
            self.report_missing_first_packets(totals)?;
            let has_rate = options.tick_rate.is_some();
            let known = if has_rate { self.run.timing.clock.known() } else { opened.known };
            self.judge(totals, known)?;
        }
        let TimelineStage { timeline, sink, .. } = &mut self.run.consumer;
        timeline.finish(&mut **sink).map_err(ConvError::Write)
    }

    /// Reports cores whose first packets are missing. In a post-mortem recording each core overwrites its oldest packets, so there
    /// cores begin at different packets without a loss.
    fn report_missing_first_packets(&mut self, totals: &mut InputTotals) -> Result<(), ConvError> {
        let info = self.run.consumer.timeline.world().trace_info;
        let backend = info.and_then(|info| info.buffers()).map(|buffers| buffers.backend);
        if backend == Some(Backend::PostMortem) {
            return Ok(());
        }
        for MissingFirstPackets { input, first } in find_missing(&totals.firsts, totals.has_boards)
        {
            let FirstPacket { stream, sequence, offset } = first;
            let timeline = &mut self.run.consumer.timeline;
            timeline.enter_input(input);
            let stream = timeline.world().boards.first_core().saturating_add(stream.into());
            let text = match sequence {
                1 => format!("core {stream}: packet 0 is missing"),
                _ => format!("core {stream}: packets 0 to {} are missing", sequence - 1),
            };
            let (ns, ticks) = self.run.timing.last();
            let place = Place { input, offset };
            let problem = Problem::FirstPacketsLost;
            let finding = Finding { problem, place, amount: sequence.into(), text: &text };
            // A timeline needs all findings of the start.
            let at = EventTime { ns, core: stream };
            let _ = self.run.consumer.finding(at, ticks, &finding)?;
            if let Some(link) = &mut totals.link {
                link.lost = link.lost.saturating_add(sequence.into());
            }
        }
        Ok(())
    }

    fn judge(&mut self, totals: &InputTotals, known: FrequencyKnowledge) -> Result<(), ConvError> {
        let &InputTotals { about, core_ids, link, .. } = totals;
        let Timing { first_ns, last_ns, ref clock, .. } = self.run.timing;
        let length_ns = u64::try_from(last_ns.saturating_sub(first_ns)).unwrap_or(0);
        let events = self.events();
        let TimelineStage { timeline, sink, .. } = &mut self.run.consumer;
        // Findings of the recordings as a whole are computed for each board.
        let mut reported: Vec<(Problem, String)> = Vec::new();
        for board in 0..timeline.world().boards.count() {
            timeline.enter(board);
            let boards = &timeline.world().boards;
            let inputs =
                (0..totals.links.len()).filter(|input| boards.board_of_input(*input) == board);
            let of_board = inputs.clone().filter_map(|input| *totals.links.get(input)?);
            let mut sum = None;
            of_board.for_each(|of_input| sum.get_or_insert_with(Link::default).add(&of_input));
            let link = if boards.are_several() { sum } else { link };
            let input = inputs.clone().next().unwrap_or(0);
            let at = EventTime { ns: last_ns, core: boards.first_core() };
            let is_foreign = !totals.sources.is_empty();
            let whole = EndFacts { events, about, is_foreign, core_ids, length_ns, known, link };
            for (problem, amount, text) in judge(&whole, timeline, clock) {
                if reported.iter().any(|(of, known)| (*of, known) == (problem, &text)) {
                    continue;
                }
                let of_all = text.clone();
                let text = match timeline.world().boards.name(board) {
                    Some(board) => format!("{board}: {text}"),
                    None => text,
                };
                let place = Place { input, offset: 0 };
                let finding = Finding { problem, place, amount, text: &text };
                timeline.finding(at, &finding, &mut **sink).map_err(ConvError::Write)?;
                reported.push((problem, of_all));
            }
        }
        Ok(())
    }

    /// Sums up the findings, for inputs with these names and files. Returns the sink with them.
    pub fn into_summary(
        self,
        opened: OpeningData,
        inputs: Vec<String>,
        files: Vec<Vec<(String, u64)>>,
    ) -> (Summary, H) {
        let (events, census) = (self.events(), self.merge.census());
        let TimelineStage { mut timeline, sink, .. } = self.run.consumer;
        timeline.enter(0);
        let World { trace_info, ref build_id, ref identity, ref clocks, .. } = *timeline.world();
        let (build_id, identity) = (build_id.clone(), identity.clone());
        let clocks = clocks.clone();
        let summary = Summary {
            events,
            census,
            trace_info,
            build_id,
            identity,
            crashes: timeline.crashes(),
            triggers: timeline.triggers(),
            left_out: timeline.left_out(),
            shed: timeline.shed(),
            clocks,
            diagnostics: timeline.into_diagnostics(),
            inputs,
            frequency: opened.frequency,
            link: None,
            sources: Vec::new(),
            part: None,
            files,
        };
        (summary, sink)
    }
}
