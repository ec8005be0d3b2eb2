//! `cargo xtask test --portable`: tests that need no program beside Rust, for systems without Debian's packages.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::command::run_with_output;

/// Packages whose unit tests run.
const PACKAGES: [&str; 13] = [
    "tband-app",
    "tband-cli",
    "tband-conv",
    "tband-diff",
    "tband-export",
    "tband-flux",
    "tband-format",
    "tband-import",
    "tband-program",
    "tband-query",
    "tband-report",
    "tband-rules",
    "tband-sources",
];

/// Programs of these packages' tests that start no other program.
const PROGRAMS: [&str; 9] = [
    "cases",
    "damage",
    "exact_bytes",
    "objects",
    "recognise",
    "round_trip",
    "stats",
    "time",
    "timeline",
];

/// Builds `tband-cli`, and runs these tests.
///
/// # Errors
/// One failed, or something does not compile.
pub fn run(root: &Path) -> Result<()> {
    let mut build = Command::new("cargo");
    run_with_output(build.args(["build", "--locked", "--package", "tband-cli"]).current_dir(root))?;
    let mut test = Command::new("cargo");
    test.args(["test", "--locked", "--lib", "--bins"]);
    test.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    test.args(PROGRAMS.iter().flat_map(|program| ["--test", program]));
    run_with_output(test.current_dir(root))
}
