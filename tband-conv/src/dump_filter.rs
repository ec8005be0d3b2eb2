//! Which lines a dump has: a time window, a core, kinds of event, a number of lines.

use std::cmp::Ordering;

use tband_format::{Decoded, EVENTS, Event};

use crate::clock::{Clock, Known};
use crate::events::Item;
use crate::frequency::Frequency;

/// A moment on the target's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// In ticks of the timestamps.
    Ticks(u64),
    /// In nanoseconds.
    Ns(u64),
}

/// Which events are dumped; by default all.
#[derive(Clone, Debug, Default)]
pub struct DumpFilter {
    /// Nothing before this.
    pub from: Option<Moment>,
    /// Nothing after this.
    pub to: Option<Moment>,
    /// Only of this core.
    pub core: Option<u32>,
    /// Only events of these names; all if there is none.
    pub events: Vec<String>,
    /// No more than this many events.
    pub limit: Option<u64>,
    /// How often the timer of the timestamps counts at the start, whatever the recording says.
    pub tick_rate: Option<Frequency>,
}

/// Names that [`DumpFilter::events`] may have.
pub fn event_names() -> impl Iterator<Item = &'static str> {
    EVENTS.iter().map(|event| event.name)
}

/// A filter at work. What has no time of its own takes that of the event before it.
#[derive(Debug)]
pub(crate) struct Sieve {
    filter: DumpFilter,
    wanted: [bool; 256],
    clock: Clock,
    /// Time of the last event, in ticks.
    now: Option<u64>,
    /// There is nothing left to be corrected by the tick rate that was given.
    is_corrected: bool,
    passed: u64,
}

impl Sieve {
    pub fn new(filter: DumpFilter) -> Self {
        let mut wanted = [filter.events.is_empty(); 256];
        for event in EVENTS {
            wanted[usize::from(event.id)] |= filter.events.iter().any(|name| name == event.name);
        }
        let is_corrected = filter.tick_rate.is_none();
        let clock = Clock::new(Known::Nothing, 0);
        Self { filter, wanted, clock, now: None, is_corrected, passed: 0 }
    }

    /// How many events have passed.
    pub const fn passed(&self) -> u64 {
        self.passed
    }

    /// As many events have passed as are wanted.
    pub fn is_done(&self) -> bool {
        self.filter.limit.is_some_and(|limit| self.passed >= limit)
    }

    /// The frame is to be shown.
    pub fn passes(&mut self, item: &Item<'_>) -> bool {
        if let Ok(decoded) = &item.event {
            self.follow(decoded);
        }
        let kind = match &item.event {
            Ok(decoded) => self.wanted[usize::from(decoded.event.id())],
            Err(_) => self.filter.events.is_empty(),
        };
        let (from, to) = (self.filter.from, self.filter.to);
        let passes = kind
            && !self.is_done()
            && self.filter.core.is_none_or(|core| core == item.core)
            && from.is_none_or(|from| self.reached(from) != Ordering::Less)
            && to.is_none_or(|to| self.reached(to) != Ordering::Greater);
        if passes && item.event.is_ok() {
            self.passed = self.passed.saturating_add(1);
        }
        passes
    }

    /// Lets the clock follow what an event says of it.
    fn follow(&mut self, decoded: &Decoded<'_>) {
        if let Some(ticks) = decoded.ts
            && !matches!(decoded.event, Event::CoreId { .. })
        {
            if self.now.is_none() {
                self.clock = self.new_clock(self.clock.known(), ticks);
            }
            self.now = Some(ticks);
        }
        let now = self.now.unwrap_or(0);
        match decoded.event {
            Event::TsResolutionNs { ns_per_ts } => {
                self.clock.told_resolution(now, ns_per_ts);
            }
            Event::TsFrequency { numerator, denominator } => {
                // What the recording says first is what the user corrects.
                if !std::mem::replace(&mut self.is_corrected, true)
                    && let Some(frequency) = Frequency::new(numerator, denominator)
                {
                    self.clock = self.new_clock(Known::Exact(frequency), now);
                }
                self.clock.told_frequency(now, numerator, denominator);
            }
            _ => {}
        }
    }

    fn new_clock(&self, known: Known, first_ticks: u64) -> Clock {
        match self.filter.tick_rate {
            Some(truth) => Clock::corrected(known, truth, first_ticks),
            None => Clock::new(known, first_ticks),
        }
    }

    /// How the time now compares to a moment.
    fn reached(&mut self, moment: Moment) -> Ordering {
        let now = self.now.unwrap_or(0);
        match moment {
            Moment::Ticks(ticks) => now.cmp(&ticks),
            // What is beyond the range is behind any moment.
            Moment::Ns(ns) => match self.clock.ns(now) {
                Some(now) => now.unsigned_abs().cmp(&ns),
                None => Ordering::Greater,
            },
        }
    }
}
