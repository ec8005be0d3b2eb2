//! How a pass over the events begins and ends: with what is known before the first event, and with what the
//! recording as a whole says.

use std::collections::BTreeSet;

use super::Summary;
use super::driver::Driver;
use super::follow::Follow;
use crate::clock::frequency::Frequency;
use crate::clock::{Known, MAX_NS};
use crate::convert::timing::{Stage, Timing};
use crate::cores::MAX_CORES;
use crate::diagnostics::{Finding, Place, Problem};
use crate::error::ConvError;
use crate::excerpt::Watch;
use crate::item::Mode;
use crate::machine::Timeline;
use crate::merge::Merge;
use crate::model::{At, Sink, TraceInfo, World};
use crate::options::Options;
use crate::outset::Outset;
use crate::outset::layout::{Extent, Layout};
use crate::packets::{FirstPacket, FirstPackets, Link, MissingFirst, find_missing};
use crate::scan::Scan;
use crate::verdict::{Whole, judge};
use tband_format::classes::buffers::Backend;

/// What is kept of the beginning for the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    /// How often the timer counts at the start.
    frequency: Frequency,
    known: Known,
}

/// What the inputs as a whole come to.
#[derive(Clone, Debug, Default)]
pub(super) struct InputTotals {
    /// Events that change no state of the target.
    pub about: u64,
    /// Those of them that are `core_id`.
    pub core_ids: u64,
    /// What came over the link, if any input is packets.
    pub link: Option<Link>,
    /// The first packets of the cores in each input.
    pub firsts: Vec<FirstPackets>,
    /// The inputs are of several boards, each with its own cores.
    pub has_boards: bool,
}

/// What a first pass has found in the inputs, and what is to be said of those without an event.
pub(super) type Found<'f> = (&'f [Layout], Vec<(Place, String)>);

impl InputTotals {
    /// As a first pass has found them.
    pub fn of(scan: &Scan, has_boards: bool) -> Self {
        let &Scan { about, core_ids, link, ref firsts, .. } = scan;
        Self { about, core_ids, link, firsts: firsts.clone(), has_boards }
    }
}

