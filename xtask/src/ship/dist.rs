//! `cargo xtask dist`: one tarball with libraries for all targets and everything that a project without
//! Rust needs beside them: headers, the guide, an example, and `tband-cli` for this machine.
//!
//! The package is what `cmake --install` makes, with more libraries in it. Equal sources and an equal
//! compiler give an equal tarball, wherever it is made: no times, no owners, no paths of the machine. A test
//! compares all but `tband-cli`, which takes minutes; `cargo xtask release` compares that too.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use flate2::{Compression, GzBuilder};

use crate::command::{find_program, run_quiet};
use crate::rust_target::{add_target, host_target, without_paths};
use crate::setup::{self, For};
use crate::web::{self, How};

/// Microcontrollers that the package has libraries for; the machine's own target comes on top.
pub const FIRMWARE_TARGETS: &[&str] = &[
    "thumbv6m-none-eabi",
    "thumbv7m-none-eabi",
    "thumbv7em-none-eabi",
    "thumbv7em-none-eabihf",
    "thumbv8m.main-none-eabi",
    "thumbv8m.main-none-eabihf",
    "riscv32imac-unknown-none-elf",
];

/// The package's version, that of all crates here.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the released command line is built with: debug probes, and tables in Parquet files.
pub const RELEASED: &str = "probe,parquet";

/// All files in the tarball have this time, the start of the year 2000: make wants some time, and
/// the real one would make every tarball different.
const MTIME: u64 = 946_684_800;

/// The finished tarball.
#[derive(Clone, Debug)]
pub struct Package {
    /// `tband-VERSION.tar.gz`.
    pub tarball: PathBuf,
    /// Its libraries: target and file, sorted.
    pub libraries: Vec<(String, PathBuf)>,
}

/// Makes the package in `out` and prints what is in it.
///
/// # Errors
/// A step failed; the text has its output.
pub fn run(root: &Path, out: &Path) -> Result<()> {
    setup::run(For::Dist)?;
    let package = complete(root, out)?;
    println!("{:<30} {:>9}", "libtband.a for", "bytes");
    for (triple, library) in &package.libraries {
        println!("{triple:<30} {:>9}", fs::metadata(library)?.len());
    }
    let size = fs::metadata(&package.tarball)?.len();
    println!("\n{}: {size} bytes", package.tarball.display());
    Ok(())
}

/// Makes the package in `out` as users get it: with `tband-cli`, which has the web page in it.
///
/// # Errors
/// A step failed; the text has its output.
pub fn complete(root: &Path, out: &Path) -> Result<Package> {
    let (work, page) = (root.join("target/dist/work"), root.join("target/dist/page"));
    web::build(root, &page, How::Fast)?;
    let program = program(root, &page)?;
    build(root, &work, out, FIRMWARE_TARGETS, Some(&program))
}

/// Makes the package of the sources in `root`. What cargo and CMake make lands in `work`, the tarball
/// in `out`. It has libraries for `targets` and for this machine, and `program`, which is `tband-cli`, if there is one.
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
    let host = host_target()?;
    let mut libraries = Vec::new();
    for triple in targets.iter().copied().chain([host.as_str()]) {
        // CMake, and what follows, find it beside the recorder.
        firmware_library(root, work, triple, FLUX)?;
        libraries.push((triple.to_owned(), library(root, work, triple)?));
    }
    libraries.sort();

    // CMake knows what belongs into a package. It puts the library for this machine in. Two programs of tests may make
    // a package at a time, each in a folder of its own.
    let stage = tempfile::tempdir_in(work)
        .with_context(|| format!("cannot make a folder in {}", work.display()))?;
    let (build, installed) = (stage.path().join("cmake"), stage.path().join("installed"));
    let for_host = libraries.iter().find(|(triple, _)| *triple == host);
    let for_host = for_host.map(|(_, library)| library).context("no library for this machine")?;
    run_quiet(
        cmake()
            .arg("-S")
            .arg(root)
            .arg("-B")
            .arg(&build)
            .arg(format!("-DTBAND_LIBRARY={}", for_host.display()))
            .arg("-DCMAKE_INSTALL_DATADIR=share"),
    )?;
    run_quiet(cmake().arg("--install").arg(&build).arg("--prefix").arg(&installed))?;
    let package = installed.join("share/tband");
    for (folder, inside) in [("docs/src", "guide"), ("examples/hello", "examples/hello")] {
        copy(&root.join(folder), &package.join(inside))?;
    }
    if let Some(program) = program {
        let bin = package.join("bin");
        fs::create_dir_all(&bin)?;
        fs::copy(program, bin.join("tband-cli")).context("cannot copy tband-cli")?;
        // Those of the library are CMake's business. The program has the web page in it.
        copy_notices(root, &package)?;
    }
    for (triple, library) in &libraries {
        let folder = package.join("lib").join(triple);
        fs::create_dir_all(&folder)?;
        for name in [RECORDER.name, FLUX.name] {
            let library = library.with_file_name(name);
            fs::copy(&library, folder.join(name))
                .with_context(|| format!("cannot copy {}", library.display()))?;
        }
    }
    // Equal, or CMake has taken this machine for another than Rust does.
    let targets = fs::read_dir(package.join("lib"))?.count();
    ensure!(targets == libraries.len(), "CMake's name of this machine is not {host}");

    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let name = format!("tband-{VERSION}");
    let tarball = out.join(format!("{name}.tar.gz"));
    pack(&package, &name, &tarball)
        .with_context(|| format!("cannot write {}", tarball.display()))?;
    Ok(Package { tarball, libraries })
}

