//! Crashes whose registers and stack suggest a wrong function: `tband-cli extract` names only functions of the crash, and
//! reports unknown ones. The programs are `tests/qemu/misleading`, and `examples/crash` with changes in a debugger.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tband_programs::output;
use tband_tests::debugged::{archive, at, at_on, build_program};
use tband_tests::library::library;
use tband_tests::{root, run, temp_dir};
use xtask::board::{Board, build_firmware};
use xtask::kernel;

fn cli(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    let ran = output(command.args(args).current_dir(folder)).expect("tband-cli runs");
    let printed = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(!printed.contains("panicked"), "{printed}");
    (ran.status.code(), String::from_utf8_lossy(&ran.stdout).into_owned(), printed)
}

/// Returns the output of `check` about the crash in the recording that is taken out of `ram.core`: its line, and those before
/// it.
fn explained(folder: &Path, elf: &str) -> (String, Vec<String>) {
    let _ = fs::remove_file(folder.join("left.bin"));
    let (code, _, printed) = cli(folder, &["extract", "-o", "left.bin", "--elf", elf, "ram.core"]);
    assert_eq!(code, Some(0), "{printed}");
    let (code, checked, printed) = cli(folder, &["check", "left.bin"]);
    assert_eq!(code, Some(0), "{checked}{printed}");
    let mut lines: Vec<String> = checked.lines().map(str::to_owned).collect();
    let last = lines.pop().expect("a line");
    let from = lines.iter().rposition(|line| !line.starts_with("  ")).map_or(0, |it| it + 1);
    (last, lines.split_off(from))
}

/// A program that has crashed, with its memory.
fn built(number: u32, options: &str) -> tempfile::TempDir {
    built_with(number, options, &[])
}

/// Does the same with more files to link.
fn built_with(number: u32, options: &str, more: &[&str]) -> tempfile::TempDir {
    let folder = temp_dir();
    let sources = ["tests/qemu/misleading/main.c", "port/tband_fault_cortex_m.c"];
    let sources = [&sources[..], more].concat();
    let options = format!("{options} -g -DCRASH={number} -Wno-unused-function");
    let elf = build_program(folder.path(), &options, &archive(), &sources);
    let commands =
        ["monitor dump-guest-memory ram.core", "dump binary memory ram.bin 0x20000000 0x20010000"];
    let printed = at(&elf, folder.path(), "hold", &commands);
    assert!(folder.path().join("ram.core").is_file(), "{printed}");
    folder
}

fn crash(number: u32, options: &str) -> (String, Vec<String>) {
    let folder = built(number, options);
    let (last, lines) = explained(folder.path(), "debugged.elf");
    println!("{number}: {lines:#?} {last}");
    (last, lines)
}

const CPU: &str = "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -ffunction-sections -fdata-sections";
const UNKNOWN: &str = "  not known: callers before that: ";

#[test]
fn code_without_a_size_is_not_taken_for_its_caller() {
    for options in ["-O2", "-Os", "-O0"] {
        let (last, lines) = crash(1, options);
        let place = "in no function of known size, 2 bytes after the label copy_words";
        assert!(last.contains(" at pc 0x") && last.contains(place), "{last}");
        assert!(lines[0].starts_with(UNKNOWN), "{lines:?}");
        assert!(lines[1].starts_with("  called by perhaps main (main.c:"), "{lines:?}");
    }
}

#[test]
fn a_smashed_return_address_gives_no_caller() {
    let (last, lines) = crash(2, "-Os");
    assert!(last.contains(" at pc 0x41414140 in no code of the program"), "{last}");
    assert!(lines.len() == 1 && lines[0].starts_with(UNKNOWN), "{lines:?}");
}

#[test]
fn a_stale_lr_gives_no_caller() {
    let (last, lines) = crash(3, "-O2");
    assert!(last.contains(" at pc 0x30000000 in no code of the program"), "{last}");
    // The function that has jumped there has left no trace; its caller may have called another one.
    assert!(
        lines.iter().any(|it| it.starts_with("  called by perhaps main (main.c:")),
        "{lines:?}"
    );
    assert!(!lines.iter().any(|it| it.contains("helper")), "{lines:?}");
    // The same address, called.
    let (last, lines) = crash(4, "-O2");
    assert!(last.contains(" at pc 0x30000000 in no code of the program"), "{last}");
    assert!(lines.iter().any(|it| it.starts_with("  called by main (main.c:")), "{lines:?}");
}

