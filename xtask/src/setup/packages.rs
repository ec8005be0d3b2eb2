//! Packages of Rust that tests need, which cargo downloads before they run.
//!
//! Tests ask cargo about packages that no test is compiled with, such as those of `tband-cli` with all of its features or
//! for other systems, and several tests forbid cargo to download anything.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::run_quiet;

/// The folder of each lock file.
const LOCKED: [&str; 7] = [
    ".",
    "examples/embassy",
    "examples/freertos-kernel",
    "examples/rust-freertos",
    "firmware",
    "tests/old_kernels/kernels",
    "tests/schemas",
];

/// Downloads missing packages of the lock files.
///
/// # Errors
/// It cannot be downloaded; the text has the command to run.
pub fn fetch(root: &Path) -> Result<()> {
    for folder in LOCKED {
        let manifest = root.join(folder).join("Cargo.toml");
        let fetch = |more: &[&str]| {
            let mut cargo = Command::new("cargo");
            cargo.args(["fetch", "--locked"]).args(more).arg("--manifest-path").arg(&manifest);
            run_quiet(cargo.current_dir(root))
        };
        if fetch(&["--offline"]).is_ok() {
            continue;
        }
        eprintln!("Downloading the packages of {}", Path::new(folder).join("Cargo.lock").display());
        fetch(&[]).with_context(|| {
            format!(
                "could not download packages. Run this yourself, then try again:\n  \
                 cargo fetch --locked --manifest-path {}",
                manifest.display()
            )
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace_root;

    #[test]
    fn every_lock_file_is_known() {
        let root = workspace_root();
        let mut list = Command::new("git");
        list.args(["ls-files", "Cargo.lock", "*/Cargo.lock"]).current_dir(&root);
        let list = String::from_utf8(run_quiet(&mut list).unwrap().stdout).unwrap();
        let folder = |file: &str| {
            let folder = Path::new(file).parent().unwrap().to_str().unwrap();
            if folder.is_empty() { ".".to_owned() } else { folder.to_owned() }
        };
        let mut folders: Vec<String> = list.lines().map(folder).collect();
        folders.sort();
        assert_eq!(folders, LOCKED);
    }
}
