//! What inputs say of the timer, and when their cores start.

use tband_format::Event;

use crate::clock::Known;
use crate::clock::frequency::Frequency;

/// What an input says of the timer first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Timer {
    /// Nanoseconds a tick, above 0.
    rounded: Option<u64>,
    exact: Option<Frequency>,
    /// It had an event with a time.
    is_running: bool,
}

impl Timer {
    /// Takes an event in.
    pub fn learn(&mut self, event: &Event<'_>) {
        match *event {
            Event::TsResolutionNs { ns_per_ts: ns @ 1.. } if self.exact.is_none() => {
                // What was reported last before the first event is in force there.
                if self.rounded.is_none() || !self.is_running {
                    self.rounded = Some(ns);
                }
            }
            Event::TsFrequency { numerator, denominator } => {
                self.exact = self.exact.or_else(|| Frequency::new(numerator, denominator));
            }
            Event::CoreId { .. } => {}
            _ => self.is_running |= !event.is_metadata(),
        }
    }
}

/// What all inputs say of the timer, each with the time of its first event, in ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timers(Vec<(Option<u64>, Timer)>);

impl Timers {
    /// Adds what the next input says.
    pub fn add(&mut self, first_ticks: Option<u64>, timer: Timer) {
        self.0.push((first_ticks, timer));
    }

    /// How the timer counts at the start, as far as the recording says so. What the earliest input says
    /// counts; an exact frequency is known from the start on if what was rounded there comes from it.
    pub fn known(&self) -> Known {
        let mut timers: Vec<_> = self.0.iter().collect();
        // Metadata alone has no time, but is of the target all the same.
        timers.sort_by_key(|(first, _)| first.unwrap_or(u64::MAX));
        let rounded = timers.iter().find_map(|(_, timer)| timer.rounded);
        let exact = timers.iter().find_map(|(_, timer)| timer.exact);
        match (exact, rounded) {
            (Some(exact), Some(ns)) if !exact.rounds_to(ns) => Known::Rounded(ns),
            (Some(exact), _) => Known::Exact(exact),
            (None, Some(ns)) => Known::Rounded(ns),
            (None, None) => Known::Nothing,
        }
    }
}

/// When the cores of an input start; in the input any may come first.
#[derive(Debug, Default)]
pub(crate) struct FirstTicks {
    /// Cores with the times of their first two events, in ticks. Two, since one may be damaged.
    cores: Vec<(u32, [Option<u64>; 2])>,
    /// The core that the next events belong to.
    current: usize,
}

impl FirstTicks {
    /// What follows is of this core.
    pub fn look_at(&mut self, core: u32) {
        let known = self.cores.iter().position(|(it, _)| *it == core);
        self.current = known.unwrap_or_else(|| {
            self.cores.push((core, [None; 2]));
            self.cores.len().saturating_sub(1)
        });
    }

    /// Further events of this core change nothing.
    pub fn is_known(&self) -> bool {
        matches!(self.cores.get(self.current), Some((_, [_, Some(_)])))
    }

    /// There is a core, and further events of those that there are change nothing.
    pub fn are_all_known(&self) -> bool {
        !self.cores.is_empty() && self.cores.iter().all(|(_, ticks)| ticks[1].is_some())
    }

    /// An event of the core, which may have a time.
    pub fn event(&mut self, ticks: Option<u64>) {
        let free = self.cores.get_mut(self.current);
        if let Some(free) = free.and_then(|(_, it)| it.iter_mut().find(|it| it.is_none())) {
            *free = ticks;
        }
    }

    /// The earliest of these times.
    pub fn earliest(&self) -> Option<u64> {
        self.cores.iter().flat_map(|(_, ticks)| *ticks).flatten().min()
    }

    /// The cores that have an event with a time.
    pub fn active(&self) -> impl Iterator<Item = u32> {
        self.cores.iter().filter(|(_, ticks)| ticks[0].is_some()).map(|(core, _)| *core)
    }
}
