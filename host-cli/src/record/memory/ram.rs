//! The memory of an emulated target in a file that QEMU shares: `-object memory-backend-file,share=on`.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use tband_program::Memory;

use super::super::file::is_replaced;
use crate::target::{Attach, AttachedTarget, Target};

/// Maximum length in words that is read until it is the same twice: the system copies byte by byte while the target writes.
const WORDS: usize = 64;
/// How often, at most.
const TRIES: u32 = 1000;

/// A file, and where it is in the target's memory.
pub struct RamFile {
    path: PathBuf,
    base: u64,
}

impl RamFile {
    /// `None` if it is not PATH@ADDRESS.
    pub fn new(text: &str) -> Option<Self> {
        let (path, base) = text.rsplit_once('@')?;
        let base = match base.strip_prefix("0x").or_else(|| base.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => base.parse(),
        };
        (!path.is_empty()).then_some(Self { path: path.into(), base: base.ok()? })
    }
}

impl Attach for RamFile {
    fn name(&self) -> String {
        format!("ram:{}@{:#x}", self.path.display(), self.base)
    }

    fn attach(&mut self) -> anyhow::Result<AttachedTarget> {
        // The read bytes are released.
        let file = OpenOptions::new().read(true).write(true).open(&self.path);
        let file =
            file.with_context(|| format!("cannot read and write {}", self.path.display()))?;
        let len = file.metadata()?.len();
        let ram = vec![(self.base, self.base.saturating_add(len))];
        let path = self.path.clone();
        Ok(AttachedTarget {
            target: Box::new(OpenRamFile { file, path, base: self.base, len }),
            ram,
        })
    }
}

/// The file, open.
struct OpenRamFile {
    file: File,
    path: PathBuf,
    base: u64,
    len: u64,
}

impl OpenRamFile {
    /// Seeks to an address, where at least this many bytes follow.
    fn seek(&mut self, at: u64, len: usize) -> anyhow::Result<()> {
        let offset = at.checked_sub(self.base);
        let fits = |offset: &u64| offset.checked_add(len as u64).is_some_and(|end| end <= self.len);
        let Some(offset) = offset.filter(fits) else {
            bail!(
                "the memory at {at:#x} is not in {}: it has {:#x} to {:#x}",
                self.path.display(),
                self.base,
                self.base.saturating_add(self.len)
            );
        };
        self.file.seek(SeekFrom::Start(offset))?;
        Ok(())
    }

    fn read_once(&mut self, at: u64, buf: &mut [u8]) -> anyhow::Result<()> {
        self.seek(at, buf.len())?;
        self.file.read_exact(buf).with_context(|| format!("{} is shorter now", self.path.display()))
    }
}

impl Memory for OpenRamFile {
    fn read(&mut self, at: u64, buf: &mut [u8]) -> anyhow::Result<()> {
        self.read_once(at, buf)?;
        if buf.len() > WORDS {
            return Ok(());
        }
        let mut again = [0; WORDS];
        let again = again.get_mut(..buf.len()).unwrap_or_default();
        for _ in 0..TRIES {
            self.read_once(at, again)?;
            if *again == *buf {
                break;
            }
            buf.copy_from_slice(again);
        }
        Ok(())
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> anyhow::Result<()> {
        self.seek(at, bytes.len())?;
        Ok(self.file.write_all(bytes)?)
    }
}

impl Target for OpenRamFile {
    /// A restarted emulator may have created another file, and this one no longer changes.
    fn begin_look(&mut self) -> anyhow::Result<()> {
        let is_replaced = is_replaced(&self.file.metadata()?, &self.path);
        ensure!(!is_replaced, "{} is another file now", self.path.display());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_memory_from_an_address_on() {
        for wrong in ["", "ram", "@0x20", "ram@", "ram@x", "ram@0xg"] {
            assert!(RamFile::new(wrong).is_none(), "{wrong}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r@m");
        std::fs::write(&path, (0..100).collect::<Vec<u8>>()).unwrap();
        let mut file = RamFile::new(&format!("{}@0x20000000", path.display())).unwrap();
        let AttachedTarget { mut target, ram } = file.attach().unwrap();
        assert_eq!(ram, [(0x2000_0000, 0x2000_0064)]);
        let mut buf = [0; 4];
        target.read(0x2000_0060, &mut buf).unwrap();
        assert_eq!(buf, [96, 97, 98, 99]);
        target.write(0x2000_0001, &[7, 8]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap()[..4], [0, 7, 8, 3]);
        for at in [0, 0x1FFF_FFFF, 0x2000_0061, u64::MAX] {
            let error = target.read(at, &mut buf).unwrap_err().to_string();
            assert!(error.contains("0x20000000 to 0x20000064"), "{error}");
            assert!(target.write(at, &buf).is_err());
        }
        assert!(RamFile::new("/nothing/here@0").unwrap().attach().is_err());
    }

    #[cfg(unix)]
    #[test]
    fn another_file_of_this_name_ends_it() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["ram", "other"].map(|name| folder.path().join(name));
        std::fs::write(&path, [1; 8]).unwrap();
        let mut file = RamFile::new(&format!("{}@0", path.display())).unwrap();
        let mut target = file.attach().unwrap().target;
        target.begin_look().unwrap();
        // One that has no name any more may be in use all the same.
        std::fs::remove_file(&path).unwrap();
        target.begin_look().unwrap();
        std::fs::write(&other, [2; 8]).unwrap();
        std::fs::rename(&other, &path).unwrap();
        let error = target.begin_look().unwrap_err().to_string();
        assert!(error.ends_with("ram is another file now"), "{error}");
        let mut buf = [0; 1];
        file.attach().unwrap().target.read(7, &mut buf).unwrap();
        assert_eq!(buf, [2]);
    }
}
