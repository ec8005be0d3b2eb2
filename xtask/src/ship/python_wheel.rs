//! `cargo xtask wheel`: builds the package for Python as a wheel for this machine: the module `tband` of `tband-python`, which
//! maturin builds, with `tband-cli` and the SDK.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;

use crate::command::run_quiet;
use crate::dist::{self, Contents};
use crate::rust_target::{add_target, host_target};
use crate::sdk::{self, Sdk};
use crate::setup::python::{MATURIN, MATURIN_ZIG};
use crate::setup::{self, Purpose};
use crate::web::{self, WebBuild};

/// The script that adds files to a wheel.
const COMPLETE: &str = include_str!("complete_wheel.py");

/// What the wheel contains besides the module.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// `tband-cli` for the wheel's machine.
    pub program: &'a Path,
    /// The folder of the SDK.
    pub sdk: &'a Path,
}

/// Which systems the wheel is for. pip chooses by the name of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Platform {
    /// This system, and newer ones
    #[default]
    Host,
    /// Linux with glibc 2.17 or later; Zig is the linker
    Manylinux,
    /// Linux with musl 1.2 or later, such as Alpine; Zig is the linker
    Musllinux,
    /// macOS on both of its processors; only a Mac has the linker and `lipo`
    Universal2,
}

impl Platform {
    /// The options of maturin.
    fn options(self) -> Vec<String> {
        let arch = std::env::consts::ARCH;
        let with_zig = |name: &str, libc: &str| {
            let target = format!("{arch}-unknown-linux-{libc}");
            ["--compatibility", name, "--target", &target, "--zig"].map(str::to_owned).to_vec()
        };
        match self {
            Self::Host => Vec::new(),
            Self::Manylinux => with_zig("manylinux_2_17", "gnu"),
            Self::Musllinux => with_zig("musllinux_1_2", "musl"),
            Self::Universal2 => ["--target", "universal2-apple-darwin"].map(str::to_owned).to_vec(),
        }
    }

    fn is_zig_used(self) -> bool {
        matches!(self, Self::Manylinux | Self::Musllinux)
    }

    /// Checks that a system of this name builds it: `tband-cli` in the wheel is linked with this system's libraries.
    fn check(self, system: &str) -> Result<()> {
        let wanted = match self {
            Self::Host => return Ok(()),
            Self::Manylinux | Self::Musllinux => "linux",
            Self::Universal2 => "macos",
        };
        ensure!(
            system == wanted,
            "--platform {}: this system is {system}, and the wheel's tband-cli is linked on {wanted}. Run the command there, \
             or use --platform host",
            self.to_possible_value().map_or_else(String::new, |it| it.get_name().to_owned())
        );
        Ok(())
    }

    /// Targets of Rust that maturin compiles for besides this machine's.
    fn targets(self) -> Vec<String> {
        match self {
            Self::Musllinux => vec![format!("{}-unknown-linux-musl", std::env::consts::ARCH)],
            Self::Universal2 => {
                ["aarch64", "x86_64"].map(|arch| format!("{arch}-apple-darwin")).to_vec()
            }
            Self::Host | Self::Manylinux => Vec::new(),
        }
    }
}

/// Builds the wheels that a release has, one for each platform, in the folder `out`, and prints their paths. The SDK is that of
/// the tarball of `cargo xtask dist` in `package`; without one it is built.
///
/// # Errors
/// A tool cannot be installed, or a part cannot be built.
pub fn run(root: &Path, out: &Path, platforms: &[Platform], package: Option<&Path>) -> Result<()> {
    platforms.iter().try_for_each(|it| it.check(std::env::consts::OS))?;
    let work = root.join("target/wheel-work");
    fs::create_dir_all(&work).with_context(|| format!("cannot create {}", work.display()))?;
    match package {
        Some(package) => {
            let (_folder, sdk) = sdk::unpack_package(package, &work)?;
            run_with(root, out, platforms, &sdk)
        }
        None => {
            setup::run(Purpose::Dist)?;
            let sdk = Sdk::build(root, &work, dist::FIRMWARE_TARGETS)?;
            run_with(root, out, platforms, &sdk.path())
        }
    }
}

