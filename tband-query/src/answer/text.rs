//! Columns below each other. Their widths are those of the first rows, so that memory is bounded.

use std::io::{self, Write};

use tband_report::printable::printable;

use super::{Value, Writer};

/// Bytes of rows that widths are found out from.
const AHEAD: usize = 4 << 20;

struct Column {
    width: usize,
    /// All values so far are numbers: it is aligned to the right.
    is_number: bool,
}

pub struct TextTable {
    columns: Vec<Column>,
    /// Rows that wait for the widths, the names first; none when these are known.
    waiting: Option<Vec<Vec<String>>>,
    bytes: usize,
}

impl TextTable {
    pub fn new(names: &[String]) -> Self {
        let names: Vec<String> = names.iter().map(|name| printable(name).into_owned()).collect();
        let columns = names.iter().map(|name| Column { width: width(name), is_number: true });
        Self { columns: columns.collect(), waiting: Some(vec![names]), bytes: 0 }
    }

    /// Writes the pending rows.
    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for (index, cells) in self.waiting.take().unwrap_or_default().iter().enumerate() {
            self.line(cells, out)?;
            if index == 0 {
                let lines: Vec<_> = self.columns.iter().map(|it| "-".repeat(it.width)).collect();
                self.line(&lines, out)?;
            }
        }
        Ok(())
    }

    fn line(&self, cells: &[String], out: &mut dyn Write) -> io::Result<()> {
        let mut line = String::new();
        for (index, (column, cell)) in self.columns.iter().zip(cells).enumerate() {
            let space = " ".repeat(column.width.saturating_sub(width(cell)));
            let gap = if index == 0 { "" } else { "  " };
            line += &match column.is_number {
                true => format!("{gap}{space}{cell}"),
                false => format!("{gap}{cell}{space}"),
            };
        }
        writeln!(out, "{}", line.trim_end())
    }
}

impl Writer for TextTable {
    fn row(&mut self, values: &[Value<'_>], out: &mut dyn Write) -> io::Result<()> {
        let cells = values.iter().map(|value| printable(&value.as_text("NULL")).into_owned());
        let cells: Vec<String> = cells.collect();
        let Some(waiting) = &mut self.waiting else { return self.line(&cells, out) };
        for ((column, cell), value) in self.columns.iter_mut().zip(&cells).zip(values) {
            column.width = column.width.max(width(cell));
            column.is_number &= value.is_number() || matches!(value, Value::None);
            // A string has three words in addition to its bytes.
            self.bytes = self.bytes.saturating_add(cell.len()).saturating_add(24);
        }
        waiting.push(cells);
        if self.bytes >= AHEAD { self.flush(out) } else { Ok(()) }
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.flush(out)
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}
