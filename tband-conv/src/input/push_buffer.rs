//! Sources of an input's bytes: a reader, or a caller that feeds them.

use std::io::{self, Read};

use crate::encoding::notation::BoxRead;

/// Bytes that are fed and not yet read, at most.
pub(crate) const ROOM: usize = 64 * 1024;

/// Maximum bytes that are read at once: a step of a conversion ends after as many.
const PIECE: usize = 8 * 1024;

/// The bytes of a recording.
pub(crate) enum Bytes<'r> {
    /// They are read.
    Read(BoxRead<'r>),
    /// They are fed.
    Fed(PushBuffer),
}

impl Read for Bytes<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Read(reader) => reader.read(buf),
            Self::Fed(fed) => fed.read(buf),
        }
    }
}

/// Bytes that wait to be read. If there are none, a read reports that the reader must [try again](io::ErrorKind::WouldBlock),
/// or that this was the end.
#[derive(Debug, Default)]
pub(crate) struct PushBuffer {
    bytes: Vec<u8>,
    has_ended: bool,
}

impl PushBuffer {
    /// Takes as many of these bytes as fit; returns how many.
    pub fn feed(&mut self, bytes: &[u8]) -> usize {
        let room = if self.has_ended { 0 } else { ROOM.saturating_sub(self.bytes.len()) };
        let taken = bytes.get(..room).unwrap_or(bytes);
        self.bytes.extend_from_slice(taken);
        taken.len()
    }

    /// There will be no more.
    pub const fn end(&mut self) {
        self.has_ended = true;
    }
}

impl Read for PushBuffer {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() && !self.has_ended && !buf.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let len = buf.len().min(self.bytes.len()).min(PIECE);
        for (to, from) in buf.iter_mut().zip(self.bytes.drain(..len)) {
            *to = from;
        }
        Ok(len)
    }
}
