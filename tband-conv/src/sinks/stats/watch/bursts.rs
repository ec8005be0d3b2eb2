//! How often an interrupt occurs in windows of 10 ms, to find those in which it occurs far more often than usual.

/// Length of a window, in ns.
pub const WINDOW_NS: i64 = 10_000_000;
/// Minimum number of windows to determine the usual number.
const LEAST_WINDOWS: u64 = 16;
/// Factor above the usual number.
const FACTOR: u32 = 20;
/// At least this part of the window is the interrupt's, as a divisor.
const SHARE: i64 = 4;

/// A window in which an interrupt occurred far more often than usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Burst {
    /// When the window begins, in ns.
    pub at_ns: i64,
    /// Occurrences that ended in the window.
    pub count: u32,
    /// Their time, in ns.
    pub time_ns: i64,
    /// The median of the occurrences in the windows that have any.
    pub usual: u32,
}

/// Windows of an interrupt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bursts {
    window: i64,
    count: u32,
    ns: i64,
    /// Windows by their counts: four bins to a power of two, those that are not empty, in their order.
    bins: Vec<(u8, u64)>,
    worst: Option<(i64, u32, i64)>,
}

/// The greatest count of a bin.
const fn greatest(bin: u8) -> u32 {
    match bin {
        0..8 => bin as u32,
        _ => {
            let shift = (bin as u32 - 8) / 4 + 1;
            let step = (bin as u32 - 8) % 4 + 4;
            ((step as u64 + 1) << shift).saturating_sub(1) as u32
        }
    }
}

/// The bin of a count.
const fn bin_of(count: u32) -> u8 {
    match count {
        0..8 => count as u8,
        _ => {
            let shift = count.ilog2() - 2;
            // At most 4 * 29 + 11.
            (8 + (shift - 1) * 4 + ((count >> shift) - 4)) as u8
        }
    }
}

impl Bursts {
    /// Adds an occurrence that ended now, after this time.
    #[inline]
    pub fn add(&mut self, ns: i64, time: i64) {
        let window = ns / WINDOW_NS;
        if window != self.window {
            self.end_window();
            self.window = window;
        }
        self.count = self.count.saturating_add(1);
        self.ns = self.ns.saturating_add(time);
    }

    #[inline(never)]
    fn end_window(&mut self) {
        let (count, ns) = (std::mem::take(&mut self.count), std::mem::take(&mut self.ns));
        if count == 0 {
            return;
        }
        let bin = bin_of(count);
        match self.bins.binary_search_by_key(&bin, |(bin, _)| *bin) {
            Ok(place) => {
                if let Some((_, windows)) = self.bins.get_mut(place) {
                    *windows = windows.saturating_add(1);
                }
            }
            Err(place) => self.bins.insert(place, (bin, 1)),
        }
        let is_worst = self.worst.is_none_or(|(_, most, _)| count > most);
        if is_worst && ns >= WINDOW_NS / SHARE {
            self.worst = Some((self.window.saturating_mul(WINDOW_NS), count, ns));
        }
    }

    /// The worst window, if it is far from the usual one.
    pub fn finish(&mut self) -> Option<Burst> {
        self.end_window();
        let (at_ns, count, time_ns) = self.worst?;
        let windows: u64 = self.bins.iter().map(|(_, windows)| windows).sum();
        let mut before = 0;
        let median = self.bins.iter().find(|(_, own)| {
            before += own;
            before >= windows.div_ceil(2)
        });
        let usual = greatest(median?.0);
        let is_far = count >= usual.saturating_mul(FACTOR);
        (windows >= LEAST_WINDOWS && is_far).then_some(Burst { at_ns, count, time_ns, usual })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_count_is_in_the_bin_that_ends_with_it_or_after_it() {
        for count in (0..5000).chain([u32::MAX / 2, u32::MAX]) {
            let bin = bin_of(count);
            assert!(greatest(bin) >= count, "{count}");
            assert!(bin == 0 || greatest(bin - 1) < count, "{count}");
        }
    }

    /// Returns the burst of an interrupt of 20 us that occurs `usual` times in each of 40 windows, and `most` times in another
    /// one.
    fn of(usual: i64, most: i64) -> Option<Burst> {
        let mut bursts = Bursts::default();
        for window in 0..40 {
            for n in 0..if window == 20 { most } else { usual } {
                bursts.add(window * WINDOW_NS + n * (WINDOW_NS / most.max(usual)), 20_000);
            }
        }
        bursts.finish()
    }

    #[test]
    fn a_storm_is_twenty_times_as_frequent_and_takes_a_quarter() {
        let at_ns = 20 * WINDOW_NS;
        assert_eq!(of(7, 140), Some(Burst { at_ns, count: 140, time_ns: 2_800_000, usual: 7 }));
        // 19.9 times, or less than a quarter of the core; or it is always as frequent.
        assert_eq!(of(7, 139), None);
        assert_eq!(of(5, 124), None);
        assert_eq!(of(500, 500), None);
        assert_eq!(of(6, 125).map(|it| it.time_ns), Some(2_500_000));
    }
}
