//! Tables of recordings on the command line, queried by DuckDB. Tests in `tband-tables` check their contents.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::*;
use serde_json::Value;
use xtask::generate;
use xtask::setup::python;

/// Those that a recording has without `--parts`.
const TABLES: [&str; 14] = [
    "activations",
    "events",
    "findings",
    "heap",
    "holds",
    "interrupts",
    "levels",
    "load",
    "losses",
    "markers",
    "periods",
    "recordings",
    "states",
    "waits",
];

/// Runs a query in a folder; returns the rows as JSON.
fn ask(folder: &Folder, sql: &str) -> Vec<Value> {
    const SCRIPT: &str = "\
import duckdb, json, sys
asked = duckdb.execute(sys.argv[1])
names = [it[0] for it in asked.description]
print(json.dumps([dict(zip(names, row)) for row in asked.fetchall()], default=str))
";
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let python = python::USUAL.python(&root).unwrap_or_else(|error| panic!("{error:#}"));
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT, sql]).current_dir(&folder.0);
    let ran = finish(&mut command);
    assert_eq!(ran.code, Some(0), "{sql}: {}", ran.stderr);
    serde_json::from_value(ran.json()).unwrap()
}

fn lines(args: &[&str]) -> usize {
    run(args).text().lines().count()
}

#[test]
fn a_recording_is_a_folder_of_tables() {
    let folder = with_examples("tables");
    let input = folder.path("recording.bin");
    let out = folder.path("t");
    run(&["conv", "--output-format", "parquet", "-o", &out, &input]).assert_code(0);
    let listed = fs::read_dir(&out).unwrap().map(|it| it.unwrap().file_name());
    let mut names: Vec<_> = listed.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, TABLES.map(|table| format!("{table}.parquet")));
    let with_parts = folder.path("with-parts");
    let args = ["conv", "--output-format", "parquet", "--parts", "-o", &with_parts, &input];
    assert_eq!(run(&args).code, Some(0));
    let count = |sql: &str| ask(&folder, sql)[0]["n"].clone();
    let split =
        count("SELECT sum(ended_ns - released_ns) AS n FROM 'with-parts/activations.parquet'");
    assert_eq!(split, count("SELECT sum(end_ns - begin_ns) AS n FROM 'with-parts/parts.parquet'"));
    let refused = run(&["query", "SELECT * FROM parts", &out]);
    assert_fails(&refused, 2, &["has no table parts", "--parts"]);
    let events = lines(&["dump", &input]);
    let asked = ask(
        &folder,
        "SELECT count(*) AS n, count(DISTINCT event) AS kinds FROM 't/events.parquet'",
    );
    assert_eq!(asked[0]["n"], events);
    assert!(asked[0]["kinds"].as_u64().unwrap() > 5);
    let stats = run(&["stats", "--json", &input]).json();
    let begin = stats["start_ns"].as_i64();
    let asked = ask(&folder, "SELECT begin_ns, events FROM 't/recordings.parquet'");
    assert!(begin.is_none() || asked[0]["begin_ns"].as_i64() == begin, "{asked:?} {begin:?}");
    // Two files, and a part of a recording.
    let cores = ["core0.bin@0", "core1.bin@1"].map(|name| folder.path(name));
    let args = ["conv", "--output-format", "parquet", "-o"];
    run(&[&args[..], &[&folder.path("cores"), &cores[0], &cores[1]]].concat()).assert_code(0);
    let asked = ask(&folder, "SELECT cores FROM 'cores/recordings.parquet'");
    assert_eq!(asked[0]["cores"], 2);
    let by_hand = folder.file("by_hand.bin", &by_hand());
    let events = ["whole", "part"].map(|name| {
        let window = if name == "part" { &["--to", "20us"][..] } else { &[] };
        run(&[&args[..], &[&folder.path(name)], window, &[&by_hand]].concat()).assert_code(0);
        let asked = ask(&folder, &format!("SELECT count(*) AS n FROM '{name}/events.parquet'"));
        asked[0]["n"].as_u64().unwrap()
    });
    assert!(0 < events[1] && events[1] < events[0], "{events:?}");
}

