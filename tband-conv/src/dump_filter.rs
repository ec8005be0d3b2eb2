//! Which lines a dump has: a time window, a core, kinds of event, a number of lines.

use tband_format::{EVENTS, Event};

use crate::events::Item;

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
    ns_per_tick: u64,
    now: u64,
    passed: u64,
}

impl Sieve {
    pub fn new(filter: DumpFilter) -> Self {
        let mut wanted = [filter.events.is_empty(); 256];
        for event in EVENTS {
            wanted[usize::from(event.id)] |= filter.events.iter().any(|name| name == event.name);
        }
        Self { filter, wanted, ns_per_tick: 1, now: 0, passed: 0 }
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
            if let Event::TsResolutionNs { ns_per_ts: ns @ 1.. } = decoded.event {
                self.ns_per_tick = ns;
            }
            self.now = decoded.ts.unwrap_or(self.now);
        }
        let kind = match &item.event {
            Ok(decoded) => self.wanted[usize::from(decoded.event.id())],
            Err(_) => self.filter.events.is_empty(),
        };
        let passes = kind
            && !self.is_done()
            && self.filter.core.is_none_or(|core| core == item.core)
            && self.filter.from.is_none_or(|from| self.now() >= self.ns(from))
            && self.filter.to.is_none_or(|to| self.now() <= self.ns(to));
        if passes && item.event.is_ok() {
            self.passed = self.passed.saturating_add(1);
        }
        passes
    }

    fn now(&self) -> u128 {
        self.ns(Moment::Ticks(self.now))
    }

    fn ns(&self, moment: Moment) -> u128 {
        match moment {
            Moment::Ticks(ticks) => u128::from(ticks) * u128::from(self.ns_per_tick),
            Moment::Ns(ns) => ns.into(),
        }
    }
}
