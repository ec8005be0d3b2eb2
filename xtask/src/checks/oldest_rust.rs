//! `cargo xtask oldest-rust`: compiles what ships with the oldest Rust that the manifests promise.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::run_quiet;

/// `rust-version` of the manifests.
pub const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Where its artefacts are, apart from those of the Rust in use.
const FOLDER: &str = "target/oldest-rust";

/// Packages beside those of the workspace `firmware`, and their features.
const PACKAGES: [&str; 6] = [
    "--package=tband-cli",
    "--package=tband",
    "--package=tband-web",
    "--package=xtask",
    "--features",
    "tband-cli/parquet",
];

/// Compiles the libraries for firmware, the programs for this machine, and xtask.
///
/// # Errors
/// Something does not compile, or that Rust cannot be installed.
pub fn run(root: &Path) -> Result<()> {
    firmware(root)?;
    check(root, &root.join("Cargo.toml"), &PACKAGES)
}

/// Compiles only the libraries for firmware, which need no other package.
///
/// # Errors
/// As for [`run`].
pub fn firmware(root: &Path) -> Result<()> {
    let mut install = Command::new("rustup");
    install.args(["toolchain", "install", OLDEST, "--profile", "minimal", "--no-self-update"]);
    run_quiet(install.current_dir(root))
        .with_context(|| format!("Rust {OLDEST} cannot be installed"))?;
    check(root, &root.join("firmware/Cargo.toml"), &["--workspace"])
}

fn check(root: &Path, manifest: &Path, what: &[&str]) -> Result<()> {
    let mut check = Command::new("rustup");
    check.args(["run", OLDEST, "cargo", "check", "--locked", "--manifest-path"]).arg(manifest);
    check.args(what).arg("--target-dir").arg(root.join(FOLDER));
    check.env_remove("CARGO_BUILD_TARGET");
    let why = || format!("{} does not compile with Rust {OLDEST}", manifest.display());
    run_quiet(check.current_dir(root)).map(drop).with_context(why)
}
