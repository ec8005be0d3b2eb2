//! Finds packets in bytes of which some may be lost, changed or strange.

use std::io::{self, Read};

use tband_format::packet::{HEADER_LEN, Header, HeaderError, MAGIC, MAX_LEN, Packet, PacketError};

use crate::wire::buffer::Buffer;

const BLOCK: usize = 64 * 1024;

/// What is in a stream of packets.
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
/// Nothing but the packets' own headers says where one begins, so that lost bytes cost the packets they are of: where
/// there is no whole packet with the right check, the search goes on one byte further. What fills a packet up after its
/// content is passed over, and searched too: bytes lost there cost nothing. Memory: 80 KiB.
#[derive(Debug)]
pub struct PacketReader<R> {
    buffer: Buffer<R>,
    search: Search,
}

impl<R: Read> PacketReader<R> {
    /// Starts at the first byte of `input`.
    pub fn new(input: R) -> Self {
        Self { buffer: Buffer::new(input, MAX_LEN + BLOCK), search: Search::default() }
    }

    /// Packets up to this offset were found to be whole before.
    pub(crate) fn with_checked(self, checked_to: u64) -> Self {
        Self { search: Search::checked_to(checked_to), ..self }
    }

    /// Offset of the next unread byte.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// The next packet, or what lies before it; `None` at the end.
    ///
    /// # Errors
    /// What the input reports. Nothing is lost: to call it again goes on there.
    pub fn next_piece(&mut self) -> io::Result<Option<PacketPiece<'_>>> {
        let Self { buffer, search } = self;
        match search.next(buffer)? {
            None => Ok(None),
            Some(Piece::Damage { offset, len, error }) => {
                Ok(Some(PacketPiece::Damage { offset, len, error }))
            }
            Some(Piece::Packet(header)) => {
                let offset = buffer.offset();
                buffer.skip(header.content_len);
                let packet = Packet::validated(header, buffer.taken(header.content_len));
                Ok(packet.map(|packet| PacketPiece::Packet { offset, packet }))
            }
        }
    }
}

/// Searches packets in bytes.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// Up to here the last packet is filled up.
    filled_to: u64,
    /// Where bytes began that are no packet, and what is wrong with them.
    damage: Option<(u64, PacketError)>,
    /// Bytes that a packet would have which begins there, by its header.
    begun: Option<usize>,
    /// Bytes of a slot, if the last packet was read out of memory.
    slot: Option<usize>,
    /// Up to here packets are one after the other from the first byte on, each with its check.
    whole_to: u64,
    /// The same, found out by who has read these bytes before.
    checked_to: u64,
    checks: Checks,
}

/// Which packets of the input had a check: one of the same kind that has none is damaged.
#[derive(Clone, Copy, Debug, Default)]
struct Checks {
    /// One that ends with its content, as those do that are sent.
    on_sent: bool,
    /// One that is longer, as those are that fill their slots. In memory these have none.
    on_filled: bool,
}

impl Checks {
    /// There was this packet.
    fn note(&mut self, header: &Header) {
        if is_filled(header) {
            self.on_filled = true;
        } else {
            self.on_sent = true;
        }
    }

    /// What the unread bytes begin with. None come after them if that is the end.
    fn look(self, unread: &[u8], is_end: bool) -> Found {
        match Packet::read(unread) {
            Ok(_) | Err(PacketError::Unchecked) if has_no_check(unread) => {
                self.look_without(unread, is_end)
            }
            Ok(packet) => Found::Packet(*packet.header()),
            Err(error @ PacketError::Truncated { .. }) => Found::Unknown(error),
            Err(error @ PacketError::Header(HeaderError::Truncated)) => Found::Unknown(error),
            Err(error) => Found::None(until_magic(unread), error),
        }
    }

    /// As [`look`](Self::look): all but the check is right. It is accepted if none of the same kind had one so far, nor
    /// has the one after it.
    fn look_without(self, unread: &[u8], is_end: bool) -> Found {
        let error = PacketError::Unchecked;
        let Ok(packet) = Packet::read_unchecked(unread) else { return Found::Unknown(error) };
        let header = packet.header();
        if if is_filled(header) { self.on_filled } else { self.on_sent } {
            return Found::None(until_magic(unread), error);
        }
        match Header::read(unread.get(header.packet_len..).unwrap_or_default()) {
            // In memory one that was sent may follow one that fills its slot.
            Ok((next, reported)) if reported != 0 && is_filled(&next) >= is_filled(header) => {
                Found::None(until_magic(unread), error)
            }
            Err(HeaderError::Truncated) if !is_end => Found::Unknown(error),
            _ => Found::Packet(*header),
        }
    }
}

const fn is_filled(header: &Header) -> bool {
    header.packet_len > header.content_len
}

/// What is in a stream of packets.
pub(super) enum Piece {
    /// A whole packet, of which nothing was taken yet.
    Packet(Header),
    /// As of [`PacketPiece`].
    Damage { offset: u64, len: u64, error: PacketError },
}

/// What the unread bytes begin with.
enum Found {
    Packet(Header),
    /// As many bytes as are no packet for certain, and why.
    None(usize, PacketError),
    /// That shows when more is read.
    Unknown(PacketError),
}

