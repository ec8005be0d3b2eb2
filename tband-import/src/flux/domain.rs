//! Units of time.

/// A unit of time, in ns as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    numerator: u64,
    denominator: u64,
}

impl Default for Domain {
    fn default() -> Self {
        Self { numerator: 1, denominator: 1 }
    }
}

impl Domain {
    /// The domain of this name; `None` if it is none of time.
    pub fn of(name: &[u8]) -> Option<Self> {
        let (numerator, denominator) = match name {
            b"fs" => (1, 1_000_000),
            b"ps" => (1, 1000),
            b"ns" => (1, 1),
            b"us" => (1000, 1),
            b"ms" => (1_000_000, 1),
            b"s" => (1_000_000_000, 1),
            b"min" => (60_000_000_000, 1),
            b"h" => (3_600_000_000_000, 1),
            _ => return None,
        };
        Some(Self { numerator, denominator })
    }

    /// A time in ns: 0 at least, and at most what fits.
    #[inline]
    pub fn ns(self, time: i64) -> u64 {
        if self.numerator == self.denominator {
            return u64::try_from(time).unwrap_or(0);
        }
        let ns = i128::from(time) * i128::from(self.numerator) / i128::from(self.denominator);
        u64::try_from(ns.max(0)).unwrap_or(u64::MAX)
    }
}
