//! The names of architectures in C and in Rust: shim and library link if and only if both have the same.

use std::collections::BTreeMap;
use std::process::Command;

use tband_tests::{read, root, run};

#[path = "../../tband-ffi/architecture.rs"]
mod architecture;

const ARM: &str = "arm-none-eabi-gcc";
const RISCV: &str = "riscv64-unknown-elf-gcc";
const CLANG: &str = "clang";
const HOST: &str = "cc";

/// A CPU and its ABI: the name, the Rust target, the compiler and its flags. Targets that run each other's code have one name.
const CPUS: &[(&str, &str, &str, &str)] = &[
    ("armv6m", "thumbv6m-none-eabi", ARM, "-mcpu=cortex-m0 -mthumb"),
    ("armv7m", "thumbv7m-none-eabi", ARM, "-mcpu=cortex-m3 -mthumb"),
    ("armv7em", "thumbv7em-none-eabi", ARM, "-mcpu=cortex-m4 -mthumb"),
    ("armv7em", "thumbv7em-none-eabihf", ARM, "-mcpu=cortex-m7 -mthumb -mfloat-abi=hard"),
    ("armv8m_base", "thumbv8m.base-none-eabi", ARM, "-mcpu=cortex-m23 -mthumb"),
    ("armv8m_main", "thumbv8m.main-none-eabi", ARM, "-mcpu=cortex-m33+nofp -mthumb"),
    ("armv8m_main", "thumbv8m.main-none-eabihf", ARM, "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard"),
    ("armv4t", "armv4t-none-eabi", ARM, "-mcpu=arm7tdmi"),
    ("armv5te", "armv5te-none-eabi", ARM, "-mcpu=arm926ej-s"),
    ("armv6", "armv6-none-eabi", ARM, "-mcpu=arm1136jf-s"),
    ("armv6", "armv6-none-eabihf", ARM, "-mcpu=arm1176jzf-s -mfloat-abi=hard"),
    ("armv7a", "armv7a-none-eabi", ARM, "-mcpu=cortex-a9+nofp"),
    ("armv7a", "armv7a-none-eabihf", ARM, "-mcpu=cortex-a9 -mfloat-abi=hard"),
    ("armv7a", "armv7a-none-eabihf", CLANG, "--target=armv7a-none-eabihf -mcpu=cortex-a7"),
    // In their 32-bit state they run the same code.
    ("armv7a", "armv7a-none-eabihf", ARM, "-mcpu=cortex-a53 -mfloat-abi=hard"),
    ("armv7r", "armv7r-none-eabi", ARM, "-mcpu=cortex-r4"),
    ("armv7r", "armv7r-none-eabihf", ARM, "-mcpu=cortex-r5 -mfloat-abi=hard"),
    ("armv7r_big_endian", "armebv7r-none-eabi", ARM, "-mcpu=cortex-r4 -mbig-endian"),
    (
        "armv7r_big_endian",
        "armebv7r-none-eabihf",
        ARM,
        "-mcpu=cortex-r5 -mbig-endian -mfloat-abi=hard",
    ),
    ("armv8r", "armv8r-none-eabihf", ARM, "-mcpu=cortex-r52 -mfloat-abi=hard"),
    ("aarch64", "aarch64-unknown-none", CLANG, "--target=aarch64-none-elf"),
    (
        "aarch64",
        "aarch64-unknown-none-softfloat",
        CLANG,
        "--target=aarch64-none-elf -march=armv8-a+nofp+nosimd",
    ),
    ("aarch64", "aarch64-unknown-linux-gnu", CLANG, "--target=aarch64-linux-gnu"),
    ("rv32i", "riscv32i-unknown-none-elf", RISCV, "-march=rv32i -mabi=ilp32"),
    ("rv32im", "riscv32im-unknown-none-elf", RISCV, "-march=rv32im -mabi=ilp32"),
    ("rv32ima", "riscv32ima-unknown-none-elf", RISCV, "-march=rv32ima -mabi=ilp32"),
    ("rv32imc", "riscv32imc-unknown-none-elf", RISCV, "-march=rv32imc -mabi=ilp32"),
    ("rv32imac", "riscv32imac-unknown-none-elf", RISCV, "-march=rv32imac -mabi=ilp32"),
    // It has floating point and does not pass it.
    ("rv32imac", "riscv32imac-unknown-none-elf", RISCV, "-march=rv32imafc -mabi=ilp32"),
    ("rv32imac_ilp32f", "riscv32imafc-unknown-none-elf", RISCV, "-march=rv32imafc -mabi=ilp32f"),
    ("rv32e", "riscv32e-unknown-none-elf", RISCV, "-march=rv32e -mabi=ilp32e"),
    ("rv32em", "riscv32em-unknown-none-elf", RISCV, "-march=rv32em -mabi=ilp32e"),
    ("rv32emc", "riscv32emc-unknown-none-elf", RISCV, "-march=rv32emc -mabi=ilp32e"),
    ("rv64im", "riscv64im-unknown-none-elf", RISCV, "-march=rv64im -mabi=lp64"),
    ("rv64imac", "riscv64imac-unknown-none-elf", RISCV, "-march=rv64imac -mabi=lp64"),
    ("rv64imac_lp64d", "riscv64gc-unknown-none-elf", RISCV, "-march=rv64gc -mabi=lp64d"),
    ("mips32", "mipsel-unknown-none", CLANG, "--target=mipsel-none-elf"),
    ("sparc32_big_endian", "sparc-unknown-none-elf", CLANG, "--target=sparc-none-elf"),
    ("x86_64", "x86_64-unknown-linux-gnu", CLANG, "--target=x86_64-linux-gnu"),
    ("x86_64_windows", "x86_64-pc-windows-gnu", CLANG, "--target=x86_64-pc-windows-gnu"),
    ("x86_windows", "i686-pc-windows-gnu", CLANG, "--target=i686-pc-windows-gnu"),
];