/// Does so with the SDK in a folder.
fn run_with(root: &Path, out: &Path, platforms: &[Platform], sdk: &Path) -> Result<()> {
    let work = root.join("target/wheel-work");
    let page = work.join("page");
    web::build(root, &page, WebBuild::Fast)?;
    // The program finds the SDK of the wheel by the environment.
    let contents = Contents { page: &page, sdk: Path::new("") };
    for platform in platforms {
        let program = program(root, &contents, *platform, &work)?;
        let tools = if platform.is_zig_used() { &MATURIN_ZIG } else { &MATURIN };
        tools.install(root)?;
        let python = tools.python(root)?;
        for triple in platform.targets() {
            add_target(Path::new("rustup"), root, &triple)?;
        }
        let module = build(root, &python, "release", *platform, &work.join("module"))?;
        let wheel = complete(root, &python, &module, &Parts { program: &program, sdk }, out)?;
        println!("{:>10}  {}", fs::metadata(&wheel)?.len(), wheel.display());
    }
    Ok(())
}

/// Builds `tband-cli` for the machines of a wheel: for both processors of macOS one file with two programs in it.
fn program(
    root: &Path,
    contents: &Contents<'_>,
    platform: Platform,
    work: &Path,
) -> Result<PathBuf> {
    if platform != Platform::Universal2 {
        return dist::program_for(root, contents, &program_target()?);
    }
    let mut lipo = Command::new("lipo");
    lipo.arg("-create");
    for triple in platform.targets() {
        lipo.arg(dist::program_for(root, contents, &triple)?);
    }
    let folder = work.join("universal2");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let both = folder.join("tband-cli");
    run_quiet(lipo.arg("-output").arg(&both))?;
    Ok(both)
}

/// The target of `tband-cli` in the wheel: on Linux linked statically, because the wheel runs on older systems than this one.
fn program_target() -> Result<String> {
    let host = host_target()?;
    if host.ends_with("-unknown-linux-gnu") {
        setup::run(Purpose::AnyLinux)?;
        return Ok(host.replace("-linux-gnu", "-linux-musl"));
    }
    Ok(host)
}

/// Builds the module's wheel with the maturin of an environment's `python`, and a profile of cargo. Returns it; `out` is a folder
/// that is emptied before.
///
/// # Errors
/// The package does not compile; the text has the compiler's output.
pub fn build(
    root: &Path,
    python: &Path,
    profile: &str,
    platform: Platform,
    out: &Path,
) -> Result<PathBuf> {
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| format!("cannot remove {}", out.display()))?;
    }
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", "build", "--locked", "--profile", profile, "--manifest-path"]);
    maturin.arg(root.join("tband-python/Cargo.toml")).arg("--out").arg(out);
    maturin.args(platform.options());
    // maturin looks for Zig on the path.
    let programs = python.parent().map(Path::to_path_buf);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(programs.into_iter().chain(std::env::split_paths(&path)))?;
    run_quiet(maturin.env_remove("CARGO_BUILD_TARGET").env("PATH", path))?;
    let mut wheels = fs::read_dir(out)?.map(|entry| entry.map(|entry| entry.path()));
    let wheel = wheels.next().context("maturin wrote no wheel")??;
    ensure!(wheels.next().is_none(), "maturin wrote more than one wheel to {}", out.display());
    Ok(wheel)
}

/// Adds `parts` to a wheel of the module. Returns the new wheel, in the folder `out`.
///
/// # Errors
/// A file cannot be read or written.
pub fn complete(
    root: &Path,
    python: &Path,
    module: &Path,
    parts: &Parts<'_>,
    out: &Path,
) -> Result<PathBuf> {
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let wheel = out.join(module.file_name().context("a wheel without a name")?);
    let licences = tempfile::tempdir()?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(root.join(name), licences.path().join(name))
            .with_context(|| format!("cannot copy {name}"))?;
    }
    sdk::copy_notices(root, licences.path())?;
    let mut pack = Command::new(python);
    pack.args(["-c", COMPLETE]).arg(module).arg(parts.program).arg(parts.sdk);
    run_quiet(pack.arg(licences.path()).arg(&wheel))?;
    Ok(wheel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_is_built_on_its_system() {
        for (platform, system) in [
            (Platform::Manylinux, "linux"),
            (Platform::Musllinux, "linux"),
            (Platform::Universal2, "macos"),
        ] {
            platform.check(system).unwrap();
            let other = if system == "linux" { "macos" } else { "linux" };
            let error = platform.check(other).unwrap_err().to_string();
            assert!(error.contains(&format!("this system is {other}")), "{error}");
        }
        let error = Platform::Universal2.check("linux").unwrap_err().to_string();
        assert!(error.starts_with("--platform universal2: "), "{error}");
        Platform::Host.check("windows").unwrap();
    }
}
