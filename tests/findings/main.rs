//! Findings of `check` in recordings of the real kernel: programs with a mistake, and similar programs in order.

#![cfg(unix)]

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use tband_programs::output;
use tband_tests::library::library;
use tband_tests::{root, temp_dir};
use xtask::board::{Board, build_firmware, run_firmware};
use xtask::kernel;

const PROGRAMS: &str = include_str!("program/programs.h");
const BOARD: Board = Board::Mps2An386;

/// The firmware with all programs.
fn firmware() -> &'static PathBuf {
    static FIRMWARE: OnceLock<PathBuf> = OnceLock::new();
    FIRMWARE.get_or_init(|| {
        let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
        let settings = [
            format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
            format!("TBAND_LIBRARY={}", library(BOARD.triple()).display()),
        ];
        let folder = root().join("target/test-qemu/findings");
        let source = root().join("tests/findings/program");
        build_firmware(&source, &folder, &BOARD.toolchain(root()), &settings)
            .unwrap_or_else(|error| panic!("{error:#}"));
        folder.join("findings.elf")
    })
}

/// The names of the programs, in the order of their numbers.
fn programs() -> Vec<&'static str> {
    let lines = PROGRAMS.lines().filter_map(|line| line.strip_prefix("PROGRAM("));
    lines.filter_map(|line| line.split_once(',')).map(|(name, _)| name).collect()
}

/// Runs a program and returns the findings of `check`, without remarks.
fn findings(program: &str) -> Vec<Value> {
    let number = programs().iter().position(|name| *name == program).expect("a program");
    let loader = format!("loader,addr=0x21FFFFF0,data={number},data-len=4");
    let emulator = format!("{} -device {loader}", BOARD.emulator());
    let folder = temp_dir();
    run_firmware(&emulator, firmware(), folder.path(), None)
        .unwrap_or_else(|error| panic!("{program}: {error:#}"));
    let mut check = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    check.args(["check", "--json", "trace.bin"]).current_dir(folder.path());
    let ran = output(&mut check).expect("tband-cli runs");
    let message = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{program}: {message}");
    let report: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    let all = report["highlights"].as_array().expect("a list").iter();
    all.filter(|it| it["certainty"] != "remark").cloned().collect()
}

/// Asserts which findings a program has, in the order of the guide.
fn assert_findings(program: &str, expected: &[&str]) -> Vec<Value> {
    let found = findings(program);
    let mut ids: Vec<_> = found.iter().filter_map(|it| it["id"].as_str()).collect();
    ids.dedup();
    assert_eq!(ids, expected, "{program}: {found:#?}");
    found
}

/// Asserts that a mistake is found with these words, and which findings a similar program has.
fn assert_pair(id: &str, words: &[&str], near: &[&str]) {
    let name = id.replace('-', "_");
    let found = assert_findings(&format!("{name}_fires"), &[id]);
    let text = found.iter().map(ToString::to_string).collect::<String>();
    for word in words {
        assert!(text.contains(word), "{id}: no {word} in {found:#?}");
    }
    assert_findings(&format!("{name}_near"), near);
}

macro_rules! pairs {
    ($($test:ident: $id:literal, $words:expr, $near:expr;)*) => {
        $(#[test]
        fn $test() {
            assert_pair($id, &$words, &$near);
        })*

        #[test]
        fn each_finding_has_a_program() {
            let tested = [$($id),*];
            assert_eq!(tested, tband_report::highlights::IDS);
            let names = tested.map(|id| id.replace('-', "_"));
            let all = names.iter().flat_map(|id| [format!("{id}_fires"), format!("{id}_near")]);
            assert_eq!(programs(), all.collect::<Vec<_>>());
        }
    };
}

pairs! {
    deadlock: "deadlock", ["left", "right"], ["lock-order"];
    lock_order: "lock-order", ["left takes a", "right takes b"], [];
    inversion: "inversion", ["waiter", "holder", "between"], [];
    missed_period: "missed-period", ["periodic"], [];
    late_ticks: "late-ticks", ["ticks"], [];
    starvation: "starvation", ["starved"], [];
    never_blocks: "never-blocks", ["busy"], [];
    busy_polling: "busy-polling", ["poller", "jobs"], [];
    interrupt_storm: "interrupt-storm", ["timer"], [];
    held_while_waiting: "held-while-waiting", ["holder", "waiter", "bus"], [];
    queue_full: "queue-full", ["jobs"], [];
    never_used: "never-used", ["jobs"], [];
    notification_lost: "notification-lost", ["receiver"], [];
    stack_low: "stack-low", ["deep", "124"], [];
    heap_leak: "heap-leak", ["leaky"], [];
    heap_fragmented: "heap-fragmented", ["an allocation of 8200 bytes by user failed"], ["heap-exhausted"];
    heap_exhausted: "heap-exhausted", ["an allocation of 26", "by user failed"], ["heap-fragmented"];
    timer_overload: "timer-overload", ["timer"], [];
}
