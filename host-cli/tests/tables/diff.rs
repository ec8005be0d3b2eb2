//! Comparisons of two groups of recordings, by the command line.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tband_diff::{benjamini_hochberg, fisher_exact, mann_whitney};
use tband_format::Event::*;
use tband_recordings::{Recording, str};
use xtask::setup::python;

use crate::support::*;

/// Numbers with a seed, below `most`.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// Content of a recording.
#[derive(Clone, Copy)]
struct Run {
    seed: u64,
    /// Ticks that the task `control` works for, on average.
    work: u64,
    /// The name of the second task.
    second: &'static str,
    build: &'static str,
    /// The second task misses a period.
    misses: bool,
}

const RUN: Run = Run { seed: 1, work: 10_000, second: "filter", build: "1.4.2", misses: false };

/// A recording with the ticks of a 25 MHz timer: two tasks that wait until a tick, 60 times.
fn recording(run: Run) -> Vec<u8> {
    const TICK: u64 = 25_000;
    let mut numbers = Numbers(run.seed);
    // Each boot has a different speed.
    let speed = 980 + numbers.next(40);
    let mut recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 40 })
        .meta(TaskName { task_id: 1, name: str("IDLE") })
        .meta(TaskIsIdleTask { task_id: 1, core_id: 0 })
        .meta(TaskName { task_id: 2, name: str("control") })
        .meta(TaskName { task_id: 3, name: str(run.second) })
        .meta(BuildId { id: str(run.build) })
        .at(0, TaskSwitchedIn { task_id: 1 });
    let mut tick = 5_u32;
    for round in 0..60 {
        let mut ts = u64::from(tick) * TICK;
        for (task_id, work) in [(2, run.work), (3, 5_000)] {
            if run.misses && task_id == 3 && round == 31 {
                continue;
            }
            recording = recording.at(ts, TaskToRdyState { task_id });
            ts += 100 + numbers.next(10);
            let next = tick + if run.misses && task_id == 3 && round == 30 { 10 } else { 5 };
            recording = recording.at(ts, TaskSwitchedIn { task_id });
            ts += work * speed / 1000 + numbers.next(work / 20);
            recording = recording.at(ts, CurtaskDelayUntil { time_to_wake: next });
            ts += 50;
            recording = recording.at(ts, TaskSwitchedIn { task_id: 1 });
            ts += 10;
        }
        tick += 5;
    }
    recording.0
}

/// Writes a group of recordings, and returns their names.
fn group(folder: &Folder, prefix: &str, count: u64, run: Run) -> Vec<String> {
    let first = run.seed * 1000;
    (0..count)
        .map(|n| {
            let name = format!("{prefix}{n}.bin");
            folder.file(&name, &recording(Run { seed: first + n, ..run }));
            name
        })
        .collect()
}

fn diff(folder: &Folder, args: &[&str], a: &[String], b: &[String]) -> RunOutput {
    let mut all = vec!["diff"];
    all.extend(args);
    all.extend(a.iter().map(String::as_str));
    all.push("--");
    all.extend(b.iter().map(String::as_str));
    finish(cli(&all).current_dir(&folder.0))
}

#[track_caller]
fn text(ran: &RunOutput) -> String {
    String::from_utf8(ran.stdout.clone()).unwrap()
}

/// The rows of a comparison as JSON.
#[track_caller]
fn json(folder: &Folder, args: &[&str], a: &[String], b: &[String]) -> Value {
    diff(folder, &[&["--json", "-"][..], args].concat(), a, b).assert_code(0).json()
}

fn row<'v>(value: &'v Value, subject: &str, figure: &str) -> &'v Value {
    let rows = value["rows"].as_array().unwrap();
    rows.iter()
        .find(|row| row["subject"] == subject && row["figure"] == figure)
        .unwrap_or_else(|| panic!("no {subject} {figure} in {value}"))
}

