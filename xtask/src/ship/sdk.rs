//! The SDK: everything in the package of `cargo xtask dist` except `tband-cli`, which contains it.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flate2::{Compression, GzBuilder};
use tempfile::TempDir;

use crate::command::run_quiet;
use crate::libraries::{FLUX, RECORDER, cmake, firmware_library, library};
use crate::rust_target::host_target;

/// The package's version, that of all crates here.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// All files in the tarball have this time, the start of the year 2000: make wants some time, and
/// the real one would make every tarball different.
const MTIME: u64 = 946_684_800;

/// The pictures for dark pages in the guide's folder. Without them the SDK takes a third less of `tband-cli`.
const DARK: &str = "pictures/dark";

/// The SDK's files, in a temporary folder.
#[derive(Debug)]
pub struct Sdk {
    folder: TempDir,
    /// Its libraries: target and file, sorted.
    pub libraries: Vec<(String, PathBuf)>,
}

impl Sdk {
    /// Builds the SDK of the sources in `root`. The output of cargo and CMake is written to `work`. It has libraries for
    /// `targets` and for this machine.
    ///
    /// # Errors
    /// A step failed; the text has its output.
    pub fn build(root: &Path, work: &Path, targets: &[&str]) -> Result<Self> {
        let host = host_target()?;
        let mut libraries = Vec::new();
        for triple in targets.iter().copied().chain([host.as_str()]) {
            // CMake, and the later steps, find it beside the recorder.
            firmware_library(root, work, triple, FLUX)?;
            libraries.push((triple.to_owned(), library(root, work, triple)?));
        }
        libraries.sort();

        // CMake defines the content of a package. It puts the library for this machine in. Two programs of tests may make a
        // package at a time, each in a separate folder.
        let folder = tempfile::tempdir_in(work)
            .with_context(|| format!("cannot make a folder in {}", work.display()))?;
        let sdk = Self { folder, libraries };
        let build = sdk.folder.path().join("cmake");
        let for_host = sdk.libraries.iter().find(|(triple, _)| *triple == host);
        let for_host =
            for_host.map(|(_, library)| library).context("no library for this machine")?;
        run_quiet(
            cmake()
                .arg("-S")
                .arg(root)
                .arg("-B")
                .arg(&build)
                .arg(format!("-DTBAND_LIBRARY={}", for_host.display()))
                .arg("-DCMAKE_INSTALL_DATADIR=share"),
        )?;
        let prefix = sdk.folder.path().join("installed");
        run_quiet(cmake().arg("--install").arg(&build).arg("--prefix").arg(prefix))?;
        let package = sdk.path();
        copy_guide(&root.join("docs/src"), &package.join("guide"))?;
        copy(&root.join("examples/hello"), &package.join("examples/hello"))?;
        // Those of the library are CMake's business. The program has the web page in it.
        copy_notices(root, &package)?;
        for (triple, library) in &sdk.libraries {
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
        ensure!(targets == sdk.libraries.len(), "CMake's name of this machine is not {host}");
        Ok(sdk)
    }

    /// The folder of its files.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("installed/share/tband")
    }

    /// Packs it, as `tband-cli` contains it, into a file in `work`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn archive(&self, work: &Path) -> Result<PathBuf> {
        let archive = work.join("sdk.tar.gz");
        pack(&self.path(), &format!("tband-{VERSION}"), &archive)
            .with_context(|| format!("cannot write {}", archive.display()))?;
        Ok(archive)
    }
}

/// Takes the SDK out of a package that `cargo xtask dist` made, for machines that do not build libraries for firmware. Returns a
/// temporary folder in `work`, and the SDK's folder in it.
///
/// # Errors
/// It is not a package of this version, or a file cannot be read or written.
pub fn unpack_package(tarball: &Path, work: &Path) -> Result<(TempDir, PathBuf)> {
    let cannot = || format!("cannot read {}", tarball.display());
    let folder = tempfile::tempdir_in(work)?;
    let file = File::open(tarball).with_context(cannot)?;
    tar::Archive::new(flate2::read::GzDecoder::new(file))
        .unpack(folder.path())
        .with_context(cannot)?;
    let name = format!("tband-{VERSION}");
    let package = folder.path().join(&name);
    ensure!(package.is_dir(), "{} is not the package {name}", tarball.display());
    let bin = package.join("bin");
    if bin.exists() {
        fs::remove_dir_all(&bin).with_context(cannot)?;
    }
    Ok((folder, package))
}

/// Packs the SDK of such a package as [`Sdk::archive`] does.
///
/// # Errors
/// As for [`unpack_package`].
pub fn of_package(tarball: &Path, work: &Path) -> Result<PathBuf> {
    let (_folder, package) = unpack_package(tarball, work)?;
    let archive = work.join("sdk.tar.gz");
    pack(&package, &format!("tband-{VERSION}"), &archive)?;
    Ok(archive)
}

/// Copies the notices of `tband-cli`, and of the web page that is in it.
pub(crate) fn copy_notices(root: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.join("licenses")).context("no folder for licences")?;
    for (from, name) in [
        ("host-cli/NOTICES.txt", "licenses/tband-cli.txt"),
        ("licenses/web.txt", "licenses/web.txt"),
    ] {
        fs::copy(root.join(from), to.join(name)).with_context(|| format!("cannot copy {from}"))?;
    }
    Ok(())
}

/// Copies a folder with everything in it, except build output.
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

/// Copies the guide with the pictures for light pages only.
fn copy_guide(from: &Path, to: &Path) -> Result<()> {
    copy(from, to)?;
    let dark = to.join(DARK);
    if dark.exists() {
        fs::remove_dir_all(&dark).with_context(|| format!("cannot remove {}", dark.display()))?;
    }
    let mut folders = vec![to.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "md") {
                let text = fs::read_to_string(&path)?;
                let light = without_dark(&text);
                if light != text {
                    fs::write(&path, light)?;
                }
            }
        }
    }
    Ok(())
}

/// Takes the elements out of a page that choose a picture for dark pages.
fn without_dark(text: &str) -> String {
    let (mut light, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once("<source ") {
        let Some((element, behind)) = after.split_once('>') else { break };
        if element.contains(DARK) {
            light.push_str(before.trim_end_matches(' '));
            rest = behind.trim_start_matches(' ');
            rest = rest.strip_prefix('\n').filter(|_| light.ends_with('\n')).unwrap_or(rest);
        } else {
            light.push_str(before);
            light.push_str("<source ");
            light.push_str(element);
            light.push('>');
            rest = behind;
        }
    }
    light + rest
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_one_picture_each() {
        let page = "<picture>\n  <source media=\"(dark)\" srcset=\"../pictures/dark/a.png\">\n  <img src=\"a.png\">\n</picture>\n";
        assert_eq!(without_dark(page), "<picture>\n  <img src=\"a.png\">\n</picture>\n");
        let line = "<picture> <source srcset=\"pictures/dark/a.png\"> <img src=\"a.png\"> <source srcset=\"b\"> <source ";
        let light = "<picture><img src=\"a.png\"> <source srcset=\"b\"> <source ";
        assert_eq!(without_dark(line), light);
    }
}
