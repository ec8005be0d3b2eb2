//! The set-up step: packages of the system, of Rust and of Python that the project's commands need.
//!
//! It is idempotent, and silent when nothing is missing. If it cannot install, it prints the command to run.

mod libclang;
pub mod packages;
pub mod python;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::command::find_program;

/// The purpose of the setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// `cargo xtask demo`
    Demo,
    /// `cargo xtask demo --board`
    Boards,
    /// `cargo xtask bench host`
    Benches,
    /// `cargo xtask bench target`
    Target,
    /// `cargo xtask dist`
    Dist,
    /// `cargo xtask fresh`
    Fresh,
    /// `cargo xtask fuzz`
    Fuzz,
    /// `cargo xtask mutants`
    Mutants,
    /// `cargo xtask test`
    Tests,
    /// `cargo xtask test --ctf2`
    Ctf2,
    /// `cargo xtask test --engines`
    Engines,
    /// Tests of the pages in a second browser, which are passed over where it cannot be had.
    Firefox,
    /// `tband-cli` for any Linux, of `cargo xtask release`.
    AnyLinux,
    /// Libraries for CPUs whose core library of Rust is not in the toolchain.
    CoreSources,
    /// The test of `tband-cli` for Windows, which is passed over where this cannot be had.
    Windows,
    /// The tests of Xtensa, which are passed over where its compiler cannot be had.
    Xtensa,
}

