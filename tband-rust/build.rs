//! Reports the build scripts of programs where the C files are: `DEP_TBAND_ROOT` is the folder with
//! `include/`, `port/` and `freertos-hooks/`.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let package = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&package).parent().unwrap_or(Path::new(&package));
    println!("cargo::metadata=ROOT={}", root.display());
}
