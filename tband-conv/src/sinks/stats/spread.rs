//! Distribution of durations: count, sum, minimum, median, 99th percentile, maximum and the time of the maximum.
//!
//! A duration that is open at the end of the recording, or where events are missing, lasted at least as long as the recording
//! shows: it counts with that length, and is also counted as open or cut. It may be the maximum, but not the minimum, unless
//! there is nothing else.
//!
//! Values are counted in buckets a 32nd of a power of two wide. Only powers of two that occur take memory, so it does not grow
//! with the length of the recording. The value of a bucket is the mean of its values: a constant duration is reported exactly,
//! anything else to within 3 %. The first few values are stored unchanged, because half a kilobyte for each power of two is
//! much where there are many objects.

/// Bits of a value that distinguish the buckets of one power of two.
const BITS: u32 = 5;

/// Buckets of one power of two.
const SIZE: usize = 1 << BITS;
/// Maximum number of values that are stored unchanged, before there are buckets.
const FEW: usize = 8;
/// Powers of two, those below 64 taken as two; 60 of them, and a few to spare.
const POWERS: usize = 64;

/// The buckets of one power of two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Buckets {
    counts: [u64; SIZE],
    sums: [u64; SIZE],
}

impl Buckets {
    #[inline]
    const fn add(&mut self, place: usize, value: u64) {
        // Always below SIZE, so the code has no bounds check.
        let place = place % SIZE;
        self.counts[place] = self.counts[place].wrapping_add(1);
        self.sums[place] = self.sums[place].wrapping_add(value);
    }

    fn join(&mut self, other: &Self) {
        let add = |own: &mut [u64; SIZE], other: &[u64; SIZE]| {
            own.iter_mut().zip(other).for_each(|(own, other)| *own = own.wrapping_add(*other));
        };
        add(&mut self.counts, &other.counts);
        add(&mut self.sums, &other.sums);
    }
}

/// How far the recording shows the end of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It ended.
    Seen,
    /// It is open when the recording ends.
    Open,
    /// Events are missing, after which it is not known.
    Cut,
}

/// The spread of durations, in ns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    /// Minimum of the values with a known end.
    min: u64,
    /// Distance from the lowest to the highest of them, inclusive; 0 if there is none.
    width: u64,
    /// When the greatest began.
    max_at: i64,
    /// Values without a known end.
    unended: Option<OpenDurations>,
    open: u64,
    open_max: i64,
    cut: u64,
    /// For each power of two the position of its buckets, or [`NOWHERE`].
    powers: [u8; POWERS],
    buckets: Vec<Buckets>,
    /// All values, as long as no buckets are used.
    few: Vec<u64>,
}

/// Minimum and maximum of durations without an end, and the begin of the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpenDurations {
    min: u64,
    max: u64,
    max_at: i64,
}

/// More positions than there are powers.
const NOWHERE: u8 = u8::MAX;

impl Default for Spread {
    fn default() -> Self {
        Self {
            min: 0,
            width: 0,
            max_at: 0,
            unended: None,
            open: 0,
            open_max: 0,
            cut: 0,
            powers: [NOWHERE; POWERS],
            buckets: Vec::new(),
            few: Vec::new(),
        }
    }
}

impl Spread {
    /// Counts a duration that ends at a moment; a negative one counts as 0.
    #[inline]
    pub(super) fn add(&mut self, value: i64, ns: i64) {
        // A negative one becomes larger than any that is not.
        let value = value.cast_unsigned();
        if value.wrapping_sub(self.min) < self.width {
            let (power, place) = bucket_of(value);
            // Always below POWERS, so the code has no bounds check.
            let position = self.powers[power % POWERS];
            if let Some(buckets) = self.buckets.get_mut(usize::from(position)) {
                return buckets.add(place, value);
            }
        }
        self.add_new(value.cast_signed(), ns);
    }

    /// As [`add`](Self::add), where the end may not be the true one.
    pub(super) fn add_until(&mut self, value: i64, ns: i64, end: End) {
        if end != End::Seen {
            self.add_unended(value, ns);
        }
        match end {
            End::Seen => self.add(value, ns),
            End::Open => {
                self.open = self.open.saturating_add(1);
                self.open_max = self.open_max.max(value);
            }
            End::Cut => self.cut = self.cut.saturating_add(1),
        }
    }

