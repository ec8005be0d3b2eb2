//! What payloads consist of: numbers and strings.

use std::fmt::Write as _;

/// Longest payload, and longest text in it, in bytes: targets build a packet in memory, with texts of 128 bytes by default.
pub const MAX_PAYLOAD: usize = 4096;
/// Bytes of a string that numbers do not look like.
const LEAST_TEXT: usize = 4;
/// Bytes of the longest number.
pub const MAX_VARINT: usize = 5;
/// The length does not fit the payload.
pub const UNFIT: NoPacket =
    NoPacket::Damaged("a packet whose length does not fit what its event contains");

/// The reason why bytes are not a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPacket {
    /// Its end is missing.
    Short,
    /// It cannot be one.
    Damaged(&'static str),
}

/// Reads numbers and strings.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// The next number: 7 bits a byte, the lowest first.
    pub fn number(&mut self) -> Result<u32, NoPacket> {
        // Most numbers have one byte or two.
        match *self.0 {
            [byte @ ..0x80, ref rest @ ..] => {
                self.0 = rest;
                Ok(byte.into())
            }
            [low, high @ ..0x80, ref rest @ ..] => {
                self.0 = rest;
                Ok(u32::from(high) << 7 | u32::from(low & 0x7F))
            }
            _ => {
                let (number, rest) = long_number(self.0)?;
                self.0 = rest;
                Ok(number)
            }
        }
    }

    /// The next string: its length in a byte, or after FF in two, the higher one first.
    pub fn string(&mut self) -> Result<&'a [u8], NoPacket> {
        let (first, rest) = self.0.split_first().ok_or(NoPacket::Short)?;
        let (len, rest) = match (*first, rest.split_first_chunk::<2>()) {
            (0xFF, Some((len, rest))) => (usize::from(u16::from_be_bytes(*len)), rest),
            (0xFF, None) => return Err(NoPacket::Short),
            (len, _) => (usize::from(len), rest),
        };
        if len > MAX_PAYLOAD {
            return Err(UNFIT);
        }
        let (text, rest) = rest.split_at_checked(len).ok_or(NoPacket::Short)?;
        self.0 = rest;
        Ok(text)
    }

    /// The numbers that are left, so many at most, as a text.
    pub fn as_text(mut self, max: usize) -> String {
        let mut text = String::new();
        for number in std::iter::from_fn(|| self.number().ok()).take(max) {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}{number}", if text.is_empty() { "" } else { " " });
        }
        text
    }

    /// All that is left, if it is one string of printable characters: few numbers look like it.
    pub fn as_string(mut self) -> Option<&'a str> {
        let text = std::str::from_utf8(self.string().ok()?).ok()?;
        let is_text = text.len() >= LEAST_TEXT && !text.chars().any(char::is_control);
        (is_text && self.0.is_empty()).then_some(text)
    }

    /// The next number, or 0 if there is none.
    pub fn or_zero(&mut self) -> u32 {
        self.number().unwrap_or(0)
    }

    /// The next string, or none.
    pub fn or_empty(&mut self) -> &'a [u8] {
        self.string().unwrap_or_default()
    }
}

/// Reads a number of more than two bytes, and returns it with the bytes after it. By value, so that the reader can be in registers.
#[inline(never)]
fn long_number(bytes: &[u8]) -> Result<(u32, &[u8]), NoPacket> {
    const TOO_LONG: NoPacket = NoPacket::Damaged("a number that is longer than 32 bits");
    let mut value = 0_u64;
    for (index, &byte) in bytes.iter().enumerate().take(MAX_VARINT) {
        value |= u64::from(byte & 0x7F) << (7 * index);
        if byte < 0x80 {
            let rest = bytes.get(index + 1..).unwrap_or_default();
            return u32::try_from(value).map(|value| (value, rest)).map_err(|_| TOO_LONG);
        }
    }
    Err(if bytes.len() < MAX_VARINT { NoPacket::Short } else { TOO_LONG })
}
