//! `examples/crash`, stopped after each of its crashes: what `tband-cli extract` takes out of the memory, saved in each container or
//! read from the target itself, names function, file, line and callers as the sources have them.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tband_programs::{output, until};
use tband_tests::debugged::{at_on, running};
use tband_tests::library::library;
use tband_tests::{read, root, temp_dir};
use xtask::board::{Board, build_firmware};
use xtask::kernel;

/// The memory that is saved: all that the linker has put there, the ring of packets too.
const RAM: (u64, u64) = (0x2000_0000, 0x2005_0000);
const PSRAM: u64 = 0x2004_0000;

fn build(crash: &str, folder: &str) -> PathBuf {
    let example = root().join("examples/crash");
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let settings = [
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("CRASH={crash}"),
        "HALT=1".to_owned(),
        format!("TBAND_LIBRARY={}", library(Board::Mps2An386.triple()).display()),
        format!("CMAKE_EXE_LINKER_FLAGS=-Wl,--defsym=board_psram={PSRAM:#x}"),
    ];
    let build = root().join("target/test-qemu").join(folder);
    build_firmware(&example, &build, &example.join("cortex-m4f.cmake"), &settings)
        .unwrap_or_else(|error| panic!("{error:#}"));
    build.join("crash.elf")
}

/// The number of the line that has this text, in a file of the example.
fn line(file: &str, text: &str) -> usize {
    let source = read(root().join("examples/crash/src").join(file));
    source.lines().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}")) + 1
}

fn cli(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    let ran = output(command.args(args).current_dir(folder)).expect("tband-cli runs");
    let printed = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(!printed.contains("panicked"), "{printed}");
    (ran.status.code(), String::from_utf8_lossy(&ran.stdout).into_owned(), printed)
}

/// Stops the program after its crash, and saves the memory in each container.
fn saved(elf: &Path, folder: &Path) {
    let (from, to) = RAM;
    let mut commands: Vec<String> =
        [("binary", "ram.bin"), ("ihex", "ram.hex"), ("srec", "ram.srec")]
            .iter()
            .map(|(kind, name)| format!("dump {kind} memory {name} {from:#x} {to:#x}"))
            .collect();
    commands.push("monitor dump-guest-memory ram.core".to_owned());
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let printed = at_on(Board::Mps2An386, elf, folder, "ending_halted", &commands);
    let core = fs::read(folder.join("ram.core")).unwrap_or_else(|_| panic!("{printed}"));
    // In the form of ESP-IDF's partition: length, version, and unused fields.
    let total = 24 + core.len() + 4;
    let header = [total as u32, 0x0102, 0, 0, 0, 0].map(u32::to_le_bytes).concat();
    fs::write(folder.join("ram.esp"), [header, core, vec![0; 4]].concat()).expect("a file");
}

/// The last lines of `check`: the callers, outermost first, and the crash.
fn explained(folder: &Path, image: &[&str]) -> (Vec<String>, String) {
    let _ = fs::remove_file(folder.join("left.bin"));
    let args = [&["extract", "-o", "left.bin", "--elf", "crash.elf"], image].concat();
    let (code, _, printed) = cli(folder, &args);
    assert_eq!(code, Some(0), "{image:?}: {printed}");
    let (code, checked, _) = cli(folder, &["check", "left.bin"]);
    assert_eq!(code, Some(0), "{image:?}: {checked}");
    let last = checked.lines().last().expect("a line").to_owned();
    // Who extracts sees it at once.
    assert!(printed.lines().any(|line| line.ends_with(&last)), "{printed}");
    let callers = checked.lines().filter_map(|line| line.strip_prefix("  called by "));
    (callers.map(str::to_owned).collect(), last)
}

const IMAGES: [&[&str]; 5] = [
    &["--base", "0x20000000", "ram.bin"],
    &["ram.hex"],
    &["ram.srec"],
    &["ram.core"],
    &["ram.esp"],
];