    /// Counts a value that may be the least or greatest, or the first of its power of two.
    #[inline(never)]
    fn add_new(&mut self, value: i64, ns: i64) {
        let value = value.max(0).unsigned_abs();
        let is_first = self.width == 0;
        let max = if is_first || value > self.seen_max() {
            self.max_at = ns.saturating_sub_unsigned(value);
            value
        } else {
            self.seen_max()
        };
        self.min = if is_first { value } else { self.min.min(value) };
        // Values are below 2^63.
        self.width = max - self.min + 1;
        self.count_new(value);
    }

    /// Counts a value that may be larger, had its end been seen.
    #[cold]
    fn add_unended(&mut self, value: i64, ns: i64) {
        let value = value.max(0).unsigned_abs();
        let at = ns.saturating_sub_unsigned(value);
        let it = self.unended.get_or_insert(OpenDurations { min: value, max: value, max_at: at });
        it.min = it.min.min(value);
        if value > it.max {
            (it.max, it.max_at) = (value, at);
        }
        self.count_new(value);
    }

    /// Counts a value, which may be the first of its power of two.
    fn count_new(&mut self, value: u64) {
        if self.buckets.is_empty() && self.few.len() < FEW {
            return self.few.push(value);
        }
        for value in std::mem::take(&mut self.few) {
            self.count_in_bucket(value);
        }
        self.count_in_bucket(value);
    }

    /// Adds the values of another one.
    pub(super) fn join(&mut self, other: Self) {
        if other.width > 0 {
            let at = |width, max, ns| (width > 0, max, std::cmp::Reverse(ns));
            let (max, other_max) = (self.seen_max(), other.seen_max());
            if at(other.width, other_max, other.max_at) > at(self.width, max, self.max_at) {
                self.max_at = other.max_at;
            }
            let is_first = self.width == 0;
            self.min = if is_first { other.min } else { self.min.min(other.min) };
            self.width = if is_first { other_max } else { max.max(other_max) } - self.min + 1;
        }
        if let Some(other) = other.unended {
            let it = self.unended.get_or_insert(other);
            it.min = it.min.min(other.min);
            let longest = |it: &OpenDurations| (it.max, std::cmp::Reverse(it.max_at));
            if longest(&other) > longest(it) {
                (it.max, it.max_at) = (other.max, other.max_at);
            }
        }
        self.open = self.open.saturating_add(other.open);
        self.open_max = self.open_max.max(other.open_max);
        self.cut = self.cut.saturating_add(other.cut);
        self.join_counts(other);
    }

    fn join_counts(&mut self, other: Self) {
        for value in other.few {
            self.count_new(value);
        }
        if other.buckets.is_empty() {
            return;
        }
        for value in std::mem::take(&mut self.few) {
            self.count_in_bucket(value);
        }
        for (power, position) in other.powers.iter().enumerate() {
            let Some(buckets) = other.buckets.get(usize::from(*position)) else { continue };
            if let Some(own) = self.buckets_of(power) {
                own.join(buckets);
            }
        }
    }

    /// Returns the buckets of a power of two, which are created if there are none.
    fn buckets_of(&mut self, power: usize) -> Option<&mut Buckets> {
        let position = self.powers.get_mut(power)?;
        if *position == NOWHERE {
            // There are fewer than 256 powers.
            *position = self.buckets.len() as u8;
            self.buckets.push(Buckets::default());
        }
        self.buckets.get_mut(usize::from(*position))
    }

    fn count_in_bucket(&mut self, value: u64) {
        let (power, place) = bucket_of(value);
        if let Some(buckets) = self.buckets_of(power) {
            buckets.add(place, value);
        }
    }