#[test]
fn a_self_test_on_the_same_stack_is_not_a_caller() {
    for options in ["-O2", "-Os", "-O0"] {
        let (last, lines) = crash(5, options);
        assert!(last.contains(" in read_from (main.c:"), "{last}");
        assert!(!lines.iter().any(|it| it.contains("self_test")), "{lines:?}");
        assert!(lines[0].starts_with(UNKNOWN) && lines[0].contains("has changed"), "{lines:?}");
    }
}

#[test]
fn an_indirect_call_is_a_caller_perhaps() {
    let (last, lines) = crash(6, "-O2");
    assert!(last.contains(" in read_from (main.c:"), "{last}");
    let at = |text: &str| lines.iter().position(|it| it.starts_with(text));
    assert!(
        at("  called by perhaps dispatch (main.c:") < at("  called by measure (main.c:"),
        "{lines:?}"
    );
}

#[test]
fn a_function_that_was_jumped_to_has_the_caller_of_the_jump() {
    let (_, lines) = crash(7, "-O2");
    let called = |text: &str| lines.iter().any(|it| it.starts_with(&format!("  called by {text}")));
    assert!(called("measure (main.c:") && called("forwards_to (main.c:"), "{lines:?}");
}

/// What the firmware does after its recording changes words of the stack that no caller needs.
#[test]
fn later_arguments_do_not_affect_the_callers() {
    for options in ["-O2", "-O0"] {
        let (last, lines) = crash(8, options);
        assert!(last.contains(" in asserts (main.c:"), "{last}");
        let called =
            |text: &str| lines.iter().any(|it| it.starts_with(&format!("  called by {text}")));
        assert!(called("checks (main.c:") && called("main (main.c:"), "{lines:?}");
    }
}

/// The example, built with these options beside those of its CPU.
fn example(crash: &str, flags: &str, folder: &str) -> PathBuf {
    let example = root().join("examples/crash");
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let settings = [
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("CRASH={crash}"),
        "HALT=1".to_owned(),
        format!("TBAND_LIBRARY={}", library(Board::Mps2An386.triple()).display()),
        "CMAKE_BUILD_TYPE=None".to_owned(),
        format!("CMAKE_C_FLAGS={CPU} {flags}"),
        "CMAKE_EXE_LINKER_FLAGS=-Wl,--defsym=board_psram=0x20040000".to_owned(),
    ];
    let build = root().join("target/test-qemu").join(folder);
    build_firmware(&example, &build, &example.join("cortex-m4f.cmake"), &settings)
        .unwrap_or_else(|error| panic!("{error:#}"));
    build.join("crash.elf")
}

fn halted(elf: &Path, first: &str, commands: &[&str]) -> (String, Vec<String>) {
    let folder = temp_dir();
    let commands = [commands, &["monitor dump-guest-memory ram.core"]].concat();
    let printed = at_on(Board::Mps2An386, elf, folder.path(), first, &commands);
    assert!(folder.path().join("ram.core").is_file(), "{printed}");
    let found = explained(folder.path(), &elf.display().to_string());
    println!("{}, {printed}: {found:#?}", elf.display());
    found
}

/// The kernel saves the task's registers; the frames of `-O0` need r7 of these. An FPU frame is longer.
#[test]
fn a_stack_overflow_has_callers_with_any_frame_size() {
    let uses_fpu = root().join("tests/qemu/misleading/uses_fpu.h");
    let uses_fpu = format!("-O2 -g -include {}", uses_fpu.display());
    for (flags, folder) in [("-O0 -g", "misled-debug"), (uses_fpu.as_str(), "misled-fpu")] {
        let elf = example("stack-overflow", flags, folder);
        let (last, lines) = halted(&elf, "ending_halted", &[]);
        assert!(last.starts_with("stack overflow: sensor at pc 0x"), "{last}");
        let called =
            |text: &str| lines.iter().any(|it| it.starts_with(&format!("  called by {text}")));
        assert!(called("sensor (main.c:") && called("filter_step (filter.c:"), "{lines:?}");
    }
}

