//! Finds packets in bytes of which some may be lost, changed or strange.

use std::io::{self, Read};

use tband_format::packet::{Header, HeaderError, MAGIC, MAX_LEN, Packet, PacketError};

use crate::text::read_retrying;

const BLOCK: usize = 64 * 1024;

/// What stands in a stream of packets.
#[derive(Clone, Copy, Debug)]
pub enum PacketPiece<'a> {
    /// A whole packet.
    Packet {
        /// Offset of its first byte.
        offset: u64,
        /// The packet.
        packet: Packet<'a>,
    },
    /// Bytes that are no packet.
    Damage {
        /// Offset of the first of them.
        offset: u64,
        /// How many there are.
        len: u64,
        /// What is wrong with the packet that begins there, if one does.
        error: PacketError,
    },
}

/// Reads packets from a byte stream.
///
/// Nothing but the packets' own headers tells where one begins, so that lost bytes cost the packets they are of: where
/// there is no whole packet with the right check, the search goes on one byte further. What fills a packet up behind its
/// content is passed over, and searched too: bytes lost there cost nothing. Memory: 80 KiB.
#[derive(Debug)]
pub struct PacketReader<R> {
    input: R,
    buf: Vec<u8>,
    /// Unread bytes are `buf[at..len]`.
    at: usize,
    len: usize,
    /// Offset of `buf[0]`.
    base: u64,
    at_end: bool,
    /// Up to here the last packet is filled up.
    filled_to: u64,
    /// Where bytes began that are no packet, and what is wrong with them.
    damage: Option<(u64, PacketError)>,
}

/// What the unread bytes begin with.
enum Found {
    Packet(Header),
    /// As many bytes as are no packet for certain, and why.
    None(usize, PacketError),
    /// That shows when more is read.
    Unknown(PacketError),
}

impl<R: Read> PacketReader<R> {
    /// Starts at the first byte of `input`.
    pub fn new(input: R) -> Self {
        let buf = vec![0; MAX_LEN + BLOCK];
        Self { input, buf, at: 0, len: 0, base: 0, at_end: false, filled_to: 0, damage: None }
    }

    /// Offset of the next unread byte.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(self.at as u64)
    }

    /// The next packet, or what lies ahead of it; `None` at the end.
    ///
    /// # Errors
    /// What the input reports. Nothing is lost: to call it again goes on there.
    pub fn next_piece(&mut self) -> io::Result<Option<PacketPiece<'_>>> {
        let header = loop {
            match self.look() {
                Found::Packet(_) if self.damage.is_some() => return Ok(self.take_damage()),
                Found::Packet(header) => break header,
                Found::None(len, error) => self.pass(len, error),
                Found::Unknown(error) if self.at_end => {
                    if self.at == self.len {
                        return Ok(self.take_damage());
                    }
                    self.pass(1, error);
                }
                Found::Unknown(_) => self.read_more()?,
            }
        };
        let (start, offset) = (self.at, self.offset());
        self.at = start.saturating_add(header.content_len);
        self.filled_to = offset.saturating_add(header.packet_len as u64);
        let content = self.buf.get(start..self.at).unwrap_or_default();
        let packet = Packet::believed(header, content);
        Ok(packet.map(|packet| PacketPiece::Packet { offset, packet }))
    }

    fn look(&self) -> Found {
        let unread = self.buf.get(self.at..self.len).unwrap_or_default();
        match Packet::read(unread) {
            Ok(packet) => Found::Packet(*packet.header()),
            Err(error @ PacketError::Truncated { .. }) => Found::Unknown(error),
            Err(error @ PacketError::Header(HeaderError::Truncated)) => Found::Unknown(error),
            Err(error) => Found::None(until_magic(unread), error),
        }
    }

    /// These bytes are no packet.
    fn pass(&mut self, len: usize, error: PacketError) {
        let filling = usize::try_from(self.filled_to.saturating_sub(self.offset()));
        let filling = filling.unwrap_or(usize::MAX);
        if filling == 0 && self.damage.is_none() {
            self.damage = Some((self.offset(), error));
        }
        let len = if filling == 0 { len } else { len.min(filling) };
        self.at = self.at.saturating_add(len).min(self.len);
    }

    fn take_damage(&mut self) -> Option<PacketPiece<'_>> {
        let (offset, error) = self.damage.take()?;
        Some(PacketPiece::Damage { offset, len: self.offset().saturating_sub(offset), error })
    }

    fn read_more(&mut self) -> io::Result<()> {
        if self.at > BLOCK {
            self.buf.copy_within(self.at..self.len, 0);
            self.base = self.base.saturating_add(self.at as u64);
            self.len -= self.at;
            self.at = 0;
        }
        let room = self.buf.get_mut(self.len..).unwrap_or_default();
        let read = read_retrying(&mut self.input, room)?;
        self.len += read;
        self.at_end = read == 0;
        Ok(())
    }
}

/// Bytes from the first one on until another packet may begin.
fn until_magic(bytes: &[u8]) -> usize {
    let [first, ..] = MAGIC.to_le_bytes();
    let rest = bytes.get(1..).unwrap_or_default();
    1 + memchr::memchr(first, rest).unwrap_or(rest.len())
}
