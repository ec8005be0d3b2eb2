//! Every example with the versions of CMake that people have: the least that tband takes, those of distributions, the newest.

use std::path::Path;
use std::process::Command;

use tband_tests::library::{firmware_library, library};
use tband_tests::{kernel, root, run, temp_dir};
use xtask::dist;
use xtask::rust_target::host_target;
use xtask::setup::python::CMAKES;

/// The examples, their toolchain files, and the targets of these.
const EXAMPLES: [(&str, &str, &str); 13] = [
    ("bare-metal", "cortex-m3.cmake", "thumbv7m-none-eabi"),
    ("ci", "../mps2-an386/cortex-m4f.cmake", "thumbv7em-none-eabihf"),
    ("crash", "cortex-m4f.cmake", "thumbv7em-none-eabihf"),
    ("flux", "", ""),
    ("hello", "", ""),
    ("mps2-an386", "cortex-m4f.cmake", "thumbv7em-none-eabihf"),
    ("own-scheduler", "", ""),
    ("posix-freertos", "", ""),
    ("riscv-smp", "rv32imac.cmake", "riscv32imac-unknown-none-elf"),
    ("rtt", "cortex-m3.cmake", "thumbv7m-none-eabi"),
    ("sensor-pipeline", "", ""),
    ("stm32f405", "cortex-m4f.cmake", "thumbv7em-none-eabihf"),
    ("uart", "cortex-m3.cmake", "thumbv7m-none-eabi"),
];

/// Needs the SDK of its board, whose tests are in `boards`.
const WITH_SDK: &str = "rp2040-smp";

/// The lists of an example, with a library that is built already unless there is none to name.
fn build(cmake: &Path, (example, toolchain, triple): (&str, &str, &str), is_prebuilt: bool) {
    let folder = temp_dir();
    let source = root().join("examples").join(example);
    let command = || {
        let mut command = Command::new(cmake);
        for name in ["CC", "CFLAGS", "CMAKE_GENERATOR", "DESTDIR", "RUSTFLAGS", "CARGO_TARGET_DIR"]
        {
            command.env_remove(name);
        }
        command
    };
    let mut configure = command();
    configure.arg("-S").arg(&source).arg("-B").arg(folder.path()).arg("-Wdev");
    configure.arg(format!("-DTBAND_PATH={}", root().display()));
    configure.arg(format!("-DFREERTOS_KERNEL_PATH={}", kernel::sources().display()));
    // The lists are tried, not the code: without optimisation the compiler takes half the time.
    configure.arg("-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O0 -DNDEBUG");
    if !toolchain.is_empty() {
        configure.arg(format!("-DCMAKE_TOOLCHAIN_FILE={}", source.join(toolchain).display()));
    }
    if is_prebuilt {
        let host = host_target().expect("a host");
        let triple = if triple.is_empty() { &host } else { triple };
        configure.arg(format!("-DTBAND_LIBRARY={}", library(triple).display()));
        if example == "flux" {
            // CMake looks for it beside the recorder.
            let _ = firmware_library(triple, dist::FLUX);
        }
    }
    run(&mut configure);
    run(command().arg("--build").arg(folder.path()));
}

#[test]
fn every_example_with_every_version() {
    for environment in CMAKES {
        let cmake =
            environment.program(root(), "cmake").unwrap_or_else(|error| panic!("{error:#}"));
        EXAMPLES.iter().for_each(|example| build(&cmake, *example, true));
        // What runs cargo.
        build(&cmake, EXAMPLES[0], false);
    }
}

#[test]
fn every_list_names_the_version_that_is_tried() {
    let mut lists = Command::new("git");
    lists.args(["ls-files", "CMakeLists.txt", "*/CMakeLists.txt", "*.cmake"]).current_dir(root());
    let lists = String::from_utf8(run(&mut lists)).expect("text");
    let mut examples = Vec::new();
    for list in lists.lines() {
        let text = std::fs::read_to_string(root().join(list)).expect("a list");
        let versions: Vec<_> =
            text.lines().filter(|it| it.contains("cmake_minimum_required")).collect();
        assert!(
            versions.iter().all(|it| it.trim() == "cmake_minimum_required(VERSION 3.20)"),
            "{list}"
        );
        let folder =
            list.strip_prefix("examples/").and_then(|it| it.strip_suffix("/CMakeLists.txt"));
        examples.extend(folder);
    }
    examples.retain(|it| *it != WITH_SDK);
    assert_eq!(examples, EXAMPLES.map(|(example, ..)| example));
}
