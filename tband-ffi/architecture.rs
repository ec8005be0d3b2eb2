//! Names the architecture, byte order and ABI of a target, in the way that `port/tband_architecture.h` does it from a C compiler's
//! macros.
//!
//! Used by the build scripts of the library, and by the test that compares the names with those in C.

/// First parts of the names of Rust's targets for 32-bit Arm, and their architectures. rustc reports `arm` for all of them.
const ARMS: [(&str, &str); 22] = [
    ("thumbv6m", "armv6m"),
    ("thumbv7m", "armv7m"),
    ("thumbv7em", "armv7em"),
    ("thumbv8m.base", "armv8m_base"),
    ("thumbv8m.main", "armv8m_main"),
    ("armv7a", "armv7a"),
    ("armebv7a", "armv7a"),
    ("thumbv7a", "armv7a"),
    ("thumbv7neon", "armv7a"),
    ("armv7", "armv7a"),
    ("armv7r", "armv7r"),
    ("armebv7r", "armv7r"),
    ("thumbv7r", "armv7r"),
    ("armv8r", "armv8r"),
    ("thumbv8r", "armv8r"),
    ("armv6", "armv6"),
    ("thumbv6", "armv6"),
    ("arm", "armv6"),
    ("armv5te", "armv5te"),
    ("thumbv5te", "armv5te"),
    ("armv4t", "armv4t"),
    ("thumbv4t", "armv4t"),
];

/// The properties that rustc prints for a target.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// Its name, `TARGET` of build scripts.
    pub triple: &'a str,
    /// `target_arch`.
    pub arch: &'a str,
    /// All of `target_feature`.
    pub features: &'a [&'a str],
    /// `target_endian` is `big`.
    pub is_big_endian: bool,
    /// `target_pointer_width` is `32`.
    pub has_32_bit_pointers: bool,
    /// `target_os` is `windows`.
    pub is_windows: bool,
}

/// Returns the name of a target's architecture.
pub fn name(target: &Target<'_>) -> String {
    let cpu = target.triple.split('-').next().unwrap_or_default();
    let (base, abi) = match target.arch {
        "arm" => {
            let known = ARMS.iter().find(|(prefix, _)| *prefix == cpu);
            // An unknown architecture keeps its name, which no shim has.
            (known.map_or(cpu, |(_, name)| name).replace(['.', '-'], "_"), "")
        }
        "riscv32" | "riscv64" => risc_v(cpu, target.features),
        "aarch64" => {
            let base = if cpu == "aarch64v8r" { "aarch64v8r" } else { "aarch64" };
            (base.to_owned(), if target.has_32_bit_pointers { "_ilp32" } else { "" })
        }
        // rustc does not report the ABI: esp8266 uses call0, the other targets use the windowed ABI.
        "xtensa" => {
            let is_call0 = target.triple.contains("esp8266");
            ("xtensa".to_owned(), if is_call0 { "_call0" } else { "_windowed" })
        }
        "x86_64" | "x86" if target.is_windows => (target.arch.to_owned(), "_windows"),
        "x86_64" if target.has_32_bit_pointers => ("x86_64".to_owned(), "_ilp32"),
        // In C the plain name is a macro of some compilers.
        short @ ("mips" | "sparc" | "powerpc") => (format!("{short}32"), ""),
        other => (other.to_owned(), ""),
    };
    let order = if target.is_big_endian { "_big_endian" } else { "" };
    format!("{base}{abi}{order}")
}

/// Returns base, extensions and ABI of a RISC-V target. rustc reports neither the ABI nor floating point, so they are derived from
/// the name of the target.
fn risc_v(cpu: &str, features: &[&str]) -> (String, &'static str) {
    let is_64 = cpu.starts_with("riscv64");
    let letters = cpu.get("riscv32".len()..).unwrap_or_default();
    // `g` is short for `imafd`.
    let has_letter = |wanted: char| {
        letters.chars().any(|it| it == wanted || (it == 'g' && "imafd".contains(wanted)))
    };
    // Extensions that a library may use only if the CPU has them: multiplication, atomics, short instructions.
    let extensions: String =
        ["m", "a", "c"].into_iter().filter(|it| features.contains(it)).collect();
    let (bits, base) = (if is_64 { 64 } else { 32 }, if has_letter('e') { "e" } else { "i" });
    let abi = match (has_letter('d'), has_letter('f'), is_64) {
        (true, _, true) => "_lp64d",
        (true, _, false) => "_ilp32d",
        (_, true, true) => "_lp64f",
        (_, true, false) => "_ilp32f",
        _ => "",
    };
    (format!("rv{bits}{base}{extensions}"), abi)
}
