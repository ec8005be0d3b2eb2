//! The SDK: the files of tband that firmware is built with. A released program contains them, as `cargo xtask dist` packs them.

mod archive;
mod write;

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};

pub use write::run;

/// The archive that was named when this program was built; empty if there was none.
const BUILT_IN: &[u8] = include!(concat!(env!("OUT_DIR"), "/sdk.rs"));

/// The variable that names the SDK beside the program, which the package for Python sets.
const VARIABLE: &str = "TBAND_SDK";

/// A header of every SDK.
const MARK: &str = "include/tband.h";
/// The folder of the libraries.
const LIBRARIES: &str = "lib";

/// The files, by their paths with `/` in the SDK's folder, in the order of the archive.
#[derive(Debug)]
pub struct Sdk {
    files: BTreeMap<Vec<String>, Vec<u8>>,
}

impl Sdk {
    /// Reads the SDK at a path, an unpacked folder or the archive of `cargo xtask dist`. Without a path it is the one that the
    /// environment names, else the one in this program.
    ///
    /// # Errors
    /// This program contains none; or there is none at the path.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let named = env::var_os(VARIABLE).filter(|it| !it.is_empty()).map(PathBuf::from);
        let Some(path) = path.or(named.as_deref()) else {
            if BUILT_IN.is_empty() {
                bail!(
                    "this tband-cli was built without the SDK: install a release, or run \"cargo xtask dist\" in a clone \
                     of tband and pass --sdk target/dist/tband-{}.tar.gz",
                    env!("CARGO_PKG_VERSION")
                );
            }
            return archive::read(BUILT_IN).context("the SDK in this program");
        };
        let named = || path.display().to_string();
        let sdk = if path.is_dir() {
            Self::of_folder(path)
        } else {
            let file = File::open(path).with_context(|| format!("cannot read {}", named()))?;
            archive::read(file)
        };
        let sdk = sdk.with_context(named)?;
        let has_libraries = sdk.below(LIBRARIES).next().is_some();
        ensure_parts(sdk.get(MARK).is_some(), has_libraries).with_context(named)?;
        Ok(sdk)
    }

    /// Reads an unpacked one.
    fn of_folder(root: &Path) -> anyhow::Result<Self> {
        // Before all files are read: any folder may be named, also that of a disk.
        ensure_parts(root.join(MARK).is_file(), root.join(LIBRARIES).is_dir())?;
        let mut files = BTreeMap::new();
        let mut folders = vec![(root.to_owned(), Vec::new())];
        while let Some((folder, names)) = folders.pop() {
            let cannot = || format!("cannot read {}", folder.display());
            for entry in fs::read_dir(&folder).with_context(cannot)? {
                let entry = entry.with_context(cannot)?;
                let name = entry.file_name().into_string().map_err(|name| {
                    anyhow!("{}: no file of an SDK has this name", folder.join(name).display())
                })?;
                let names: Vec<String> = names.iter().cloned().chain([name]).collect();
                let path = entry.path();
                if entry.file_type().with_context(cannot)?.is_dir() {
                    folders.push((path, names));
                } else if names.first().is_some_and(|it| it != "bin") {
                    let bytes = fs::read(&path)
                        .with_context(|| format!("cannot read {}", path.display()))?;
                    files.insert(names, bytes);
                }
            }
        }
        Ok(Self { files })
    }

    /// Returns a file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        let key: Vec<String> = path.split('/').map(str::to_owned).collect();
        self.files.get(&key).map(Vec::as_slice)
    }

    /// Returns all files: paths and contents.
    pub fn files(&self) -> impl Iterator<Item = (String, &[u8])> {
        self.files.iter().map(|(names, bytes)| (names.join("/"), bytes.as_slice()))
    }

    /// Returns the files of a folder and of the folders in it.
    pub fn below(&self, folder: &str) -> impl Iterator<Item = (String, &[u8])> {
        let beginning = format!("{folder}/");
        self.files().filter(move |(path, _)| path.starts_with(&beginning))
    }
}

/// Fails without the parts that every SDK has.
fn ensure_parts(has_mark: bool, has_libraries: bool) -> anyhow::Result<()> {
    ensure!(
        has_mark && has_libraries,
        "it is not an SDK of tband: it has no {MARK} or no libraries. Pass the archive that \"cargo xtask dist\" made, or its \
         unpacked folder"
    );
    Ok(())
}
