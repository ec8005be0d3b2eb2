//! Determines the architecture that the library is for, named as in `port/tband_architecture.h`: shim and library
//! link only if both are for the same one.

mod architecture;

use std::env;

use architecture::{Target, name};

fn main() {
    // Two packages in separate folders share this script, so a single path does not fit both. Cargo runs it again
    // when it has compiled it again; without this line cargo would run it after a change of any file.
    println!("cargo::rerun-if-env-changed=TARGET");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let features = variable("CARGO_CFG_TARGET_FEATURE");
    let features: Vec<&str> = features.split(',').collect();
    let architecture = name(&Target {
        triple: &variable("TARGET"),
        arch: &variable("CARGO_CFG_TARGET_ARCH"),
        features: &features,
        is_big_endian: variable("CARGO_CFG_TARGET_ENDIAN") == "big",
        has_32_bit_pointers: variable("CARGO_CFG_TARGET_POINTER_WIDTH") == "32",
        is_windows: variable("CARGO_CFG_TARGET_OS") == "windows",
    });
    println!("cargo::rustc-env=TBAND_ARCHITECTURE={architecture}");
}
