//! The file that a recording is written to while it grows.
//!
//! Its earlier content stays until the first byte comes. No other `tband-cli` records into it in that time. If the file is
//! removed this is noticed: otherwise the bytes would be lost without a message.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use tband_app::times::path_for;

use crate::output::{descriptor, folder_of};

/// Where bytes go.
pub enum OutputFile {
    Stdout,
    /// Nothing came yet: it has its earlier content.
    Fresh {
        file: File,
        path: PathBuf,
        is_new: bool,
    },
    Begun {
        file: File,
        path: PathBuf,
    },
}

/// Where a file is now.
#[cfg_attr(not(unix), allow(dead_code, reason = "there files stay while they are open"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileLocation {
    /// It is where it was created.
    There,
    /// It has another name.
    Moved,
    /// It has none any more, and is lost as soon as it is closed.
    Removed,
}

impl OutputFile {
    /// Opens a file of this name, whether or not it exists.
    ///
    /// # Errors
    /// It cannot be written, or another program records into it.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        // The file behind /dev/stdout or /dev/fd/3 belongs to the program that opened it, with its content.
        if let Some(file) = descriptor(path).map_err(|error| cannot_write(path, error))? {
            return Ok(Self::Begun { file, path: path.to_owned() });
        }
        loop {
            let is_new = !path.exists();
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
            let file = file.map_err(|error| cannot_write(path, error))?;
            take(&file, path)?;
            // Its owner may have removed it in between.
            if location(&file, path) != FileLocation::Removed {
                return Ok(Self::Fresh { file, path: path.to_owned(), is_new });
            }
        }
    }

    /// A file of this name, which must not be there yet.
    ///
    /// # Errors
    /// It is, or it cannot be written.
    pub fn new(path: PathBuf) -> anyhow::Result<Self> {
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => {
                take(&file, &path)?;
                Ok(Self::Fresh { file, path, is_new: true })
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(is_there(&path)),
            Err(error) => Err(cannot_write(&path, error)),
        }
    }

    /// Returns its path, except for stdout.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdout => None,
            Self::Fresh { path, .. } | Self::Begun { path, .. } => Some(path),
        }
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if matches!(self, Self::Fresh { .. })
            && let Self::Fresh { file, path, .. } = std::mem::replace(self, Self::Stdout)
        {
            if file.metadata().is_ok_and(|meta| meta.is_file()) {
                file.set_len(0)?;
                // They belong to its earlier content.
                let _ = fs::remove_file(path_for(&path));
                let _ = fs::remove_file(rest_of(&path));
            }
            *self = Self::Begun { file, path };
        }
        match self {
            Self::Begun { file, .. } => file.write_all(bytes),
            _ => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes)?;
                stdout.flush()
            }
        }
    }

    /// It is a file, and not a pipe or a device.
    pub fn can_be_cut(&self) -> bool {
        match self {
            Self::Stdout => false,
            Self::Fresh { file, .. } | Self::Begun { file, .. } => {
                file.metadata().is_ok_and(|meta| meta.is_file())
            }
        }
    }

    /// Bytes in it, if it is a file.
    pub fn len(&self) -> Option<u64> {
        match self {
            Self::Stdout | Self::Fresh { .. } => None,
            Self::Begun { file, .. } => {
                file.metadata().ok().filter(fs::Metadata::is_file).map(|meta| meta.len())
            }
        }
    }

    /// Truncates the file to this many bytes.
    ///
    /// # Errors
    /// It cannot be cut.
    pub fn cut(&mut self, len: u64) -> io::Result<()> {
        let Self::Begun { file, .. } = self else { return Ok(()) };
        file.set_len(len)?;
        file.seek(SeekFrom::Start(len)).map(drop)
    }

    /// Returns where the file is now.
    pub fn location(&self) -> FileLocation {
        match self {
            Self::Stdout => FileLocation::There,
            Self::Fresh { file, path, .. } | Self::Begun { file, path } => location(file, path),
        }
    }

    /// Closes the file. A file that received no bytes is unchanged.
    pub fn close(self) {
        let Self::Fresh { file, path, is_new: true } = self else { return };
        // Does not remove a link that leads to it, or a file that another program has put there.
        let is_empty = file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() == 0);
        if let Ok(path) = fs::canonicalize(path)
            && is_empty
            && location(&file, &path) == FileLocation::There
        {
            let _ = fs::remove_file(path);
        }
    }
}

/// Returns the error for a file that cannot be opened.
fn cannot_write(path: &Path, error: io::Error) -> anyhow::Error {
    let why = folder_of(path).err();
    why.unwrap_or_else(|| anyhow!(error).context(format!("cannot write {}", path.display())))
}

/// Returns the error for a file that must not be overwritten.
pub fn is_there(path: &Path) -> anyhow::Error {
    anyhow!("{} is there already; name another file with -o", path.display())
}

/// Locks the file against other recorders until it is closed. A device may be shared.
#[cfg(unix)]
fn take(file: &File, path: &Path) -> anyhow::Result<()> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    if file.metadata().is_ok_and(|meta| meta.is_file())
        && flock(file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK)
    {
        return Err(anyhow!(
            "another tband-cli records into {}; name another file with -o",
            path.display()
        ));
    }
    // Some file systems have no locks.
    Ok(())
}

/// Locks the file against other recorders until it is closed.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "as on Unix")]
fn take(_: &File, _: &Path) -> anyhow::Result<()> {
    Ok(())
}

/// Returns where a file that was created with this name is now.
#[cfg(unix)]
fn location(file: &File, path: &Path) -> FileLocation {
    use std::os::unix::fs::MetadataExt;
    let Ok(meta) = file.metadata() else { return FileLocation::There };
    let id = |meta: &fs::Metadata| (meta.dev(), meta.ino());
    // Some file systems count no names.
    match fs::metadata(path) {
        Ok(now) if id(&now) == id(&meta) => FileLocation::There,
        _ if meta.nlink() == 0 => FileLocation::Removed,
        _ => FileLocation::Moved,
    }
}

/// Returns where a file that was created with this name is now. On this system it stays while it is open.
#[cfg(not(unix))]
fn location(_: &File, _: &Path) -> FileLocation {
    FileLocation::There
}

/// The file for the bytes of a packet or frame that the recording ends inside of.
pub fn rest_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".rest");
    name.into()
}
