//! Compresses in blocks, each a member of the gzip file. So the output does not depend on which thread compresses a block, nor
//! on the number of threads. Readers treat the members as one file.

use std::io::{self, Write};

use flate2::{Compression, GzBuilder};

/// Size of a separately compressed block, in bytes. A smaller one compresses worse, a larger one takes more memory.
pub const BLOCK: usize = 1 << 20;
/// The first levels take a fraction of the time of the usual one, for little more output.
const LEVEL: Compression = Compression::new(2);

/// Returns the block as a separate gzip file, without a time.
///
/// # Errors
/// None are known: it is written to memory.
pub fn member(block: &[u8]) -> io::Result<Vec<u8>> {
    let packed = Vec::with_capacity(block.len() / 3);
    let mut encoder = GzBuilder::new().write(packed, LEVEL);
    encoder.write_all(block)?;
    encoder.finish()
}

/// Compresses one block after the other, or nothing.
#[derive(Debug)]
pub struct Members<W> {
    out: W,
    compresses: bool,
    block: Vec<u8>,
    /// There was a block.
    any: bool,
}

impl<W: Write> Members<W> {
    /// Writes to `out`, and compresses if that is wanted.
    pub const fn new(out: W, compresses: bool) -> Self {
        Self { out, compresses, block: Vec::new(), any: false }
    }

    fn give(&mut self) -> io::Result<()> {
        self.any = true;
        let packed = member(&self.block)?;
        self.block.clear();
        self.out.write_all(&packed)
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        if self.compresses && (!self.block.is_empty() || !self.any) {
            self.give()?;
        }
        self.out.flush()
    }
}

impl<W: Write> Write for Members<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.compresses {
            return self.out.write(bytes);
        }
        let room = BLOCK - self.block.len();
        let taken = bytes.get(..room).unwrap_or(bytes);
        self.block.extend_from_slice(taken);
        if self.block.len() == BLOCK {
            self.give()?;
        }
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
