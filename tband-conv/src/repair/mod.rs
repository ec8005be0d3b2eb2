//! Undoes changes that programs and lines have made to the bytes of packets, where the packets' checks prove the result.
//!
//! Each packet is restored separately, so a change may begin or end anywhere in a recording, and bytes may be missing in
//! addition. An intact packet never gets here. Bytes that cannot be restored with proof stay as they are, and are reported with
//! the change that they show.

pub mod change;
mod charset;
mod charset_text;
mod dropped;
mod hypothesis;
mod inserted;
mod lossy;
mod plain;
pub mod quote;
mod rule;
mod solve;
pub(crate) mod stray;
mod telnet;

use std::cmp::Ordering;
use std::sync::LazyLock;

use tband_format::packet::{HEADER_LEN, Header, MAGIC, MAX_LEN};

use self::change::Change;
use self::hypothesis::ALL;
use self::quote::Quote;
use self::solve::Solution;

/// Bytes of the input that are examined for one packet: in UTF-8 of another character set it may be three times as long.
const ENOUGH: usize = 4 * MAX_LEN;
/// Text that is put into a packet is searched up to this length.
const LONGEST_TEXT: usize = 2048;
/// After this many consecutive packets that could not be restored, only one in [`SOME`] is tried: the cause is another one.
const PATIENCE: u32 = 256;
const SOME: u32 = 32;

/// Undoes changes of packets.
#[derive(Debug, Default)]
pub(crate) struct Repair {
    /// Which of [`ALL`] was right last.
    last: Option<usize>,
    /// Packets in a row of which none was restored.
    failed: u32,
}

/// Result of an attempt where no complete packet begins.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// The original packet.
    Restored(RestoredPacket),
    /// More of the input is needed to know.
    NeedsMore,
    /// Nothing can be proven.
    Nothing {
        /// The change that the bytes show.
        shows: Option<Change>,
        /// A packet begins there, and the input ends within it.
        is_cut: bool,
    },
}

/// A packet as it was sent.
#[derive(Debug)]
pub(crate) struct RestoredPacket {
    pub packet: Vec<u8>,
    /// Bytes of the input that the packet replaces.
    pub raw_len: usize,
    /// The changes to it.
    pub changes: [Option<Change>; 2],
    /// Text that was inserted into it.
    pub text: Option<Quote>,
}

impl Repair {
    /// Tries to restore the packet that may begin with these bytes. None come after them if that is the end.
    pub fn attempt(&mut self, raw: &[u8], is_end: bool) -> Attempt {
        let raw = raw.get(..ENOUGH).unwrap_or(raw);
        let is_all = is_end || raw.len() == ENOUGH;
        let nothing = Attempt::Nothing { shows: None, is_cut: false };
        if !is_all && raw.len() < hypothesis::LONGEST {
            let may_begin = |it: &[u8]| it.get(..2).is_none_or(is_start);
            return if may_begin(raw) { Attempt::NeedsMore } else { nothing };
        }
        if let Some(change) = lossy::recognise(raw) {
            return Attempt::Nothing { shows: Some(change), is_cut: false };
        }
        if !ALL.iter().any(|it| it.may_begin(raw)) {
            return nothing;
        }
        if self.failed >= PATIENCE && !self.failed.is_multiple_of(SOME) {
            self.failed = self.failed.saturating_add(1);
            return nothing;
        }
        let found = self.restore(raw, is_all, is_end);
        match found {
            Attempt::Restored(_) => self.failed = 0,
            Attempt::Nothing { .. } => self.failed = self.failed.saturating_add(1),
            Attempt::NeedsMore => {}
        }
        found
    }

    fn restore(&mut self, raw: &[u8], is_all: bool, is_end: bool) -> Attempt {
        let indices = self.last.into_iter().chain(0..ALL.len());
        let mut is_cut = false;
        for (index, it) in indices.filter_map(|index| ALL.get(index).map(|it| (index, it))) {
            if !it.may_begin(raw) {
                continue;
            }
            match it.undo(raw, is_all) {
                Solution::Packet(packet, raw_len) => {
                    self.last = Some(index);
                    let changes = it.changes;
                    return Attempt::Restored(RestoredPacket {
                        packet,
                        raw_len,
                        changes,
                        text: None,
                    });
                }
                Solution::NeedsMore => return Attempt::NeedsMore,
                Solution::Ended => is_cut |= is_end && (index == 0 || self.last == Some(index)),
                Solution::No => {}
            }
        }
        if !raw.starts_with(&MAGIC.to_le_bytes()) {
            // Only this change gives this form of the magic number.
            let shows = Some(Change::TextEncoding);
            return Attempt::Nothing { shows, is_cut };
        }
        restore_length(raw, is_all, is_end).unwrap_or(Attempt::Nothing {
            shows: self.last.filter(|_| !is_cut).and_then(|it| ALL.get(it)?.changes[0]),
            is_cut,
        })
    }
}

