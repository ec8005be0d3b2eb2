//! One measured number, with its budget and the rivals; and rows of tables of them.

use std::fmt::Write as _;

/// One measured number.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Key in the JSON output.
    pub key: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The measured value.
    pub value: f64,
    /// Its budget.
    pub budget: f64,
    /// The same values of SystemView, TraceRecorder and Tonbandgerät, measured with the same bench.
    pub rivals: [&'static str; 3],
}

impl Figure {
    /// The number is within its budget.
    #[must_use]
    pub fn is_within_budget(&self) -> bool {
        self.value <= self.budget
    }
}

pub(super) fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

pub(super) fn figure(
    key: &'static str,
    name: &'static str,
    value: f64,
    budget: f64,
    rivals: [&'static str; 3],
) -> Figure {
    Figure { key, name, value, budget, rivals }
}

/// A row: the subject of its numbers, and a cell for each column.
pub(super) type Row = (&'static str, Vec<String>);

/// Adds rows of a table on a page.
pub(super) fn push_page_rows(text: &mut String, rows: &[Row]) {
    for (name, cells) in rows {
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
}

/// Adds rows for people.
pub(super) fn push_rows(text: &mut String, rows: &[Row]) {
    for (name, cells) in rows {
        let _ = write!(text, "{name:<45}");
        for cell in cells {
            let _ = write!(text, " {cell:>7}");
        }
        text.push('\n');
    }
}
