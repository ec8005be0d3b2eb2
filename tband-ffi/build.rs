//! Finds out for which architecture the library is, as `port/tband_architecture.h` names it: shim and library
//! only link if both are for the same.
//!
//! rustc does not say to crates which Arm architecture they are for, so the name comes from the target's.

use std::env;

/// First parts of Rust's targets for Cortex-M, and the architecture.
const CORTEX_M: [(&str, &str); 5] = [
    ("thumbv6m", "armv6m"),
    ("thumbv7m", "armv7m"),
    ("thumbv7em", "armv7em"),
    ("thumbv8m.base", "armv8m_base"),
    ("thumbv8m.main", "armv8m_main"),
];

fn main() {
    // Three packages have this script, in folders of their own, so that no path fits all. Cargo runs it again when it
    // has compiled it again; without this line it would after a change of any file.
    println!("cargo::rerun-if-env-changed=TARGET");
    let target = env::var("TARGET").unwrap_or_default();
    let cpu = target.split('-').next().unwrap_or_default();
    let family = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let architecture = match family.as_str() {
        "arm" => CORTEX_M
            .iter()
            .find(|(name, _)| *name == cpu)
            .map_or("arm", |(_, name)| name)
            .to_owned(),
        "riscv32" | "riscv64" => {
            // What a library may not use unless the CPU has it: multiplication, atomics, short instructions.
            let has = |extension: &str| features.split(',').any(|feature| feature == extension);
            let extensions: String = ["m", "a", "c"].into_iter().filter(|name| has(name)).collect();
            format!("{}i{extensions}", family.replace("riscv", "rv"))
        }
        "x86_64" | "aarch64" => family,
        _ => "other".to_owned(),
    };
    println!("cargo::rustc-env=TBAND_ARCHITECTURE={architecture}");
}
