//! Every command with a recording of every recorder: each cell expects a figure or a name of the recording.

use std::fs;

use crate::support::*;

/// A recording, and what commands find in it.
struct Sample {
    /// Its file below the importers' recordings; the folder of a CTF trace.
    file: &'static str,
    /// Its options in each command.
    options: &'static [&'static str],
    /// How `check` names the recorder.
    recorder: &'static str,
    task: &'static str,
    /// All events, and those that are switches to a task.
    events: usize,
    switches: usize,
    /// Activations of the task.
    activations: usize,
    /// The exit code of what reads it.
    code: i32,
    kind: InputKind,
}

#[derive(Clone, Copy, PartialEq)]
enum InputKind {
    /// Its bytes have meaning while they come.
    Stream,
    /// It is one whole.
    Whole,
    /// The folder of a CTF trace.
    Folder,
}

const fn sample(
    (file, options): (&'static str, &'static [&'static str]),
    (recorder, task): (&'static str, &'static str),
    (events, switches, activations): (usize, usize, usize),
    kind: InputKind,
) -> Sample {
    Sample { file, options, recorder, task, events, switches, activations, code: 0, kind }
}

const RATE: &[&str] = &["--tick-rate", "1M"];

/// A recording of each recorder; tband's own is the one that others are compared with.
fn samples() -> Vec<Sample> {
    use InputKind::{Folder, Stream, Whole};
    let lossy = |sample| Sample { code: 1, ..sample };
    vec![
        sample(("tband/packets.bin", &[]), ("whole", "Consumer"), (3651, 884, 266), Stream),
        sample(
            ("systemview/default.bin", &[]),
            ("SEGGER SystemView", "Consumer"),
            (3268, 449, 45),
            Stream,
        ),
        sample(
            ("percepio/4.11-stream.psf", &[]),
            ("Percepio TraceRecorder", "Consumer"),
            (4414, 930, 259),
            Stream,
        ),
        sample(
            ("percepio/4.11-ring-overwrite.bin", &[]),
            ("a ring buffer of 24576 bytes", "Consumer"),
            (1612, 329, 102),
            Whole,
        ),
        sample(
            ("percepio/4.10-snapshot.bin", &[]),
            ("a snapshot of format 7", "Consumer"),
            (780, 162, 15),
            Whole,
        ),
        sample(
            ("linux/ftrace.txt", &[]),
            ("text of Linux's scheduler events", "Consumer"),
            (2065, 584, 86),
            Stream,
        ),
        lossy(sample(("linux/perf.txt", &[]), ("(perf script)", "rv-cons"), (266, 87, 46), Stream)),
        sample(("flux/replay.recTr", &[]), ("flux 4", "Consumer"), (2508, 585, 86), Stream),
        sample(("qp/qs.bin", RATE), ("QS (QP 7.2.0", "Philo_inst[0]"), (1161, 60, 9), Stream),
        sample(("qp/rkh.bin", RATE), ("RKH trace", "blinky"), (767, 39, 41), Stream),
        sample(("ctf/barectf", &[]), ("barectf 3.2", "Consumer"), (2511, 585, 205), Folder),
        sample(("ctf1", &[]), ("CTF 1.8 (tband)", "Consumer"), (3650, 884, 266), Folder),
        sample(("ctf2", &[]), ("CTF 2 (tband)", "Consumer"), (3650, 884, 266), Folder),
    ]
}

impl Sample {
    /// Its path in a folder, where it is made.
    fn make(&self, folder: &Folder) -> String {
        if self.kind != InputKind::Folder {
            return folder.file(&self.file.replace('/', "-"), &imported(self.file));
        }
        let path = folder.path(&self.file.replace('/', "-"));
        if self.file.starts_with("ctf/") {
            fs::create_dir(&path).unwrap();
            for name in ["metadata", "stream"] {
                fs::write(format!("{path}/{name}"), imported(&format!("{}/{name}", self.file)))
                    .unwrap();
            }
            let page =
                concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/guide/viewing/ctf-traces.md");
            let page = fs::read_to_string(page).unwrap();
            let map = page.split_once("```toml\n").unwrap().1.split_once("```").unwrap().0;
            fs::write(format!("{path}/tband-map.toml"), map).unwrap();
        } else {
            let own = folder.file("of-trace.bin", &imported("tband/packets.bin"));
            run(&["conv", "--to", self.file, "-o", &path, &own]).assert_code(0);
        }
        path
    }
}

/// A recording in its folder, in one row of the matrix.
struct Row<'a> {
    folder: &'a Folder,
    sample: &'a Sample,
    path: &'a str,
    own: &'a str,
}

impl Row<'_> {
    /// Runs a command with the options of the recording. Gives its output, and messages after it.
    #[track_caller]
    fn runs(&self, code: i32, args: &[&str]) -> String {
        let ran = run(&[args, self.sample.options].concat());
        assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.stderr);
        ran.text() + &ran.stderr
    }

    #[track_caller]
    fn assert_prints(&self, args: &[&str], expected: &[&str]) {
        let text = self.runs(self.sample.code, args);
        for expected in expected {
            assert!(text.contains(expected), "{args:?}: no {expected} in\n{text}");
        }
    }

    #[track_caller]
    fn is_refused(&self, args: &[&str], expected: &[&str]) {
        let text = self.runs(2, args);
        for expected in expected {
            assert!(text.contains(expected), "{args:?}: no {expected} in\n{text}");
        }
    }

    fn events(&self) -> String {
        format!("{} events", self.sample.events)
    }
}

