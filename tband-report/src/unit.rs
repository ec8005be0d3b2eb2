//! Units of the figures that rules and comparisons use.

use crate::duration::duration;

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds.
    Time,
    /// Bytes.
    Bytes,
    /// A number without a unit.
    Plain,
    /// Parts of a hundred.
    Percent,
    /// Per second.
    PerSecond,
}

impl Unit {
    /// A value with its unit. Times get the unit that suits them.
    #[must_use]
    pub fn show(self, value: f64) -> String {
        match self {
            Self::Time => duration(value as i64),
            Self::Bytes => format!("{value} B"),
            Self::Plain => format!("{value}"),
            Self::Percent => format!("{} %", short(value)),
            Self::PerSecond => format!("{} /s", short(value)),
        }
    }

    /// The name of the unit in output for programs; empty for a number without a unit.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Time => "ns",
            Self::Bytes => "B",
            Self::Plain => "",
            Self::Percent => "%",
            Self::PerSecond => "/s",
        }
    }
}

/// A number with as many decimals as a reader needs.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
