//! `cargo xtask lint`: formatting, lints, the links of the Rust documentation, and that the converter compiles
//! to WebAssembly.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::command::{run_quiet, run_with_output};
use crate::tier::Tier;
use crate::web::TARGET;
use crate::{kernel, rust_target};

/// Checks everything.
///
/// # Errors
/// A check failed, or a tool is missing.
pub fn run(root: &Path) -> Result<()> {
    let mut format = Command::new("cargo");
    run_with_output(format.args(["fmt", "--all", "--check"]).current_dir(root))?;
    let mut clippy = Command::new("cargo");
    clippy.args(["clippy", "--workspace", "--all-targets", "--locked"]);
    clippy.args(Tier::Everything.features().iter().flat_map(|it| ["--features", it]));
    run_with_output(clippy.args(["--", "-Dwarnings"]).current_dir(root))?;
    // A separate workspace, with the kernel in it.
    let example = root.join("examples/rust-freertos");
    let mut format = Command::new("cargo");
    run_with_output(format.args(["fmt", "--check"]).current_dir(&example))?;
    let mut clippy = Command::new("cargo");
    clippy
        .args(["clippy", "--locked", "--target-dir", "../../target/test-rust-freertos"])
        .args(["--", "-Dwarnings"])
        .env("FREERTOS_KERNEL_PATH", kernel::path(root)?);
    run_with_output(clippy.current_dir(&example))?;
    // And one for a microcontroller, whose target its folder has.
    let example = root.join("examples/embassy");
    let mut format = Command::new("cargo");
    run_with_output(format.args(["fmt", "--check"]).current_dir(&example))?;
    let mut clippy = Command::new("cargo");
    clippy.args(["clippy", "--locked", "--target-dir", "../../target/test-embassy"]);
    run_with_output(clippy.args(["--", "-Dwarnings"]).current_dir(&example))?;
    web(root)?;
    let mut doc = Command::new("cargo");
    doc.args(["doc", "--workspace", "--no-deps", "--locked"]).env("RUSTDOCFLAGS", "-Dwarnings");
    run_with_output(doc.current_dir(root))
}

/// Checks that the converter compiles for browsers; adds the Rust target for that if it is missing.
///
/// # Errors
/// It does not, or the target is missing and cannot be added; the text has the command to run.
pub fn web(root: &Path) -> Result<()> {
    rust_target::add_target(Path::new("rustup"), root, TARGET)?;
    let mut check = Command::new("cargo");
    check.args(["check", "--locked", "--package", "tband-web", "--target", TARGET]);
    run_quiet(check.env_remove("CARGO_BUILD_TARGET").current_dir(root)).map(drop)
}