/// Evidence that a package is installed.
enum Sign {
    /// A program on the PATH.
    Program(&'static str),
    /// A file of a Debian package; elsewhere the compiler's own package has it.
    File(&'static str),
    /// A libclang that bindgen can use.
    Libclang,
    /// A Python that can make environments.
    Python,
}

struct Requirement {
    sign: Sign,
    debian: &'static str,
    /// Purposes that need it.
    wanted_for: &'static [Purpose],
}

const COMPILES: &[Purpose] = &[
    Purpose::Demo,
    Purpose::Boards,
    Purpose::Dist,
    Purpose::Fuzz,
    Purpose::Mutants,
    Purpose::Target,
    Purpose::Tests,
];
const DEMOS: &[Purpose] =
    &[Purpose::Demo, Purpose::Boards, Purpose::Dist, Purpose::Target, Purpose::Tests];
const BOARDS: &[Purpose] = &[Purpose::Boards, Purpose::Target, Purpose::Tests];
const OTHER_CPUS: &[Purpose] = &[Purpose::Target, Purpose::Tests];
const BENCHES: &[Purpose] = &[Purpose::Benches, Purpose::Tests];
const DIST: &[Purpose] = &[Purpose::Dist, Purpose::Tests];
const FUZZ: &[Purpose] = &[Purpose::Fuzz, Purpose::Tests];
const FRESH: &[Purpose] = &[Purpose::Fresh, Purpose::Ctf2];
const TESTS: &[Purpose] = &[Purpose::Tests];
const ANY_LINUX: &[Purpose] = &[Purpose::AnyLinux];
const WINDOWS: &[Purpose] = &[Purpose::Windows];
const XTENSA: &[Purpose] = &[Purpose::Xtensa];
const CORE_SOURCES: &[Purpose] = &[Purpose::CoreSources];
const FIREFOX: &[Purpose] = &[Purpose::Firefox];
const ENGINES: &[Purpose] = &[Purpose::Engines];
const PYTHON: &[Purpose] = &[Purpose::Tests, Purpose::Engines];

const NEEDS: &[Requirement] = &[
    Requirement { sign: Sign::Program("cc"), debian: "gcc libc6-dev", wanted_for: COMPILES },
    Requirement { sign: Sign::Program("cmake"), debian: "cmake", wanted_for: DEMOS },
    Requirement { sign: Sign::Program("make"), debian: "make", wanted_for: DEMOS },
    Requirement { sign: Sign::Program("valgrind"), debian: "valgrind", wanted_for: BENCHES },
    Requirement { sign: Sign::Program("ninja"), debian: "ninja-build", wanted_for: TESTS },
    Requirement { sign: Sign::Program("g++"), debian: "g++", wanted_for: FUZZ },
    Requirement { sign: Sign::Program("nm"), debian: "binutils", wanted_for: DIST },
    Requirement {
        sign: Sign::Program("arm-none-eabi-gcc"),
        debian: "gcc-arm-none-eabi",
        wanted_for: BOARDS,
    },
    Requirement {
        sign: Sign::File("/usr/lib/arm-none-eabi/newlib/libc.a"),
        debian: "libnewlib-arm-none-eabi",
        wanted_for: BOARDS,
    },
    Requirement {
        sign: Sign::Program("qemu-system-arm"),
        debian: "qemu-system-arm",
        wanted_for: BOARDS,
    },
    Requirement {
        sign: Sign::Program("qemu-system-riscv32"),
        debian: "qemu-system-misc",
        wanted_for: OTHER_CPUS,
    },
    Requirement {
        sign: Sign::Program("riscv64-unknown-elf-gcc"),
        debian: "gcc-riscv64-unknown-elf",
        wanted_for: OTHER_CPUS,
    },
    Requirement {
        sign: Sign::File("/usr/lib/picolibc/riscv64-unknown-elf/picolibc.specs"),
        debian: "picolibc-riscv64-unknown-elf",
        wanted_for: OTHER_CPUS,
    },
    Requirement {
        sign: Sign::Program("arm-none-eabi-strip"),
        debian: "binutils-arm-none-eabi",
        wanted_for: DIST,
    },
    Requirement {
        sign: Sign::Program("riscv64-unknown-elf-strip"),
        debian: "binutils-riscv64-unknown-elf",
        wanted_for: DIST,
    },
    Requirement {
        sign: Sign::Program("aarch64-linux-gnu-strip"),
        debian: "binutils-aarch64-linux-gnu",
        wanted_for: DIST,
    },
    Requirement { sign: Sign::Program("clang"), debian: "clang", wanted_for: TESTS },
    Requirement {
        sign: Sign::Program("gdb-multiarch"),
        debian: "gdb-multiarch",
        wanted_for: TESTS,
    },
    Requirement { sign: Sign::Program("pkg-config"), debian: "pkg-config", wanted_for: TESTS },
    Requirement { sign: Sign::Program("babeltrace2"), debian: "babeltrace2", wanted_for: TESTS },
    Requirement { sign: Sign::Program("debootstrap"), debian: "debootstrap", wanted_for: FRESH },
    Requirement {
        sign: Sign::Program("chromium-headless-shell"),
        debian: "chromium-headless-shell",
        wanted_for: TESTS,
    },
    // Compiles SQLite.
    Requirement { sign: Sign::Program("musl-gcc"), debian: "musl-tools", wanted_for: ANY_LINUX },
    Requirement {
        sign: Sign::Program("x86_64-w64-mingw32-gcc"),
        debian: "gcc-mingw-w64-x86-64-win32",
        wanted_for: WINDOWS,
    },
    Requirement { sign: Sign::Program("wine"), debian: "wine wine64", wanted_for: WINDOWS },
    Requirement {
        sign: Sign::File("/usr/lib/rustlib/src/rust/library/core/src/lib.rs"),
        debian: "rustc-web rust-web-src",
        wanted_for: CORE_SOURCES,
    },
    Requirement {
        sign: Sign::Program("aarch64-linux-gnu-gcc"),
        debian: "gcc-aarch64-linux-gnu",
        wanted_for: OTHER_CPUS,
    },
    Requirement {
        sign: Sign::Program("qemu-system-xtensa"),
        debian: "qemu-system-misc",
        wanted_for: XTENSA,
    },
    Requirement { sign: Sign::Program("clang-22"), debian: "clang-22", wanted_for: XTENSA },
    Requirement { sign: Sign::Program("llvm-mc-22"), debian: "llvm-22", wanted_for: XTENSA },
    Requirement {
        sign: Sign::Program("xtensa-lx106-elf-ld"),
        debian: "binutils-xtensa-lx106",
        wanted_for: XTENSA,
    },
    Requirement { sign: Sign::Program("firefox-esr"), debian: "firefox-esr", wanted_for: FIREFOX },
    // Drives the browser, and runs the engines.
    Requirement { sign: Sign::Python, debian: "python3-venv", wanted_for: PYTHON },
    // Spark runs in it.
    Requirement {
        sign: Sign::Program("java"),
        debian: "default-jre-headless",
        wanted_for: ENGINES,
    },
    // bindgen loads it when the tests read the headers back.
    Requirement { sign: Sign::Libclang, debian: "libclang-dev", wanted_for: TESTS },
];

/// Installs missing packages.
///
/// # Errors
/// Something is missing and could not be installed; the text has the command to run.
pub fn run(purpose: Purpose) -> Result<()> {
    install_packages(purpose)?;
    let root = crate::workspace_root();
    match purpose {
        Purpose::Tests => {
            packages::fetch(&root)?;
            python::USUAL.install(&root)?;
            python::TYPES.install(&root)?;
            python::WORKFLOWS.install(&root)?;
            python::VALIDATORS.install(&root)
        }
        Purpose::Engines => {
            python::USUAL.install(&root)?;
            python::SPARK.install(&root)
        }
        _ => Ok(()),
    }
}

/// Installs only the missing packages of the system.
///
/// # Errors
/// As for [`run`].
#[expect(clippy::disallowed_methods, reason = "a download may take long")]
pub fn install_packages(purpose: Purpose) -> Result<()> {
    if purpose == Purpose::Tests {
        libclang::check_variable()?;
    }
    let packages = missing(purpose);
    if packages.is_empty() {
        return Ok(());
    }
    let list = packages.join(" ");
    if find_program("apt-get").is_none() {
        bail!(
            "missing on this machine (names of Debian packages): {list}\nInstall them and try again."
        );
    }
    let by_hand = format!("apt-get update && apt-get install -y --no-install-recommends {list}");
    eprintln!("Installing missing packages: {list}");
    let (shell, by_hand) = if is_root() {
        (vec!["sh", "-c"], by_hand)
    } else {
        // -n: fail instead of asking for a password in the middle of a run.
        (vec!["sudo", "-n", "sh", "-c"], format!("sudo sh -c '{by_hand}'"))
    };
    let script = format!(
        "export DEBIAN_FRONTEND=noninteractive; apt-get update -qq && \
         apt-get install -y -qq --no-install-recommends {list}"
    );
    let installed = Command::new(shell[0])
        .args(&shell[1..])
        .arg(script)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let left = missing(purpose);
    if !installed || !left.is_empty() {
        bail!(
            "could not install: {}\nRun this yourself, then try again:\n  {by_hand}",
            left.join(" ")
        );
    }
    Ok(())
}

/// Returns the Debian packages of missing programs, each with one name or more.
#[must_use]
pub fn missing(purpose: Purpose) -> Vec<&'static str> {
    NEEDS
        .iter()
        .filter(|need| need.wanted_for.contains(&purpose))
        .filter(|need| match need.sign {
            Sign::Program(name) => find_program(name).is_none(),
            Sign::File(path) => find_program("apt-get").is_some() && !Path::new(path).is_file(),
            Sign::Libclang => libclang::probe().is_err(),
            Sign::Python => !python::is_there(),
        })
        .map(|need| need.debian)
        .collect()
}

/// This process may do everything.
#[must_use]
pub fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|me| is_owned_by_root(&me))
}

#[cfg(unix)]
fn is_owned_by_root(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(metadata) == 0
}

#[cfg(not(unix))]
fn is_owned_by_root(_: &fs::Metadata) -> bool {
    false
}
