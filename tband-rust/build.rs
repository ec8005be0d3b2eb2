//! Reports the build scripts of programs where the C files are: `DEP_TBAND_ROOT` is the folder with
//! `include/`, `port/` and `freertos-hooks/`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=ROOT={}", tband_sources::FOLDER);
}
