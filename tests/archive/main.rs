//! The library as users get it, for every target: the content of the archive, and that it works with other Rust libraries and
//! with every way to compile the C side.
//!
//! `macros` checks the names in the headers.

mod contents;
mod flux;
mod linking;
mod offline;

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use tband_programs::is_short;
use tband_tests::finish;
use tband_tests::library::library;
use xtask::{dist, rust_target};

/// Returns the library of every target of the package, or of one in addition to this machine.
fn libraries() -> &'static [(String, PathBuf)] {
    static LIBRARIES: OnceLock<Vec<(String, PathBuf)>> = OnceLock::new();
    LIBRARIES.get_or_init(|| {
        let host = rust_target::host_target().expect("a host");
        let is_wanted = |triple: &&str| !is_short() || *triple == "thumbv7em-none-eabihf";
        let targets = dist::FIRMWARE_TARGETS.iter().copied().filter(is_wanted);
        let targets = targets.chain([host.as_str()]);
        targets.map(|triple| (triple.to_owned(), library(triple))).collect()
    })
}

/// The constant of the shim that the library for a target misses.
fn shim_constant(triple: &str) -> String {
    let architecture = match triple {
        "thumbv6m-none-eabi" => "armv6m",
        "thumbv7m-none-eabi" => "armv7m",
        "thumbv7em-none-eabi" | "thumbv7em-none-eabihf" => "armv7em",
        "thumbv8m.main-none-eabi" | "thumbv8m.main-none-eabihf" => "armv8m_main",
        "armv7a-none-eabihf" => "armv7a",
        "armv7r-none-eabihf" => "armv7r",
        "riscv32imc-unknown-none-elf" => "rv32imc",
        "riscv32imac-unknown-none-elf" => "rv32imac",
        "riscv32imafc-unknown-none-elf" => "rv32imac_ilp32f",
        "riscv64imac-unknown-none-elf" => "rv64imac",
        "riscv64gc-unknown-none-elf" => "rv64imac_lp64d",
        host => host.split('-').next().expect("a name"),
    };
    format!("tband_shim_for_library_abi_3_{architecture}")
}

/// Output of one of the binary tools for a target, which must say nothing on stderr.
fn tool(triple: &str, name: &str, arguments: &[&str], archive: &PathBuf) -> String {
    let prefix = dist::tool_prefix(triple).unwrap_or_else(|error| panic!("{error:#}"));
    let finished = finish(Command::new(format!("{prefix}{name}")).args(arguments).arg(archive));
    assert!(finished.ok && finished.stderr.is_empty(), "{name} {triple}: {}", finished.text());
    String::from_utf8(finished.stdout).expect("text")
}
