//! Every hook of the kernel on a Cortex-M4F: the program of `tests/freertos_classes`, where the kernel's tick
//! handler and the interrupts are real exceptions.

use std::fs;
use std::sync::OnceLock;

use tband_tests::{read, root, temp_dir};
use xtask::board::{Board, build_firmware, run_firmware};
use xtask::kernel;

use crate::{archive, build_folder};
use tband_tests::class_check::Run;
use tband_tests::class_tests;

/// Builds the program without the given classes and runs it.
fn run_without(off: &[&str]) -> Run {
    let board = Board::Mps2An386;
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let settings = [
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("TBAND_LIBRARY={}", archive(board).display()),
        format!("CLASSES_OFF={}", off.join(";")),
    ];
    let folder = build_folder(&format!("classes-without-{}", off.join("-")));
    let program = root().join("tests/freertos_classes/program");
    build_firmware(&program, &folder, &board.toolchain(root()), &settings)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let out = temp_dir();
    run_firmware(board.emulator(), &folder.join("classes.elf"), out.path(), None)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let recording = fs::read(out.path().join("trace.bin")).expect("the recording");
    Run::new(recording, &read(out.path().join("expected.txt")))
}

fn everything() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| run_without(&[]))
}

class_tests!(everything(), run_without);
