//! Text that goes to a writer as fast as it is made.

use std::io::{self, Write};

use crate::line::Line;

/// What is written at once, in bytes.
const BLOCK: usize = 1 << 15;

/// Text that goes to a writer in blocks.
#[derive(Debug)]
pub struct Text<W> {
    out: W,
    waiting: Line,
}

impl<W: Write> Text<W> {
    pub const fn new(out: W) -> Self {
        Self { out, waiting: Line::new() }
    }

    /// What is written next, to be added to.
    pub const fn line(&mut self) -> &mut Line {
        &mut self.waiting
    }

    /// What is there may be written.
    ///
    /// # Errors
    /// If it cannot.
    pub fn end(&mut self) -> io::Result<()> {
        if self.waiting.len() >= BLOCK { self.write() } else { Ok(()) }
    }

    /// Writes everything, and gives the writer back.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&mut self) -> io::Result<&mut W> {
        self.write()?;
        self.out.flush()?;
        Ok(&mut self.out)
    }

    /// The same, of a writer that nobody else has.
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
    fn blocks_are_written_in_their_order_and_nothing_waits_in_the_end() {
        let mut out = Text::new(Vec::new());
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
