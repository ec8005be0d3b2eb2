//! The in-place frame encoder: the recorder's hot path.
//!
//! Called once per event inside the recorder's critical section, with a pointer into the backend's
//! buffer. There is no frame buffer, no copy of a finished frame and no COBS pass over it: a varint
//! of a non-zero value holds no zero byte, so a zero can only come from a value that is zero, and
//! the writer closes the COBS block right there.
//!
//! Invariant: `code` points to the code byte of the open block, `at` one past the last byte written,
//! and both are inside the buffer that the caller promised to [`FrameWriter::begin`].

use core::ptr::NonNull;

use crate::cobs::MAX_RUN;

/// Writes one frame, from its first code byte to its closing zero, without bounds checks.
///
/// Every method is `unsafe` for one reason: the caller has to have made room for everything that is
/// written between [`begin`](Self::begin) and [`finish`](Self::finish) (see
/// [`cobs::max_frame_len`](crate::cobs::max_frame_len)).
///
/// The fixed-size methods (`u8`, `varint32`, `varint64`, `s64`) do not look for full COBS blocks:
/// at most [`MAX_RUN`] bytes may be written through them, counted from `begin`. Every event keeps
/// far below that.
#[derive(Debug)]
pub struct FrameWriter {
    /// Not null, so that `Option<FrameWriter>` fits two registers too.
    code: NonNull<u8>,
    at: *mut u8,
}

impl FrameWriter {
    /// Opens a frame at `buf`.
    ///
    /// # Safety
    /// `buf` must be valid for writes of the whole frame that is about to be written.
    #[inline(always)]
    pub const unsafe fn begin(buf: *mut u8) -> Self {
        // SAFETY: the caller promised room for the frame, whose first byte is the code byte; memory
        // that can be written to is not at null.
        unsafe { Self { code: NonNull::new_unchecked(buf), at: buf.add(1) } }
    }

    /// Bytes of the open block, its code byte included: 1 to 255.
    #[inline(always)]
    fn block_len(&self) -> usize {
        (self.at as usize).wrapping_sub(self.code.as_ptr() as usize)
    }

    /// Closes the open block: what follows belongs to a new one.
    ///
    /// # Safety
    /// Room for one more code byte.
    #[inline(always)]
    unsafe fn close_block(&mut self) {
        // SAFETY: `code` and `at` are inside the caller's buffer (struct invariant), and at most
        // 255 apart because full blocks are closed before they grow.
        unsafe {
            self.code.write(self.block_len() as u8);
            self.code = NonNull::new_unchecked(self.at);
            self.at = self.at.add(1);
        }
    }

    /// Writes a byte that is known not to be zero.
    ///
    /// # Safety
    /// Room for the byte; `byte` is not zero.
    #[inline(always)]
    pub unsafe fn nonzero(&mut self, byte: u8) {
        // SAFETY: room by the caller's promise.
        unsafe {
            *self.at = byte;
            self.at = self.at.add(1);
        }
    }

    /// Writes one byte, `u8` or enum field.
    ///
    /// # Safety
    /// Room for it, see [`FrameWriter`].
    #[inline(always)]
    pub unsafe fn u8(&mut self, value: u8) {
        // SAFETY: room by the caller's promise; zero is handled by closing the block.
        unsafe {
            if value == 0 {
                self.close_block();
            } else {
                self.nonzero(value);
            }
        }
    }

    /// Writes a `u32` field: little-endian base-128 varint, 1 to 5 bytes.
    ///
    /// # Safety
    /// Room for 5 bytes, see [`FrameWriter`].
    #[inline(always)]
    pub unsafe fn varint32(&mut self, mut value: u32) {
        // SAFETY: room by the caller's promise; only the value 0 has a zero byte, and a block that
        // is closed takes the same one byte.
        unsafe {
            if value == 0 {
                self.close_block();
                return;
            }
            while value >= 0x80 {
                self.nonzero(value as u8 | 0x80);
                value >>= 7;
            }
            self.nonzero(value as u8);
        }
    }

    /// Writes a `u64` field: little-endian base-128 varint, 1 to 10 bytes.
    ///
    /// # Safety
    /// Room for 10 bytes, see [`FrameWriter`].
    #[inline(always)]
    pub unsafe fn varint64(&mut self, value: u64) {
        // SAFETY: as the caller promised.
        *self = unsafe { Self { code: self.code, at: self.at }.with_varint64(value) };
    }

    /// Writes a timestamp: the same bytes as [`varint64`](Self::varint64), fastest for those of four
    /// and five bytes, 2^21 to 2^32 ticks.
    ///
    /// # Safety
    /// Room for 10 bytes, see [`FrameWriter`].
    #[inline(always)]
    #[must_use]
    pub unsafe fn with_timestamp(mut self, ticks: u64) -> Self {
        // SAFETY: room by the caller's promise; what follows the three septets is not zero.
        unsafe {
            if ticks >> 32 != 0 {
                return self.with_varint64(ticks);
            }
            let mut rest = ticks as u32;
            if rest >= 1 << 21 {
                self.continued(rest);
                self.continued(rest >> 7);
                self.continued(rest >> 14);
                rest >>= 21;
            }
            self.varint32(rest);
        }
        self
    }

