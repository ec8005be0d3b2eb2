//! Every hook of the kernel on a Cortex-M4F: the program of `tests/freertos_classes`, where the kernel's tick
//! handler and the interrupts are real exceptions.

use std::fs;
use std::sync::OnceLock;

use tband_tests::{read, root, temp_dir};
use xtask::board::{Board, run_firmware};
use xtask::kernel;

use crate::{archive, build_firmware, build_folder};
use tband_tests::class_check::{CLASSES, Run, compare};
use tband_tests::class_tests;
use tband_tests::packets::{as_frames, assert_begin_with_state};

/// Builds the program in a separate folder, with settings for CMake, and runs it. Returns the recording, and the program's log.
fn run_with(name: &str, settings: &[String]) -> (Vec<u8>, String) {
    let board = Board::Mps2An386;
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let mut all = vec![
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("TBAND_LIBRARY={}", archive(board).display()),
    ];
    all.extend_from_slice(settings);
    let folder = build_folder(&format!("classes-{name}"));
    let program = root().join("tests/freertos_classes/program");
    build_firmware(&program, &folder, &board.toolchain(root()), &all)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let out = temp_dir();
    run_firmware(board.emulator(), &folder.join("classes.elf"), out.path(), None)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let recording = fs::read(out.path().join("trace.bin")).expect("the recording");
    (recording, read(out.path().join("expected.txt")))
}

/// Builds the program without the given classes and runs it.
pub fn run_without(off: &[&str]) -> Run {
    let settings = [format!("CLASSES_OFF={}", off.join(";"))];
    let (recording, log) = run_with(&format!("without-{}", off.join("-")), &settings);
    Run::new(recording, &log)
}

/// In packets event for event the same, with interrupts that are real.
#[test]
fn in_packets_every_class_is_recorded_as_in_frames() {
    let (recording, log) = run_with("packets", &["CLASSES_PACKET_SIZE=256".to_owned()]);
    let run = Run::new(as_frames(&recording), &log);
    for (class, _) in CLASSES {
        compare(&run, class);
    }
    assert_begin_with_state(&recording);
}

/// Hooks that rely on the kernel's critical sections, and look each time whether there is one, record what the others do.
#[test]
fn hooks_without_sections_record_the_same_events() {
    let trust = "CLASSES_CONFIG=tband_configTRUST_KERNEL_CRITICAL_SECTIONS=1;\
                 tband_configCHECK_KERNEL_CRITICAL_SECTIONS=1";
    let (recording, log) = run_with("trusting", &[trust.to_owned()]);
    let run = Run::new(recording, &log);
    for (class, _) in CLASSES {
        compare(&run, class);
    }
}

fn everything() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| run_without(&[]))
}

class_tests!(everything());
