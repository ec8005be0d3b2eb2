//! The ways to get tband into a project, as in `docs/src/guide/start/installing.md`: its blocks are put into a user's project
//! and its commands are run there.

mod release;

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use tband_tests::events::{SNAPSHOT_OF_32_KIB, assert_identified_events, trace_info};
use tband_tests::user_project::{CONFIG, PORT};
use tband_tests::without_rust::WithoutRust;
use tband_tests::{guide, read, root, run, temp_dir, write};
use tempfile::TempDir;
use xtask::dist;

const MAIN: &str = r#"#include <stdio.h>
#include "tband.h"

uint64_t my_timer_ticks(void) { return 42; }

int main(void) {
  if (tband_trigger_snapshot() != 0) return 1;
  tband_evtmarker(1, "installed");
  if (tband_stop_snapshot() != 0) return 1;
  for (size_t at = 0; at < tband_get_core_snapshot_buf_amnt(0); at++) {
    putchar(tband_get_core_snapshot_buf(0)[at]);
  }
  return 0;
}
"#;

const PAGE: &str = "start/installing";

/// The one block of a language in a section of the page.
fn block(section: &str, language: &str) -> String {
    guide::block(PAGE, section, language)
}

/// A user's project.
struct Project(TempDir);

impl Project {
    fn new() -> Self {
        let folder = temp_dir();
        write(folder.path().join("main.c"), MAIN);
        write(folder.path().join("config/tband_config.h"), CONFIG);
        write(folder.path().join("config/tband_port.h"), PORT);
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// With tband's sources beside the user's.
    fn with_sources() -> Self {
        let project = Self::new();
        symlink(root(), project.path("tband")).expect("a link");
        project
    }

    /// Runs lines of shell in the project's folder.
    fn shell(&self, lines: &str, rust: bool) {
        let machine = WithoutRust::new();
        let mut shell = Command::new("sh");
        if rust {
            for name in ["CC", "CFLAGS", "RUSTFLAGS", "CARGO_TARGET_DIR", "CMAKE_GENERATOR"] {
                shell.env_remove(name);
            }
        } else {
            shell = machine.command("sh");
        }
        run(shell.arg("-ec").arg(lines).current_dir(self.0.path()));
    }

    fn records(&self, program: &str) {
        let recording = run(&mut Command::new(self.path(program)));
        assert_identified_events(
            &recording,
            &[
                "- ts_resolution_ns ns_per_ts=1000",
                &trace_info(1, SNAPSHOT_OF_32_KIB),
                "42 dropped_evt_cnt cnt=0",
                "42 evtmarker evtmarker_id=1 msg=\"installed\"",
            ],
        );
    }
}

#[test]
fn cmake_from_source() {
    let project = Project::with_sources();
    write(project.path("CMakeLists.txt"), block("CMake: from source", "cmake"));
    project.shell(&block("CMake: from source", "sh"), true);
    project.records("build/firmware");
}

/// The messages in the guide's table are those that the build gives.
#[test]
fn the_messages_are_those_of_the_build() {
    let guide = guide::page(PAGE);
    let sources = ["TbandCargo.cmake", "TbandRustTarget.cmake", "tband-config.cmake"]
        .map(|name| read(root().join("cmake").join(name)));
    for text in [
        "cargo was not found, and no prebuilt library was given",
        "no Rust target is known for this compiler and these flags",
        "has no library for",
        "is missing and could not be added",
    ] {
        assert!(guide.contains(text), "{text} is not in the guide");
        assert!(sources.iter().any(|source| source.contains(text)), "{text} is in no source");
    }
    let shim = read(root().join("port/tband_shim.c"));
    for text in [&guide, &shim, &read(root().join("cmake/package.md"))] {
        assert!(text.contains("tband_shim_for_library_abi_3_armv7em"));
    }
}

/// The table of CPUs has each target that the tarball brings, and marks those rows only.
#[test]
fn the_guide_lists_the_cpus_of_the_tarball() {
    let page = guide::page(PAGE);
    let section = page.split("\n## ").find(|part| part.starts_with("Which CPUs")).expect("it");
    let rows: Vec<_> = section.lines().filter(|line| line.contains("-none")).collect();
    for target in dist::FIRMWARE_TARGETS {
        let named = format!("`{target}`");
        let row = rows.iter().find(|row| row.contains(&named)).expect(target);
        assert!(row.ends_with("| yes |"), "{row}");
    }
    for row in rows.iter().filter(|row| row.ends_with("| yes |")) {
        let targets = row.split('`').filter(|word| word.contains("-none") && !word.contains(' '));
        for target in targets {
            assert!(dist::FIRMWARE_TARGETS.contains(&target), "{target} is not packed");
        }
    }
}
