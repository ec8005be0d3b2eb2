//! Which of the two formats bytes are in: frames, or packets.

pub mod buffer;
pub mod frames;
pub mod zeros;

use tband_format::packet::{HeaderError, MAGIC, MAX_LEN, Packet, PacketError};
use tband_format::{cobs, decode_payload};

/// Bytes that are looked at before they are taken for frames.
const ENOUGH: usize = 2 * MAX_LEN;
/// Longer frames are hardly events.
const MAX_FRAME: usize = 512;

/// How events are written one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    /// Each in a frame of its own.
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

    /// The format of a recording that begins with these bytes; `None` if that takes more of them, and there may be
    /// more.
    ///
    /// Packets begin with their magic number. If the first one is damaged, or only its end is there, any whole packet
    /// proves it, unless there were frames before.
    pub fn recognise(bytes: &[u8], at_end: bool) -> Option<Self> {
        let is_all = at_end || bytes.len() >= ENOUGH;
        let magic = MAGIC.to_le_bytes();
        let mut may_be_packets =
            !is_all && (bytes.len() < magic.len() || bytes.starts_with(&magic));
        // It ends with the byte that it begins with, so one may begin inside of what looks like another.
        let mut from = 0;
        while let Some(found) = memchr::memmem::find(bytes.get(from..).unwrap_or_default(), &magic)
        {
            let at = from + found;
            from = at + 1;
            match Packet::read(bytes.get(at..).unwrap_or_default()) {
                // All but its check is right.
                Ok(_) | Err(PacketError::Unchecked) => return Some(Self::Packets),
                Err(PacketError::Truncated { .. }) if at == 0 => return Some(Self::Packets),
                Err(
                    PacketError::Truncated { .. } | PacketError::Header(HeaderError::Truncated),
                ) => may_be_packets |= !is_all,
                Err(PacketError::Damaged { .. }) if at == 0 => return Some(Self::Packets),
                Err(_) => {}
            }
        }
        if may_be_packets {
            return None;
        }
        (is_all || has_frames(bytes)).then_some(Self::Frames)
    }
}

/// Whether whole packets are among the bytes.
pub(crate) fn has_packets(bytes: &[u8]) -> bool {
    Wire::recognise(bytes, true) == Some(Wire::Packets)
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

/// What is there first is an event, or of what is there two things are, and most.
fn has_frames(bytes: &[u8]) -> bool {
    let Some(last) = memchr::memrchr(0, bytes) else { return false };
    let mut scratch = [0; MAX_FRAME];
    let (mut good, mut bad) = (0_usize, 0_usize);
    for frame in bytes.get(..last).unwrap_or_default().split(|byte| *byte == 0) {
        if frame.is_empty() {
            continue;
        }
        let payload = cobs::decode(frame, &mut scratch);
        if payload.is_ok_and(|payload| decode_payload(payload).is_ok()) {
            good += 1;
        } else {
            bad += 1;
        }
        if good > bad && (bad == 0 || good > 1) {
            return true;
        }
    }
    false
}
