//! Packages of Python for tests, in a folder of their own: Playwright and axe, which drive Debian's browser, and DuckDB,
//! which reads tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::run_quiet;

/// Where it is, below the workspace's root folder.
const FOLDER: &str = "target/browser";
const PACKAGES: [&str; 3] = ["playwright==1.56.0", "axe-playwright-python==0.1.8", "duckdb==1.4.1"];

fn is_there(root: &Path) -> bool {
    let noted = fs::read_to_string(root.join(FOLDER).join("packages")).unwrap_or_default();
    noted == PACKAGES.join("\n")
}

/// Python can make an environment, and put packages there.
pub fn has_python() -> bool {
    run_quiet(Command::new("python3").args(["-c", "import venv, ensurepip"])).is_ok()
}

/// Python with all that the tests import.
///
/// # Errors
/// It is not there; the text has the command to run.
pub fn python(root: &Path) -> Result<PathBuf> {
    anyhow::ensure!(
        is_there(root),
        "packages of Python for tests are not installed: run `cargo xtask setup`, then try again"
    );
    Ok(root.join(FOLDER).join("bin/python"))
}

/// Installs it unless it is there.
///
/// # Errors
/// It cannot be installed.
pub fn install(root: &Path) -> Result<()> {
    if is_there(root) {
        return Ok(());
    }
    eprintln!("Installing packages of Python for tests: {}", PACKAGES.join(" "));
    let folder = root.join(FOLDER);
    let by_hand = format!(
        "could not install it. Run this yourself, then try again:\n  python3 -m venv {0} && {0}/bin/pip install {1}",
        folder.display(),
        PACKAGES.join(" ")
    );
    run_quiet(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))
        .with_context(|| by_hand.clone())?;
    let mut pip = Command::new(folder.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(PACKAGES);
    run_quiet(&mut pip).context(by_hand)?;
    fs::write(folder.join("packages"), PACKAGES.join("\n")).context("cannot note what is installed")
}
