//! Compiles the C side of tband with this example's configuration, and chooses the linker script.

use std::{env, path::PathBuf};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo"));
    // The folder of tband's C files, as reported by the crate `tband`.
    let tband = PathBuf::from(env::var_os("DEP_TBAND_ROOT").expect("the dependency tband"));
    let includes = ["include", "port"].map(|folder| tband.join(folder));
    let config = here.join("config");
    for path in includes.iter().chain([&config, &here.join("memory.x")]) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    cc::Build::new()
        .include(config)
        .includes(includes)
        .file(tband.join("port/tband_shim.c"))
        .link_lib_modifier("+whole-archive") // Rust's libraries, which are linked after it, call it
        .compile("tband_shim");
    println!("cargo::rustc-link-search={}", here.display()); // memory.x
    println!("cargo::rustc-link-arg=-Tlink.x");
}
