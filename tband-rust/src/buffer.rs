//! A view of one of the recorder's buffers.

use core::ptr;

/// Bytes of a recording in memory that belongs to the recorder.
///
/// The bytes are copied, not borrowed: a recording that is reset and started again overwrites them. That
/// corrupts only the copied bytes.
#[derive(Clone, Copy, Debug)]
pub struct Buffer {
    /// Points to memory that is never freed, at least `len` bytes long; arbitrary if `len` is 0.
    start: *const u8,
    len: usize,
}

// SAFETY: the memory is there in every task and interrupt, and is only read, byte for byte.
unsafe impl Send for Buffer {}
// SAFETY: as for `Send`.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// No bytes.
    pub(crate) const EMPTY: Self = Self { start: ptr::null(), len: 0 };

    /// # Safety
    /// `start` leads to `len` bytes that may always be read, or `len` is 0.
    #[cfg(any(test, feature = "enable"))]
    #[inline]
    pub(crate) const unsafe fn new(start: *const u8, len: usize) -> Self {
        Self { start, len }
    }

    /// Returns the number of bytes.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether it is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns a pointer to the first byte, for a DMA or a debugger; it may be null if there are no
    /// bytes.
    #[inline]
    #[must_use]
    pub const fn as_ptr(&self) -> *const u8 {
        self.start
    }

    /// Copies bytes from `offset` on into `to` and returns how many: the length of `to`, or of the rest
    /// if that is shorter, which is 0 after the end.
    pub fn copy_to(&self, offset: usize, to: &mut [u8]) -> usize {
        let amount = self.len.saturating_sub(offset).min(to.len());
        for (at, byte) in to.iter_mut().take(amount).enumerate() {
            // SAFETY: `offset + at` is below `len`, and so many bytes may be read. Volatile, since the
            // recorder may write in the meantime.
            *byte = unsafe { ptr::read_volatile(self.start.wrapping_add(offset.wrapping_add(at))) };
        }
        amount
    }
}

#[cfg(test)]
mod tests {
    use super::Buffer;

    #[test]
    fn copies_from_an_offset_what_there_is() {
        static BYTES: [u8; 5] = [1, 2, 3, 4, 5];
        // SAFETY: a static array of five bytes.
        let buffer = unsafe { Buffer::new(BYTES.as_ptr(), 5) };
        assert_eq!((buffer.len(), buffer.is_empty()), (5, false));
        let mut copy = [0; 3];
        assert_eq!((buffer.copy_to(0, &mut copy), copy), (3, [1, 2, 3]));
        assert_eq!((buffer.copy_to(3, &mut copy), copy), (2, [4, 5, 3]));
        assert_eq!((buffer.copy_to(5, &mut copy), copy), (0, [4, 5, 3]));
        assert_eq!((buffer.copy_to(usize::MAX, &mut copy), copy), (0, [4, 5, 3]));
        assert_eq!(buffer.copy_to(2, &mut []), 0);
    }

    #[test]
    fn an_empty_one_has_nothing_to_copy() {
        let mut copy = [7; 2];
        assert_eq!((Buffer::EMPTY.copy_to(0, &mut copy), copy), (0, [7, 7]));
        assert!(Buffer::EMPTY.is_empty());
    }
}
