//! The in-place frame encoder: the recorder's hot path.
//!
//! Called once per event inside the recorder's critical section, with a pointer into the backend's buffer.
//! Frame buffer, copy of a finished frame and COBS pass over it are unnecessary: a varint of a non-zero value
//! contains no zero byte, so a zero can only come from a value that is zero, and the writer closes the COBS
//! block right there.
//!
//! Invariant: `code` points to the code byte of the open block, `at` one past the last byte written,
//! and both are inside the buffer that the caller promised to [`FrameWriter::begin`].

use core::ptr;

/// Longest run of non-zero bytes that one COBS block can hold.
pub const MAX_RUN: usize = 254;

/// Writes one frame, from its first code byte to its closing zero, without bounds checks.
///
/// Every method is `unsafe` for one reason: the caller must have made room for everything that is written
/// between [`begin`](Self::begin) and [`finish`](Self::finish) (see
/// [`cobs::max_frame_len`](crate::cobs::max_frame_len)).
///
/// The fixed-size methods (`u8`, `varint32`, `varint64`, `s64`) do not check for full COBS blocks: at most
/// [`MAX_RUN`] bytes may be written through them, counted from `begin`. Every event stays far below that.
#[derive(Debug)]
pub struct FrameWriter {
    code: *mut u8,
    /// At least after the code byte, so never null, even if the buffer begins at address 0: in `RawFrame`
    /// null means "no frame".
    at: *mut u8,
}

impl FrameWriter {
    /// Opens a frame at `buf`.
    ///
    /// # Safety
    /// `buf` must be valid for writes of the complete frame that is about to be written.
    #[inline]
    pub const unsafe fn begin(buf: *mut u8) -> Self {
        // SAFETY: the caller promised room for the frame, whose first byte is the code byte.
        unsafe { Self { code: buf, at: buf.add(1) } }
    }

    /// Restores the writer from the result of [`into_raw`](Self::into_raw); `None` for [`RawFrame::NONE`].
    ///
    /// # Safety
    /// Every raw frame is put together once at most.
    #[inline]
    #[must_use]
    pub unsafe fn from_raw(raw: RawFrame) -> Option<Self> {
        let (code, at) = raw.pointers();
        if at.is_null() { None } else { Some(Self { code, at }) }
    }

    /// Converts the writer for transport through code that is not Rust.
    #[inline]
    #[must_use]
    pub fn into_raw(self) -> RawFrame {
        RawFrame::new(self.code, self.at)
    }

    /// Returns the size of the open block in bytes, including its code byte: 1 to 255.
    #[inline]
    fn block_len(&self) -> usize {
        (self.at as usize).wrapping_sub(self.code as usize)
    }

    /// Writes the code byte of the open block. Volatile, because that may be the byte at address 0, which
    /// Rust allows no other kind of write for.
    ///
    /// # Safety
    /// As [`begin`](Self::begin), whose room it is in.
    #[inline]
    unsafe fn write_code(&mut self) {
        // SAFETY: `code` is inside the caller's buffer (struct invariant).
        unsafe { self.code.write_volatile(self.block_len() as u8) }
    }

