//! Runs other programs, such that a failure shows the command and its output.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};
pub use tband_programs::format_command;
use tband_programs::output_inheriting;

/// Runs a program and shows its output, for as long as it takes.
#[expect(clippy::disallowed_methods, reason = "the user sees what it waits for")]
pub fn run_with_output(command: &mut Command) -> Result<()> {
    let shown = format_command(command);
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// Runs a program and returns its output, which is shown only if it fails. One that does not end fails.
pub fn run_quiet(command: &mut Command) -> Result<Output> {
    let shown = format_command(command);
    let output = output_inheriting(command).with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        bail!(
            "`{shown}` failed ({}):\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(output)
}

/// Where a program is that `PATH` has.
#[must_use]
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}
