//! Values that markers and counters have.

use std::fmt;

/// A value: an integer, which is exact, or a number of double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(i64),
    /// Any number, infinities and NaN too.
    Real(f64),
}

impl Number {
    /// An integer of any size: one that is too large for [`Integer`](Self::Integer) has its first 53 bits.
    #[must_use]
    pub fn from_integer(value: i128) -> Self {
        i64::try_from(value).map_or(Self::Real(value as f64), Self::Integer)
    }

    /// It as a number of double precision.
    #[must_use]
    pub const fn real(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Real(value) => value,
        }
    }

    /// The integer that is nearest to it; 0 for NaN.
    #[must_use]
    pub fn rounded(self) -> i64 {
        match self {
            Self::Integer(value) => value,
            Self::Real(value) => value.round() as i64,
        }
    }

    /// The lesser of both; NaN only if both are.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        if self.is_nan() || !other.is_nan() && self.is_above(other) { other } else { self }
    }

    /// This is greater than another. Any number exceeds NaN.
    #[must_use]
    pub fn is_above(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(this), Self::Integer(other)) => this > other,
            _ => self.real() > other.real() || other.is_nan() && !self.is_nan(),
        }
    }

    const fn is_nan(self) -> bool {
        matches!(self, Self::Real(value) if value.is_nan())
    }
}

impl Default for Number {
    fn default() -> Self {
        Self::Integer(0)
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

/// With the minimum of digits that identify the number.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            // Hundreds of zeros carry no information.
            Self::Real(value) if *value != 0.0 && !(1e-5..1e16).contains(&value.abs()) => {
                write!(f, "{value:e}")
            }
            Self::Real(value) => value.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Number::{Integer, Real};
    use super::*;

    #[test]
    fn numbers_are_shown_in_few_digits() {
        for (number, shown) in [
            (Integer(i64::MIN), "-9223372036854775808"),
            (Real(0.1), "0.1"),
            (Real(-0.0), "-0"),
            (Real(3.0), "3"),
            (Real(f32::MAX.into()), "3.4028234663852886e38"),
            (Real(5e-324), "5e-324"),
            (Real(-1e-5), "-0.00001"),
            (Real(f64::INFINITY), "inf"),
            (Real(f64::NAN), "NaN"),
            (Number::from_integer(u64::MAX.into()), "1.8446744073709552e19"),
            (Number::from_integer(i64::MAX.into()), "9223372036854775807"),
        ] {
            assert_eq!(number.to_string(), shown);
        }
    }

    #[test]
    fn integers_are_compared_exactly_and_nan_gives_way() {
        let (less, more) = (Integer(i64::MAX - 1), Integer(i64::MAX));
        assert!(more.is_above(less) && !less.is_above(more) && !more.is_above(more));
        let nan = Real(f64::NAN);
        for number in [Integer(0), Real(-1.5), Real(f64::INFINITY)] {
            assert_eq!((nan.min(number), number.min(nan)), (number, number));
            assert!(number.is_above(nan) && !nan.is_above(number));
        }
        assert!(Real(2.5).is_above(Integer(2)) && !Integer(2).is_above(Real(2.5)));
        assert_eq!(Integer(2).min(Real(1.5)), Real(1.5));
        assert_eq!((Real(1.5).rounded(), Real(1e300).rounded()), (2, i64::MAX));
        assert_eq!((nan.rounded(), Real(-1e300).rounded()), (0, i64::MIN));
    }
}
