//! How times disagree with the kernel's ticks, and the messages for it.

use crate::clock::frequency::Frequency;

/// A timer that counts this little of the time does not count at all.
pub const STILL: f64 = 1e-6;
/// Factors up to `SMALL` are given in per cent with one decimal, up to `TIMES` in per cent.
const SMALL: f64 = 1.058;
const TIMES: f64 = 1.25;
/// From this many per cent on to either side, both ends of a range are given.
const WIDE: f64 = 2.0;

/// Times disagree with the kernel's ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PaceError {
    /// All by the same factor.
    Factor(Factor),
    /// They are too short by this and that.
    Stops(StoppedTimer),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factor {
    /// Ratio of the times to their length by the ticks.
    pub factor: f64,
    /// Between which it is, where that is known.
    pub range: Option<(f64, f64)>,
    /// Number of samples for it.
    pub samples: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppedTimer {
    /// Samples, and those of them that are too short.
    pub samples: usize,
    pub short: usize,
    /// Their duration by the timer and by the ticks, in ns.
    pub recorded: f64,
    pub passed: f64,
}

impl StoppedTimer {
    pub fn text(self, tick_rate_hz: u32) -> String {
        let Self { samples, short, recorded, passed } = self;
        let (recorded, passed) = (recorded / 1e6, passed / 1e6);
        format!(
            "by the kernel's {tick_rate_hz} ticks a second {short} of {samples} waits are too short, by this and \
             that: {recorded:.1} ms are recorded of {passed:.1} ms; the timer stops now and then"
        )
    }
}

impl Factor {
    pub fn text(self, tick_rate_hz: u32, reported: Frequency) -> String {
        let Self { factor, range, samples } = self;
        let hz = reported.numerator() as f64 / reported.denominator() as f64;
        let counts = |factor: f64, places| {
            Frequency::new(digits(hz * factor, places).max(1), 1)
                .map_or_else(String::new, |it| it.to_string())
        };
        if factor < STILL {
            return format!(
                "by the kernel's {tick_rate_hz} ticks a second the timer does not run: {samples} waits say so"
            );
        }
        // To a hundredth, or as well as it is known.
        let give = range.map(|(low, high)| (high - low) / 2.0 / factor);
        let (by, about) = match (give.map(|give| (give * 1000.0).ceil() / 10.0), range) {
            (Some(give), _) if give < WIDE => (
                amount(factor),
                format!("{}, give or take {:.1} %", counts(factor, 3), give.max(0.1)),
            ),
            (_, Some((low, high))) if (low - 1.0) * (high - 1.0) > 0.0 && is_near(low, high) => {
                let (least, most) = if factor > 1.0 { (low, high) } else { (high, low) };
                let by = format!("{:.0} to {:.0} %", percent(least), percent(most));
                (by, format!("{} to {}", counts(low, 3), counts(high, 3)))
            }
            _ => (amount(factor), counts(factor, 2)),
        };
        let how = if factor > 1.0 { "long" } else { "short" };
        format!(
            "by the kernel's {tick_rate_hz} ticks a second times are {by} too {how}: {samples} waits say so; \
             the timer seems to count at about {about}, not at {reported}"
        )
    }
}

/// Whether both are better given in per cent.
fn is_near(low: f64, high: f64) -> bool {
    low > 0.5 && high < 2.0
}

fn percent(factor: f64) -> f64 {
    (factor - 1.0).abs() * 100.0
}

/// By how much times are wrong.
fn amount(factor: f64) -> String {
    let by = if factor > 1.0 { factor } else { 1.0 / factor };
    match by {
        ..SMALL => format!("{:.1} %", percent(factor)),
        ..TIMES => format!("{:.0} %", percent(factor)),
        ..9.95 => format!("{by:.1} times"),
        _ => format!("{} times", digits(by, 2)),
    }
}

/// Returns a number above 0, rounded to this many digits.
fn digits(number: f64, places: i32) -> u64 {
    let unit = 10_f64.powi((number.max(1.0).log10().floor() as i32 + 1 - places).max(0));
    // In range, or it is cut off.
    ((number / unit).round() * unit) as u64
}