#[test]
fn each_crash_is_explained_out_of_each_container() {
    let table = read(root().join("examples/crash/README.md"));
    let step = |text: &str| format!("filter_step (filter.c:{})", line("filter.c", text));
    let sensor = format!("sensor (main.c:{})", line("main.c", "filter_step(sample"));
    let stack = "state += median_of(16)";
    let recursion =
        format!("median_of (filter.c:{}), 16 times", line("filter.c", "return median_of"));
    let innermost = format!("median_of (filter.c:{})", line("filter.c", "vTaskDelay(1);"));
    let hook = line("ending.c", "tband_fault_malloc_failed();");
    for (kind, place, callers) in [
        ("null-call", "no code of the program".to_owned(), vec![&step("on_overrun();"), &sensor]),
        ("bus-error", step("state += *peripheral;"), vec![&sensor]),
        ("unaligned", step("two words at once"), vec![&sensor]),
        ("assert", step("configASSERT(state > LIMIT)"), vec![&sensor]),
        (
            "stack-overflow",
            "vTaskDelay (tasks.c:".to_owned(),
            vec![&innermost, &recursion, &step(stack), &sensor],
        ),
        (
            "malloc",
            format!("vApplicationMallocFailedHook (ending.c:{hook})"),
            vec![&step("pvPortMalloc(100U"), &sensor],
        ),
        (
            "watchdog",
            format!("wait_for_device (filter.c:{})", line("filter.c", "while (ready == 0U)")),
            vec![&sensor],
        ),
    ] {
        let folder = temp_dir();
        let elf = folder.path().join("crash.elf");
        fs::copy(build(kind, "crashed"), &elf).expect("a program");
        saved(&elf, folder.path());
        let row = table.lines().find(|line| line.starts_with(&format!("| `{kind}` |")));
        let begins = row.and_then(|row| row.rsplit('`').nth(1)).unwrap_or_else(|| panic!("{kind}"));
        for image in IMAGES {
            let (called_by, last) = explained(folder.path(), image);
            println!("{kind}: {last}, {called_by:?}");
            assert!(last.starts_with(begins), "{kind}: {last} is not {begins}");
            assert!(last.contains(&format!(" in {place}")), "{kind}: {last} is not in {place}");
            assert!(last.contains(", task sensor, stack "), "{kind}: {last}");
            let mut from = called_by.iter().rev();
            for caller in &callers {
                assert!(from.any(|it| it == *caller), "{kind}: {caller} is not in {called_by:?}");
            }
            assert_eq!(from.next(), None, "{kind}: a task has no caller");
        }
        // A recording from another source: with the place of the crash, but without its callers.
        let args = ["extract", "-o", "without.bin", "--base", "0x20000000", "ram.bin"];
        assert_eq!(cli(folder.path(), &args).0, Some(0));
        let (_, without, _) = cli(folder.path(), &["check", "without.bin"]);
        assert!(
            without.lines().last().is_some_and(|last| last.contains(" at pc 0x0")),
            "{without}"
        );
        let (code, with, printed) =
            cli(folder.path(), &["check", "--elf", "crash.elf", "without.bin"]);
        // The metadata stream is not in it, which is a loss.
        assert!(
            code == Some(1) && with.contains(&format!(" in {place}")),
            "{kind}: {with}{printed}"
        );
    }
}

/// A target that a probe has stopped after its crash, or is about to.
#[test]
fn a_crash_is_explained_out_of_the_target_itself() {
    let folder = temp_dir();
    let elf = folder.path().join("crash.elf");
    fs::copy(build("bus-error", "crashed-bus-error"), &elf).expect("a program");
    let (_qemu, port) = running(Board::Mps2An386, &elf, folder.path(), &[]);
    let source = format!("gdb:127.0.0.1:{port}");
    let place = format!("filter_step (filter.c:{})", line("filter.c", "state += *peripheral;"));
    let printed = until(|| {
        let args = ["extract", "-o", "left.bin", "--elf", "crash.elf", &source];
        let (_, _, printed) = cli(folder.path(), &args);
        // The probe may stop it in its handler, which has not stored all of the crash yet.
        let is_stored = printed.contains("HardFault") && !printed.contains("did not end");
        is_stored.then_some(printed)
    });
    let last = printed.lines().last().expect("a line");
    assert!(last.contains("bus error at 0x60000000") && last.contains(&place), "{printed}");
    assert!(printed.contains("called by sensor (main.c:"), "{printed}");
}
