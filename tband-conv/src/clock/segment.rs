//! A slice of time in which the timer counts at one rate, with exact times at every tick; and the part of it in
//! which a multiplication finds them.

use crate::clock::frequency::{Frequency, NS_PER_S, gcd};

/// Times are kept below this many nanoseconds (about 292 years), which leaves room for the time rule of the timeline.
pub const MAX_NS: i64 = i64::MAX - (1 << 40);

/// Length of a tick, in ns: `whole` + `part` / `parts`.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    pub whole: u128,
    /// Below `parts`.
    part: u64,
    parts: u64,
}

impl Rate {
    fn new(frequency: Frequency) -> Self {
        let ns = u128::from(NS_PER_S) * u128::from(frequency.denominator());
        let hz = frequency.numerator();
        // 10^9 and the numerator may have factors in common, the two of the frequency have not.
        let common = gcd(NS_PER_S, hz);
        let (ns, parts) = (ns / u128::from(common), hz / common);
        // The remainder of a division by a number of 64 bits.
        Self { whole: ns / u128::from(parts), part: (ns % u128::from(parts)) as u64, parts }
    }

    /// Returns the same rate with `times` as many parts.
    const fn finer(self, times: u64) -> Self {
        let Self { whole, part, parts } = self;
        Self { whole, part: part.wrapping_mul(times), parts: parts.wrapping_mul(times) }
    }
}

/// A slice of time in which the timer counts at one rate.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub frequency: Frequency,
    pub rate: Rate,
    /// Where it begins, in ticks.
    pub from: u64,
    /// The time at its begin is `ns` + `rest` / `rate.parts`.
    pub ns: u64,
    pub rest: u64,
}

impl Segment {
    pub fn new(frequency: Frequency, from: u64, ns: u64) -> Self {
        Self { frequency, rate: Rate::new(frequency), from, ns, rest: 0 }
    }

    /// Returns the time at `ticks` in ns, and the remainder in parts of a nanosecond. Returns `None` if it is out of range.
    /// Ticks before the segment give its start.
    pub fn at(&self, ticks: u64) -> Option<(u64, u64)> {
        let Rate { whole, part, parts } = self.rate;
        let ticks = u128::from(ticks.saturating_sub(self.from));
        // Below 2^128, as all of them are below 2^64.
        let fraction = ticks * u128::from(part) + u128::from(self.rest);
        let ns = ticks.checked_mul(whole)?.checked_add(fraction / u128::from(parts))?;
        let ns = u64::try_from(ns.checked_add(self.ns.into())?).ok()?;
        (ns <= MAX_NS.unsigned_abs()).then_some((ns, (fraction % u128::from(parts)) as u64))
    }

    /// Returns the segment that begins at this tick.
    pub fn next(&self, frequency: Frequency, from: u64) -> Self {
        let Some((ns, rest)) = self.at(from) else {
            // All that follows is out of range too.
            return Self::new(frequency, from, MAX_NS.unsigned_abs());
        };
        let next = Self::new(frequency, from, ns);
        // In the largest parts that divide those of both rates. If these are too small for 64 bits the segment begins at the
        // nanosecond before.
        let (old, new) = (self.rate.parts, next.rate.parts);
        let common = gcd(old, new);
        match (old / common).checked_mul(new) {
            Some(_) if rest > 0 => Self {
                rate: next.rate.finer(old / common),
                rest: rest.wrapping_mul(new / common),
                ..next
            },
            _ => next,
        }
    }

    /// The slice from here, as far as fast multiplication reaches; empty if here is out of range.
    pub fn span(&self, ticks: u64) -> Span {
        self.try_span(ticks).unwrap_or(Span::EMPTY)
    }

    fn try_span(&self, ticks: u64) -> Option<Span> {
        let (ns, rest) = self.at(ticks)?;
        let Rate { whole, part, parts } = self.rate;
        // Rounded up: below 2^64, as the fractions are below 1 - 2^-64.
        let in_64_bits = |part: u64| (u128::from(part) << 64).div_ceil(parts.into()) as u64;
        let error = |scaled: u64, part: u64| {
            u128::from(scaled) * u128::from(parts) - (u128::from(part) << 64)
        };
        let (scaled, scaled_rest) = (in_64_bits(part), in_64_bits(rest));
        // The error of rounding up for n ticks, in 2^-64 of a part: it must stay below one part, so that it reaches no whole
        // nanosecond that the time itself does not reach.
        let (each, once) = (error(scaled, part), error(scaled_rest, rest));
        let exact = ((1_u128 << 64) - 1 - once).checked_div(each).unwrap_or(u128::MAX);
        // The last tick that is in range: its time is below `MAX_NS` + 1.
        let room = u128::from(MAX_NS.unsigned_abs() + 1 - ns) * u128::from(parts);
        let tick = whole.checked_mul(parts.into())?.checked_add(part.into())?;
        let in_range = (room - u128::from(rest) - 1).checked_div(tick)?;
        let len = u64::try_from(exact.min(in_range)).unwrap_or(u64::MAX);
        // A tick that does not fit is longer than the range, so a second tick never comes.
        let whole = u64::try_from(whole).unwrap_or(0);
        // As if the rate were the same from tick 0 on. Whatever wraps here wraps back there.
        let since_0 =
            (u128::from(whole) << 64).wrapping_add(scaled.into()).wrapping_mul(ticks.into());
        let here = (u128::from(ns) << 64) + u128::from(scaled_rest);
        Some(Span {
            first: ticks,
            last: ticks.saturating_add(len),
            whole,
            part: scaled,
            at_0: here.wrapping_sub(since_0),
        })
    }
}

/// A range of ticks with one rate. Times in it are computed without division.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    first: u64,
    last: u64,
    /// Length of a tick: whole nanoseconds, and 2^-64 of them.
    whole: u64,
    part: u64,
    /// Time at tick 0 if this went back so far, in 2^-64 of a nanosecond, modulo 2^128.
    at_0: u128,
}

impl Span {
    /// A span that contains no time.
    pub const EMPTY: Self = Self { first: 1, last: 0, whole: 0, part: 0, at_0: 0 };

    /// The last tick in the span.
    #[inline]
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Whether times at this tick are found in it.
    #[inline]
    pub const fn contains(&self, ticks: u64) -> bool {
        self.first <= ticks && ticks <= self.last
    }

    /// Time in ns at ticks that lie in it.
    #[inline]
    pub const fn ns(&self, ticks: u64) -> i64 {
        let parts = (ticks as u128).wrapping_mul(self.part as u128).wrapping_add(self.at_0);
        ticks.wrapping_mul(self.whole).wrapping_add((parts >> 64) as u64).cast_signed()
    }
}
