//! `cargo xtask header`: runs the package `tband-header`, which has cbindgen with it.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::command::run_with_output;

/// The use of the generated files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderMode {
    /// They are written; with `release` the interface between shim and library is written down as that of a release.
    Write {
        /// So it is.
        release: bool,
    },
    /// Each must equal the generated content, or it is an error.
    Check,
}

/// Writes the generated files of the project in this folder, or checks them.
///
/// # Errors
/// One is not up to date, or a file cannot be read or written.
pub fn run(root: &Path, how: HeaderMode) -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(["run", "--locked", "--package", "tband-header", "--"]).arg(root);
    // Not for another target, should the user build firmware here.
    command.env_remove("CARGO_BUILD_TARGET");
    match how {
        HeaderMode::Write { release: false } => {}
        HeaderMode::Write { release: true } => {
            command.arg("release");
        }
        HeaderMode::Check => {
            command.arg("check");
        }
    }
    run_with_output(command.current_dir(root))
}
