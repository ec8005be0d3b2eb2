//! The unit of the times in a report: nanoseconds, or ticks of the timer where its frequency is not known.

use tband_conv::counted;
use tband_conv::diagnostics::{Diagnostics, Problem};

use crate::duration::duration;

/// The title of the finding that times are in ticks, as the table `losses` has it.
pub const UNKNOWN_FREQUENCY: &str = Problem::NoResolution.title();

/// The unit of a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeUnit {
    /// Nanoseconds.
    #[default]
    Ns,
    /// Ticks of the timestamps' timer, of unknown length.
    Ticks,
}

impl TimeUnit {
    /// Returns the unit of the times of a recording with these findings. The converter counts a tick of unknown length as 1 ns.
    /// A recording that is read while it grows may contain the frequency after its first events: then later times are in
    /// nanoseconds.
    #[must_use]
    pub fn of(found: &Diagnostics) -> Self {
        let has = |problem| found.get(problem).is_some();
        if has(Problem::NoResolution) && !has(Problem::FrequencyChange) {
            Self::Ticks
        } else {
            Self::Ns
        }
    }

    /// Its name in JSON and CSV.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ns => "ns",
            Self::Ticks => "ticks",
        }
    }

    /// A duration as people read it.
    #[must_use]
    pub fn duration(self, time: i64) -> String {
        match self {
            Self::Ns => duration(time),
            Self::Ticks => ticks(time),
        }
    }

    /// A duration with every digit: `343.844642 ms`.
    #[must_use]
    pub fn exact(self, time: i64) -> String {
        if self == Self::Ticks {
            return ticks(time);
        }
        let sign = if time < 0 { "-" } else { "" };
        let ns = time.unsigned_abs();
        match ns {
            0..1_000 => format!("{sign}{ns} ns"),
            1_000..1_000_000 => format!("{sign}{}.{:03} us", ns / 1_000, ns % 1_000),
            _ => format!("{sign}{}.{:06} ms", ns / 1_000_000, ns % 1_000_000),
        }
    }

    /// A time on the target's clock, in a form that `--from` accepts.
    #[must_use]
    pub fn moment(self, time: i64) -> String {
        match self {
            Self::Ns => {
                let us = time.div_euclid(1000);
                format!("{}.{:03}ms", us.div_euclid(1000), us.rem_euclid(1000))
            }
            Self::Ticks => time.to_string(),
        }
    }

    /// Returns a count per second of this time: `None` if the unit is not known, or if so many events cannot happen in the
    /// time, as where the timer does not run.
    #[must_use]
    pub fn per_second(self, count: u64, time: i64) -> Option<f64> {
        let time = u64::try_from(time).ok().filter(|time| *time > 0)?;
        let is_possible = self == Self::Ns && time >= count.saturating_mul(LEAST_NS);
        is_possible.then(|| count as f64 * 1e9 / time as f64)
    }
}

/// Minimum time that any core needs to record an event, in ns.
const LEAST_NS: u64 = 4;

fn ticks(count: i64) -> String {
    counted(count, "tick")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_in_their_unit() {
        assert_eq!(TimeUnit::Ns.duration(1500), "1.500 us");
        assert_eq!(TimeUnit::Ticks.duration(1500), "1500 ticks");
        assert_eq!(TimeUnit::Ticks.duration(1), "1 tick");
        assert_eq!(TimeUnit::Ns.moment(12_345_678), "12.345ms");
        assert_eq!(TimeUnit::Ticks.moment(12_345_678), "12345678");
        for moment in [TimeUnit::Ns.moment(7_000_000), TimeUnit::Ticks.moment(7_000_000)] {
            assert!(crate::moment::moment(&moment).is_ok(), "{moment}");
        }
    }

    #[test]
    fn rates_that_cannot_be_are_not_known() {
        assert_eq!(TimeUnit::Ns.per_second(10, 1_000_000_000), Some(10.0));
        for (count, time) in [(1, 0), (1, 1), (1, -5), (1544, 500), (0, 0), (u64::MAX, i64::MAX)] {
            assert_eq!(TimeUnit::Ns.per_second(count, time), None, "{count} {time}");
        }
        assert_eq!(TimeUnit::Ns.per_second(0, 5), Some(0.0));
        assert_eq!(TimeUnit::Ticks.per_second(10, 1_000_000_000), None);
    }
}
