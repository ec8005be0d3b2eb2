//! COBS framing, in both directions, of complete frames (wire format, section "Framing").
//!
//! `encode` is for the host and for tests; the target encodes in place with [`FrameWriter`], which
//! `encode` uses too, so there is one encoder. Decoding takes frames *without* their closing zero
//! byte and encoding produces them *with* it, because these are the forms that each side needs.

use core::fmt;

use crate::writer::FrameWriter;
pub use crate::writer::MAX_RUN;

/// The output buffer cannot hold the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferTooSmall {
    /// Bytes that must be available.
    pub needed: usize,
    /// Bytes that are.
    pub available: usize,
}

impl fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the frame needs a buffer of {} bytes, got {}", self.needed, self.available)
    }
}

impl core::error::Error for BufferTooSmall {}

/// Returns the size of the longest frame, including its closing zero, for `payload_len` bytes.
#[must_use]
pub const fn max_frame_len(payload_len: usize) -> usize {
    let blocks = payload_len.div_ceil(MAX_RUN);
    // An empty payload still needs its one code byte.
    payload_len.saturating_add(if blocks == 0 { 1 } else { blocks }).saturating_add(1)
}

/// Encodes `payload` as one frame with its closing zero byte and returns the length of the frame.
///
/// # Errors
/// [`BufferTooSmall`] unless `out` holds [`max_frame_len`]`(payload.len())` bytes.
pub fn encode(payload: &[u8], out: &mut [u8]) -> Result<usize, BufferTooSmall> {
    let needed = max_frame_len(payload.len());
    if out.len() < needed {
        return Err(BufferTooSmall { needed, available: out.len() });
    }
    let start = out.as_mut_ptr();
    // SAFETY: `out` holds `max_frame_len(payload.len())` bytes, which is all that the writer can
    // write for a payload of that length.
    unsafe {
        let mut writer = FrameWriter::begin(start);
        writer.bytes(payload);
        Ok(writer.finish().offset_from(start).unsigned_abs())
    }
}

/// Why the bytes between two zeros are not a COBS frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CobsError {
    /// An empty frame: two zero bytes in succession.
    Empty,
    /// A zero byte inside the frame; `offset` counts from the start of the frame.
    ZeroByte {
        /// Where the zero byte is.
        offset: usize,
    },
    /// A block announces more bytes than the frame has left.
    ShortBlock {
        /// Offset of the block's code byte from the start of the frame.
        offset: usize,
        /// Data bytes that the block announces.
        announced: usize,
        /// Data bytes that are left in the frame.
        left: usize,
    },
    /// The decoded frame does not fit the scratch buffer.
    TooLong {
        /// Bytes of the frame.
        len: usize,
    },
}

impl fmt::Display for CobsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty => write!(f, "empty frame"),
            Self::ZeroByte { offset } => write!(f, "zero byte inside the frame at byte {offset}"),
            Self::ShortBlock { offset, announced, left } => {
                write!(f, "COBS block at byte {offset} announces {announced} bytes, {left} left")
            }
            Self::TooLong { len } => write!(f, "frame of {len} bytes is too long"),
        }
    }
}

impl core::error::Error for CobsError {}

/// Decodes one frame (without its closing zero byte) and returns the payload.
///
/// A frame without stuffed bytes, which is nearly every frame, is returned as a slice of the input;
/// others are unstuffed into `scratch`, which must hold `frame.len()` bytes.
///
/// # Errors
/// [`CobsError`] with the offset in the frame.
#[inline]
pub fn decode<'a>(frame: &'a [u8], scratch: &'a mut [u8]) -> Result<&'a [u8], CobsError> {
    let Some((&code, rest)) = frame.split_first() else {
        return Err(CobsError::Empty);
    };
    if usize::from(code) == frame.len() && code != 0 {
        // A single block up to the end. A zero byte in it would be a splitting error of the caller;
        // a splitter that cuts at zeros cannot produce it, so only the slow path checks for it.
        return Ok(rest);
    }
    if scratch.len() < frame.len() {
        return Err(CobsError::TooLong { len: frame.len() });
    }
    let len = unstuff(frame, scratch)?;
    Ok(scratch.get(..len).unwrap_or_default())
}

/// Unstuffs all blocks of `frame` into `out`, which is at least as long as `frame`.
#[inline(never)]
fn unstuff(frame: &[u8], out: &mut [u8]) -> Result<usize, CobsError> {
    let mut at = 0;
    let mut written = 0;
    while let Some(&code) = frame.get(at) {
        let announced = match usize::from(code).checked_sub(1) {
            Some(n) => n,
            None => return Err(CobsError::ZeroByte { offset: at }),
        };
        let block_start = at + 1;
        let left = frame.len() - block_start;
        let (Some(block), Some(target)) = (
            frame.get(block_start..block_start + announced),
            out.get_mut(written..written + announced),
        ) else {
            return Err(CobsError::ShortBlock { offset: at, announced, left });
        };
        if let Some(zero) = block.iter().position(|&b| b == 0) {
            return Err(CobsError::ZeroByte { offset: block_start + zero });
        }
        target.copy_from_slice(block);
        written += announced;
        at = block_start + announced;
        // No zero follows a block of 254 bytes, nor the last block of a frame.
        if announced != MAX_RUN
            && at < frame.len()
            && let Some(byte) = out.get_mut(written)
        {
            *byte = 0;
            written += 1;
        }
    }
    Ok(written)
}
