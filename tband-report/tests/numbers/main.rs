//! Recordings as text, with the numbers that the tables of `stats` have of them; `tband_recordings::cases` describes the files
//! in this folder.
//!
//! `TBAND_OVERWRITE=1 cargo test -p tband-report --test numbers` writes the results; inspect the difference.
//!
//! A result's kind is a table's key. The words after it are the columns that are shown, all without them. Only a clean recording
//! has no `findings`. `timeline` is the timeline as text.

use std::path::Path;

use serde_json::Value;
use tband_conv::Options;
use tband_recordings::cases::{self, Case, Section};
use tband_recordings::timeline_of;
use tband_report::moment::moment;
use tband_report::stats::{Measurement, json, measure};

#[test]
fn generations() {
    check("generations.txt");
}

#[test]
fn known() {
    check("known.txt");
}

#[test]
fn left_out() {
    check("left_out.txt");
}

#[test]
fn made_by_hand() {
    check("made_by_hand.txt");
}

#[test]
fn objects() {
    check("objects.txt");
}

#[test]
fn runs() {
    check("runs.txt");
}

#[test]
fn waits() {
    check("waits.txt");
}

#[test]
fn window() {
    check("window.txt");
}

fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/numbers").join(name);
    cases::check(&path, |_, case, section| Some(rows(case, section)));
}

/// Returns a line of each row of a table.
fn rows(case: &Case, section: &Section) -> Vec<String> {
    let mut options = Options::default();
    for (name, value) in &case.options {
        match name.as_str() {
            "window" => options.window = Some(value.parse().unwrap()),
            "from" => options.from = Some(moment(value).unwrap()),
            "to" => options.to = Some(moment(value).unwrap()),
            _ => panic!("{}: unknown option {name}", case.name),
        }
    }
    if section.kind == "timeline" {
        return section.choose(timeline_of(&case.inputs(), &options).0.lines());
    }
    let Measurement { tables, summary, .. } = measure(&case.inputs(), &options).unwrap();
    if !case.sections.iter().any(|it| it.kind == "findings") {
        assert!(summary.diagnostics.is_clean(), "{}: {:?}", case.name, summary.diagnostics);
    }
    let all: Value = serde_json::from_str(&json(&tables, true).unwrap()).unwrap();
    let table = all.get(&section.kind).unwrap_or_else(|| panic!("{}: no such table", section.kind));
    match table {
        Value::Array(rows) => rows.iter().map(|row| line(row, &section.words)).collect(),
        Value::Null => Vec::new(),
        row => vec![line(row, &section.words)],
    }
}

/// Returns the values of these columns, or of all that have one.
fn line(row: &Value, columns: &[String]) -> String {
    let members = row.as_object().expect("a row has columns");
    let all = members.iter().filter(|(_, value)| !value.is_null()).map(|(column, _)| column);
    let columns: Vec<&String> =
        if columns.is_empty() { all.collect() } else { columns.iter().collect() };
    let cell = |column: &String| {
        let value = members.get(column).unwrap_or_else(|| panic!("no column {column}: {row}"));
        format!("{column}={value}")
    };
    columns.into_iter().map(cell).collect::<Vec<_>>().join(" ")
}
