//! `cargo xtask crates`: packs the crates for crates.io. It publishes nothing.
//!
//! Published crates are the packages of the workspace without `publish = false`. Each is packed as cargo uploads it, and cargo
//! takes the others from their packages too, so none has to be published before.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::command::run_quiet;

/// How far the packages are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Only pack them. This needs no network.
    Pack,
    /// Also compile each from its package alone.
    Compile,
}

/// The packages of the workspace, as `cargo metadata` prints them.
///
/// # Errors
/// Cargo cannot read a manifest.
pub fn packages(root: &Path) -> Result<Vec<Value>> {
    let mut cargo = Command::new("cargo");
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let output = run_quiet(cargo.current_dir(root))?.stdout;
    let mut metadata: Value = serde_json::from_slice(&output).context("cargo metadata")?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        _ => Ok(Vec::new()),
    }
}

/// Whether a package of [`packages`] is for crates.io.
#[must_use]
pub fn is_published(package: &Value) -> bool {
    package["publish"].is_null()
}

/// Packs all published crates of the working tree. Returns the files, sorted; they are in `out/package`.
///
/// # Errors
/// A manifest lacks something, a file is missing in a package, or a package does not compile.
pub fn pack(root: &Path, out: &Path, packing: Packing) -> Result<Vec<PathBuf>> {
    let mut cargo = Command::new("cargo");
    cargo.args(["package", "--locked", "--allow-dirty", "--target-dir"]).arg(out);
    if packing == Packing::Pack {
        cargo.args(["--no-verify", "--offline"]);
    } else {
        // The profiles of this workspace do not apply to a package.
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0");
    }
    let mut files = Vec::new();
    for package in packages(root)?.iter().filter(|it| is_published(it)) {
        let [name, version] = ["name", "version"].map(|key| package[key].as_str());
        let (name, version) = name.zip(version).context("a package without a name")?;
        cargo.args(["--package", name]);
        files.push(out.join("package").join(format!("{name}-{version}.crate")));
    }
    run_quiet(cargo.current_dir(root))?;
    files.sort();
    for file in &files {
        ensure!(file.is_file(), "cargo package did not write {}", file.display());
    }
    Ok(files)
}

/// Packs and compiles them, and prints their names.
///
/// # Errors
/// See [`pack`].
pub fn run(root: &Path) -> Result<()> {
    for file in pack(root, &root.join("target/crates"), Packing::Compile)? {
        println!("{}", file.strip_prefix(root).unwrap_or(&file).display());
    }
    Ok(())
}
