//! The target's clock: from ticks of the timestamps to nanoseconds, exactly.
//!
//! A recording contains the frequency of its timer, once or whenever it changes. The clock is therefore a chain of segments,
//! each with its own rate, which is a fraction. A time is rounded down to the nanosecond when it is read; the remaining
//! fraction of a nanosecond at a change is carried into the next segment.
//!
//! Division is slow, so most times are found in a [`Span`], where a multiplication is proved to give the same.

pub mod frequency;
pub mod moment;
mod segment;
pub(crate) mod wrap;

use std::collections::VecDeque;

use tband_format::Event;

use self::segment::Segment;
pub use self::segment::{MAX_NS, Span};
use crate::clock::frequency::Frequency;

/// Times in ns are those of the timer as long as the first is below this limit. Later ones would have little room, so then time
/// begins with the first.
const LATEST_START_NS: u64 = MAX_NS.unsigned_abs() / 2;

/// Maximum number of kept frequency changes, for events that come late. Even later events, older than all of these, get the
/// time of the oldest one's begin.
const MAX_EARLIER: usize = 1 << 14;

/// Maximum number of kept tick lengths in whole ns, which a resolution may report again.
const MAX_ROUNDINGS: usize = 64;

/// How exactly a timer's frequency is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrequencyKnowledge {
    /// Nothing: a tick counts as a nanosecond.
    #[default]
    Nothing,
    /// The length of a tick, rounded to this many nanoseconds, above 0.
    Rounded(u64),
    /// The frequency.
    Exact(Frequency),
}

impl FrequencyKnowledge {
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

/// Effect of an event on the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockEffect {
    /// No new information.
    Nothing,
    /// The timer counts at another frequency; this was the one before.
    Changed(Frequency),
    /// The report is impossible, or contradicts an exact one: nothing has changed.
    Contradiction,
}

/// The clock of a recording.
#[derive(Clone, Debug)]
pub struct Clock {
    known: FrequencyKnowledge,
    /// By rising ticks, as many as are kept.
    earlier: VecDeque<Segment>,
    /// Lengths of a tick in whole ns in all segments except the last, each once.
    roundings: VecDeque<(u128, u128)>,
    last: Segment,
    /// In the last segment, around the last requested time.
    span: Span,
    /// The frequency in the recording, and the true one that the user gives.
    corrected: Option<(Frequency, Frequency)>,
    /// Times were reported: a frequency that is learnt later applies from there.
    runs: bool,
}

impl Clock {
    /// Creates a clock with the frequency known so far. Its times are those of the timer. If `first_ticks`, the earliest tick
    /// of the recording, is beyond half of the range, then that tick is time 0.
    #[must_use]
    pub fn new(known: FrequencyKnowledge, first_ticks: u64) -> Self {
        let from_zero = Segment::new(known.frequency(), 0, 0);
        let is_late = from_zero.at(first_ticks).is_none_or(|(ns, _)| ns > LATEST_START_NS);
        let last = if is_late { Segment { from: first_ticks, ..from_zero } } else { from_zero };
        let span = last.span(last.from);
        let (earlier, roundings) = (VecDeque::new(), VecDeque::new());
        Self { known, earlier, roundings, last, span, corrected: None, runs: false }
    }

    /// Creates a clock as [`new`](Self::new) does, but with the true frequency of the timer instead of the one that the
    /// recording contains at its start. Later changes still apply.
    #[must_use]
    pub fn corrected(known: FrequencyKnowledge, truth: Frequency, first_ticks: u64) -> Self {
        let corrected = match known {
            FrequencyKnowledge::Exact(wrong) => Some((wrong, truth)),
            FrequencyKnowledge::Nothing | FrequencyKnowledge::Rounded(_) => None,
        };
        Self { corrected, ..Self::new(FrequencyKnowledge::Exact(truth), first_ticks) }
    }

    /// Returns the clock at its start, with the user's frequency, if there is one.
    pub(crate) fn starting(
        known: FrequencyKnowledge,
        truth: Option<Frequency>,
        first_ticks: u64,
    ) -> Self {
        match truth {
            Some(truth) => Self::corrected(known, truth, first_ticks),
            None => Self::new(known, first_ticks),
        }
    }