/// The first block of a language in a section of the package's README.
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

/// Builds `tband-cli` for this machine as it is released: with debug probes, and with the web page that is in a folder.
/// Who calls it again gets what is there.
///
/// # Errors
/// It does not compile; the text has the compiler's output.
pub fn program(root: &Path, page: &Path) -> Result<PathBuf> {
    program_for(root, page, &host_target()?)
}

/// As [`program`], for the machines of a target.
///
/// # Errors
/// As of `program`; the target cannot be added, or has no linker here.
pub fn program_for(root: &Path, page: &Path, triple: &str) -> Result<PathBuf> {
    add_target(Path::new("rustup"), root, triple)?;
    let what = ["--package", "tband-cli", "--features", RELEASED];
    let folder = release_build(root, page, &what, triple)?;
    Ok(folder.join(if triple.contains("windows") { "tband-cli.exe" } else { "tband-cli" }))
}

/// `tband-cli` as `cargo install` builds it: without probes, whose packages take longer to build than all others together,
/// and without the web page.
///
/// # Errors
/// As of `program`.
pub fn installed_program(root: &Path) -> Result<PathBuf> {
    let folder = release_build(root, Path::new(""), &["--package", "tband-cli"], &host_target()?)?;
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

/// As [`installed_program`], with tables in Parquet files.
///
/// # Errors
/// As of `program`.
pub fn program_with_tables(root: &Path) -> Result<PathBuf> {
    let what = ["--package", "tband-cli", "--features", "parquet"];
    // Where that one is not replaced, which may be running.
    let folder =
        release_build_to(root, Path::new(""), &what, &host_target()?, Path::new("target/tables"))?;
    Ok(folder.join("tband-cli"))
}

/// Builds an example of a package as [`program`] builds the command line, whose parts it uses.
///
/// # Errors
/// As of `program`.
pub fn example(root: &Path, package: &str, name: &str) -> Result<PathBuf> {
    let what = ["--package", package, "--example", name];
    let folder = release_build(root, Path::new(""), &what, &host_target()?)?;
    Ok(folder.join("examples").join(name))
}

/// Builds for a target with an operating system in the release profile; the folder of what was built.
fn release_build(root: &Path, page: &Path, what: &[&str], triple: &str) -> Result<PathBuf> {
    release_build_to(root, page, what, triple, Path::new("target/host"))
}

/// The same, below a folder of its own.
fn release_build_to(
    root: &Path,
    page: &Path,
    what: &[&str],
    triple: &str,
    target_dir: &Path,
) -> Result<PathBuf> {
    let target_dir = root.join(target_dir);
    run_quiet(
        Command::new("cargo")
            .env("TBAND_WEB_DIR", page)
            .args(["build", "--locked", "--release"])
            .args(what)
            .args(["--target", triple, "--target-dir"])
            .arg(&target_dir)
            .env("CARGO_ENCODED_RUSTFLAGS", without_paths(root)?)
            .env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", "x86_64-w64-mingw32-gcc")
            .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
            .env_remove("CARGO_BUILD_TARGET")
            .current_dir(root),
    )?;
    Ok(target_dir.join(triple).join("release"))
}

/// Copies the notices of `tband-cli`, and of the web page that is in it.
pub(crate) fn copy_notices(root: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.join("licenses")).context("no folder for licences")?;
    for name in ["licenses/tband-cli.txt", "licenses/web.txt"] {
        fs::copy(root.join(name), to.join(name)).with_context(|| format!("cannot copy {name}"))?;
    }
    Ok(())
}

/// Copies a folder with everything in it, but for what was built there.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path = entry?.path();
        let name = path.file_name().context("a file without a name")?;
        if path.is_file() {
            fs::copy(&path, to.join(name))
                .with_context(|| format!("cannot copy {}", path.display()))?;
        } else if name != "build" {
            copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}

