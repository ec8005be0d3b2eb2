//! Blocks: entries and samples that are compressed together.

use std::io::{self, Write};

use flate2::write::ZlibEncoder;

use tband_flux::encoding::entry;

/// Bytes that an entry has at most, blocks included, which readers make room for.
pub const MAX_ENTRY: usize = 1 << 15;

/// Maximum size of a block's content, in bytes: incompressible data becomes a little longer.
const CONTENT: usize = MAX_ENTRY - (MAX_ENTRY >> 3);

/// How blocks are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// LZ4.
    #[default]
    Lz4,
    /// zlib, of version 6 only: half as large as LZ4, in several times its time.
    Zlib,
}

/// Writes blocks.
#[derive(Debug)]
pub struct Blocks<W: Write> {
    out: W,
    compression: Compression,
    content: Vec<u8>,
    entry: Vec<u8>,
}

impl<W: Write> Blocks<W> {
    pub const fn new(out: W, compression: Compression) -> Self {
        Self { out, compression, content: Vec::new(), entry: Vec::new() }
    }

    /// Writes bytes as they are, in front of all blocks.
    pub fn plain(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// Adds an entry or a sample, which is not split.
    pub fn add(&mut self, entry: &[u8]) -> io::Result<()> {
        if self.content.len().saturating_add(entry.len()) > CONTENT {
            self.end()?;
        }
        self.content.extend_from_slice(entry);
        Ok(())
    }

    /// Writes the pending content.
    fn end(&mut self) -> io::Result<()> {
        if self.content.is_empty() {
            return Ok(());
        }
        let (mode, compressed) = match self.compression {
            Compression::None => {
                self.out.write_all(&self.content)?;
                self.content.clear();
                return Ok(());
            }
            Compression::Lz4 => (0, lz4_flex::block::compress(&self.content)),
            Compression::Zlib => {
                let mut zlib = ZlibEncoder::new(Vec::new(), flate2::Compression::default());
                zlib.write_all(&self.content)?;
                (2, zlib.finish()?)
            }
        };
        self.entry.clear();
        entry::block(&mut self.entry, mode, self.content.len(), compressed.len());
        self.out.write_all(&self.entry)?;
        self.out.write_all(&compressed)?;
        self.content.clear();
        Ok(())
    }

    pub fn finish(&mut self) -> io::Result<()> {
        self.end()?;
        self.out.flush()
    }
}
