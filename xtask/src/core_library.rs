//! Rust's core library for the CPUs of firmware.
//!
//! With rustup the core library of most targets is a download. For the others, and where rustup is not available, Debian's
//! packages of a compiler and of its sources build it: cargo compiles the core library together with the recorder, which takes
//! half a minute of the processor.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use crate::rust_target::{add_target, is_installed};
use crate::setup::{self, Purpose};

/// Targets that tests run in QEMU and Wine, beside those of the package.
const TESTED: [&str; 5] = [
    "x86_64-pc-windows-gnu",
    "armebv7r-none-eabihf",
    "armv4t-none-eabi",
    "armv5te-none-eabi",
    "riscv32e-unknown-none-elf",
];

/// Those of Rust's tier 3: rustup does not have their core library.
const TIER_3: [&str; 4] =
    ["armebv7r-none-eabihf", "armv4t-none-eabi", "armv5te-none-eabi", "riscv32e-unknown-none-elf"];

/// The compiler whose sources Debian has, and these sources.
const RUSTC: &str = "/usr/bin/rustc";
const SOURCES: &str = "/usr/lib/rustlib/src/rust/library";

/// Where the core library of a target comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// The toolchain has it.
    Installed,
    /// It is compiled from Debian's sources by Debian's compiler.
    Sources,
}

impl Core {
    /// Settings of `cmake/TbandCargoBuild.cmake`.
    #[must_use]
    pub fn settings(self) -> Vec<String> {
        match self {
            Self::Installed => Vec::new(),
            Self::Sources => {
                vec![format!("-DTBAND_RUSTC={RUSTC}"), format!("-DTBAND_RUST_SOURCES={SOURCES}")]
            }
        }
    }
}

/// Makes the core library of each of these targets, and of those of the tests, available.
///
/// # Errors
/// Neither rustup nor Debian's packages can be installed; the text has the commands to run.
pub fn install(root: &Path, targets: &[&str]) -> Result<()> {
    targets.iter().chain(&TESTED).try_for_each(|triple| find(root, triple).map(drop))
}

/// Makes the core library of a target available. Each target is looked for once: a download that does not begin takes minutes
/// to fail, and a package has two libraries of each.
///
/// # Errors
/// As for [`install`].
pub fn find(root: &Path, triple: &str) -> Result<Core> {
    static FOUND: Mutex<BTreeMap<String, Core>> = Mutex::new(BTreeMap::new());
    // The lock is kept, so that others wait for the first one.
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(core) = found.get(triple) {
        return Ok(*core);
    }
    let core = look_for(root, triple)?;
    found.insert(triple.to_owned(), core);
    Ok(core)
}

fn look_for(root: &Path, triple: &str) -> Result<Core> {
    if is_installed(root, triple) {
        return Ok(Core::Installed);
    }
    let added = if TIER_3.contains(&triple) {
        Ok(())
    } else {
        add_target(Path::new("rustup"), root, triple)
    };
    if added.is_ok() && is_installed(root, triple) {
        return Ok(Core::Installed);
    }
    if !has_sources() {
        setup::install_packages(Purpose::CoreSources).with_context(|| match added {
            Err(error) => format!("{error:#}"),
            Ok(()) => format!("no core library of Rust for {triple}"),
        })?;
    }
    if !has_sources() {
        bail!("no core library of Rust for {triple}, and no sources in {SOURCES}");
    }
    Ok(Core::Sources)
}

/// Makes `cargo` compile the core library with Debian's compiler from Debian's sources.
pub(crate) fn build_from_sources(cargo: &mut Command) {
    cargo.env("RUSTC", RUSTC).env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=core");
    cargo.args(["--config", "source.crates-io.replace-with='sources'"]);
    cargo.args(["--config", &format!("source.sources.directory='{SOURCES}/vendor'")]);
}

fn has_sources() -> bool {
    Path::new(RUSTC).is_file() && Path::new(SOURCES).is_dir()
}
