//! Reads the fields of one event out of its payload.

use core::fmt;

/// Why a field could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldError {
    /// The payload ends inside the field.
    Truncated,
    /// A varint is longer than its type allows or its value does not fit.
    Overflow,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the frame ends inside it",
            Self::Overflow => "its varint is too long or too large",
        })
    }
}

impl core::error::Error for FieldError {}

/// A cursor over the payload of one event.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    /// The payload, and perhaps bytes after it.
    bytes: &'a [u8],
    /// Position of the next read, and end of the payload.
    at: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first byte of `payload`.
    #[must_use]
    pub const fn new(payload: &'a [u8]) -> Self {
        Self { bytes: payload, at: 0, end: payload.len() }
    }

    /// Continues at a position in `bytes`, with the end of the payload at `end`.
    #[inline]
    pub(crate) const fn within(bytes: &'a [u8], at: usize, end: usize) -> Self {
        Self { bytes, at, end }
    }

    /// Returns whether the payload was read up to its end, and no further.
    #[inline]
    pub(crate) const fn is_at_end(&self) -> bool {
        self.at == self.end
    }

    /// Like [`varint32`](Self::varint32), but it may read past the payload.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn loose_varint32(&mut self) -> Option<u32> {
        let byte = *self.bytes.get(self.at)?;
        if byte < 0x80 {
            self.at += 1;
            return Some(byte.into());
        }
        let (value, len) = long_varint32(self.bytes.get(self.at..)?)?;
        self.at += len;
        Some(value)
    }

    /// Returns the number of bytes that have not been read yet.
    #[inline]
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    /// Returns whether everything was read.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.at >= self.end
    }

    /// Returns the rest, for a string field.
    #[inline]
    pub fn rest(&mut self) -> &'a [u8] {
        match self.bytes.get(self.at..self.end) {
            Some(rest) => {
                self.at = self.end;
                rest
            }
            None => &[],
        }
    }

    /// Passes over bytes.
    #[inline]
    pub(crate) const fn skip(&mut self, bytes: usize) {
        self.at = self.at.wrapping_add(bytes);
    }

    /// Reads one byte.
    ///
    /// # Errors
    /// [`FieldError::Truncated`] at the end of the payload.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, FieldError> {
        match self.bytes.get(self.at) {
            Some(byte) if !self.is_empty() => {
                self.at += 1;
                Ok(*byte)
            }
            _ => Err(FieldError::Truncated),
        }
    }

    /// Reads the next `len` bytes.
    ///
    /// # Errors
    /// [`FieldError::Truncated`] if there are fewer.
    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8], FieldError> {
        let end = self.at.checked_add(len).filter(|end| *end <= self.end);
        let bytes = end.and_then(|end| self.bytes.get(self.at..end));
        self.at += bytes.map_or(0, <[u8]>::len);
        bytes.ok_or(FieldError::Truncated)
    }

    /// Reads the bytes up to the next NUL, which is skipped.
    ///
    /// # Errors
    /// [`FieldError::Truncated`] if there is none.
    #[inline]
    pub fn up_to_nul(&mut self) -> Result<&'a [u8], FieldError> {
        // By value, so that the reader itself can stay in registers.
        let text = text_of(self.remaining_bytes()).ok_or(FieldError::Truncated)?;
        self.at += text.len() + 1;
        Ok(text)
    }

    /// Returns the bytes that have not been read yet.
    #[inline]
    pub(crate) fn remaining_bytes(&self) -> &'a [u8] {
        self.bytes.get(self.at..self.end).unwrap_or_default()
    }

    /// Reads a varint of at most 5 bytes.
    ///
    /// # Errors
    /// [`FieldError`] if it is cut off or does not fit 32 bits.
    #[inline]
    pub fn varint32(&mut self) -> Result<u32, FieldError> {
        // Most ids and counts are below 128.
        if let Some(byte) = self.bytes.get(self.at)
            && *byte < 0x80
            && !self.is_empty()
        {
            self.at += 1;
            return Ok((*byte).into());
        }
        let value = self.varint(5)?;
        u32::try_from(value).map_err(|_| FieldError::Overflow)
    }

    /// Reads a varint of at most 10 bytes.
    ///
    /// # Errors
    /// [`FieldError`] if it is cut off or does not fit 64 bits.
    #[inline]
    pub fn varint64(&mut self) -> Result<u64, FieldError> {
        self.varint(10)
    }

    /// Like [`varint64`](Self::varint64), for the number that every event has.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn timestamp(&mut self) -> Option<u64> {
        if let Some(word) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk)
            && let Some((value, len)) = leading_varint(*word)
            && len <= self.remaining()
        {
            self.at += len;
            return Some(value);
        }
        self.varint(10).ok()
    }

    /// Reads a varint of any length.
    #[inline]
    fn varint(&mut self, max_bytes: usize) -> Result<u64, FieldError> {
        // By value, so that the reader itself can stay in registers.
        let bytes = self.bytes.get(self.at..).unwrap_or_default();
        let (value, len) = varint(bytes, self.remaining(), max_bytes)?;
        self.at += len;
        Ok(value)
    }

    /// Reads sign and magnitude as a varint; negative zero is `i64::MIN`.
    ///
    /// # Errors
    /// Like [`varint64`](Self::varint64).
    #[inline]
    pub fn s64(&mut self) -> Result<i64, FieldError> {
        let raw = self.varint64()?;
        // The magnitude has 63 bits, so neither the cast nor the negation can overflow.
        let magnitude = (raw >> 1).cast_signed();
        Ok(match (raw & 1, magnitude) {
            (0, _) => magnitude,
            (_, 0) => i64::MIN,
            _ => -magnitude,
        })
    }
}

