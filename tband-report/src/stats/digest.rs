//! The numbers of a spread that a table shows; the spread itself has all values in buckets.

use tband_conv::sinks::Spread;

use crate::time_unit::TimeUnit;

/// The numbers of a spread, as [`Spread`] has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// Number of values.
    pub count: u64,
    /// Their sum.
    pub sum: u64,
    /// The minimum, 0 if there is none.
    pub min: u64,
    /// Half of the values are not above it.
    pub median: u64,
    /// 99 of 100 values are not above it.
    pub p99: u64,
    /// The maximum, 0 if there is none.
    pub max: u64,
    /// When the maximum began, in ns; `None` if the digest is empty.
    pub max_at: Option<i64>,
    /// Number of durations that are open at the end of the recording.
    pub open: u64,
    /// The longest open duration, up to the end of the recording.
    pub open_max: i64,
    /// Of how many the end is not known.
    pub cut: u64,
    /// Unit of the values.
    pub unit: TimeUnit,
}

impl From<&Spread> for Digest {
    fn from(spread: &Spread) -> Self {
        Self {
            count: spread.count(),
            sum: spread.sum(),
            min: spread.min(),
            median: spread.median(),
            p99: spread.p99(),
            max: spread.max(),
            max_at: spread.max_at(),
            open: spread.open(),
            open_max: spread.open_max(),
            cut: spread.cut(),
            unit: TimeUnit::Ns,
        }
    }
}
