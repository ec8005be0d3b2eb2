//! How busy a core is over time, in a few dozen equal stretches.
//!
//! The length of the recording is known at its end only, so stretches start short and are joined in
//! pairs whenever there would be too many.

/// Most stretches that are kept; at the end there are at least half as many.
const MAX: usize = 40;
/// Length that stretches start with, in ns.
const FIRST_LEN: i64 = 1 << 10;

/// Busy time of a core over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    len: i64,
    /// How far [`MAX`] stretches reach.
    reach: i64,
    busy: Vec<i64>,
}

impl Default for Load {
    fn default() -> Self {
        Self { len: FIRST_LEN, reach: FIRST_LEN * MAX as i64, busy: Vec::new() }
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
        // Powers of two. Most of it is in one stretch.
        let shift = self.len.trailing_zeros();
        let (first, last) = (from >> shift, (to - 1) >> shift);
        if first == last
            && let Some(busy) = self.busy.get_mut(usize::try_from(first).unwrap_or(MAX))
        {
            *busy = busy.saturating_add(to - from);
            return;
        }
        self.add_slowly(from, to);
    }

    #[inline(never)]
    fn add_slowly(&mut self, mut from: i64, to: i64) {
        while from < to {
            // A power of two.
            let index = from >> self.len.trailing_zeros();
            let end = index.saturating_add(1).saturating_mul(self.len).min(to);
            let index = usize::try_from(index).unwrap_or(MAX);
            if self.busy.len() <= index {
                self.busy.resize(index.min(MAX) + 1, 0);
            }
            if let Some(busy) = self.busy.get_mut(index) {
                *busy = busy.saturating_add(end - from);
            }
            from = end;
        }
    }

    /// Makes stretches so long that all of them reach this far.
    fn reach(&mut self, to: i64) {
        while to > self.reach && self.reach < i64::MAX {
            self.len = self.len.saturating_mul(2);
            self.reach = self.len.saturating_mul(MAX as i64);
            let pairs = self.busy.chunks(2).map(|pair| pair.iter().sum());
            self.busy = pairs.collect();
        }
    }

    /// The recording begins earlier than was thought. What a stretch has is from then on taken to be at its beginning.
    #[cold]
    pub(super) fn starts_earlier(&mut self, earlier: i64) {
        let Self { len, busy, .. } = std::mem::take(self);
        let mut from = earlier;
        for busy in busy {
            self.add(from, from.saturating_add(busy));
            from = from.saturating_add(len);
        }
    }

    /// Closes it at the length of the recording.
    pub(super) fn finish(&mut self, length: i64) {
        if length > 0 {
            self.reach(length);
            let used = usize::try_from((length - 1) / self.len + 1).unwrap_or(MAX);
            self.busy.resize(used.min(MAX), 0);
        }
    }

    /// Length of a stretch in ns; the last one may be cut short by the end of the recording.
    #[must_use]
    pub const fn stretch_ns(&self) -> i64 {
        self.len
    }

    /// Busy time of each stretch, in ns.
    #[must_use]
    pub fn busy_ns(&self) -> &[i64] {
        &self.busy
    }

    /// Share of each stretch that is busy, 0 to 1, in a recording of this length.
    pub fn shares(&self, length: i64) -> impl Iterator<Item = f64> {
        (0..).zip(&self.busy).map(move |(index, busy)| {
            let covered = length.saturating_sub(self.len.saturating_mul(index)).min(self.len);
            *busy as f64 / covered.max(1) as f64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_kept_while_stretches_grow() {
        let mut load = Load::default();
        for start in (0..1_000_000).step_by(1000) {
            load.add(start, start + 250);
        }
        load.finish(1_000_000);
        assert_eq!(load.busy_ns().iter().sum::<i64>(), 250_000);
        assert_eq!(load.stretch_ns(), 1 << 15);
        assert_eq!(load.busy_ns().len(), 31);
        assert!(load.shares(1_000_000).all(|share| (0.24..0.26).contains(&share)));
    }

    #[test]
    fn time_is_kept_if_it_begins_earlier() {
        let mut load = Load::default();
        load.add(0, 100_000);
        load.add(150_000, 150_250);
        load.starts_earlier(50_001);
        load.add(0, 10);
        load.finish(200_252);
        assert_eq!(load.busy_ns().iter().sum::<i64>(), 100_000 + 250 + 10);
        let shares: Vec<f64> = load.shares(200_252).collect();
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
        assert!(shares.iter().filter(|share| **share == 1.0).count() > 10, "{shares:?}");
    }

    #[test]
    fn far_times_are_reached() {
        let mut load = Load::default();
        load.add(0, 100);
        load.add(crate::MAX_NS - 5, crate::MAX_NS);
        load.finish(crate::MAX_NS);
        assert_eq!(load.busy_ns().first(), Some(&100));
        assert_eq!(load.busy_ns().last(), Some(&5));
        assert!((20..=40).contains(&load.busy_ns().len()));
    }
}
