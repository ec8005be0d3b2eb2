//! The answer of a query, in the requested layout, or row by row.

mod csv;
mod json;
mod text;

use std::io::Write;

use rusqlite::Statement;
use rusqlite::types::ValueRef;

use crate::error::{Mistake, QueryError};

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Columns below each other, for people.
    Text,
    /// One JSON object a row.
    Json,
    /// CSV.
    Csv,
}

/// A value of the answer.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// NULL.
    None,
    /// A flag of a table.
    Flag(bool),
    /// An integer.
    Int(i64),
    /// A number of double precision.
    Real(f64),
    /// A text.
    Text(&'a str),
    /// A blob.
    Bytes(&'a [u8]),
}

/// A column of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The declared type if it is a column of a table; `None` if it is an expression.
    pub declared: Option<ColumnType>,
}

/// The type of a table's column, in addition to NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Flags.
    Flags,
    /// Integers.
    Ints,
    /// Numbers of double precision.
    Reals,
    /// Texts.
    Texts,
}

/// Takes an answer row by row.
pub trait Receive {
    /// The columns, before any row. No two have the same name.
    ///
    /// # Errors
    /// The receiver cannot take such an answer.
    fn begin(&mut self, columns: &[Column]) -> Result<(), QueryError>;

    /// A row, with a value for each column.
    ///
    /// # Errors
    /// The receiver cannot take the row. No more rows follow.
    fn row(&mut self, values: &[Value<'_>]) -> Result<(), QueryError>;
}

impl Value<'_> {
    /// Returns the cell as a text; for no value, the layout's text `none`.
    fn as_text(self, none: &str) -> String {
        match self {
            Self::None => none.to_owned(),
            Self::Flag(value) => value.to_string(),
            Self::Int(value) => value.to_string(),
            Self::Real(value) => format!("{value:?}"),
            Self::Text(text) => text.to_owned(),
            Self::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }

    const fn is_number(self) -> bool {
        matches!(self, Self::Int(_) | Self::Real(_))
    }
}

/// Where rows of an answer go.
trait Writer {
    fn row(&mut self, values: &[Value<'_>], out: &mut dyn Write) -> std::io::Result<()>;

    fn finish(&mut self, out: &mut dyn Write) -> std::io::Result<()>;
}

/// Runs a statement and writes its rows. Returns their number.
pub fn write(
    statement: &mut Statement<'_>,
    layout: Layout,
    out: &mut dyn Write,
) -> Result<u64, QueryError> {
    let names: Vec<String> = columns(statement).into_iter().map(|column| column.name).collect();
    let mut writer: Box<dyn Writer> = match layout {
        Layout::Text => Box::new(text::TextTable::new(&names)),
        Layout::Json => {
            refuse_duplicates(&names)?;
            Box::new(json::Json::new(&names))
        }
        Layout::Csv => Box::new(csv::Csv::new(&names)),
    };
    let count = each(statement, &mut |values| Ok(writer.row(values, out)?))?;
    writer.finish(out)?;
    Ok(count)
}

/// Runs a statement and passes on its rows. Returns their number.
pub fn read(statement: &mut Statement<'_>, receiver: &mut dyn Receive) -> Result<u64, QueryError> {
    let columns = columns(statement);
    refuse_duplicates(columns.iter().map(|column| &column.name))?;
    receiver.begin(&columns)?;
    each(statement, &mut |values| receiver.row(values))
}

fn columns(statement: &Statement<'_>) -> Vec<Column> {
    let columns = statement.columns().into_iter().map(|column| Column {
        name: column.name().to_owned(),
        declared: match column.decl_type() {
            Some("BOOLEAN") => Some(ColumnType::Flags),
            Some("INTEGER") => Some(ColumnType::Ints),
            Some("REAL") => Some(ColumnType::Reals),
            Some("TEXT") => Some(ColumnType::Texts),
            _ => None,
        },
    });
    columns.collect()
}

/// Runs a statement, with a call for each row; how many rows.
fn each(
    statement: &mut Statement<'_>,
    row_comes: &mut dyn FnMut(&[Value<'_>]) -> Result<(), QueryError>,
) -> Result<u64, QueryError> {
    let flags = columns(statement).into_iter().map(|it| it.declared == Some(ColumnType::Flags));
    let flags: Vec<bool> = flags.collect();
    let mut rows = statement.query([])?;
    let mut count = 0_u64;
    while let Some(row) = rows.next()? {
        let texts: Vec<_> = (0..flags.len())
            .map(|index| match row.get_ref(index) {
                Ok(ValueRef::Text(bytes)) => Some(String::from_utf8_lossy(bytes)),
                _ => None,
            })
            .collect();
        let mut values = Vec::with_capacity(flags.len());
        for (index, (flag, text)) in flags.iter().zip(&texts).enumerate() {
            values.push(match row.get_ref(index)? {
                ValueRef::Null => Value::None,
                ValueRef::Integer(value @ (0 | 1)) if *flag => Value::Flag(value == 1),
                ValueRef::Integer(value) => Value::Int(value),
                ValueRef::Real(value) => Value::Real(value),
                ValueRef::Text(_) => Value::Text(text.as_deref().unwrap_or_default()),
                ValueRef::Blob(bytes) => Value::Bytes(bytes),
            });
        }
        row_comes(&values)?;
        count = count.saturating_add(1);
    }
    Ok(count)
}

/// Refuses an answer in which two columns have the same name.
fn refuse_duplicates<'a>(names: impl IntoIterator<Item = &'a String>) -> Result<(), QueryError> {
    let mut seen = std::collections::HashSet::new();
    match names.into_iter().find(|name| !seen.insert(*name)) {
        None => Ok(()),
        Some(name) => Err(Mistake::of(format!(
            "two columns are called {name}: give one another name with AS"
        ))),
    }
}
