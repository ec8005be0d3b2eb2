//! The fields of an event, as most events have them: out of one word.

use crate::reader::{leading_signed, long_varint32, text_of, varint};

/// Takes the fields of an event, of which most are single bytes: those that a word has are shifted out of it. Without
/// a word about what is wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Short<'a> {
    /// What was not taken yet of the first eight bytes, from the lowest byte on; then zeros.
    word: u64,
    /// The event, and what is after it.
    bytes: &'a [u8],
    taken: usize,
}

impl<'a> Short<'a> {
    /// Most fields that may be taken: after an id and a time of up to four bytes.
    pub const MOST: usize = 3;

    /// The fields of an event that `bytes` begin with, when so many of them, at most five, were taken: `word` has what
    /// is left of the first eight, or of those that there are and zeros.
    #[inline]
    pub const fn new(word: u64, bytes: &'a [u8], taken: usize) -> Self {
        Self { word, bytes, taken }
    }

    /// The first eight bytes, or as many as there are and zeros.
    #[inline]
    pub fn first_word(bytes: &[u8]) -> u64 {
        match bytes.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => last_word(bytes),
        }
    }

    /// A byte.
    #[inline]
    pub const fn byte(&mut self) -> u8 {
        let byte = self.word as u8;
        self.word >>= 8;
        self.taken += 1;
        byte
    }

    /// The next byte, if it is a number on its own.
    #[inline]
    const fn small(&mut self) -> Option<u8> {
        if self.word as u8 & 0x80 == 0 { Some(self.byte()) } else { None }
    }

    #[inline]
    pub fn number32(&mut self) -> Option<u32> {
        if let Some(byte) = self.small() {
            return Some(byte.into());
        }
        let (value, len) = long_varint32(self.left()?)?;
        self.skip(len);
        Some(value)
    }

    #[inline]
    pub fn number64(&mut self) -> Option<u64> {
        if let Some(byte) = self.small() {
            return Some(byte.into());
        }
        let left = self.left()?;
        let (value, len) = varint(left, left.len(), 10).ok()?;
        self.skip(len);
        Some(value)
    }

    #[inline]
    pub fn signed(&mut self) -> Option<i64> {
        if let Some(byte) = self.small() {
            return Some(((byte << 1).cast_signed() >> 1).into());
        }
        let (value, len) = leading_signed(self.left()?).ok()?;
        self.skip(len);
        Some(value)
    }

    /// The bytes up to the next NUL, which is passed over.
    #[inline]
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let text = text_of(self.left()?)?;
        self.skip(text.len() + 1);
        Some(text)
    }

    /// What is after the event, once all its fields were taken; `None` if there were fewer bytes.
    #[inline]
    pub fn left(&self) -> Option<&'a [u8]> {
        self.bytes.get(self.taken..)
    }

    #[inline]
    fn skip(&mut self, len: usize) {
        self.taken += len;
        self.word = word_at(self.bytes, self.taken);
    }
}

#[inline(never)]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    Short::first_word(bytes.get(at..).unwrap_or_default())
}

#[cold]
#[inline(never)]
fn last_word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}
