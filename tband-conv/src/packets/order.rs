//! Restores the order of packets that a network has swapped, and leaves out those that it has doubled.
//!
//! This is a stage before [`Continuity`](super::Continuity), which finds losses and restarts, with a stricter rule: a packet is
//! moved or left out only if sequence numbers, times and counts of discarded events prove it. A target that was reset begins
//! with sequence number 0 at a lower time, so its packets fit into no gap; and packets after a repeated packet belong to the
//! run before it. Packets without a check, such as those from memory, are not examined.

use std::io::Read;

use tband_format::packet::{HEADER_LEN, Header, METADATA_STREAM, Packet};

use crate::wire::buffer::Buffer;

/// Packets and bytes among which a missing one is searched.
const PACKETS: usize = 64;
const BYTES: usize = 32 * 1024;
/// Bytes of the longest usual datagram. A network doubles one at a time, so more packets in a row that come again are
/// another run of the target that was the same, or the same recording once more.
const DATAGRAM: usize = 1500;
/// A packet that is missing for longer is lost.
const GAP: u16 = 64;
/// Packets of each stream whose checks are remembered. A power of two.
const SEEN: usize = 4096;
/// Gaps of each stream into which a packet may come late.
const GAPS: usize = 32;

/// Brings packets into their order.
#[derive(Debug, Default)]
pub(super) struct Order {
    streams: Vec<Stream>,
    /// The first packet of all.
    first: Option<(u8, u16, u32)>,
    /// More of the input is not waited for.
    is_live: bool,
    /// Before this offset a packet of this run came late and was moved forward, so a repetition of the packets before it is not
    /// a restart.
    same_run_to: u64,
}

/// Packets received of one stream.
#[derive(Debug)]
struct Stream {
    /// Sequence number of the first packet of the run.
    first: u16,
    last: Header,
    /// Checks of packets by their sequence numbers; 0 means none.
    seen: Vec<u32>,
    gaps: Vec<Gap>,
}

/// Packets that are missing.
#[derive(Clone, Copy, Debug)]
struct Gap {
    first: u16,
    count: u16,
    from: u64,
    to: u64,
}

/// Decision about the packet at the front.
#[derive(Clone, Copy, Debug)]
pub(super) enum PacketDecision {
    /// This packet is next; it is at the front now.
    NextItem(Header),
    /// It is a repetition, or too late.
    LeftOut,
    /// That shows when more is read.
    NeedsMore,
}

/// A packet that is not at the front.
#[derive(Clone, Copy)]
struct QueuedPacket {
    at: usize,
    header: Header,
    check: u32,
}

impl Order {
    /// More of the input is never waited for: packets before a gap are shown at once.
    pub const fn set_live(&mut self) {
        self.is_live = true;
    }

    /// The packet with this header is at the front of `buffer`. Returns which one comes next.
    #[inline]
    pub fn place<R: Read>(&mut self, header: Header, buffer: &mut Buffer<R>) -> PacketDecision {
        let check = check_of(buffer.unread());
        if check == 0 {
            return PacketDecision::NextItem(header);
        }
        let stream = self.streams.iter_mut().find(|it| it.last.stream == header.stream);
        if let Some(stream) = stream
            && header.sequence == stream.last.sequence.wrapping_add(1)
            && header.begin >= stream.last.end
        {
            stream.note(&header, check);
            return PacketDecision::NextItem(header);
        }
        self.place_other(header, check, buffer)
    }

    /// A packet was restored, and is at the front. Returns false if it is a repetition.
    pub fn place_restored<R: Read>(&mut self, header: Header, buffer: &Buffer<R>) -> bool {
        let check = check_of(buffer.unread());
        let last = self.of(header.stream).map(|stream| stream.last);
        if last.is_some_and(|last| last == header) && self.is_seen(&header, check) {
            return false;
        }
        self.next(header, check);
        true
    }