#[test]
fn a_task_that_became_slower_is_found_alone() {
    let folder = Folder::new("diff-slower");
    let a = group(&folder, "a", 6, RUN);
    let b = group(&folder, "b", 6, Run { seed: 2, work: 12_500, build: "1.5.0", ..RUN });
    let ran = diff(&folder, &["--fail-on", "worse"], &a, &b);
    let shown = text(&ran);
    assert_eq!(ran.code, Some(1), "{shown} {}", ran.stderr);
    assert!(shown.starts_with("6 recordings against 6\nbuild: 1.4.2 against 1.5.0\n"), "{shown}");
    for line in shown.lines().filter(|line| line.starts_with("WORSE")) {
        assert!(line.contains("control") || line.contains("core 0"), "{shown}");
    }
    let value = json(&folder, &[], &a, &b);
    let response = row(&value, "control", "response median");
    assert_eq!(response["verdict"], "worse");
    let ratio = response["ratio"].as_f64().unwrap();
    assert!((1.2..1.3).contains(&ratio), "{response}");
    let interval = response["interval"].as_array().unwrap();
    assert!(interval[0].as_f64().unwrap() < 1.25 && interval[1].as_f64().unwrap() > 1.2);
    // Each value is that of the table.
    let sql = "SELECT quantile_disc(ended_ns - released_ns, 0.5) FROM activations WHERE task = 'control' AND begin_seen AND end_seen";
    let asked = finish(cli(&["query", "--csv", sql, "a0.bin"]).current_dir(&folder.0));
    let median: f64 = text(&asked).lines().nth(1).unwrap().parse().unwrap();
    let values = response["a"].as_array().unwrap();
    assert!(values.iter().any(|value| value.as_f64() == Some(median)), "{median} {values:?}");
    for (figure, subject) in [("response median", "filter"), ("own median", "filter")] {
        let verdict = &row(&value, subject, figure)["verdict"];
        assert!(verdict == "same" || verdict == "unclear", "{verdict}");
    }
    // In the opposite order it became better; a group and itself are the same.
    let back = json(&folder, &[], &b, &a);
    assert_eq!(row(&back, "control", "response median")["verdict"], "better");
    let itself = json(&folder, &[], &a, &a);
    assert_eq!(itself["verdicts"]["worse"], 0);
    assert_eq!(row(&itself, "control", "response median")["verdict"], "same");
    assert_eq!(
        itself["rows"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|it| it["p"] != 1.0 && !it["p"].is_null())
            .count(),
        0
    );
}

#[test]
fn few_recordings_have_sizes_and_no_verdict() {
    let folder = Folder::new("diff-few");
    let a = group(&folder, "a", 3, RUN);
    let b = group(&folder, "b", 3, Run { seed: 2, work: 20_000, ..RUN });
    let ran = diff(&folder, &["--fail-on", "worse"], &a, &b);
    let shown = text(&ran);
    assert_eq!(ran.code, Some(3), "{shown}");
    assert!(
        shown.contains("no verdict: 3 against 3 recordings; differences between runs"),
        "{shown}"
    );
    assert!(!shown.contains(" q "), "{shown}");
    // Two recordings need no --.
    let two = finish(cli(&["diff", "a0.bin", "b0.bin"]).current_dir(&folder.0));
    let shown = text(&two);
    assert_eq!(two.code, Some(0), "{}", two.stderr);
    assert!(shown.starts_with("1 recording against 1\n"), "{shown}");
    assert!(shown.contains("control  response median"), "{shown}");
    assert!(shown.contains("no verdict: one recording on each side; "), "{shown}");
}

#[test]
fn names_objects_without_a_counterpart() {
    let folder = Folder::new("diff-partner");
    let a = group(&folder, "a", 4, RUN);
    let b = group(&folder, "b", 4, Run { seed: 2, second: "mixer", ..RUN });
    let shown = text(&diff(&folder, &[], &a, &b));
    assert!(shown.contains("only in A: task filter\nonly in B: task mixer\n"), "{shown}");
    let value = json(&folder, &["--subject", "contr*"], &a, &b);
    assert_eq!(
        (value["only_in_a"].as_array().unwrap().len(), &value["only_in_b"]),
        (0, &Value::Array(vec![]))
    );
    assert!(value["rows"].as_array().unwrap().iter().all(|row| row["subject"] == "control"));
}

#[test]
fn missed_periods_are_counted_by_recording() {
    let folder = Folder::new("diff-missed");
    let a = group(&folder, "a", 6, RUN);
    let b = group(&folder, "b", 6, Run { seed: 2, misses: true, ..RUN });
    let value = json(&folder, &["--only", "missed"], &a, &b);
    let missed = row(&value, "filter", "missed periods");
    assert_eq!((&missed["verdict"], &missed["recordings"]), (&"worse".into(), &vec![0, 6].into()));
    assert_eq!(
        value["rows"].as_array().unwrap().iter().filter(|row| !row["p"].is_null()).count(),
        1
    );
}

/// Rules with relative bounds refer to A, and are judged by each recording of B.
#[test]
fn rules_are_judged_against_a() {
    let folder = Folder::new("diff-rules");
    let a = group(&folder, "a", 2, RUN);
    let b = group(&folder, "b", 2, Run { seed: 2, work: 12_500, ..RUN });
    folder.file(
        "rules.toml",
        b"rule = [{ task = \"control\", response = { median = \"<= +10 %\" } }]\n",
    );
    let ran = diff(&folder, &["--fail-on", "rules.toml"], &a, &b);
    assert_eq!(ran.code, Some(1), "{} {}", text(&ran), ran.stderr);
    assert!(text(&ran).contains("control: response"), "{}", text(&ran));
    let ran = diff(&folder, &["--fail-on", "rules.toml"], &a, &a);
    assert_eq!(ran.code, Some(0), "{} {}", text(&ran), ran.stderr);
    // Standard output only has JSON.
    let ran = diff(&folder, &["--json", "-", "--fail-on", "rules.toml"], &a, &b);
    assert_eq!(ran.code, Some(1));
    assert!(serde_json::from_slice::<Value>(&ran.stdout).is_ok(), "{}", text(&ran));
}