impl Search {
    /// Where packets were found to be whole before, up to this offset: their checks are not worked out again.
    pub fn checked_to(checked_to: u64) -> Self {
        Self { checked_to, ..Self::default() }
    }

    /// Up to here packets are one after the other from the first byte on, each with its check.
    pub const fn whole_to(&self) -> u64 {
        self.whole_to
    }

    /// It is known of these bytes what they begin with, without more of them.
    pub fn finds(bytes: &[u8]) -> bool {
        !matches!(Checks::default().look(bytes, false), Found::Unknown(_))
    }

    /// The next packet, or what lies before it, which was taken; `None` at the end.
    pub fn next<R: Read>(&mut self, buffer: &mut Buffer<R>) -> io::Result<Option<Piece>> {
        loop {
            if let Some(header) = self.next_checked(buffer) {
                return Ok(Some(Piece::Packet(header)));
            }
            match self.checks.look(buffer.unread(), buffer.is_at_end()) {
                Found::Packet(_) if self.damage.is_some() => return Ok(self.take_damage(buffer)),
                Found::Packet(header) => {
                    let is_next = buffer.offset() == self.filled_to;
                    if is_next && self.whole_to == self.filled_to && !has_no_check(buffer.unread())
                    {
                        self.whole_to = self.filled_to.saturating_add(header.packet_len as u64);
                    }
                    self.filled_to = buffer.offset().saturating_add(header.packet_len as u64);
                    self.slot = has_no_check(buffer.unread()).then_some(header.packet_len);
                    if self.slot.is_none() {
                        self.checks.note(&header);
                    }
                    return Ok(Some(Piece::Packet(header)));
                }
                Found::None(len, error) => self.pass(buffer, len, error),
                Found::Unknown(error) if buffer.is_at_end() => {
                    if buffer.unread().is_empty() {
                        return Ok(self.take_damage(buffer));
                    }
                    self.pass(buffer, 1, error);
                }
                Found::Unknown(_) => buffer.fill()?,
            }
        }
    }

    /// The next packet, if it was checked before and is all there.
    fn next_checked<R: Read>(&mut self, buffer: &mut Buffer<R>) -> Option<Header> {
        if self.filled_to >= self.checked_to {
            return None;
        }
        let filling = usize::try_from(self.filled_to.checked_sub(buffer.offset())?).ok()?;
        let bytes = buffer.unread().get(filling..)?;
        let (header, _) = Header::read(bytes).ok()?;
        if bytes.len() < header.content_len {
            return None;
        }
        buffer.skip(filling);
        self.checks.note(&header);
        self.filled_to = self.filled_to.saturating_add(header.packet_len as u64);
        Some(header)
    }

    /// These bytes are no packet.
    fn pass<R: Read>(&mut self, buffer: &mut Buffer<R>, len: usize, error: PacketError) {
        if let Some(slot) = self.slot
            && self.filled_to == buffer.offset()
            && is_unused(buffer.unread())
        {
            self.filled_to = self.filled_to.saturating_add(slot as u64);
        }
        let filling = usize::try_from(self.filled_to.saturating_sub(buffer.offset()));
        let filling = filling.unwrap_or(usize::MAX);
        if filling == 0 && self.damage.is_none() {
            self.damage = Some((buffer.offset(), error));
            self.begun = len_of_begun(buffer.unread());
        }
        buffer.skip(if filling == 0 { len } else { len.min(filling) });
    }

    fn take_damage<R: Read>(&mut self, buffer: &Buffer<R>) -> Option<Piece> {
        let (offset, error) = self.damage.take()?;
        Some(Piece::Damage { offset, len: buffer.offset().saturating_sub(offset), error })
    }

    /// The damage of the last piece, of so many bytes, is the beginning of a packet and nothing else.
    pub fn was_cut(&self, len: u64) -> bool {
        self.begun.is_some_and(|begun| len < begun as u64)
    }
}

/// Bytes of the packet that begins with these, by its header, or of a header if that is all that is there of it.
fn len_of_begun(bytes: &[u8]) -> Option<usize> {
    if let Ok((header, _)) = Header::read(bytes) {
        return Some(header.packet_len);
    }
    let magic = MAGIC.to_le_bytes();
    // The bytes after a header that is cut are of the next packet, so the rest of the header shows nothing.
    match bytes.iter().zip(&magic).take_while(|(byte, of)| byte == of).count() {
        0 => None,
        same if same == magic.len() => Some(HEADER_LEN),
        same => Some(same + 1),
    }
}

/// Nobody has worked out its check, so it was read out of a ring in memory.
fn has_no_check(packet: &[u8]) -> bool {
    packet.get(12..16) == Some(&[0; 4])
}

/// A slot of a ring that was never used, or was being taken into use: no magic number, or no size.
fn is_unused(slot: &[u8]) -> bool {
    slot.starts_with(&[0; 4]) || slot.get(8..10) == Some(&[0; 2])
}

/// Bytes from the first one on until another packet may begin.
fn until_magic(bytes: &[u8]) -> usize {
    let [first, ..] = MAGIC.to_le_bytes();
    let rest = bytes.get(1..).unwrap_or_default();
    1 + memchr::memchr(first, rest).unwrap_or(rest.len())
}
