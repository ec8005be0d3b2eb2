//! A growing file, which QEMU or another program writes.

#[cfg(unix)]
use std::fs;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread::sleep;

use anyhow::Context;

use super::source::{Link, PATIENCE, ReadResult, Source, StopFlag};

/// A file that is read to its end, and on when it grows.
pub struct GrowingFile(PathBuf);

impl GrowingFile {
    pub fn new(path: &str) -> Self {
        Self(path.into())
    }
}

impl Source for GrowingFile {
    fn name(&self) -> String {
        self.0.display().to_string()
    }

    fn open(&mut self, _: &StopFlag) -> anyhow::Result<Option<Box<dyn Link>>> {
        let file = File::open(&self.0).and_then(|file| match file.metadata()?.is_dir() {
            true => Err(io::ErrorKind::IsADirectory.into()),
            false => Ok(file),
        });
        let file = file.with_context(|| format!("cannot read {}", self.name()))?;
        Ok(Some(Box::new(GrowingFileLink { file, path: self.0.clone(), read: 0 })))
    }
}

struct GrowingFileLink {
    file: File,
    path: PathBuf,
    read: u64,
}

impl Link for GrowingFileLink {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<ReadResult> {
        let len = self.file.read(buf)?;
        if len > 0 {
            self.read = self.read.saturating_add(len as u64);
            return Ok(ReadResult::Bytes(len));
        }
        // Its writer has started again.
        let meta = self.file.metadata()?;
        if meta.is_file() && (meta.len() < self.read || is_replaced(&meta, &self.path)) {
            return Ok(ReadResult::End);
        }
        sleep(PATIENCE);
        Ok(ReadResult::Nothing)
    }
}

/// Whether the path now belongs to another file than that with this metadata.
#[cfg(unix)]
pub fn is_replaced(meta: &Metadata, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |meta: &Metadata| (meta.dev(), meta.ino());
    fs::metadata(path).is_ok_and(|now| id(&now) != id(meta))
}

/// Whether the path now belongs to another file than that with this metadata. This is impossible on this system while that one
/// is open.
#[cfg(not(unix))]
pub fn is_replaced(_: &Metadata, _: &Path) -> bool {
    false
}
