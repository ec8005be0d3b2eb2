//! Firmware for every set of flags, built and linked.

use std::path::{Path, PathBuf};
use std::process::Command;

use tband_tests::{finish, root};

use crate::{TARGETS, Target};

impl Target {
    /// Builds the firmware; the library that it was linked with.
    fn built(&self, backend: &str, library: Option<&Path>) -> PathBuf {
        let build = self.configured("link", backend, library);
        let finished = finish(Command::new("cmake").arg("--build").arg(&build));
        assert!(finished.ok, "{} {backend}:\n{}", self.name, finished.text());
        assert!(
            !finished.text().contains("warning:"),
            "{} {backend}:\n{}",
            self.name,
            finished.text()
        );
        library.map_or_else(|| build.join("tband/lib/libtband.a"), Path::to_path_buf)
    }
}

/// Each kind of library is built once, by the project's own CMake; every set of flags that wants it is
/// then linked with it, for each backend.
#[test]
fn firmware_links_for_every_target() {
    let mut libraries: Vec<(&str, PathBuf)> = Vec::new();
    for target in TARGETS {
        let known = libraries.iter().find(|(triple, _)| *triple == target.triple);
        let library = match known {
            Some((_, library)) => library.clone(),
            None => {
                let library = target.built("SNAPSHOT", None);
                libraries.push((target.triple, library.clone()));
                library
            }
        };
        target.built("SNAPSHOT", Some(&library));
        target.built("STREAMING", Some(&library));
    }
    let triples: Vec<_> = libraries.iter().map(|(triple, _)| *triple).collect();
    println!("{} sets of flags, libraries for {}", TARGETS.len(), triples.join(", "));
}

/// The recorder's own tests, with cells in place of atomics, as on CPUs without these. The threads of one test share none of them.
#[test]
fn the_recorder_works_without_atomics() {
    let folder = tband_tests::library::work().join("without-atomics");
    let mut tests = tband_tests::cargo();
    tests.args(["test", "--locked", "--package", "tband-core", "--target-dir"]).arg(folder);
    let finished = finish(tests.env("RUSTFLAGS", "--cfg without_atomics").current_dir(root()));
    let text = finished.text();
    assert!(finished.ok, "{text}");
    let passed = text.lines().filter(|line| line.starts_with("test result: ok. ")).count();
    assert!(passed > 8, "{text}");
}