/// Prefix of the names of the GNU tools for a target.
///
/// # Errors
/// The target is neither a known microcontroller nor this machine.
pub fn tool_prefix(triple: &str) -> Result<&'static str> {
    if triple.starts_with("thumb") {
        Ok("arm-none-eabi-")
    } else if triple.starts_with("riscv32") {
        Ok("riscv64-unknown-elf-")
    } else if triple == host_target()? {
        Ok("")
    } else {
        bail!("no tools are known for {triple}")
    }
}

/// A library for firmware.
#[derive(Clone, Copy, Debug)]
pub struct FirmwareLibrary {
    /// The package that it is built from, of the workspace in `firmware`.
    pub package: &'static str,
    /// Its file.
    pub name: &'static str,
}

/// The recorder.
pub const RECORDER: FirmwareLibrary = FirmwareLibrary { package: "tband-ffi", name: "libtband.a" };
/// The emitter of flux.
pub const FLUX: FirmwareLibrary =
    FirmwareLibrary { package: "tband-flux-ffi", name: "libtband_flux.a" };

/// Builds the recorder for a target, slim as users get it, below `work`.
///
/// # Errors
/// A step failed; the text has its output.
pub fn library(root: &Path, work: &Path, triple: &str) -> Result<PathBuf> {
    firmware_library(root, work, triple, RECORDER)
}

/// Builds a library for a target, slim as users get it, below `work`.
///
/// # Errors
/// A step failed; the text has its output.
pub fn firmware_library(
    root: &Path,
    work: &Path,
    triple: &str,
    library: FirmwareLibrary,
) -> Result<PathBuf> {
    add_target(Path::new("rustup"), root, triple)?;
    let target_dir = work.join("cargo");
    run_quiet(
        cmake()
            .args(["-DTBAND_CARGO=cargo", &format!("-DTBAND_PACKAGE={}", library.package)])
            .arg(format!("-DTBAND_TRIPLE={triple}"))
            .arg(format!("-DTBAND_SOURCE={}", root.display()))
            .arg(format!("-DTBAND_FOLDER={}", target_dir.display()))
            .arg("-P")
            .arg(root.join("cmake/TbandCargoBuild.cmake")),
    )?;
    let folder = work.join("lib").join(triple);
    let slim = folder.join(library.name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // Several tests may do this at a time, and read what another one has made.
    let scratch = tempfile::tempdir_in(&folder)
        .with_context(|| format!("cannot make a folder in {}", folder.display()))?;
    let made = scratch.path().join(library.name);
    let prefix = tool_prefix(triple)?;
    let tool = |name: &str| binary_tool(&format!("{prefix}{name}"));
    run_quiet(
        cmake()
            .arg(format!("-DTBAND_AR={}", tool("ar")?.display()))
            .arg(format!("-DTBAND_STRIP={}", tool("strip")?.display()))
            .arg(format!(
                "-DTBAND_IN={}",
                target_dir.join(triple).join("firmware").join(library.name).display()
            ))
            .arg(format!("-DTBAND_OUT={}", made.display()))
            .arg("-P")
            .arg(root.join("cmake/TbandSlim.cmake")),
    )?;
    // An unchanged library keeps its time, so that nothing is linked again without need.
    if fs::read(&slim).ok() != Some(fs::read(&made)?) {
        fs::rename(&made, &slim).with_context(|| format!("cannot write {}", slim.display()))?;
    }
    Ok(slim)
}

/// CMake without what would choose compilers, flags or folders for it.
fn cmake() -> Command {
    let mut command = Command::new("cmake");
    for name in ["CC", "CFLAGS", "LDFLAGS", "DESTDIR", "CMAKE_GENERATOR", "CMAKE_TOOLCHAIN_FILE"] {
        command.env_remove(name);
    }
    command
}

/// Where one of the binary tools is.
fn binary_tool(name: &str) -> Result<PathBuf> {
    find_program(name)
        .with_context(|| format!("{name} is not installed; `cargo xtask setup` installs it"))
}

/// Writes all files below `folder` into a compressed archive, below `name`.
pub(crate) fn pack(folder: &Path, name: &str, tarball: &Path) -> Result<()> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(&inside)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    // The default is 0 for time and owner, and an unknown system.
    let gzip = GzBuilder::new().operating_system(255);
    let file = BufWriter::new(File::create(tarball)?);
    let mut archive = tar::Builder::new(gzip.write(file, Compression::best()));
    for path in files {
        let content = fs::read(&path)?;
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(if path.parent() == Some(&folder.join("bin")) { 0o755 } else { 0o644 });
        header.set_mtime(MTIME);
        header.set_entry_type(tar::EntryType::Regular);
        let inside = Path::new(name).join(path.strip_prefix(folder)?);
        archive.append_data(&mut header, inside, content.as_slice())?;
    }
    archive.into_inner()?.finish()?.flush()?;
    Ok(())
}
