//! Time in which the owners of the cores are known.
//!
//! Where events are missing, and before the first switch, the owner of a core is unknown. That time is not part of a divisor:
//! shares are of the known time.

/// Which cores have a known owner, over time. Times in ns.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnedTime {
    /// Cores that were seen, and those of which it is known; one bit each.
    seen: u64,
    known: u64,
    /// All below is counted up to here.
    since: i64,
    /// Time in which it was known of no core.
    dark_ns: i64,
    /// Time in which it was known of some cores and not of others.
    partly_ns: i64,
}

const fn bit(core: u32) -> u64 {
    1_u64.wrapping_shl(core)
}

impl OwnedTime {
    /// The recording begins.
    pub const fn begin(&mut self, ns: i64) {
        self.since = ns;
    }

    /// The recording begins earlier by this time.
    pub const fn start_earlier(&mut self, earlier: i64) {
        self.dark_ns = self.dark_ns.saturating_add(earlier);
    }

    /// Across cores time may step back a little.
    fn advance(&mut self, ns: i64) {
        let time = ns.saturating_sub(self.since).max(0);
        self.since = self.since.max(ns);
        if self.known == 0 {
            self.dark_ns = self.dark_ns.saturating_add(time);
        } else if self.known != self.seen {
            self.partly_ns = self.partly_ns.saturating_add(time);
        }
    }

    /// This core exists.
    pub fn add_core(&mut self, ns: i64, core: u32) {
        self.advance(ns);
        self.seen |= bit(core);
    }

    /// The target was reset. Each core is seen again with its first event of the new run, as in the first run.
    pub fn reset(&mut self, ns: i64) {
        self.advance(ns);
        (self.seen, self.known) = (0, 0);
    }

    /// The owner of a core is known from now on.
    pub fn mark_known(&mut self, ns: i64, core: u32) {
        self.add_core(ns, core);
        self.known |= bit(core);
    }

    /// The owner of a core becomes unknown.
    pub fn mark_unknown(&mut self, ns: i64, core: u32) {
        self.advance(ns);
        self.known &= !bit(core);
    }

    /// Returns the time so far in which a task with unknown state may have been on a core although others are known.
    pub fn partly_ns(&self, ns: i64) -> i64 {
        let mut now = self.clone();
        now.advance(ns);
        now.partly_ns
    }

    /// The recording ends; returns the time in which no core's owner was known.
    pub fn finish(&mut self, ns: i64) -> i64 {
        self.advance(ns);
        self.dark_ns
    }
}
