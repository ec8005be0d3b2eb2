//! From an [`Event`] to the bytes of one frame, for hosts and tests.
//!
//! The target encodes in place with the same [`FrameWriter`] and the same field codecs.

use crate::cobs::{self, BufferTooSmall};
use crate::registry::Event;
use crate::writer::FrameWriter;

/// Buffer size that [`encode_frame`] wants for this event.
#[must_use]
pub fn max_frame_len(event: &Event<'_>, ts: u64) -> usize {
    cobs::max_frame_len(event.payload_len(ts))
}

/// Encodes `event` as one frame, closing zero byte included, and returns the length of the frame.
/// `ts` is ignored for metadata events.
///
/// # Errors
/// [`BufferTooSmall`] unless `out` holds [`max_frame_len`] bytes.
pub fn encode_frame(event: &Event<'_>, ts: u64, out: &mut [u8]) -> Result<usize, BufferTooSmall> {
    let needed = max_frame_len(event, ts);
    if out.len() < needed {
        return Err(BufferTooSmall { needed, available: out.len() });
    }
    let start = out.as_mut_ptr();
    // SAFETY: `out` holds the longest frame that this payload can become.
    unsafe {
        let mut writer = FrameWriter::begin(start);
        event.write(ts, &mut writer);
        Ok(writer.finish().offset_from(start).unsigned_abs())
    }
}
