//! How often a timer counts: a fraction of Hz, as recordings report it and as people write it.

use std::fmt;
use std::str::FromStr;

pub(crate) const NS_PER_S: u64 = 1_000_000_000;

/// A frequency above 0: numerator / denominator Hz, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frequency {
    numerator: u64,
    denominator: u64,
}

impl Frequency {
    /// A tick is a nanosecond.
    pub const GHZ: Self = Self { numerator: NS_PER_S, denominator: 1 };

    /// numerator / denominator Hz; `None` if one of them is 0.
    #[must_use]
    pub const fn new(numerator: u64, denominator: u64) -> Option<Self> {
        if numerator == 0 || denominator == 0 {
            return None;
        }
        let common = gcd(numerator, denominator);
        Some(Self { numerator: numerator / common, denominator: denominator / common })
    }

    /// Returns the frequency of ticks of this many nanoseconds; `None` for 0.
    #[must_use]
    pub const fn from_resolution(ns: u64) -> Option<Self> {
        Self::new(NS_PER_S, ns)
    }

    /// Hz times [`denominator`](Self::denominator).
    #[must_use]
    pub const fn numerator(self) -> u64 {
        self.numerator
    }

    /// 1 if the frequency is a whole number of Hz.
    #[must_use]
    pub const fn denominator(self) -> u64 {
        self.denominator
    }

    /// The nearest number of Hz.
    #[must_use]
    pub fn hz(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Whether it is at least this many Hz.
    #[must_use]
    pub fn is_at_least(self, hz: u64) -> bool {
        u128::from(self.numerator) >= u128::from(hz) * u128::from(self.denominator)
    }

    /// Whether a tick is this many nanoseconds long, rounded up or down; to 1 if it is shorter.
    #[must_use]
    pub fn is_rounded_to(self, ns: u64) -> bool {
        let (down, up) = self.roundings();
        u128::from(ns) == down || u128::from(ns) == up
    }

    /// How long a tick is in ns, rounded down, to 1 at least, and rounded up.
    pub(crate) fn roundings(self) -> (u128, u128) {
        let tick = u128::from(NS_PER_S) * u128::from(self.denominator);
        let hz = u128::from(self.numerator);
        ((tick / hz).max(1), tick.div_ceil(hz))
    }
}

/// Greatest common divisor; of 0 and a number the number.
pub(crate) const fn gcd(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { numerator, denominator } = *self;
        if denominator != 1 {
            return write!(f, "{numerator}/{denominator} Hz");
        }
        // Uses the largest unit that needs at most three decimals.
        let units = [("GHz", 1_000_000), ("MHz", 1000), ("kHz", 1)];
        for (unit, thousandth) in units {
            if numerator >= thousandth * 1000 && numerator.is_multiple_of(thousandth) {
                let (whole, rest) = (numerator / thousandth / 1000, numerator / thousandth % 1000);
                let decimals = format!(".{rest:03}");
                let decimals = if rest == 0 { "" } else { decimals.trim_end_matches('0') };
                return write!(f, "{whole}{decimals} {unit}");
            }
        }
        write!(f, "{numerator} Hz")
    }
}

/// The error for a text that does not parse as a frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoFrequency;

impl fmt::Display for NoFrequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a frequency such as 64M, 32768, 32.768k or 3579545/3 (in Hz) is needed")
    }
}

impl std::error::Error for NoFrequency {}

impl FromStr for Frequency {
    type Err = NoFrequency;

    /// Hz: a number, which may have decimals and end in k, M or G, or two of them with / between.
    fn from_str(text: &str) -> Result<Self, NoFrequency> {
        let (over, under) = text.split_once('/').unwrap_or((text, "1"));
        let ((a, b), (c, d)) = (number(over)?, number(under)?);
        // a/b over c/d, reduced crosswise first so that it fits if it can.
        let (one, other) = (gcd(a, c).max(1), gcd(b, d).max(1));
        let numerator = (a / one).checked_mul(d / other).ok_or(NoFrequency)?;
        let denominator = (b / other).checked_mul(c / one).ok_or(NoFrequency)?;
        Self::new(numerator, denominator).ok_or(NoFrequency)
    }
}

/// A decimal number with its unit, as a fraction.
fn number(text: &str) -> Result<(u64, u64), NoFrequency> {
    let text = text.trim();
    let units = [('k', 1000), ('M', 1_000_000), ('G', NS_PER_S)];
    let found = units.iter().find_map(|&(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (digits, factor) = found.unwrap_or((text, 1));
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    if !(whole.bytes().chain(decimals.bytes())).all(|byte| byte.is_ascii_digit()) {
        return Err(NoFrequency);
    }
    let scale = u32::try_from(decimals.len()).ok().and_then(|places| 10_u64.checked_pow(places));
    let scale = scale.ok_or(NoFrequency)?;
    let value: u64 = format!("{whole}{decimals}").parse().map_err(|_| NoFrequency)?;
    let common = gcd(factor, scale);
    let value = value.checked_mul(factor / common).ok_or(NoFrequency)?;
    Ok((value, scale / common))
}
