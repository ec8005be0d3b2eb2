//! Reads packets: validates them, and reads their events.

use core::fmt;

use super::check::check;
use super::header::{HEADER_LEN, Header, HeaderError, METADATA_STREAM};
use super::time;
use crate::decode::{DecodeError, Decoded, EventHandler};
use crate::reader::{FieldError, Reader};
use crate::registry::{Event, LAST_BASE_ID};
use crate::short_reader::ShortReader;

/// Why the bytes do not contain a complete packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PacketError {
    /// No header of a packet.
    Header(HeaderError),
    /// Its content extends past the end of the bytes.
    Truncated {
        /// Bytes of the content that are missing.
        missing: usize,
    },
    /// The packet was changed: its checksum differs.
    Damaged {
        /// The checksum in the header.
        reported: u32,
        /// The checksum over the bytes.
        found: u32,
    },
    /// It has no checksum, and is not consistent: its content does not consist of events within its times.
    Unsound,
    /// It has no checksum, and no bytes after its content: a packet of that length is always sent with a checksum.
    Unchecked,
}

impl fmt::Display for PacketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Header(error) => error.fmt(f),
            Self::Truncated { missing } => {
                write!(f, "the last {missing} bytes of the packet are missing")
            }
            Self::Damaged { reported, found } => {
                write!(f, "damaged: its check is 0x{found:08X}, and it contains 0x{reported:08X}")
            }
            Self::Unsound => {
                write!(f, "a packet without a check, with something else than events in it")
            }
            Self::Unchecked => {
                write!(f, "a packet that has lost its check")
            }
        }
    }
}

impl core::error::Error for PacketError {}

impl From<HeaderError> for PacketError {
    fn from(error: HeaderError) -> Self {
        Self::Header(error)
    }
}

/// A complete packet whose checksum is correct, or that is consistent without one.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    header: Header,
    events: &'a [u8],
}

impl<'a> Packet<'a> {
    /// Reads the packet at the begin of `bytes`. The bytes after its content are not read, and may be missing.
    ///
    /// A checksum of 0 is accepted for a packet that is longer than its content, as packets in a target's memory are:
    /// each fills its slot. Packets that were sent end with their content, and a burst of zeros must not turn one into
    /// the other.
    ///
    /// # Errors
    /// [`PacketError`]; no input panics.
    pub fn read(bytes: &'a [u8]) -> Result<Self, PacketError> {
        Self::read_with(bytes, |header| header.packet_len > header.content_len)
    }

    /// Like [`read`](Self::read), if no packet has a checksum.
    ///
    /// # Errors
    /// As `read`.
    pub fn read_unchecked(bytes: &'a [u8]) -> Result<Self, PacketError> {
        Self::read_with(bytes, |_| true)
    }

    fn read_with(
        bytes: &'a [u8],
        needs_no_check: impl Fn(&Header) -> bool,
    ) -> Result<Self, PacketError> {
        let (header, reported) = Header::read(bytes)?;
        let missing = header.content_len.saturating_sub(bytes.len());
        let content = bytes.get(..header.content_len).ok_or(PacketError::Truncated { missing })?;
        let packet = Self { header, events: content.get(HEADER_LEN..).unwrap_or_default() };
        if reported == 0 {
            return match (packet.is_valid(), needs_no_check(&header)) {
                (true, true) => Ok(packet),
                (true, false) => Err(PacketError::Unchecked),
                (false, _) => Err(PacketError::Unsound),
            };
        }
        let found = check(content);
        if reported != found {
            return Err(PacketError::Damaged { reported, found });
        }
        Ok(packet)
    }

    /// Returns the packet at the begin of `bytes`, whose header was read and whose checksum was validated before.
    /// `None` if the content is incomplete.
    #[must_use]
    pub fn validated(header: Header, bytes: &'a [u8]) -> Option<Self> {
        Some(Self { header, events: bytes.get(HEADER_LEN..header.content_len)? })
    }

    /// Returns whether its content is valid to the last byte, or up to the first event that only its recording
    /// describes.
    fn is_valid(&self) -> bool {
        if self.header.stream == METADATA_STREAM {
            return are_frames(self.events);
        }
        let end = self.header.end;
        self.events().all(|event| match event {
            Ok(event) => event.ts.is_some_and(|ts| ts <= end),
            Err(error) => matches!(error, DecodeError::UnknownId { id } if id > LAST_BASE_ID),
        })
    }

