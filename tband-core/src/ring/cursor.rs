//! The write position of an event.

/// Longest head of an event: id, and a time of 30 bits. An event with a longer time gets a new packet.
pub const HEAD_LEN: usize = 1 + 4;
/// Longest event with one number.
pub(crate) const U32_LEN: usize = HEAD_LEN + 5;

/// The write position of an event, which advances byte by byte. The caller has checked that the event fits.
#[derive(Clone, Copy)]
pub(crate) struct Cursor(pub(crate) *mut u8);

impl Cursor {
    /// # Safety
    /// There is room for it.
    #[inline(always)]
    pub(crate) unsafe fn byte(&mut self, byte: u8) {
        // SAFETY: the caller's promise.
        unsafe { self.0.write(byte) }
        self.0 = self.0.wrapping_add(1);
    }

    /// Writes id and time of an event at the time of its packet's begin, or of the previous event.
    ///
    /// # Safety
    /// Room for 2 bytes.
    #[inline(always)]
    pub(crate) unsafe fn head(self, id: u32, now: u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { self.0.cast::<u16>().write_unaligned(((id | now << 10) as u16).to_le()) };
        Self(self.0.wrapping_add(2))
    }

    /// Like [`head`](Self::head), with one store: the bytes after the head are overwritten later.
    ///
    /// # Safety
    /// Room for 4 bytes, at an address that is a multiple of four.
    #[inline(always)]
    pub(crate) unsafe fn head_of_word(self, id: u32, now: u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { self.0.cast::<u32>().write((id | now << 10).to_le()) };
        Self(self.0.wrapping_add(2))
    }

    /// Writes an unsigned LEB128.
    ///
    /// # Safety
    /// Room for 5 bytes.
    #[inline(always)]
    pub(crate) unsafe fn number(&mut self, mut value: u32) {
        // SAFETY: the caller's promise.
        unsafe {
            while value >= 0x80 {
                self.byte(value as u8 | 0x80);
                value >>= 7;
            }
            self.byte(value as u8);
        }
    }

    /// Writes at most `max` bytes of a text, and a NUL. Each byte of the text is read once, because it may change
    /// in between.
    ///
    /// # Safety
    /// Room for that; `text` is null, or readable to its NUL or for `max` bytes.
    #[inline(always)]
    pub(crate) unsafe fn text(&mut self, text: *const u8, max: u32) {
        // SAFETY: the caller's promise.
        unsafe {
            if !text.is_null() {
                let mut from = text;
                let end = text.wrapping_add(max as usize);
                while from != end {
                    let byte = from.read_volatile();
                    if byte == 0 {
                        break;
                    }
                    self.byte(byte);
                    from = from.wrapping_add(1);
                }
            }
            self.byte(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// Returns the bytes that `write` has written.
    fn written(write: impl FnOnce(&mut Cursor)) -> Vec<u8> {
        let mut room = [0xEE_u8; 32];
        let start = room.as_mut_ptr();
        let mut cursor = Cursor(start);
        write(&mut cursor);
        let len = cursor.0 as usize - start as usize;
        assert!(room[len..].iter().all(|byte| *byte == 0xEE), "written after the end");
        room[..len].to_vec()
    }

    #[test]
    fn numbers_are_unsigned_leb128() {
        for (value, bytes) in [
            (0, &[0][..]),
            (0x7F, &[0x7F]),
            (0x80, &[0x80, 1]),
            (0x3FFF, &[0xFF, 0x7F]),
            (0x4000, &[0x80, 0x80, 1]),
            (u32::MAX, &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
        ] {
            // SAFETY: there is room.
            assert_eq!(written(|cursor| unsafe { cursor.number(value) }), bytes, "{value:#x}");
        }
    }

    #[test]
    fn texts_end_with_a_nul_or_at_their_limit() {
        let text = |text: *const u8, max| {
            // SAFETY: there is room; the texts end.
            written(|cursor| unsafe { cursor.text(text, max) })
        };
        assert_eq!(text(core::ptr::null(), 4), b"\0");
        assert_eq!(text(c"".as_ptr().cast(), 4), b"\0");
        assert_eq!(text(c"abc".as_ptr().cast(), 4), b"abc\0");
        assert_eq!(text(c"abcd".as_ptr().cast(), 4), b"abcd\0");
        assert_eq!(text(c"abcde".as_ptr().cast(), 4), b"abcd\0");
        assert_eq!(text(c"abc".as_ptr().cast(), 0), b"\0");
    }

    #[test]
    fn heads_have_the_low_bits_of_the_time_and_their_length() {
        // SAFETY: there is room.
        let short = written(|cursor| *cursor = unsafe { cursor.head(0x54, 0x1234_5685) });
        assert_eq!(short, [0x54, 0x14]);
        let mut word = [0_u32; 2];
        let start = word.as_mut_ptr().cast::<u8>();
        // SAFETY: there is room.
        let end = unsafe { Cursor(start).head_of_word(0x54, 0x1234_5685) };
        assert_eq!(end.0 as usize - start as usize, 2);
        assert_eq!(word[0].to_le_bytes()[..2], [0x54, 0x14]);
        assert_eq!(word[1], 0, "a word and no more");
    }
}
