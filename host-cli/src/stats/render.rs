//! Tables as text, JSON and CSV.

use comfy_table::{CellAlignment, ContentArrangement, presets};
use serde_json::{Map, Value, json};
use tband_conv::sinks::Spread;

use super::table::{Cell, Column, Table, duration};

/// Rows that a table has in text, unless all are asked for.
const MAX_ROWS: usize = 30;

/// For people. Durations that are spread, and series, get tables of their own.
pub fn text(tables: &[Table], all_rows: bool) -> String {
    let max_rows = if all_rows { usize::MAX } else { MAX_ROWS };
    let mut text = String::new();
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
        if !text.is_empty() {
            text.push('\n');
        }
        if table.single {
            text.push_str(&facts(table));
        } else {
            text.push_str(&list(table, max_rows));
        }
    }
    text
}

/// One fact a line.
fn facts(table: &Table) -> String {
    let width = table.columns.iter().map(|(_, title)| title.len()).max().unwrap_or(0);
    let row = table.rows.first().map_or(&[][..], Vec::as_slice);
    let known = table.columns.iter().zip(row).filter(|(_, cell)| !matches!(cell, Cell::None));
    known.map(|((_, title), cell)| format!("{title:<width$}  {}\n", cell.shown())).collect()
}

fn list(table: &Table, max_rows: usize) -> String {
    let plain = |cell: &Cell| !matches!(cell, Cell::Spread(_) | Cell::Series(_));
    let columns = || table.columns.iter().enumerate();
    let is_plain = |index: usize| table.rows.iter().all(|row| row.get(index).is_none_or(plain));
    let main: Vec<usize> = columns().map(|(index, _)| index).filter(|it| is_plain(*it)).collect();
    let pick = |row: &Vec<Cell>| main.iter().filter_map(|index| row.get(*index).cloned()).collect();
    let titles = main.iter().filter_map(|index| table.columns.get(*index)).map(|it| it.1).collect();
    let mut text = aligned(table.title, titles, table.rows.iter().map(pick).collect(), max_rows);
    for (index, column) in columns().filter(|(index, _)| !is_plain(*index)) {
        text.push_str(&own_table(table, index, *column, max_rows));
    }
    text
}

/// The table of one column whose cells do not fit a line with others.
fn own_table(table: &Table, index: usize, (_, title): Column, max_rows: usize) -> String {
    let mut rows = Vec::new();
    let mut titles = vec![table.columns.first().map_or("", |column| column.1)];
    for row in &table.rows {
        let (Some(name), Some(cell)) = (row.first(), row.get(index)) else { continue };
        match cell {
            Cell::Spread(spread) if spread.count() > 0 => {
                let ns = |value: u64| Cell::Text(duration(value.try_into().unwrap_or(i64::MAX)));
                let values = [spread.min(), spread.median(), spread.p99(), spread.max()];
                let mut cells = vec![name.clone(), Cell::Count(spread.count())];
                cells.extend(values.map(ns));
                rows.push(cells);
            }
            Cell::Series(_) => rows.push(vec![name.clone(), cell.clone()]),
            _ => {}
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    if rows.iter().any(|row| row.len() > 2) {
        titles.extend(["count", "min", "median", "p99", "max"]);
    } else {
        titles.push("");
    }
    format!("\n{}", aligned(title, titles, rows, max_rows))
}

fn aligned(title: &str, titles: Vec<&str>, mut rows: Vec<Vec<Cell>>, max_rows: usize) -> String {
    let more = rows.len().saturating_sub(max_rows);
    rows.truncate(max_rows);
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let is_number = |index: usize| {
        index > 0 && !rows.iter().any(|row| matches!(row.get(index), Some(Cell::Series(_))))
    };
    let numbers: Vec<bool> = (0..titles.len())
        .map(|index| {
            let named = ["task", "cause", "kind", "holder", "queue", "event", "mutex"];
            is_number(index) && !titles.get(index).is_some_and(|title| named.contains(title))
        })
        .collect();
    table.set_header(titles);
    table.add_rows(rows.iter().map(|row| row.iter().map(Cell::shown)));
    for (column, is_number) in table.column_iter_mut().zip(numbers) {
        column.set_padding((0, 2));
        if is_number {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = format!("{title}\n{}\n", indented(&table.trim_fmt()));
    if more > 0 {
        text.push_str(&format!("  ... and {more} more; -v shows all\n"));
    }
    text
}

fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}

/// For programs: one object, with a member for each table.
pub fn json(tables: &[Table]) -> anyhow::Result<String> {
    let mut all = Map::new();
    for table in tables {
        let mut rows = table.rows.iter().map(|row| {
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
    Ok(serde_json::to_string_pretty(&Value::Object(all))? + "\n")
}

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::None => Value::Null,
        Cell::Text(text) => json!(text),
        Cell::Count(count) => json!(count),
        Cell::Number(number) | Cell::Ns(number) => json!(number),
        Cell::Share(share) => json!(rounded(*share)),
        Cell::Rate(rate) => json!(rate.round()),
        Cell::Spread(spread) => {
            let members = spread_members(spread).into_iter();
            Value::Object(members.map(|(key, value)| (key.to_owned(), json!(value))).collect())
        }
        Cell::Series(shares) => shares.iter().copied().map(rounded).collect(),
    }
}

fn rounded(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}

/// Without values there is only their count.
fn spread_members(spread: &Spread) -> Vec<(&'static str, u64)> {
    let mut members = vec![("count", spread.count())];
    if spread.count() > 0 {
        members.extend([
            ("sum_ns", spread.sum()),
            ("min_ns", spread.min()),
            ("median_ns", spread.median()),
            ("p99_ns", spread.p99()),
            ("max_ns", spread.max()),
        ]);
    }
    members
}

/// For spreadsheets: one line a number. `row` tells objects of equal names apart; what has no name has
/// an empty one.
pub fn csv(tables: &[Table]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["table", "row", "name", "field", "value"])?;
    for table in tables {
        for (number, row) in table.rows.iter().enumerate() {
            let name = row.first().filter(|cell| matches!(cell, Cell::Text(_) | Cell::Count(_)));
            let name = name.map(Cell::shown).unwrap_or_default();
            let mut line = |field: &str, value: &str| {
                writer.write_record([table.key, &number.to_string(), &name, field, value])
            };
            for ((key, _), cell) in table.columns.iter().zip(row) {
                match cell {
                    Cell::None => {}
                    Cell::Text(text) => line(key, text)?,
                    Cell::Spread(spread) => {
                        for (member, value) in spread_members(spread) {
                            line(&format!("{key}.{member}"), &value.to_string())?;
                        }
                    }
                    Cell::Series(shares) => {
                        for (index, share) in shares.iter().enumerate() {
                            line(&format!("{key}.{index}"), &rounded(*share).to_string())?;
                        }
                    }
                    _ => line(key, &value(cell).to_string())?,
                }
            }
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
