//! The fields of an event, as most events have them: out of one word.

use crate::reader::{leading_signed, long_varint32, signed_byte, text_of, varint};

/// Takes the fields of an event, of which most are single bytes: those that a word has are shifted out of it. Without
/// a word about what is wrong. Each gives a field and what is left, by value, so that it need not be in memory.
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

    /// The next bytes, at most [`MOST`](Self::MOST), if each is a number on its own, and the bytes after them.
    #[inline]
    pub fn smalls<const N: usize>(self) -> Option<([u8; N], &'a [u8])> {
        let bytes = self.word.to_le_bytes();
        let small =
            bytes.first_chunk().filter(|small| small.iter().all(|byte| byte & 0x80 == 0))?;
        Some((*small, self.bytes.get(self.taken + N..)?))
    }

    /// A byte.
    #[inline]
    pub const fn byte(self) -> (u8, Self) {
        let Self { word, bytes, taken } = self;
        (word as u8, Self { word: word >> 8, bytes, taken: taken + 1 })
    }

    /// The next byte, if it is a number on its own.
    #[inline]
    const fn small(self) -> Option<(u8, Self)> {
        if self.word as u8 & 0x80 == 0 { Some(self.byte()) } else { None }
    }

    #[inline]
    pub fn number32(self) -> Option<(u32, Self)> {
        if let Some((byte, left)) = self.small() {
            return Some((byte.into(), left));
        }
        let (value, len) = long_varint32(self.left()?)?;
        Some((value, self.after(len)))
    }

    #[inline]
    pub fn number64(self) -> Option<(u64, Self)> {
        if let Some((byte, left)) = self.small() {
            return Some((byte.into(), left));
        }
        let left = self.left()?;
        let (value, len) = varint(left, left.len(), 10).ok()?;
        Some((value, self.after(len)))
    }

    #[inline]
    pub fn signed(self) -> Option<(i64, Self)> {
        if let Some((byte, left)) = self.small() {
            return Some((signed_byte(byte).into(), left));
        }
        let (value, len) = leading_signed(self.left()?).ok()?;
        Some((value, self.after(len)))
    }

    /// The bytes up to the next NUL, which is passed over.
    #[inline]
    pub fn text(self) -> Option<(&'a [u8], Self)> {
        let text = text_of(self.left()?)?;
        Some((text, self.after(text.len() + 1)))
    }

    /// What is after the event, once all its fields were taken; `None` if there were fewer bytes.
    #[inline]
    pub fn left(&self) -> Option<&'a [u8]> {
        self.bytes.get(self.taken..)
    }

    /// After so many bytes more.
    #[inline]
    fn after(self, len: usize) -> Self {
        let taken = self.taken + len;
        Self { word: word_at(self.bytes, taken), taken, ..self }
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