#[test]
fn refused_exports_keep_existing_files() {
    let folder = with_examples("tables-refused");
    let input = folder.path("recording.bin");
    let there = folder.path("config");
    let args = ["conv", "--output-format", "parquet", "-o"];
    let with = |out: &str, more: &[&str]| run(&[&args[..], &[out], more, &[&input]].concat());
    assert_fails(&with(&there, &[]), 2, &["is not empty"]);
    assert_fails(&with("-", &[]), 2, &["cannot go to stdout"]);
    assert_fails(&with(&folder.path("new"), &["--gzip"]), 2, &["--gzip"]);
    assert_fails(&with(&folder.path("new"), &["--raw-events"]), 2, &["--raw-events"]);
    assert_fails(&run(&["conv", "--output-format", "parquet", &input]), 2, &["name it with -o"]);
    let damaged = folder.path("damaged.bin");
    let new = folder.path("new");
    let strict = [&args[..], &[&new, "--strict", &damaged]].concat();
    assert_fails(&run(&strict), 2, &["nothing is written"]);
    assert!(!Path::new(&new).exists());
    assert_fails(&run(&["ingest", &there, &input]), 2, &["which is not a table"]);
}

#[test]
fn many_recordings_are_one_question() {
    let folder = with_examples("ingest");
    let fleet = folder.path("fleet");
    let [good, damaged] = ["recording.bin", "damaged.bin"].map(|name| folder.path(name));
    let ran = run(&["ingest", "--device", "pump 7", "--date", "2026-11-24", &fleet, &good]);
    assert_eq!(
        (ran.code, ran.stderr.contains("1 added, 0 there already, 0 failed; 1 recording")),
        (Some(0), true),
        "{}",
        ran.stderr
    );
    // Failures are named, and the others are added; damage is reported as by the other commands.
    let missing = folder.path("missing.bin");
    let ran =
        run(&["ingest", "--jobs", "3", "--date", "2026-11-25", &fleet, &good, &missing, &damaged]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for text in [
        "missing.bin",
        "damaged.bin is not clean",
        "1 added, 1 there already, 1 failed; 2 recordings",
    ] {
        assert!(ran.stderr.contains(text), "{text}: {}", ran.stderr);
    }
    assert_fails(&run(&["ingest", &fleet, &missing]), 2, &["nothing was added"]);
    let asked = ask(
        &folder,
        "SELECT device, date::VARCHAR AS date, file, events FROM read_parquet('fleet/recordings/**/*.parquet', \
         hive_partitioning = true) ORDER BY date",
    );
    assert_eq!(asked[0]["device"], "pump 7");
    assert_eq!(asked[1]["device"], "unknown");
    assert_eq!(asked[1]["date"], "2026-11-25");
    assert_eq!(asked[0]["events"], lines(&["dump", &good]));
    // Every question of the guide has an answer.
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/guide/tables.md");
    let page = fs::read_to_string(page).unwrap();
    let questions: Vec<_> =
        page.split("```sql\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    assert!(questions.len() >= 3);
    for sql in questions {
        let rows = ask(&folder, sql);
        assert!(!rows.is_empty() || sql.contains("stack never used"), "{sql}");
    }
}

/// Writes recordings of about this size, and returns their paths.
fn generated(folder: &Folder, count: u64, size: u64) -> Vec<String> {
    let write = |seed| {
        let path = folder.path(&format!("{seed}.bin"));
        let options = generate::Options {
            size,
            cores: 1,
            seed,
            loss_every: 0,
            ..generate::Options::default()
        };
        generate::run(&options, None, Path::new(&path)).unwrap();
        path
    };
    (1..=count).map(write).collect()
}

/// Whenever it is killed, the next run adds the missing ones, and nothing is there twice.
#[cfg(unix)]
#[test]
fn ingest_is_killed_at_any_instant() {
    use tband_programs::{start, until};

    let folder = Folder::new("ingest-killed");
    let inputs = generated(&folder, 6, 60_000);
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let counted: usize = inputs.iter().map(|input| lines(&["dump", input])).sum();
    for table in TABLES {
        let fleet = folder.path("fleet");
        let args = [&["ingest", "--quiet", "--jobs", "2", &fleet], &inputs[..]].concat();
        let mut ingest = start(piped(&mut cli(&args))).unwrap();
        // As soon as one more table has a file.
        let table = Path::new(&fleet).join(table);
        until(|| (table.exists() || ingest.try_wait().unwrap().is_some()).then_some(()));
        if ingest.try_wait().unwrap().is_none() {
            signal(&ingest, "-KILL");
        }
        ingest.wait().unwrap();
        let ran = run(&[&["ingest", &fleet], &inputs[..]].concat()).assert_code(0);
        assert!(ran.stderr.contains("; 6 recordings"), "{}", ran.stderr);
        let asked = ask(
            &folder,
            "SELECT (SELECT count(*) FROM read_parquet('fleet/events/**/*.parquet')) AS events, \
             (SELECT sum(events) FROM read_parquet('fleet/recordings/**/*.parquet'))::BIGINT AS counted",
        );
        assert_eq!((&asked[0]["events"], &asked[0]["counted"]), (&counted.into(), &counted.into()));
        fs::remove_dir_all(&fleet).unwrap();
    }
}

/// Two programs add the same recordings at the same time, for another device: each recording is there once.
#[test]
fn two_programs_add_to_one_folder() {
    use tband_programs::start;

    let folder = Folder::new("ingest-twice");
    let inputs = generated(&folder, 4, 30_000);
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let fleet = folder.path("fleet");
    let programs = ["a", "b"].map(|device| {
        let args = [&["ingest", "--device", device, &fleet], &inputs[..]].concat();
        start(piped(&mut cli(&args))).unwrap()
    });
    let printed = programs.map(|program| {
        let ran = ran(program.output().unwrap()).assert_code(0);
        ran.stderr
    });
    let asked = ask(
        &folder,
        "SELECT count(*) AS files, count(DISTINCT recording) AS recordings FROM 'fleet/recordings/**/*.parquet'",
    );
    assert_eq!(
        (&asked[0]["files"], &asked[0]["recordings"]),
        (&4.into(), &4.into()),
        "{printed:?}"
    );
    for text in &printed {
        assert!(text.contains("; 4 recordings"), "{text}");
    }
}

#[test]
fn a_recording_of_another_device_stays_where_it_is() {
    let folder = with_examples("ingest-device");
    let (fleet, input) = (folder.path("fleet"), folder.path("recording.bin"));
    let ingest = |more: &[&str]| run(&[&["ingest"], more, &[&fleet, &input]].concat());
    assert_fails(&ingest(&["--device", ""]), 2, &["the device has no name"]);
    assert_fails(&ingest(&["--device", " "]), 2, &["the device has no name"]);
    assert!(!Path::new(&fleet).exists());
    let day = ["--date", "2026-11-24"];
    ingest(&[&["--device", "wrong 1"][..], &day].concat());
    let again = ingest(&["--device", "right"]);
    let there = "warning: recording.bin: there already, of device wrong 1, 2026-11-24";
    let there = there.replace("recording.bin", &input);
    assert!(again.stderr.contains(&there), "{}", again.stderr);
    // The files that it suggests to delete are all of them.
    let files = again.stderr.split("add it again: ").nth(1).unwrap().lines().next().unwrap();
    let mut deleted = 0;
    for table in TABLES {
        deleted += usize::from(fs::remove_file(files.replace('*', table)).is_ok());
    }
    assert_eq!(deleted, TABLES.len(), "{files}");
    assert!(ingest(&["--device", "right"]).stderr.contains("1 added"));
    // The same device causes no warning.
    let same = ingest(&["--device", "right"]);
    assert!(!same.stderr.contains("warning") && same.stderr.contains("1 there"), "{}", same.stderr);
}

/// Fields of events are few texts that recur often: a dictionary makes them a third of the size.
#[test]
fn fields_have_a_dictionary() {
    let folder = with_examples("tables-dictionary");
    let (input, out) = (folder.path("recording.bin"), folder.path("t"));
    run(&["conv", "--output-format", "parquet", "-o", &out, &input]);
    let asked = ask(
        &folder,
        "SELECT encodings FROM parquet_metadata('t/events.parquet') WHERE path_in_schema = 'fields'",
    );
    assert!(asked[0]["encodings"].as_str().unwrap().contains("DICTIONARY"), "{asked:?}");
}

/// DuckDB, on the files, has the same results as `assert`: each kind of rule, statement by statement.
#[test]
fn rules_have_the_same_results_in_duckdb() {
    let folder = with_examples("rules-duckdb");
    let out = folder.path("t");
    run(&["conv", "--output-format", "parquet", "-o", &out, &folder.path("before.bin")])
        .assert_code(0);
    let rules = "rule = [
  { task = \"*\", response = \"<= 2 ms\", start = \">= 1 us\", inverted = \"<= 1 ms\", own = \"10 us .. 1 ms\" },
  { task = \"filter\", response = \"<= 3 ms\", allow = \"1 of 50\" },
  { task = \"control\", response = { p99 = \"<= 1 ms\", median = \"<= 1 ms\", total = \"<= 1 s\" }, after_start = \"100 ms\" },
  { core = 0, load = \"<= 50 %\" },
  { core = \"*\", load = \"<= 50 %\", window = \"50 ms\" },
  { task = \"*\", load = \"<= 20 %\", window = \"50 ms\" },
  { task = \"*\", stack = \">= 128 B\", count = \"<= 100\" },
  { queue = \"samples\", level = \"<= 1\" },
  { interrupt = \"*\", duration = \"<= 20 us\", rate = \"<= 400 /s\", wake = \"<= 300 us\", load = \"<= 1 %\" },
  { interrupt = \"ADC\", count = \">= 30\", window = \"100 ms\" },
  { lock = \"*\", duration = \"<= 1 ms\" },
  { marker = \"save\", span = \"<= 1 ms\" },
  { task = \"*\", period = \"<= 5 ms\", release_jitter = \"<= 1 ms\" },
  { after = \"interrupt ADC begins\", expect = \"task filter runs\", within = \"500 us\" },
  { before = \"marker save begins\", never = \"task control runs\" },
  { never = \"interrupt SysTick begins\" },
  { heap_growth = \"<= 0 B\", losses = \"= 0\", gaps = \"= 0\" },
]
";
    folder.file("own.toml", rules.as_bytes());
    let explain = finish(cli(&["assert", "--explain", "own.toml"]).current_dir(&folder.0)).text();
    let views: String = TABLES
        .iter()
        .map(|name| {
            format!("CREATE VIEW {name} AS SELECT * FROM read_parquet('t/{name}.parquet');\n")
        })
        .collect();
    let (mut count, mut broken) = (0, 0);
    for sql in explain.split(";\n").filter(|sql| !sql.trim().is_empty()) {
        let own = finish(cli(&["query", "--json", sql, "before.bin"]).current_dir(&folder.0));
        assert_eq!(own.code, Some(0), "{sql}: {}", own.stderr);
        let own = own.text();
        let own: Vec<Value> = own.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let other = ask(&folder, &format!("{views}{sql}"));
        assert_eq!(own.len(), other.len(), "{sql}");
        assert!(!own.is_empty(), "{sql}");
        for (one, other) in own.iter().zip(&other) {
            for member in ["subject", "at_ns", "value", "whole", "judged", "cut", "broken", "close"]
            {
                // Sums are wider numbers in DuckDB, and come as texts or as numbers with a point.
                let number = |value: &Value| match value {
                    Value::String(text) => text.parse::<f64>().ok(),
                    value => value.as_f64(),
                };
                let is_same = match (number(&one[member]), number(&other[member])) {
                    (Some(one), Some(other)) => (one - other).abs() < 1e-9 * one.abs().max(1.0),
                    _ => one[member] == other[member],
                };
                // Of equal values any may be the worst.
                assert!(is_same || member == "at_ns", "{sql}: {member}: {one} {other}");
            }
            broken += u32::from(one["broken"] != 0);
        }
        count += 1;
    }
    assert_eq!(count, 29);
    assert!(broken > 15, "{broken}");
}
