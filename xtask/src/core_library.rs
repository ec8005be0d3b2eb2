//! Libraries for CPUs whose core library of Rust is no part of the machine's toolchain.
//!
//! With rustup a target's core library is a download. Where that cannot be had, Debian's packages of a compiler and of its
//! sources build it: cargo compiles the core library together with the recorder.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::{find_program, run_quiet};
use crate::rust_target::{add_target, is_installed};
use crate::setup::{self, For};

/// Targets that tests run in QEMU, beside those of the package.
pub const TARGETS: [&str; 5] = [
    "aarch64-unknown-none",
    "armebv7r-none-eabihf",
    "armv7a-none-eabihf",
    "armv7r-none-eabihf",
    "riscv64gc-unknown-none-elf",
];

/// The compiler whose sources Debian has, and these sources.
const RUSTC: &str = "/usr/bin/rustc";
const SOURCES: &str = "/usr/lib/rustlib/src/rust/library";

/// Makes the core library of each of the [`TARGETS`] available.
///
/// # Errors
/// Neither rustup nor Debian's packages can be installed; the text has the commands to run.
pub fn install(root: &Path) -> Result<()> {
    if has_sources() || TARGETS.iter().all(|triple| is_installed(root, triple)) {
        return Ok(());
    }
    // The targets that only rustup has come first. Its answer is the first error's cause, if there is one.
    let added = TARGETS.iter().try_for_each(|triple| add_target(Path::new("rustup"), root, triple));
    match added {
        Ok(()) => Ok(()),
        Err(error) => {
            setup::install_packages(For::CoreSources).with_context(|| format!("{error:#}"))
        }
    }
}

fn has_sources() -> bool {
    Path::new(RUSTC).is_file() && Path::new(SOURCES).is_dir()
}

/// Builds the recorder for a target, below `work`. It is not stripped.
///
/// # Errors
/// There is no core library for the target, or a step failed; the text has its output.
pub fn recorder(root: &Path, work: &Path, triple: &str) -> Result<PathBuf> {
    let folder = work.join("cargo");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--locked", "--offline", "--package", "tband-ffi"]);
    cargo.args(["--profile", "firmware", "--target", triple]);
    cargo.arg("--manifest-path").arg(root.join("firmware/Cargo.toml"));
    cargo.arg("--target-dir").arg(&folder).current_dir(root);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", format!("--remap-path-prefix={}=/tband", root.display()));
    if !is_installed(root, triple) {
        if has_sources() {
            // The sources' own packages are beside them. Unstable options of a compiler that is not nightly.
            cargo.env("RUSTC", RUSTC).env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=core");
            cargo.args(["--config", "source.crates-io.replace-with='sources'"]);
            cargo.args(["--config", &format!("source.sources.directory='{SOURCES}/vendor'")]);
        } else {
            let rustup = find_program("rustup").unwrap_or_default();
            add_target(&rustup, root, triple)?;
        }
    }
    run_quiet(&mut cargo).with_context(|| {
        format!("no library for {triple}; `cargo xtask setup` installs what its build needs")
    })?;
    Ok(folder.join(triple).join("firmware/libtband.a"))
}