    /// Number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        let few = self.few.len() as u64;
        self.buckets.iter().flat_map(|buckets| buckets.counts).fold(few, u64::wrapping_add)
    }

    /// Sum of the values.
    #[must_use]
    pub fn sum(&self) -> u64 {
        let few = self.few.iter().copied();
        let sums = self.buckets.iter().flat_map(|buckets| buckets.sums);
        few.chain(sums).fold(0, u64::wrapping_add)
    }

    /// Returns the minimum of the values with a known end, or otherwise of the others; 0 if there is none.
    #[must_use]
    pub fn min(&self) -> u64 {
        match self.unended {
            Some(unended) if self.width == 0 => unended.min,
            _ => self.min,
        }
    }

    /// Returns the maximum; 0 if there is none.
    #[must_use]
    pub fn max(&self) -> u64 {
        self.seen_max().max(self.unended.map_or(0, |it| it.max))
    }

    const fn seen_max(&self) -> u64 {
        self.min + self.width.saturating_sub(1)
    }

    /// Returns when the maximum began, the first of equal ones, in ns; `None` if there is none.
    #[must_use]
    pub fn max_at(&self) -> Option<i64> {
        let seen = (self.width > 0).then_some((self.seen_max(), self.max_at));
        let unended = self.unended.map(|it| (it.max, it.max_at));
        let (_, at) = match (seen, unended) {
            (Some(seen), Some(unended)) if unended.0 > seen.0 => unended,
            (seen, unended) => seen.or(unended)?,
        };
        Some(at)
    }

    /// Returns how many of them are open at the end of the recording.
    #[must_use]
    pub const fn open(&self) -> u64 {
        self.open
    }

    /// Returns the longest of those that are open at the end of the recording, up to there; 0 if there is none.
    #[must_use]
    pub const fn open_max(&self) -> i64 {
        self.open_max
    }

    /// Of how many the end is not known, since events are missing.
    #[must_use]
    pub const fn cut(&self) -> u64 {
        self.cut
    }

    /// Half of the values are not above it.
    #[must_use]
    pub fn median(&self) -> u64 {
        self.percentile(50)
    }

    /// 99 of 100 values are not above it.
    #[must_use]
    pub fn p99(&self) -> u64 {
        self.percentile(99)
    }

    /// The least value that this many in a hundred are not above.
    #[must_use]
    pub fn percentile(&self, percent: u32) -> u64 {
        let rank = (u128::from(self.count()) * u128::from(percent.min(100))).div_ceil(100).max(1);
        let mut seen = 0_u128;
        if !self.few.is_empty() {
            return self.percentile_of_few(rank);
        }
        let positions = self.powers.iter().map(|position| usize::from(*position));
        let buckets = positions.filter_map(|position| self.buckets.get(position));
        for (count, sum) in buckets.flat_map(|it| it.counts.into_iter().zip(it.sums)) {
            seen += u128::from(count);
            if seen >= rank {
                return (sum / count.max(1)).clamp(self.min(), self.max());
            }
        }
        self.max()
    }

    /// As from buckets: the mean of all values that would be in one with that of this rank.
    fn percentile_of_few(&self, rank: u128) -> u64 {
        let mut few = self.few.clone();
        few.sort_unstable();
        let place = usize::try_from(rank).unwrap_or(FEW).clamp(1, few.len()) - 1;
        let bucket = few.get(place).map(|value| bucket_of(*value));
        let beside = few.iter().filter(|value| Some(bucket_of(**value)) == bucket);
        let (count, sum) =
            beside.fold((0, 0_u64), |(count, sum), value| (count + 1, sum.wrapping_add(*value)));
        (sum / count.max(1)).clamp(self.min(), self.max())
    }
}

