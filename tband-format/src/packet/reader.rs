//! Reads packets: whether one is whole, and the events in it.

use core::fmt;

use super::check::check;
use super::header::{HEADER_LEN, Header, HeaderError, METADATA_STREAM};
use super::time;
use crate::decode::{DecodeError, Decoded, Take};
use crate::reader::{FieldError, Reader};
use crate::registry::{Event, LAST_BASE_ID};
use crate::short::Short;

/// Why there is no whole packet here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PacketError {
    /// No header of a packet.
    Header(HeaderError),
    /// Its content goes on after the end of the bytes.
    Truncated {
        /// Bytes of the content that are missing.
        missing: usize,
    },
    /// It is not what was written: its check is another one.
    Damaged {
        /// The check that is in the header.
        reported: u32,
        /// The check over what there is.
        found: u32,
    },
    /// It has no check, and does not hold: its content is not events within its times.
    Unsound,
    /// It has no check, and nothing after its content: whoever sends packets like that gives them one.
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
                write!(f, "damaged: its check is 0x{found:08X}, and it says 0x{reported:08X}")
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

/// A whole packet whose check is right, or that holds without one.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    header: Header,
    events: &'a [u8],
}

impl<'a> Packet<'a> {
    /// The packet that `bytes` begin with. What follows its content is not looked at, and need not be there.
    ///
    /// A check of 0 is accepted of a packet that is longer than its content, as those in a target's memory are: each
    /// fills its slot. Packets that were sent end with their content, and a burst of zeros must not pass for one of the
    /// others.
    ///
    /// # Errors
    /// [`PacketError`]; no input panics.
    pub fn read(bytes: &'a [u8]) -> Result<Self, PacketError> {
        Self::read_with(bytes, |header| header.packet_len > header.content_len)
    }

    /// As [`read`](Self::read), where no packet has a check.
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
            return match (packet.holds(), needs_no_check(&header)) {
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

    /// The packet that `bytes` begin with, whose header was read and whose check was found right before: for those who
    /// look twice. `None` if the content is not all there.
    #[must_use]
    pub fn validated(header: Header, bytes: &'a [u8]) -> Option<Self> {
        Some(Self { header, events: bytes.get(HEADER_LEN..header.content_len)? })
    }

    /// Its content is what it should be, to the last byte, or up to the first event that only its recording describes.
    fn holds(&self) -> bool {
        if self.header.stream == METADATA_STREAM {
            return are_frames(self.events);
        }
        let end = self.header.end;
        self.events().all(|event| match event {
            Ok(event) => event.ts.is_some_and(|ts| ts <= end),
            Err(error) => matches!(error, DecodeError::UnknownId { id } if id > LAST_BASE_ID),
        })
    }

    /// What is in its header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// What is after the header: events, or in the stream of metadata frames.
    #[must_use]
    pub const fn content(&self) -> &'a [u8] {
        self.events
    }

    /// Its events; of the stream of metadata see [`content`](Self::content).
    #[must_use]
    pub const fn events(&self) -> Events<'a> {
        Events::new(self.events, self.header.begin)
    }
}

/// Frames, whole ones up to the end: from code to code each leads to its zero.
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

/// The events in a packet. Ends after the first one that is none, since nothing says where the next one begins.
#[derive(Clone, Debug)]
pub struct Events<'a> {
    /// From the next event on.
    bytes: &'a [u8],
    /// Time of the event before.
    last: u64,
}

impl<'a> Events<'a> {
    /// The events in `bytes`, which follow a header that says when the packet begins: also those of a packet that
    /// was never finished.
    #[must_use]
    pub const fn new(bytes: &'a [u8], begin: u64) -> Self {
        Self { bytes, last: begin }
    }

    /// Bytes that were not read yet.
    #[inline]
    #[must_use]
    pub const fn left(&self) -> usize {
        self.bytes.len()
    }

    /// Time of the last event, or of the begin.
    #[must_use]
    pub const fn reached(&self) -> u64 {
        self.last
    }

    /// The next event, and the bytes after it.
    fn read(&self) -> Result<(Decoded<'a>, &'a [u8]), DecodeError> {
        let mut reader = Reader::new(self.bytes);
        let id = reader.byte().map_err(|_| DecodeError::Empty)?;
        let event = Event::known_name(id).ok_or(DecodeError::UnknownId { id })?;
        let bad = |error| DecodeError::BadField { event, field: "ts", error };
        let ts = packed_time(&mut reader, self.last).map_err(bad)?;
        let event = Event::read_packed(id, &mut reader)?;
        Ok((Decoded { ts: Some(ts), event }, reader.rest()))
    }

    /// Hands the next event on, which is taken if the answer is true. Metadata has no time, as in frames. Fast, and
    /// without a word about what is wrong: false also at the end and at what is no event; the iterator reports.
    #[cfg_attr(not(any(debug_assertions, target_family = "wasm")), inline(always))]
    pub fn take_next<T: Take<'a, Out = bool>>(&mut self, take: T) -> bool {
        let Self { bytes, last } = *self;
        let word = Short::first_word(bytes);
        let Some((ts, len, fields)) = time::decode_short(word >> 8, last) else {
            return false;
        };
        let fields = Short::new(fields, bytes, 1 + len);
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
