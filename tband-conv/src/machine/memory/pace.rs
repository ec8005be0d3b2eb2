//! Pace: the timestamps against the kernel's ticks.
//!
//! The kernel counts time too. A delay of N ticks ends with the N-th tick behind its beginning, so it lasts
//! more than N - 1 ticks and at most N; `curtask_delay_until` and `tick` say what the tick count is. If the
//! recording's times disagree with that nearly everywhere, the timer does not count as the recording says,
//! or the kernel's tick does not come as often as its configuration says.
//!
//! A delay may last longer than it should (a debugger halts the target, interrupts are masked for long,
//! ticks are lost), and another may be cut short unseen. So one sample in twenty need not agree, samples do not
//! overlap, so that one halt spoils one of them only, and there must be a few.

use crate::model::TaskRef;

/// Samples without which nothing is said.
const LEAST_SAMPLES: usize = 4;
/// Samples so far from which on only some are taken, ever fewer.
const MANY: usize = 64;
/// Ticks between two readings of the tick count that make a sample.
const STRETCH: u32 = 8;
/// Samples of so many ticks are taken alone, if there are enough of them: they are known better.
const WELL_KNOWN: u32 = 10;
/// Times that are shorter than this share of what they should be are wrong.
const TOO_SHORT: f64 = 0.77;
/// The same for longer ones, if nearly all agree on how much: where ticks come late, as on a simulated target
/// whose machine is busy with other things, they come late by this and that.
const TOO_LONG: f64 = 1.25;
/// No machine is so busy.
const FAR_TOO_LONG: f64 = 10.0;
/// How far apart samples may be that agree.
const SPREAD: f64 = 1.12;

/// A stretch of time: as the recording has it, and the ticks of the kernel that lie in it.
#[derive(Clone, Copy, Debug)]
struct Sample {
    ns: i64,
    least_ticks: u32,
    most_ticks: u32,
}

/// What a task's wait may turn out to be: one that timed out.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub task: TaskRef,
    pub from: i64,
    pub to: i64,
    pub ticks: u32,
}

/// Samples, and what the next are made of.
#[derive(Debug, Default)]
pub struct Pace {
    samples: Vec<Sample>,
    first: Option<i64>,
    /// The next sample begins at this time or later.
    pub free_from: i64,
    /// The tick count, and when it was that.
    tick: Option<(u32, i64)>,
    pub candidate: Option<Candidate>,
}

/// Times disagree with the kernel's ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffPace {
    /// How many times as long as by the ticks times are.
    pub factor: f64,
    /// How many stretches of time say so.
    pub samples: usize,
}

impl Pace {
    pub fn take(&mut self, from: i64, to: i64, least_ticks: u32, most_ticks: u32) {
        if from < self.free_from || to < from {
            return;
        }
        let first = *self.first.get_or_insert(from);
        self.samples.push(Sample { ns: to - from, least_ticks, most_ticks });
        let so_far = i64::try_from(self.samples.len()).unwrap_or(i64::MAX);
        let pause = if self.samples.len() < MANY { 0 } else { (to - first) / so_far };
        self.free_from = to.saturating_add(pause);
    }

    /// The tick count is this now.
    pub fn tick_count(&mut self, ticks: u32, now: i64) {
        let Some((before, then)) = self.tick else {
            self.tick = Some((ticks, now));
            return;
        };
        // A tick that the kernel puts off has the count of the one before.
        let passed = ticks.wrapping_sub(before);
        match passed.cast_signed() {
            // The kernel started anew.
            ..0 => self.tick = Some((ticks, now)),
            _ if passed < STRETCH => {}
            _ => {
                self.tick = Some((ticks, now));
                self.take(then, now, passed, passed);
            }
        }
    }

    /// Events are missing here.
    pub fn forget(&mut self) {
        (self.tick, self.candidate) = (None, None);
    }

    /// How far times are from the kernel's ticks, if they are, with so many ticks a second.
    pub fn judge(&self, tick_rate_hz: u32) -> Option<OffPace> {
        let well_known = |it: &&Sample| it.most_ticks >= WELL_KNOWN;
        let mut taken: Vec<&Sample> = self.samples.iter().filter(well_known).collect();
        if taken.len() < LEAST_SAMPLES {
            taken = self.samples.iter().collect();
        }
        let samples = taken.len();
        if samples < LEAST_SAMPLES || tick_rate_hz == 0 {
            return None;
        }
        let tick_ns = 1e9 / f64::from(tick_rate_hz);
        let sorted = |ticks_of: fn(&Sample) -> u32| {
            let ratio = |it: &&Sample| it.ns as f64 / (f64::from(ticks_of(it)) * tick_ns);
            let mut ratios: Vec<f64> = taken.iter().map(ratio).collect();
            ratios.sort_by(f64::total_cmp);
            ratios
        };
        let at_least = sorted(|it| it.most_ticks);
        let at_most = sorted(|it| it.least_ticks);
        let spared = samples / 20;
        let lowest = *at_least.get(spared)?;
        let highest = *at_most.get(samples - 1 - spared)?;
        let median = *at_least.get(samples / 2)?;
        let agree = at_least.get(samples * 9 / 10).is_some_and(|high| *high <= lowest * SPREAD);
        let is_long = lowest > FAR_TOO_LONG || (lowest > TOO_LONG && agree);
        let is_off = highest < TOO_SHORT || is_long;
        is_off.then_some(OffPace { factor: median, samples })
    }
}
