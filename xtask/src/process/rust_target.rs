//! Targets of rustc: the name of this machine, the targets that rustup adds, and code without this machine's folders in it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Context, Result};
use tband_programs::output_inheriting;

use crate::command::run_quiet;

/// The target of this machine, as rustc names it.
///
/// # Errors
/// rustc does not run.
pub fn host_target() -> Result<String> {
    static HOST: OnceLock<String> = OnceLock::new();
    if let Some(host) = HOST.get() {
        return Ok(host.clone());
    }
    let version = run_quiet(Command::new("rustc").arg("-vV"))?.stdout;
    let version = String::from_utf8(version)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc names no host")?;
    Ok(HOST.get_or_init(|| host.to_owned()).clone())
}

/// Makes Rust's core library for a target available, if `rustup` manages it; without rustup cargo itself reports the missing
/// library.
///
/// # Errors
/// It is missing and cannot be added; the text has the command to run.
pub fn add_target(rustup: &Path, root: &Path, triple: &str) -> Result<()> {
    let Some(list) = installed(rustup, root) else {
        return Ok(());
    };
    if list.lines().any(|line| line == triple) {
        return Ok(());
    }
    eprintln!("Adding the Rust target {triple}");
    run_quiet(Command::new(rustup).args(["target", "add", triple]).current_dir(root))
        .with_context(|| {
            format!(
                "the Rust target {triple} is missing and could not be added. \
                 Add it with: rustup target add {triple}"
            )
        })?;
    Ok(())
}

/// The targets that rustup has, a line each; none without rustup.
fn installed(rustup: &Path, root: &Path) -> Option<String> {
    let mut list = Command::new(rustup);
    list.args(["target", "list", "--installed"]).current_dir(root);
    let list = output_inheriting(&mut list).ok()?;
    Some(String::from_utf8_lossy(&list.stdout).into_owned())
}

/// The toolchain has the core library of a target, by rustup or by another installer.
#[must_use]
pub fn is_installed(root: &Path, triple: &str) -> bool {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", triple]).current_dir(root);
    let folder = output_inheriting(&mut rustc).ok().filter(|output| output.status.success());
    let folder = folder.and_then(|output| String::from_utf8(output.stdout).ok());
    let files = folder.and_then(|folder| Path::new(folder.trim_end()).read_dir().ok());
    files.is_some_and(|mut files| {
        files.any(|it| it.is_ok_and(|it| it.file_name().to_string_lossy().starts_with("libcore-")))
    })
}

/// Returns options for rustc that keep this machine's folders out of its output.
pub(crate) fn without_paths(root: &Path) -> Result<String> {
    let sysroot = run_quiet(Command::new("rustc").args(["--print", "sysroot"]).current_dir(root))?;
    let sysroot = String::from_utf8(sysroot.stdout)?;
    let mut options = vec![
        format!("--remap-path-prefix={}=/tband", root.display()),
        format!("--remap-path-prefix={}=/rust", sysroot.trim_end()),
    ];
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".cargo")));
    if let Some(cargo_home) = cargo_home {
        options.push(format!("--remap-path-prefix={}=/cargo", cargo_home.display()));
    }
    // Cargo's separator, so that folders may have spaces in their names.
    Ok(options.join("\x1f"))
}
