//! Time of which the recording says who has the cores.
//!
//! Where events are missing, and before the first switch, nobody knows who has a core. That time divides nothing:
//! shares are of what is known.

/// Which cores it is known of who has them, over time. Times in ns.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownTime {
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

impl KnownTime {
    /// The recording begins.
    pub const fn begin(&mut self, ns: i64) {
        self.since = ns;
    }

    /// It begins so much earlier.
    pub const fn starts_earlier(&mut self, earlier: i64) {
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

    /// There is such a core.
    pub fn sees(&mut self, ns: i64, core: u32) {
        self.advance(ns);
        self.seen |= bit(core);
    }

    /// The target was reset. Each core is seen again with its first event of the new run, as in the first run.
    pub fn reset(&mut self, ns: i64) {
        self.advance(ns);
        (self.seen, self.known) = (0, 0);
    }

    /// It is known who has a core, from now on.
    pub fn learns(&mut self, ns: i64, core: u32) {
        self.sees(ns, core);
        self.known |= bit(core);
    }

    /// It is not known any more who has a core.
    pub fn forgets(&mut self, ns: i64, core: u32) {
        self.advance(ns);
        self.known &= !bit(core);
    }

    /// Time up to now in which a task of which nothing is known may have been on a core although others are known.
    pub fn partly_ns(&self, ns: i64) -> i64 {
        let mut now = self.clone();
        now.advance(ns);
        now.partly_ns
    }

    /// The recording ends; gives the time in which it was known of no core.
    pub fn finish(&mut self, ns: i64) -> i64 {
        self.advance(ns);
        self.dark_ns
    }
}