    /// It does not follow the last one of its stream.
    #[cold]
    fn place_other<R: Read>(
        &mut self,
        header: Header,
        check: u32,
        buffer: &mut Buffer<R>,
    ) -> PacketDecision {
        let last = self.of(header.stream).map(|stream| stream.last);
        let is_of_same_run = buffer.offset() < self.same_run_to;
        let distance = last.map_or(0, |last| header.sequence.wrapping_sub(last.sequence));
        let is_back = last.is_some() && (distance == 0 || distance >= 1 << 15);
        let is_gap = last.is_some_and(|last| header.begin >= last.end) && distance <= GAP;
        let is_known = self.is_seen(&header, check) || self.is_late(&header);
        let is_first = last.is_none() && (header.sequence != 0 || self.first.is_none());
        if !(is_first || is_gap && !is_back || is_back && is_known) {
            return self.next(header, check);
        }
        let is_enough = buffer.unread().len() >= BYTES || buffer.is_at_end() || self.is_live;
        if !is_enough {
            return PacketDecision::NeedsMore;
        }
        let later = later(&header, buffer.unread());
        if is_back {
            let is_all = buffer.is_at_end()
                && later.last().map_or(header.packet_len, |it| it.at + it.header.packet_len)
                    == buffer.unread().len();
            return if is_of_same_run || self.is_continuation(&(header, check), &later, is_all) {
                PacketDecision::LeftOut
            } else {
                self.next(header, check)
            };
        }
        let found = match last {
            Some(last) => between(&last, &header, &later),
            None => self.before(&(header, check), &later),
        };
        let found = found.filter(|it| is_whole(buffer.unread(), it));
        let Some(QueuedPacket { at, header, check }) = found else {
            return self.next(header, check);
        };
        let came_to = buffer.offset().saturating_add((at + header.packet_len) as u64);
        self.same_run_to = self.same_run_to.max(came_to);
        buffer.bring_forward(at, header.packet_len);
        self.next(header, check)
    }

    fn of(&self, stream: u8) -> Option<&Stream> {
        self.streams.iter().find(|it| it.last.stream == stream)
    }

    /// This packet is next.
    fn next(&mut self, header: Header, check: u32) -> PacketDecision {
        if self.of(header.stream).is_some_and(|stream| stream.is_new_start(&header)) {
            self.first = None;
            for stream in &mut self.streams {
                stream.first = 0;
                stream.gaps.clear();
                stream.seen.fill(0);
            }
        }
        self.first.get_or_insert((header.stream, header.sequence, check));
        match self.streams.iter_mut().find(|it| it.last.stream == header.stream) {
            Some(stream) => stream.jump(&header, check),
            None => {
                let seen = vec![0; SEEN];
                let first = header.sequence;
                let mut stream = Stream { first, last: header, seen, gaps: Vec::new() };
                stream.note(&header, check);
                self.streams.push(stream);
            }
        }
        PacketDecision::NextItem(header)
    }

    fn is_seen(&self, header: &Header, check: u32) -> bool {
        self.of(header.stream).and_then(|it| it.seen.get(slot(header.sequence))) == Some(&check)
    }

    /// It is the first packet of all.
    fn is_first(&self, header: &Header, check: u32) -> bool {
        self.first == Some((header.stream, header.sequence, check))
    }

    /// It fits into a gap.
    fn is_late(&self, header: &Header) -> bool {
        self.of(header.stream).is_some_and(|stream| {
            stream.gaps.iter().any(|gap| {
                header.sequence.wrapping_sub(gap.first) < gap.count
                    && gap.from <= header.begin
                    && header.end <= gap.to
            })
        })
    }

    /// Whether the packets after repeated ones continue where the run before was: they are not a restart. The input has no
    /// other bytes if `is_all`.
    fn is_continuation(&self, front: &(Header, u32), later: &[QueuedPacket], is_all: bool) -> bool {
        let (mut again, mut has_first) = (1, self.is_first(&front.0, front.1));
        let mut bytes = if self.is_seen(&front.0, front.1) { front.0.packet_len } else { 0 };
        // One that was missing is of the run before, too.
        let mut fills_gap = bytes == 0;
        for QueuedPacket { header, check, .. } in later {
            if self.is_seen(header, *check) || self.is_late(header) {
                again += 1;
                if self.is_seen(header, *check) {
                    bytes += header.packet_len;
                } else {
                    fills_gap = true;
                }
                has_first |= self.is_first(header, *check);
                if bytes > DATAGRAM {
                    return false;
                }
                continue;
            }
            return self.of(header.stream).is_none_or(|stream| {
                let distance = header.sequence.wrapping_sub(stream.last.sequence);
                (1..=GAP).contains(&distance) && header.begin >= stream.last.end
            });
        }
        // A repetition of the complete input is another recording, or another run that was the same.
        is_all && (fills_gap || !(has_first && again > 1 && self.is_rerun(front, later)))
    }

