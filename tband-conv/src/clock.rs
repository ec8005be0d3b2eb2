//! The target's clock: from ticks of the timestamps to nanoseconds, exactly.
//!
//! A recording tells how fast its timer counts, once or whenever that changes. So the clock is a chain of
//! segments, each with a rate of its own, which is a fraction. A time is rounded down to the nanosecond
//! when it is asked for; what is left of a nanosecond at a change goes on into the next segment.
//!
//! Division is slow, so most times are found in a [`Span`], where a multiplication is proved to give the
//! same.

use std::collections::VecDeque;

use tband_format::Event;

use crate::frequency::{Frequency, NS_PER_S, gcd};

/// Times are kept below this many nanoseconds (some 292 years), which leaves room for the time rule
/// of the timeline.
pub const MAX_NS: i64 = i64::MAX - (1 << 40);

/// Times in ns are those of the timer as long as the first is below this; later ones would have little
/// room, so then time begins with the first.
const LATEST_START_NS: u64 = MAX_NS.unsigned_abs() / 2;

/// Changes of the frequency that are kept for events that come late. Those that are later still, and older than all
/// of these, are taken to be where the oldest begins.
const MAX_EARLIER: usize = 1 << 14;

/// Lengths of a tick that are kept, in whole ns, of those that a resolution may tell again.
const MAX_ROUNDINGS: usize = 64;

/// How long a tick is, in ns: `whole` + `part` / `parts`.
#[derive(Clone, Copy, Debug)]
struct Rate {
    whole: u128,
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

    /// The same in `times` as many parts.
    const fn finer(self, times: u64) -> Self {
        let Self { whole, part, parts } = self;
        Self { whole, part: part.wrapping_mul(times), parts: parts.wrapping_mul(times) }
    }
}

/// A stretch of time in which the timer counts at one rate.
#[derive(Clone, Copy, Debug)]
struct Segment {
    frequency: Frequency,
    rate: Rate,
    /// Where it begins, in ticks.
    from: u64,
    /// The time there is `ns` + `rest` / `rate.parts`.
    ns: u64,
    rest: u64,
}

impl Segment {
    fn new(frequency: Frequency, from: u64, ns: u64) -> Self {
        Self { frequency, rate: Rate::new(frequency), from, ns, rest: 0 }
    }

    /// Time at so many ticks, in ns, and what is left in parts of a nanosecond. `None` if it is out of
    /// range; ticks before the segment are its start.
    fn at(&self, ticks: u64) -> Option<(u64, u64)> {
        let Rate { whole, part, parts } = self.rate;
        let ticks = u128::from(ticks.saturating_sub(self.from));
        // Below 2^128, as all of them are below 2^64.
        let fraction = ticks * u128::from(part) + u128::from(self.rest);
        let ns = ticks.checked_mul(whole)?.checked_add(fraction / u128::from(parts))?;
        let ns = u64::try_from(ns.checked_add(self.ns.into())?).ok()?;
        (ns <= MAX_NS.unsigned_abs()).then_some((ns, (fraction % u128::from(parts)) as u64))
    }

    /// The segment that begins at so many ticks.
    fn next(&self, frequency: Frequency, from: u64) -> Self {
        let Some((ns, rest)) = self.at(from) else {
            // All that follows is out of range too.
            return Self::new(frequency, from, MAX_NS.unsigned_abs());
        };
        let next = Self::new(frequency, from, ns);
        // In the smallest parts that both rates are made of. If these are too small for 64 bits the
        // segment begins at the nanosecond before.
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

    /// The stretch from here, as far as fast multiplication reaches; empty if here is out of range.
    fn span(&self, ticks: u64) -> Span {
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
        // What rounding up adds to n ticks, in 2^-64 of a part: it must stay below one part, so that it
        // reaches no whole nanosecond that the time itself does not reach.
        let (each, once) = (error(scaled, part), error(scaled_rest, rest));
        let exact = ((1_u128 << 64) - 1 - once).checked_div(each).unwrap_or(u128::MAX);
        // The last tick that is in range: its time is below `MAX_NS` + 1.
        let room = u128::from(MAX_NS.unsigned_abs() + 1 - ns) * u128::from(parts);
        let tick = whole.checked_mul(parts.into())?.checked_add(part.into())?;
        let in_range = (room - u128::from(rest) - 1).checked_div(tick)?;
        let len = u64::try_from(exact.min(in_range)).unwrap_or(u64::MAX);
        // One that does not fit is longer than the range, so that there is no second tick.
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

/// A stretch of ticks of one rate, in which times are found without division.
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
    /// No time lies in it.
    const EMPTY: Self = Self { first: 1, last: 0, whole: 0, part: 0, at_0: 0 };

    /// The last tick that lies in it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn last(&self) -> u64 {
        self.last
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    const fn contains(&self, ticks: u64) -> bool {
        self.first <= ticks && ticks <= self.last
    }

    /// Time in ns at ticks that lie in it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn ns(&self, ticks: u64) -> i64 {
        let parts = (ticks as u128).wrapping_mul(self.part as u128).wrapping_add(self.at_0);
        ticks.wrapping_mul(self.whole).wrapping_add((parts >> 64) as u64).cast_signed()
    }
}

/// What is known of a timer's frequency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Known {
    /// Nothing: a tick counts as a nanosecond.
    #[default]
    Nothing,
    /// The length of a tick, rounded to this many nanoseconds, above 0.
    Rounded(u64),
    /// The frequency.
    Exact(Frequency),
}