    /// [`varint64`](Self::varint64) as a function of its own, with the writer in registers.
    ///
    /// Works in 32-bit halves, since shifting 64-bit values is expensive on the targets.
    ///
    /// # Safety
    /// As `varint64`.
    #[inline(never)]
    unsafe fn with_varint64(mut self, value: u64) -> Self {
        let (mut low, mut high) = (value as u32, (value >> 32) as u32);
        // SAFETY: room by the caller's promise. What follows continued septets is not zero, since
        // `high` is not.
        unsafe {
            while high != 0 {
                self.continued4(low);
                low = (low >> 28) | (high << 4);
                high >>= 28;
            }
            self.varint32(low);
        }
        self
    }

    /// Writes the low four septets of `value` as ones that others follow.
    ///
    /// # Safety
    /// Room for four bytes.
    #[inline(always)]
    unsafe fn continued4(&mut self, value: u32) {
        // SAFETY: room by the caller's promise.
        unsafe {
            self.continued(value);
            self.continued(value >> 7);
            self.continued(value >> 14);
            self.continued(value >> 21);
        }
    }

    /// Writes the low septet of `value` as one that others follow.
    ///
    /// # Safety
    /// Room for one byte.
    #[inline(always)]
    unsafe fn continued(&mut self, value: u32) {
        // SAFETY: room by the caller's promise; bit 7 is set.
        unsafe { self.nonzero(value as u8 | 0x80) }
    }

    /// Writes an `s64` field: sign in bit 0, magnitude above it, as a varint; `i64::MIN` is `01`.
    ///
    /// # Safety
    /// Room for 10 bytes, see [`FrameWriter`].
    #[inline(always)]
    pub unsafe fn s64(&mut self, value: i64) {
        let (low, high) = (value as i32, (value >> 32) as i32);
        // SAFETY: as `varint64`.
        unsafe {
            // The usual small values without 64-bit arithmetic.
            if high == 0 && low as u32 >> 30 == 0 {
                self.varint32((low as u32) << 1);
            } else {
                self.varint64(sign_magnitude(value));
            }
        }
    }

    /// Writes the bytes of a NUL-terminated string, at most `max` of them. `text` may be null, which
    /// is an empty string. Bytes behind the `max`th are never read.
    ///
    /// # Safety
    /// `text` is null, or readable up to its NUL or for `max` bytes, whichever comes first.
    /// Room for `max` bytes and their COBS codes.
    #[inline(always)]
    pub unsafe fn c_str(&mut self, text: *const u8, max: usize) {
        if text.is_null() {
            return;
        }
        let mut text = text;
        let mut left = max;
        // SAFETY: `left` counts what may still be read and written; reading stops at the NUL.
        unsafe {
            loop {
                // To the end of this COBS block or of the string, whichever is nearer.
                let room = (MAX_RUN + 1).wrapping_sub(self.block_len());
                let run = if left < room { left } else { room };
                left -= run;
                // Counting up to zero serves as index of both strings and as condition.
                let (source, target) = (text.wrapping_add(run), self.at.wrapping_add(run));
                let mut index = (run as isize).wrapping_neg();
                while index != 0 {
                    let byte = *source.wrapping_offset(index);
                    if byte == 0 {
                        self.at = target.wrapping_offset(index);
                        return;
                    }
                    *target.wrapping_offset(index) = byte;
                    index += 1;
                }
                self.at = target;
                text = source;
                if left == 0 || *text == 0 {
                    return;
                }
                self.close_block();
            }
        }
    }

    /// Writes any bytes, zeros and runs longer than a COBS block included.
    ///
    /// # Safety
    /// Room for `bytes` and their COBS codes.
    pub unsafe fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            // SAFETY: room by the caller's promise.
            unsafe { self.byte_of_many(byte) }
        }
    }

    /// Writes one byte of which there may be more than a COBS block holds.
    ///
    /// # Safety
    /// Room for it and perhaps a COBS code.
    #[inline(always)]
    pub unsafe fn byte_of_many(&mut self, byte: u8) {
        // SAFETY: room by the caller's promise; a full block is closed before it grows.
        unsafe {
            if self.block_len() > MAX_RUN {
                self.close_block();
            }
            self.u8(byte);
        }
    }

    /// Closes the frame with its zero byte and returns the place behind it.
    ///
    /// # Safety
    /// Room for the zero byte.
    #[inline(always)]
    #[must_use]
    pub unsafe fn finish(self) -> *mut u8 {
        // SAFETY: as `close_block`; the zero byte is part of the room that the caller promised.
        unsafe {
            self.code.write(self.block_len() as u8);
            *self.at = 0;
            self.at.add(1)
        }
    }
}

/// The unsigned value that stands for `value` on the wire (wire format, field type `s64`).
#[inline(always)]
#[must_use]
pub const fn sign_magnitude(value: i64) -> u64 {
    // The magnitude of `i64::MIN` is 2^63, which the shift drops: what stays is negative zero.
    (value.unsigned_abs() << 1) | (value < 0) as u64
}
