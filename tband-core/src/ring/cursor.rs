//! Where an event is written.

/// Longest head of an event: id, and a time of 30 bits. Longer times have a packet of their own.
pub(crate) const HEAD_LEN: usize = 1 + 4;
/// Longest event with one number.
pub(crate) const U32_LEN: usize = HEAD_LEN + 5;

/// Where an event is written, byte after byte. The room was looked at before.
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

    /// Id and time of an event at the time of its packet's begin, or of the event before.
    ///
    /// # Safety
    /// Room for 2 bytes.
    #[inline(always)]
    pub(crate) unsafe fn head(mut self, id: u32, now: u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            self.byte(id as u8);
            self.byte((now << 2) as u8);
        }
        self
    }

    /// Id and time, as long as it may be.
    ///
    /// # Safety
    /// Room for 5 bytes.
    #[inline(always)]
    pub(crate) unsafe fn long_head(mut self, id: u32, now: u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            self.byte(id as u8);
            self.0.cast::<u32>().write_unaligned(now << 2 | 2);
        }
        Self(self.0.wrapping_add(4))
    }

    /// Unsigned LEB128.
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

    /// Signed LEB128 of the number with these halves.
    ///
    /// # Safety
    /// Room for 10 bytes.
    #[inline(always)]
    pub(crate) unsafe fn signed(&mut self, mut low: u32, mut high: i32) {
        // SAFETY: the caller's promise.
        unsafe {
            // Until what is left is nothing but the sign of the byte.
            while low.wrapping_add(0x40) >= 0x80 || high != (low as i32) >> 31 {
                self.byte(low as u8 | 0x80);
                low = low >> 7 | (high as u32) << 25;
                high >>= 7;
            }
            self.byte(low as u8 & 0x7F);
        }
    }

    /// No more than `max` bytes of a text, and a NUL. Each byte of the text is read once: it may change meanwhile.
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
