//! Firmware on emulated boards: its recording is compared with the firmware's own record, count for count.
//!
//! QEMU counts instructions instead of time, so every run of one binary is the same. Nothing here depends on the speed of the
//! machine.

mod bare_metal;
mod classes;
mod cores;
mod crash;
mod debugger;
mod entries;
mod failing;
mod freertos;
mod masks;
mod nesting;
mod release;
mod resets;
mod rtt;
mod senders;
mod shedding;
mod smp;
mod traps;
mod triggers;
mod wrap;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tband_tests::library::library;
use tband_tests::{root, temp_dir};
use tempfile::TempDir;
use xtask::board::{self, Board, run_firmware};
use xtask::demo::{Backend, to_perfetto};

/// The same code as CMake's own setting gives.
const NO_DEBUG_INFO: &str = "CMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -DNDEBUG";

/// Folder of one build; each test has its own, since they run side by side.
fn build_folder(name: &str) -> PathBuf {
    root().join("target/test-qemu").join(name)
}

/// The library for a board. The tests' many builds of firmware differ in C only.
fn archive(board: Board) -> PathBuf {
    library(board.triple())
}

/// As xtask's, without debug information: it is not used here, and takes a quarter of the compiler's time.
fn build_firmware(
    source: &Path,
    build: &Path,
    toolchain: &Path,
    settings: &[String],
) -> Result<(), impl std::fmt::Display> {
    let settings = [settings, &[NO_DEBUG_INFO.to_owned()]].concat();
    board::build_firmware(source, build, toolchain, &settings)
}

/// Builds an example with settings of a test.
fn build(board: Board, name: &str, backend: Backend, settings: &[&str]) -> PathBuf {
    let library = format!("TBAND_LIBRARY={}", archive(board).display());
    let mut all = vec![library, NO_DEBUG_INFO.to_owned()];
    all.extend(settings.iter().map(|&setting| setting.to_owned()));
    board
        .build(root(), &build_folder(name), backend, &all)
        .unwrap_or_else(|error| panic!("{error:#}"))
}

/// What a run has left.
struct Run {
    trace: Vec<u8>,
    truth: Value,
    folder: TempDir,
}

impl Run {
    fn trace_file(&self) -> PathBuf {
        self.folder.path().join("trace.bin")
    }

    /// The recording converts without a single finding.
    fn assert_converts(&self) {
        let trace = self.folder.path().join("trace.pftrace");
        if let Err(error) = to_perfetto(&self.trace_file(), &trace) {
            panic!("{error:#}");
        }
    }
}

fn run(board: Board, elf: &Path, backend: Backend) -> Run {
    run_on(board.emulator(), elf, backend)
}

fn run_on(emulator: &str, elf: &Path, backend: Backend) -> Run {
    let folder = temp_dir();
    let trace = folder.path().join("trace.bin");
    let serial = (backend == Backend::Streaming).then_some(trace.as_path());
    run_firmware(emulator, elf, folder.path(), serial).unwrap_or_else(|error| panic!("{error:#}"));
    let truth = fs::read(folder.path().join("truth.json")).expect("the firmware's own record");
    Run {
        trace: fs::read(&trace).expect("the recording"),
        truth: serde_json::from_slice(&truth).expect("the firmware's own record is JSON"),
        folder,
    }
}

/// A port that is wrong on purpose, or one for tests only.
fn port(name: &str) -> String {
    format!("TBAND_PORT_DIR={}", root().join("tests/qemu/ports").join(name).display())
}
