//! How many lengths there are in each of some bins, four to a power of two.

use serde_json::{Value, json};

/// Lengths below this, in ns, have a bin each.
const EXACT: u64 = 4;

/// The bin of a length in ns. A power of two has four bins of the same width; negative lengths count as 0.
#[must_use]
pub fn bin_of(ns: i64) -> u8 {
    let ns = u64::try_from(ns).unwrap_or(0);
    if ns < EXACT {
        // Below 4.
        return ns as u8;
    }
    let power = ns.ilog2();
    // The two bits below the highest one; the power is at most 62, so this is at most 247.
    (4 * (power - 1) + ((ns >> (power - 2)) & 3) as u32) as u8
}

/// Counts of lengths by bin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Bins that are not empty, in their order: the bin, lengths that are known, and lengths that are lower bounds.
    bins: Vec<(u8, u64, u64)>,
}

impl Histogram {
    /// Without any length.
    pub const fn new() -> Self {
        Self { bins: Vec::new() }
    }

    /// Counts a length in ns; it is a lower bound unless the activation is complete.
    pub fn add(&mut self, ns: i64, is_whole: bool) {
        let bin = bin_of(ns);
        let place = match self.bins.binary_search_by_key(&bin, |(bin, ..)| *bin) {
            Ok(place) => place,
            Err(place) => {
                self.bins.insert(place, (bin, 0, 0));
                place
            }
        };
        if let Some((_, whole, cut)) = self.bins.get_mut(place) {
            let count = if is_whole { whole } else { cut };
            *count = count.saturating_add(1);
        }
    }

    /// The bin of the least known length that at least this share of all known lengths do not exceed.
    #[must_use]
    pub fn percentile(&self, percent: u64) -> Option<u8> {
        let all: u64 = self.bins.iter().map(|(_, whole, _)| whole).sum();
        let wanted = all.saturating_mul(percent).div_ceil(100).max(1);
        let mut before = 0_u64;
        let reaches = |(_, whole, _): &&(u8, u64, u64)| {
            before = before.saturating_add(*whole);
            before >= wanted
        };
        self.bins.iter().find(reaches).map(|(bin, ..)| *bin)
    }

    /// Returns each bin that is not empty: `[bin, whole, cut]`.
    #[must_use]
    pub fn json(&self) -> Value {
        self.bins.iter().map(|(bin, whole, cut)| json!([bin, whole, cut])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least length of a bin, as the page computes it.
    fn least(bin: u8) -> u64 {
        let bin = u64::from(bin);
        if bin < EXACT { bin } else { (4 + bin % 4) << (bin / 4 - 1) }
    }

    #[test]
    fn bins_follow_each_other_without_gaps() {
        for bin in 0..=247_u8 {
            let first = i64::try_from(least(bin)).unwrap();
            assert_eq!(bin_of(first), bin);
            let last = i64::try_from(least(bin + 1) - 1).unwrap_or(i64::MAX);
            assert_eq!(bin_of(last), bin, "{last}");
            assert!(first < EXACT as i64 || (last - first) < first / 4 + 1);
        }
        assert_eq!((bin_of(i64::MAX), bin_of(-1), bin_of(i64::MIN)), (247, 0, 0));
    }

    #[test]
    fn percentiles_are_in_the_bin_of_the_true_one() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.percentile(50), None);
        for ns in 1..=1000 {
            histogram.add(ns, true);
            histogram.add(1_000_000, false);
        }
        for percent in [1, 50, 99, 100] {
            let exact = i64::try_from(percent * 10).unwrap();
            assert_eq!(histogram.percentile(percent), Some(bin_of(exact)));
        }
        let counted: u64 = histogram.bins.iter().map(|(_, whole, _)| whole).sum();
        assert_eq!((counted, histogram.bins.last().unwrap().2), (1000, 1000));
    }
}