/// CPUs without a specific library: the name exists so that no other library links.
const WITHOUT_TARGET: &[(&str, &str, &str)] = &[
    // Rust has no target for their order of bytes, or for them.
    ("armv4t_big_endian", ARM, "-mcpu=arm7tdmi -mbig-endian"),
    ("armv5te_big_endian", ARM, "-mcpu=arm926ej-s -mbig-endian"),
    ("armv5t", ARM, "-march=armv5t"),
    ("rx", HOST, "-undef -D__RX__"),
    ("rl78", HOST, "-undef -D__RL78__"),
    ("arc_cpu", HOST, "-undef -D__arc__"),
    ("micro_blaze", HOST, "-undef -D__MICROBLAZE__"),
    ("nios_ii", HOST, "-undef -D__nios2__"),
    ("mcs51", HOST, "-undef -D__SDCC_mcs51"),
    ("pic8", HOST, "-undef -D__XC8"),
    ("pic16", HOST, "-undef -D__XC16__"),
    ("h8_300", HOST, "-undef -D__H8300H__"),
    ("avr32", HOST, "-undef -D__AVR32__"),
    ("avr", HOST, "-undef -D__AVR__"),
    ("msp430", HOST, "-undef -D__MSP430__"),
    ("armv7a_big_endian", ARM, "-mcpu=cortex-a9 -mbig-endian"),
    ("aarch64_big_endian", CLANG, "--target=aarch64_be-none-elf"),
    ("aarch64_ilp32", CLANG, "--target=aarch64-none-elf -D__ILP32__"),
    ("rv32imac_ilp32d", RISCV, "-march=rv32gc -mabi=ilp32d"),
    ("rv64imac_lp64f", RISCV, "-march=rv64imafc -mabi=lp64f"),
    ("mips32_big_endian", CLANG, "--target=mips-none-elf"),
    ("x86_64_ilp32", CLANG, "--target=x86_64-linux-gnux32"),
    ("xtensa_windowed", HOST, "-undef -D__XTENSA__"),
    ("xtensa_call0", HOST, "-undef -D__XTENSA__ -D__XTENSA_CALL0_ABI__"),
    ("unknown_cpu", HOST, "-undef"),
    ("tricore", HOST, "-undef -DTBAND_ARCHITECTURE=tricore"),
];

/// The name that C has for the CPU of these flags, and the word after it.
fn in_c(compiler: &str, flags: &str) -> (String, String) {
    let mut command = Command::new(compiler);
    command.args(flags.split_whitespace()).arg("-I").arg(root().join("port")).args(["-E", "-P"]);
    let text = run(command.arg(root().join("cmake/rust_target.c")));
    let text = String::from_utf8(text).expect("a text");
    let last = text.lines().last().expect("a line");
    let (name, rest) = last.split_once(' ').expect("two words");
    (name.to_owned(), rest.to_owned())
}

