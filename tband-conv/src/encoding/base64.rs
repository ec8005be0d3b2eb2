//! Reads base64 text and returns the encoded bytes.
//!
//! Both alphabets are understood, the usual one and that for names in URLs, with padding or without; white space is skipped.
//! Texts may follow each other, each with its own padding. Anything else and a single last digit are errors that contain the
//! position. In a text with [markers](crate::encoding::markers), only the part between them is read.

use std::io::{self, Read};

use crate::encoding::text::{Character, Characters, fill};
use crate::error::NotationError;

/// Adapter from base64 text to bytes.
#[derive(Debug)]
pub struct Base64Reader<R> {
    text: Characters<R>,
    /// Bits of an incomplete byte, the newest lowest.
    bits: u32,
    /// How many there are, 7 at most between two bytes.
    count: u32,
    /// Offset of the last digit.
    last: u64,
}

impl<R: Read> Base64Reader<R> {
    /// Reads base64 text from `inner`.
    pub fn new(inner: R) -> Self {
        Self::of(inner, false)
    }

    /// Reads the text from `inner`; if it is `marked`, only the part between its markers.
    pub(crate) fn of(inner: R, marked: bool) -> Self {
        let text = Characters::new(inner, marked, is_base64);
        Self { text, bits: 0, count: 0, last: 0 }
    }

    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        while let Some(character) = self.text.next()? {
            let (byte, offset) = match character {
                Character::Is(b'=', _) | Character::Boundary => {
                    self.check_end()?;
                    continue;
                }
                Character::Is(byte, offset) => (byte, offset),
            };
            let Some(digit) = digit(byte) else {
                let found = char::from(byte);
                return Err(NotationError::NotADigit { offset, found, notation: "base64" }.into());
            };
            (self.bits, self.last) = (self.bits << 6 | u32::from(digit), offset);
            self.count += 6;
            if let Some(rest) = self.count.checked_sub(8) {
                // The low eight of the upper bits.
                let byte = (self.bits >> rest) as u8;
                (self.bits, self.count) = (self.bits & ((1 << rest) - 1), rest);
                return Ok(Some(byte));
            }
        }
        self.check_end()?;
        Ok(None)
    }

    /// Checks the end: after the last complete byte only fill bits of the last digit are allowed.
    fn check_end(&mut self) -> io::Result<()> {
        if self.count >= 6 {
            return Err(NotationError::LoneDigit { offset: self.last }.into());
        }
        (self.bits, self.count) = (0, 0);
        Ok(())
    }
}

impl<R: Read> Read for Base64Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        fill(out, || self.next_byte())
    }
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

/// The character may be in base64 text.
pub fn is_base64(byte: u8) -> bool {
    byte == b'=' || digit(byte).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        match Base64Reader::new(text.as_bytes()).read_to_end(&mut bytes) {
            Ok(_) => Ok(bytes),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The examples of RFC 4648, section 10.
    #[test]
    fn reads_what_the_standard_shows() {
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ] {
            assert_eq!(read(text).unwrap(), bytes.as_bytes());
            assert_eq!(read(text.trim_end_matches('=')).unwrap(), bytes.as_bytes());
        }
    }

    #[test]
    fn reads_both_alphabets_in_any_layout() {
        assert_eq!(read("+/-_").unwrap(), [0xFB, 0xFF, 0xBF]);
        assert_eq!(read("\n Z m\r\n9v ").unwrap(), *b"foo");
        // Separate texts, one after the other.
        assert_eq!(read("Zg==\nZm8=\nZm9v\n").unwrap(), *b"ffofoo");
    }

    #[test]
    fn reports_the_place_of_an_error() {
        assert!(read("Zm9v!").unwrap_err().starts_with("byte 4: '!' is not a base64 digit"));
        assert!(read("Zm9v\nZ").unwrap_err().starts_with("byte 5: a lone base64 digit"));
        assert!(read("Z===").unwrap_err().starts_with("byte 0: a lone base64 digit"));
    }
}
