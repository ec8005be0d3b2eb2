//! Opens the firmware's ELF file.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail, ensure};
use object::read::ReadCache;
use object::{CompressionFormat, Object, ObjectSection};
use ruzstd::decoding::StreamingDecoder;

/// An ELF file that is read on demand.
pub type Elf<'a> = object::File<'a, &'a ReadCache<File>>;

/// Bytes of a section.
pub type Bytes = gimli::EndianRcSlice<gimli::LittleEndian>;

/// Applies `read` to an ELF file, and returns its result.
///
/// # Errors
/// The file cannot be read, is not an ELF file, or `read` fails.
pub fn of_elf_file<T>(
    path: &Path,
    read: impl FnOnce(&Elf<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let cache = ReadCache::new(file);
    let elf = object::File::parse(&cache).with_context(|| {
        format!("{name} is not an ELF file; give the one that the firmware was made of")
    })?;
    read(&elf)
}

/// The beginning of the linker's build id.
pub fn build(elf: &Elf<'_>) -> Option<u64> {
    let id = elf.build_id().ok()??;
    id.first_chunk().map(|first| u64::from_be_bytes(*first))
}

/// Bytes of a section that are read at most, more than debug info of firmware has.
const MOST: u64 = 1 << 30;

/// The content of a section, which may be compressed with zlib or zstd.
pub fn content<'a>(section: &impl ObjectSection<'a>) -> anyhow::Result<Vec<u8>> {
    let found = section.compressed_data()?;
    let mut data = Vec::new();
    match found.format {
        CompressionFormat::None => data = found.data.to_vec(),
        CompressionFormat::Zlib => {
            flate2::read::ZlibDecoder::new(found.data).take(MOST).read_to_end(&mut data)?;
        }
        CompressionFormat::Zstandard => data = decompress_zstd(found.data)?,
        _ => bail!("compressed in a way that is not read: compile with -gz=zlib"),
    }
    ensure!(
        data.len() as u64 == found.uncompressed_size,
        "compressed, and damaged: it has {} bytes instead of {}",
        data.len(),
        found.uncompressed_size
    );
    Ok(data)
}

/// Decompresses frames of zstd. A linker that compresses with several threads writes a frame for each part.
fn decompress_zstd(mut frames: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut data = Vec::new();
    while !frames.is_empty() {
        let room = MOST.saturating_sub(data.len() as u64);
        let decoder = StreamingDecoder::new(&mut frames)
            .map_err(|error| anyhow!("compressed with zstd, and damaged: {error}"))?;
        if decoder.take(room).read_to_end(&mut data)? == 0 {
            break;
        }
    }
    Ok(data)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::fs;
    use std::process::Command;

    use tband_programs::output;

    use super::*;

    /// A program that has a section for debug info, compressed by the machine's tools in this way.
    fn program(folder: &Path, how: &str, text: &[u8]) -> std::path::PathBuf {
        let (source, object) = (folder.join("p.s"), folder.join(format!("{how}.o")));
        let mut bytes = String::from(".section .debug_str,\"MS\",@progbits,1\n");
        text.iter().for_each(|byte| writeln!(bytes, ".byte {byte}").expect("a text"));
        fs::write(&source, bytes).expect("a file");
        let made = output(Command::new("as").arg(&source).arg("-o").arg(&object));
        assert!(made.expect("an assembler").status.success());
        let how = format!("--compress-debug-sections={how}");
        let packed = output(Command::new("objcopy").arg(how).arg(&object));
        assert!(packed.expect("binutils").status.success());
        object
    }

    fn text() -> Vec<u8> {
        (0..60_000_u32).map(|it| (it / 7 % 251) as u8).collect()
    }

    #[test]
    fn sections_are_read_however_they_are_compressed() {
        let folder = tempfile::tempdir().expect("a folder");
        for (how, format) in [
            ("none", CompressionFormat::None),
            ("zlib", CompressionFormat::Zlib),
            ("zstd", CompressionFormat::Zstandard),
        ] {
            let path = program(folder.path(), how, &text());
            let read = of_elf_file(&path, |elf| {
                let section = elf.section_by_name(".debug_str").expect("a section");
                assert_eq!(section.compressed_data()?.format, format);
                content(&section)
            });
            assert_eq!(read.expect(how), text(), "{how}");
        }
    }

    #[test]
    fn each_frame_of_zstd_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = program(folder.path(), "zstd", &text());
        let frames = of_elf_file(&path, |elf| {
            let section = elf.section_by_name(".debug_str").expect("a section");
            Ok(section.compressed_data()?.data.repeat(3))
        });
        assert_eq!(decompress_zstd(&frames.expect("frames")).expect("texts"), text().repeat(3));
        assert!(decompress_zstd(b"no frame of zstd").is_err());
        assert!(decompress_zstd(&[]).expect("nothing").is_empty());
    }

    /// Each byte of a compressed section that is changed, and each length that it is cut to, is an error or changes nothing.
    #[test]
    fn damaged_sections_are_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        for how in ["zlib", "zstd"] {
            let path = program(folder.path(), how, &text());
            let whole = fs::read(&path).expect("a file");
            let (begin, len) = of_elf_file(&path, |elf| {
                let section = elf.section_by_name(".debug_str").expect("a section");
                Ok(section.file_range().expect("bytes"))
            })
            .map(|(begin, len)| (begin as usize, len as usize))
            .expect("a program");
            let mut refused = 0;
            for at in (begin + 4..begin + len).step_by(1 + len / 200) {
                let mut bytes = whole.clone();
                bytes[at] ^= 0x55;
                fs::write(&path, &bytes).expect("a file");
                let read = of_elf_file(&path, |elf| {
                    content(&elf.section_by_name(".debug_str").expect("a section"))
                });
                refused += usize::from(read.is_err());
                if let Ok(read) = read {
                    assert_eq!(read.len(), text().len());
                }
            }
            assert!(refused > 0, "{how}");
        }
    }
}
