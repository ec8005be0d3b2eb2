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
    let text = String::from_utf8(ran.stdout).unwrap();
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
    let stats: Value = serde_json::from_slice(&run(&["stats", "--json", &input]).stdout).unwrap();
    let number = |value: &Value| value.as_i64().unwrap();
    let events: i64 =
        of_one("SELECT event, count(*)").iter().map(|row| number(&row["times"])).sum();
    let dumped = String::from_utf8(run(&["dump", &input]).stdout).unwrap().lines().count();
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

#[test]
fn answers_go_where_they_are_wanted() {
    let folder = with_examples("query-output");
    let input = folder.path("recording.bin");
    let sql = "SELECT cores, events FROM recordings";
    let shown = run(&["query", sql, &input]);
    assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""));
    let events = String::from_utf8(run(&["dump", &input]).stdout).unwrap().lines().count();
    let text = format!("cores  events\n-----  ------\n    1    {events}\n");
    assert_eq!(String::from_utf8(shown.stdout).unwrap(), text);
    let out = folder.path("answer.csv");
    let ran = run(&["query", "--csv", "-o", &out, sql, &input]);
    assert_eq!((ran.code, ran.stdout.len()), (Some(0), 0), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("cores,events\n1,{events}\n"));
    let ran = run_with_stdin(&["query", "--csv", sql, "-"], &fs::read(&input).unwrap());
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), format!("cores,events\n1,{events}\n"));
    // Cores of one target, and a part of a recording.
    let cores = ["core0.bin@0", "core1.bin@1"].map(|name| folder.path(name));
    let ran = run(&["query", "--csv", "SELECT cores FROM recordings", &cores[0], &cores[1]]);
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "cores\n2\n");
    let part = run(&["query", "--csv", "--to", "10ms", sql, &input]);
    let part = String::from_utf8(part.stdout).unwrap();
    let part: usize = part.trim_end().rsplit(',').next().unwrap().parse().unwrap();
    assert!(0 < part && part < events, "{part}");
    // An error leaves no part of a file, and no recording is lost.
    let fails = "SELECT sum(9223372036854775807) FROM events";
    assert_fails(&run(&["query", "-o", &folder.path("new"), fails, &input]), 2, &["overflow"]);
    assert!(!Path::new(&folder.path("new")).exists());
    assert_fails(&run(&["query", "-o", &input, sql, &input]), 2, &["is the recording itself"]);
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
    let query = |more: &[&str]| {
        let ran = run(&[&["query", "--csv", sql][..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        String::from_utf8(ran.stdout).unwrap()
    };
    let (name, value) = COUNTER;
    let explained = format!("text\n{TEXT}\n{name}={value}\n");
    assert_eq!(query(&["--elf", &elf, &input]), explained);
    assert!(query(&[&input]).contains(UNKNOWN));
    let stats = |more: &[&str]| {
        let ran = run(&[&["stats", "--json", &input][..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let stats: Value = serde_json::from_slice(&ran.stdout).unwrap();
        stats["values"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect()
    };
    let names: Vec<Value> = stats(&["--elf", &elf]);
    assert_eq!(names, [Value::from(name)]);
    assert!(stats(&[]).is_empty());

    #[cfg(feature = "parquet")]
    {
        let fleet = folder.path("fleet");
        let ran = run(&["ingest", "--elf", &elf, &fleet, &input]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
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

#[test]
fn mistakes_show_their_place() {
    let folder = with_examples("query-mistakes");
    let missing = folder.path("missing.bin");
    // Before the recording is read.
    let ran = run(&["query", "SELECT nz\nFROM events", &missing]);
    let text = "SELECT nz\n       ^\nerror: no such column: nz; did you mean ns? columns of events: recording, ns";
    assert_fails(&ran, 2, &[text]);
    let ran = run(&["query", "SELECT ns FROM event", &missing]);
    assert_fails(
        &ran,
        2,
        &["               ^\nerror: no such table: event; did you mean events? tables:"],
    );
    let new = folder.path("new");
    let attach = format!("ATTACH '{new}' AS x");
    assert_fails(&run(&["query", &attach, &missing]), 2, &["a query reads the tables"]);
    assert!(!Path::new(&new).exists());
    assert_fails(&run(&["query", "SELECT 1", &missing]), 2, &["missing.bin"]);
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

/// A question may begin with a comment.
#[test]
fn a_question_may_begin_with_a_hyphen() {
    let folder = Folder::new("query-comment");
    let input = folder.file("r.bin", &tband_recordings::vector("freertos_sim.bin"));
    let sql = "-- how many\nSELECT count(*) AS n FROM recordings";
    let ran = run(&["query", "--csv", sql, &input]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "n\n1\n");
    // Options after it are options.
    let ran = run(&["query", sql, "--csv", &input]);
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), "n\n1\n");
}