    /// Returns its header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the bytes after the header: events, or frames in the metadata stream.
    #[must_use]
    pub const fn content(&self) -> &'a [u8] {
        self.events
    }

    /// Returns its events; for the metadata stream see [`content`](Self::content).
    #[must_use]
    pub const fn events(&self) -> Events<'a> {
        Events::new(self.events, self.header.begin)
    }
}

/// Returns whether the bytes are complete frames up to the end: the codes of each lead to its zero.
fn are_frames(mut bytes: &[u8]) -> bool {
    while let Some((&code, rest)) = bytes.split_first() {
        let block = rest.get(..usize::from(code).saturating_sub(1));
        if block.is_none_or(|block| block.contains(&0)) {
            return false;
        }
        bytes = rest.get(usize::from(code).saturating_sub(1)..).unwrap_or_default();
        if bytes.is_empty() && code != 0 {
            return false;
        }
    }
    true
}

/// Reads the time of an event in a packet, after one at time `last`.
pub(crate) fn packed_time(reader: &mut Reader<'_>, last: u64) -> Result<u64, FieldError> {
    let first = reader.clone().byte()?;
    let bytes = reader.bytes(time::len(first))?;
    time::decode(bytes, last).ok_or(FieldError::Overflow)
}

/// The events in a packet. Ends at the first invalid one, because the position of the next one is unknown then.
#[derive(Clone, Debug)]
pub struct Events<'a> {
    /// From the next event on.
    bytes: &'a [u8],
    /// Time of the event before.
    last: u64,
}

impl<'a> Events<'a> {
    /// Returns the events in `bytes`, which follow a header with this begin; also for a packet that was never finished.
    #[must_use]
    pub const fn new(bytes: &'a [u8], begin: u64) -> Self {
        Self { bytes, last: begin }
    }

    /// Returns the number of bytes that were not read yet.
    #[inline]
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the time of the last event, or of the begin.
    #[must_use]
    pub const fn reached(&self) -> u64 {
        self.last
    }

    /// Reads the next event, and returns it with the bytes after it.
    fn read(&self) -> Result<(Decoded<'a>, &'a [u8]), DecodeError> {
        let mut reader = Reader::new(self.bytes);
        let id = reader.byte().map_err(|_| DecodeError::Empty)?;
        let event = Event::known_name(id).ok_or(DecodeError::UnknownId { id })?;
        let bad = |error| DecodeError::BadField { event, field: "ts", error };
        let ts = packed_time(&mut reader, self.last).map_err(bad)?;
        let event = Event::read_packed(id, &mut reader)?;
        Ok((Decoded { ts: Some(ts), event }, reader.rest()))
    }

    /// Passes the next event to `take`, and consumes it if the result is true. Metadata has no time, as in frames.
    /// Fast, and without explaining errors: returns false also at the end and for invalid bytes; the iterator reports
    /// the error.
    #[cfg_attr(not(any(debug_assertions, target_family = "wasm")), inline(always))]
    pub fn take_next<T: EventHandler<'a, Out = bool>>(&mut self, take: T) -> bool {
        let Self { bytes, last } = *self;
        let word = ShortReader::first_word(bytes);
        let Some((ts, len, fields)) = time::decode_short(word >> 8, last) else {
            return false;
        };
        let fields = ShortReader::new(fields, bytes, 1 + len);
        match Event::short_with(word as u8, ts, fields, take) {
            Some((true, left)) => {
                *self = Self { bytes: left, last: ts };
                true
            }
            _ => false,
        }
    }
}

impl<'a> Iterator for Events<'a> {
    /// `ts` is there for metadata, too.
    type Item = Result<Decoded<'a>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.bytes.is_empty() {
            return None;
        }
        match self.read() {
            Ok((decoded, rest)) => {
                self.bytes = rest;
                self.last = decoded.ts.unwrap_or(self.last);
                Some(Ok(decoded))
            }
            Err(error) => {
                self.bytes = &[];
                Some(Err(error))
            }
        }
    }
}
