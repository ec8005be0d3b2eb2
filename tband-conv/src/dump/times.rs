//! The time of each event, as a dump comes by it: the clock follows what events say of it.

use std::cmp::Ordering;

use tband_format::{Decoded, Event};

use crate::clock::frequency::Frequency;
use crate::clock::moment::Moment;
use crate::clock::{Clock, Known};

/// The time of the event that was read last. What has no time of its own takes that of the one before.
#[derive(Debug)]
pub(crate) struct Times {
    clock: Clock,
    /// Time of the last event, in ticks.
    now: Option<u64>,
    tick_rate: Option<Frequency>,
    /// There is nothing left to be corrected by the tick rate that was given.
    is_corrected: bool,
}

impl Times {
    /// With the frequency that the user knows better, if there is one.
    pub fn new(tick_rate: Option<Frequency>) -> Self {
        let clock = Clock::starting(Known::Nothing, tick_rate, 0);
        Self { clock, now: None, tick_rate, is_corrected: tick_rate.is_none() }
    }

    /// With what a first pass has found out about the clock.
    pub const fn with(clock: Clock) -> Self {
        Self { clock, now: Some(0), tick_rate: None, is_corrected: true }
    }

    /// Follows what an event says of the clock, and goes on to its time.
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
            // What the recording says first is what the user corrects.
            self.clock = Clock::starting(Known::Exact(frequency), self.tick_rate, now);
        }
        self.clock.follow(now, event);
    }

    /// Goes on to a time in ticks.
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

    /// Time at so many ticks, in ns; `None` if nothing is known of the clock, or if it is out of range.
    #[inline]
    pub fn ns(&mut self, ticks: u64) -> Option<i64> {
        match self.clock.known() {
            Known::Nothing => None,
            Known::Rounded(_) | Known::Exact(_) => self.clock.ns(ticks),
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
        // What is beyond the range is after any moment.
        self.clock.ns(now).map_or(Ordering::Greater, |now| now.cmp(&moment_ns))
    }

    /// Now lies between two moments, which count themselves.
    pub fn is_within(&mut self, from: Option<Moment>, to: Option<Moment>) -> bool {
        from.is_none_or(|from| self.reached(from) != Ordering::Less)
            && to.is_none_or(|to| self.reached(to) != Ordering::Greater)
    }
}
