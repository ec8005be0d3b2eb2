//! All samples of the pace together.

use super::pace_error::StoppedTimer;
use crate::machine::Sample;

/// Their total duration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    pub samples: usize,
    pub recorded: f64,
    pub passed: f64,
    /// Sum of the squares of the missing times.
    squares: f64,
}

impl Total {
    pub fn of<'s>(samples: impl Iterator<Item = &'s Sample>, tick_ns: f64) -> Self {
        samples.fold(Self::default(), |sum, it| {
            // For inexact samples the middle is used, which is right for many of them.
            let ticks = (f64::from(it.least_ticks) + f64::from(it.most_ticks)) / 2.0;
            let (recorded, passed) = (it.ns as f64, ticks * tick_ns);
            Self {
                samples: sum.samples + 1,
                recorded: sum.recorded + recorded,
                passed: sum.passed + passed,
                squares: sum.squares + (passed - recorded).powi(2),
            }
        })
    }

    pub fn ratio(self) -> f64 {
        self.recorded / self.passed.max(f64::MIN_POSITIVE)
    }

    /// Whether more than this share of the time is missing, with a probability of more than 99 %: the samples are a part of
    /// many, and where ticks come late and are made up for, few long ones compensate many short ones.
    pub fn is_missing(self, share: f64) -> bool {
        let lacks = self.passed - self.recorded;
        let variance = (self.squares - lacks * lacks / (self.samples.max(1) as f64)).max(0.0);
        lacks - 3.0 * variance.sqrt() > share * self.passed
    }

    pub const fn stops(self, short: usize) -> StoppedTimer {
        let Self { samples, recorded, passed, .. } = self;
        StoppedTimer { samples, short, recorded, passed }
    }
}
