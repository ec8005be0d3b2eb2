//! Times of an input as those of another clock.

use tband_format::Event;
use tband_format::decode::Decoded;

use super::aligned::Aligned;
use super::estimate::Estimate;
use crate::clock::FrequencyKnowledge;
use crate::clock::frequency::{Frequency, NS_PER_S};
use crate::item::packet_loss::PacketLoss;
use crate::item::{Defect, Item};

/// The clock of a core, or of all, in a run of the target.
#[derive(Debug)]
struct RunClock {
    /// Offset at which the run begins.
    begin: u64,
    core: Option<u32>,
    estimate: Estimate,
}

/// How the clocks of an input run against the first one.
#[derive(Debug)]
pub(crate) struct Builder {
    known: FrequencyKnowledge,
    clocks: Vec<RunClock>,
    about: Vec<Aligned>,
    /// Offsets at which runs of the target after the first one begin.
    resets: Vec<u64>,
    /// The earliest time, in ticks of the first clock.
    earliest: f64,
}

impl Builder {
    /// Creates a map with the known frequency of the first clock.
    pub fn new(known: FrequencyKnowledge) -> Self {
        Self { known, clocks: Vec::new(), about: Vec::new(), resets: Vec::new(), earliest: 0.0 }
    }

    /// Adds the clock of a core, or of all cores, in the run of the target that begins at an offset, with its first and last
    /// time and its known facts. Runs are added in order. The facts of several runs form one report.
    pub fn add(&mut self, begin: u64, estimate: Estimate, (from, to): (u64, u64), about: Aligned) {
        self.earliest = self.earliest.min(estimate.at(from));
        let points = estimate.points((from, to));
        let worst = points.iter().map(|(_, wrong)| *wrong).fold(0.0, f64::max);
        let tick_ns = NS_PER_S as f64 / self.known.frequency().hz();
        let core = about.core;
        self.clocks.push(RunClock { begin, core, estimate });
        if begin > 0 {
            self.resets.push(begin);
        }
        let about = Aligned { uncertainty_ns: worst * tick_ns, points, ..about };
        match self.about.iter_mut().find(|before| before.core == core) {
            Some(before) => before.continue_with(about),
            None => self.about.push(about),
        }
    }

    /// Returns the facts about its clocks so far.
    pub fn about(&self) -> &[Aligned] {
        &self.about
    }

    /// How far before tick 0 of the first clock it begins.
    pub fn below_zero(&self) -> u64 {
        (-self.earliest).ceil().max(0.0) as u64
    }

    /// Adds this offset to all times.
    pub fn shifted(self, shift: u64) -> Alignment {
        let mut about = self.about;
        for (time, _) in about.iter_mut().flat_map(|about| about.points.iter_mut()) {
            *time += shift as f64;
        }
        let Self { known, clocks, resets, .. } = self;
        Alignment { known, clocks, about, resets, shift }
    }
}

/// Converts an input's events to the times of another clock.
#[derive(Debug)]
pub(crate) struct Alignment {
    known: FrequencyKnowledge,
    /// By offset; those that are not here are the first clock.
    clocks: Vec<RunClock>,
    about: Vec<Aligned>,
    resets: Vec<u64>,
    shift: u64,
}

impl Alignment {
    /// An item, with its times as they are on the first clock.
    pub fn item<'a>(&self, item: Item<'a>) -> Item<'a> {
        let ticks = |own| self.ticks((item.offset, item.core), own);
        let event = match item.event {
            // Its time marks the start of a stream.
            Ok(decoded @ Decoded { event: Event::CoreId { .. }, ts: Some(0), .. }) => Ok(decoded),
            Ok(Decoded { ts, event }) => {
                Ok(Decoded { ts: ts.map(ticks), event: self.event(event) })
            }
            Err(Defect::Missing(missing)) => Err(Defect::Missing(PacketLoss {
                from: ticks(missing.from),
                to: ticks(missing.to),
                ..missing
            })),
            Err(defect) => Err(defect),
        };
        Item { event, reported: item.reported.map(ticks), ..item }
    }

    /// Returns the facts about its clocks except the first one.
    pub fn about(&self) -> &[Aligned] {
        &self.about
    }

    /// Offsets at which the target was reset, and its clock with it.
    pub fn resets(&self) -> &[u64] {
        &self.resets
    }

    fn ticks(&self, (offset, core): (u64, u32), own: u64) -> u64 {
        let is_it = |of: &&RunClock| of.begin <= offset && of.core.is_none_or(|of| of == core);
        match self.clocks.iter().rfind(is_it) {
            // As `as` does: nothing is below 0 or beyond the range.
            Some(of) => (of.estimate.at(own) + self.shift as f64).round() as u64,
            None => own.saturating_add(self.shift),
        }
    }

    /// Rewrites the clock's timer reports for the first clock.
    fn event<'a>(&self, event: Event<'a>) -> Event<'a> {
        let frequency = self.known.frequency();
        match event {
            Event::TsFrequency { .. } => Event::TsFrequency {
                numerator: frequency.numerator(),
                denominator: frequency.denominator(),
            },
            Event::TsResolutionNs { .. } => {
                Event::TsResolutionNs { ns_per_ts: resolution(self.known, frequency) }
            }
            other => other,
        }
    }
}

fn resolution(known: FrequencyKnowledge, frequency: Frequency) -> u64 {
    match known {
        FrequencyKnowledge::Rounded(ns) => ns,
        FrequencyKnowledge::Nothing | FrequencyKnowledge::Exact(_) => {
            let tick = u128::from(NS_PER_S) * u128::from(frequency.denominator());
            u64::try_from(tick / u128::from(frequency.numerator())).unwrap_or(u64::MAX).max(1)
        }
    }
}
