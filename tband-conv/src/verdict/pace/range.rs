//! The factor by which times exceed those of the kernel's ticks: its range, from samples.

use super::pace_error::Factor;
use crate::machine::{LEAP_NS, Sample};

/// Samples whose ticks are known exactly, without which they do not count as such.
const LEAST_EXACT: usize = 9;
/// Minimum number of samples of any kind for a joint result.
const LEAST_IN_ALL: usize = 16;
/// Maximum distance of the ends of ranges that touch: interrupts begin some time after their request.
const JITTER: f64 = 0.005;

/// The range of the factor, from samples.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The lower and upper bound.
    pub low: f64,
    pub high: f64,
    /// The most likely value.
    pub middle: f64,
    /// Between these are all samples but one in twenty at each end.
    pub lowest: f64,
    pub highest: f64,
    /// How far apart all samples are but one in ten at each end, as a share.
    pub spread: f64,
    /// How many there are.
    pub samples: usize,
}

impl Range {
    /// Computes the range from samples whose ticks are known exactly. The median of all possible samples is in it with a
    /// probability of more than 99 %: three times the standard deviation of the number of samples below it.
    pub fn from_exact(samples: &[Sample], tick_ns: f64) -> Option<Self> {
        let exact = samples.iter().filter(|it| is_exact(it, tick_ns));
        let ratios = sorted(exact.map(|it| ratio(it, it.most_ticks, tick_ns)));
        let count = ratios.len();
        if count < LEAST_EXACT {
            return None;
        }
        let give = (1.5 * (count as f64).sqrt()).ceil() as usize;
        let middle = *ratios.get(count / 2)?;
        let apart = ratios.get(count * 9 / 10)? - ratios.get(count / 10)?;
        Some(Self {
            low: *ratios.get((count / 2).saturating_sub(give))?,
            high: *ratios.get((count / 2).saturating_add(give).min(count - 1))?,
            middle,
            lowest: *ratios.get(count / 20)?,
            highest: *ratios.get(count - 1 - count / 20)?,
            spread: apart / middle.max(f64::MIN_POSITIVE),
            samples: count,
        })
    }

    /// Computes the factor from all samples: each begins somewhere in a tick, so it gives a range, and the factor is in all of
    /// them except one in twenty. Returns `None` if the ranges contradict each other.
    pub fn from_all(samples: &[Sample], tick_ns: f64) -> Option<Self> {
        let known = || samples.iter().filter(|it| it.least_ticks > 0 && !is_leap(it, tick_ns));
        let at_least = sorted(known().map(|it| ratio(it, it.most_ticks, tick_ns)));
        let at_most = sorted(known().map(|it| ratio(it, it.least_ticks, tick_ns)));
        let count = at_least.len();
        if count < LEAST_IN_ALL {
            return None;
        }
        let spared = (count / 20).max(1);
        let (low, high) = (*at_least.get(count - 1 - spared)?, *at_most.get(spared)?);
        let (low, high) = if low <= high { (low, high) } else { (high, low) };
        let is_one = at_least.get(count - 1 - spared)? <= &(at_most.get(spared)? * (1.0 + JITTER));
        let middle = f64::midpoint(low, high);
        let spread = (high - low) / middle.max(f64::MIN_POSITIVE);
        let (lowest, highest) = (low, high);
        is_one.then_some(Self { low, high, middle, lowest, highest, spread, samples: count })
    }

    /// Returns the resulting factor.
    pub fn factor(self) -> Factor {
        let range = Some((self.low, self.high));
        Factor { factor: self.middle, range, samples: self.samples }
    }
}

/// Returns the ratio of its length to that of this many ticks.
fn ratio(sample: &Sample, ticks: u32, tick_ns: f64) -> f64 {
    sample.ns as f64 / (f64::from(ticks) * tick_ns)
}

/// How many ticks it lasts is known.
pub fn is_exact(sample: &Sample, tick_ns: f64) -> bool {
    sample.least_ticks == sample.most_ticks && !is_leap(sample, tick_ns)
}

/// Whether it gives no information about the timer's frequency.
pub fn is_leap(sample: &Sample, tick_ns: f64) -> bool {
    sample.ns as f64 - f64::from(sample.most_ticks) * tick_ns >= LEAP_NS as f64
}

pub fn sorted(ratios: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut ratios: Vec<f64> = ratios.collect();
    ratios.sort_by(f64::total_cmp);
    ratios
}
