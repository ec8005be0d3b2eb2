//! Errors in a query.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;

use tband_report::dump::closest;
use tband_report::printable::printable;
use tband_tables::{TABLES, TableSchema};

use crate::functions;
use crate::needed_columns::{PARTITION, words};

/// The reason for a missing answer.
#[derive(Debug)]
pub enum QueryError {
    /// The statement is wrong.
    Mistake(Mistake),
    /// The engine failed: the disk is full, a number overflows, the answer takes too much memory.
    Engine(String),
    /// The answer cannot be written.
    Write(io::Error),
}

impl Display for QueryError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mistake(mistake) => mistake.fmt(f),
            Self::Engine(text) => f.write_str(text),
            Self::Write(_) => f.write_str("cannot write the answer"),
        }
    }
}

impl Error for QueryError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        if let Self::Write(error) = self { Some(error) } else { None }
    }
}

impl From<io::Error> for QueryError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<rusqlite::Error> for QueryError {
    /// Converts an error of a running engine.
    fn from(error: rusqlite::Error) -> Self {
        Self::Engine(message_of(&error))
    }
}

/// A mistake in a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The mistake, and the existing alternatives.
    pub text: String,
    /// The line that it is in, and below it a mark at the place.
    pub place: Option<[String; 2]>,
}

impl Display for Mistake {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Mistake {
    /// Returns a mistake of the complete statement.
    pub fn of(text: impl Into<String>) -> QueryError {
        QueryError::Mistake(Self { text: text.into(), place: None })
    }

    /// Returns the engine's error when it prepares a statement.
    pub fn from_engine(sql: &str, error: &rusqlite::Error) -> QueryError {
        let mut text = message_of(error);
        let offset = match error {
            rusqlite::Error::SqlInputError { offset, .. } => usize::try_from(*offset).ok(),
            _ => None,
        };
        // For unknown tables the engine returns no position.
        let name = || sql.find(text.strip_prefix("no such table: ")?);
        let place = offset.or_else(name).and_then(|offset| place(sql, offset));
        if let Some(hint) = hint(sql, &text) {
            text = format!("{text}; {hint}");
        }
        QueryError::Mistake(Self { text, place })
    }
}

/// Returns the error, in one line.
fn message_of(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqlInputError { msg, .. }
        | rusqlite::Error::SqliteFailure(_, Some(msg))
            if msg == "not authorized" =>
        {
            READS.to_owned()
        }
        rusqlite::Error::SqlInputError { msg, .. }
        | rusqlite::Error::SqliteFailure(_, Some(msg)) => msg.clone(),
        rusqlite::Error::MultipleStatement => {
            "there is more than one statement: ask them one by one".to_owned()
        }
        rusqlite::Error::UserFunctionError(error) => error.to_string(),
        other => other.to_string(),
    }
}

/// The message for statements that do something else.
pub const READS: &str = "a query reads the tables, and does nothing else: it is a SELECT";

/// The line that an offset is in, and a mark below it.
fn place(sql: &str, offset: usize) -> Option<[String; 2]> {
    let before = sql.get(..offset)?;
    let begin = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let line = sql.get(begin..)?.lines().next().unwrap_or_default();
    let plain = |text: &str| printable(&text.replace('\t', " ")).into_owned();
    let indent = plain(before.get(begin..)?).chars().count();
    Some([plain(line), format!("{}^", " ".repeat(indent))])
}

/// Returns a hint with existing names, if a name is not known.
fn hint(sql: &str, text: &str) -> Option<String> {
    let (what, name) = text.split_once(": ")?;
    let name = name.trim();
    let list = |there: &[&str]| there.join(", ");
    match what {
        "no such table" => {
            let there: Vec<_> = TABLES.iter().map(|table| table.name).collect();
            Some(format!("{}tables: {}", suggestion(name, &there), list(&there)))
        }
        "no such column" => {
            let name = name.rsplit('.').next().unwrap_or(name);
            let named = named(sql);
            let all: Vec<_> = named.iter().flat_map(|table| columns(table)).collect();
            let meant = suggestion(name, &all);
            let each = named
                .iter()
                .map(|table| format!("columns of {}: {}", table.name, list(&columns(table))));
            let each: Vec<_> = each.collect();
            (!each.is_empty()).then(|| format!("{meant}{}", each.join("; ")))
        }
        "no such function" => Some(format!(
            "{}those of SQLite, and {}",
            suggestion(name, &functions::NAMES),
            list(&functions::NAMES)
        )),
        _ => None,
    }
}

fn suggestion(name: &str, there: &[&str]) -> String {
    let like = closest(name, there.iter().copied());
    like.map_or_else(String::new, |like| format!("did you mean {like}? "))
}

/// Tables that a statement names.
fn named(sql: &str) -> Vec<&'static TableSchema> {
    let is_there =
        |table: &&TableSchema| words(sql).any(|word| word.eq_ignore_ascii_case(table.name));
    TABLES.iter().filter(is_there).collect()
}

fn columns(table: &TableSchema) -> Vec<&'static str> {
    table.columns.iter().map(|column| column.name).chain(PARTITION).collect()
}