    /// These packets are in the order in which runs of the target record them: in each stream from its first one on.
    fn is_rerun(&self, front: &(Header, u32), later: &[QueuedPacket]) -> bool {
        let mut last: Vec<(u8, u16)> = Vec::new();
        let again = later.iter().map(|it| (it.header, it.check));
        std::iter::once(*front).chain(again).all(|(header, check)| {
            if self.is_first(&header, check) {
                last.clear();
            }
            match last.iter_mut().find(|it| it.0 == header.stream) {
                Some((_, sequence)) => {
                    *sequence = sequence.wrapping_add(1);
                    *sequence == header.sequence
                }
                None => {
                    last.push((header.stream, header.sequence));
                    self.of(header.stream).is_some_and(|it| it.first == header.sequence)
                }
            }
        })
    }

    /// A packet that belongs before the first one of its stream.
    fn before(
        &self,
        (header, check): &(Header, u32),
        later: &[QueuedPacket],
    ) -> Option<QueuedPacket> {
        let same = |it: &&QueuedPacket| it.header.stream == header.stream;
        // Where a sequence number comes twice, with other content, the target was reset.
        let numbers = later.iter().filter(same).map(|it| (it.header.sequence, it.check));
        let mut numbers: Vec<_> = numbers.chain([(header.sequence, *check)]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.windows(2).any(|pair| matches!(pair, [(one, _), (other, _)] if one == other)) {
            return None;
        }
        let names = later.iter().find(|it| {
            it.header.stream == METADATA_STREAM
                && it.header.sequence == 0
                && it.header.begin <= header.begin
        });
        let has_names = header.stream == METADATA_STREAM || self.of(METADATA_STREAM).is_some();
        if let Some(names) = names.filter(|_| !has_names) {
            return Some(*names);
        }
        let header = *header;
        let distance = |it: &&QueuedPacket| header.sequence.wrapping_sub(it.header.sequence);
        let fits = |it: &&QueuedPacket| {
            (1..=GAP).contains(&distance(it))
                && it.header.end <= header.begin
                && is_before(&it.header, &header)
        };
        later.iter().filter(same).filter(fits).max_by_key(distance).copied()
    }
}

impl Stream {
    fn note(&mut self, header: &Header, check: u32) {
        self.last = *header;
        if let Some(seen) = self.seen.get_mut(slot(header.sequence)) {
            *seen = check;
        }
    }

    /// The target was reset, or it is of another recording.
    const fn is_new_start(&self, header: &Header) -> bool {
        let distance = header.sequence.wrapping_sub(self.last.sequence);
        distance == 0 || distance >= 1 << 15 || header.begin < self.last.end
    }

    /// It does not follow the last one: packets are missing, or the target was reset.
    fn jump(&mut self, header: &Header, check: u32) {
        let first = self.last.sequence.wrapping_add(1);
        let count = header.sequence.wrapping_sub(first);
        if count > 0 && !self.is_new_start(header) {
            if self.gaps.len() >= GAPS {
                self.gaps.remove(0);
            }
            self.gaps.push(Gap { first, count, from: self.last.end, to: header.begin });
        }
        self.note(header, check);
    }
}

const fn slot(sequence: u16) -> usize {
    sequence as usize % SEEN
}

fn check_of(packet: &[u8]) -> u32 {
    packet.get(12..16).and_then(<[u8]>::first_chunk).map_or(0, |it| u32::from_le_bytes(*it))
}

/// The count of discarded events does not fall between them.
const fn is_before(one: &Header, other: &Header) -> bool {
    other.discarded.wrapping_sub(one.discarded) < 1 << 31
}

/// Headers of the packets after the first one, one after the other.
fn later(header: &Header, unread: &[u8]) -> Vec<QueuedPacket> {
    let mut found = Vec::new();
    let mut at = header.packet_len;
    while found.len() < PACKETS && at + HEADER_LEN <= BYTES {
        let rest = unread.get(at..).unwrap_or_default();
        let Ok((header, check)) = Header::read(rest) else { break };
        if check == 0 || rest.len() < header.packet_len {
            break;
        }
        found.push(QueuedPacket { at, header, check });
        at += header.packet_len;
    }
    found
}

fn is_whole(unread: &[u8], it: &QueuedPacket) -> bool {
    unread.get(it.at..).is_some_and(|packet| Packet::read(packet).is_ok())
}

/// The first packet that fits between two.
fn between(last: &Header, header: &Header, later: &[QueuedPacket]) -> Option<QueuedPacket> {
    let number = |it: &Header| it.sequence.wrapping_sub(last.sequence);
    let fits = |it: &&QueuedPacket| {
        let it = &it.header;
        it.stream == header.stream
            && (1..number(header)).contains(&number(it))
            && last.end <= it.begin
            && it.end <= header.begin
            && is_before(last, it)
            && is_before(it, header)
    };
    later.iter().filter(fits).min_by_key(|it| number(&it.header)).copied()
}
