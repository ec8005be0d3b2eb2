//! The libraries for firmware, slim as users get them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::{find_program, run_quiet};
use crate::core_library::{self, Core};
use crate::rust_target::host_target;

/// Prefix of the names of the GNU tools for a target.
///
/// # Errors
/// The target is neither a known CPU nor this machine.
pub fn tool_prefix(triple: &str) -> Result<&'static str> {
    if triple == host_target()? {
        return Ok("");
    }
    match triple.split_once('-').unwrap_or_default() {
        (cpu, "none-eabi" | "none-eabihf")
            if cpu.starts_with("thumb") || cpu.starts_with("arm") =>
        {
            Ok("arm-none-eabi-")
        }
        (cpu, "unknown-none-elf") if cpu.starts_with("riscv") => Ok("riscv64-unknown-elf-"),
        ("aarch64", "unknown-none") => Ok("aarch64-linux-gnu-"),
        ("x86_64", "pc-windows-gnu") => Ok("x86_64-w64-mingw32-"),
        _ => bail!("no tools are known for {triple}"),
    }
}

/// A library for firmware.
#[derive(Clone, Copy, Debug)]
pub struct FirmwareLibrary {
    /// The package that it is built from, of the workspace in `firmware`.
    pub package: &'static str,
    /// Its file.
    pub name: &'static str,
}

/// The recorder.
pub const RECORDER: FirmwareLibrary = FirmwareLibrary { package: "tband-ffi", name: "libtband.a" };
/// The emitter of flux.
pub const FLUX: FirmwareLibrary =
    FirmwareLibrary { package: "tband-flux-ffi", name: "libtband_flux.a" };

/// Builds the recorder for a target, slim as users get it, below `work`.
///
/// # Errors
/// A step failed; the text has its output.
pub fn library(root: &Path, work: &Path, triple: &str) -> Result<PathBuf> {
    firmware_library(root, work, triple, RECORDER)
}

/// Builds a library for a target, slim as users get it, below `work`.
///
/// # Errors
/// A step failed; the text has its output.
pub fn firmware_library(
    root: &Path,
    work: &Path,
    triple: &str,
    library: FirmwareLibrary,
) -> Result<PathBuf> {
    // Its core library is part of the standard library.
    let core =
        if triple == host_target()? { Core::Installed } else { core_library::find(root, triple)? };
    let target_dir = work.join("cargo");
    run_quiet(
        cmake()
            .args(core.settings())
            .args(["-DTBAND_CARGO=cargo", &format!("-DTBAND_PACKAGE={}", library.package)])
            .arg(format!("-DTBAND_TRIPLE={triple}"))
            .arg(format!("-DTBAND_SOURCE={}", root.display()))
            .arg(format!("-DTBAND_FOLDER={}", target_dir.display()))
            .arg("-P")
            .arg(root.join("cmake/TbandCargoBuild.cmake")),
    )?;
    let folder = work.join("lib").join(triple);
    let slim = folder.join(library.name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // Several tests may do this at a time, and read the output of another one.
    let scratch = tempfile::tempdir_in(&folder)
        .with_context(|| format!("cannot make a folder in {}", folder.display()))?;
    let made = scratch.path().join(library.name);
    let prefix = tool_prefix(triple)?;
    let tool = |name: &str| binary_tool(&format!("{prefix}{name}"));
    run_quiet(
        cmake()
            .arg(format!("-DTBAND_AR={}", tool("ar")?.display()))
            .arg(format!("-DTBAND_STRIP={}", tool("strip")?.display()))
            .arg(format!(
                "-DTBAND_IN={}",
                target_dir.join(triple).join("firmware").join(library.name).display()
            ))
            .arg(format!("-DTBAND_OUT={}", made.display()))
            .arg("-P")
            .arg(root.join("cmake/TbandSlim.cmake")),
    )?;
    // An unchanged library keeps its time, so that nothing is relinked without need.
    if fs::read(&slim).ok() != Some(fs::read(&made)?) {
        fs::rename(&made, &slim).with_context(|| format!("cannot write {}", slim.display()))?;
    }
    Ok(slim)
}

/// Returns CMake without variables that would choose compilers, flags or folders for it.
pub(crate) fn cmake() -> Command {
    let mut command = Command::new("cmake");
    for name in ["CC", "CFLAGS", "LDFLAGS", "DESTDIR", "CMAKE_GENERATOR", "CMAKE_TOOLCHAIN_FILE"] {
        command.env_remove(name);
    }
    command
}

/// Where one of the binary tools is.
fn binary_tool(name: &str) -> Result<PathBuf> {
    find_program(name)
        .with_context(|| format!("{name} is not installed; `cargo xtask setup` installs it"))
}
