//! `cargo xtask fresh`: runs the commands of the README on a machine that has just Rust, its linker and git; and the tarball's
//! on one without Rust.
//!
//! A bare Debian is created once and kept; each command gets a copy of it with a clone of this checkout, and the toolchain of
//! this machine, which it cannot change. The settings to reach registries are copied (apt's sources and settings, certificates,
//! proxies, cargo's settings), and nothing else. If a command fails, files that its output reports as missing are looked up in
//! Debian's list of files.

mod missing;
mod root;
mod tarball;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use tband_programs::Program;

use crate::command::run_quiet;
use crate::dist;
use crate::setup::{self, Purpose};
use crate::tier::Tier;
use root::{Base, Machine};

/// The root of another release of Debian with these packages, with commas between. It is made once and kept.
///
/// # Errors
/// It cannot be made.
pub fn newer_root(checkout: &Path, suite: &str, packages: &str) -> Result<PathBuf> {
    root::with_packages(&checkout.join("target/roots"), suite, packages)
}

/// Which commands of the README to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ReadmePart {
    /// The demo
    Demo,
    /// The tests
    Test,
    /// Both, each on a separate machine
    All,
    /// The commands of the tarball's README, on a machine without Rust
    Tarball,
}

/// What `cargo xtask fresh` is asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Commands to run.
    pub which: ReadmePart,
    /// Debian's or Ubuntu's release; this machine's if `None`.
    pub suite: Option<String>,
    /// Leave the machines for a look at them.
    pub keep: bool,
    /// Further arguments of the tests' command, after `--`.
    pub test_args: Vec<String>,
}

/// Runs the commands.
///
/// # Errors
/// A command failed; what it misses is printed. Or there cannot be such a machine here.
pub fn run(checkout: &Path, options: &Options) -> Result<()> {
    ensure!(
        cfg!(target_os = "linux") && setup::is_root(),
        "another root folder needs Linux, and root: run this with sudo"
    );
    setup::run(Purpose::Fresh)?;
    if options.which == ReadmePart::Tarball {
        setup::run(Purpose::Dist)?;
    }
    let folder = checkout.join("target/fresh");
    let suite = options.suite.clone().map_or_else(root::own_suite, Ok)?;
    let base = Base::find_or_make(&folder, &suite)?;
    warn_of_changes(checkout)?;
    // The machine has no rustup to add them, and cannot change this toolchain.
    Tier::Usual.install_targets(checkout)?;
    let readme = std::fs::read_to_string(checkout.join("README.md")).context("README.md")?;
    let mut failed = Vec::new();
    for name in match options.which {
        ReadmePart::Demo => &["demo"][..],
        ReadmePart::Test => &["test"],
        ReadmePart::All => &["demo", "test"],
        ReadmePart::Tarball => {
            let tarball = dist::complete(checkout, &checkout.join("target/dist"))?;
            return tarball::run(&mut base.without_rust(options.keep)?, &tarball.tarball);
        }
    } {
        let mut command = command_of(&readme, name)?;
        if *name == "test" && !options.test_args.is_empty() {
            command.push("--".to_owned());
            command.extend_from_slice(&options.test_args);
        }
        let shown = command.join(" ");
        let mut machine = base.machine(checkout, options.keep)?;
        eprintln!("== {shown}, on {suite} with Rust and git alone ==");
        let (ok, output) = show(&mut machine.command(&command)?)?;
        if ok {
            eprintln!("== {shown}: passed; set-up installed: {} ==", installed(&base, &machine)?);
            continue;
        }
        eprintln!("== {shown}: FAILED; set-up installed: {} ==", installed(&base, &machine)?);
        missing::print(&mut machine, &output)?;
        failed.push(shown);
    }
    ensure!(failed.is_empty(), "failed on a fresh machine: {}", failed.join(", "));
    Ok(())
}

/// The README's words for `cargo xtask NAME`, from a separate line or between backticks.
fn command_of(readme: &str, name: &str) -> Result<Vec<String>> {
    let wanted = format!("cargo xtask {name}");
    let line = readme.lines().map(str::trim).find(|line| *line == wanted);
    let quoted = || readme.split('`').find(|text| *text == wanted);
    match line.or_else(quoted) {
        Some(text) => Ok(text.split(' ').map(str::to_owned).collect()),
        None => bail!("the README does not name `{wanted}`"),
    }
}

fn warn_of_changes(checkout: &Path) -> Result<()> {
    let mut status = Command::new("git");
    let changes = run_quiet(status.args(["status", "--porcelain"]).current_dir(checkout))?;
    if !changes.stdout.is_empty() {
        eprintln!("Only committed files are cloned; the checkout has further changes.");
    }
    Ok(())
}

/// Runs a command for as long as it takes, shows its output and returns it; `true` if it succeeded.
fn show(command: &mut Command) -> Result<(bool, String)> {
    let (mut reader, writer) = io::pipe()?;
    let mut program =
        Program::start_inheriting(command.stdout(writer.try_clone()?).stderr(writer))?;
    // Otherwise the pipe would never end.
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let (mut output, mut block) = (Vec::new(), [0; 4096]);
    loop {
        let count = reader.read(&mut block)?;
        if count == 0 {
            break;
        }
        io::stderr().write_all(&block[..count])?;
        output.extend_from_slice(&block[..count]);
    }
    let ok = program.wait()?.success();
    Ok((ok, String::from_utf8_lossy(&output).into_owned()))
}

/// Packages that were asked for by name on the machine.
fn installed(base: &Base, machine: &Machine) -> Result<String> {
    let before = base.packages()?;
    let mut new: Vec<_> = machine.packages()?.difference(&before).cloned().collect();
    if new.is_empty() {
        new.push("nothing".to_owned());
    }
    Ok(new.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_names_the_commands() {
        let readme = std::fs::read_to_string(crate::workspace_root().join("README.md")).unwrap();
        assert_eq!(command_of(&readme, "demo").unwrap(), ["cargo", "xtask", "demo"]);
        assert_eq!(command_of(&readme, "test").unwrap(), ["cargo", "xtask", "test"]);
        let error = command_of(&readme, "none").unwrap_err().to_string();
        assert_eq!(error, "the README does not name `cargo xtask none`");
    }

    #[test]
    fn the_output_of_a_command_is_kept() {
        let mut command = Command::new("sh");
        let (ok, output) = show(command.args(["-c", "echo one; echo two >&2; exit 1"])).unwrap();
        assert_eq!((ok, output.as_str()), (false, "one\ntwo\n"));
    }
}