fn check(row: &Row<'_>) {
    row.assert_prints(&["check", row.path], &[row.sample.recorder, &row.events()]);
}

fn stats(row: &Row<'_>) {
    row.assert_prints(&["stats", row.path], &[row.sample.task]);
}

fn conv(row: &Row<'_>) {
    let out = row.folder.path("out.pftrace");
    row.assert_prints(&["conv", "-o", &out, row.path], &[&row.events()]);
    assert!(fs::metadata(out).unwrap().len() > 1000);
}

fn dump(row: &Row<'_>) {
    let text = row.runs(row.sample.code, &["dump", row.path]);
    let of = |name: &str| text.lines().filter(|line| line.contains(name)).count();
    assert_eq!(of(" task_switched_in "), row.sample.switches, "{}", row.path);
}

fn report(row: &Row<'_>) {
    let out = row.folder.path("out.html");
    row.assert_prints(&["report", "-o", &out, row.path], &[]);
    let page = fs::read_to_string(out).unwrap();
    let name = row.path.rsplit('/').next().unwrap();
    assert!(page.contains(row.sample.recorder) && page.contains(name), "{}", row.path);
}

/// With a recording of tband beside it, on either side.
fn compare(row: &Row<'_>) {
    for [first, second] in [[row.path, row.own], [row.own, row.path]] {
        let out = row.folder.path("pair.html");
        let args = ["report", "-o", &out, first, "--compare", second];
        // The frequency of the one would be wrong for the other. Without it the page shows both, and no differences.
        let ran = run(&args);
        assert!(matches!(ran.code, Some(0 | 1)), "{args:?}: {}", ran.stderr);
        let is_refused =
            ran.stderr.contains("its times cannot be compared: name it with --tick-rate");
        assert_eq!(is_refused, row.sample.options == RATE, "{args:?}: {}", ran.stderr);
        let page = fs::read_to_string(&out).unwrap();
        let name = row.path.rsplit('/').next().unwrap();
        assert!(page.contains(name) && page.contains("own.bin"), "{args:?}");
    }
}

fn why(row: &Row<'_>) {
    let Sample { task, activations, .. } = row.sample;
    let first = format!("{task}: {activations} activations, ");
    row.assert_prints(&["why", task, row.path], &[&first]);
}

#[cfg(feature = "query")]
fn query(row: &Row<'_>) {
    let sql = "SELECT count(*) AS n FROM events WHERE event = 'task_switched_in'";
    let rows = format!("n\n{}\n", row.sample.switches);
    row.assert_prints(&["query", "--csv", sql, row.path], &[&rows]);
}

