//! `tband-cli` as packages of package managers, from the folder that a release packs for a machine: `bin`, `share/man`,
//! `share/completions` and the licences. The wheel is made by [`crate::python_wheel`].

mod manifests;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

pub use self::manifests::{Artefacts, manifests};
use crate::address::{AUTHORS, REPOSITORY};
use crate::command::{find_program, run_quiet};
use crate::dist::VERSION;
use crate::sdk;

/// The time in a package of Debian; equal sources give equal bytes.
const EPOCH: &str = "1577836800";

/// Debian's name of the machine; none where the program would not run on any Debian.
fn debian_machine(triple: &str) -> Option<&'static str> {
    Some(match triple {
        "x86_64-unknown-linux-musl" => "amd64",
        "aarch64-unknown-linux-musl" => "arm64",
        _ => return None,
    })
}

/// Packs the folder `tool` for a machine as a package of Debian, if it runs there. `work` is a folder for intermediate files.
/// Returns the files, which are in `out`.
///
/// # Errors
/// A part of `tool` is missing, or a packing program is missing or fails.
pub fn pack(tool: &Path, triple: &str, work: &Path, out: &Path) -> Result<Vec<PathBuf>> {
    debian_machine(triple).into_iter().map(|machine| deb(tool, machine, work, out)).collect()
}

/// Copies a file, or a folder with everything in it.
fn put(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        return sdk::copy(from, to);
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

/// Copies licences, notices and the change log.
fn copy_texts(tool: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for entry in fs::read_dir(tool)? {
        let entry = entry?;
        if !["bin", "share"].iter().any(|folder| entry.file_name() == *folder) {
            put(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn deb(tool: &Path, machine: &str, work: &Path, out: &Path) -> Result<PathBuf> {
    let root = fresh(&work.join("deb"))?;
    let usr = root.join("usr");
    put(&tool.join("bin/tband-cli"), &usr.join("bin/tband-cli"))?;
    put(&tool.join("share/man/man1"), &usr.join("share/man/man1"))?;
    let completions = tool.join("share/completions");
    for (name, place) in [
        ("tband-cli.bash", "bash-completion/completions/tband-cli"),
        ("_tband-cli", "zsh/vendor-completions/_tband-cli"),
        ("tband-cli.fish", "fish/vendor_completions.d/tband-cli.fish"),
    ] {
        put(&completions.join(name), &usr.join("share").join(place))?;
    }
    copy_texts(tool, &usr.join("share/doc/tband-cli"))?;
    let control = format!(
        "Package: tband-cli\nVersion: {VERSION}\nArchitecture: {machine}\nSection: devel\nPriority: optional\n\
         Maintainer: {AUTHORS}\nHomepage: {REPOSITORY}\n\
         Description: converts and checks trace recordings of FreeRTOS firmware\n \
         Recordings of tband become traces for Perfetto, a page that opens offline, CTF, text or JSON.\n"
    );
    fs::create_dir_all(root.join("DEBIAN"))?;
    fs::write(root.join("DEBIAN/control"), control)?;
    let file = out.join(format!("tband-cli_{VERSION}_{machine}.deb"));
    let packer = find_program("dpkg-deb").context("dpkg-deb is not installed")?;
    let mut pack = Command::new(packer);
    pack.env("SOURCE_DATE_EPOCH", EPOCH).args(["--root-owner-group", "--build", "-Zxz"]);
    run_quiet(pack.arg(&root).arg(&file))?;
    Ok(file)
}

/// An empty folder.
fn fresh(folder: &Path) -> Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder.to_path_buf())
}