/// A crash that has destroyed what the kernel knows of its tasks is recorded all the same.
#[test]
fn a_destroyed_kernel_does_not_stop_the_handler() {
    let elf = example("bus-error", "-Os -g", "misled-kernel");
    for wild in ["0xdeadbeec", "0xa5a5a5a4", "0x20000001", "0"] {
        let set = format!("set var *(unsigned int *)&pxCurrentTCB = {wild}");
        let commands = ["break ending_halted", &set, "continue"];
        let (last, lines) = halted(&elf, "filter.c:45 if crash == BUS_ERROR", &commands);
        // Where the kernel's tick comes first, that uses it.
        let is_one = ["filter_step (", "xTaskIncrementTick ("].iter().any(|it| last.contains(it));
        assert!(last.starts_with("HardFault: ") && is_one, "{wild}: {last}");
        assert!(!last.contains(", stack "), "{wild}: {last}, {lines:?}");
    }
}

/// The kernel rounds the address of the last word down to 8 bytes, and a static stack may begin at any word.
#[test]
fn the_size_of_a_stack_is_right_wherever_it_begins() {
    let elf = example("bus-error", "-Os -g", "misled-kernel");
    let from = "set var pxCurrentTCB->pxStack = pxCurrentTCB->pxStack + 1";
    let to = "set var pxCurrentTCB->pxEndOfStack = (StackType_t *)(((unsigned int)(pxCurrentTCB->pxStack + 255)) & ~7U)";
    for (from, to) in [("print 0", "print 0"), (from, to)] {
        let commands = ["break ending_halted", from, to, "continue"];
        let (last, _) = halted(&elf, "filter.c:45 if crash == BUS_ERROR", &commands);
        assert!(last.ends_with(" of 1024 bytes left"), "{last}");
    }
}

/// Debug info is often compressed, or in separate files.
#[test]
fn debug_info_is_found_wherever_it_is() {
    let place = " in read_from (main.c:";
    for options in ["-O2 -gz", "-O2 -gsplit-dwarf", "-O2 -gdwarf-4 -gsplit-dwarf"] {
        let (last, lines) = crash(6, options);
        assert!(last.contains(place), "{options}: {last}");
        assert!(lines.iter().any(|it| it.starts_with("  called by measure (main.c:")), "{lines:?}");
    }
    // GCC 13 and later compress with zstd too (`-gz=zstd`).
    let folder = built(6, "-O2");
    for elf in fs::read_dir(folder.path()).expect("a folder").flatten() {
        if elf.path().extension().is_some_and(|it| it == "elf") {
            let mut pack = Command::new("arm-none-eabi-objcopy");
            run(pack.arg("--compress-debug-sections=zstd").arg(elf.path()));
        }
    }
    let (last, lines) = explained(folder.path(), "debugged.elf");
    assert!(last.contains(place), "{last}");
    assert!(lines.iter().any(|it| it.starts_with("  called by measure (main.c:")), "{lines:?}");
    // Without that file the symbols have the function, and the line is missed.
    let folder = built(6, "-O2 -gsplit-dwarf");
    for entry in fs::read_dir(folder.path()).expect("a folder").flatten() {
        if entry.path().extension().is_some_and(|it| it == "dwo") {
            fs::remove_file(entry.path()).expect("a file");
        }
    }
    let (last, lines) = explained(folder.path(), "debugged.elf");
    assert!(last.contains(" in read_from"), "{last}");
    let missing = lines.iter().find(|it| it.starts_with("  not known: ")).expect("a line");
    assert!(missing.contains("files and lines: ") && missing.contains(".dwo"), "{missing}");
}

/// The part of the program that is in Rust, as a static library with debug info.
fn rust_part() -> PathBuf {
    let target = root().join("target/test-panics");
    let mut cargo = tband_tests::cargo();
    cargo.current_dir(root()).args(["build", "--quiet", "--locked", "-p", "tband-rust-panics"]);
    cargo.args(["--profile", "firmware", "--target", "thumbv7m-none-eabi", "--target-dir"]);
    run(cargo.arg(&target).env("CARGO_PROFILE_FIRMWARE_DEBUG", "2"));
    target.join("thumbv7m-none-eabi/firmware/libtband_rust_panics.a")
}

