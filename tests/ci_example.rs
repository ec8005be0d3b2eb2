//! `examples/ci`: the real kernel in QEMU with a mistake built in, and with a change beside it that is in order. `assert` names the rule
//! and the reason, and `why` the task, the lock and what to do.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::Value;
use tband_programs::output;
use tband_tests::library::library;
use tband_tests::{root, temp_dir};
use xtask::board::{Board, build_firmware, run_firmware};
use xtask::kernel;

const BOARD: Board = Board::Mps2An386;
/// A tick of the board's timer, in ns.
const TICK: i64 = 40;
const NEAR_MISSES: [&str; 4] =
    ["none", "work-within-bound", "contended-mutex", "counted-notifications"];
const MISTAKES: [&str; 3] = ["longer-work", "no-inheritance", "lost-notification"];

fn example() -> PathBuf {
    root().join("examples/ci")
}

fn settings(variant: &str) -> Vec<String> {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    vec![
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("TBAND_LIBRARY={}", library(BOARD.triple()).display()),
        format!("TBAND_CLI={}", env!("CARGO_BIN_EXE_tband-cli")),
        format!("VARIANT={variant}"),
    ]
}

/// The programs, built one after the other in one folder.
fn programs() -> &'static BTreeMap<&'static str, PathBuf> {
    static PROGRAMS: OnceLock<BTreeMap<&'static str, PathBuf>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let build = root().join("target/test-qemu/ci");
        let all = NEAR_MISSES.into_iter().chain(MISTAKES);
        let built = all.map(|variant| {
            build_firmware(&example(), &build, &BOARD.toolchain(root()), &settings(variant))
                .unwrap_or_else(|error| panic!("{error:#}"));
            let elf = build.join(format!("{variant}.elf"));
            fs::copy(build.join("ci.elf"), &elf).expect("a program");
            (variant, elf)
        });
        built.collect()
    })
}

fn recorded(variant: &str) -> Vec<u8> {
    let folder = temp_dir();
    run_firmware(BOARD.emulator(), &programs()[variant], folder.path(), None)
        .unwrap_or_else(|error| panic!("{variant}: {error:#}"));
    fs::read(folder.path().join("trace.bin")).expect("the recording")
}

/// The recording of each.
fn recordings() -> &'static BTreeMap<&'static str, Vec<u8>> {
    static RECORDINGS: OnceLock<BTreeMap<&'static str, Vec<u8>>> = OnceLock::new();
    RECORDINGS.get_or_init(|| programs().keys().map(|it| (*it, recorded(it))).collect())
}

/// Runs a command with the recording, which is `trace.bin` in a folder that may have its own rules. Returns exit code and
/// stdout.
fn run(variant: &str, words: &[&str], rules: Option<&str>) -> (Option<i32>, String) {
    let folder = temp_dir();
    fs::write(folder.path().join("trace.bin"), &recordings()[variant]).expect("a file");
    let of_example = fs::read_to_string(example().join("rules.toml")).expect("rules");
    let rules = rules.map_or(of_example, |it| format!("version = 1\nrule = [\n{it}\n]\n"));
    fs::write(folder.path().join("rules.toml"), rules).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    let ran = output(command.args(words).current_dir(folder.path())).expect("tband-cli runs");
    let printed = String::from_utf8_lossy(&ran.stderr);
    assert!(!printed.contains("panicked"), "{printed}");
    (ran.status.code(), String::from_utf8(ran.stdout).expect("text") + &printed)
}

fn assert_rules(variant: &str) -> (Option<i32>, String) {
    run(variant, &["assert", "rules.toml", "trace.bin"], None)
}

/// Each rule that is broken, as its line begins, with what follows up to the next one.
fn broken(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with("FAIL") {
            found.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
        } else if let (Some(last), true) = (found.last_mut(), line.starts_with("  ")) {
            *last += &format!("\n{}", line.trim());
        }
    }
    found
}

#[test]
fn each_mistake_breaks_its_rules_and_names_the_reason() {
    for (variant, rules) in [
        (
            "longer-work",
            &[&["control: own <= 1 ms", "own work", "do: shorten the work of control"][..]][..],
        ),
        (
            "no-inheritance",
            &[
                &[
                    "control: response <= 2 ms",
                    "waited for bus, held by logger (priority 1)",
                    "do: make bus a mutex",
                ],
                &["control: inverted <= 100 us", "waited for bus, held by logger"],
            ],
        ),
        (
            "lost-notification",
            &[
                &["filter: rate >= 450 /s", "250 /s"],
                &[
                    "filter: merged <= 1",
                    ": 2 at ",
                    "do: do the work of all 2 notifications that filter took at once",
                ],
            ],
        ),
    ] {
        let (code, text) = assert_rules(variant);
        assert_eq!(code, Some(1), "{variant}: {text}");
        let broken = broken(&text);
        assert_eq!(broken.len(), rules.len(), "{variant}: {text}");
        for (line, texts) in broken.iter().zip(rules) {
            for text in *texts {
                assert!(line.contains(text), "{variant}: no {text:?} in {line}");
            }
        }
        assert!(text.contains(" 0 not judged"), "{variant}: {text}");
    }
}

