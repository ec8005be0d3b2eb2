//! Numbers in the byte order and with the word size of the target.

use super::codes::Codes;

/// Zephyr's least urgent priority.
const ZEPHYR_LEAST_PRIORITY: i32 = 127;

/// How the target writes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The most significant byte is first.
    pub is_big: bool,
    /// Words have 8 bytes, not 4.
    pub is_wide: bool,
    pub codes: Codes,
}

impl Layout {
    /// With the codes of FreeRTOS.
    pub const fn new(is_big: bool, is_wide: bool) -> Self {
        Self { is_big, is_wide, codes: Codes::FreeRtos }
    }

    /// Bytes of a word.
    pub const fn word_len(self) -> usize {
        if self.is_wide { 8 } else { 4 }
    }

    /// The number of 16 bits at an offset.
    #[inline]
    pub fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(if self.is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    /// The number of 32 bits at an offset.
    #[inline]
    pub fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(if self.is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    /// The word at an offset.
    #[inline]
    pub fn word(self, bytes: &[u8], at: usize) -> Option<u64> {
        if !self.is_wide {
            return self.u32(bytes, at).map(u64::from);
        }
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(if self.is_big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// A length in words, as a length in bytes that a program can have.
    pub fn size(self, bytes: &[u8], at: usize) -> Option<usize> {
        usize::try_from(self.word(bytes, at)?).ok()
    }
}

/// The words of an event.
#[derive(Clone, Copy, Debug)]
pub struct EventWords<'a> {
    pub layout: Layout,
    pub bytes: &'a [u8],
}

impl<'a> EventWords<'a> {
    /// Number of words.
    pub const fn count(self) -> usize {
        self.bytes.len() / self.layout.word_len()
    }

    /// A word; 0 if there are fewer.
    #[inline]
    pub fn get(self, index: usize) -> u64 {
        self.layout.word(self.bytes, index * self.layout.word_len()).unwrap_or(0)
    }

    /// The lower half of a word.
    #[inline]
    pub fn low(self, index: usize) -> u32 {
        low(self.get(index))
    }

    /// A task's priority, so that higher ones are urgent: Zephyr's begin with the most urgent one, which is negative.
    pub fn priority(self, index: usize) -> u32 {
        let priority = self.low(index);
        if self.layout.codes == Codes::Zephyr {
            let urgency = ZEPHYR_LEAST_PRIORITY.saturating_sub(priority.cast_signed());
            return urgency.max(0).cast_unsigned();
        }
        priority
    }

    /// The text that begins at a word: up to a zero byte, or the end.
    pub fn text(self, index: usize) -> &'a [u8] {
        until_zero(self.bytes.get(index * self.layout.word_len()..).unwrap_or_default())
    }
}

/// The lower half of a word.
#[inline]
pub const fn low(word: u64) -> u32 {
    (word & 0xFFFF_FFFF) as u32
}

/// Bytes up to the first zero.
pub fn until_zero(bytes: &[u8]) -> &[u8] {
    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    bytes.get(..end).unwrap_or(bytes)
}
