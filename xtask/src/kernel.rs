//! Where the FreeRTOS kernel's sources are.
//!
//! They are not part of this project. The package in `examples/freertos-kernel` depends on a crate that
//! carries them unchanged, so that cargo fetches and pins them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::command::run_quiet;

/// Folder of the kernel's sources: `FREERTOS_KERNEL_PATH` if it is set, else fetched by cargo.
pub fn path(root: &Path) -> Result<PathBuf> {
    let kernel = match env::var_os("FREERTOS_KERNEL_PATH") {
        Some(path) => PathBuf::from(path),
        None => fetched(root)?,
    };
    if !kernel.join("tasks.c").is_file() {
        bail!("no FreeRTOS kernel in {} (there is no tasks.c)", kernel.display());
    }
    Ok(kernel)
}

fn fetched(root: &Path) -> Result<PathBuf> {
    let manifest = root.join("examples/freertos-kernel/Cargo.toml");
    let output = run_quiet(
        Command::new("cargo")
            .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
            .arg(&manifest),
    )
    .context(
        "cannot fetch the FreeRTOS kernel; set FREERTOS_KERNEL_PATH to a copy of its sources",
    )?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let package = metadata["packages"]
        .as_array()
        .and_then(|packages| packages.iter().find(|package| package["name"] == "freertos-next"));
    let Some(path) = package.and_then(|package| package["manifest_path"].as_str()) else {
        bail!("{} does not depend on freertos-next", manifest.display());
    };
    Ok(Path::new(path).with_file_name("FreeRTOS-Kernel"))
}
