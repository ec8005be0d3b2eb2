//! Text for a writer, with little overhead.

use std::io::{self, Write};

use crate::line::Line;

/// Size of a write, in bytes.
const BLOCK: usize = 1 << 15;

/// Text for a writer, in blocks.
#[derive(Debug)]
pub struct TextWriter<W> {
    out: W,
    waiting: Line,
}

impl<W: Write> TextWriter<W> {
    pub const fn new(out: W) -> Self {
        Self { out, waiting: Line::new() }
    }

    /// Returns the next output, to append to.
    pub const fn line(&mut self) -> &mut Line {
        &mut self.waiting
    }

    /// Allows the output so far to be written.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(&mut self) -> io::Result<()> {
        if self.waiting.len() >= BLOCK { self.write() } else { Ok(()) }
    }

    /// Writes everything, and returns the writer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&mut self) -> io::Result<&mut W> {
        self.write()?;
        self.out.flush()?;
        Ok(&mut self.out)
    }

    /// Does the same for an owned writer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn into_inner(mut self) -> io::Result<W> {
        self.finish()?;
        Ok(self.out)
    }

    fn write(&mut self) -> io::Result<()> {
        self.out.write_all(self.waiting.bytes())?;
        self.waiting.begin();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_all_blocks_in_order() {
        let mut out = TextWriter::new(Vec::new());
        let mut all = String::new();
        for number in 0..20_000 {
            out.line().number(number).text("\n");
            out.end().unwrap();
            all += &format!("{number}\n");
        }
        assert!(!out.out.is_empty() && out.waiting.bytes().len() < BLOCK);
        assert_eq!(str::from_utf8(out.finish().unwrap()).unwrap(), all);
    }
}