impl Known {
    /// The frequency to count with.
    #[must_use]
    pub fn frequency(self) -> Frequency {
        match self {
            Self::Nothing => Frequency::GHZ,
            Self::Rounded(ns) => Frequency::from_resolution(ns).unwrap_or(Frequency::GHZ),
            Self::Exact(frequency) => frequency,
        }
    }
}

/// What an event told of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Nothing that was not known.
    Nothing,
    /// The timer counts at another frequency; this was the one before.
    Changed(Frequency),
    /// It cannot be true, or contradicts what was told exactly: nothing has changed.
    Contradiction,
}

/// The clock of a recording.
#[derive(Clone, Debug)]
pub struct Clock {
    known: Known,
    /// By rising ticks, so many as are kept.
    earlier: VecDeque<Segment>,
    /// Lengths of a tick in whole ns in all segments but the last, each once.
    roundings: VecDeque<(u128, u128)>,
    last: Segment,
    /// In the last segment, around the time that was asked for last.
    span: Span,
    /// What the recording calls by one frequency has another one, as the user knows.
    corrected: Option<(Frequency, Frequency)>,
    /// Times were told: what is learnt late counts from there on.
    runs: bool,
}

impl Clock {
    /// A clock that starts with what is known of the frequency. Its times are those of the timer, unless
    /// at `first_ticks`, the earliest of the recording, half of the range would be over: then this is
    /// time 0.
    #[must_use]
    pub fn new(known: Known, first_ticks: u64) -> Self {
        let from_zero = Segment::new(known.frequency(), 0, 0);
        let is_late = from_zero.at(first_ticks).is_none_or(|(ns, _)| ns > LATEST_START_NS);
        let last = if is_late { Segment { from: first_ticks, ..from_zero } } else { from_zero };
        let span = last.span(last.from);
        let (earlier, roundings) = (VecDeque::new(), VecDeque::new());
        Self { known, earlier, roundings, last, span, corrected: None, runs: false }
    }

    /// As [`new`](Self::new), with the frequency that the timer has in truth, whatever the recording says
    /// at its start. Later changes count all the same.
    #[must_use]
    pub fn corrected(known: Known, truth: Frequency, first_ticks: u64) -> Self {
        let corrected = match known {
            Known::Exact(wrong) => Some((wrong, truth)),
            Known::Nothing | Known::Rounded(_) => None,
        };
        Self { corrected, ..Self::new(Known::Exact(truth), first_ticks) }
    }

    /// A clock as it starts, with the frequency that the user knows better, if there is one.
    pub(crate) fn starting(known: Known, truth: Option<Frequency>, first_ticks: u64) -> Self {
        match truth {
            Some(truth) => Self::corrected(known, truth, first_ticks),
            None => Self::new(known, first_ticks),
        }
    }

    /// Times are told from here on, and stay what they were told as.
    pub(crate) const fn run(&mut self) {
        self.runs = true;
    }

    /// Follows what an event tells of it at a time in ticks; `None` if it tells nothing.
    pub(crate) fn follow(&mut self, ticks: u64, event: &Event<'_>) -> Option<Told> {
        match *event {
            Event::TsResolutionNs { ns_per_ts } => Some(self.told_resolution(ticks, ns_per_ts)),
            Event::TsFrequency { numerator, denominator } => {
                Some(self.told_frequency(ticks, numerator, denominator))
            }
            _ => None,
        }
    }

