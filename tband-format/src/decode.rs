//! Decodes the bytes of one frame into an [`Event`].

use core::fmt;

use crate::cobs::{self, CobsError};
use crate::reader::{FieldError, Reader};
use crate::registry::Event;
use crate::timestamps::Timestamps;

/// An event with the timestamp it was sent with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// Timestamp in ticks; `None` for metadata events only.
    pub ts: Option<u64>,
    /// The event.
    pub event: Event<'a>,
}

/// Why a payload is not an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// No id byte.
    Empty,
    /// The registry has no event of this id.
    UnknownId {
        /// The id byte.
        id: u8,
    },
    /// A field could not be read.
    BadField {
        /// Name of the event.
        event: &'static str,
        /// Name of the field; `ts` for the timestamp.
        field: &'static str,
        /// The error in the field.
        error: FieldError,
    },
    /// A field of an event that its recording describes could not be read.
    Described {
        /// The id byte.
        id: u8,
        /// The error in the field.
        error: FieldError,
    },
    /// Bytes are left after the last field of an event that its recording describes.
    DescribedTrailing {
        /// The id byte.
        id: u8,
        /// Bytes left.
        left: usize,
    },
    /// Bytes are left after the last field.
    Trailing {
        /// Name of the event.
        event: &'static str,
        /// Bytes left.
        left: usize,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty => write!(f, "no event id"),
            Self::UnknownId { id } => write!(f, "unknown event id {id} (0x{id:02X})"),
            Self::BadField { event, field, error } => {
                write!(f, "field {field} of {event}: {error}")
            }
            Self::Described { id, error } => {
                write!(f, "a field of event {id}, which the recording describes: {error}")
            }
            Self::DescribedTrailing { id, left } => {
                write!(
                    f,
                    "{left} bytes after the last field of event {id}, as the recording describes it"
                )
            }
            Self::Trailing { event, left } => {
                write!(f, "{left} bytes after the last field of {event}")
            }
        }
    }
}

impl core::error::Error for DecodeError {}

/// Why a frame is not an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// The framing is broken.
    Cobs(CobsError),
    /// The framing is sound, its content is not an event.
    Event(DecodeError),
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cobs(error) => error.fmt(f),
            Self::Event(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FrameError {}

impl From<CobsError> for FrameError {
    fn from(error: CobsError) -> Self {
        Self::Cobs(error)
    }
}

impl From<DecodeError> for FrameError {
    fn from(error: DecodeError) -> Self {
        Self::Event(error)
    }
}

/// Decodes the payload of one frame (the bytes before COBS encoding).
///
/// # Errors
/// [`DecodeError`]; no input panics.
#[inline]
pub fn decode_payload(payload: &[u8]) -> Result<Decoded<'_>, DecodeError> {
    Event::decode(payload)
}

/// Processes a decoded event. Not a closure, so that it can be marked for inlining.
pub trait EventHandler<'a> {
    /// The result.
    type Out;

    /// By id: the events that are so frequent that each gets its own copy of [`take`](Self::take)
    /// for its kind. All others share one, so that their number costs nothing.
    const FREQUENT: [bool; 256] = [false; 256];

    /// Takes the event.
    fn take(self, decoded: Decoded<'a>) -> Self::Out;
}

/// Decodes the payload in the first `len` bytes of `window`, and passes the event on. Returns
/// `None` for metadata and for an invalid payload; [`decode_payload`] distinguishes them. Bytes
/// after the payload are ignored. Passing the `timestamps` of the previous event makes this faster.
#[cfg_attr(not(any(debug_assertions, target_family = "wasm")), inline(always))]
pub fn decode_in_window<'a, T: EventHandler<'a>>(
    window: &'a [u8; WINDOW],
    len: usize,
    timestamps: &mut Timestamps,
    take: T,
) -> Option<T::Out> {
    let (&id, rest) = window.split_first()?;
    let (ts, fields) = timestamps.read(*rest.first_chunk()?)?;
    let reader = Reader::within(window, fields, len);
    Event::fields_with(id, ts, reader, take)
}

/// Number of bytes that [`decode_in_window`] reads.
pub const WINDOW: usize = 31;

/// Decodes one frame given without its closing zero byte. `scratch` must hold `frame.len()` bytes.
///
/// # Errors
/// [`FrameError`]; no input panics.
#[inline]
pub fn decode_frame<'a>(frame: &'a [u8], scratch: &'a mut [u8]) -> Result<Decoded<'a>, FrameError> {
    Ok(decode_payload(cobs::decode(frame, scratch)?)?)
}
