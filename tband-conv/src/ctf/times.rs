//! Times as readers of traces can show them: nanoseconds in 63 bits.
//!
//! Timestamps have 64 bits, and a timer that does not begin at 0 may have any value in that range. So where the first event is
//! beyond half of the range, the trace begins with it, as all other outputs do. Times after the range are shown at its end.

use super::CtfSummary;
use crate::clock::{Clock, MAX_NS};

/// Moves timestamps to where readers can show them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    /// This tick is 0.
    first: u64,
    /// No time in ticks is later.
    last: u64,
}

impl Times {
    /// Creates the times for a recording with this clock at its start, in a trace whose clock has this frequency.
    pub fn new(clock: &Clock, hz: u64) -> Self {
        // Some readers work it out in floating point, for which the range has room to spare.
        let last = u128::from(MAX_NS.unsigned_abs()) * u128::from(hz) / 1_000_000_000;
        // Some readers take a time with all bits set as missing.
        let last = u64::try_from(last).unwrap_or(u64::MAX).min(u64::MAX - 1);
        Self { first: clock.first_ticks(), last }
    }

    /// This tick is 0.
    pub const fn first(&self) -> u64 {
        self.first
    }

    /// Times up to this one are shown as they are.
    pub const fn are_shown(&self, ticks: u64) -> bool {
        self.first == 0 && ticks <= self.last
    }

    /// A time in the trace. One that cannot be shown is counted.
    pub fn of(&self, ticks: u64, summary: &mut CtfSummary) -> u64 {
        let ticks = ticks.saturating_sub(self.first);
        if ticks > self.last {
            summary.beyond = summary.beyond.saturating_add(1);
        }
        ticks.min(self.last)
    }
}