impl<'r, H: Watch> Driver<'r, Follow<H>> {
    /// Begins with what is known before the first event; if there was no first pass nothing was `found`, and what is
    /// learnt late of the clock counts from there on.
    pub fn open(
        (merge, names): (Merge<'r>, Vec<String>),
        mut outset: Outset,
        found: Option<Found<'_>>,
        options: &Options,
        sink: H,
    ) -> Result<(Self, Opened), ConvError> {
        let info = outset.world.trace_info;
        // Of nothing there is no main program either.
        let is_bare_metal = (outset.is_bare_metal() || options.mode == Mode::BareMetal)
            && outset.first_ticks().is_some();
        let cores: BTreeSet<u32> = outset.cores().collect();
        let known = outset.known();
        let mut clock = outset.clock(options.tick_rate);
        let frequency = clock.frequency();
        // The first one may be beyond the range; that is reported when it comes.
        outset.world.start_ns = outset.first_ticks().map(|ticks| clock.ns(ticks).unwrap_or(MAX_NS));
        if let Some((program, facts)) = options.given() {
            outset.world.give(program, &facts);
        }
        let first_ticks = outset.first_ticks().unwrap_or(0);
        let first_ns = outset.world.start_ns.unwrap_or(0);
        let timeline =
            Timeline::new(outset.world).with_deferred(outset.deferred).with_flows(options.flows);
        if found.is_none() {
            clock.run();
        }
        let timing = Timing::new(clock, first_ticks, first_ns);
        let wants_events = sink.wants_events();
        let merge = if wants_events { merge.with_silent() } else { merge };
        let follow = Follow { timeline, sink, wants_events };
        let mut driver = Self::new(merge, names, follow, timing);
        let Follow { timeline, sink, .. } = &mut driver.run.consumer;
        timeline.start(&mut **sink).map_err(ConvError::Write)?;
        let (layouts, empty) = found.unwrap_or_default();
        let extents = layouts.iter().map(|layout| layout.extents.as_slice());
        driver.look_at_cores(extents, options.core_count, info)?;
        if is_bare_metal {
            let Follow { timeline, sink, .. } = &mut driver.run.consumer;
            timeline.main_program(first_ns, &cores, &mut &mut **sink).map_err(ConvError::Write)?;
        }
        for (place, text) in empty {
            driver.note(Problem::EmptyInput, place, &text)?;
        }
        Ok((driver, Opened { frequency, known }))
    }

    /// Says so if nobody knows how often the timer counts.
    pub fn look_at_clock(&mut self, opened: Opened, options: &Options) -> Result<(), ConvError> {
        if opened.known != Known::Nothing || options.tick_rate.is_some() {
            return Ok(());
        }
        self.note(Problem::NoResolution, Place::default(), Problem::NoResolution.title())
    }

    /// Reports cores that the target should not have.
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

    /// Ends with what is wrong with the recording as a whole.
    pub fn close(
        &mut self,
        opened: Opened,
        totals: &mut InputTotals,
        options: &Options,
    ) -> Result<(), ConvError> {
        self.run.settle_doubt()?;
        if !self.run.has_enough {
            self.report_missing_first_packets(totals)?;
            let has_rate = options.tick_rate.is_some();
            let known = if has_rate { self.run.timing.clock.known() } else { opened.known };
            self.judge(totals, known)?;
        }
        let Follow { timeline, sink, .. } = &mut self.run.consumer;
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
        for MissingFirst { input, first } in find_missing(&totals.firsts, totals.has_boards) {
            let FirstPacket { stream, sequence, offset } = first;
            let text = match sequence {
                1 => format!("core {stream}: packet 0 is missing"),
                _ => format!("core {stream}: packets 0 to {} are missing", sequence - 1),
            };
            let (ns, ticks) = self.run.timing.last();
            let place = Place { input, offset };
            let problem = Problem::FirstPacketsLost;
            let finding = Finding { problem, place, amount: sequence.into(), text: &text };
            self.run.consumer.finding(At { ns, core: stream.into() }, ticks, &finding)?;
            if let Some(link) = &mut totals.link {
                link.lost = link.lost.saturating_add(sequence.into());
            }
        }
        Ok(())
    }

    fn judge(&mut self, totals: &InputTotals, known: Known) -> Result<(), ConvError> {
        let &InputTotals { about, core_ids, link, .. } = totals;
        let Timing { first_ns, last_ns, ref clock, .. } = self.run.timing;
        let length_ns = u64::try_from(last_ns.saturating_sub(first_ns)).unwrap_or(0);
        let whole = Whole { events: self.events(), about, core_ids, length_ns, known, link };
        let at = At { ns: last_ns, core: 0 };
        let Follow { timeline, sink, .. } = &mut self.run.consumer;
        for (problem, amount, text) in judge(&whole, timeline, clock) {
            let finding = Finding { problem, place: Place::default(), amount, text: &text };
            timeline.finding(at, &finding, &mut **sink).map_err(ConvError::Write)?;
        }
        Ok(())
    }

    /// Sums up what was found, in inputs with these names and files. Gives the sink back.
    pub fn into_summary(
        self,
        opened: Opened,
        inputs: Vec<String>,
        files: Vec<Vec<(String, u64)>>,
    ) -> (Summary, H) {
        let (events, census) = (self.events(), self.merge.census());
        let Follow { timeline, sink, .. } = self.run.consumer;
        let World { trace_info, ref build_id, ref clocks, .. } = *timeline.world();
        let (build_id, clocks) = (build_id.clone(), clocks.clone());
        let summary = Summary {
            events,
            census,
            trace_info,
            build_id,
            crashes: timeline.crashes().to_vec(),
            triggers: timeline.triggers().to_vec(),
            left_out: timeline.left_out().to_vec(),
            shed: timeline.shed(),
            clocks,
            diagnostics: timeline.into_diagnostics(),
            inputs,
            frequency: opened.frequency,
            link: None,
            part: None,
            files,
        };
        (summary, sink)
    }
}
