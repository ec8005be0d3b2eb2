//! Finds packets in bytes of which some may be lost, changed or strange.

use std::io::{self, Read};

use tband_format::packet::{HEADER_LEN, Header, HeaderError, MAGIC, MAX_LEN, Packet, PacketError};

use super::order::{Order, PacketDecision};
use crate::repair::change::Change;
use crate::repair::quote::Quote;
use crate::repair::stray::{Cause, StrayBytes};
use crate::repair::{Attempt, Repair, RestoredPacket, until_start};
use crate::wire::buffer::Buffer;

const BLOCK: usize = 64 * 1024;

/// An item of a stream of packets.
#[derive(Clone, Copy, Debug)]
pub enum PacketPiece<'a> {
    /// A complete packet.
    Packet {
        /// Offset of its first byte.
        offset: u64,
        /// The packet.
        packet: Packet<'a>,
    },
    /// Bytes that are not a packet.
    Damage {
        /// Offset of the first of them.
        offset: u64,
        /// How many there are.
        len: u64,
        /// The fault of the packet that begins there, if one does.
        error: PacketError,
    },
}

/// Reads packets from a byte stream.
///
/// Only the packets' own headers mark where one begins, so lost bytes cost the packets that they belong to: where there is no
/// complete packet with the right check, the search continues one byte further. Fill bytes after a packet's content are
/// skipped, but searched too: bytes lost there cost nothing. Memory: 80 KiB.
#[derive(Debug)]
pub struct PacketReader<R> {
    buffer: Buffer<R>,
    search: PacketSearch,
}

impl<R: Read> PacketReader<R> {
    /// Starts at the first byte of `input`.
    pub fn new(input: R) -> Self {
        Self { buffer: Buffer::new(input, MAX_LEN + BLOCK), search: PacketSearch::default() }
    }

    /// Packets up to this offset were found to be complete before.
    pub(crate) fn with_checked(self, checked_to: u64) -> Self {
        Self { search: PacketSearch::checked_to(checked_to), ..self }
    }

    /// Offset of the next unread byte.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// Returns the next packet, or the bytes before it; `None` at the end.
    ///
    /// # Errors
    /// The input's error. Nothing is lost: the next call continues there.
    pub fn next_piece(&mut self) -> io::Result<Option<PacketPiece<'_>>> {
        let Self { buffer, search } = self;
        match search.next(buffer)? {
            None => Ok(None),
            Some(Piece::Damage { offset, len, error, .. }) => {
                Ok(Some(PacketPiece::Damage { offset, len, error }))
            }
            Some(Piece::Packet(header)) => {
                let offset = buffer.offset();
                buffer.skip(header.content_len);
                let packet = Packet::validated(header, buffer.last_taken(header.content_len));
                Ok(packet.map(|packet| PacketPiece::Packet { offset, packet }))
            }
        }
    }
}

/// Searches packets in bytes.
#[derive(Debug, Default)]
pub(super) struct PacketSearch {
    /// Up to here the last packet is filled up.
    filled_to: u64,
    /// Start of bytes that are not a packet, and their fault.
    damage: Option<(u64, PacketError)>,
    /// Bytes that a packet would have which begins there, by its header.
    begun: Option<usize>,
    /// The fill bytes of the last packet may be shorter or longer than they were.
    is_filling_changed: bool,
    /// Bytes of a slot, if the last packet was read out of memory.
    slot: Option<usize>,
    /// Up to here packets are one after the other from the first byte on, each with its check.
    whole_to: u64,
    /// The same offset, from an earlier reader of these bytes.
    checked_to: u64,
    checks: Checks,
    order: Order,
    /// Undoes changes to packets on the way.
    repair: Repair,
    /// Evidence about the bytes that are not a packet.
    stray: StrayBytes,
    /// An item that was found together with the last one, and follows it.
    pending: Option<Piece>,
    /// Changes to the last packet.
    restored: Option<([Option<Change>; 2], Option<Quote>)>,
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

    /// Recognises the unread bytes. None come after them if `is_end`.
    fn recognise(self, unread: &[u8], is_end: bool) -> UnreadKind {
        match Packet::read(unread) {
            Ok(_) | Err(PacketError::Unchecked) if has_no_check(unread) => {
                self.recognise_without_check(unread, is_end)
            }
            Ok(packet) => UnreadKind::Packet(*packet.header()),
            Err(error @ PacketError::Truncated { .. }) => UnreadKind::Unknown(error),
            Err(error @ PacketError::Header(HeaderError::Truncated)) => UnreadKind::Unknown(error),
            Err(error) => UnreadKind::None(until_magic(unread), error),
        }
    }