/// Returns the varint at the begin of a word, and its length in bytes; `None` if it does not end there.
#[inline]
#[must_use]
pub const fn leading_varint(word: [u8; 8]) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(word);
    let stops = !word & CONTINUES;
    if stops == 0 {
        return None;
    }
    // Position of the top bit of the varint's last byte.
    let stop = stops.trailing_zeros();
    let value = squeeze(word & (!CONTINUES >> (63 - stop)));
    Some((value, stop as usize / 8 + 1))
}

/// Reads a varint, and returns it with its length. Only `left` bytes belong to the payload; others
/// may follow them.
#[inline(never)]
pub(crate) fn varint(
    bytes: &[u8],
    left: usize,
    max_bytes: usize,
) -> Result<(u64, usize), FieldError> {
    if let Some(word) = bytes.first_chunk()
        && let Some((value, len)) = leading_varint(*word)
        && len <= left.min(max_bytes)
    {
        return Ok((value, len));
    }
    varint_by_byte(bytes, left, max_bytes)
}

/// Returns the bytes up to the first NUL.
#[inline(never)]
pub(crate) fn text_of(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(..nul_at(bytes)?)
}

/// Returns the position of the first NUL; processes eight bytes at a time.
pub(crate) fn nul_at(bytes: &[u8]) -> Option<usize> {
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = bytes.as_chunks();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The top bit of each zero byte; bytes after the first zero may have theirs set too.
        let zeros = word.wrapping_sub(LOWEST) & !word & (LOWEST << 7);
        if zeros != 0 {
            return Some(8 * index + zeros.trailing_zeros() as usize / 8);
        }
    }
    let at = rest.iter().position(|byte| *byte == 0)?;
    Some(8 * words.len() + at)
}

#[inline(never)]
pub(crate) fn long_varint32(bytes: &[u8]) -> Option<(u32, usize)> {
    let (value, len) = varint(bytes, bytes.len(), 5).ok()?;
    Some((u32::try_from(value).ok()?, len))
}

/// Decodes a signed LEB128 of one byte, which is below 0x80.
#[inline]
pub(crate) const fn signed_byte(byte: u8) -> i8 {
    (byte << 1).cast_signed() >> 1
}