/// A rule that holds, and one that does not. A name with brackets is the name.
#[cfg(feature = "query")]
fn assert(row: &Row<'_>) {
    let Sample { task, activations, code, .. } = row.sample;
    let rules = |bound: &str| {
        let text =
            format!("version = 1\nrule = [ {{ task = \"{task}\", count = \"{bound}\" }} ]\n");
        row.folder.file("rules.toml", text.as_bytes())
    };
    let holds = row.runs(*code, &["assert", &rules(">= 1"), row.path]);
    assert!(holds.contains(&format!("{task}: count >= 1")), "{holds}");
    let broken = row.runs(1, &["assert", &rules("<= 0"), row.path]);
    assert!(broken.contains(&format!("{task}: count <= 0  {activations} at ")), "{broken}");
}

#[cfg(feature = "query")]
fn diff(row: &Row<'_>) {
    let Sample { task, .. } = row.sample;
    let args = ["diff", "--all", "--subject", task, row.path];
    let args = [&args, row.sample.options, &["--", row.path]].concat();
    let ran = run(&args);
    let text = ran.text();
    // Losses do not change its exit code.
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
    assert!(text.contains("1 recording against 1") && text.contains(&format!("{task} ")), "{text}");
}

#[cfg(feature = "parquet")]
fn ingest(row: &Row<'_>) {
    let tables = row.folder.path("tables");
    let _ = fs::remove_dir_all(&tables);
    row.assert_prints(&["ingest", &tables, row.path], &["1 added, 0 there already, 0 failed"]);
    let again = row.runs(0, &["ingest", &tables, row.path]);
    assert!(again.contains("0 added, 1 there already"), "{again}");
    let sql = "SELECT count(*) AS n, min(file) AS f FROM events, recordings WHERE event = 'task_switched_in'";
    let name = row.path.rsplit('/').next().unwrap();
    let ran = run(&["query", "--csv", sql, &tables]);
    let rows = format!("n,f\n{},{name}\n", row.sample.switches);
    assert_eq!(ran.text(), rows, "{}", ran.stderr);
}

/// Of a file, and of one that is followed, if it is a stream.
fn top(row: &Row<'_>) {
    let once = ["top", "--once", "--window", "10ms", row.path];
    match row.sample.kind {
        InputKind::Folder => {
            let advice = format!(
                "is a CTF trace, whose streams top does not follow: see tband-cli stats {}",
                row.path
            );
            row.is_refused(&once, &[&advice]);
            row.is_refused(&[&once[..], &["--follow"]].concat(), &[&advice]);
            // One of its files is the same trace.
            let metadata = format!("{}/metadata", row.path);
            let text = format!("{metadata} is a CTF trace, whose streams top does not follow");
            row.is_refused(&["top", "--once", &metadata], &[&text]);
        }
        kind => {
            row.assert_prints(&once, &[row.sample.task, &row.events(), "ended"]);
            if kind == InputKind::Stream {
                let text = row.runs(row.sample.code, &[&once[..], &["--follow"]].concat());
                assert!(text.contains(row.sample.task) && text.contains(" s to "), "{text}");
            }
        }
    }
}

/// There is nothing to extract, except from what may be memory with packets in it.
fn extract(row: &Row<'_>) {
    let out = row.folder.path("extracted.bin");
    let args = ["extract", "-o", &out, row.path];
    let ran = run(&args);
    let (code, text) = match (row.sample.kind, row.path == row.own) {
        (_, true) => (0, "extracted.bin: 19109 bytes, at byte 0"),
        (InputKind::Folder, _) => (2, "is a folder: name the file with the memory in it"),
        _ => (2, "it is a recording of another recorder, which all other commands read as it is"),
    };
    assert_fails(&ran, code, &[text]);
}

#[test]
fn every_command_reads_a_recording_of_every_recorder() {
    let mut commands: Vec<fn(&Row<'_>)> =
        vec![check, stats, conv, dump, report, compare, why, top, extract];
    #[cfg(feature = "query")]
    commands.extend([query as fn(&Row<'_>), assert, diff]);
    #[cfg(feature = "parquet")]
    commands.push(ingest);
    let folder = Folder::new("matrix");
    let own = folder.file("own.bin", &imported("tband/packets.bin"));
    for sample in &samples() {
        let path =
            if sample.file.starts_with("tband/") { own.clone() } else { sample.make(&folder) };
        let row = Row { folder: &folder, sample, path: &path, own: &own };
        commands.iter().for_each(|command| command(&row));
    }
}
