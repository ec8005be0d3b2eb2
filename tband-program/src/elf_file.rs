//! Opens the firmware's ELF file.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use object::read::ReadCache;
use object::{CompressionFormat, Object, ObjectSection};

/// An ELF file, of which only what is looked at is read.
pub type Elf<'a> = object::File<'a, &'a ReadCache<File>>;

/// Bytes of a section.
pub type Bytes = gimli::EndianRcSlice<gimli::LittleEndian>;

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

/// The beginning of the linker's build id.
pub fn build(elf: &Elf<'_>) -> Option<u64> {
    let id = elf.build_id().ok()??;
    id.first_chunk().map(|first| u64::from_be_bytes(*first))
}

/// The content of a section, which may be compressed with zlib.
pub fn content<'a>(section: &impl ObjectSection<'a>) -> anyhow::Result<Vec<u8>> {
    /// More than debug info of firmware has.
    const MOST: u64 = 1 << 30;
    let found = section.compressed_data()?;
    match found.format {
        CompressionFormat::None => Ok(found.data.to_vec()),
        CompressionFormat::Zlib => {
            let mut data = Vec::new();
            flate2::read::ZlibDecoder::new(found.data).take(MOST).read_to_end(&mut data)?;
            Ok(data)
        }
        _ => bail!("compressed in a way that is not read: compile with -gz=zlib"),
    }
}
