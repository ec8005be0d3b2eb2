//! Reads hexadecimal text as the bytes it stands for, block by block.
//!
//! White space between digits is skipped, also between the two digits of a byte, and so is an `0x`
//! before a byte. Anything else and a lone last digit are errors that say where.

use std::io::{self, Read};

use crate::error::HexError;

const BLOCK: usize = 16 * 1024;

/// Adapter from hex text to bytes.
#[derive(Debug)]
pub struct HexReader<R> {
    inner: R,
    text: Box<[u8]>,
    at: usize,
    len: usize,
    /// Offset of `text[0]` in the input.
    base: u64,
    /// First digit of a byte and its offset.
    high: Option<(u8, u64)>,
}

impl<R: Read> HexReader<R> {
    /// Reads hex text from `inner`.
    pub fn new(inner: R) -> Self {
        let text = vec![0; BLOCK].into_boxed_slice();
        Self { inner, text, at: 0, len: 0, base: 0, high: None }
    }

    /// Next byte of the text with its offset.
    fn next_char(&mut self) -> io::Result<Option<(u8, u64)>> {
        if self.at >= self.len {
            self.base = self.base.saturating_add(self.len as u64);
            self.at = 0;
            self.len = 0;
            self.len = read_retrying(&mut self.inner, &mut self.text)?;
        }
        let filled = self.text.get(..self.len).unwrap_or_default();
        let Some(&byte) = filled.get(self.at) else {
            return Ok(None);
        };
        let offset = self.base.saturating_add(self.at as u64);
        self.at += 1;
        Ok(Some((byte, offset)))
    }

    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        while let Some((byte, offset)) = self.next_char()? {
            if byte.is_ascii_whitespace() {
                continue;
            }
            // The x of an "0x" prefix takes the zero before it along.
            if matches!(byte, b'x' | b'X') && matches!(self.high, Some((0, _))) {
                self.high = None;
                continue;
            }
            let Some(digit) = hex_digit(byte) else {
                return Err(HexError::NotADigit { offset, found: char::from(byte) }.into());
            };
            match self.high.take() {
                None => self.high = Some((digit, offset)),
                Some((high, _)) => return Ok(Some(high << 4 | digit)),
            }
        }
        match self.high {
            Some((_, offset)) => Err(HexError::OddDigits { offset }.into()),
            None => Ok(None),
        }
    }
}

impl<R: Read> Read for HexReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        for slot in out {
            let Some(byte) = self.next_byte()? else { break };
            *slot = byte;
            written += 1;
        }
        Ok(written)
    }
}

/// Reads once, again if a signal interrupted it.
pub(crate) fn read_retrying(input: &mut impl Read, buf: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buf) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // A reader that claims more than it was given room for is not believed.
            other => return other.map(|n| n.min(buf.len())),
        }
    }
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// The bytes look like hex text: digits and white space only, at least one digit.
#[must_use]
pub fn looks_like_hex(bytes: &[u8]) -> bool {
    let mut digits = false;
    for &byte in bytes {
        if byte.is_ascii_hexdigit() {
            digits = true;
        } else if !byte.is_ascii_whitespace() && !matches!(byte, b'x' | b'X') {
            return false;
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        match HexReader::new(text.as_bytes()).read_to_end(&mut bytes) {
            Ok(_) => Ok(bytes),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn reads_digits_in_any_layout() {
        assert_eq!(read("00ff1A").unwrap(), [0, 255, 0x1A]);
        assert_eq!(read(" 0 0\nf\tf 0x1A 0X00\r\n").unwrap(), [0, 255, 0x1A, 0]);
        assert_eq!(read("").unwrap(), []);
    }

    #[test]
    fn says_where_the_text_is_wrong() {
        assert!(read("00 0").unwrap_err().starts_with("byte 3: odd number"));
        assert!(read("00 zz").unwrap_err().starts_with("byte 3: 'z' is not"));
        let long = format!("{}g", "00 ".repeat(20_000));
        assert!(read(&long).unwrap_err().starts_with("byte 60000: 'g'"));
    }

    #[test]
    fn tells_hex_from_binary() {
        assert!(looks_like_hex(b"00 1f\n"));
        assert!(!looks_like_hex(b"  \n"));
        assert!(!looks_like_hex(&[3, 2, 0]));
    }
}