    /// As [`recognise`](Self::recognise), where everything except the check is right. It is accepted if no packet of
    /// the same kind had a check so far, nor has the one after it.
    fn recognise_without_check(self, unread: &[u8], is_end: bool) -> UnreadKind {
        let error = PacketError::Unchecked;
        let Ok(packet) = Packet::read_unchecked(unread) else { return UnreadKind::Unknown(error) };
        let header = packet.header();
        if if is_filled(header) { self.on_filled } else { self.on_sent } {
            return UnreadKind::None(until_magic(unread), error);
        }
        match Header::read(unread.get(header.packet_len..).unwrap_or_default()) {
            // In memory one that was sent may follow one that fills its slot.
            Ok((next, reported)) if reported != 0 && is_filled(&next) >= is_filled(header) => {
                UnreadKind::None(until_magic(unread), error)
            }
            Err(HeaderError::Truncated) if !is_end => UnreadKind::Unknown(error),
            _ => UnreadKind::Packet(*header),
        }
    }
}

const fn is_filled(header: &Header) -> bool {
    header.packet_len > header.content_len
}

/// An item of a stream of packets.
#[derive(Debug)]
pub(super) enum Piece {
    /// A complete packet, still unread.
    Packet(Header),
    /// As [`PacketPiece`], with its cause.
    Damage { offset: u64, len: u64, error: PacketError, cause: Cause },
}

/// Kind of the unread bytes.
enum UnreadKind {
    Packet(Header),
    /// This many bytes are certainly not a packet, with the reason.
    None(usize, PacketError),
    /// That shows when more is read.
    Unknown(PacketError),
}

impl PacketSearch {
    /// Creates a search where packets up to this offset were found to be complete before: their checks are not computed again.
    pub fn checked_to(checked_to: u64) -> Self {
        Self { checked_to, ..Self::default() }
    }

    /// Up to here packets are one after the other from the first byte on, each with its check.
    pub const fn whole_to(&self) -> u64 {
        self.whole_to
    }

    /// Whether these bytes are recognised without more of them.
    pub fn is_recognised(bytes: &[u8]) -> bool {
        !matches!(Checks::default().recognise(bytes, false), UnreadKind::Unknown(_))
    }

    /// More of the input is not waited for to put packets in order.
    pub const fn set_live(&mut self) {
        self.order.set_live();
    }

    /// Takes the changes to the packet that was found last, if it was restored.
    pub const fn take_restored(&mut self) -> Option<([Option<Change>; 2], Option<Quote>)> {
        self.restored.take()
    }

    /// Returns the next packet, or the bytes before it, which were taken; `None` at the end.
    pub fn next<R: Read>(&mut self, buffer: &mut Buffer<R>) -> io::Result<Option<Piece>> {
        loop {
            if let Some(header) = self.find_checked(buffer) {
                match self.order.place(header, buffer) {
                    PacketDecision::NextItem(header) => {
                        self.take_checked(&header, buffer);
                        return Ok(Some(Piece::Packet(header)));
                    }
                    PacketDecision::LeftOut => {
                        self.take_checked(&header, buffer);
                        buffer.skip(header.content_len);
                    }
                    PacketDecision::NeedsMore => buffer.fill()?,
                }
                continue;
            }
            if let Some(pending) = self.pending.take() {
                return Ok(Some(pending));
            }
            let (len, error) = match self.checks.recognise(buffer.unread(), buffer.is_at_end()) {
                UnreadKind::Packet(_) if self.damage.is_some() => {
                    return Ok(self.take_damage(buffer));
                }
                UnreadKind::Packet(found) => {
                    let place = self.order.place(found, buffer);
                    let header = match place {
                        PacketDecision::NextItem(header) => header,
                        PacketDecision::LeftOut => found,
                        PacketDecision::NeedsMore => {
                            buffer.fill()?;
                            continue;
                        }
                    };
                    let is_next = buffer.offset() == self.filled_to;
                    if is_next && self.whole_to == self.filled_to && !has_no_check(buffer.unread())
                    {
                        self.whole_to = self.filled_to.saturating_add(header.packet_len as u64);
                    }
                    self.filled_to = buffer.offset().saturating_add(header.packet_len as u64);
                    self.is_filling_changed = false;
                    self.slot = has_no_check(buffer.unread()).then_some(header.packet_len);
                    if self.slot.is_none() {
                        self.checks.note(&header);
                    }
                    if matches!(place, PacketDecision::LeftOut) {
                        buffer.skip(header.content_len);
                        continue;
                    }
                    return Ok(Some(Piece::Packet(header)));
                }
                UnreadKind::None(len, error) => (len, error),
                UnreadKind::Unknown(_) if buffer.is_at_end() && buffer.unread().is_empty() => {
                    return Ok(self.take_damage(buffer));
                }
                UnreadKind::Unknown(error) if buffer.is_at_end() => (1, error),
                UnreadKind::Unknown(_) => {
                    buffer.fill()?;
                    continue;
                }
            };
            if let Some(piece) = self.restore(buffer, len, error)? {
                return Ok(Some(piece));
            }
        }
    }

