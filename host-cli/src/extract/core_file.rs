//! ELF core files, and those that ESP-IDF writes to flash: a header, a core file, a checksum.

use std::fs::File;

use anyhow::bail;
use object::elf::{ET_CORE, FileHeader32, FileHeader64, PT_LOAD};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, ReadCache, ReadRef};

use super::piece::Piece;

const MAGIC: &[u8] = b"\x7FELF";

/// Where a core file is in the file that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    offset: u64,
    len: u64,
}

impl Place {
    /// That of a file of `len` bytes that begins with these.
    pub fn of(begin: &[u8], len: u64) -> Option<Self> {
        if begin.starts_with(MAGIC) {
            return Some(Self { offset: 0, len });
        }
        let word = |at: usize| Some(u32::from_le_bytes(*begin.get(at..)?.first_chunk()?));
        let total = u64::from(word(0)?);
        // The low half is the version of the format, the high half the chip.
        let offset: u8 = match word(4)? & 0xFFFF {
            0x0100 | 0x0101 => 20,
            0x0102 | 0x0103 => 24,
            _ => return None,
        };
        let is_core = begin.get(usize::from(offset)..)?.starts_with(MAGIC);
        let offset = u64::from(offset);
        // A partition of flash is longer than its content.
        (is_core && (offset..=len).contains(&total)).then(|| Self { offset, len: total - offset })
    }

    /// Returns the name of such a file.
    pub const fn kind(self) -> &'static str {
        if self.offset == 0 { "ELF core file" } else { "ESP-IDF core dump" }
    }
}

/// Returns the pieces of memory in a core file, with their offsets in the complete file.
///
/// # Errors
/// It is a program, or damaged.
pub fn pieces(file: &File, place: Place) -> anyhow::Result<Vec<Piece>> {
    let cache = ReadCache::new(file.try_clone()?);
    let core = cache.range(place.offset, place.len);
    let mut pieces = match object::FileKind::parse(core)? {
        object::FileKind::Elf32 => read_segments(FileHeader32::<Endianness>::parse(core)?, core),
        object::FileKind::Elf64 => read_segments(FileHeader64::<Endianness>::parse(core)?, core),
        _ => bail!("it is an ELF file of another kind"),
    }?;
    for piece in &mut pieces {
        piece.offset = piece.offset.saturating_add(place.offset);
    }
    Ok(pieces)
}

fn read_segments<'a, H: FileHeader<Endian = Endianness>, R: ReadRef<'a>>(
    header: &H,
    core: R,
) -> anyhow::Result<Vec<Piece>> {
    let endian = header.endian()?;
    if header.e_type(endian) != ET_CORE {
        bail!(
            "it is a program and no core file: it has not the memory of its run; give it with --elf, and here an image"
        );
    }
    let headers = header.program_headers(endian, core)?;
    let loads = headers.iter().filter(|it| it.p_type(endian) == PT_LOAD);
    Ok(loads
        .map(|it| {
            let (virtual_at, physical_at): (u64, u64) =
                (it.p_vaddr(endian).into(), it.p_paddr(endian).into());
            // QEMU has physical addresses only.
            let address = if virtual_at == 0 { physical_at } else { virtual_at };
            let (offset, len) = (it.p_offset(endian).into(), it.p_filesz(endian).into());
            Piece { address: Some(address), offset, len }
        })
        .filter(|piece| piece.len > 0)
        .collect())
}
