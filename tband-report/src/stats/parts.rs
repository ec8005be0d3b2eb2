//! A table for people: one with a line for each object, then one for each column whose cells do not fit a shared line.

use super::table::{Cell, Table};

/// A table as it is shown: all cells are plain, but series.
#[derive(Debug)]
pub struct TablePart {
    /// Its title.
    pub title: &'static str,
    /// One title for each column; the first names the subject of a line.
    pub titles: Vec<&'static str>,
    /// As many cells each as there are titles.
    pub rows: Vec<Vec<Cell>>,
}

/// The parts of a table that has these rows.
pub fn parts(table: &Table, rows: &[Vec<Cell>]) -> Vec<TablePart> {
    let plain = |cell: &Cell| !matches!(cell, Cell::Spread(_) | Cell::Series(_));
    let cells = |index: usize| rows.iter().filter_map(move |row| row.get(index));
    let columns = || table.columns.iter().enumerate();
    let is_plain = |index: usize| cells(index).all(plain);
    // A column without any known value carries no information.
    let is_known = |index: usize| cells(index).any(|cell| !matches!(cell, Cell::None));
    let main: Vec<usize> = columns()
        .filter(|(index, (_, title))| {
            *index == 0 || (!title.is_empty() && is_plain(*index) && is_known(*index))
        })
        .map(|(index, _)| index)
        .collect();
    let pick = |row: &Vec<Cell>| main.iter().filter_map(|index| row.get(*index).cloned()).collect();
    let titles = main.iter().filter_map(|index| table.columns.get(*index)).map(|it| it.1).collect();
    let first = TablePart { title: table.title, titles, rows: rows.iter().map(pick).collect() };
    let own = columns()
        .filter(|(index, _)| !is_plain(*index))
        .filter_map(|(index, (_, title))| own_part(table, rows, index, title));
    std::iter::once(first).chain(own).collect()
}

/// The part of one column whose cells do not fit a line with others, if it has any.
fn own_part(
    table: &Table,
    all: &[Vec<Cell>],
    index: usize,
    title: &'static str,
) -> Option<TablePart> {
    let spreads = || {
        all.iter().filter_map(|row| match row.get(index) {
            Some(Cell::Spread(spread)) => Some(spread),
            _ => None,
        })
    };
    let any_open = spreads().any(|spread| spread.open > 0);
    let any_cut = spreads().any(|spread| spread.cut > 0);
    let mut rows = Vec::new();
    let mut titles = vec![table.columns.first().map_or("", |column| column.1)];
    for row in all {
        let (Some(name), Some(cell)) = (row.first(), row.get(index)) else { continue };
        match cell {
            Cell::Spread(spread) if spread.count > 0 => {
                let ns =
                    |value: u64| Cell::duration(spread.unit, value.try_into().unwrap_or(i64::MAX));
                let values = [spread.min, spread.median, spread.p99, spread.max];
                let mut cells = vec![name.clone(), Cell::Count(spread.count)];
                cells.extend(values.map(ns));
                cells.push(spread.max_at.map_or(Cell::None, |at| Cell::moment(spread.unit, at)));
                if any_open {
                    cells.push(some(spread.open));
                }
                if any_cut {
                    cells.push(some(spread.cut));
                }
                rows.push(cells);
            }
            Cell::Series(_) => rows.push(vec![name.clone(), cell.clone()]),
            _ => {}
        }
    }
    if rows.is_empty() {
        return None;
    }
    if rows.iter().any(|row| row.len() > 2) {
        titles.extend(["count", "min", "median", "p99", "max", "max at"]);
        titles.extend(any_open.then_some("open"));
        titles.extend(any_cut.then_some("cut"));
    } else {
        titles.push("");
    }
    Some(TablePart { title, titles, rows })
}

/// A number that is usually 0.
fn some(count: u64) -> Cell {
    if count == 0 { Cell::None } else { Cell::Count(count) }
}