#[test]
fn correct_recordings_pass() {
    for variant in NEAR_MISSES {
        let (code, text) = assert_rules(variant);
        assert_eq!(code, Some(0), "{variant}: {text}");
        assert!(text.contains("0 broken, 0 not judged"), "{variant}: {text}");
        let (code, text) = run(variant, &["check", "trace.bin"], None);
        assert_eq!(code, Some(0), "{variant}: {text}");
    }
}

#[test]
fn why_names_the_task_the_lock_and_what_to_do() {
    for (variant, task, texts) in [
        (
            "longer-work",
            "control",
            &["released by tick", "own work", "do: shorten the work of control, or move"][..],
        ),
        (
            "no-inheritance",
            "control",
            &[
                "waited for bus, held by logger (priority 1)",
                "logger was preempted by radio (priority 3)   <- priority inversion",
                "priority inversion: ",
                "do: make bus a mutex (xSemaphoreCreateMutex()): a binary semaphore does not lend",
            ],
        ),
        (
            "lost-notification",
            "filter",
            &[
                "released by notify from ADC, 2 merged",
                "do: do the work of all 2 notifications that filter took at once, or take them one by one",
            ],
        ),
    ] {
        let (code, text) = run(variant, &["why", task, "--worst", "1", "trace.bin"], None);
        assert_eq!(code, Some(0), "{variant}: {text}");
        for part in texts {
            assert!(text.contains(part), "{variant}: no {part:?} in {text}");
        }
    }
    // A correct program gets other advice.
    for (variant, task) in [("contended-mutex", "control"), ("counted-notifications", "filter")] {
        let (_, text) = run(variant, &["why", task, "--worst", "1", "trace.bin"], None);
        for part in ["make bus a mutex", "priority inversion", "merged", "notifications"] {
            assert!(!text.contains(part), "{variant}: {part:?} in {text}");
        }
    }
}

/// The worst value of a metric in a recording, and whether a rule with this bound holds.
fn judged(variant: &str, subject: &str, bound: &str) -> (i64, i64) {
    let rule = format!("  {{ {subject} = \"{bound}\" }},\n  {{ losses = \"= 0\" }},");
    let words = ["assert", "--json", "-", "rules.toml", "trace.bin"];
    let (code, text) = run(variant, &words, Some(&rule));
    let from = text.find('{').unwrap_or_else(|| panic!("{text}"));
    let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter::<Value>();
    let json = values.next().expect("JSON").expect("JSON");
    let results = json["results"].as_array().expect("results");
    let result = results.iter().find(|it| it["rule"] != "losses = 0").expect("a result");
    let value = result["value"].as_f64().unwrap_or_else(|| panic!("{text}"));
    (value as i64, code.expect("an exit code").into())
}

#[test]
fn a_bound_that_moves_by_a_tick_flips_the_result() {
    for (variant, subject) in [
        ("longer-work", "task = \"control\", own"),
        ("longer-work", "task = \"control\", response"),
        ("work-within-bound", "task = \"control\", own"),
        ("no-inheritance", "task = \"control\", response"),
        ("no-inheritance", "task = \"control\", inverted"),
        ("no-inheritance", "task = \"control\", locked"),
        ("contended-mutex", "task = \"control\", response"),
        ("contended-mutex", "lock = \"bus\", duration"),
        ("counted-notifications", "task = \"filter\", response"),
        ("lost-notification", "interrupt = \"ADC\", wake"),
    ] {
        let (worst, code) = judged(variant, subject, "<= 1 s");
        assert!(
            code == 0 && worst > 10 * TICK && worst % TICK == 0,
            "{variant}, {subject}: {worst}"
        );
        for (bound, expected) in [
            (format!("<= {worst} ns"), 0),
            (format!("<= {} ns", worst - TICK), 1),
            (format!("<= {} ns", worst + TICK), 0),
            (format!("< {worst} ns"), 1),
            (format!("< {} ns", worst + TICK), 0),
            (format!("0 ns .. {worst} ns"), 0),
            (format!("0 ns .. {} ns", worst - TICK), 1),
        ] {
            let (_, code) = judged(variant, subject, &bound);
            assert_eq!(code, expected, "{variant}, {subject} {bound}, worst {worst}");
        }
        // The least value, from the other side.
        let (least, code) = judged(variant, subject, ">= 0 ns");
        assert_eq!(code, 0, "{variant}, {subject}");
        assert_eq!(judged(variant, subject, &format!(">= {least} ns")).1, 0);
        assert_eq!(judged(variant, subject, &format!(">= {} ns", least + TICK)).1, 1);
    }
    // The step of these is one.
    for (bound, expected) in [("<= 2", 0), ("<= 1", 1), ("< 2", 1), ("= 2", 0)] {
        let (_, code) = judged("lost-notification", "task = \"filter\", merged", bound);
        assert_eq!(code, expected, "merged {bound}");
    }
}

