//! Tables as a page shows them: each cell as people read it, with its value and what kind of value that is.

use serde_json::{Value, json};

use super::render::value;
use super::table::{Cell, Table};

/// An array with an object for each table: `key`, `title`, `single`, `left_out` (rows that a text leaves out),
/// `columns` (each `[key, title]`) and `rows` of cells (each `[kind, value, text]`; kind and value as in JSON of
/// [`json`](super::json), a cell of which nothing is known is null).
#[must_use]
pub fn page(tables: &[Table]) -> Value {
    let table = |table: &Table| {
        let rows: Vec<Vec<Value>> =
            table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        json!({
            "key": table.key,
            "title": table.title,
            "single": table.single,
            "left_out": table.left_out.rows,
            "columns": table.columns,
            "rows": rows,
        })
    };
    tables.iter().map(table).collect()
}

fn cell(cell: &Cell) -> Value {
    let kind = match cell {
        Cell::None => return Value::Null,
        Cell::Text(_) => "text",
        Cell::Count(_) | Cell::Number(_) => "number",
        Cell::Ns(_) => "ns",
        Cell::At(_) => "at",
        Cell::Share(_) => "share",
        Cell::Rate(_) | Cell::Ratio(_) | Cell::Frequency(_) => "rate",
        Cell::Spread(_) => "spread",
        Cell::Series(_) => "series",
    };
    json!([kind, value(cell), cell.shown()])
}