/// Power of two and place in it. Values below 64 have a bucket each, others share one with those that
/// have the same six upper bits.
#[inline]
const fn bucket_of(value: u64) -> (usize, usize) {
    let shift = (u64::BITS - BITS - 1) - (value | (SIZE as u64)).leading_zeros();
    let upper = (value >> shift) as usize;
    (shift as usize + (upper >> BITS), upper % SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = i64>) -> Spread {
        let mut spread = Spread::default();
        values.into_iter().for_each(|value| spread.add(value, value));
        spread
    }

    #[test]
    fn buckets_rise_without_gaps() {
        let index_of = |value| {
            let (power, place) = bucket_of(value);
            power * SIZE + place
        };
        let mut last = 0;
        for value in 1..100_000 {
            let index = index_of(value);
            assert!(index == last || index == last + 1, "{value}");
            last = index;
        }
        assert_eq!(index_of(63), 63);
        assert_eq!(index_of(u64::MAX), 60 * SIZE - 1);
        assert!(bucket_of(u64::MAX).0 < POWERS);
    }

    #[test]
    fn small_values_are_exact() {
        let spread = of(1..=60);
        assert_eq!((spread.count(), spread.sum()), (60, 1830));
        assert_eq!((spread.min(), spread.median(), spread.p99(), spread.max()), (1, 30, 60, 60));
    }

    #[test]
    fn repeated_values_are_exact() {
        let spread = of(std::iter::repeat_n(1_234_567, 98).chain([5, 9_876_543_210]));
        assert_eq!((spread.min(), spread.median()), (5, 1_234_567));
        assert_eq!((spread.p99(), spread.max()), (1_234_567, 9_876_543_210));
    }

    #[test]
    fn others_are_near_and_memory_is_bounded() {
        let spread = of((0..1_000_000).map(|step| step * 1000));
        assert!(spread.median().abs_diff(500_000_000) < 15_000_000, "{}", spread.median());
        assert!(spread.p99().abs_diff(990_000_000) < 30_000_000, "{}", spread.p99());
        assert!(spread.buckets.len() < 30);
    }

    /// Few values are stored unchanged; the results show no difference.
    #[test]
    fn few_values_are_as_in_buckets() {
        let all = [7, 900, 905, 1 << 40, 7, 0, 64, 65, 901, 33, 1_000_000];
        for count in 0..=all.len() {
            let values = &all[..count];
            let spread = of(values.iter().copied());
            let mut buckets = spread.clone();
            for value in std::mem::take(&mut buckets.few) {
                buckets.count_in_bucket(value);
            }
            assert_eq!(spread.buckets.is_empty(), count <= FEW);
            assert_eq!((spread.count(), spread.sum()), (buckets.count(), buckets.sum()));
            for percent in 0..=100 {
                assert_eq!(spread.percentile(percent), buckets.percentile(percent), "{values:?}");
            }
        }
    }

    /// Two joined halves equal the complete spread, wherever it is cut.
    #[test]
    fn joined_spreads_are_as_one() {
        let all = [7, 900, 905, 1 << 40, 7, 0, 64, 65, 901, 33, 1_000_000, 1 << 40, 2, 2, 2, 5000];
        let end = |place: usize| [End::Seen, End::Seen, End::Open, End::Cut, End::Seen][place % 5];
        for shift in 0..5 {
            let made = |range: std::ops::Range<usize>| {
                let mut spread = Spread::default();
                for place in range {
                    let ns = (1 << 41) + place as i64;
                    spread.add_until(all[place], ns, end(place + shift));
                }
                spread
            };
            let whole = made(0..all.len());
            let figures = |it: &Spread| {
                let percentiles: Vec<_> = (0..=100).map(|percent| it.percentile(percent)).collect();
                let ends = (it.open(), it.open_max(), it.cut());
                (it.count(), it.sum(), it.min(), it.max(), it.max_at(), ends, percentiles)
            };
            for cut in 0..=all.len() {
                let (first, second) = (made(0..cut), made(cut..all.len()));
                let (mut joined, mut reversed) = (first.clone(), second.clone());
                joined.join(second);
                reversed.join(first);
                assert_eq!(figures(&joined), figures(&whole), "{shift} {cut}");
                assert_eq!(figures(&reversed), figures(&whole), "{shift} {cut}");
            }
        }
    }

    #[test]
    fn an_empty_spread_has_no_values() {
        let spread = Spread::default();
        assert_eq!((spread.count(), spread.median(), spread.p99(), spread.max()), (0, 0, 0, 0));
        assert_eq!(of([-5]).max(), 0);
    }

    #[test]
    fn the_greatest_has_its_time_and_what_has_no_end_is_marked() {
        let mut spread = of([]);
        assert_eq!(spread.max_at(), None);
        for (value, end) in [(5, 100), (40, 250), (40, 300), (7, 310)] {
            spread.add(value, end);
        }
        assert_eq!((spread.max(), spread.max_at()), (40, Some(210)));
        spread.add_until(60, 400, End::Open);
        spread.add_until(20, 400, End::Cut);
        assert_eq!((spread.max(), spread.max_at(), spread.count()), (60, Some(340), 6));
        assert_eq!((spread.open(), spread.open_max(), spread.cut()), (1, 60, 1));
        // The ended value is longer than the open one.
        let mut short = of([50, 70]);
        short.add_until(1, 500, End::Open);
        assert_eq!((short.min(), short.max(), short.count()), (50, 70, 3));
        let mut alone = of([]);
        alone.add_until(1, 500, End::Open);
        assert_eq!((alone.min(), alone.max(), alone.max_at()), (1, 1, Some(499)));
        alone.add_until(50, 500, End::Seen);
        assert_eq!((alone.min(), alone.max(), alone.max_at()), (50, 50, Some(450)));
        // Durations of no length have their time, too.
        let mut nothing = of([]);
        nothing.add(0, 9);
        assert_eq!((nothing.max(), nothing.max_at()), (0, Some(9)));
    }
}
