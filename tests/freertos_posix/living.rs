//! The metadata buffer with the real kernel: a program in `living/` creates, names and deletes objects.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tband_tests::events::lines;
use tband_tests::{archive, root, run, temp_dir};
use xtask::kernel;

/// What the program wrote.
struct ProgramOutput {
    folder: tempfile::TempDir,
    /// Names of what lives.
    living: Vec<String>,
    dropped: u32,
}

impl ProgramOutput {
    fn lines(&self, file: &str) -> Vec<String> {
        lines(&fs::read(self.folder.path().join(file)).expect("the program wrote it"))
    }

    /// Names of queues that a snapshot has.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = (self.lines("trace.bin").iter())
            .filter(|line| line.contains(" queue_name "))
            .map(|line| line.split('"').nth(1).expect("a name").to_owned())
            .collect();
        names.sort();
        names
    }

    /// Semaphores that it has.
    fn kinds(&self) -> usize {
        self.lines("trace.bin").iter().filter(|line| line.contains(" queue_kind ")).count()
    }
}

/// Builds the program with a metadata buffer of that size; empty for the default.
fn build(size: &str) -> PathBuf {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let folder = root().join("target/test-posix").join(format!("living-{size}"));
    run(Command::new("cmake")
        .arg("-S")
        .arg(root().join("tests/freertos_posix/living"))
        .arg("-B")
        .arg(&folder)
        .arg(format!("-DFREERTOS_KERNEL_PATH={}", kernel.display()))
        .arg(format!("-DTBAND_LIBRARY={}", archive().display()))
        .arg(format!("-DMETADATA_SIZE={size}")));
    run(Command::new("cmake").arg("--build").arg(&folder).args(["--parallel", "2"]));
    folder.join("living")
}

/// With the default size, built once for all tests.
pub fn default_size() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| build(""))
}

fn run_with(program: &Path, places: u32, all: u32) -> ProgramOutput {
    let folder = temp_dir();
    let arguments = [places.to_string(), all.to_string()];
    let output = run(Command::new(program).args(arguments).current_dir(folder.path()));
    let text = String::from_utf8(output).expect("text");
    let (names, dropped) = text.split_once("dropped ").expect("the count");
    let mut living: Vec<_> = names.lines().map(str::to_owned).collect();
    living.sort();
    ProgramOutput { folder, living, dropped: dropped.trim().parse().expect("a count") }
}

/// Of 500 semaphores the last few live, and the default buffer, which has room for 40, knows them all.
#[test]
fn every_living_name_is_known_with_the_default_buffer() {
    let written = run_with(default_size(), 14, 500);
    assert_eq!((written.dropped, written.kinds()), (0, 14));
    assert!(written.living.len() > 3, "{:?}", written.living);
    assert_eq!(written.names(), written.living);
}

/// A buffer that is too small reports its required size, and with that size nothing is lost.
#[test]
fn the_size_that_a_recording_asks_for_suffices() {
    let small = run_with(default_size(), 120, 120);
    assert!(small.dropped > 10 && small.kinds() < 120);
    let reported: Vec<_> = (small.lines("trace.bin").iter())
        .filter(|line| line.contains("metadata_dropped"))
        .map(|line| line.rsplit('=').next().expect("fields").to_owned())
        .collect();
    let [size] = &reported[..] else { panic!("{reported:?}") };
    let enough = run_with(&build(size), 120, 120);
    assert_eq!((enough.dropped, enough.kinds()), (0, 120), "with {size} bytes");
    assert_eq!(enough.names(), enough.living);
}

/// A priority that is too high: the table has the old one until the kernel takes the highest there is.
#[test]
fn the_base_priority_is_what_the_kernel_took_when_it_did() {
    let written = run_with(default_size(), 1, 1);
    let priority = |file| {
        let lines = written.lines(file);
        let found: Vec<_> = lines.iter().filter(|line| line.contains("base_priority")).collect();
        let [line] = &found[..] else { panic!("{lines:?}") };
        line.rsplit('=').next().expect("fields").to_owned()
    };
    assert_eq!((priority("before.bin"), priority("after.bin")), ("1".to_owned(), "4".to_owned()));
}
