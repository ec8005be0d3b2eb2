//! Sets the cfg `without_atomics` for CPUs without atomic loads and stores of 32 bits: `src/atomics.rs` then has cells in place of atomics.
//!
//! The compiler has a cfg for that, `target_has_atomic_load_store`, which only its nightly versions allow in sources.

/// First parts of the names of Rust's targets for them. `cargo test -p tband-tests --test targets` compares them with the compiler.
const WITHOUT_ATOMICS: [&str; 6] = ["armv4t", "armv5te", "thumbv4t", "thumbv5te", "msp430", "avr"];

fn main() {
    println!("cargo::rerun-if-env-changed=TARGET");
    println!("cargo::rustc-check-cfg=cfg(without_atomics)");
    let target = std::env::var("TARGET").unwrap_or_default();
    let cpu = target.split('-').next().unwrap_or_default();
    if WITHOUT_ATOMICS.contains(&cpu) {
        println!("cargo::rustc-cfg=without_atomics");
    }
}
