//! Which of the two formats bytes are in: frames, or packets.

pub(crate) mod buffer;
pub mod frames;
pub mod gap;
pub(crate) mod zeros;

use tband_format::cobs;
use tband_format::decode::decode_payload;
use tband_format::packet::{HeaderError, MAGIC, MAX_LEN, Packet, PacketError};

use crate::repair;

/// Bytes that are examined before they are taken for frames.
const ENOUGH: usize = 2 * MAX_LEN;
/// Longer frames are hardly events.
const MAX_FRAME: usize = 512;

/// How events are written one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    /// Each event in a separate frame.
    Frames,
    /// In packets.
    Packets,
}

impl Wire {
    /// The format of a file that begins with these bytes, if that is certain whatever is before them: of the rest of a
    /// packet it is not.
    pub fn certain(bytes: &[u8]) -> Option<Self> {
        match Self::recognise(bytes, true) {
            Some(Self::Packets) => Some(Self::Packets),
            _ => are_frames(bytes).then_some(Self::Frames),
        }
    }

    /// Returns the format of a recording that begins with these bytes; `None` if more bytes are needed, and there may be more.
    /// The result does not depend on how many bytes are read at a time.
    ///
    /// Packets begin with their magic number. If the first one is damaged, or only its end is there, any complete packet proves
    /// it, unless there were frames before.
    pub fn recognise(bytes: &[u8], at_end: bool) -> Option<Self> {
        let is_all = at_end || bytes.len() >= ENOUGH;
        let bytes = bytes.get(..ENOUGH).unwrap_or(bytes);
        let (whole, begun) = match whole_packet(bytes) {
            PacketExtent::Whole(0) => return Some(Self::Packets),
            PacketExtent::Whole(at) => (Some(at), None),
            PacketExtent::Begun(at) => (None, Some(at)),
            PacketExtent::Nothing => (None, None),
        };
        // A packet that was changed on the way counts as a complete one: its check proves it.
        let (restored, may_be_restored) = match repair::find(bytes, is_all) {
            repair::RepairStart::At(at) => (Some(at), None),
            repair::RepairStart::Perhaps(at) => (None, Some(at)),
            repair::RepairStart::Nowhere => (None, None),
        };
        let packets = whole.into_iter().chain(restored).min();
        let open = begun.into_iter().chain(may_be_restored).min().filter(|_| !is_all);
        match (frames_by(bytes), packets) {
            (Some(by), Some(at)) if at < by => Some(Self::Packets),
            // Whether a packet begins before them shows with more bytes.
            (Some(by), _) if open.is_some_and(|at| at < by) => None,
            (Some(_), _) => Some(Self::Frames),
            (None, Some(_)) => Some(Self::Packets),
            (None, None) => is_all.then_some(Self::Frames),
        }
    }
}

/// Where packets are.
enum PacketExtent {
    /// A complete one is at this offset.
    Whole(usize),
    /// One may begin at this offset, if there are more bytes.
    Begun(usize),
    Nothing,
}

/// Finds the first complete packet, or otherwise the first incomplete one. A packet that is only shown as damaged by its check
/// counts as complete, as does a damaged or a cut one at the very beginning.
fn whole_packet(bytes: &[u8]) -> PacketExtent {
    let magic = MAGIC.to_le_bytes();
    let mut begun = None;
    // The magic number ends with the byte that it begins with, so one may begin inside of an apparent one.
    let mut from = 0;
    while let Some(found) = memchr::memmem::find(bytes.get(from..).unwrap_or_default(), &magic) {
        let at = from + found;
        from = at + 1;
        match Packet::read(bytes.get(at..).unwrap_or_default()) {
            Ok(_) | Err(PacketError::Unchecked) => return PacketExtent::Whole(at),
            Err(PacketError::Truncated { .. } | PacketError::Damaged { .. }) if at == 0 => {
                return PacketExtent::Whole(at);
            }
            Err(PacketError::Truncated { .. } | PacketError::Header(HeaderError::Truncated)) => {
                begun = begun.or(Some(at));
            }
            Err(_) => {}
        }
    }
    // The last bytes may be the first of the magic number.
    let is_last = |len: &usize| magic.get(..*len).is_some_and(|first| bytes.ends_with(first));
    let last = (1..magic.len()).rev().find(is_last).map(|len| bytes.len().saturating_sub(len));
    begun.or(last).map_or(PacketExtent::Nothing, PacketExtent::Begun)
}

/// Whether complete packets are among the bytes.
pub(crate) fn has_packets(bytes: &[u8]) -> bool {
    matches!(whole_packet(bytes), PacketExtent::Whole(_))
        || matches!(
            repair::find(bytes.get(..ENOUGH).unwrap_or(bytes), true),
            repair::RepairStart::At(_)
        )
}

/// Nearly all that is between zero bytes are events.
fn are_frames(bytes: &[u8]) -> bool {
    let Some(last) = memchr::memrchr(0, bytes) else { return false };
    let frames = bytes.get(..last).unwrap_or_default().split(|byte| *byte == 0);
    let mut scratch = [0; MAX_FRAME];
    let (mut good, mut bad) = (0_usize, 0_usize);
    for frame in frames.filter(|frame| !frame.is_empty()) {
        let payload = cobs::decode(frame, &mut scratch);
        if payload.is_ok_and(|payload| decode_payload(payload).is_ok()) {
            good += 1;
        } else {
            bad += 1;
        }
    }
    // The first may be the rest of one.
    good > 1 && good >= bad.saturating_sub(1).saturating_mul(10)
}

/// Returns the offset up to which the bytes are proven to be frames: there were at least two events, and more events than other
/// frames.
fn frames_by(bytes: &[u8]) -> Option<usize> {
    let mut scratch = [0; MAX_FRAME];
    let (mut good, mut bad) = (0_usize, 0_usize);
    let mut from = 0;
    for end in memchr::memchr_iter(0, bytes) {
        let frame = bytes.get(from..end).unwrap_or_default();
        from = end + 1;
        if frame.is_empty() {
            continue;
        }
        let payload = cobs::decode(frame, &mut scratch);
        if payload.is_ok_and(|payload| decode_payload(payload).is_ok()) {
            good += 1;
        } else {
            bad += 1;
        }
        if good > bad && good > 1 {
            return Some(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first packet has lost its CR, and the rest of it looks like frames. The second one begins after these.
    const CHANGED: &[u8] = &[
        0xC1, 0x1F, 0xFC, 0xC1, 0, 0xFF, 1, 0, 0, 0xB8, 1, 0xB8, 1, 0x17, 0x30, 0xB5, 0xF3, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 0, 1, 1, 2, 1, 0, 2, 0x7E,
        1, 1, 0, 1, 1, 1, 1, 0, 0xC1, 0x1F, 0xFC, 0xC1, 0, 1, 0, 0, 0x38, 1, 0, 8, 0xA9, 0xD1,
        0x0A, 0xFD,
    ];

    #[test]
    fn more_bytes_do_not_change_what_was_recognised() {
        let whole = Wire::recognise(CHANGED, true);
        assert_eq!(whole, Some(Wire::Packets));
        for len in 0..CHANGED.len() {
            let recognised = Wire::recognise(&CHANGED[..len], false);
            assert!(recognised.is_none_or(|wire| Some(wire) == whole), "{len}: {recognised:?}");
        }
    }
}
