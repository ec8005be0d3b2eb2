//! Reads packets: whether one is whole, and the events in it.

use core::fmt;

use super::check::check;
use super::header::{HEADER_LEN, Header, HeaderError};
use super::time;
use crate::decode::{DecodeError, Decoded};
use crate::reader::{FieldError, Reader};
use crate::registry::Event;

/// Why there is no whole packet here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PacketError {
    /// No header of a packet.
    Header(HeaderError),
    /// Its content goes on behind the end of the bytes.
    Truncated {
        /// Bytes of the content that are missing.
        missing: usize,
    },
    /// It is not what was written: its check is another one.
    Damaged {
        /// The check that stands in the header.
        told: u32,
        /// The check over what there is.
        found: u32,
    },
}

impl fmt::Display for PacketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Header(error) => error.fmt(f),
            Self::Truncated { missing } => {
                write!(f, "the last {missing} bytes of the packet are missing")
            }
            Self::Damaged { told, found } => {
                write!(f, "damaged: its check is 0x{found:08X}, and it says 0x{told:08X}")
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

/// A whole packet whose check is right.
#[derive(Clone, Copy, Debug)]
pub struct Packet<'a> {
    header: Header,
    events: &'a [u8],
}

impl<'a> Packet<'a> {
    /// The packet that `bytes` begin with. What follows its content is not looked at, and need not be there.
    ///
    /// # Errors
    /// [`PacketError`]; no input panics.
    pub fn read(bytes: &'a [u8]) -> Result<Self, PacketError> {
        let (header, told) = Header::read(bytes)?;
        let missing = header.content_len.saturating_sub(bytes.len());
        let content = bytes.get(..header.content_len).ok_or(PacketError::Truncated { missing })?;
        let found = check(content);
        if told != found {
            return Err(PacketError::Damaged { told, found });
        }
        Self::believed(header, bytes).ok_or(PacketError::Truncated { missing })
    }

    /// The packet that `bytes` begin with, whose header was read and whose check was found right before: for who
    /// looks twice. `None` if the content is not all there.
    #[must_use]
    pub fn believed(header: Header, bytes: &'a [u8]) -> Option<Self> {
        Some(Self { header, events: bytes.get(HEADER_LEN..header.content_len)? })
    }

    /// What stands in its header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Its events.
    #[must_use]
    pub const fn events(&self) -> Events<'a> {
        Events::new(self.events, self.header.begin)
    }
}

/// The events in a packet. Ends behind the first one that is none, since nothing tells where the next one begins.
#[derive(Clone, Debug)]
pub struct Events<'a> {
    reader: Reader<'a>,
    /// Time of the event before.
    last: u64,
}

impl<'a> Events<'a> {
    /// The events in `bytes`, which follow a header that says when the packet begins: also those of a packet that
    /// was never finished.
    #[must_use]
    pub const fn new(bytes: &'a [u8], begin: u64) -> Self {
        Self { reader: Reader::new(bytes), last: begin }
    }

    /// Bytes that were not read yet.
    #[must_use]
    pub const fn left(&self) -> usize {
        self.reader.left()
    }

    fn read(&mut self) -> Result<Decoded<'a>, DecodeError> {
        let id = self.reader.byte().map_err(|_| DecodeError::Empty)?;
        let event = Event::known_name(id).ok_or(DecodeError::UnknownId { id })?;
        let bad = |error| DecodeError::BadField { event, field: "ts", error };
        let first = self.reader.clone().byte().map_err(bad)?;
        let bytes = self.reader.bytes(time::len(first)).map_err(bad)?;
        let ts = time::decode(bytes, self.last).ok_or(bad(FieldError::Overflow))?;
        let event = Event::read_packed(id, &mut self.reader)?;
        self.last = ts;
        Ok(Decoded { ts: Some(ts), event })
    }
}

impl<'a> Iterator for Events<'a> {
    /// `ts` is there for metadata, too.
    type Item = Result<Decoded<'a>, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.reader.is_empty() {
            return None;
        }
        let read = self.read();
        if read.is_err() {
            self.reader = Reader::new(&[]);
        }
        Some(read)
    }
}
