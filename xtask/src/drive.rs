//! Runs the programs of `tests/browser`, which drive a real browser.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::setup::python;

/// Arguments of such a program.
#[derive(Clone, Copy, Debug)]
pub struct DriverArguments<'a> {
    /// The workspace's root folder.
    pub root: &'a Path,
    /// The folder of the web page.
    pub page: &'a Path,
    /// The command line tool.
    pub tool: &'a Path,
    /// A folder for its files.
    pub folder: &'a Path,
}

/// Returns the command that runs one of them.
///
/// # Errors
/// The browser's driver is not installed.
pub fn program(name: &str, given: DriverArguments<'_>) -> Result<Command> {
    let mut command = Command::new(python::USUAL.python(given.root)?);
    let folder = given.root.join("tests/browser");
    command
        .arg(folder.join(name))
        .env("PYTHONPATH", folder.join("support"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("TBAND_CLI", given.tool)
        .env("TBAND_ROOT", given.root)
        .env("TBAND_PAGE", given.page)
        .env("TBAND_FOLDER", given.folder);
    Ok(command)
}
