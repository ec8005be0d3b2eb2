//! Tables as text, JSON and CSV.

use std::io;

use super::digest::Digest;
use serde_json::{Map, Value, json};
use tband_conv::number::Number;
use unicode_width::UnicodeWidthStr;

use super::parts::parts;
use super::table::{Cell, Table};
use crate::printable::{csv_cell, printable, printable_json};

/// Default maximum number of a table's rows in text.
const MAX_ROWS: usize = 30;

/// Default maximum number of a table's rows for programs: more tasks, queues or markers than a project has. Rows with the
/// largest figures come first, so the rest are nearly inactive objects, such as tasks that were renamed.
const MAX_ROWS_FOR_PROGRAMS: usize = 1000;

/// Member of JSON, and table of CSV, that has the number of rows that each table lacks.
const ROWS_LEFT_OUT: &str = "rows_left_out";

/// Width of the text, in columns of a terminal.
const WIDTH: usize = 80;

/// Characters of a name or cause that are shown.
const MAX_TEXT: usize = 36;

/// Formats the tables for people. Spreads of durations, and series, get separate tables.
#[must_use]
pub fn text(tables: &[Table], all_rows: bool) -> String {
    let mut text = String::new();
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
        if !text.is_empty() {
            text.push('\n');
        }
        if table.single {
            text.push_str(&facts(table));
        } else {
            text.push_str(&list(table, all_rows));
        }
    }
    text
}

/// One fact a line.
fn facts(table: &Table) -> String {
    let width = table.columns.iter().map(|(_, title)| title.len()).max().unwrap_or(0);
    let row = table.rows.first().map_or(&[][..], Vec::as_slice);
    let known = table.columns.iter().zip(row);
    let known = known.filter(|((_, title), cell)| !title.is_empty() && !matches!(cell, Cell::None));
    known
        .map(|((_, title), cell)| format!("{title:<width$}  {}\n", printable(&cell.shown())))
        .collect()
}

fn list(table: &Table, all_rows: bool) -> String {
    let left_out = if all_rows { 0 } else { table.left_out.rows };
    let shown = table.rows.len().saturating_sub(left_out);
    let rows = table.rows.get(..shown).unwrap_or_default();
    let mut text = String::new();
    for (number, part) in parts(table, rows).into_iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        text.push_str(&aligned(part.title, part.titles, part.rows, all_rows));
        if number == 0 && left_out > 0 {
            text.push_str(&format!("  {}; --all shows them\n", table.left_out.text));
        }
    }
    text
}

/// A table. If it is too wide for a terminal, further columns follow below, after the first one again.
fn aligned(title: &str, titles: Vec<&str>, mut rows: Vec<Vec<Cell>>, all_rows: bool) -> String {
    let max_rows = if all_rows { usize::MAX } else { MAX_ROWS };
    let more = rows.len().saturating_sub(max_rows);
    rows.truncate(max_rows);
    let columns: Vec<ShownColumn> = titles
        .iter()
        .enumerate()
        .map(|(index, title)| ShownColumn::of(title, index, &rows))
        .collect();
    let mut text = format!("{title}\n");
    let Some((first, mut rest)) = columns.split_first() else { return text };
    loop {
        let mut width = first.width + 2;
        let fits = rest.iter().take_while(|column| {
            width += column.width + 2;
            width <= WIDTH
        });
        let (part, left) = rest.split_at(fits.count().max(1).min(rest.len()));
        for line in 0..=rows.len() {
            let cells = std::iter::once(first).chain(part).map(|column| column.cell(line));
            text.push_str(format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end());
            text.push('\n');
        }
        rest = left;
        if rest.is_empty() {
            break;
        }
        text.push('\n');
    }
    if more > 0 {
        text.push_str(&format!("  ... and {more} more; --all shows them\n"));
    }
    text
}

/// A column as it is shown, its title first.
struct ShownColumn {
    cells: Vec<String>,
    width: usize,
    on_the_left: bool,
}

impl ShownColumn {
    fn of(title: &str, index: usize, rows: &[Vec<Cell>]) -> Self {
        let cells = || rows.iter().filter_map(|row| row.get(index));
        let on_the_left = index == 0 || cells().any(Cell::is_text);
        let shown = cells().map(|cell| match cell {
            Cell::Text(text) => shortened(&printable(text)),
            _ => cell.shown(),
        });
        let cells: Vec<String> = std::iter::once(title.to_owned()).chain(shown).collect();
        let width = cells.iter().map(|cell| cell.width()).max().unwrap_or(0);
        Self { cells, width, on_the_left }
    }

    fn cell(&self, line: usize) -> String {
        let cell = self.cells.get(line).map_or("", String::as_str);
        let space = " ".repeat(self.width.saturating_sub(cell.width()));
        if self.on_the_left { format!("{cell}{space}") } else { format!("{space}{cell}") }
    }
}

/// A text that would make a table too wide loses its middle: names often differ at their end.
fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_TEXT {
        return text.to_owned();
    }
    let head = MAX_TEXT / 2;
    let tail = MAX_TEXT - head - 1;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(length - tail).collect();
    format!("{start}…{end}")
}

/// The rows of a table for programs, and how many are left out.
fn rows_for_programs(table: &Table, all_rows: bool) -> (&[Vec<Cell>], usize) {
    let most = if all_rows || table.is_whole { usize::MAX } else { MAX_ROWS_FOR_PROGRAMS };
    let shown = table.rows.get(..most).unwrap_or(&table.rows);
    (shown, table.rows.len().saturating_sub(shown.len()))
}

