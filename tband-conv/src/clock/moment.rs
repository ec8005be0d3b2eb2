//! Moments, as users name them.

/// A moment on the target's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// In ticks of the timestamps.
    Ticks(u64),
    /// In nanoseconds.
    Ns(u64),
    /// In ticks of the timestamps, plus this many nanoseconds, which may be negative.
    TicksAndNs(u64, i64),
}
