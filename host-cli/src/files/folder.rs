//! Folders that are created atomically: a folder exists only when it is complete.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::TempDir;

use crate::args::wrong_usage;
use crate::interrupt;

/// A folder under construction.
pub struct Folder {
    path: PathBuf,
    part: TempDir,
}

impl Folder {
    /// Begins a folder beside its final place. Existing files are not lost; `what` names the content. Ends the program with the
    /// usage of `command` if the path is that of stdout.
    ///
    /// # Errors
    /// The path exists and is not an empty folder, or a folder cannot be created beside it.
    pub fn begin(path: &Path, what: &str, command: &str) -> anyhow::Result<Self> {
        refuse(path, what, command)?;
        let parent = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tband-");
        let part = interrupt::create_temporary(|| builder.tempdir_in(parent), TempDir::path);
        let part = part.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path: path.to_owned(), part })
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a file in it.
    pub fn create(&self, name: &str) -> io::Result<BufWriter<File>> {
        File::create(self.part.path().join(name)).map(BufWriter::new)
    }

    /// Writes a file in it, or in a folder of it: a path with `/`.
    pub fn write(&self, name: &str, content: &[u8]) -> anyhow::Result<()> {
        let file = self.part.path().join(name);
        let cannot = || format!("cannot write {} in {}", name, self.path.display());
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).with_context(cannot)?;
        }
        fs::write(&file, content).with_context(cannot)
    }

    /// Puts it in its place.
    pub fn finish(self) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.path.display());
        if self.path.is_dir() {
            fs::remove_dir(&self.path).with_context(cannot)?;
        }
        set_usual_permissions(self.part.path()).with_context(cannot)?;
        fs::rename(self.part.keep(), &self.path)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Fails if the path exists.
fn refuse(folder: &Path, what: &str, command: &str) -> anyhow::Result<()> {
    if folder == Path::new("-") {
        wrong_usage(command, &format!("{what} is a folder, which cannot go to stdout"));
    }
    let Ok(mut entries) = fs::read_dir(folder) else {
        if folder.exists() {
            bail!("{} is not a folder: name a new one", folder.display());
        }
        return Ok(());
    };
    if entries.next().is_some() {
        bail!("{} is not empty: name a new folder", folder.display());
    }
    Ok(())
}

/// Temporary folders are for their owner only.
#[cfg(unix)]
fn set_usual_permissions(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    // As a new file beside them has, with the right to enter.
    let probe = tempfile::Builder::new()
        .permissions(fs::Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    let mode = probe.as_file().metadata()?.permissions().mode();
    fs::set_permissions(folder, fs::Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

/// Temporary folders have the usual permissions.
#[cfg(not(unix))]
fn set_usual_permissions(_: &Path) -> io::Result<()> {
    Ok(())
}
