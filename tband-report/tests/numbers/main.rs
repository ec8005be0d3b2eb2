//! Recordings as text, with the numbers that the tables of `stats` have of them; `tband_recordings::cases` describes the files
//! in this folder.
//!
//! `TBAND_OVERWRITE=1 cargo test -p tband-report --test numbers` writes the results; inspect the difference.
//!
//! A result's kind is a table's key. The words after it are the columns that are shown, all without them. Only a clean recording
//! has no `findings`. `timeline` is the timeline as text, `highlights` has columns as a table has them, and `look` is their text.

use std::path::Path;

use serde_json::Value;
use tband_conv::sinks::Stats;
use tband_conv::{Options, convert};
use tband_recordings::cases::{self, Case, Section};
use tband_recordings::timeline_of;
use tband_report::highlights as report;
use tband_report::moment::moment;
use tband_report::stats::{Measurement, json, measure};
use tband_report::time_unit::TimeUnit;

tband_recordings::case_files! {
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/numbers"), crate::check;
    highlights: heap locks objects tasks ticks;
    stats: generations known left_out made_by_hand objects runs waits window;
}

fn check(path: &Path) {
    cases::check(path, |_, case, section| Some(rows(case, section)));
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
    let Measurement { tables, summary, stats } = measure(&case.inputs(), &options).unwrap();
    if !case.sections.iter().any(|it| it.kind == "findings") {
        assert!(summary.diagnostics.is_clean(), "{}: {:?}", case.name, summary.diagnostics);
    }
    match section.kind.as_str() {
        "highlights" => {
            return look(case, &stats).iter().map(|it| line(it, &section.words)).collect();
        }
        "look" => {
            let text = report::text(&report::highlights(&stats), TimeUnit::Ns);
            return section.choose(text.lines());
        }
        _ => {}
    }
    let all: Value = serde_json::from_str(&json(&tables, true).unwrap()).unwrap();
    let table = all.get(&section.kind).unwrap_or_else(|| panic!("{}: no such table", section.kind));
    match table {
        Value::Array(rows) => rows.iter().map(|row| line(row, &section.words)).collect(),
        Value::Null => Vec::new(),
        row => vec![line(row, &section.words)],
    }
}

/// Returns the highlights; `check` collects fewer numbers than all others do, and finds the same.
fn look(case: &Case, stats: &Stats) -> Vec<Value> {
    let found = report::highlights(stats);
    let mut brief = Stats::brief();
    convert(&case.inputs(), &Options::default(), &mut brief).unwrap();
    assert_eq!(report::highlights(&brief), found, "{}", case.name);
    for it in found.iter().filter(|it| it.id != "load") {
        assert!(report::IDS.contains(&it.id) && !it.evidence.is_empty(), "{}: {it:?}", case.name);
    }
    report::json(&found).as_array().unwrap().clone()
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

#[test]
fn the_list_of_highlights_has_each_id_once() {
    let mut ids = report::IDS.to_vec();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), report::IDS.len());
}
