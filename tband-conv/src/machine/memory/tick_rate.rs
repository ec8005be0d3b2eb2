//! How regularly the kernel's ticks come on a core, and from when on the next one is overdue.

/// Intervals between ticks without which it is not known how regular they are.
const LEAST_INTERVALS: u32 = 4;
/// A tick is overdue after this many of the longest intervals between ticks. A tick that an interrupt or a critical section delays
/// is late by less than that.
const INTERVALS: i64 = 5;
/// It is not overdue before this time in ns: erasing flash memory, or the host of a simulated target, delays ticks by some 10 ms.
const LEAST_NS: i64 = 50_000_000;

/// The ticks of a core.
#[derive(Clone, Copy, Debug)]
pub struct TickRate {
    /// A later event finds that a tick is overdue.
    pub due_ns: i64,
    last_ns: Option<i64>,
    intervals: u32,
    /// The longest interval between recent ticks, in ns.
    longest_ns: i64,
}

impl Default for TickRate {
    fn default() -> Self {
        Self { due_ns: i64::MAX, last_ns: None, intervals: 0, longest_ns: 0 }
    }
}

impl TickRate {
    /// A tick occurs. `tick_ns`: length of a tick by the kernel's configuration.
    pub fn tick(&mut self, ns: i64, tick_ns: i64) {
        if let Some(last) = self.last_ns.replace(ns) {
            let interval = ns.saturating_sub(last).max(0);
            self.intervals = self.intervals.saturating_add(1);
            // A single late tick counts less and less.
            self.longest_ns = interval.max(self.longest_ns - self.longest_ns / 64).max(tick_ns);
        }
        self.wait_from(ns);
    }

    /// The next tick is to come after this time.
    pub fn wait_from(&mut self, ns: i64) {
        let is_regular = self.intervals >= LEAST_INTERVALS;
        self.last_ns = Some(ns);
        self.due_ns = if is_regular { ns.saturating_add(self.least_ns()) } else { i64::MAX };
    }

    /// A pause without an event is a halt if it lasts this long or longer.
    pub fn least_ns(&self) -> i64 {
        self.longest_ns.saturating_mul(INTERVALS).max(LEAST_NS)
    }

    /// No tick is expected up to the next one.
    pub fn pause(&mut self) {
        (self.due_ns, self.last_ns) = (i64::MAX, None);
    }
}
