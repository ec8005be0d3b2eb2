//! One packet: its id, payload and time.

/// Longest payload of a packet whose length is written, in bytes: a string of 65535 and a few numbers.
const MAX_PAYLOAD: usize = 66 * 1024;
/// Bytes of the longest number.
const MAX_VARINT: usize = 5;
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
    /// The core, if the second byte of the id holds it.
    pub core: u32,
}

/// Why there is no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPacket {
    /// Its end is missing.
    Short,
    /// It cannot be one.
    Damaged(&'static str),
}

/// Reads numbers and strings.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// The next number: 7 bits a byte, the lowest first.
    pub fn number(&mut self) -> Result<u32, NoPacket> {
        let mut value = 0_u64;
        for (index, &byte) in self.0.iter().enumerate().take(MAX_VARINT) {
            value |= u64::from(byte & 0x7F) << (7 * index);
            if byte < 0x80 {
                self.0 = self.0.get(index + 1..).unwrap_or_default();
                return u32::try_from(value)
                    .map_err(|_| NoPacket::Damaged("a number that is longer than 32 bits"));
            }
        }
        Err(if self.0.len() < MAX_VARINT {
            NoPacket::Short
        } else {
            NoPacket::Damaged("a number that is longer than 32 bits")
        })
    }

    /// The next string: its length in a byte, or after FF in two, the higher one first.
    pub fn string(&mut self) -> Result<&'a [u8], NoPacket> {
        let (first, rest) = self.0.split_first().ok_or(NoPacket::Short)?;
        let (len, rest) = match (*first, rest.split_first_chunk::<2>()) {
            (0xFF, Some((len, rest))) => (usize::from(u16::from_be_bytes(*len)), rest),
            (0xFF, None) => return Err(NoPacket::Short),
            (len, _) => (usize::from(len), rest),
        };
        let (text, rest) = rest.split_at_checked(len).ok_or(NoPacket::Short)?;
        self.0 = rest;
        Ok(text)
    }

    /// The next number, or 0 if there is none.
    pub fn or_zero(&mut self) -> u32 {
        self.number().unwrap_or(0)
    }

    /// The next string, or none.
    pub fn or_empty(&mut self) -> &'a [u8] {
        self.string().unwrap_or_default()
    }
}

/// What a packet without a length has.
fn skip_payload(id: u32, fields: &mut Fields<'_>) -> Result<(), NoPacket> {
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
    if has_string {
        fields.string()?;
    }
    Ok(())
}

impl<'a> Packet<'a> {
    /// The packet at the start of these bytes. In files with the line `; ESP_Extension` bit 6 of the second byte of the id
    /// is the core.
    pub fn read(bytes: &'a [u8], has_core: bool) -> Result<Self, NoPacket> {
        let mut fields = Fields(bytes);
        let mut id = fields.number()?;
        let mut core = 0;
        if has_core && bytes.first().is_some_and(|first| *first >= 0x80) {
            core = id >> 13 & 1;
            id &= !(1 << 13);
        }
        if id > MAX_ID {
            return Err(NoPacket::Damaged("a packet of an unknown id"));
        }
        let payload = if id < WITH_LENGTH {
            let start = fields.0;
            skip_payload(id, &mut fields)?;
            let len = start.len() - fields.0.len();
            start.get(..len).unwrap_or_default()
        } else {
            let len = fields.number()? as usize;
            if len > MAX_PAYLOAD {
                return Err(NoPacket::Damaged("a packet that is longer than any can be"));
            }
            let (payload, rest) = fields.0.split_at_checked(len).ok_or(NoPacket::Short)?;
            fields.0 = rest;
            payload
        };
        let delta = fields.number()?;
        let len = bytes.len() - fields.0.len();
        Ok(Self { id, payload, delta, len, core })
    }
}
