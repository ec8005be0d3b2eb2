//! Tables of typed cells, from which text, JSON and CSV come alike.

use std::collections::HashSet;

use tband_conv::clock::frequency::Frequency;
use tband_conv::load::Share;
use tband_conv::model::Life;
use tband_conv::number::Number;
use tband_conv::sinks::Spread;

use super::digest::Digest;
use crate::time_unit::TimeUnit;

/// One value.
#[derive(Clone, Debug)]
pub enum Cell {
    /// Not known, or not applicable. A column with only such cells is left out of a text.
    None,
    /// Not known, which is worth a column.
    Unknown,
    /// A name or a word.
    Text(String),
    /// How many, or the number of an object.
    Count(u64),
    /// A number that may be negative.
    Number(i64),
    /// A value of a marker.
    Value(Number),
    /// A duration in ns.
    Ns(i64),
    /// A time on the target's clock, in ns.
    At(i64),
    /// As `Ns`, in ticks of unknown length.
    Ticks(i64),
    /// As `At`, in ticks of unknown length.
    AtTick(i64),
    /// 0 to 1.
    Share(f64),
    /// Something per second.
    Rate(f64),
    /// A number of items per unit of another one.
    Ratio(f64),
    /// In Hz.
    Frequency(Frequency),
    /// The spread of durations; in text a separate table.
    Spread(Box<Digest>),
    /// Consecutive shares, `None` where nothing is known; in text a separate table.
    Series(Vec<Option<f64>>),
}

impl Cell {
    /// Text, or not known.
    #[must_use]
    pub fn text(text: Option<impl ToString>) -> Self {
        text.map_or(Self::None, |text| Self::Text(text.to_string()))
    }

    /// A small count.
    #[must_use]
    pub fn size(size: usize) -> Self {
        Self::Count(size as u64)
    }

    /// A number, if it is known.
    #[must_use]
    pub fn number(number: Option<u32>) -> Self {
        number.map_or(Self::None, |number| Self::Count(number.into()))
    }

    /// Returns a duration, if there is one.
    #[must_use]
    pub fn ns(ns: Option<i64>) -> Self {
        ns.map_or(Self::None, Self::Ns)
    }

    /// A share, if it is known.
    #[must_use]
    pub fn share(share: Option<Share>) -> Self {
        share.map_or(Self::Unknown, |share| Self::Share(share.value()))
    }

    /// A duration in a unit.
    #[must_use]
    pub const fn duration(unit: TimeUnit, time: i64) -> Self {
        match unit {
            TimeUnit::Ns => Self::Ns(time),
            TimeUnit::Ticks => Self::Ticks(time),
        }
    }

    /// A time on the target's clock in a unit.
    #[must_use]
    pub const fn moment(unit: TimeUnit, time: i64) -> Self {
        match unit {
            TimeUnit::Ns => Self::At(time),
            TimeUnit::Ticks => Self::AtTick(time),
        }
    }

    /// The same cell where a tick of unknown length counts as 1 ns.
    pub(super) fn change_to_ticks(&mut self) {
        match self {
            Self::Ns(time) => *self = Self::Ticks(*time),
            Self::At(time) => *self = Self::AtTick(*time),
            Self::Frequency(_) => *self = Self::None,
            Self::Spread(spread) => spread.unit = TimeUnit::Ticks,
            _ => {}
        }
    }

    /// How durations are spread.
    #[must_use]
    pub fn spread(spread: &Spread) -> Self {
        Self::Spread(Box::new(spread.into()))
    }

    /// It is on the left of its column.
    #[must_use]
    pub const fn is_text(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Series(_))
    }

    /// As people read it.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::None => "-".to_owned(),
            Self::Unknown => "?".to_owned(),
            Self::Text(text) => text.clone(),
            Self::Count(count) => count.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Value(value) => value.to_string(),
            Self::Ns(ns) => TimeUnit::Ns.duration(*ns),
            Self::At(ns) => TimeUnit::Ns.moment(*ns),
            Self::Ticks(ticks) => TimeUnit::Ticks.duration(*ticks),
            Self::AtTick(ticks) => TimeUnit::Ticks.moment(*ticks),
            Self::Share(share) => percent(*share),
            Self::Rate(rate) => format!("{rate:.0}/s"),
            Self::Ratio(ratio) => format!("{ratio:.2}"),
            Self::Frequency(frequency) => frequency.to_string(),
            Self::Spread(spread) => spread.count.to_string(),
            Self::Series(shares) => shares.iter().map(|share| bar(*share)).collect(),
        }
    }
}

