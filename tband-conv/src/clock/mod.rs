//! The target's clock: from ticks of the timestamps to nanoseconds, exactly.
//!
//! A recording says how fast its timer counts, once or whenever that changes. So the clock is a chain of
//! segments, each with a rate of its own, which is a fraction. A time is rounded down to the nanosecond
//! when it is asked for; what is left of a nanosecond at a change goes on into the next segment.
//!
//! Division is slow, so most times are found in a [`Span`], where a multiplication is proved to give the
//! same.

pub mod frequency;
pub mod moment;
mod segment;
pub mod wrap;

use std::collections::VecDeque;

use tband_format::Event;

use self::segment::Segment;
pub use self::segment::{MAX_NS, Span};
use crate::clock::frequency::Frequency;

/// Times in ns are those of the timer as long as the first is below this; later ones would have little
/// room, so then time begins with the first.
const LATEST_START_NS: u64 = MAX_NS.unsigned_abs() / 2;

/// Changes of the frequency that are kept for events that come late. Those that are later still, and older than all
/// of these, are taken to be where the oldest begins.
const MAX_EARLIER: usize = 1 << 14;

/// Lengths of a tick that are kept, in whole ns, of those that a resolution may report again.
const MAX_ROUNDINGS: usize = 64;

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

/// What an event reported about the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reported {
    /// Nothing that was not known.
    Nothing,
    /// The timer counts at another frequency; this was the one before.
    Changed(Frequency),
    /// It cannot be true, or contradicts what was reported exactly: nothing has changed.
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
    /// Times were reported: what is learnt late counts from there on.
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

    /// The tick that is time 0, before any change of the frequency was followed.
    pub(crate) const fn first_ticks(&self) -> u64 {
        self.last.from
    }

    /// Times are reported from here on, and stay what they were reported as.
    pub(crate) const fn run(&mut self) {
        self.runs = true;
    }

    /// Follows what an event reports it at a time in ticks; `None` if it says nothing.
    pub(crate) fn follow(&mut self, ticks: u64, event: &Event<'_>) -> Option<Reported> {
        match *event {
            Event::TsResolutionNs { ns_per_ts } => Some(self.reported_resolution(ticks, ns_per_ts)),
            Event::TsFrequency { numerator, denominator } => {
                Some(self.reported_frequency(ticks, numerator, denominator))
            }
            _ => None,
        }
    }

    /// What is known of the frequency, by what was reported first.
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
    #[inline]
    pub const fn span(&self) -> &Span {
        &self.span
    }

    /// The recording reports the length of a tick in whole nanoseconds, at a time in ticks. That counts as
    /// long as the frequency is not reported exactly.
    pub fn reported_resolution(&mut self, ticks: u64, ns: u64) -> Reported {
        let Some(frequency) = Frequency::from_resolution(ns) else {
            return Reported::Contradiction;
        };
        match self.known {
            Known::Nothing => self.learn(ticks, Known::Rounded(ns)),
            Known::Rounded(_) => self.change(ticks, frequency),
            // Metadata is reported again at each start, and may then be of a time before a change.
            Known::Exact(_) => {
                let rounded = u128::from(ns);
                let mut before = self.roundings.iter();
                if self.last.frequency.rounds_to(ns)
                    || before.any(|&(down, up)| down == rounded || up == rounded)
                {
                    Reported::Nothing
                } else {
                    Reported::Contradiction
                }
            }
        }
    }

    /// The recording reports the frequency from a time in ticks on.
    pub fn reported_frequency(&mut self, ticks: u64, numerator: u64, denominator: u64) -> Reported {
        let Some(mut frequency) = Frequency::new(numerator, denominator) else {
            return Reported::Contradiction;
        };
        if let Some((wrong, truth)) = self.corrected
            && frequency == wrong
        {
            frequency = truth;
        }
        match self.known {
            Known::Exact(_) => self.change(ticks, frequency),
            // The same, more exactly.
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
    fn learn(&mut self, ticks: u64, known: Known) -> Reported {
        self.known = known;
        if self.runs {
            return self.change(ticks, known.frequency());
        }
        self.last = Segment::new(known.frequency(), self.last.from, self.last.ns);
        self.span = self.last.span(self.last.from);
        Reported::Nothing
    }

    fn change(&mut self, ticks: u64, frequency: Frequency) -> Reported {
        let before = self.last.frequency;
        if before == frequency {
            return Reported::Nothing;
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
        Reported::Changed(before)
    }
}
