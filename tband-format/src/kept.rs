//! How readers keep events while they wait for their turn: as the bytes that their frames have, or with its schema if it
//! is one that the registry does not have, so that nobody after the reader has to look for that.
//!
//! Such an event is kept as a byte that is the id of no event ([`DESCRIBED_ID`], or [`DESCRIBED_METADATA_ID`]), the time
//! unless it is metadata, the id in the recording, the length of the schema's text as a varint, the text, and the fields
//! as frames have them.

use crate::decode::{DecodeError, Decoded, decode_payload};
use crate::described::Described;
use crate::encode::{EncodeError, encode_payload};
use crate::packed::Bytes;
use crate::packet::packed_time;
use crate::reader::{FieldError, Reader};
use crate::registry::{DESCRIBED_ID, DESCRIBED_METADATA_ID, Event};
use crate::schema::{MAX_SCHEMA_FIELDS, Schema};

/// Bytes that one who keeps an event needs besides those it has in the recording and those of its schema's text.
pub const DESCRIBED_ROOM: usize = 32 + 5 * MAX_SCHEMA_FIELDS;

/// Keeps what a frame has (the bytes before COBS encoding) of an event with this schema: writes it to `out`, and says
/// how many bytes it takes. Decoded again by [`decode_kept`].
///
/// # Errors
/// [`DecodeError`] if the frame has something else, or `out` has not [`DESCRIBED_ROOM`] bytes more than frame and text.
pub fn keep_payload(
    payload: &[u8],
    (text, is_timed): (&str, bool),
    out: &mut [u8],
) -> Result<usize, DecodeError> {
    let mut reader = Reader::new(payload);
    let id = reader.byte().map_err(|_| DecodeError::Empty)?;
    let bad = |error| DecodeError::Described { id, error };
    let ts = if is_timed { Some(reader.varint64().map_err(bad)?) } else { None };
    let mut bytes = Bytes::new(out);
    begin(&mut bytes, id, ts, text).ok_or(bad(FieldError::Overflow))?;
    let values = reader.clone().rest();
    for (_, kind) in Schema::validated(text).fields() {
        kind.read_plain(&mut reader).map_err(bad)?;
    }
    if !reader.is_empty() {
        return Err(DecodeError::DescribedTrailing { id, left: reader.left() });
    }
    bytes.all(values).ok_or(bad(FieldError::Overflow))?;
    Ok(bytes.len())
}

/// What [`keep_packed`] has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptPacked {
    /// Bytes that were written.
    pub len: usize,
    /// Bytes of the event in its packet.
    pub taken: usize,
    /// Time of the event, which metadata has too.
    pub ts: u64,
}

/// As [`keep_payload`], of the event that `event` begins with in a packet, after one at time `last`.
///
/// # Errors
/// As there.
pub fn keep_packed(
    event: &[u8],
    last: u64,
    (text, is_timed): (&str, bool),
    out: &mut [u8],
) -> Result<KeptPacked, DecodeError> {
    let mut reader = Reader::new(event);
    let id = reader.byte().map_err(|_| DecodeError::Empty)?;
    let bad = |error| DecodeError::Described { id, error };
    let ts = packed_time(&mut reader, last).map_err(bad)?;
    let mut bytes = Bytes::new(out);
    begin(&mut bytes, id, is_timed.then_some(ts), text).ok_or(bad(FieldError::Overflow))?;
    let mut is_missing = false;
    for (_, kind) in Schema::validated(text).fields() {
        let value = kind.read_packed(&mut reader).map_err(bad)?;
        // Frames tell fields by position.
        if is_missing && value.is_some() {
            return Err(bad(FieldError::Truncated));
        }
        is_missing |= value.is_none();
        kind.write_plain(value, &mut bytes).ok_or(bad(FieldError::Overflow))?;
    }
    Ok(KeptPacked { len: bytes.len(), taken: event.len() - reader.left(), ts })
}

fn begin(bytes: &mut Bytes<'_>, id: u8, ts: Option<u64>, text: &str) -> Option<()> {
    bytes.byte(if ts.is_some() { DESCRIBED_ID } else { DESCRIBED_METADATA_ID })?;
    if let Some(ts) = ts {
        bytes.leb128(ts)?;
    }
    bytes.byte(id)?;
    bytes.leb128(text.len() as u64)?;
    bytes.all(text.as_bytes())
}

/// Decodes what a reader has kept of an event: what its frame has, or with its schema if the registry does not have it.
///
/// # Errors
/// [`DecodeError`]; no input panics.
pub fn decode_kept(kept: &[u8]) -> Result<Decoded<'_>, DecodeError> {
    let (id, mut reader) = match kept.split_first() {
        Some((&id @ (DESCRIBED_ID | DESCRIBED_METADATA_ID), rest)) => (id, Reader::new(rest)),
        _ => return decode_payload(kept),
    };
    let bad = |error| DecodeError::Described { id, error };
    let ts = if id == DESCRIBED_ID { Some(reader.varint64().map_err(bad)?) } else { None };
    let it = Described::new(reader.rest()).ok_or(bad(FieldError::Truncated))?;
    let event = if ts.is_some() { Event::Described(it) } else { Event::DescribedMetadata(it) };
    Ok(Decoded { ts, event })
}

/// Writes an event so that [`decode_kept`] reads it, and says how many bytes that takes.
///
/// # Errors
/// As for [`encode_payload`].
pub fn encode_kept(event: &Event<'_>, ts: u64, out: &mut [u8]) -> Result<usize, EncodeError> {
    let (Event::Described(it) | Event::DescribedMetadata(it)) = event else {
        return encode_payload(event, ts, out);
    };
    let available = out.len();
    let mut bytes = Bytes::new(out);
    let written = (|| {
        bytes.byte(event.id())?;
        if !event.is_metadata() {
            bytes.leb128(ts)?;
        }
        bytes.all(it.kept())
    })();
    match written {
        Some(()) => Ok(bytes.len()),
        None => Err(EncodeError::no_room(it.kept().len() + 11, available)),
    }
}