#[cfg(feature = "parquet")]
#[test]
fn folders_of_tables_are_groups() {
    let folder = Folder::new("diff-folders");
    let a = group(&folder, "a", 4, RUN);
    let b = group(&folder, "b", 4, Run { seed: 2, work: 12_500, ..RUN });
    for (tables, names) in [("old", &a), ("new", &b)] {
        for name in names {
            finish(cli(&["ingest", tables, name]).current_dir(&folder.0)).assert_code(0);
        }
    }
    let tables = json(&folder, &[], &["old".to_owned()], &["new".to_owned()]);
    let files = json(&folder, &[], &a, &b);
    for figure in ["response median", "own median", "load"] {
        let of_tables = row(&tables, "control", figure);
        assert_eq!(of_tables["ratio"], row(&files, "control", figure)["ratio"]);
        assert_eq!(of_tables["q"], row(&files, "control", figure)["q"]);
    }
    let ran = diff(&folder, &[], &["old".to_owned()], &["old".to_owned()]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("is in two of the folders"), "{}", ran.stderr);
}

/// The results of Python.
const CHECKED: &str = r#"
import itertools, json, sys
from scipy import stats
cases = json.load(open(sys.argv[1]))
for case in cases["groups"]:
    a, b = case["a"], case["b"]
    values = a + b
    if len(set(values)) == len(values):
        p = stats.mannwhitneyu(a, b, alternative="two-sided", method="exact").pvalue
    else:
        exact = stats.PermutationMethod(n_resamples=10 ** 6)
        p = stats.mannwhitneyu(a, b, alternative="two-sided", method=exact).pvalue
    u = stats.mannwhitneyu(b, a).statistic
    assert abs(p - case["p"]) < 1e-9, (case, p)
    assert abs(u - case["u"]) < 1e-9, (case, u)
for case in cases["tables"]:
    p = stats.fisher_exact(case["table"]).pvalue
    assert abs(p - case["p"]) < 1e-9, (case, p)
for case in cases["families"]:
    q = stats.false_discovery_control(case["p"])
    assert max(abs(x - y) for x, y in zip(q, case["q"])) < 1e-12, (case, q)
print(len(cases["groups"]), len(cases["tables"]), len(cases["families"]))
"#;

/// The statistics are those of SciPy.
#[test]
fn scipy_computes_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let python = python::USUAL.python(&root).unwrap_or_else(|error| panic!("{error:#}"));
    let mut numbers = Numbers(1);
    let mut groups = Vec::new();
    for round in 0..120 {
        // Few different values: ties.
        let most = if round % 3 == 0 { 5 } else { 1_000_000 };
        let mut values = || {
            let count = 2 + numbers.next(6);
            (0..count).map(|_| numbers.next(most) as f64).collect::<Vec<_>>()
        };
        let (a, b) = (values(), values());
        let found = mann_whitney(&a, &b).unwrap();
        groups.push(serde_json::json!({ "a": a, "b": b, "p": found.p, "u": found.u }));
    }
    let tables: Vec<_> = (0..200)
        .map(|_| {
            let all = (1 + numbers.next(12), 1 + numbers.next(12));
            let (a, b) = (numbers.next(all.0 + 1), numbers.next(all.1 + 1));
            let p = fisher_exact((a, all.0), (b, all.1));
            serde_json::json!({ "table": [[a, all.0 - a], [b, all.1 - b]], "p": p })
        })
        .collect();
    let families: Vec<_> = (0..50)
        .map(|_| {
            let count = 1 + numbers.next(30);
            let p: Vec<f64> = (0..count).map(|_| numbers.next(1000) as f64 / 1000.0).collect();
            serde_json::json!({ "p": p, "q": benjamini_hochberg(&p) })
        })
        .collect();
    let folder = Folder::new("diff-scipy");
    let cases = serde_json::json!({ "groups": groups, "tables": tables, "families": families });
    let path = folder.file("cases.json", cases.to_string().as_bytes());
    let ran = finish(Command::new(python).args(["-c", CHECKED, &path]));
    assert_eq!((ran.code, &*text(&ran)), (Some(0), "120 200 50\n"), "{}", ran.stderr);
}
