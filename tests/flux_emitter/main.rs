//! The emitter of flux in C: the example's signals are read back with equal times and values, in both versions and kinds of
//! buffers. Misuse is noticed, and so is an interrupt while main writes. The cost on a Cortex-M4 equals that in the guide.

mod cost;
mod interrupts;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tband_flux_reader::{File, Trace};
use tband_tests::c::{self, STRICT, Standard};
use tband_tests::library::firmware_library;
use tband_tests::{root, run, temp_dir};
use xtask::{dist, rust_target};

/// The library for a target, as users get it.
fn library(triple: &str) -> PathBuf {
    firmware_library(triple, dist::FLUX)
}

fn host_library() -> PathBuf {
    library(&rust_target::host_target().expect("a host"))
}

/// The example, built by CMake.
fn example() -> &'static Path {
    static EXAMPLE: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = EXAMPLE.get_or_init(|| {
        let folder = temp_dir();
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(root().join("examples/flux")).arg("-B").arg(folder.path());
        run(configure.arg("-DCMAKE_C_FLAGS=-Werror"));
        run(Command::new("cmake").arg("--build").arg(folder.path()));
        folder
    });
    folder.path()
}

/// Path, time and value of each sample, in the order of the paths and then of the file.
fn samples(trace: &Trace) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, item) in &trace.items {
        let path = trace.path(*id);
        lines.extend(item.values().into_iter().map(|(at, value)| format!("{path} {at} {value}")));
    }
    lines.sort();
    lines
}

#[test]
fn the_signals_of_the_example_are_read_with_their_times() {
    for (version, kind) in [("6", "linear"), ("4", "linear"), ("6", "ring"), ("4", "ring")] {
        let folder = temp_dir();
        let done = run(Command::new(example().join("flux"))
            .args([version, kind])
            .current_dir(folder.path()));
        let output = String::from_utf8(done).expect("text");
        let mut written: Vec<_> = output.lines().map(str::to_owned).collect();
        assert_eq!(written.len(), 60 * 5 + 8, "{output}");
        let bytes = fs::read(folder.path().join("signals.recTr")).expect("a file");
        let trace = File::read(&bytes).only();
        assert_eq!((trace.version.to_string(), trace.name.as_str()), (version.into(), "machine"));
        let read = samples(&trace);
        if kind == "ring" {
            // The newest are there, in the memory that there is, and all of them.
            assert!(bytes.len() < 1300, "{} bytes", bytes.len());
            assert!(read.len() > 30, "{} samples", read.len());
            let oldest = written.len() - read.len();
            written.drain(..oldest);
        } else {
            let arrows: Vec<_> = trace.arrows.iter().map(|it| (it.from.1, it.to.1)).collect();
            let failed = (0..60).filter(|step| step % 7 == 6).map(|step| 1000 * (step + 1));
            assert_eq!(arrows, failed.map(|at| (at, at)).collect::<Vec<_>>());
        }
        written.sort();
        assert_eq!(read, written, "{version}, {kind}");
        // The recorder's events have the same times.
        let recording = fs::read(folder.path().join("recording.bin")).expect("a recording");
        let lines = tband_tests::events::lines(&recording);
        let steps: Vec<_> = lines.iter().filter(|it| it.contains("valmarker val")).collect();
        assert!(steps.len() == 60, "{lines:?}");
        assert!(steps[59].starts_with("60000 "), "{}", steps[59]);
    }
}

/// A program that misuses it, with sanitizers, in every standard that the header is for.
#[test]
fn misuse_is_noticed() {
    for standard in [Standard::C99, Standard::C11, Standard::Cxx11, Standard::Cxx20] {
        let folder = temp_dir();
        let program = folder.path().join("misuse");
        let source = folder.path().join(format!("misuse.{}", standard.suffix()));
        fs::copy(root().join("tests/flux_emitter/misuse.c"), &source).expect("a copy");
        let mut compile = c::compiler(standard);
        compile.args(STRICT).arg("-fsanitize=address,undefined").arg("-fno-sanitize-recover");
        c::include(&mut compile, [root().join("include")]);
        run(compile.arg(&source).arg(host_library()).arg("-o").arg(&program));
        // Accepted samples are complete, and those after a refused one are marked.
        let trace = File::read(&run(&mut Command::new(&program))).only();
        let numbers = trace.find("\\s\\i");
        let marked: Vec<_> = numbers.samples.iter().map(|it| it.is_tainted).collect();
        assert!(marked[0] && !marked[1], "{marked:?}");
        assert!(numbers.values().iter().all(|(_, value)| value == "5"));
    }
}
