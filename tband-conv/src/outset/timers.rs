//! Reports of inputs about the timer, and the starts of their cores.

use tband_format::Event;

use crate::clock::FrequencyKnowledge;
use crate::clock::frequency::Frequency;

/// An input's first reports of the timer.
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
                // The last report before the first event is in force there.
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

/// Reports of all inputs about the timer, each with the time of its first event, in ticks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timers(Vec<(Option<u64>, Timer)>);

impl Timers {
    /// Adds the reports of the next input.
    pub fn add(&mut self, first_ticks: Option<u64>, timer: Timer) {
        self.0.push((first_ticks, timer));
    }

    /// The inputs that have events with times, and do not report the timer.
    pub fn without_report(&self) -> impl Iterator<Item = usize> {
        let is_one = |(first, timer): &(Option<u64>, Timer)| {
            first.is_some() && timer.exact.is_none() && timer.rounded.is_none()
        };
        self.0.iter().enumerate().filter(move |(_, it)| is_one(it)).map(|(input, _)| input)
    }

    /// Returns the timer's frequency at the start, as far as the recording contains it. The report of the earliest input
    /// counts; an exact frequency is known from the start if the rounded one there comes from it.
    pub fn known(&self) -> FrequencyKnowledge {
        let mut timers: Vec<_> = self.0.iter().collect();
        // Metadata alone has no time, but is of the target all the same.
        timers.sort_by_key(|(first, _)| first.unwrap_or(u64::MAX));
        let rounded = timers.iter().find_map(|(_, timer)| timer.rounded);
        let exact = timers.iter().find_map(|(_, timer)| timer.exact);
        match (exact, rounded) {
            (Some(exact), Some(ns)) if !exact.is_rounded_to(ns) => FrequencyKnowledge::Rounded(ns),
            (Some(exact), _) => FrequencyKnowledge::Exact(exact),
            (None, Some(ns)) => FrequencyKnowledge::Rounded(ns),
            (None, None) => FrequencyKnowledge::Nothing,
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
    /// Switches to this core.
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

    /// Whether there is a core, and further events of the known cores change nothing.
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