/// The name that a library for a target has.
fn in_rust(triple: &str) -> String {
    let text = run(Command::new("rustc").args(["--print", "cfg", "--target", triple]));
    let text = String::from_utf8(text).expect("a text");
    let value = |name: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix(&format!("{name}=\"")));
        found.map(|rest| rest.trim_end_matches('"')).unwrap_or_default()
    };
    let features = text.lines().filter_map(|line| line.strip_prefix("target_feature=\""));
    let features: Vec<&str> = features.map(|it| it.trim_end_matches('"')).collect();
    architecture::name(&architecture::Target {
        triple,
        arch: value("target_arch"),
        features: &features,
        is_big_endian: value("target_endian") == "big",
        has_32_bit_pointers: value("target_pointer_width") == "32",
        is_windows: value("target_os") == "windows",
    })
}

#[test]
fn c_and_rust_have_the_same_name_for_each_cpu() {
    let mut all: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, triple, compiler, flags) in CPUS {
        assert_eq!(in_c(compiler, flags).0, *name, "{compiler} {flags}");
        assert_eq!(in_rust(triple), *name, "{triple}");
        all.entry((*name).to_owned()).or_default().push(triple);
    }
    for (name, compiler, flags) in WITHOUT_TARGET {
        assert_eq!(in_c(compiler, flags).0, *name, "{compiler} {flags}");
        assert!(!all.contains_key(*name), "{name}: shares its name with a library");
    }
    // Only libraries that run on each other's CPU share a name. GNU ld and lld compare soft and hard float of Arm.
    let shared: Vec<_> = all
        .into_values()
        .filter_map(|mut triples| {
            triples.sort_unstable();
            triples.dedup();
            (triples.len() > 1).then(|| triples.join(" "))
        })
        .collect();
    assert_eq!(
        shared,
        [
            "aarch64-unknown-linux-gnu aarch64-unknown-none aarch64-unknown-none-softfloat",
            "armv6-none-eabi armv6-none-eabihf",
            "armv7a-none-eabi armv7a-none-eabihf",
            "thumbv7em-none-eabi thumbv7em-none-eabihf",
            "armv7r-none-eabi armv7r-none-eabihf",
            "armebv7r-none-eabi armebv7r-none-eabihf",
            "thumbv8m.main-none-eabi thumbv8m.main-none-eabihf",
        ]
    );
}

/// The list that CMake, make and PlatformIO read has the target of each CPU, and no other target.
#[test]
fn build_tools_find_the_target_of_each_cpu() {
    let list = read(root().join("cmake/rust_targets.txt"));
    let mut lines: BTreeMap<&str, &str> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.rsplit_once(' ').expect("a target"))
        .collect();
    let mut found = BTreeMap::new();
    for (_, triple, compiler, flags) in CPUS {
        let (name, rest) = in_c(compiler, flags);
        let line = format!("{name} {rest}");
        assert_eq!(lines.get(line.as_str()), Some(triple), "{compiler} {flags}: {line}");
        found.insert(line, *triple);
    }
    for (_, compiler, flags) in WITHOUT_TARGET {
        let (name, rest) = in_c(compiler, flags);
        assert_eq!(lines.get(format!("{name} {rest}").as_str()), None, "{compiler} {flags}");
    }
    lines.retain(|line, _| !found.contains_key(*line));
    let untried = ["aarch64v8r bare", "aarch64v8r soft_float"];
    assert_eq!(lines.into_keys().collect::<Vec<_>>(), untried, "lines that no CPU here finds");
}

/// The recorder has cells in place of atomics for those of Rust's targets without an operating system that have no atomic words of 32
/// bits, and for no other.
#[test]
fn cells_replace_the_atomics_of_the_cpus_that_have_none() {
    let script = read(root().join("tband-core/build.rs"));
    let (_, list) = script.split_once("const WITHOUT_ATOMICS").expect("the list");
    let (list, _) = list.split_once("];").expect("its end");
    let mut listed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    listed.sort_unstable();

    let of_rustc = |arguments: &[&str]| {
        // A compiler that allows unstable features has the names of load and store.
        let text = run(Command::new("rustc").args(arguments).env("RUSTC_BOOTSTRAP", "1"));
        String::from_utf8(text).expect("a text")
    };
    let all = of_rustc(&["--print", "target-list"]);
    let mut without: Vec<&str> = all
        .lines()
        // A virtual machine of the Linux kernel.
        .filter(|triple| triple.contains("-none") && !triple.starts_with("bpf"))
        .filter(|triple| {
            let cfg = of_rustc(&["--print", "cfg", "--target", triple]);
            !cfg.contains("target_has_atomic_load_store=\"32\"")
        })
        .filter_map(|triple| triple.split('-').next())
        .collect();
    without.sort_unstable();
    assert_eq!(without, listed);
}
