//! Every hook of the kernel, class by class: the program in `program/` drives each, with each failure and
//! each time-out, and writes down what must be recorded; the recording has just that, event for event.
//!
//! Here on the POSIX port; `tests/qemu` runs the same program on a Cortex-M4F. The program's time is its
//! own, so nothing depends on the machine's.

use std::fs;
use std::process::Command;
use std::sync::OnceLock;

use tband_tests::class_check::Run;
use tband_tests::{archive, read, root, run, temp_dir};
use xtask::kernel;

/// Builds the program without the given classes and runs it.
fn run_without(off: &[&str]) -> Run {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let folder = root().join("target/test-classes").join(format!("without-{}", off.join("-")));
    run(Command::new("cmake")
        .arg("-S")
        .arg(root().join("tests/freertos_classes/program"))
        .arg("-B")
        .arg(&folder)
        .arg(format!("-DFREERTOS_KERNEL_PATH={}", kernel.display()))
        .arg(format!("-DTBAND_LIBRARY={}", archive().display()))
        .arg(format!("-DCLASSES_OFF={}", off.join(";"))));
    run(Command::new("cmake").arg("--build").arg(&folder).args(["--parallel", "2"]));
    let out = temp_dir();
    run(Command::new(folder.join("classes")).current_dir(out.path()));
    let recording = fs::read(out.path().join("trace.bin")).expect("the recording");
    Run::new(recording, &read(out.path().join("expected.txt")))
}

fn everything() -> &'static Run {
    static RUN: OnceLock<Run> = OnceLock::new();
    RUN.get_or_init(|| run_without(&[]))
}

tband_tests::class_tests!(everything(), run_without);
