//! Reports of the timer's frequency, with the time from which each applies.

use tband_format::Event;
use tband_format::decode::Decoded;

use crate::clock::Clock;

/// A report of the timer's frequency.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockChange {
    ticks: u64,
    event: Event<'static>,
}

impl ClockChange {
    /// Returns the report in an event, if it is one. `now` is the time of the last event in ticks, and advances to this
    /// event's.
    pub fn of(decoded: &Decoded<'_>, now: &mut u64) -> Option<Self> {
        let Decoded { ts, event } = *decoded;
        *now = ts.filter(|_| !matches!(event, Event::CoreId { .. })).unwrap_or(*now);
        let event = match event {
            Event::TsFrequency { numerator, denominator } => {
                Event::TsFrequency { numerator, denominator }
            }
            Event::TsResolutionNs { ns_per_ts } => Event::TsResolutionNs { ns_per_ts },
            _ => return None,
        };
        Some(Self { ticks: *now, event })
    }
}

/// Applies the reports of all inputs to the clock, in the order of time.
pub(crate) fn follow_all(clock: &mut Clock, changes: &[ClockChange]) {
    let mut changes = changes.to_vec();
    changes.sort_by_key(|change| change.ticks);
    for ClockChange { ticks, event } in changes {
        clock.follow(ticks, &event);
    }
}
