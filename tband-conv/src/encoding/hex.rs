//! Reads hexadecimal text and returns the encoded bytes.
//!
//! White space between digits is skipped, also between the two digits of a byte, and so are an `0x` before a byte and a comma
//! after one. Anything else and a single last digit are errors that contain the position. In a text with
//! [markers](crate::encoding::markers), only the part between them is read.

use std::io::{self, Read};

use crate::encoding::text::{Character, Characters, fill};
use crate::error::NotationError;

/// Adapter from hex text to bytes.
#[derive(Debug)]
pub struct HexReader<R> {
    text: Characters<R>,
    /// First digit of a byte and its offset.
    high: Option<(u8, u64)>,
}

impl<R: Read> HexReader<R> {
    /// Reads hex text from `inner`.
    pub fn new(inner: R) -> Self {
        Self::of(inner, false)
    }

    /// Reads the text from `inner`; if it is `marked`, only the part between its markers.
    pub(crate) fn of(inner: R, marked: bool) -> Self {
        Self { text: Characters::new(inner, marked, is_hex), high: None }
    }

    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        while let Some(character) = self.text.next()? {
            let Character::Is(byte, offset) = character else {
                self.check_end()?;
                continue;
            };
            // Between the bytes of an array.
            if byte == b',' && self.high.is_none() {
                continue;
            }
            // The x of an "0x" prefix takes the zero before it along.
            if matches!(byte, b'x' | b'X') && matches!(self.high, Some((0, _))) {
                self.high = None;
                continue;
            }
            let Some(digit) = hex_digit(byte) else {
                let found = char::from(byte);
                return Err(NotationError::NotADigit { offset, found, notation: "hex" }.into());
            };
            match self.high.take() {
                None => self.high = Some((digit, offset)),
                Some((high, _)) => return Ok(Some(high << 4 | digit)),
            }
        }
        self.check_end()?;
        Ok(None)
    }

    fn check_end(&self) -> io::Result<()> {
        match self.high {
            Some((_, offset)) => Err(NotationError::OddDigits { offset }.into()),
            None => Ok(()),
        }
    }
}

impl<R: Read> Read for HexReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        fill(out, || self.next_byte())
    }
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// The character may be in hex text.
pub fn is_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || matches!(byte, b'x' | b'X')
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
        assert!(read("").unwrap().is_empty());
    }

    #[test]
    fn reports_the_place_of_an_error() {
        assert!(read("00 0").unwrap_err().starts_with("byte 3: odd number"));
        assert!(read("00 zz").unwrap_err().starts_with("byte 3: 'z' is not"));
        let long = format!("{}g", "00 ".repeat(20_000));
        assert!(read(&long).unwrap_err().starts_with("byte 60000: 'g'"));
    }
}
