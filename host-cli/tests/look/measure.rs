//! `stats`, `check` and the filters of `dump`, on recordings whose content is known.

use std::fs;
use std::path::Path;

use crate::support::*;
use serde_json::Value;
use tband_format::{Event, Str};
use xtask::generate;

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn stats_are_as_approved_for_programs() {
    let folder = Folder::new("stats");
    let file = folder.file("r.bin", &by_hand());
    for (flag, name) in [("--json", "stats.json"), ("--csv", "stats.csv")] {
        let ran = run(&["stats", flag, &file]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        approved(golden(name), &text(ran.stdout));
    }
}

#[test]
fn the_time_of_each_core_adds_up() {
    let (zero, one) = (vector("mc_split.core0.bin"), vector("mc_split.core1.bin"));
    let json =
        run(&["stats", "--json", &format!("{zero}@0"), &format!("{one}@1")]).assert_code(0).json();
    assert_eq!(json["cores"].as_array().unwrap().len(), 2);
    for core in json["cores"].as_array().unwrap() {
        let part = |name: &str| core[name].as_i64().unwrap();
        let sum = part("task_ns") + part("idle_ns") + part("isr_ns") + part("unknown_ns");
        assert_eq!(sum, json["recording"]["length_ns"]);
        assert!((20..=40).contains(&core["load_over_time"].as_array().unwrap().len()));
    }
}

/// A terminal of the usual width shows each line completely, for any recording.
#[test]
fn no_line_is_wider_than_a_terminal() {
    let long =
        Str(b"a task with a name that is a good deal longer than names of tasks usually are");
    let folder = Folder::new("stats-width");
    let bytes = [by_hand(), frame(0, Event::TaskName { task_id: 2, name: long })].concat();
    let mut files = vec![folder.file("r.bin", &bytes)];
    files.extend(["freertos_sim.bin", "mc_split.core0.bin", "truncated.bin"].map(vector));
    for file in files {
        let ran = run(&["-q", "stats", "--all", &file]);
        let out = text(ran.stdout);
        assert!(out.starts_with("length"), "{file}");
        for line in out.lines() {
            assert!(line.chars().count() <= 80, "{file}: {line}");
        }
    }
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    for command in ["stats", "check"] {
        let mut command = cli(&[command, &vector("freertos_sim.bin")]);
        let mut program = start(piped(&mut command)).unwrap();
        program.close_stdout();
        let ran = ran(program.output().unwrap());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    }
}

#[test]
fn compressed_traces_are_whole_or_not_there() {
    let folder = Folder::new("gzip");
    let recording = vector("freertos_sim.bin");
    let plain = run(&["conv", "-o", "-", &recording]).stdout;
    let unzip = |bytes: &[u8]| {
        let mut text = Vec::new();
        let mut decoder = flate2::read::MultiGzDecoder::new(bytes);
        std::io::Read::read_to_end(&mut decoder, &mut text).map(|_| text)
    };
    let out = folder.path("t.pftrace.gz");
    assert_eq!(run(&["conv", "-o", &out, &recording]).code, Some(0));
    assert_eq!(unzip(&fs::read(&out).unwrap()).unwrap(), plain);
    let ran = run(&["conv", "--gzip", "--to", "perfetto", "-o", "-", &recording]);
    assert_eq!(unzip(&ran.stdout).unwrap(), plain);
    fs::remove_file(&out).unwrap();
    let ran = run(&["conv", "--strict", "-o", &out, &vector("truncated.bin")]);
    assert_fails(&ran, 2, &["--strict"]);
    assert!(folder.names().is_empty());
    // A full disk.
    if fs::exists("/dev/full").unwrap() {
        for args in [vec!["conv", "-o", "/dev/full"], vec!["conv", "--gzip", "-o", "/dev/full"]] {
            let ran = run(&[args, vec![&recording]].concat());
            assert_fails(&ran, 2, &["error: cannot write /dev/full: No space left"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_like_a_file() {
    let folder = Folder::new("pipe");
    let expected = run(&["conv", "-o", "-", &vector("freertos_sim.bin")]).stdout;
    let pipe = folder.path("pipe");
    assert_eq!(finish(std::process::Command::new("mkfifo").arg(&pipe)).code, Some(0));
    let bytes = fs::read(vector("freertos_sim.bin")).unwrap();
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::write(pipe, bytes)
    });
    assert_eq!(run(&["conv", "-o", "-", &pipe]).stdout, expected);
    writer.join().unwrap().unwrap();
}

/// The rows of `load` in the answer of `stats --json`: of each window of each core its begin, its end and the sum of times.
fn sums(answer: &Value) -> Vec<(i64, i64, i64)> {
    let mut sums: Vec<((u64, i64, i64), i64)> = Vec::new();
    for row in answer["load"].as_array().unwrap() {
        let number = |name: &str| row[name].as_i64().unwrap();
        let window = (row["core"].as_u64().unwrap(), number("begin_ns"), number("end_ns"));
        match sums.iter_mut().find(|(known, _)| *known == window) {
            Some((_, sum)) => *sum += number("time_ns"),
            None => sums.push((window, number("time_ns"))),
        }
    }
    sums.into_iter().map(|((_, begin, end), sum)| (begin, end, sum)).collect()
}

#[test]
fn the_load_over_time_adds_up_to_each_window() {
    let folder = Folder::new("load");
    let file = folder.file("r.bin", &by_hand());
    let stats = |every: &str| {
        let ran = run(&["stats", "--json", "--every", every, &file]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        serde_json::from_slice::<Value>(&ran.stdout).unwrap()
    };
    for (every, length, count) in [("7us", 7_000, 43), ("100us", 100_000, 3), ("1s", 1 << 40, 1)] {
        let answer = stats(every);
        let sums = sums(&answer);
        assert_eq!(sums.len(), count, "{sums:?}");
        let (start, end) = (sums[0].0, sums[count - 1].1);
        assert_eq!(end - start, answer["recording"]["length_ns"].as_i64().unwrap());
        for ((begin, until, sum), n) in sums.iter().zip(0..) {
            assert_eq!(*sum, until - begin, "{every}");
            assert_eq!((*begin, *until), (start + n * length, end.min(start + (n + 1) * length)));
        }
        let rows = answer["load"].as_array().unwrap();
        for (table, time) in [("tasks", "run_ns"), ("interrupts", "own_ns")] {
            for row in answer[table].as_array().unwrap() {
                let own = rows.iter().filter(|it| it["name"] == row["name"]);
                let sum: i64 = own.map(|it| it["time_ns"].as_i64().unwrap()).sum();
                assert_eq!(sum, row[time].as_i64().unwrap(), "{row}");
            }
        }
    }
}

/// Periods of `stats` are those of the table `periods`, which follows activations.
#[test]
fn periods_are_those_of_the_table() {
    let folder = with_examples("periods");
    for file in ["before.bin", "after.bin"] {
        let stats = finish(cli(&["stats", "--json", file]).current_dir(&folder.0)).json();
        let sql = "SELECT task, kind, how, period_ns, releases, missed, period_jitter_ns, release_jitter_ns FROM periods WHERE \
                   how IN ('nominal', 'found')";
        let ran = finish(cli(&["query", "--json", sql, file]).current_dir(&folder.0));
        let rows: Vec<Value> =
            text(ran.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found = stats["periods"].as_array().unwrap();
        assert_eq!(rows.len(), found.len(), "{rows:?} {found:?}");
        assert_eq!(rows.iter().filter(|row| row["how"] == "nominal").count(), 2);
        for row in &rows {
            let own =
                found.iter().find(|it| it["name"] == row["task"] && it["kind"] == row["kind"]);
            let own = own.unwrap_or_else(|| panic!("{row}: {found:?}"));
            if row["how"] == "found" && row["kind"] == "task" {
                // An item that comes while the task is busy releases an activation, but ends no wait.
                assert_eq!(row["period_ns"], own["period_ns"], "{row} {own}");
                let [all, ends] = [row, own].map(|it| it["releases"].as_i64().unwrap());
                assert!(ends <= all && all - ends <= all / 50, "{row} {own}");
                continue;
            }
            for (column, value) in row.as_object().unwrap() {
                let member = if column == "task" { "name" } else { column };
                assert_eq!(*value, own[member], "{column}: {row} {own}");
            }
            if row["how"] == "found" {
                continue;
            }
            let start = own["start_jitter_ns"].as_i64().unwrap();
            assert!(start > 0 && start < 200_000_000, "{own}");
        }
    }
}

/// Random programs have inversions, since their tasks take one lock, and no other mistake.
#[test]
fn random_programs_have_no_false_finding() {
    let folder = Folder::new("findings-random");
    for seed in 1..=10 {
        let file = folder.path("r.bin");
        let options = generate::Options {
            size: 200_000,
            seed,
            cores: 1 + u32::from(seed % 3 == 0),
            ..generate::Options::default()
        };
        generate::run(&options, None, Path::new(&file)).unwrap();
        let check = run(&["check", "--json", &file]).json();
        for it in check["highlights"].as_array().unwrap() {
            assert!(["inversion", "load"].contains(&it["id"].as_str().unwrap()), "{seed}: {it}");
        }
    }
}
