//! Reads events that are not in the registry by the schemas in their recordings. Each event is stored together with its
//! schema, so that code after the reader need not look it up.

use crate::decode::{DecodeError, Decoded};
use crate::described_event::DescribedEvent;
use crate::field::packed::Bytes;
use crate::packet::packed_time;
use crate::reader::{FieldError, Reader};
use crate::registry::Event;
use crate::schema::{MAX_SCHEMA_FIELDS, Schema};

/// Bytes that such an event takes in addition to those in the recording and those of its schema's text.
pub const DESCRIBED_ROOM: usize = 32 + 5 * MAX_SCHEMA_FIELDS;

/// Decodes the payload of a frame (the bytes before COBS encoding) for an event with this schema and a known presence
/// of a time; the event borrows from `out`.
///
/// # Errors
/// [`DecodeError`] if the frame does not match, or if `out` is less than [`DESCRIBED_ROOM`] bytes longer than frame and
/// text.
pub fn decode_described<'a>(
    payload: &[u8],
    (text, is_timed): (&str, bool),
    out: &'a mut [u8],
) -> Result<Decoded<'a>, DecodeError> {
    let mut reader = Reader::new(payload);
    let id = reader.byte().map_err(|_| DecodeError::Empty)?;
    let bad = |error| DecodeError::Described { id, error };
    let ts = if is_timed { Some(reader.varint64().map_err(bad)?) } else { None };
    let mut bytes = Bytes::new(out);
    begin(&mut bytes, id, text).ok_or(bad(FieldError::Overflow))?;
    let values = reader.clone().rest();
    for (_, kind) in Schema::validated(text).fields() {
        kind.read_plain(&mut reader).map_err(bad)?;
    }
    if !reader.is_empty() {
        return Err(DecodeError::DescribedTrailing { id, left: reader.remaining() });
    }
    bytes.all(values).ok_or(bad(FieldError::Overflow))?;
    let len = bytes.len();
    Ok(Decoded { ts, event: event(out.get(..len).unwrap_or_default(), is_timed) })
}

/// Result of [`decode_described_packed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescribedPacked<'a> {
    /// The event, with its time unless it is metadata.
    pub decoded: Decoded<'a>,
    /// Bytes of the event in its packet.
    pub taken: usize,
    /// Time of the event, which metadata has too.
    pub ts: u64,
}

/// Like [`decode_described`], for the event at the begin of `event` in a packet, after one at time `last`.
///
/// # Errors
/// As there.
pub fn decode_described_packed<'a>(
    packed: &[u8],
    last: u64,
    (text, is_timed): (&str, bool),
    out: &'a mut [u8],
) -> Result<DescribedPacked<'a>, DecodeError> {
    let mut reader = Reader::new(packed);
    let id = reader.byte().map_err(|_| DecodeError::Empty)?;
    let bad = |error| DecodeError::Described { id, error };
    let ts = packed_time(&mut reader, last).map_err(bad)?;
    let mut bytes = Bytes::new(out);
    begin(&mut bytes, id, text).ok_or(bad(FieldError::Overflow))?;
    let mut is_missing = false;
    for (_, kind) in Schema::validated(text).fields() {
        let value = kind.read_packed(&mut reader).map_err(bad)?;
        // Fields are distinguished by position.
        if is_missing && value.is_some() {
            return Err(bad(FieldError::Truncated));
        }
        is_missing |= value.is_none();
        kind.write_plain(value, &mut bytes).ok_or(bad(FieldError::Overflow))?;
    }
    let (len, taken) = (bytes.len(), packed.len() - reader.remaining());
    let event = event(out.get(..len).unwrap_or_default(), is_timed);
    Ok(DescribedPacked { decoded: Decoded { ts: is_timed.then_some(ts), event }, taken, ts })
}

fn begin(bytes: &mut Bytes<'_>, id: u8, text: &str) -> Option<()> {
    bytes.byte(id)?;
    bytes.leb128(text.len() as u64)?;
    bytes.all(text.as_bytes())
}

const fn event(bytes: &[u8], is_timed: bool) -> Event<'_> {
    let it = DescribedEvent::from_bytes(bytes);
    if is_timed { Event::Described(it) } else { Event::DescribedMetadata(it) }
}
