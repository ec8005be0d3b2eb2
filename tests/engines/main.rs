//! Questions to a fleet: each engine has the same answers, which are those that are known, and the notebook of
//! `examples/fleet` finds them.
//!
//! Spark takes more than a minute of processor time to start, so its test is left out unless it is asked for:
//! `cargo xtask test --engines` installs it and runs everything here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{fs, iter};

use serde_json::Value;
use tband_programs::output;
use tband_tests::{guide, read, root};
use xtask::generate::fleet::{
    self, BUILDS, DAYS, DEVICES, LOG_STACK, LOSES, OTHER_STACKS, Recording, USUAL_US, WRITES_US,
};
use xtask::setup::python::{Environment, SPARK, USUAL};

const QUESTIONS: [&str; 3] = ["latency", "stacks", "losses"];

fn example() -> PathBuf {
    root().join("examples/fleet")
}

/// A program of Python, by its path below the project's root.
fn python(environment: &Environment, program: &str) -> Command {
    let python = environment.python(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let mut command = Command::new(python);
    command.arg(root().join(program));
    command.env("TBAND_CLI", env!("CARGO_BIN_EXE_tband-cli"));
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("MPLBACKEND", "Agg");
    command
}

/// What a program prints.
#[track_caller]
fn printed(command: &mut Command) -> String {
    let ran = output(command).unwrap();
    assert!(ran.status.success(), "{command:?}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

struct Fleet {
    recordings: Vec<Recording>,
    tables: PathBuf,
    pictures: PathBuf,
}

/// Made once.
static FLEET: LazyLock<Fleet> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fleet");
    let _ = fs::remove_dir_all(&folder);
    let [recordings, tables, pictures] =
        ["recordings", "tables", "pictures"].map(|name| folder.join(name));
    fs::create_dir_all(&pictures).unwrap();
    let made = fleet::make(&recordings).unwrap_or_else(|error| panic!("{error:#}"));
    printed(python(&USUAL, "examples/fleet/ingest.py").arg(&recordings).arg(&tables));
    Fleet { recordings: made, tables, pictures }
});

/// The answers of an engine.
#[track_caller]
fn answers(environment: &Environment, engine: &str) -> Vec<Value> {
    let mut command = python(environment, "examples/fleet/engines.py");
    command.arg(engine).arg(&FLEET.tables);
    let files = QUESTIONS.map(|name| example().join("questions").join(name).with_extension("sql"));
    serde_json::from_str(&printed(command.args(files))).unwrap()
}

/// Those of `tband-cli query`.
fn own_answers() -> Vec<Value> {
    let answer = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
        let sql = read(example().join("questions").join(name).with_extension("sql"));
        let lines = printed(command.args(["query", "--json", &sql]).arg(&FLEET.tables));
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect()
    };
    QUESTIONS.map(answer).to_vec()
}

#[test]
fn engines_have_the_answers_that_are_known() {
    let own = own_answers();
    for engine in ["duckdb", "polars", "datafusion"] {
        assert_eq!(answers(&USUAL, engine), own, "{engine}");
    }
    let rows = |question: usize| own[question].as_array().unwrap();
    let found = |question: usize, build: &str, task: &str| {
        let mut found = rows(question).iter();
        found.find(|row| row["build_id"] == build && row["task"] == task).unwrap()
    };
    let us = |build: &str, task: &str| found(0, build, task)["p99_ns"].as_u64().unwrap() / 1000;
    assert_eq!(rows(0).len(), 2 * 3);
    assert!(us(BUILDS[0], "control") <= USUAL_US && us(BUILDS[1], "control") >= WRITES_US);
    assert!(us(BUILDS[1], "control") <= WRITES_US + USUAL_US);
    assert!(us(BUILDS[0], "comm") <= USUAL_US && us(BUILDS[1], "comm") <= USUAL_US);
    // It has become faster at the expense of the other.
    assert!(us(BUILDS[0], "log") > 600 && us(BUILDS[1], "log") <= USUAL_US);
    for (build, log) in iter::zip(BUILDS, LOG_STACK) {
        let stacks = [("control", OTHER_STACKS[0]), ("comm", OTHER_STACKS[1]), ("log", log)];
        for (task, bytes) in stacks {
            assert_eq!(found(1, build, task)["bytes_never_used"], bytes, "{build} {task}");
        }
    }
    let mut lost = BTreeMap::new();
    for recording in &FLEET.recordings {
        *lost.entry(recording.device).or_insert(0) += recording.lost;
    }
    assert!(lost.iter().all(|(device, lost)| (*lost > 0) == (*device == LOSES)), "{lost:?}");
    assert_eq!(rows(2).len(), DEVICES.len());
    for row in rows(2) {
        assert_eq!(row["recordings"], DAYS);
        assert_eq!(row["lost"], lost[row["device"].as_str().unwrap()]);
    }
}

#[test]
#[ignore = "Spark is NOT asked; `cargo xtask test --engines` installs it and runs this"]
fn spark_has_the_same_answers() {
    assert_eq!(answers(&SPARK, "spark"), own_answers());
}

#[test]
fn the_notebook_finds_them() {
    let mut command = python(&USUAL, "tests/engines/notebook.py");
    command.arg(example().join("fleet.ipynb")).arg(&FLEET.pictures);
    let lines = printed(command.env("TBAND_TABLES", &FLEET.tables));
    let values: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let builds = values[0].as_array().unwrap();
    let of_build = |build: &str| FLEET.recordings.iter().filter(|it| it.build == build).count();
    assert_eq!(builds.len(), BUILDS.len());
    for (row, build) in iter::zip(builds, BUILDS) {
        assert_eq!(
            (&row["build_id"], &row["recordings"]),
            (&build.into(), &of_build(build).into())
        );
    }
    assert_eq!(values[1], serde_json::json!(["control"]));
    // The task that has the CPU in the younger build.
    let worst = values[3].as_array().unwrap().iter().find(|row| row["build_id"] == BUILDS[1]);
    assert_eq!(worst.unwrap()["task"], "log");
    assert_eq!(values.last(), Some(&true.into()));
    let pictures: Vec<_> = fs::read_dir(&FLEET.pictures).unwrap().collect();
    assert_eq!(pictures.len(), 4);
    for picture in pictures {
        let picture = read(picture.unwrap().path());
        assert!(picture.contains("<svg") && picture.matches("<path").count() > 10);
    }
    // What it showed somewhere is not kept.
    let notebook: Value = serde_json::from_str(&read(example().join("fleet.ipynb"))).unwrap();
    for cell in notebook["cells"].as_array().unwrap().iter().filter(|it| it["cell_type"] == "code")
    {
        assert_eq!(
            (&cell["outputs"], &cell["execution_count"]),
            (&serde_json::json!([]), &Value::Null)
        );
    }
}

/// The guide's page on queries, whose blocks `tband-cli query` is asked, has the same.
#[test]
fn the_questions_are_those_of_the_guide() {
    let there = guide::blocks("tables/queries", "Questions to a fleet", "sql");
    let files =
        QUESTIONS.map(|name| read(example().join("questions").join(name).with_extension("sql")));
    assert_eq!(there, files);
}
