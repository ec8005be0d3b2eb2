//! `cargo xtask dist`: builds one tarball with libraries for all targets and everything that a project without Rust needs
//! beside them: headers, the guide, an example, and `tband-cli` for this machine.
//!
//! The package is the output of `cmake --install`, with more libraries in it. Equal sources and an equal compiler give an equal
//! tarball, wherever it is built: no times, no owners, no paths of the machine. A test compares all but `tband-cli`, which
//! takes minutes; `cargo xtask release` compares that too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command::run_quiet;
pub use crate::libraries::{
    FLUX, FirmwareLibrary, RECORDER, firmware_library, library, tool_prefix,
};
use crate::rust_target::{add_target, host_target, without_paths};
pub use crate::sdk::VERSION;
use crate::sdk::{self, Sdk};
use crate::setup::{self, Purpose};
use crate::web::{self, WebBuild};

/// CPUs of firmware that the package has libraries for; the machine's own target is added.
pub const FIRMWARE_TARGETS: &[&str] = &[
    "thumbv6m-none-eabi",
    "thumbv7m-none-eabi",
    "thumbv7em-none-eabi",
    "thumbv7em-none-eabihf",
    "thumbv8m.main-none-eabi",
    "thumbv8m.main-none-eabihf",
    "armv7a-none-eabihf",
    "armv7r-none-eabihf",
    "aarch64-unknown-none",
    "riscv32imc-unknown-none-elf",
    "riscv32imac-unknown-none-elf",
    "riscv32imafc-unknown-none-elf",
    "riscv64imac-unknown-none-elf",
    "riscv64gc-unknown-none-elf",
];

/// Features of the released command line: debug probes, and tables in Parquet files.
pub const RELEASED: &str = "probe,parquet";

/// Options for cargo that leave symbols out of `tband-cli`: cargo does not apply the `strip` of a profile to packages that have
/// other settings of their own. Some names of symbols differ between builds of the same sources.
const STRIPPED: [&str; 2] = ["--config", "profile.release.package.tband-cli.strip=\"symbols\""];

/// Where programs for systems are compiled, below the workspace's root folder.
const RELEASE_BUILDS: &str = "target/host";

/// The work folder that tests and benches share, so that each library is built once.
#[must_use]
pub fn shared_work(root: &Path) -> PathBuf {
    root.join("target/test-dist/work")
}

/// The finished tarball.
#[derive(Clone, Debug)]
pub struct Package {
    /// `tband-VERSION.tar.gz`.
    pub tarball: PathBuf,
    /// Its libraries: target and file, sorted.
    pub libraries: Vec<(String, PathBuf)>,
}

/// Makes the package in `out` and prints its content.
///
/// # Errors
/// A step failed; the text has its output.
pub fn run(root: &Path, out: &Path) -> Result<()> {
    setup::run(Purpose::Dist)?;
    let package = complete(root, out)?;
    println!("{:<30} {:>9}", "libtband.a for", "bytes");
    for (triple, library) in &package.libraries {
        println!("{triple:<30} {:>9}", fs::metadata(library)?.len());
    }
    let size = fs::metadata(&package.tarball)?.len();
    println!("\n{}: {size} bytes", package.tarball.display());
    Ok(())
}

/// Builds the package in `out` as users get it: with `tband-cli`, which has the web page and the SDK in it.
///
/// # Errors
/// A step failed; the text has its output.
pub fn complete(root: &Path, out: &Path) -> Result<Package> {
    let (work, page) = (root.join("target/dist/work"), root.join("target/dist/page"));
    web::build(root, &page, WebBuild::Fast)?;
    let sdk = Sdk::build(root, &work, FIRMWARE_TARGETS)?;
    let contents = Contents { page: &page, sdk: &sdk.archive(&work)? };
    let program = program_for(root, &contents, &host_target()?)?;
    pack(sdk, out, Some(&program))
}

/// Builds the package of the sources in `root`. The output of cargo and CMake is written to `work`, the tarball to `out`. It
/// has libraries for `targets` and for this machine, and `program`, which is `tband-cli`, if there is one.
///
/// # Errors
/// A step failed; the text has its output.
pub fn build(
    root: &Path,
    work: &Path,
    out: &Path,
    targets: &[&str],
    program: Option<&Path>,
) -> Result<Package> {
    pack(Sdk::build(root, work, targets)?, out, program)
}

/// Packs the SDK and `program`, which is `tband-cli`, if there is one, into `tband-VERSION.tar.gz` in `out`.
///
/// # Errors
/// A file cannot be copied or written.
pub fn pack(sdk: Sdk, out: &Path, program: Option<&Path>) -> Result<Package> {
    let package = sdk.path();
    if let Some(program) = program {
        let bin = package.join("bin");
        fs::create_dir_all(&bin)?;
        fs::copy(program, bin.join("tband-cli")).context("cannot copy tband-cli")?;
    }
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let name = format!("tband-{VERSION}");
    let tarball = out.join(format!("{name}.tar.gz"));
    sdk::pack(&package, &name, &tarball)
        .with_context(|| format!("cannot write {}", tarball.display()))?;
    Ok(Package { tarball, libraries: sdk.libraries })
}

/// Returns the first block of a language in a section of the package's README.
///
/// # Errors
/// There is none.
pub fn readme_block(readme: &str, heading: &str, language: &str) -> Result<String> {
    let section = readme.split("\n## ").find(|part| part.lines().next() == Some(heading));
    let block = section.and_then(|text| text.split_once(&format!("```{language}\n")));
    let block = block.and_then(|(_, rest)| rest.split_once("```"));
    let (block, _) = block.with_context(|| format!("no {language} in {heading} of the README"))?;
    Ok(block.to_owned())
}

