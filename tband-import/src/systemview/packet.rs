//! One packet: its id, payload and time.

use super::fields::{Fields, MAX_PAYLOAD, NoPacket, UNFIT};
use super::plausible::{is_payload, is_text};

/// From this id on a packet has a length.
const WITH_LENGTH: u32 = 24;
/// Ids of packets end here.
const MAX_ID: u32 = 2047;

/// A packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    pub id: u32,
    /// The bytes between id, or length, and time.
    pub payload: &'a [u8],
    /// Ticks since the packet before.
    pub delta: u32,
    /// Bytes of all of it.
    pub len: usize,
    /// The core, if the id holds it.
    pub core: u32,
}

/// Returns the bytes after the payload of a packet without a length.
#[inline]
fn after_payload(id: u32, mut fields: Fields<'_>) -> Result<Fields<'_>, NoPacket> {
    let (numbers, has_string) = match id {
        0 | 3 | 5 | 10 | 11 | 17 | 18 | 20 => (0, false),
        1 | 2 | 4 | 6 | 8 | 12 | 15 | 16 | 19 => (1, false),
        7 | 13 | 23 => (2, false),
        9 | 22 => (2, true),
        14 => (0, true),
        21 => (4, false),
        _ => return Err(NoPacket::Damaged("a packet of an unknown id")),
    };
    for _ in 0..numbers {
        fields.number()?;
    }
    if has_string && !is_text(fields.string()?) {
        return Err(UNFIT);
    }
    Ok(fields)
}

impl<'a> Packet<'a> {
    /// The packet at the start of these bytes. In files with the line `; ESP_Extension` bit 6 of the last byte of the id is the
    /// core.
    pub fn read(bytes: &'a [u8], has_core: bool) -> Result<Self, NoPacket> {
        let mut fields = Fields(bytes);
        let mut id = fields.number()?;
        let mut core = 0;
        if has_core {
            let bit = if bytes.first().is_some_and(|first| *first >= 0x80) { 13 } else { 6 };
            core = id >> bit & 1;
            id &= !(1 << bit);
        }
        if id > MAX_ID {
            return Err(NoPacket::Damaged("a packet of an unknown id"));
        }
        let payload = if id < WITH_LENGTH {
            let start = fields.0;
            fields = after_payload(id, fields)?;
            let len = start.len() - fields.0.len();
            start.get(..len).unwrap_or_default()
        } else {
            let len = fields.number()? as usize;
            if len > MAX_PAYLOAD {
                return Err(UNFIT);
            }
            let (payload, rest) = fields.0.split_at_checked(len).ok_or(NoPacket::Short)?;
            if !is_payload(id, payload) {
                return Err(UNFIT);
            }
            fields.0 = rest;
            payload
        };
        let delta = fields.number()?;
        let len = bytes.len() - fields.0.len();
        Ok(Self { id, payload, delta, len, core })
    }
}
