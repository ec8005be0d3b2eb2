//! Writes a frame whose length is not known in advance: bytes after the limit are counted, not
//! written. Small rather than fast; the hot path has `FrameWriter`.

use tband_format::cobs::MAX_RUN;

/// A frame that is being written.
#[derive(Clone, Copy, Debug)]
pub struct BoundedFrame {
    /// Code byte of the open COBS block.
    code: *mut u8,
    /// Address of the next byte; may be after the limit.
    at: *mut u8,
}

impl BoundedFrame {
    /// Opens a frame at `start`.
    #[inline(always)]
    pub fn begin(start: *mut u8) -> Self {
        Self { code: start, at: start.wrapping_add(1) }
    }

    /// Returns the frame with one more byte. By value, so that it stays in registers: memory would
    /// cost code.
    ///
    /// # Safety
    /// The bytes between the frame's start and `limit` may be written to.
    #[inline(never)]
    #[must_use]
    pub unsafe fn with(mut self, byte: u8, limit: *mut u8) -> Self {
        let run = (self.at as usize).wrapping_sub(self.code as usize);
        // SAFETY: before the limit, and nothing goes before the start.
        unsafe {
            if byte == 0 || run > MAX_RUN {
                if self.code < limit {
                    self.code.write(run as u8);
                }
                self.code = self.at;
                self.at = self.at.wrapping_add(1);
                // Zeros are in numbers only, which are where no block can be full yet.
                if byte == 0 {
                    return self;
                }
            }
            if self.at < limit {
                self.at.write(byte);
            }
        }
        self.at = self.at.wrapping_add(1);
        self
    }

    /// Closes the frame and returns the place after it: after the limit if it did not fit.
    ///
    /// # Safety
    /// As [`with`](Self::with).
    #[inline(always)]
    pub unsafe fn finish(self, limit: *mut u8) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe {
            // After the byte that closes a block there is always room for the code of another: the
            // closing zero goes there.
            let closed = self.with(0, limit);
            if closed.code < limit {
                closed.code.write(0);
            }
            closed.at
        }
    }
}