/// Decodes the signed LEB128 at the begin of the bytes, and returns it with its length.
#[inline(never)]
pub(crate) fn leading_signed(bytes: &[u8]) -> Result<(i64, usize), FieldError> {
    let mut value = 0_i64;
    for (index, shift) in (0..70).step_by(7).enumerate() {
        let byte = *bytes.get(index).ok_or(FieldError::Truncated)?;
        let septet = i64::from(byte & 0x7F);
        // Only one bit of the tenth byte belongs to the 64 bits; the others repeat it.
        if shift == 63 && septet != 0 && septet != 0x7F {
            return Err(FieldError::Overflow);
        }
        value |= septet << shift;
        if byte < 0x80 {
            let above = shift + 7;
            // The sign is the top bit of the last byte.
            let value = if above < 64 { value << (64 - above) >> (64 - above) } else { value };
            return Ok((value, index + 1));
        }
    }
    Err(FieldError::Overflow)
}

/// Like [`varint`], for a long one or one at the end.
fn varint_by_byte(bytes: &[u8], left: usize, max_bytes: usize) -> Result<(u64, usize), FieldError> {
    let mut value = 0_u64;
    for (index, &byte) in bytes.iter().enumerate().take(left.min(max_bytes)) {
        value |= u64::from(byte & 0x7F) << (7 * index);
        if byte < 0x80 {
            // The tenth byte of a 64-bit varint holds its single top bit.
            if index == 9 && byte > 1 {
                return Err(FieldError::Overflow);
            }
            return Ok((value, index + 1));
        }
    }
    Err(if left < max_bytes { FieldError::Truncated } else { FieldError::Overflow })
}

/// The bits that say of each byte of a varint that another one follows.
const CONTINUES: u64 = 0x8080_8080_8080_8080;

/// Closes the gaps that those bits leave: eight groups of 7 bits become 56 adjacent bits.
#[inline]
const fn squeeze(word: u64) -> u64 {
    // In each step the upper half of a group moves down by the gap below it.
    let pairs = word - ((word & 0x7F00_7F00_7F00_7F00) >> 1);
    let quads = pairs - ((pairs & 0x3FFF_0000_3FFF_0000) >> 2) * 3;
    (quads as u32 as u64) | ((quads >> 4) & 0x00FF_FFFF_F000_0000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{vec, vec::Vec};

    /// Wherever a NUL is, and whatever is before and after it.
    #[test]
    fn the_first_nul_is_found() {
        for (len, fill) in (0..40).flat_map(|len| [1, 0x7F, 0x80, 0x81, 0xFF].map(|it| (len, it))) {
            let mut bytes = vec![fill; len];
            assert_eq!(nul_at(&bytes), None);
            for at in (0..len).rev() {
                bytes[at] = 0;
                assert_eq!(nul_at(&bytes), Some(at), "{bytes:?}");
                bytes[at..].fill(1);
                bytes[at] = 0;
                assert_eq!(nul_at(&bytes), Some(at), "{bytes:?}");
                bytes[at] = 1;
            }
        }
    }

    /// Word by word and byte by byte give the same, whatever the bytes and however many there are.
    #[test]
    fn both_ways_to_read_a_varint_agree() {
        let mut seed = 1_u64;
        for round in 0..200_000_u32 {
            let mut bytes = Vec::new();
            for _ in 0..round % 13 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let byte = (seed >> 56) as u8;
                bytes.push(if seed >> 40 & 3 == 0 { byte & 0x7F } else { byte | 0x80 });
            }
            let slow = varint_by_byte(&bytes, bytes.len(), 10).ok();
            let mut reader = Reader::new(&bytes);
            let fast = reader.timestamp();
            assert_eq!(fast.map(|fast| (fast, reader.at)), slow, "{bytes:?}");
            let padded = [&bytes[..], &[seed as u8; 8]].concat();
            let mut reader = Reader::within(&padded, 0, bytes.len());
            let fast = reader.timestamp();
            assert_eq!(fast.map(|fast| (fast, reader.at)), slow, "{bytes:?}");
            let rest = slow.map_or(&bytes[..], |(_, len)| &bytes[len..]);
            assert_eq!(reader.rest(), rest, "{bytes:?}");
        }
    }
}
