//! CSV with a line of names. NULL is an empty cell, an empty text `""`. Like all CSV output of tband, it escapes characters that could
//! control a terminal, and puts a `'` in front of a cell that a spreadsheet would take for a formula.

use std::io::{self, Write};

use tband_report::printable::csv_cell;

use super::{Value, Writer};

pub struct Csv {
    /// The first line, until it is written.
    head: Option<String>,
}

impl Csv {
    pub fn new(names: &[String]) -> Self {
        let names: Vec<_> = names.iter().map(|name| cell(name)).collect();
        Self { head: Some(names.join(",")) }
    }

    fn head(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.head.take().map_or(Ok(()), |head| writeln!(out, "{head}"))
    }
}

impl Writer for Csv {
    fn row(&mut self, values: &[Value<'_>], out: &mut dyn Write) -> io::Result<()> {
        self.head(out)?;
        let cells = values.iter().map(|value| match value {
            Value::Text(text) => cell(text),
            other => other.as_text(""),
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.head(out)
    }
}

fn cell(text: &str) -> String {
    let shown = csv_cell(text);
    if shown.is_empty() || shown.contains([',', '"']) {
        format!("\"{}\"", shown.replace('"', "\"\""))
    } else {
        shown.into_owned()
    }
}
