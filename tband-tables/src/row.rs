//! Rows of a table, whatever they are written to.

use std::io;

/// Where the rows of a table go.
pub trait Rows {
    /// Adds a row: a value for each column, of the column's kind.
    ///
    /// # Errors
    /// It cannot be written.
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()>;

    /// There are no more.
    ///
    /// # Errors
    /// They cannot be written.
    fn close(self) -> io::Result<()>;
}

/// A table that is not wanted may be left out.
impl<R: Rows> Rows for Option<R> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        self.as_mut().map_or(Ok(()), |rows| rows.row(cells))
    }

    fn close(self) -> io::Result<()> {
        self.map_or(Ok(()), Rows::close)
    }
}

/// One value of a row.
#[derive(Clone, Copy, Debug)]
pub enum Cell<'a> {
    /// A number; one that does not fit is replaced by the nearest that does.
    Int(i64),
    /// A text.
    Text(&'a str),
    /// Yes or no.
    Flag(bool),
    /// A number of double precision.
    Real(f64),
    /// Nothing.
    None,
}

impl From<i64> for Cell<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u32> for Cell<'_> {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<u64> for Cell<'_> {
    fn from(value: u64) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<usize> for Cell<'_> {
    fn from(value: usize) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<bool> for Cell<'_> {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a String> for Cell<'a> {
    fn from(value: &'a String) -> Self {
        Self::Text(value)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}
