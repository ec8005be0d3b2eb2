//! Every hook of the kernel, class by class: the program in `program/` drives each, with each failure and
//! each time-out, and writes down what must be recorded; the recording has just that, event for event.
//!
//! Here on the POSIX port; `tests/qemu` runs the same program on a Cortex-M4F. The program's time is its
//! own, so nothing depends on the machine's.

mod packets;

use std::fs;
use std::process::Command;
use std::sync::OnceLock;

use tband_tests::class_check::{Run, each_class_can_be_off};
use tband_tests::lacking::shown;
use tband_tests::{archive, read, root, run, temp_dir};
use xtask::kernel;

/// Builds the program in a separate folder, with settings for CMake, and runs it. Returns the recording, and the program's log.
fn run_with(name: &str, settings: &[String]) -> (Vec<u8>, String) {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let folder = root().join("target/test-classes").join(name);
    run(Command::new("cmake")
        .arg("-S")
        .arg(root().join("tests/freertos_classes/program"))
        .arg("-B")
        .arg(&folder)
        .arg(format!("-DFREERTOS_KERNEL_PATH={}", kernel.display()))
        .arg(format!("-DTBAND_LIBRARY={}", archive().display()))
        .args(settings.iter().map(|setting| format!("-D{setting}"))));
    run(Command::new("cmake").arg("--build").arg(&folder).args(["--parallel", "2"]));
    let out = temp_dir();
    run(Command::new(folder.join("classes")).current_dir(out.path()));
    let recording = fs::read(out.path().join("trace.bin")).expect("the recording");
    (recording, read(out.path().join("expected.txt")))
}

/// Builds the program without the given classes and runs it.
fn run_without(off: &[&str]) -> Run {
    let settings = [format!("CLASSES_OFF={}", off.join(";"))];
    let (recording, log) = run_with(&format!("without-{}", off.join("-")), &settings);
    Run { has_wide_ticks: true, ..Run::new(recording, &log) }
}

fn everything() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| run_without(&[]))
}

tband_tests::class_tests!(everything());

/// The event that ticks of 64 bits add is described in the recording.
#[test]
fn a_recording_describes_the_event_of_high_bits() {
    assert!(shown(&everything().recording).contains("bits"));
}

#[test]
fn a_disabled_class_affects_no_other_class() {
    each_class_can_be_off(run_without);
}
