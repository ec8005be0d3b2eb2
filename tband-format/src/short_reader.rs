//! The fields of an event, as most events have them: out of one word.

use crate::reader::{leading_signed, long_varint32, signed_byte, text_of, varint};

/// Reads the fields of an event. Most fields are single bytes: those in the current word are shifted out of it. Errors
/// are not explained. Each function returns a field and the rest, by value, so that the rest need not be in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShortReader<'a> {
    /// The bytes of the first eight that were not read yet, from the lowest byte on; then zeros.
    word: u64,
    /// The event, and the bytes after it.
    bytes: &'a [u8],
    taken: usize,
}

impl<'a> ShortReader<'a> {
    /// Maximum number of fields that may be read: after an id and a time of up to four bytes.
    pub const MOST: usize = 3;

    /// Returns the fields of the event at the begin of `bytes`, after `taken` bytes of it, at most five, were read.
    /// `word` has the rest of the first eight bytes, padded with zeros if there are fewer.
    #[inline]
    pub const fn new(word: u64, bytes: &'a [u8], taken: usize) -> Self {
        Self { word, bytes, taken }
    }

    /// Returns the first eight bytes, padded with zeros if there are fewer.
    #[inline]
    pub fn first_word(bytes: &[u8]) -> u64 {
        match bytes.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => last_word(bytes),
        }
    }

    /// Reads the next bytes, at most [`MOST`](Self::MOST), if each is a complete number; returns them with the bytes
    /// after them.
    #[inline]
    pub fn smalls<const N: usize>(self) -> Option<([u8; N], &'a [u8])> {
        let bytes = self.word.to_le_bytes();
        let small =
            bytes.first_chunk().filter(|small| small.iter().all(|byte| byte & 0x80 == 0))?;
        Some((*small, self.bytes.get(self.taken + N..)?))
    }

    /// Reads a byte.
    #[inline]
    pub const fn byte(self) -> (u8, Self) {
        let Self { word, bytes, taken } = self;
        (word as u8, Self { word: word >> 8, bytes, taken: taken + 1 })
    }

    /// Reads the next byte, if it is a complete number.
    #[inline]
    const fn small(self) -> Option<(u8, Self)> {
        if self.word as u8 & 0x80 == 0 { Some(self.byte()) } else { None }
    }

    #[inline]
    pub fn number32(self) -> Option<(u32, Self)> {
        if let Some((byte, left)) = self.small() {
            return Some((byte.into(), left));
        }
        let (value, len) = long_varint32(self.remaining()?)?;
        Some((value, self.after(len)))
    }

    #[inline]
    pub fn number64(self) -> Option<(u64, Self)> {
        if let Some((byte, left)) = self.small() {
            return Some((byte.into(), left));
        }
        let left = self.remaining()?;
        let (value, len) = varint(left, left.len(), 10).ok()?;
        Some((value, self.after(len)))
    }

    #[inline]
    pub fn signed(self) -> Option<(i64, Self)> {
        if let Some((byte, left)) = self.small() {
            return Some((signed_byte(byte).into(), left));
        }
        let (value, len) = leading_signed(self.remaining()?).ok()?;
        Some((value, self.after(len)))
    }

    /// Reads the bytes up to the next NUL, which is skipped.
    #[inline]
    pub fn text(self) -> Option<(&'a [u8], Self)> {
        let text = text_of(self.remaining()?)?;
        Some((text, self.after(text.len() + 1)))
    }

    /// Returns the bytes after the event, once all its fields were read; `None` if there were fewer bytes.
    #[inline]
    pub fn remaining(&self) -> Option<&'a [u8]> {
        self.bytes.get(self.taken..)
    }

    /// Advances by `len` bytes.
    #[inline]
    fn after(self, len: usize) -> Self {
        let taken = self.taken + len;
        Self { word: word_at(self.bytes, taken), taken, ..self }
    }
}

#[inline(never)]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    ShortReader::first_word(bytes.get(at..).unwrap_or_default())
}

#[cold]
#[inline(never)]
fn last_word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}
