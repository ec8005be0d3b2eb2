//! A mistake in a file of rules: where it is, and the correct form.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use tband_report::printable::printable;

/// A mistake in a file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The cause, and the correct form.
    pub text: String,
    /// The line of the file, and below it a mark at the place.
    pub place: [String; 2],
}

impl Display for Mistake {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.text)
    }
}

impl std::error::Error for Mistake {}

impl Mistake {
    /// A mistake at a span of the file.
    pub(crate) fn at(source: &str, span: &Range<usize>, text: impl Into<String>) -> Self {
        let (line, column) = position(source, span.start);
        let shown = source.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        let shown = printable(&shown.replace('\t', " ")).into_owned();
        let mark = format!("{}^", " ".repeat(column.saturating_sub(1)));
        Self { line, column, text: text.into(), place: [shown, mark] }
    }
}

/// Line and column of an offset, both from 1.
pub(crate) fn position(source: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset = offset.saturating_sub(1);
    }
    let before = source.get(..offset).unwrap_or_default();
    let begin = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let column = before.get(begin..).unwrap_or_default().chars().count();
    (before.matches('\n').count().saturating_add(1), column.saturating_add(1))
}