    /// Closes the open block: what follows belongs to a new one.
    ///
    /// # Safety
    /// Room for one more code byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn close_block(&mut self) {
        // SAFETY: `code` and `at` are inside the caller's buffer (struct invariant), and at most
        // 255 apart because full blocks are closed before they grow.
        unsafe {
            self.write_code();
            self.code = self.at;
            self.at = self.at.add(1);
        }
    }

    /// Writes a byte that is known not to be zero.
    ///
    /// # Safety
    /// Room for the byte; `byte` is not zero.
    #[inline]
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
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub unsafe fn varint64(&mut self, value: u64) {
        // SAFETY: as the caller promised.
        unsafe {
            let raw = Self { code: self.code, at: self.at }.into_raw_with_varint64(value);
            let (code, at) = raw.pointers();
            *self = Self { code, at };
        }
    }

    /// Writes a timestamp and converts the writer: the same bytes as [`varint64`](Self::varint64), fastest
    /// for those of four and five bytes, 2^21 to 2^32 ticks.
    ///
    /// # Safety
    /// Room for 10 bytes, see [`FrameWriter`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[must_use]
    pub unsafe fn into_raw_with_timestamp(mut self, ticks: u64) -> RawFrame {
        // SAFETY: room by the caller's promise; what follows the three septets is not zero.
        unsafe {
            if ticks >> 32 != 0 {
                return self.into_raw_with_varint64(ticks);
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
        self.into_raw()
    }

    /// [`varint64`](Self::varint64) as a separate function, with the writer in registers. It returns the raw
    /// frame, so that a caller that returns it too can end with a jump.
    ///
    /// # Safety
    /// As `varint64`.
    #[inline(never)]
    unsafe fn into_raw_with_varint64(mut self, value: u64) -> RawFrame {
        // SAFETY: as the caller promised.
        unsafe { self.varint_of_halves(value as u32, (value >> 32) as u32) }
        self.into_raw()
    }

    /// Writes a [`varint64`](Self::varint64) in 32-bit halves, because shifting 64-bit values is expensive on
    /// the targets.
    ///
    /// # Safety
    /// As `varint64`.
    #[inline]
    unsafe fn varint_of_halves(&mut self, mut low: u32, mut high: u32) {
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
    }

    /// Writes the low four septets of `value` as ones that others follow.
    ///
    /// # Safety
    /// Room for four bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    #[inline]
    unsafe fn continued(&mut self, value: u32) {
        // SAFETY: room by the caller's promise; bit 7 is set.
        unsafe { self.nonzero(value as u8 | 0x80) }
    }

    /// Writes an `s64` field: sign in bit 0, magnitude above it, as a varint; `i64::MIN` is `01`.
    ///
    /// # Safety
    /// Room for 10 bytes, see [`FrameWriter`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub unsafe fn s64(&mut self, value: i64) {
        let (mut low, mut high) = (value as u32, (value >> 32) as u32);
        // The usual small values without 64-bit arithmetic.
        if high == 0 && low >> 30 == 0 {
            low <<= 1;
        } else {
            let unsigned = sign_magnitude(value);
            (low, high) = (unsigned as u32, (unsigned >> 32) as u32);
        }
        // SAFETY: as `varint64`. Not a call of it, which would need more stack, and small, since large values
        // are rare.
        unsafe {
            while high != 0 {
                self.continued(low);
                low = (low >> 7) | (high << 25);
                high >>= 7;
            }
            self.varint32(low);
        }
    }

    /// Writes the bytes of a NUL-terminated string, at most `max` of them. `text` may be null, which is an
    /// empty string. Bytes after the first `max` are never read.
    ///
    /// # Safety
    /// `text` is null, or readable up to its NUL or for `max` bytes, whichever comes first.
    /// Room for `max` bytes and their COBS codes.
    #[cfg_attr(not(debug_assertions), inline(always))]
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
    #[inline]
    pub unsafe fn byte_of_many(&mut self, byte: u8) {
        // SAFETY: room by the caller's promise; a full block is closed before it grows.
        unsafe {
            if self.block_len() > MAX_RUN {
                self.close_block();
            }
            self.u8(byte);
        }
    }

    /// Closes the frame with its zero byte and returns the address after it.
    ///
    /// # Safety
    /// Room for the zero byte.
    #[inline]
    #[must_use]
    pub unsafe fn finish(mut self) -> *mut u8 {
        // SAFETY: as `close_block`; the zero byte is part of the room that the caller promised.
        unsafe {
            self.write_code();
            *self.at = 0;
            self.at.add(1)
        }
    }
}

/// A [`FrameWriter`] on its way through code that is not Rust, or none. It holds two pointers in one value
/// that functions return in registers: on 32-bit targets an integer, because Arm returns structs of that size
/// in memory.
#[cfg(target_pointer_width = "32")]
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct RawFrame(u64);

#[cfg(target_pointer_width = "32")]
impl RawFrame {
    /// No frame.
    pub const NONE: Self = Self(0);

    #[inline]
    fn new(code: *mut u8, at: *mut u8) -> Self {
        Self(code.expose_provenance() as u64 | (at.expose_provenance() as u64) << 32)
    }

    #[inline]
    fn pointers(self) -> (*mut u8, *mut u8) {
        let pointer = |half: u32| ptr::with_exposed_provenance_mut(half as usize);
        (pointer(self.0 as u32), pointer((self.0 >> 32) as u32))
    }
}

/// As for 32-bit targets.
#[cfg(not(target_pointer_width = "32"))]
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawFrame {
    code: *mut u8,
    at: *mut u8,
}

#[cfg(not(target_pointer_width = "32"))]
impl RawFrame {
    /// No frame.
    pub const NONE: Self = Self { code: ptr::null_mut(), at: ptr::null_mut() };

    #[inline]
    fn new(code: *mut u8, at: *mut u8) -> Self {
        Self { code, at }
    }

    #[inline]
    fn pointers(self) -> (*mut u8, *mut u8) {
        (self.code, self.at)
    }
}

/// Returns the unsigned value that encodes `value` on the wire (wire format, field type `s64`).
#[inline]
#[must_use]
pub const fn sign_magnitude(value: i64) -> u64 {
    // The magnitude of `i64::MIN` is 2^63, which the shift drops: what stays is negative zero.
    (value.unsigned_abs() << 1) | (value < 0) as u64
}