/// The rules have no noise: a run is the same beside a load.
#[test]
fn each_run_gives_the_same_bytes_beside_a_load() {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        for variant in ["none", "no-inheritance"] {
            for _ in 0..3 {
                assert!(recorded(variant) == recordings()[variant], "{variant}");
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

/// The target `check`, as users and the script call it.
#[test]
fn one_command_builds_records_and_judges() {
    let folder = temp_dir();
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let check = |variant: &str, program: &str| {
        let mut command = Command::new(example().join("check.sh"));
        command.arg(variant).env("FREERTOS_KERNEL_PATH", &kernel).env("BUILD", folder.path());
        command.env("TBAND_CLI", program).env("TBAND_LIBRARY", library(BOARD.triple()));
        let ran = output(&mut command).expect("a shell");
        let text = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
        (ran.status.success(), text)
    };
    let program = env!("CARGO_BIN_EXE_tband-cli");
    let (is_ok, text) = check("none", program);
    assert!(is_ok && text.contains("0 broken, 0 not judged"), "{text}");
    let (is_ok, text) = check("no-inheritance", program);
    assert!(!is_ok && text.contains("do: make bus a mutex"), "{text}");
    let has = |name: &str, text: &str| {
        let all = fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        assert!(all.contains(text), "{name}: {all}");
    };
    has("results.xml", "<failure");
    has("results.xml", "control: response &lt;= 2 ms");
    has("results.sarif", "\"2.1.0\"");
    has("results.md", "held by logger");
    let (is_ok, text) = check("no-such-mistake", program);
    assert!(!is_ok && text.contains("pass one of"), "{text}");
}

/// The workflow names options and files that exist.
#[test]
fn the_workflow_fits_the_example() {
    let workflow = fs::read_to_string(example().join("timing.yml")).expect("the workflow");
    for (text, path) in [
        ("tband/host-cli", "host-cli"),
        ("tband/examples/mps2-board", "examples/mps2-board"),
        ("tband/examples/mps2-an386/cortex-m4f.cmake", "examples/mps2-an386/cortex-m4f.cmake"),
        ("rules.toml build/trace.bin", "examples/ci/rules.toml"),
    ] {
        assert!(workflow.contains(text) && root().join(path).exists(), "{text}");
    }
    for text in ["$GITHUB_STEP_SUMMARY", "upload-artifact", "upload-sarif", "--target record"] {
        assert!(workflow.contains(text), "{text}");
    }
    let lists = fs::read_to_string(example().join("CMakeLists.txt")).expect("the list");
    for name in workflow.split_whitespace().filter_map(|word| word.strip_prefix("-D")) {
        let name = name.split('=').next().unwrap_or_default();
        assert!(name.starts_with("CMAKE_") || lists.contains(&format!("set({name} ")), "{name}");
    }
    let command = workflow.split_once("tband-cli assert ").expect("a command").1;
    let command = command.split_once("\n\n").expect("its end").0;
    let command = command.replace("build/trace.bin", "trace.bin");
    let words: Vec<&str> = ["assert"].into_iter().chain(command.split_whitespace()).collect();
    let (code, text) = run("no-inheritance", &words, None);
    assert_eq!(code, Some(1), "{text}");
    let rules = fs::read_to_string(example().join("rules.toml")).expect("the rules");
    let broken = rules.lines().position(|line| line.contains("response = \"<= 2 ms\""));
    let line = 1 + broken.expect("the rule that this mistake breaks");
    assert!(text.contains(&format!("::error file=rules.toml,line={line},")), "{text}");
    assert!(Path::new(&example().join("check.sh")).exists());
}
