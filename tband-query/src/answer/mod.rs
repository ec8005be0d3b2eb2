//! The answer of a query, in the layout that is asked for.

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
enum Value<'a> {
    None,
    Flag(bool),
    Int(i64),
    Real(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl Value<'_> {
    /// As a text; of none, what the layout has for it.
    fn shown(self, none: &str) -> String {
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

/// Runs a statement and writes what comes; how many rows.
pub fn write(
    statement: &mut Statement<'_>,
    layout: Layout,
    out: &mut dyn Write,
) -> Result<u64, QueryError> {
    let columns: Vec<_> = statement.columns().into_iter().collect();
    let names: Vec<String> = columns.iter().map(|column| column.name().to_owned()).collect();
    let flags: Vec<bool> =
        columns.iter().map(|column| column.decl_type() == Some("BOOLEAN")).collect();
    drop(columns);
    let mut writer: Box<dyn Writer> = match layout {
        Layout::Text => Box::new(text::Text::new(&names)),
        Layout::Json => {
            if let Some(name) = twice(&names) {
                let text = format!("two columns are called {name}: give one another name with AS");
                return Err(Mistake::of(text));
            }
            Box::new(json::Json::new(&names))
        }
        Layout::Csv => Box::new(csv::Csv::new(&names)),
    };
    let mut rows = statement.query([])?;
    let mut count = 0_u64;
    while let Some(row) = rows.next()? {
        let texts: Vec<_> = (0..names.len())
            .map(|index| match row.get_ref(index) {
                Ok(ValueRef::Text(bytes)) => Some(String::from_utf8_lossy(bytes)),
                _ => None,
            })
            .collect();
        let mut values = Vec::new();
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
        writer.row(&values, out)?;
        count = count.saturating_add(1);
    }
    writer.finish(out)?;
    Ok(count)
}

/// A name that is there twice.
fn twice(names: &[String]) -> Option<&String> {
    let mut seen = std::collections::HashSet::new();
    names.iter().find(|name| !seen.insert(*name))
}
