//! The header of a packet.

use core::fmt;

use super::check::check;

/// First four bytes of every packet.
pub const MAGIC: u32 = 0xC1FC_1FC1;

/// Version of the format of packets.
pub const VERSION: u8 = 1;

/// The stream of metadata; all others are cores.
pub const METADATA_STREAM: u8 = 255;

/// Bytes of a header.
pub const HEADER_LEN: usize = 36;

/// Offset of the begin time in a header.
pub const BEGIN_AT: usize = 16;

/// Maximum size of a packet in bytes: its size in bits must fit 16 bits.
pub const MAX_LEN: usize = 0xFFFF / 8;

/// The contents of a packet's header, except its checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The core, or [`METADATA_STREAM`].
    pub stream: u8,
    /// Counts the packets of a core, modulo 2^16.
    pub sequence: u16,
    /// Bytes of header and events.
    pub content_len: usize,
    /// Bytes of the packet, at least `content_len`; bytes between the two are ignored.
    pub packet_len: usize,
    /// Time in ticks from which on the packet contains all events except discarded ones.
    pub begin: u64,
    /// Time in ticks up to which it has.
    pub end: u64,
    /// Events of the core that were discarded up to the end of the packet, modulo 2^32.
    pub discarded: u32,
}

/// Why no packet begins here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderError {
    /// Not even a header.
    Truncated,
    /// Something else.
    NoMagic,
    /// A version of the format that this reader does not know.
    Version(u8),
    /// Sizes that cannot be.
    Sizes {
        /// Bits of header and events.
        content: u16,
        /// Bits of the packet.
        packet: u16,
    },
    /// It ends before it begins.
    Times {
        /// Time of its begin in ticks.
        begin: u64,
        /// Time of its end.
        end: u64,
    },
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Truncated => write!(f, "less than the {HEADER_LEN} bytes of a packet's header"),
            Self::NoMagic => write!(f, "no packet begins here"),
            Self::Version(version) => {
                write!(f, "a packet of version {version}; known is {VERSION}")
            }
            Self::Sizes { content, packet } => {
                write!(f, "a packet of {packet} bits with {content} bits in it")
            }
            Self::Times { begin, end } => {
                write!(f, "a packet from {begin} to {end} ticks")
            }
        }
    }
}

impl core::error::Error for HeaderError {}

impl Header {
    /// Reads the header at the begin of `bytes`, and its checksum. The rest is not read.
    ///
    /// # Errors
    /// [`HeaderError`]; no input panics.
    pub fn read(bytes: &[u8]) -> Result<(Self, u32), HeaderError> {
        let bytes: &[u8; HEADER_LEN] = bytes.first_chunk().ok_or(HeaderError::Truncated)?;
        let mut fields = Fields(bytes);
        if u32::from_le_bytes(fields.take()) != MAGIC {
            return Err(HeaderError::NoMagic);
        }
        let [stream, version] = fields.take();
        if version != VERSION {
            return Err(HeaderError::Version(version));
        }
        let sequence = u16::from_le_bytes(fields.take());
        let content = u16::from_le_bytes(fields.take());
        let packet = u16::from_le_bytes(fields.take());
        let check = u32::from_le_bytes(fields.take());
        let begin = u64::from_le_bytes(fields.take());
        let end = u64::from_le_bytes(fields.take());
        let discarded = u32::from_le_bytes(fields.take());
        let (content_len, packet_len) = (usize::from(content / 8), usize::from(packet / 8));
        let whole = content.is_multiple_of(8) && packet.is_multiple_of(8);
        if !whole || content_len < HEADER_LEN || packet_len < content_len {
            return Err(HeaderError::Sizes { content, packet });
        }
        if end < begin {
            return Err(HeaderError::Times { begin, end });
        }
        let header = Self { stream, sequence, content_len, packet_len, begin, end, discarded };
        Ok((header, check))
    }

    /// Writes the header in front of the events that are in `packet` already, with the checksum over both.
    /// Returns `None`, and writes nothing, if a size is not valid for a packet, or if `packet` is shorter than
    /// its content.
    #[must_use]
    pub fn write(&self, packet: &mut [u8]) -> Option<()> {
        let sizes = HEADER_LEN <= self.content_len
            && self.content_len <= self.packet_len
            && self.packet_len <= MAX_LEN;
        let content = packet.get_mut(..self.content_len).filter(|_| sizes)?;
        let bits = |len: usize| u16::try_from(len * 8).unwrap_or(u16::MAX).to_le_bytes();
        let header: &mut [u8; HEADER_LEN] = content.first_chunk_mut()?;
        let [content_len, packet_len] = [self.content_len, self.packet_len].map(bits);
        let parts: [&[u8]; 9] = [
            &MAGIC.to_le_bytes(),
            &[self.stream, VERSION],
            &self.sequence.to_le_bytes(),
            &content_len,
            &packet_len,
            &[0; 4],
            &self.begin.to_le_bytes(),
            &self.end.to_le_bytes(),
            &self.discarded.to_le_bytes(),
        ];
        for (to, from) in header.iter_mut().zip(parts.into_iter().flatten()) {
            *to = *from;
        }
        let sum = check(content).to_le_bytes();
        for (to, from) in content.iter_mut().skip(12).zip(sum) {
            *to = from;
        }
        Some(())
    }
}

/// Reads fields from the front of a header.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        // The header has as many bytes as its fields.
        let Some((field, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *field
    }
}