/// Formats the tables for programs: one object, with a member for each table. A table has at most 1000 rows, unless `all_rows`.
/// If any table has more, the member `rows_left_out` contains the number of missing rows of each.
///
/// # Errors
/// None are known: an unknown value is null.
pub fn json(tables: &[Table], all_rows: bool) -> serde_json::Result<String> {
    let mut all = Map::new();
    let mut left_out = Map::new();
    for table in tables {
        let (rows, more) = rows_for_programs(table, all_rows);
        if more > 0 {
            left_out.insert(table.key.to_owned(), json!(more));
        }
        let mut rows = rows.iter().map(|row| {
            let members = table.columns.iter().zip(row);
            Value::Object(
                members.map(|(column, cell)| (column.0.to_owned(), value(cell))).collect(),
            )
        });
        let value = match table.single {
            true => rows.next().unwrap_or(Value::Null),
            false => rows.collect(),
        };
        all.insert(table.key.to_owned(), value);
    }
    if !left_out.is_empty() {
        left_out.insert("remedy".to_owned(), json!("stats --all writes all rows"));
        all.insert(ROWS_LEFT_OUT.to_owned(), Value::Object(left_out));
    }
    Ok(printable_json(serde_json::to_string_pretty(&Value::Object(all))?) + "\n")
}

/// A cell as it is in JSON.
pub(super) fn value(cell: &Cell) -> Value {
    match cell {
        Cell::None | Cell::Unknown => Value::Null,
        Cell::Text(text) => json!(text),
        Cell::Count(count) => json!(count),
        Cell::Number(number)
        | Cell::Ns(number)
        | Cell::At(number)
        | Cell::Ticks(number)
        | Cell::AtTick(number) => json!(number),
        Cell::Value(Number::Integer(value)) => json!(value),
        // JSON has no infinities and no NaN.
        Cell::Value(Number::Real(value)) if value.is_finite() => json!(value),
        Cell::Value(value) => json!(value.to_string()),
        Cell::Share(share) => json!(rounded(*share)),
        Cell::Rate(rate) => json!(rate.round()),
        Cell::Ratio(ratio) => json!(rounded(*ratio)),
        Cell::Frequency(frequency) if frequency.denominator() == 1 => json!(frequency.numerator()),
        Cell::Frequency(frequency) => {
            json!(frequency.numerator() as f64 / frequency.denominator() as f64)
        }
        Cell::Spread(spread) => {
            let members = spread_members(spread).into_iter();
            Value::Object(members.map(|(key, value)| (key.to_owned(), value)).collect())
        }
        Cell::Series(shares) => shares.iter().map(|share| json!(share.map(rounded))).collect(),
    }
}

fn rounded(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}

/// Without values there is only their count.
fn spread_members(spread: &Digest) -> Vec<(&'static str, Value)> {
    let mut members = vec![("count", json!(spread.count))];
    if let Some(max_at) = spread.max_at {
        members.extend([
            ("sum_ns", json!(spread.sum)),
            ("min_ns", json!(spread.min)),
            ("median_ns", json!(spread.median)),
            ("p99_ns", json!(spread.p99)),
            ("max_ns", json!(spread.max)),
            ("max_at_ns", json!(max_at)),
        ]);
    }
    if spread.open > 0 {
        members.extend([("open", json!(spread.open)), ("open_max_ns", json!(spread.open_max))]);
    }
    if spread.cut > 0 {
        members.push(("cut", json!(spread.cut)));
    }
    members
}

/// Formats the tables for spreadsheets: one line per number. `row` distinguishes objects of equal names; an object without a
/// name has an empty one. Tables have as many rows as in [`json`](fn@json); the table `rows_left_out` has the number of missing
/// rows of each.
///
/// # Errors
/// None are known: it is written to memory.
pub fn csv(tables: &[Table], all_rows: bool) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut left_out = Vec::new();
    writer.write_record(["table", "row", "name", "field", "value"])?;
    for table in tables {
        let (rows, more) = rows_for_programs(table, all_rows);
        if more > 0 {
            left_out.push((table.key, more));
        }
        for (number, row) in rows.iter().enumerate() {
            let name = row.first().filter(|cell| matches!(cell, Cell::Text(_) | Cell::Count(_)));
            let name = name.map(Cell::shown).unwrap_or_default();
            let name = csv_cell(&name);
            let mut line = |field: &str, value: &str| {
                writer.write_record([table.key, &number.to_string(), &name, field, value])
            };
            for ((key, _), cell) in table.columns.iter().zip(row) {
                match cell {
                    Cell::None | Cell::Unknown => {}
                    Cell::Text(text) => line(key, &csv_cell(text))?,
                    Cell::Spread(spread) => {
                        for (member, value) in spread_members(spread) {
                            line(&format!("{key}.{member}"), &value.to_string())?;
                        }
                    }
                    Cell::Series(shares) => {
                        // A number that is not known has no line.
                        for (index, share) in shares.iter().enumerate() {
                            let Some(share) = share else { continue };
                            line(&format!("{key}.{index}"), &rounded(*share).to_string())?;
                        }
                    }
                    _ => line(key, &value(cell).to_string())?,
                }
            }
        }
    }
    for (number, (table, more)) in left_out.into_iter().enumerate() {
        let (number, more) = (number.to_string(), more.to_string());
        writer.write_record([ROWS_LEFT_OUT, &number, table, "rows", &more])?;
    }
    let text = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(text).map_err(io::Error::other)
}
