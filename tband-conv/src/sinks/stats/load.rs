//! The load of a core over time, in a few dozen equal windows. Shares are of the known time.
//!
//! The length of the recording is known only at its end, so windows start short and are joined in pairs whenever there would be
//! too many.

/// Maximum number of windows; at the end there are at least half as many.
const MAX: usize = 40;
/// Length that windows start with, in ns.
const FIRST_LEN: i64 = 1 << 10;

/// Busy time of a core over time, and time with an unknown owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    len: i64,
    /// How far [`MAX`] windows reach.
    reach: i64,
    busy: Vec<i64>,
    unknown: Vec<i64>,
}

/// Activity of a core for a time.
#[derive(Clone, Copy)]
enum CoreActivity {
    Busy,
    Unknown,
}

impl Default for Load {
    fn default() -> Self {
        let reach = FIRST_LEN * MAX as i64;
        Self { len: FIRST_LEN, reach, busy: Vec::new(), unknown: Vec::new() }
    }
}

impl Load {
    /// Counts the time between two moments, in ns since the start of the recording, as busy.
    pub(super) fn add(&mut self, from: i64, to: i64) {
        let from = from.max(0);
        if to <= from {
            return;
        }
        if to > self.reach {
            self.reach(to);
        }
        // Powers of two. Most of it is in one window.
        let shift = self.len.trailing_zeros();
        let (first, last) = (from >> shift, (to - 1) >> shift);
        if first == last
            && let Some(busy) = self.busy.get_mut(usize::try_from(first).unwrap_or(MAX))
        {
            *busy = busy.saturating_add(to - from);
            return;
        }
        self.add_slowly(CoreActivity::Busy, from, to);
    }

    /// As [`add`](Self::add), for time with an unknown owner.
    #[cold]
    pub(super) fn add_unknown(&mut self, from: i64, to: i64) {
        let from = from.max(0);
        if to > self.reach {
            self.reach(to);
        }
        self.add_slowly(CoreActivity::Unknown, from, to);
    }

    #[inline(never)]
    fn add_slowly(&mut self, does: CoreActivity, mut from: i64, to: i64) {
        let Self { len, ref mut busy, ref mut unknown, .. } = *self;
        let times = match does {
            CoreActivity::Busy => busy,
            CoreActivity::Unknown => unknown,
        };
        while from < to {
            // A power of two.
            let index = from >> len.trailing_zeros();
            let end = index.saturating_add(1).saturating_mul(len).min(to);
            let index = usize::try_from(index).unwrap_or(MAX);
            if times.len() <= index {
                times.resize(index.min(MAX) + 1, 0);
            }
            if let Some(time) = times.get_mut(index) {
                *time = time.saturating_add(end - from);
            }
            from = end;
        }
    }

    /// Makes windows long enough for all of them to reach this far.
    fn reach(&mut self, to: i64) {
        while to > self.reach && self.reach < i64::MAX {
            self.len = self.len.saturating_mul(2);
            self.reach = self.len.saturating_mul(MAX as i64);
            for times in [&mut self.busy, &mut self.unknown] {
                *times = times.chunks(2).map(|pair| pair.iter().sum()).collect();
            }
        }
    }

    /// The recording begins earlier than assumed. From then on the busy time of a window counts as its beginning, and its
    /// unknown time as its end.
    #[cold]
    pub(super) fn start_earlier(&mut self, earlier: i64) {
        let Self { len, busy, unknown, .. } = std::mem::take(self);
        let windows = || (0..).map(|index: i64| earlier.saturating_add(len.saturating_mul(index)));
        for (from, busy) in windows().zip(busy) {
            self.add(from, from.saturating_add(busy));
        }
        for (from, unknown) in windows().zip(unknown) {
            let to = from.saturating_add(len);
            self.add_unknown(to.saturating_sub(unknown), to);
        }
    }

    /// Closes it at the length of the recording.
    pub(super) fn finish(&mut self, length: i64) {
        if length > 0 {
            self.reach(length);
            let used = usize::try_from((length - 1) / self.len + 1).unwrap_or(MAX);
            self.busy.resize(used.min(MAX), 0);
            self.unknown.resize(used.min(MAX), 0);
        }
    }

    /// Length of a window in ns; the last one may be cut short by the end of the recording.
    #[must_use]
    pub const fn window_ns(&self) -> i64 {
        self.len
    }

    /// Busy time of each window, in ns.
    #[must_use]
    pub fn busy_ns(&self) -> &[i64] {
        &self.busy
    }

    /// Returns the busy share of the known time of each window, 0 to 1, in a recording of this length; `None` where nothing is
    /// known.
    pub fn shares(&self, length: i64) -> impl Iterator<Item = Option<f64>> {
        (0..).zip(self.busy.iter().zip(&self.unknown)).map(move |(index, (busy, unknown))| {
            let covered = length.saturating_sub(self.len.saturating_mul(index)).min(self.len);
            let known = covered.saturating_sub(*unknown);
            (known > 0).then(|| (*busy as f64 / known as f64).min(1.0))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_kept_while_windows_grow() {
        let mut load = Load::default();
        for start in (0..1_000_000).step_by(1000) {
            load.add(start, start + 250);
        }
        load.finish(1_000_000);
        assert_eq!(load.busy_ns().iter().sum::<i64>(), 250_000);
        assert_eq!(load.window_ns(), 1 << 15);
        assert_eq!(load.busy_ns().len(), 31);
        assert!(load.shares(1_000_000).flatten().all(|share| (0.24..0.26).contains(&share)));
    }

    #[test]
    fn time_is_kept_if_it_begins_earlier() {
        let mut load = Load::default();
        load.add(0, 100_000);
        load.add(150_000, 150_250);
        load.start_earlier(50_001);
        load.add(0, 10);
        load.finish(200_252);
        assert_eq!(load.busy_ns().iter().sum::<i64>(), 100_000 + 250 + 10);
        let shares: Vec<f64> = load.shares(200_252).flatten().collect();
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
        assert!(shares.iter().filter(|share| **share == 1.0).count() > 10, "{shares:?}");
    }

    #[test]
    fn unknown_time_is_not_divided() {
        let mut load = Load::default();
        load.add(0, 90_000);
        load.add_unknown(100_000, 900_000);
        load.add(900_000, 1_000_000);
        load.finish(1_000_000);
        let shares: Vec<_> = load.shares(1_000_000).collect();
        assert_eq!((shares[0], shares[10], shares[30]), (Some(1.0), None, Some(1.0)));
        assert_eq!(shares.iter().flatten().count(), 4 + 4);
        // All of it, and none.
        load.start_earlier(1_000_000);
        load.add_unknown(0, 1_000_000);
        load.finish(2_000_000);
        let shares: Vec<_> = load.shares(2_000_000).collect();
        assert!(shares.iter().take(14).all(Option::is_none), "{shares:?}");
        assert!(shares.iter().flatten().all(|share| (0.5..=1.0).contains(share)), "{shares:?}");
    }

    #[test]
    fn far_times_are_reached() {
        let mut load = Load::default();
        load.add(0, 100);
        load.add(crate::clock::MAX_NS - 5, crate::clock::MAX_NS);
        load.finish(crate::clock::MAX_NS);
        assert_eq!(load.busy_ns().first(), Some(&100));
        assert_eq!(load.busy_ns().last(), Some(&5));
        assert!((20..=40).contains(&load.busy_ns().len()));
    }
}