    /// The tick that is time 0, before any change of the frequency was followed.
    pub(crate) const fn first_ticks(&self) -> u64 {
        self.last.from
    }

    /// From here on reported times no longer change.
    pub(crate) const fn run(&mut self) {
        self.runs = true;
    }

    /// Applies the timer report in an event, at a time in ticks. Returns `None` if the event contains no such report.
    pub(crate) fn follow(&mut self, ticks: u64, event: &Event<'_>) -> Option<ClockEffect> {
        match *event {
            Event::TsResolutionNs { ns_per_ts } => Some(self.reported_resolution(ticks, ns_per_ts)),
            Event::TsFrequency { numerator, denominator } => {
                Some(self.reported_frequency(ticks, numerator, denominator))
            }
            _ => None,
        }
    }

    /// Returns the first reported frequency.
    #[must_use]
    pub const fn known(&self) -> FrequencyKnowledge {
        self.known
    }

    /// The frequency in force.
    #[must_use]
    pub const fn frequency(&self) -> Frequency {
        self.last.frequency
    }

    /// Returns the time at this many ticks, in ns; `None` if it is beyond [`MAX_NS`].
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

    /// Handles a report of the tick length in whole nanoseconds, at a time in ticks. It applies until the frequency is reported
    /// exactly.
    pub fn reported_resolution(&mut self, ticks: u64, ns: u64) -> ClockEffect {
        let Some(frequency) = Frequency::from_resolution(ns) else {
            return ClockEffect::Contradiction;
        };
        match self.known {
            FrequencyKnowledge::Nothing => self.learn(ticks, FrequencyKnowledge::Rounded(ns)),
            FrequencyKnowledge::Rounded(_) => self.change(ticks, frequency),
            // Metadata is reported again at each start, and may then be of a time before a change.
            FrequencyKnowledge::Exact(_) => {
                let rounded = u128::from(ns);
                let mut before = self.roundings.iter();
                if self.last.frequency.is_rounded_to(ns)
                    || before.any(|&(down, up)| down == rounded || up == rounded)
                {
                    ClockEffect::Nothing
                } else {
                    ClockEffect::Contradiction
                }
            }
        }
    }

    /// The recording reports the frequency from a time in ticks on.
    pub fn reported_frequency(
        &mut self,
        ticks: u64,
        numerator: u64,
        denominator: u64,
    ) -> ClockEffect {
        let Some(mut frequency) = Frequency::new(numerator, denominator) else {
            return ClockEffect::Contradiction;
        };
        if let Some((wrong, truth)) = self.corrected
            && frequency == wrong
        {
            frequency = truth;
        }
        match self.known {
            FrequencyKnowledge::Exact(_) => self.change(ticks, frequency),
            // The same, more exactly.
            FrequencyKnowledge::Rounded(ns)
                if self.earlier.is_empty() && frequency.is_rounded_to(ns) =>
            {
                self.learn(ticks, FrequencyKnowledge::Exact(frequency))
            }
            FrequencyKnowledge::Rounded(_) => {
                self.known = FrequencyKnowledge::Exact(frequency);
                self.change(ticks, frequency)
            }
            FrequencyKnowledge::Nothing => self.learn(ticks, FrequencyKnowledge::Exact(frequency)),
        }
    }

    /// Applies a frequency that was unknown so far to all times since the start.
    fn learn(&mut self, ticks: u64, known: FrequencyKnowledge) -> ClockEffect {
        self.known = known;
        if self.runs {
            return self.change(ticks, known.frequency());
        }
        self.last = Segment::new(known.frequency(), self.last.from, self.last.ns);
        self.span = self.last.span(self.last.from);
        ClockEffect::Nothing
    }

    fn change(&mut self, ticks: u64, frequency: Frequency) -> ClockEffect {
        let before = self.last.frequency;
        if before == frequency {
            return ClockEffect::Nothing;
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
        ClockEffect::Changed(before)
    }
}
