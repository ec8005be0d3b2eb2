//! The characters of a text with their offsets, block by block.

use std::io::{self, Read};

const BLOCK: usize = 16 * 1024;

/// Reads characters, white space left out.
#[derive(Debug)]
pub struct Characters<R> {
    inner: R,
    text: Box<[u8]>,
    at: usize,
    len: usize,
    /// Offset of `text[0]` in the input.
    base: u64,
}

impl<R: Read> Characters<R> {
    pub fn new(inner: R) -> Self {
        let text = vec![0; BLOCK].into_boxed_slice();
        Self { inner, text, at: 0, len: 0, base: 0 }
    }

    /// The next character that is not white space, and its offset.
    pub fn next(&mut self) -> io::Result<Option<(u8, u64)>> {
        loop {
            if self.at >= self.len {
                self.base = self.base.saturating_add(self.len as u64);
                (self.at, self.len) = (0, 0);
                self.len = read_retrying(&mut self.inner, &mut self.text)?;
            }
            let filled = self.text.get(..self.len).unwrap_or_default();
            let Some(&byte) = filled.get(self.at) else {
                return Ok(None);
            };
            let offset = self.base.saturating_add(self.at as u64);
            self.at += 1;
            if !byte.is_ascii_whitespace() {
                return Ok(Some((byte, offset)));
            }
        }
    }
}

/// Fills `out` with bytes until there are none.
pub fn fill(out: &mut [u8], mut next: impl FnMut() -> io::Result<Option<u8>>) -> io::Result<usize> {
    let mut written = 0;
    for slot in out {
        let Some(byte) = next()? else { break };
        *slot = byte;
        written += 1;
    }
    Ok(written)
}

/// Reads once, again if a signal interrupted it.
pub fn read_retrying(input: &mut impl Read, buf: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buf) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // A reader that claims more than it was given room for is not believed.
            other => return other.map(|n| n.min(buf.len())),
        }
    }
}
