//! Compressed input: gzip is decompressed here, in bounded memory and time; other formats are only recognised.

use std::io::{self, BufRead, Read};

use flate2::bufread::MultiGzDecoder;

use crate::error::NotationError;

/// Bytes that may come of few: less than this are read at once.
const HARMLESS: u64 = 64 << 20;
/// Maximum bytes from one compressed byte. Repetitive recordings reach about 20; gzip can reach 1030.
const RATIO: u64 = 100;

/// Reads what gzip has compressed, all members.
pub fn gunzip<R: BufRead>(reader: R) -> impl Read {
    Gunzip { decoder: MultiGzDecoder::new(CountingReader { inner: reader, taken: 0 }), given: 0 }
}

struct Gunzip<R> {
    decoder: MultiGzDecoder<CountingReader<R>>,
    given: u64,
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.decoder.read(buf).map_err(|source| match source.kind() {
            io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidData
            | io::ErrorKind::UnexpectedEof => NotationError::Gzip(source.to_string()).into(),
            _ => source,
        })?;
        self.given = self.given.saturating_add(len as u64);
        if self.given > HARMLESS && self.given / RATIO > self.decoder.get_ref().taken {
            return Err(NotationError::GzipBomb(self.given).into());
        }
        Ok(len)
    }
}

/// Counts the bytes that are taken from a reader.
struct CountingReader<R> {
    inner: R,
    taken: u64,
}

impl<R: BufRead> Read for CountingReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buf)?;
        self.taken = self.taken.saturating_add(len as u64);
        Ok(len)
    }
}

impl<R: BufRead> BufRead for CountingReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, len: usize) {
        self.taken = self.taken.saturating_add(len as u64);
        self.inner.consume(len);
    }
}

/// First bytes of a zip archive.
const ZIP: &[u8] = b"PK\x03\x04";
/// First bytes of other compressed files, their names, and the command that decompresses them to stdout.
const OTHERS: [(&[u8], &str, &str); 5] = [
    (&[0x28, 0xB5, 0x2F, 0xFD], "zstd", "zstd -dc FILE"),
    (b"\xFD7zXZ\0", "xz", "xz -dc FILE"),
    (b"BZh", "bzip2", "bzip2 -dc FILE"),
    (b"7z\xBC\xAF\x27\x1C", "7-Zip", "7z x -so FILE"),
    (&[0x04, 0x22, 0x4D, 0x18], "lz4", "lz4 -dc FILE"),
];

/// Returns the error for bytes in another compressed format than gzip.
pub fn compressed_otherwise(raw: &[u8]) -> Option<NotationError> {
    if raw.starts_with(ZIP) {
        return Some(NotationError::Zip);
    }
    let is_block = |raw: &[u8]| raw.get(4..10) == Some(&[0x31, 0x41, 0x59, 0x26, 0x53, 0x59]);
    let (_, program, command) = OTHERS
        .iter()
        .find(|(begin, name, _)| raw.starts_with(begin) && (*name != "bzip2" || is_block(raw)))?;
    Some(NotationError::Compressed { program, command })
}

/// It is the beginning of a tar archive.
pub fn is_tar(bytes: &[u8]) -> bool {
    /// Offset of the mark in the header of the first file.
    const MARK: usize = 257;
    bytes.get(MARK..).is_some_and(|rest| rest.starts_with(b"ustar"))
}

/// It is the first header of a zip archive whose first file is not compressed, so that a recording in it can be seen.
pub fn is_stored_zip(raw: &[u8]) -> bool {
    /// Length of the header before the name.
    const LEN: usize = 30;
    let field = |at: usize| {
        let bytes = raw.get(at..)?.first_chunk::<2>()?;
        Some(usize::from(u16::from_le_bytes(*bytes)))
    };
    let (Some(version), Some(method), Some(name)) = (field(4), field(8), field(26)) else {
        return false;
    };
    let is_name = |name: &[u8]| !name.is_empty() && name.iter().all(|byte| *byte >= b' ');
    raw.starts_with(ZIP)
        && version <= 63
        && method == 0
        && raw.get(LEN..LEN + name).is_some_and(is_name)
}