/// Files that the build script puts into `tband-cli`; an empty path leaves the part out.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    /// The folder of the web page.
    pub page: &'a Path,
    /// The archive of the SDK.
    pub sdk: &'a Path,
}

impl Contents<'_> {
    /// As `cargo install` builds it.
    fn none() -> Self {
        Self { page: Path::new(""), sdk: Path::new("") }
    }
}

/// Builds `tband-cli` for the machines of a target as it is released: with debug probes, and with these contents. A repeated
/// call returns the existing program.
///
/// # Errors
/// It does not compile; the text has the compiler's output. The target cannot be added, or has no linker here.
pub fn program_for(root: &Path, contents: &Contents<'_>, triple: &str) -> Result<PathBuf> {
    add_target(Path::new("rustup"), root, triple)?;
    let what = ["--package", "tband-cli", "--features", RELEASED];
    let folder = release_build(root, contents, &what, triple)?;
    Ok(folder.join(if triple.contains("windows") { "tband-cli.exe" } else { "tband-cli" }))
}

/// Builds `tband-cli` for this machine with the SDK at this place, and without probes, in a separate folder.
///
/// # Errors
/// As for `program_for`.
pub fn program_with_sdk(root: &Path, sdk: &Path) -> Result<PathBuf> {
    let contents = Contents { sdk, ..Contents::none() };
    let what = ["--package", "tband-cli"];
    let target = Path::new("target/with-sdk");
    let folder = release_build_to(root, &contents, &what, &host_target()?, target)?;
    Ok(folder.join("tband-cli"))
}

/// Builds `tband-cli` as `cargo install` does: without probes, whose packages take longer to build than all others together,
/// and without the web page.
///
/// # Errors
/// As for `program_for`.
pub fn installed_program(root: &Path) -> Result<PathBuf> {
    let folder =
        release_build(root, &Contents::none(), &["--package", "tband-cli"], &host_target()?)?;
    Ok(folder.join("tband-cli"))
}

/// Compiles the released `tband-cli` as far as to see that it compiles.
///
/// # Errors
/// It does not compile; the text has the compiler's output.
pub fn check_released(root: &Path) -> Result<()> {
    check_with(root, &["--features", RELEASED])
}

/// Compiles a `tband-cli` with other features as far as to see that it compiles.
///
/// # Errors
/// It does not compile; the text has the compiler's output.
pub fn check_with(root: &Path, features: &[&str]) -> Result<()> {
    let mut check = Command::new("cargo");
    check.args(["check", "--locked", "--package", "tband-cli"]).args(features);
    run_quiet(check.current_dir(root))?;
    Ok(())
}

/// Does the same as [`installed_program`], with tables in Parquet files.
///
/// # Errors
/// As for `program_for`.
pub fn program_with_tables(root: &Path) -> Result<PathBuf> {
    let what = ["--package", "tband-cli", "--features", "parquet"];
    // Where that one is not replaced, which may be running.
    let folder = release_build_to(
        root,
        &Contents::none(),
        &what,
        &host_target()?,
        Path::new("target/tables"),
    )?;
    Ok(folder.join("tband-cli"))
}

/// Builds the program that only decodes, of the parts of the command line: both are compiled together, so that they ask for the same
/// features and each part is compiled once.
///
/// # Errors
/// As for `program_for`.
pub fn decoder(root: &Path) -> Result<PathBuf> {
    let what = ["--package", "tband-cli", "--package", "tband-decode"];
    let folder = release_build(root, &Contents::none(), &what, &host_target()?)?;
    Ok(folder.join("tband-decode"))
}

/// Builds for a target with an operating system in the release profile; returns the folder of the output.
fn release_build(
    root: &Path,
    contents: &Contents<'_>,
    what: &[&str],
    triple: &str,
) -> Result<PathBuf> {
    release_build_to(root, contents, what, triple, Path::new(RELEASE_BUILDS))
}

/// Does the same, below a separate folder.
fn release_build_to(
    root: &Path,
    contents: &Contents<'_>,
    what: &[&str],
    triple: &str,
    target_dir: &Path,
) -> Result<PathBuf> {
    let target_dir = root.join(target_dir);
    let mut options = without_paths(root)?;
    if triple.contains("windows-gnu") {
        // Otherwise the linker writes the time into the program.
        options.push_str("\x1f-Clink-arg=-Wl,--no-insert-timestamp");
    }
    run_quiet(
        Command::new("cargo")
            .env("TBAND_WEB_DIR", contents.page)
            .env("TBAND_SDK", contents.sdk)
            // Programs with other contents have all but their last package in common. Before Rust 1.91 cargo does not know
            // this folder, and compiles all of it again.
            .env("CARGO_BUILD_BUILD_DIR", root.join(RELEASE_BUILDS))
            .args(["build", "--locked", "--release"])
            .args(what)
            .args(STRIPPED)
            .args(["--target", triple, "--target-dir"])
            .arg(&target_dir)
            .env("CARGO_ENCODED_RUSTFLAGS", options)
            .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
            .env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", "x86_64-w64-mingw32-gcc")
            .env_remove("CARGO_BUILD_TARGET")
            .current_dir(root),
    )?;
    Ok(target_dir.join(triple).join("release"))
}
