//! The command line and the SDK in the wheel: firmware with a recorder on a machine without Rust, from an empty project on.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use tband_tests::without_rust::WithoutRust;
use tempfile::TempDir;
use xtask::board::{Board, run_firmware};
use xtask::kernel;

use crate::{environment, root, run};

/// Whose library the SDK of the test has.
pub const TARGET: &str = "thumbv7em-none-eabihf";

/// A program that the wheel installed.
fn installed(name: &str) -> PathBuf {
    environment().python().with_file_name(name)
}

#[test]
fn its_commands_run_the_program() {
    let module = [OsStr::new("-m"), OsStr::new("tband")];
    for (program, first) in [("tband", &[][..]), ("tband-cli", &[]), ("python", &module)] {
        let printed = run(Command::new(installed(program)).args(first).arg("--version"));
        assert_eq!(printed, format!("tband-cli {}\n", env!("CARGO_PKG_VERSION")), "{program}");
        // Exit codes and arguments are those of the program.
        let mut wrong = Command::new(installed(program));
        let ran =
            tband_programs::output(wrong.args(first).args(["check", "no such file"])).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{program}");
        assert!(String::from_utf8_lossy(&ran.stderr).contains("cannot read no such file"));
    }
}

/// maturin alone builds such a wheel, for example if `pip` builds the sources.
#[test]
fn a_wheel_of_the_module_alone_names_the_remedy() {
    let folder = TempDir::new().unwrap();
    let main = root().join("tband-python/python/tband/__main__.py");
    fs::copy(main, folder.path().join("__main__.py")).unwrap();
    for args in [&["check", "x"][..], &["--cmake-dir"]] {
        let mut python = Command::new(environment().python());
        let ran = tband_programs::output(python.arg(folder.path()).args(args)).unwrap();
        assert_eq!(ran.status.code(), Some(1));
        let printed = String::from_utf8_lossy(&ran.stderr);
        assert!(
            printed.contains("pip install") && printed.contains("cargo xtask wheel"),
            "{printed}"
        );
    }
}

/// The project of `examples/mps2-an386`, which finds the package by its folder.
#[test]
fn find_package_takes_it_without_rust() {
    let cmake_dir = run(Command::new(environment().python()).args(["-m", "tband", "--cmake-dir"]));
    let cmake_dir = Path::new(cmake_dir.trim());
    assert!(cmake_dir.join("tband-config.cmake").is_file(), "{}", cmake_dir.display());
    let machine = WithoutRust::new();
    let folder = TempDir::new().unwrap();
    let build = folder.path().join("build");
    let kernel = kernel::path(&root()).unwrap_or_else(|error| panic!("{error:#}"));
    let mut configure = machine.command("cmake");
    configure.args(["-DTBAND_PATH=", "-S"]).arg(root().join("examples/mps2-an386"));
    configure.arg("-B").arg(&build).arg(format!("-Dtband_DIR={}", cmake_dir.display()));
    configure.arg(format!("-DFREERTOS_KERNEL_PATH={}", kernel.display()));
    let toolchain = Board::Mps2An386.toolchain(&root());
    configure.arg(format!("-DCMAKE_TOOLCHAIN_FILE={}", toolchain.display()));
    run(&mut configure);
    run(machine.command("cmake").arg("--build").arg(&build).args(["--parallel", "2"]));
    let trace = folder.path().join("trace.bin");
    let elf = build.join("mps2-an386.elf");
    run_firmware(Board::Mps2An386.emulator(), &elf, folder.path(), Some(&trace))
        .unwrap_or_else(|error| panic!("{error:#}"));
    let checked = run(Command::new(installed("tband")).arg("check").arg(trace));
    assert!(checked.contains(": whole\n"), "{checked}");
}

/// `init` finds the SDK of the wheel.
#[test]
fn init_takes_the_sdk_of_the_wheel() {
    let folder = TempDir::new().unwrap();
    let mut init = Command::new(installed("tband"));
    init.args(["sdk", "--out", "sdk"]).current_dir(folder.path());
    run(&mut init);
    let library = folder.path().join("sdk/lib").join(TARGET).join("libtband.a");
    assert!(library.is_file(), "{}", library.display());
}
