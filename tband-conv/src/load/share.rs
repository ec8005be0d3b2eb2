//! Shares of time.

use std::iter::Sum;

/// A part of a time, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The part.
    pub part_ns: i64,
    /// The time that it is a part of; more than 0.
    pub of_ns: i64,
}

impl Share {
    /// Returns `None` if the total time is 0.
    #[must_use]
    pub const fn new(part_ns: i64, of_ns: i64) -> Option<Self> {
        if of_ns > 0 { Some(Self { part_ns, of_ns }) } else { None }
    }

    /// The share as a number from 0 to 1.
    #[must_use]
    pub fn value(self) -> f64 {
        self.part_ns as f64 / self.of_ns as f64
    }
}

/// The parts of all times together.
impl Sum for Share {
    fn sum<I: Iterator<Item = Self>>(shares: I) -> Self {
        shares.fold(Self { part_ns: 0, of_ns: 0 }, |sum, share| Self {
            part_ns: sum.part_ns.saturating_add(share.part_ns),
            of_ns: sum.of_ns.saturating_add(share.of_ns),
        })
    }
}
