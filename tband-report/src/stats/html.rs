//! Tables as HTML, for readers without scripts.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::parts::parts;
use super::table::{Cell, Table};
use crate::escape::escaped;

/// Maximum number of a table's rows in this form. The script's compressed data has all rows.
const MAX_ROWS: usize = 500;

/// Writes the tables that have rows, with the first of them, one table at a time. End tags that HTML does without are left
/// out: a page has each number here and as data of its script.
///
/// # Errors
/// If the output cannot be written.
pub fn html(tables: &[Table], out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    for table in tables.iter().filter(|table| !table.rows.is_empty()) {
        if table.single {
            single(&mut text, table);
            out.write_all(std::mem::take(&mut text).as_bytes())?;
            continue;
        }
        let shown = table.rows.get(..MAX_ROWS).unwrap_or(&table.rows);
        let more = table.rows.len() - shown.len();
        for part in parts(table, shown) {
            begin(&mut text, part.title);
            text.push_str("<thead><tr>");
            part.titles.iter().for_each(|title| cell(&mut text, "<th>", title));
            text.push_str("<tbody>");
            for row in &part.rows {
                line(&mut text, row);
                out.write_all(text.as_bytes())?;
                text.clear();
            }
            if more > 0 {
                // Writing to a string cannot fail.
                let _ = write!(text, "\n<tr><td>{more} more: with a script, or by tband-cli stats");
            }
            text.push_str("</table>\n");
        }
        out.write_all(std::mem::take(&mut text).as_bytes())?;
    }
    Ok(())
}

/// One fact a line.
fn single(text: &mut String, table: &Table) {
    begin(text, table.title);
    let row = table.rows.first().map_or(&[][..], Vec::as_slice);
    for ((_, title), fact) in table.columns.iter().zip(row) {
        if !title.is_empty() && !matches!(fact, Cell::None) {
            text.push_str("\n<tr>");
            cell(text, "<th>", title);
            cell(text, "<td>", &fact.shown());
        }
    }
    text.push_str("</table>\n");
}

fn begin(text: &mut String, title: &str) {
    cell(text, "<table><caption>", title);
    text.push_str("</caption>");
}

fn line(text: &mut String, row: &[Cell]) {
    text.push_str("\n<tr>");
    for (index, it) in row.iter().enumerate() {
        cell(text, if index == 0 { "<th>" } else { "<td>" }, &it.shown());
    }
}

fn cell(text: &mut String, tag: &str, content: &str) {
    text.push_str(tag);
    text.push_str(&escaped(content));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::OmittedRows;

    #[test]
    fn of_very_many_rows_the_first_are_there_and_how_many_more_there_are() {
        let table = |rows: usize| Table {
            key: "tasks",
            title: "Tasks",
            columns: vec![("name", "task")],
            rows: (0..rows).map(|row| vec![Cell::Text(format!("task {row}"))]).collect(),
            left_out: OmittedRows::default(),
            single: false,
            is_whole: false,
        };
        let text = |rows: usize| {
            let mut out = Vec::new();
            html(&[table(rows)], &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(text(500).ends_with("<tr><th>task 499</table>\n"), "{}", text(500));
        let end =
            "<tr><th>task 499\n<tr><td>2 more: with a script, or by tband-cli stats</table>\n";
        assert!(text(502).ends_with(end), "{}", text(502));
    }

    #[test]
    fn html_contains_all_rows_and_escapes_texts() {
        let table = Table {
            key: "tasks",
            title: "Tasks",
            columns: vec![("name", "task"), ("run_ns", "run"), ("nothing", "nothing")],
            rows: vec![
                vec![Cell::Text("</noscript><b>&".to_owned()), Cell::Ns(1500), Cell::None],
                vec![Cell::Text("gone".to_owned()), Cell::None, Cell::None],
            ],
            left_out: OmittedRows { rows: 1, text: "1 more".to_owned() },
            single: false,
            is_whole: false,
        };
        let wanted = "<table><caption>Tasks</caption><thead><tr><th>task<th>run<tbody>\n\
                      <tr><th>&lt;/noscript&gt;&lt;b&gt;&amp;<td>1.500 us\n<tr><th>gone<td>-</table>\n";
        let mut out = Vec::new();
        html(&[table], &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
    }
}