/// A column: its name in JSON and CSV, and its title in text, where a column without a title is left out.
pub type Column = (&'static str, &'static str);

/// Rows that are left out of a text by default: the last ones of a table.
#[derive(Clone, Debug, Default)]
pub struct OmittedRows {
    /// How many.
    pub rows: usize,
    /// The text in their place.
    pub text: String,
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name in JSON and CSV.
    pub key: &'static str,
    /// Its title in text.
    pub title: &'static str,
    /// Its columns.
    pub columns: Vec<Column>,
    /// As many cells each as there are columns.
    pub rows: Vec<Vec<Cell>>,
    /// Rows that a text leaves out.
    pub left_out: OmittedRows,
    /// It has one row; in JSON an object rather than an array of objects.
    pub single: bool,
    /// Programs always get all of its rows.
    pub is_whole: bool,
}

impl Table {
    /// The same table in the unit of the recording's times.
    #[must_use]
    pub fn in_unit(mut self, unit: TimeUnit) -> Self {
        if unit == TimeUnit::Ticks {
            self.rows.iter_mut().flatten().for_each(Cell::change_to_ticks);
        }
        self
    }
}

/// A share in percent.
fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

/// A share as a block that fills its line that much.
fn bar(share: Option<f64>) -> char {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let Some(share) = share else { return '?' };
    if share < 0.005 {
        return ' ';
    }
    // Between 0 and 7.
    let step = (share.clamp(0.0, 1.0) * 7.0).round() as usize;
    BARS.get(step).copied().unwrap_or('█')
}

/// A table without rows.
pub fn table(key: &'static str, title: &'static str, columns: &[Column]) -> Table {
    let left_out = OmittedRows::default();
    Table {
        key,
        title,
        columns: columns.to_vec(),
        rows: Vec::new(),
        left_out,
        single: false,
        is_whole: false,
    }
}

/// Returns a share of a total; `None` for a total of 0.
pub fn share(part: i64, whole: i64) -> Cell {
    if whole > 0 { Cell::Share(part as f64 / whole as f64) } else { Cell::None }
}

/// Returns the columns for the lifetimes of objects. In text they are shown if several objects share a number.
pub fn lives(mut ids: impl Iterator<Item = u32>) -> [Column; 2] {
    let mut seen = HashSet::new();
    let shared = ids.any(|id| !seen.insert(id));
    let title = |title| if shared { title } else { "" };
    [("created_at_ns", title("from")), ("ended_at_ns", title("until"))]
}

/// The cells of [`lives`].
pub fn life(life: Life) -> [Cell; 2] {
    [life.born_ns, life.died_ns].map(|ns| ns.map_or(Cell::None, Cell::At))
}

/// A column for the number of runs of the target that have an object. In text it is shown where one has several.
pub fn runs(mut counts: impl Iterator<Item = u32>) -> Column {
    ("runs", if counts.any(|runs| runs > 1) { "runs" } else { "" })
}

/// When something was, if it was.
pub fn when(was: bool, ns: i64) -> Cell {
    if was { Cell::At(ns) } else { Cell::None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_exact_to_the_microsecond() {
        for (ns, text) in [
            (0, "0.000ms"),
            (999, "0.000ms"),
            (12_345_678, "12.345ms"),
            (3_600_000_001_000, "3600000.001ms"),
        ] {
            assert_eq!(Cell::At(ns).shown(), text);
        }
    }

    #[test]
    fn series_are_drawn() {
        let shares = [Some(0.0), Some(0.01), None, Some(0.5), Some(1.0), Some(1.1)];
        assert_eq!(Cell::Series(shares.to_vec()).shown(), " ▁?▅██");
        assert!(matches!(share(0, 0), Cell::None));
        assert_eq!(Cell::Share(0.12345).shown(), "12.35 %");
    }
}
