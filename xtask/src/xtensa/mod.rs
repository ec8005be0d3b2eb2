//! Builds programs for Xtensa cores with register windows, as ESP32, ESP32-S2 and ESP32-S3 have them, with the compilers of Debian.
//!
//! Users have Espressif's Rust. That of Debian has LLVM's own code for Xtensa, whose literals must be moved.

mod literals;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::run_quiet;
use crate::core_library;
use crate::setup::{self, Purpose};

pub use literals::move_literals;

/// The target of the library. No target of rustc fits: those have the FPU, and another layout of data than LLVM 22.
pub const TRIPLE: &str = "xtensa-none-elf";

/// It has the instructions of the ESP32, but not those of its FPU and of booleans, which are saved lazily.
const TARGET: &str = r#"{
  "arch": "xtensa",
  "cpu": "esp32",
  "crt-objects-fallback": "false",
  "data-layout": "e-m:e-p:32:32-i8:8:32-i16:16:32-i64:64-n32",
  "emit-debug-gdb-scripts": false,
  "features": "-fp,-bool,-dfpaccel",
  "linker-flavor": "gnu-cc",
  "llvm-target": "xtensa-none-elf",
  "max-atomic-width": 32,
  "panic-strategy": "abort",
  "relocation-model": "static",
  "target-pointer-width": 32
}
"#;

/// The instructions of QEMU's core dc233c that the ESP32 has, too.
const FEATURES: [&str; 13] = [
    "density",
    "windowed",
    "exception",
    "interrupt",
    "rvector",
    "sext",
    "nsa",
    "mul32",
    "minmax",
    "s32c1i",
    "loop",
    "timers3",
    "highpriinterrupts",
];

/// Installs the compilers, the assembler and the linker.
///
/// # Errors
/// They cannot be installed; the text has the command to run.
pub fn install() -> Result<()> {
    setup::install_packages(Purpose::CoreSources)?;
    setup::install_packages(Purpose::Xtensa)
}

/// Installs them, and prints the reason if that is not possible: the tests then pass over Xtensa.
pub fn install_if_possible() {
    if let Err(error) = install() {
        eprintln!("Xtensa is not tested on this machine: {error:#}");
    }
}

/// Builds the recorder below `work`, and returns it as an object file.
///
/// # Errors
/// A step failed; the text has its output.
pub fn library(root: &Path, work: &Path) -> Result<PathBuf> {
    let folder = work.join("lib").join(TRIPLE);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let target = folder.join(TRIPLE).with_extension("json");
    // Cargo builds everything again after a change of this file.
    if fs::read_to_string(&target).ok().as_deref() != Some(TARGET) {
        fs::write(&target, TARGET).with_context(|| format!("cannot write {}", target.display()))?;
    }
    let assembly = folder.join("tband.s");
    let mut cargo = Command::new("cargo");
    for name in [
        "CARGO_BUILD_TARGET",
        "CARGO_TARGET_DIR",
        "CARGO_INCREMENTAL",
        "RUSTFLAGS",
        "RUSTC_WRAPPER",
    ] {
        cargo.env_remove(name);
    }
    cargo.args(["rustc", "--quiet", "--locked", "--offline", "-Zjson-target-spec"]);
    core_library::build_from_sources(&mut cargo);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", format!("--remap-path-prefix={}=/tband", root.display()));
    cargo.arg("--manifest-path").arg(root.join("firmware/Cargo.toml"));
    cargo.args(["--package", "tband-ffi", "--profile", "firmware", "--target"]).arg(&target);
    cargo.arg("--target-dir").arg(work.join("cargo")).args(["--", "--emit"]);
    run_quiet(cargo.arg(format!("asm={}", assembly.display())).current_dir(root))?;
    let object = folder.join("tband.o");
    assemble(&assembly, &object)?;
    Ok(object)
}

/// Compiles a C file with further options.
///
/// # Errors
/// A step failed; the text has its output.
pub fn compile(options: &[String], source: &Path, object: &Path) -> Result<()> {
    if source.extension().is_some_and(|it| it == "S") {
        return llvm_mc(source, object);
    }
    let assembly = object.with_extension("s");
    let mut clang = Command::new("clang-22");
    clang.arg("--target=xtensa");
    for feature in FEATURES {
        clang.args(["-Xclang", "-target-feature", "-Xclang", &format!("+{feature}")]);
    }
    clang.args(options).arg("-S").arg(source).arg("-o").arg(&assembly);
    run_quiet(&mut clang)?;
    assemble(&assembly, object)
}

/// Links objects.
///
/// # Errors
/// The linker failed; the text has its output.
pub fn link(options: &[String], objects: &[PathBuf], elf: &Path) -> Result<()> {
    let mut ld = Command::new("xtensa-lx106-elf-ld");
    ld.args(["--no-relax", "--gc-sections", "--no-warn-rwx-segments"]).args(options).args(objects);
    run_quiet(ld.arg("-o").arg(elf))?;
    Ok(())
}

/// Assembles what a compiler wrote.
fn assemble(assembly: &Path, object: &Path) -> Result<()> {
    let text = fs::read_to_string(assembly)
        .with_context(|| format!("cannot read {}", assembly.display()))?;
    let moved = assembly.with_extension("moved.s");
    fs::write(&moved, move_literals(&text)?)
        .with_context(|| format!("cannot write {}", moved.display()))?;
    llvm_mc(&moved, object)
}

fn llvm_mc(source: &Path, object: &Path) -> Result<()> {
    let mut assembler = Command::new("llvm-mc-22");
    assembler.args(["-triple=xtensa", "-mcpu=esp32", "-filetype=obj"]).arg(source);
    run_quiet(assembler.arg("-o").arg(object))?;
    Ok(())
}