    /// Restores the packet that begins here, or skips the bytes that are not a packet.
    #[cold]
    fn restore<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        len: usize,
        error: PacketError,
    ) -> io::Result<Option<Piece>> {
        // Fill bytes are not examined, unless they may have become shorter; packets from memory have no checks.
        let is_filling = buffer.offset() < self.filled_to && !self.is_filling_changed;
        if is_filling || self.slot.is_some() {
            self.pass(buffer, len, error);
            return Ok(None);
        }
        let found = self.repair.attempt(buffer.unread(), buffer.is_at_end());
        match found {
            Attempt::NeedsMore => buffer.fill()?,
            Attempt::Restored(_) if self.damage.is_some() => return Ok(self.take_damage(buffer)),
            Attempt::Restored(RestoredPacket { packet, raw_len, changes, text }) => {
                if let Ok((header, _)) = Header::read(&packet) {
                    buffer.replace(raw_len, &packet);
                    // Its fill bytes were changed like its content.
                    let times = raw_len.div_ceil(header.content_len);
                    let filling = (header.packet_len - header.content_len).saturating_mul(times);
                    let len = header.content_len.saturating_add(filling);
                    self.filled_to = buffer.offset().saturating_add(len as u64);
                    self.is_filling_changed = true;
                    self.checks.note(&header);
                    if !self.order.place_restored(header, buffer) {
                        buffer.skip(header.content_len);
                        return Ok(None);
                    }
                    self.restored = Some((changes, text));
                    return Ok(Some(Piece::Packet(header)));
                }
                self.pass(buffer, len, error);
            }
            Attempt::Nothing { shows, is_cut } => {
                let is_first = self.damage.is_none();
                let len = len.min(until_start(buffer.unread()));
                self.pass(buffer, len, error);
                if let Some(change) = shows {
                    self.stray.note_change(change);
                }
                if is_cut && is_first {
                    self.stray.cut();
                }
            }
        }
        Ok(None)
    }

    /// The next packet, if it was checked before and is all there: then it is at the front.
    fn find_checked<R: Read>(&self, buffer: &mut Buffer<R>) -> Option<Header> {
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
        Some(header)
    }

    /// The packet at the front was checked before.
    fn take_checked<R: Read>(&mut self, header: &Header, buffer: &Buffer<R>) {
        self.checks.note(header);
        self.filled_to = buffer.offset().saturating_add(header.packet_len as u64);
    }

    /// Skips bytes that are not a packet.
    fn pass<R: Read>(&mut self, buffer: &mut Buffer<R>, len: usize, error: PacketError) {
        if let Some(slot) = self.slot
            && self.filled_to == buffer.offset()
            && is_unused(buffer.unread())
        {
            self.filled_to = self.filled_to.saturating_add(slot as u64);
        }
        let filling = usize::try_from(self.filled_to.saturating_sub(buffer.offset()));
        let filling = filling.unwrap_or(usize::MAX);
        if filling != 0 {
            return buffer.skip(len.min(filling));
        }
        if self.damage.is_none() {
            self.damage = Some((buffer.offset(), error));
            self.begun = len_of_begun(buffer.unread());
            self.stray = StrayBytes::default();
        }
        self.stray.add(buffer.unread().get(..len).unwrap_or_default());
        buffer.skip(len);
    }

    fn take_damage<R: Read>(&mut self, buffer: &Buffer<R>) -> Option<Piece> {
        let (offset, error) = self.damage.take()?;
        let all = buffer.offset().saturating_sub(offset);
        // The unwritten part after a cut packet is reported separately.
        let filling = self.stray.filling();
        let len = all.saturating_sub(filling);
        if len == 0 || filling == 0 {
            return Some(Piece::Damage { offset, len: all, error, cause: self.stray.cause(false) });
        }
        let cause = Cause::Beside(Change::Fill, Quote::of(&[]));
        let at = offset.saturating_add(len);
        self.pending = Some(Piece::Damage { offset: at, len: filling, error, cause });
        Some(Piece::Damage { offset, len, error, cause: self.stray.cause(true) })
    }

    /// Whether the damage of the last piece, of this many bytes, is only the beginning of a packet.
    pub fn was_cut(&self, len: u64) -> bool {
        self.begun.is_some_and(|begun| len < begun as u64)
    }
}

/// Returns the length of the packet that begins with these bytes, from its header, or of a header if the bytes have no more.
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

/// Whether its check was never computed, because it was read out of a ring in memory.
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
