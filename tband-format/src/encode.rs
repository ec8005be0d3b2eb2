//! Encodes an [`Event`] into the bytes of one frame, for hosts and tests.
//!
//! The target encodes in place with the same [`FrameWriter`] and the same field codecs.

use core::fmt;

use crate::cobs::{self, BufferTooSmall};
use crate::field::packed::Bytes;
use crate::registry::Event;
use crate::writer::FrameWriter;

/// Why an event has no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The event does not fit.
    NoRoom(BufferTooSmall),
    /// A field that may be missing is, and one after it is not: a reader would take that for the first.
    MissingField {
        /// Name of the event.
        event: &'static str,
        /// Name of the field that is missing.
        field: &'static str,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoom(error) => error.fmt(f),
            Self::MissingField { event, field } => {
                write!(
                    f,
                    "{event}: the fields after {field} need it, since position distinguishes them"
                )
            }
        }
    }
}

impl core::error::Error for EncodeError {}

impl From<BufferTooSmall> for EncodeError {
    fn from(error: BufferTooSmall) -> Self {
        Self::NoRoom(error)
    }
}

/// Returns the buffer size that [`encode_frame`] needs for this event.
#[must_use]
pub fn max_frame_len(event: &Event<'_>, ts: u64) -> usize {
    cobs::max_frame_len(event.payload_len(ts))
}

/// Encodes `event` as one frame, closing zero byte included, and returns the length of the frame.
/// `ts` is ignored for metadata events.
///
/// # Errors
/// [`EncodeError`]: `out` is shorter than [`max_frame_len`] bytes, or an optional field is missing before one
/// that is not. Nothing is written.
pub fn encode_frame(event: &Event<'_>, ts: u64, out: &mut [u8]) -> Result<usize, EncodeError> {
    if let Some(field) = event.missing_field() {
        return Err(EncodeError::MissingField { event: event.registered_name(), field });
    }
    let needed = max_frame_len(event, ts);
    if out.len() < needed {
        return Err(BufferTooSmall { needed, available: out.len() }.into());
    }
    let start = out.as_mut_ptr();
    // SAFETY: `out` holds the longest frame that this payload can become.
    unsafe {
        let mut writer = FrameWriter::begin(start);
        event.write(ts, &mut writer);
        Ok(writer.finish().offset_from(start).unsigned_abs())
    }
}

/// Writes the payload of an event's frame, before framing: id, timestamp except for metadata, fields. Returns the
/// number of bytes.
///
/// # Errors
/// As for [`encode_frame`].
#[inline]
pub fn encode_payload(event: &Event<'_>, ts: u64, out: &mut [u8]) -> Result<usize, EncodeError> {
    if let Some(field) = event.missing_field() {
        return Err(EncodeError::MissingField { event: event.registered_name(), field });
    }
    let available = out.len();
    let mut bytes = Bytes::new(out);
    match event.write_plain(ts, &mut bytes) {
        Some(()) => Ok(bytes.len()),
        None => Err(BufferTooSmall { needed: event.payload_len(ts), available }.into()),
    }
}
