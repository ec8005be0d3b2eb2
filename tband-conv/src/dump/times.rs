//! The time of each event in a dump: the clock follows the events' reports.

use std::cmp::Ordering;

use tband_format::Event;
use tband_format::decode::Decoded;

use crate::clock::frequency::Frequency;
use crate::clock::moment::Moment;
use crate::clock::{Clock, FrequencyKnowledge};

/// The time of the event that was read last. An item without its own time takes that of the previous event.
#[derive(Debug)]
pub(crate) struct Times {
    clock: Clock,
    /// Time of the last event, in ticks.
    now: Option<u64>,
    tick_rate: Option<Frequency>,
    /// The given tick rate has no further effect.
    is_corrected: bool,
}

impl Times {
    /// Creates the times with the user's frequency, if there is one.
    pub fn new(tick_rate: Option<Frequency>) -> Self {
        let clock = Clock::starting(FrequencyKnowledge::Nothing, tick_rate, 0);
        Self { clock, now: None, tick_rate, is_corrected: tick_rate.is_none() }
    }

    /// Creates the times with the clock from a first pass.
    pub const fn with(clock: Clock) -> Self {
        Self { clock, now: Some(0), tick_rate: None, is_corrected: true }
    }

    /// Applies an event's clock report, and advances to its time.
    #[inline]
    pub fn follow(&mut self, decoded: &Decoded<'_>) {
        match (decoded.ts, &decoded.event) {
            (_, Event::CoreId { .. }) => {}
            (None, event) => self.reported(event),
            (Some(ticks), event @ Event::TsFrequency { .. }) => {
                self.reach(ticks);
                self.reported(event);
            }
            (Some(ticks), _) => self.reach(ticks),
        }
    }

    #[cold]
    fn reported(&mut self, event: &Event<'_>) {
        let now = self.now.unwrap_or(0);
        if let Event::TsFrequency { numerator, denominator } = *event
            && !std::mem::replace(&mut self.is_corrected, true)
            && let Some(frequency) = Frequency::new(numerator, denominator)
        {
            // The user corrects the first frequency of the recording.
            self.clock = Clock::starting(FrequencyKnowledge::Exact(frequency), self.tick_rate, now);
        }
        self.clock.follow(now, event);
    }

    /// Advances to a time in ticks.
    #[inline]
    pub fn reach(&mut self, ticks: u64) {
        if self.now.is_none() {
            self.start(ticks);
        }
        self.now = Some(ticks);
    }

    #[cold]
    fn start(&mut self, ticks: u64) {
        self.clock = Clock::starting(self.clock.known(), self.tick_rate, ticks);
    }

    /// Returns the time at this many ticks, in ns; `None` if the clock is unknown, or the time is out of range.
    #[inline]
    pub fn ns(&mut self, ticks: u64) -> Option<i64> {
        match self.clock.known() {
            FrequencyKnowledge::Nothing => None,
            FrequencyKnowledge::Rounded(_) | FrequencyKnowledge::Exact(_) => self.clock.ns(ticks),
        }
    }

    /// How the time now compares to a moment.
    pub fn reached(&mut self, moment: Moment) -> Ordering {
        let now = self.now.unwrap_or(0);
        let to_ns = |ns: u64| i64::try_from(ns).unwrap_or(i64::MAX);
        let moment_ns = match moment {
            Moment::Ticks(ticks) => return now.cmp(&ticks),
            Moment::Ns(ns) => to_ns(ns),
            Moment::TicksAndNs(ticks, ns) => match self.clock.ns(ticks) {
                Some(at) => at.saturating_add(ns),
                None => i64::MAX,
            },
        };
        // A time out of range is after any moment.
        self.clock.ns(now).map_or(Ordering::Greater, |now| now.cmp(&moment_ns))
    }

    /// Whether the current time is between two moments, inclusive.
    pub fn is_within(&mut self, from: Option<Moment>, to: Option<Moment>) -> bool {
        from.is_none_or(|from| self.reached(from) != Ordering::Less)
            && to.is_none_or(|to| self.reached(to) != Ordering::Greater)
    }
}
