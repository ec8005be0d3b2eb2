//! SQL queries on the command line: every one of the guide, known answers, mistakes. Tests in `tband-query` check the engine.

use std::fs;
use std::path::Path;

use crate::support::*;
use serde_json::Value;

/// Runs a query in a folder; returns the rows.
#[track_caller]
fn ask(folder: &Folder, sql: &str, inputs: &[&str], code: i32) -> Vec<Value> {
    let args = [&["query", "--json", "--each", sql][..], inputs].concat();
    let ran = finish(cli(&args).current_dir(&folder.0));
    assert_eq!(ran.code, Some(code), "{sql}: {}", ran.stderr);
    let text = ran.text();
    assert_eq!(text.is_empty(), ran.stderr.contains("no rows"), "{}", ran.stderr);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The questions of the guide's page.
fn questions() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/guide/tables/queries.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks = page.split("```sql\n").skip(1).map(|block| block.split("```").next().unwrap());
    blocks.map(str::to_owned).collect()
}

#[test]
fn every_question_of_the_guide_has_an_answer() {
    let folder = with_examples("queries");
    let questions = questions();
    assert_eq!(questions.len(), 12 + 3);
    let inputs = ["before.bin", "after.bin", "recording.bin", "damaged.bin"];
    for sql in &questions {
        assert!(!ask(&folder, sql, &inputs, 1).is_empty(), "{sql}");
    }
    // For one recording, `stats` and `dump` have the same.
    let of_one = |begins: &str| {
        let sql = questions.iter().find(|sql| sql.starts_with(begins)).unwrap();
        ask(&folder, sql, &["before.bin"], 0)
    };
    let input = folder.path("before.bin");
    let stats = run(&["stats", "--json", &input]).json();
    let number = |value: &Value| value.as_i64().unwrap();
    let events: i64 =
        of_one("SELECT event, count(*)").iter().map(|row| number(&row["times"])).sum();
    let dumped = run(&["dump", &input]).text().lines().count();
    assert_eq!(i64::try_from(dumped).unwrap(), events);
    let isrs = of_one("SELECT isr, core");
    assert_eq!(isrs.len(), 2);
    for row in &isrs {
        let mut known = stats["interrupts"].as_array().unwrap().iter();
        let known = known.find(|known| known["name"] == row["isr"]).unwrap();
        assert_eq!(known["duration"]["count"], row["times"], "{known} {row}");
        assert_eq!(known["duration"]["max_ns"], row["longest_ns"], "{known} {row}");
    }
    assert_eq!(of_one("SELECT begin_ns, task, wait, limit_ticks").len(), 1);
    assert!(of_one("SELECT recording, ns, core, severity").is_empty());
}

/// Records have formats that only the program knows; each command that shows records takes it.
#[cfg(unix)]
#[test]
fn the_program_supplies_the_formats_of_records() {
    use tband_tests::explained::{COUNTER, TEXT, UNKNOWN, program, recording};

    let folder = Folder::new("query-elf");
    let input = folder.file("r.bin", &recording());
    let elf = folder.path("firmware.elf");
    program(Path::new(&elf));
    let sql = "SELECT text FROM markers UNION ALL SELECT object || '=' || value FROM levels";
    let query =
        |more: &[&str]| run(&[&["query", "--csv", sql][..], more].concat()).assert_code(0).text();
    let (name, value) = COUNTER;
    let explained = format!("text\n{TEXT}\n{name}={value}\n");
    assert_eq!(query(&["--elf", &elf, &input]), explained);
    assert!(query(&[&input]).contains(UNKNOWN));
    let stats = |more: &[&str]| {
        let stats = run(&[&["stats", "--json", &input][..], more].concat()).assert_code(0).json();
        stats["values"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect()
    };
    let names: Vec<Value> = stats(&["--elf", &elf]);
    assert_eq!(names, [Value::from(name)]);
    assert!(stats(&[]).is_empty());

    #[cfg(feature = "parquet")]
    {
        let fleet = folder.path("fleet");
        run(&["ingest", "--elf", &elf, &fleet, &input]).assert_code(0);
        assert_eq!(query(&[&fleet]), explained);
        let ran = run(&["query", "--elf", &elf, sql, &fleet]);
        assert_fails(&ran, 2, &["give it to ingest"]);
        assert_fails(
            &run(&["ingest", "--elf", &input, &fleet, &input]),
            2,
            &["is not an ELF file"],
        );
    }
    for (elf, printed) in
        [(&input, "is not an ELF file"), (&folder.path("none.elf"), "cannot read")]
    {
        assert_fails(&run(&["query", "--elf", elf, sql, &input]), 2, &[printed]);
        assert_fails(&run(&["stats", "--elf", elf, &input]), 2, &[printed]);
    }
}

/// A folder has other questions, and only a program with Parquet reads its tables.
#[test]
fn folders_are_refused_where_recordings_are_needed() {
    let folder = with_examples("query-mistakes");
    let [input, config] = ["recording.bin", "config"].map(|name| folder.path(name));
    assert_fails(&run(&["query", "SELECT 1", &input, &config]), 2, &["cannot be read together"]);
    assert_fails(&run(&["query", "--to", "1ms", "SELECT 1", &config]), 2, &["use WHERE"]);
    let message =
        if cfg!(feature = "parquet") { "no tables of recordings" } else { "without tables" };
    assert_fails(&run(&["query", "SELECT 1", &config]), 2, &[message]);
}

/// The same question to recordings, to their tables, and to a folder of many.
#[cfg(feature = "parquet")]
#[test]
fn tables_answer_as_recordings_do() {
    let folder = with_examples("query-tables");
    let ran =
        run(&["ingest", "--device", "pump 7", &folder.path("fleet"), &folder.path("before.bin")]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let args = ["conv", "--output-format", "parquet", "-o", "tables", "before.bin"];
    assert_eq!(finish(cli(&args).current_dir(&folder.0)).code, Some(0));
    for sql in questions().iter().filter(|sql| !sql.contains("SELECT device")) {
        let rows = ask(&folder, sql, &["before.bin"], 0);
        assert_eq!(ask(&folder, sql, &["tables"], 0), rows, "{sql}");
        let mut fleet = ask(&folder, sql, &["fleet"], 0);
        // It is called by its content there.
        for row in fleet.iter_mut().filter_map(|row| row.get_mut("recording")) {
            *row = "before.bin".into();
        }
        assert_eq!(fleet, rows, "{sql}");
    }
    let devices = ask(&folder, "SELECT DISTINCT device FROM states", &["fleet"], 0);
    assert_eq!(devices[0]["device"], "pump 7");
}
