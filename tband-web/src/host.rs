//! The host, which has the files, and takes the output.

use std::io::{self, Read, Write};

/// The owner of the files, and the receiver of the output.
pub trait Host {
    /// Reads from a file, by its index, at an offset in bytes; 0 at its end.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(&self, file: usize, offset: u64, bytes: &mut [u8]) -> io::Result<usize>;

    /// Takes the next bytes of an output, by its index. The first one, 0, is the requested output; others are parts of it.
    ///
    /// # Errors
    /// The bytes cannot be stored.
    fn write(&self, output: usize, bytes: &[u8]) -> io::Result<()>;

    /// Appends all of an output to another one, without copying it through memory.
    fn append(&self, to: usize, from: usize);
}

/// Reads a file from its start.
#[derive(Clone)]
pub(crate) struct FileReader<'h> {
    pub host: &'h dyn Host,
    pub file: usize,
    pub offset: u64,
}

impl Read for FileReader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = self.host.read(self.file, self.offset, bytes)?;
        self.offset = self.offset.saturating_add(len as u64);
        Ok(len)
    }
}

/// Writes the requested output.
pub(crate) struct Output<'h>(pub &'h dyn Host);

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(0, bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