    /// What is known of the frequency, by what was told first.
    #[must_use]
    pub const fn known(&self) -> Known {
        self.known
    }

    /// The frequency in force.
    #[must_use]
    pub const fn frequency(&self) -> Frequency {
        self.last.frequency
    }

    /// The time at so many ticks, in ns; `None` if it is beyond [`MAX_NS`].
    #[inline]
    pub fn ns(&mut self, ticks: u64) -> Option<i64> {
        if self.span.contains(ticks) { Some(self.span.ns(ticks)) } else { self.ns_afar(ticks) }
    }

    #[cold]
    fn ns_afar(&mut self, ticks: u64) -> Option<i64> {
        if ticks >= self.last.from {
            self.span = self.last.span(ticks);
            return self.span.contains(ticks).then(|| self.span.ns(ticks));
        }
        let later = self.earlier.partition_point(|segment| segment.from <= ticks);
        let segment = self.earlier.get(later.saturating_sub(1)).unwrap_or(&self.last);
        // Before the first one it is its start.
        segment.at(ticks).map(|(ns, _)| ns.cast_signed())
    }

    /// Where times are found fast.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn span(&self) -> &Span {
        &self.span
    }

    /// The recording tells the length of a tick in whole nanoseconds, at a time in ticks. That counts as
    /// long as the frequency is not told exactly.
    pub fn told_resolution(&mut self, ticks: u64, ns: u64) -> Told {
        let Some(frequency) = Frequency::from_resolution(ns) else {
            return Told::Contradiction;
        };
        match self.known {
            Known::Nothing => self.learn(ticks, Known::Rounded(ns)),
            Known::Rounded(_) => self.change(ticks, frequency),
            // Metadata is told again at each start, and may then be of a time before a change.
            Known::Exact(_) => {
                let rounded = u128::from(ns);
                let mut before = self.roundings.iter();
                if self.last.frequency.rounds_to(ns)
                    || before.any(|&(down, up)| down == rounded || up == rounded)
                {
                    Told::Nothing
                } else {
                    Told::Contradiction
                }
            }
        }
    }

    /// The recording tells the frequency from a time in ticks on.
    pub fn told_frequency(&mut self, ticks: u64, numerator: u64, denominator: u64) -> Told {
        let Some(mut frequency) = Frequency::new(numerator, denominator) else {
            return Told::Contradiction;
        };
        if let Some((wrong, truth)) = self.corrected
            && frequency == wrong
        {
            frequency = truth;
        }
        match self.known {
            Known::Exact(_) => self.change(ticks, frequency),
            // The same, told more exactly.
            Known::Rounded(ns) if self.earlier.is_empty() && frequency.rounds_to(ns) => {
                self.learn(ticks, Known::Exact(frequency))
            }
            Known::Rounded(_) => {
                self.known = Known::Exact(frequency);
                self.change(ticks, frequency)
            }
            Known::Nothing => self.learn(ticks, Known::Exact(frequency)),
        }
    }

    /// What was not known before was so from the start.
    fn learn(&mut self, ticks: u64, known: Known) -> Told {
        self.known = known;
        if self.runs {
            return self.change(ticks, known.frequency());
        }
        self.last = Segment::new(known.frequency(), self.last.from, self.last.ns);
        self.span = self.last.span(self.last.from);
        Told::Nothing
    }

    fn change(&mut self, ticks: u64, frequency: Frequency) -> Told {
        let before = self.last.frequency;
        if before == frequency {
            return Told::Nothing;
        }
        // One core's events may be late if they wait for those of others for long.
        let from = ticks.max(self.last.from);
        let next = self.last.next(frequency, from);
        if from > self.last.from {
            self.earlier.push_back(self.last);
            if self.earlier.len() > MAX_EARLIER {
                self.earlier.pop_front();
            }
            let roundings = before.roundings();
            if !self.roundings.contains(&roundings) {
                self.roundings.push_back(roundings);
            }
            if self.roundings.len() > MAX_ROUNDINGS {
                self.roundings.pop_front();
            }
        }
        self.last = next;
        self.span = next.span(from);
        Told::Changed(before)
    }
}