/// Restores a packet that has lost bytes, or was given some. `None`: it shows neither.
fn restore_length(raw: &[u8], is_all: bool, is_end: bool) -> Option<Attempt> {
    let packet_len = Header::read(raw).map_or(HEADER_LEN, |(header, _)| header.packet_len);
    let limit = packet_len.saturating_add(LONGEST_TEXT);
    let near = raw.get(..limit).unwrap_or(raw);
    let magic = MAGIC.to_le_bytes();
    let after = near.get(magic.len()..).unwrap_or_default();
    let next = memchr::memmem::find(after, &magic).map(|at| at + magic.len());
    let packet = match next {
        Some(next) => raw.get(..next)?,
        None if raw.len() < limit && !is_all => return Some(Attempt::NeedsMore),
        None if is_end && near.len() == raw.len() => raw,
        None => return None,
    };
    for (removed, change) in [
        (&[b'\r'][..], Change::CrRemoved),
        (&[0x11, 0x13], Change::FlowControl),
        (&[0], Change::ZerosRemoved),
    ] {
        if let Some((found, raw_len)) = dropped::undo(packet, removed) {
            let changes = [Some(change), None];
            return Some(Attempt::Restored(RestoredPacket {
                packet: found,
                raw_len,
                changes,
                text: None,
            }));
        }
    }
    if let Some((found, at, len)) = inserted::undo(packet) {
        let text = packet.get(at..at + len).map(Quote::of);
        let changes = [Some(Change::Text), None];
        let raw_len = found.len().saturating_add(len);
        return Some(Attempt::Restored(RestoredPacket { packet: found, raw_len, changes, text }));
    }
    let len = dropped::compare_len(packet);
    let shows = lossy::suspect(packet, len)?;
    // Bytes missing at the end may also have been cut off.
    let is_short = len == Ordering::Less && shows != Change::ZerosRemoved;
    let is_cut = next.is_none() && is_short;
    Some(Attempt::Nothing { shows: Some(shows), is_cut })
}

/// For each pair of bytes whether a packet may begin with it, whatever has happened to it: 64 pairs a number.
static STARTS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut starts = vec![0; 1 << 10];
    for pair in hypothesis::starts().chain(lossy::starts()) {
        let pair = u16::from_be_bytes(pair);
        if let Some(set) = starts.get_mut(usize::from(pair >> 6)) {
            *set |= 1_u64 << (pair & 63);
        }
    }
    starts
});

/// A packet may begin with these two bytes, whatever has happened to them.
fn is_start(bytes: &[u8]) -> bool {
    let [first, second, ..] = *bytes else { return false };
    let pair = u16::from_be_bytes([first, second]);
    STARTS.get(usize::from(pair >> 6)).is_some_and(|set| set >> (pair & 63) & 1 == 1)
}

/// How many of the bytes after the first one are passed over until a packet may begin, whatever has happened to it.
pub(crate) fn until_start(bytes: &[u8]) -> usize {
    let rest = bytes.get(1..).unwrap_or_default();
    let starts = rest.windows(2).position(is_start);
    1 + starts.unwrap_or(rest.len())
}

/// Where a packet begins that can be restored, or that shows a change.
pub(crate) enum RepairStart {
    /// At this offset.
    At(usize),
    /// Perhaps at this one: that takes more bytes.
    Perhaps(usize),
    Nowhere,
}

/// Finds the first packet that can be restored, or that shows a change. No bytes come after these if `is_all`.
pub(crate) fn find(bytes: &[u8], is_all: bool) -> RepairStart {
    let mut repair = Repair::default();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        match repair.attempt(rest, is_all) {
            Attempt::Restored(_) | Attempt::Nothing { shows: Some(_), .. } => {
                return RepairStart::At(at);
            }
            Attempt::NeedsMore => return RepairStart::Perhaps(at),
            Attempt::Nothing { shows: None, .. } => at += until_start(rest),
        }
    }
    RepairStart::Nowhere
}
