//! A slot of a ring: the packet in it, as one that is sent. The layout is that of `tband-core`'s `Slot` and `Tail`.

use tband_format::packet::{
    self, HEADER_LEN, Header, HeaderError, MAGIC, METADATA_STREAM, Packet, VERSION,
};

/// The words that a slot begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The core, or [`METADATA_STREAM`].
    pub stream: u8,
    /// Number of the packet on its core.
    pub sequence: u16,
    /// Bytes of header and events; 0: it is open, or nothing was recorded here.
    pub content: usize,
    /// Bytes of the slot, or of the content if it was sent.
    pub whole: usize,
}

impl Slot {
    /// Reads the header of these bytes; `None` if they are not a slot of a ring.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let (magic, which, lens) = (word(0)?, word(4)?, word(8)?);
        let [stream, version, low, high] = which.to_le_bytes();
        let is_clear = lens == 0;
        if magic != MAGIC || (version != VERSION && !is_clear) || lens & 0x7_0007 != 0 {
            return None;
        }
        let (content, whole) = ((lens & 0xFFFF) as usize >> 3, (lens >> 19) as usize);
        let is_sound = content == 0 || (content >= HEADER_LEN && content <= whole);
        let sequence = u16::from_le_bytes([low, high]);
        is_sound.then_some(Self { stream, sequence, content, whole })
    }

    /// Nothing was recorded here.
    pub const fn is_clear(&self) -> bool {
        self.content == 0 && self.whole == 0
    }

    /// It had its check when the recording was frozen, and has changed since.
    pub fn has_changed(&self, bytes: &[u8]) -> bool {
        let reported = bytes.get(12..16).and_then(<[u8]>::first_chunk);
        let reported = reported.map_or(0, |it| u32::from_le_bytes(*it));
        let right =
            bytes.get(..self.content).filter(|it| it.len() >= HEADER_LEN).map(packet::check);
        reported != 0 && right != Some(reported)
    }

    /// It has a packet of the metadata stream.
    pub const fn is_metadata(&self) -> bool {
        self.stream == METADATA_STREAM
    }
}

/// The message for a packet whose check is wrong.
const CHANGED: &str = "its check is wrong, so it has changed since it was recorded";

/// The content of a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlotContent {
    /// A packet, with its check.
    Packet(Vec<u8>),
    /// No packet: nothing was recorded here, or its begin was being written.
    Nothing,
    /// Not the original packet: the text contains the fault.
    Damaged(String),
}

/// Returns the packet in `bytes`, a complete slot at `at`, in its sent form. `discarded` is the core's present count of
/// discarded events, if the packet is open.
pub fn take(
    slot: &Slot,
    bytes: &[u8],
    at: Option<u64>,
    pointer: usize,
    discarded: u32,
) -> SlotContent {
    if slot.is_clear() {
        return SlotContent::Nothing;
    }
    if slot.has_changed(bytes) {
        return SlotContent::Damaged(CHANGED.to_owned());
    }
    if slot.content > 0 {
        return match Packet::read(bytes) {
            Ok(packet) => sent(*packet.header(), bytes),
            Err(error) => SlotContent::Damaged(error.to_string()),
        };
    }
    let word = |at: usize, len: usize| {
        let bytes = bytes.get(at..at + len).unwrap_or_default();
        bytes.iter().rev().fold(0, |number: u64, byte| number << 8 | u64::from(*byte))
    };
    let Some(at) = at else {
        return SlotContent::Damaged(
            "it is open, and where it ends is known with --base only".to_owned(),
        );
    };
    let Some(tail) = bytes.len().checked_sub(2 * pointer).filter(|_| slot.whole == bytes.len())
    else {
        return SlotContent::Damaged("its size is another one".to_owned());
    };
    let end = word(tail, pointer);
    if end == 0 || end == at {
        return SlotContent::Nothing;
    }
    let content = end.checked_sub(at).and_then(|len| usize::try_from(len).ok());
    let Some(content_len) = content.filter(|len| (HEADER_LEN..bytes.len()).contains(len)) else {
        return SlotContent::Damaged("it is open, and ends nowhere in it".to_owned());
    };
    let begin = word(16, 8);
    let since = (word(tail + pointer, 4) as u32).wrapping_sub(begin as u32);
    let Slot { stream, sequence, .. } = *slot;
    let end = begin.saturating_add(since.into());
    let header =
        Header { stream, sequence, content_len, packet_len: content_len, begin, end, discarded };
    sent(header, bytes)
}

/// As [`take`], of memory that may have changed since the packet was recorded: one without a checksum stays without.
pub fn take_changed_memory(
    slot: &Slot,
    bytes: &[u8],
    at: Option<u64>,
    pointer: usize,
    discarded: u32,
) -> SlotContent {
    let taken = take(slot, bytes, at, pointer, discarded);
    let has_check = bytes.get(12..16).is_some_and(|check| *check != [0; 4]);
    match taken {
        SlotContent::Packet(packet) if !has_check => {
            SlotContent::Packet(without_check(&packet).unwrap_or(packet))
        }
        taken => taken,
    }
}

/// The packet without its checksum, and with zeros after its content, which packets without one have. `None` if that is longer than a
/// packet can be.
fn without_check(packet: &[u8]) -> Option<Vec<u8>> {
    const REST: usize = 8;
    let (header, _) = Header::read(packet).ok()?;
    let mut packet = packet.to_vec();
    Header { packet_len: header.content_len + REST, ..header }.write(&mut packet)?;
    packet.get_mut(12..16)?.fill(0);
    packet.extend([0; REST]);
    Some(packet)
}

/// Returns the packet in its sent form: without fill bytes, and with its check, if its content is valid.
fn sent(header: Header, bytes: &[u8]) -> SlotContent {
    let mut packet = bytes.get(..header.content_len).unwrap_or_default().to_vec();
    let header = Header { packet_len: header.content_len, ..header };
    if header.write(&mut packet).is_none() {
        return SlotContent::Damaged(HeaderError::Truncated.to_string());
    }
    // The check was computed here, so it does not prove that the content is events.
    if let Some(check) = packet.get_mut(12..16) {
        let reported = [check[0], check[1], check[2], check[3]];
        check.fill(0);
        let holds = Packet::read_unchecked(&packet);
        if let Err(error) = holds {
            return SlotContent::Damaged(error.to_string());
        }
        if let Some(check) = packet.get_mut(12..16) {
            check.copy_from_slice(&reported);
        }
    }
    SlotContent::Packet(packet)
}
