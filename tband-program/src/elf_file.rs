//! Opens the firmware's ELF file.

use std::fs::File;
use std::path::Path;

use anyhow::Context as _;
use object::read::ReadCache;

/// An ELF file, of which only what is looked at is read.
pub type Elf<'a> = object::File<'a, &'a ReadCache<File>>;

/// What `read` takes out of an ELF file.
///
/// # Errors
/// The file cannot be read, is no ELF file, or `read` fails.
pub fn of_elf_file<T>(
    path: &Path,
    read: impl FnOnce(&Elf<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let cache = ReadCache::new(file);
    let elf = object::File::parse(&cache).with_context(|| {
        format!("{name} is no ELF file; give the one that the firmware was made of")
    })?;
    read(&elf)
}
