//! Tables as a page shows them: each cell as text for people, with its value and kind.

use std::io::{self, Write};

use super::digest::Digest;
use serde_json::{Value, json};

use super::render::value;
use super::table::{Cell, Table};

/// Writes an array with an object for each table: `key`, `title`, `single`, `left_out` (rows that a text leaves out), `columns`
/// (each `[key, title]`) and `rows` of cells, each `[kind, value, text]` with the value of [`json`](super::json), but times are
/// texts of digits; the text of a spread is an object with the text of each member. An unknown cell is null.
///
/// Takes the memory of one row: with many objects, all rows together would take several times the memory of the statistics.
///
/// # Errors
/// If the output cannot be written.
pub fn page(tables: &[Table], out: &mut dyn Write) -> io::Result<()> {
    let mut separator = "[";
    for table in tables {
        write!(
            out,
            "{separator}{{\"key\":{},\"title\":{},\"single\":{},\"left_out\":{},\"columns\":{},\"rows\":[",
            json!(table.key),
            json!(table.title),
            table.single,
            table.left_out.rows,
            json!(table.columns),
        )?;
        for (index, row) in table.rows.iter().enumerate() {
            let cells: Value = row.iter().map(cell).collect();
            write!(out, "{}{cells}", if index > 0 { "," } else { "" })?;
        }
        out.write_all(b"]}")?;
        separator = ",";
    }
    out.write_all(if tables.is_empty() { b"[]" } else { b"]" })
}

fn cell(cell: &Cell) -> Value {
    let kind = match cell {
        Cell::None => return Value::Null,
        Cell::Unknown => return json!(["text", cell.shown(), cell.shown()]),
        Cell::Text(_) => "text",
        Cell::Count(_) | Cell::Number(_) | Cell::Value(_) => "number",
        Cell::Ns(_) | Cell::Ticks(_) => "ns",
        Cell::At(_) | Cell::AtTick(_) => "at",
        Cell::Share(_) => "share",
        Cell::Rate(_) | Cell::Ratio(_) | Cell::Frequency(_) => "rate",
        Cell::Spread(_) => "spread",
        Cell::Series(_) => "series",
    };
    let text = match cell {
        Cell::Spread(spread) => spread_texts(spread),
        cell => json!(cell.shown()),
    };
    let mut value = value(cell);
    // A script's numbers are exact to 2^53 only: 104 days in ns.
    let at = if kind == "spread" { value.get_mut("max_at_ns") } else { Some(&mut value) };
    if let Some(at) = at.filter(|_| matches!(kind, "spread" | "at")) {
        *at = at.to_string().into();
    }
    json!([kind, value, text])
}

/// Each number of a spread as people read it.
fn spread_texts(spread: &Digest) -> Value {
    let ns = |value: u64| spread.unit.duration(value.try_into().unwrap_or(i64::MAX));
    let at = spread.max_at.map(|at| spread.unit.moment(at));
    json!({
        "count": spread.count.to_string(),
        "min_ns": ns(spread.min),
        "median_ns": ns(spread.median),
        "p99_ns": ns(spread.p99),
        "max_ns": ns(spread.max),
        "max_at_ns": at,
        "open": spread.open.to_string(),
        "cut": spread.cut.to_string(),
    })
}