/// A panic is recorded with its file and line, and shown in the function that panics; so is what else Rust may end with.
#[test]
fn a_panic_in_rust_is_in_the_function_that_panics() {
    let part = rust_part().display().to_string();
    let source = tband_tests::read(root().join("tests/rust_panics/src/lib.rs"));
    let line = |text: &str| source.lines().position(|it| it.contains(text)).expect(text) + 1;
    for (way, function, text, message) in [
        (
            0,
            "pick",
            "the index is too large",
            "index out of bounds: the len is 3 but the index is 6",
        ),
        (1, "demand", "value.expect(", "a value was promised"),
        (2, "refuse", "panic!(", "no such value: 6"),
    ] {
        let options = format!("-O2 -DWAY={way}");
        let folder = built_with(9, &options, &[&part]);
        let (last, lines) = explained(folder.path(), "debugged.elf");
        println!("{way}: {lines:#?} {last}");
        let line = line(text);
        assert!(last.starts_with(&format!("panic: lib.rs:{line} at pc 0x")), "{last}");
        assert!(last.contains(&format!("{function} (lib.rs:{line})")), "{last}");
        assert!(lines.iter().any(|it| it.starts_with("  called by main (main.c:")), "{lines:?}");
        // The message is in records just before.
        let (_, dumped, _) =
            cli(folder.path(), &["dump", "--json", "--elf", "debugged.elf", "left.bin"]);
        let lines = dumped.lines().map(|it| serde_json::from_str::<Value>(it).expect("JSON"));
        let records = lines.filter(|it| it["event"] == "record");
        let pieces =
            records.filter_map(|it| Some(it["text"].as_str()?.strip_prefix("panic: ")?.to_owned()));
        assert_eq!(pieces.collect::<String>(), message, "{dumped}");
    }
    for (way, begin) in
        [(3, "failed assertion: assert.rs:77 at pc 0x"), (4, "fatal error: given up at pc 0x")]
    {
        let folder = built_with(9, &format!("-O2 -DWAY={way}"), &[&part]);
        let (last, _) = explained(folder.path(), "debugged.elf");
        assert!(last.starts_with(begin) && last.contains(" in rust_panics (lib.rs:"), "{last}");
    }
}

/// The program of another build, whose functions have moved, names nothing.
#[test]
fn another_build_gives_no_callers() {
    let folder = built(6, "-O2");
    let other = temp_dir();
    let sources = ["tests/qemu/misleading/main.c", "port/tband_fault_cortex_m.c"];
    let elf =
        build_program(other.path(), "-O2 -g -DCRASH=5 -Wno-unused-function", &archive(), &sources);
    fs::copy(&elf, folder.path().join("other.elf")).expect("a program");
    // Of this image flash is a part; of the other one RAM alone.
    let (code, _, printed) = cli(folder.path(), &["extract", "--elf", "other.elf", "ram.core"]);
    assert!(code == Some(2) && printed.contains("another program is in the target"), "{printed}");
    let args = ["extract", "-o", "x.bin", "--elf", "other.elf", "--base", "0x20000000", "ram.bin"];
    let (code, _, printed) = cli(folder.path(), &args);
    assert!(code == Some(2) && printed.contains("another program"), "{printed}");
    // A recording that came some other way.
    let args = ["extract", "-o", "own.bin", "--base", "0x20000000", "ram.bin"];
    assert_eq!(cli(folder.path(), &args).0, Some(0));
    let (_, own, _) = cli(folder.path(), &["check", "--elf", "debugged.elf", "own.bin"]);
    assert!(own.contains(" in read_from (main.c:"), "{own}");
    let (_, wrong, _) = cli(folder.path(), &["check", "--elf", "other.elf", "own.bin"]);
    let last = wrong.lines().last().unwrap_or_default();
    assert!(last.contains(" at pc 0x") && !last.contains(" in "), "{wrong}");
    assert!(wrong.contains("of another program than the one that crashed"), "{wrong}");
}
