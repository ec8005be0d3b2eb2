//! Reports the build scripts of programs where the C files are: `DEP_TBAND_ROOT` is the folder with
//! `include/`, `port/` and `freertos-hooks/`. Sets the cfg `cortex_m` for CPUs whose register IPSR tells the exception: the
//! compiler has no name for them.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TARGET");
    println!("cargo::rustc-check-cfg=cfg(cortex_m)");
    let target = std::env::var("TARGET").unwrap_or_default();
    if ["thumbv6m", "thumbv7m", "thumbv7em", "thumbv8m"].iter().any(|it| target.starts_with(it)) {
        println!("cargo::rustc-cfg=cortex_m");
    }
    println!("cargo::metadata=ROOT={}", tband_sources::FOLDER);
}
