//! The events of an imported recording, which the first pass keeps for the later ones.
//!
//! Importing takes most of the time of a pass, and a conversion makes two. So the first pass encodes what it imports, in some 15
//! bytes an event, unless that takes too much memory: then the later passes import again.

use std::rc::Rc;

use tband_format::{Event, FrameError, WINDOW, decode_payload, encode_payload};
use tband_import::{Content, Entry, ForeignRecording, Output};

use super::entry::item;
use crate::cores::MAX_CORES;
use crate::item::{Defect, Item, Mode, check};

/// Most memory that the events of an input take, in bytes: about a million events.
const MAX_MEMORY: usize = 16 << 20;
/// Bytes of a block of records.
const BLOCK: usize = 64 * 1024;
/// Bytes of the longest payload.
const MAX_PAYLOAD: usize = 250;
/// Bytes of the longest record, with a change of the core before it.
const MAX_RECORD: usize = 2 + 1 + 2 * 10 + MAX_PAYLOAD;
/// In place of the length of a payload: the entry is among those that are kept as they are.
const AS_IT_IS: u8 = 254;
/// In place of the length of a payload: the core of the records from here on follows.
const CORE: u8 = 255;

/// Records of a part of the recording. Each is the length of the payload, the difference of its offset to that of the record
/// before, its length in the file, and the payload: the event as in a frame.
#[derive(Debug)]
struct Block {
    /// The records, and zeros after them, so that a window of bytes is at each.
    bytes: Vec<u8>,
    /// Bytes of the records.
    used: usize,
    /// Offset in the input up to which the importer had read when it appended the last of them.
    read_to: u64,
}

/// An imported recording.
#[derive(Debug, Default)]
pub struct KeptRecording {
    blocks: Vec<Block>,
    /// Entries that have no payload, or a long one.
    others: Output,
    /// Facts about it.
    pub about: ForeignRecording,
    /// Bytes in front of the recording, as [`Importer::preamble`](tband_import::Importer::preamble) states them.
    pub preamble: u64,
}

/// Collects the entries of a pass.
#[derive(Debug, Default)]
pub enum Keeper {
    /// Nothing is kept.
    #[default]
    Off,
    /// The entries so far.
    Keeps(Box<Writer>),
    /// All entries.
    Kept(Rc<KeptRecording>),
}

impl Keeper {
    /// Keeps all entries from here on.
    pub fn begin() -> Self {
        Self::Keeps(Box::default())
    }

    /// Keeps the entries of a piece whose offsets are relative to `base`, and up to whose end the input is read.
    #[inline]
    pub fn keep(&mut self, out: &Output, base: i64, read_to: u64) {
        if let Self::Keeps(writer) = self {
            out.iter().for_each(|entry| writer.push(out, entry, base, read_to));
            if writer.memory() > MAX_MEMORY {
                *self = Self::Off;
            }
        }
    }

    /// The recording has ended.
    pub fn finish(&mut self, about: ForeignRecording, preamble: u64) {
        *self = match std::mem::take(self) {
            Self::Keeps(writer) => {
                let Writer { mut recording, .. } = *writer;
                recording.seal();
                Self::Kept(Rc::new(KeptRecording { about, preamble, ..recording }))
            }
            other => other,
        };
    }
}

/// Encodes entries.
#[derive(Debug)]
pub struct Writer {
    recording: KeptRecording,
    core: u32,
    offset: i64,
    /// The record that is encoded.
    room: [u8; MAX_RECORD],
}

impl Default for Writer {
    fn default() -> Self {
        let recording = KeptRecording::default();
        Self { recording, core: 0, offset: 0, room: [0; MAX_RECORD] }
    }
}

impl KeptRecording {
    /// No record is appended to the last block any more.
    fn seal(&mut self) {
        if let Some(block) = self.blocks.last_mut() {
            block.bytes.extend([0; WINDOW]);
        }
    }
}

impl Writer {
    fn memory(&self) -> usize {
        self.recording.blocks.len() * BLOCK + self.recording.others.memory()
    }

    fn push(&mut self, out: &Output, entry: &Entry, base: i64, read_to: u64) {
        let is_full = |block: &Block| block.used > BLOCK - MAX_RECORD - WINDOW;
        if self.recording.blocks.last().is_none_or(is_full) {
            self.recording.seal();
            let block = Block { bytes: Vec::with_capacity(BLOCK), used: 0, read_to };
            self.recording.blocks.push(block);
        }
        let KeptRecording { blocks, others, .. } = &mut self.recording;
        let Some(Block { bytes, used, read_to: block_read_to }) = blocks.last_mut() else { return };
        *block_read_to = read_to;
        if entry.core != self.core
            && entry.core < MAX_CORES
            && let Ok(core) = u8::try_from(entry.core)
        {
            bytes.extend([CORE, core]);
            self.core = entry.core;
        }
        let offset = base.saturating_add(entry.at);
        let difference = offset.wrapping_sub(self.offset);
        let difference = (difference.wrapping_shl(1) ^ (difference >> 63)).cast_unsigned();
        let room = &mut self.room;
        let start = put(room, 1, difference);
        let start = put(room, start, entry.len.into());
        let rest = room.get_mut(start..start + MAX_PAYLOAD).unwrap_or_default();
        match encode(out, entry, rest) {
            Some(len) => {
                self.offset = offset;
                if let Some(first) = room.first_mut() {
                    *first = u8::try_from(len).unwrap_or(0);
                }
                bytes.extend_from_slice(room.get(..start + len).unwrap_or_default());
            }
            None => {
                bytes.push(AS_IT_IS);
                others.copy(out, entry, base);
            }
        }
        *used = bytes.len();
    }
}

/// Writes the payload from which [`decode_payload`] decodes the event of an entry. Returns its length.
fn encode(out: &Output, entry: &Entry, room: &mut [u8]) -> Option<usize> {
    let Content::Event(decoded) = &entry.content else { return None };
    let is_plain = entry.core < MAX_CORES
        && decoded.ts.is_none() == decoded.event.is_metadata()
        && !matches!(decoded.event, Event::CoreId { .. });
    if !is_plain {
        return None;
    }
    let decoded = out.event(entry, decoded);
    encode_payload(&decoded.event, decoded.ts.unwrap_or(0), room).ok()
}

/// Writes a number at an offset, 7 bits a byte, the lowest first. Returns the offset after it.
#[inline]
fn put(bytes: &mut [u8], mut at: usize, mut number: u64) -> usize {
    while let Some(byte) = bytes.get_mut(at) {
        at += 1;
        if number < 0x80 {
            *byte = number as u8;
            break;
        }
        *byte = number as u8 | 0x80;
        number >>= 7;
    }
    at
}

/// A position in a recording.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor {
    block: usize,
    /// The record after the next one begins here.
    at: usize,
    /// The number of the next entry that is kept as it is.
    other: usize,
    core: u32,
    offset: i64,
    /// The next record, if there is one in blocks that were released.
    next: Option<Next>,
}

/// A record.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// An event: its length in the file, and where its payload is.
    Event { len: u64, start: usize, payload: usize },
    /// An entry that is kept as it is.
    Other,
}

/// The payload of an event.
#[derive(Clone, Copy, Debug)]
pub struct Payload<'k> {
    /// The bytes from its beginning to the end of the block.
    pub rest: &'k [u8],
    /// Its length in bytes.
    pub bytes: usize,
    /// The event's core.
    pub core: u32,
    /// The event's offset and length in the recording, in bytes.
    pub offset: u64,
    pub len: u64,
}

impl Cursor {
    /// A record waits.
    pub const fn has_next(&self) -> bool {
        self.next.is_some()
    }

    /// The offset up to which the input has to be read for the records after those that wait; `None` at the end.
    pub fn needs(&self, recording: &KeptRecording) -> Option<u64> {
        recording.blocks.get(self.block).map(|block| block.read_to)
    }

    /// Begins the block for which the input is read.
    pub fn release(&mut self, recording: &KeptRecording) {
        self.at = 0;
        self.find(recording);
    }

    /// Reads the record at the position; goes to the next block if there is none.
    #[inline]
    fn find(&mut self, recording: &KeptRecording) {
        self.next = None;
        let Some(block) = recording.blocks.get(self.block) else { return };
        let mut rest = block.bytes.get(self.at..block.used).unwrap_or_default();
        if let [CORE, core, after @ ..] = rest {
            (self.core, rest) = (u32::from(*core), after);
        }
        match rest {
            [] => self.block += 1,
            [AS_IT_IS, after @ ..] => {
                self.at = block.used - after.len();
                self.next = Some(Next::Other);
            }
            [payload, after @ ..] => {
                let mut after = after;
                let difference = take(&mut after);
                let difference = (difference >> 1).cast_signed() ^ -(difference & 1).cast_signed();
                self.offset = self.offset.wrapping_add(difference);
                let len = take(&mut after);
                let (start, payload) = (block.used - after.len(), usize::from(*payload));
                self.at = start + payload;
                self.next = Some(Next::Event { len, start, payload });
            }
        }
    }

    /// The offset of the record that waits, in the recording.
    pub fn offset(&self, recording: &KeptRecording) -> Option<i64> {
        match self.next? {
            Next::Event { .. } => Some(self.offset),
            Next::Other => recording.others.get(self.other).map(|entry| entry.at),
        }
    }

    /// The payload that waits; `None` if it is another entry, or nothing waits.
    #[inline]
    pub fn payload<'k>(&self, recording: &'k KeptRecording) -> Option<Payload<'k>> {
        let Some(Next::Event { len, start, payload }) = self.next else { return None };
        let rest = recording.blocks.get(self.block)?.bytes.get(start..)?;
        let offset = u64::try_from(self.offset).unwrap_or(0);
        Some(Payload { rest, bytes: payload, core: self.core, offset, len })
    }

    /// Moves to the next record.
    #[inline]
    pub fn advance(&mut self, recording: &KeptRecording) {
        if matches!(self.next, Some(Next::Other)) {
            self.other += 1;
        }
        self.find(recording);
    }

    /// Returns the item that waits, and moves to the next record; `None` if nothing waits. A record that cannot be decoded is a defect, so
    /// that each call advances.
    pub fn take_item<'k>(&mut self, recording: &'k KeptRecording, mode: Mode) -> Option<Item<'k>> {
        let (mut core, offset) = (self.core, u64::try_from(self.offset).unwrap_or(0));
        let (next, payload) = (self.next?, self.payload(recording));
        let entry = recording.others.get(self.other);
        self.advance(recording);
        let (len, bytes) = match (next, payload, entry) {
            (Next::Other, _, Some(entry)) => return Some(item(&recording.others, entry, 0, mode)),
            (Next::Event { .. }, Some(Payload { rest, bytes, len, .. }), _) => {
                (len, rest.get(..bytes).unwrap_or_default())
            }
            _ => (0, &[][..]),
        };
        let decoded = decode_payload(bytes);
        let event = decoded.map_err(|error| Defect::Undecodable(FrameError::Event(error)));
        let event =
            event.and_then(|decoded| check(&decoded.event, &mut core, mode).map(|()| decoded));
        Some(Item { core, offset, len, event, reported: None })
    }

    /// The core of the event that waits, and its id; `None` if it is another entry.
    pub fn core_and_id(&self, recording: &KeptRecording) -> Option<(u32, u8)> {
        match self.next? {
            Next::Event { .. } => {
                let payload = self.payload(recording)?;
                Some((payload.core, *payload.rest.first()?))
            }
            Next::Other => {
                let entry = recording.others.get(self.other)?;
                let Content::Event(decoded) = &entry.content else { return None };
                Some((entry.core, decoded.event.id()))
            }
        }
    }
}

/// Takes a number.
#[inline]
fn take(bytes: &mut &[u8]) -> u64 {
    if let [byte @ ..0x80, rest @ ..] = *bytes {
        *bytes = rest;
        return (*byte).into();
    }
    let (mut number, mut shift) = (0, 0_u32);
    while let [byte, rest @ ..] = *bytes {
        *bytes = rest;
        number |= u64::from(byte & 0x7F).wrapping_shl(shift);
        shift += 7;
        if *byte < 0x80 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_events_are_not_kept() {
        let mut out = Output::default();
        for number in 0..10_000 {
            out.timed(0, number, &Event::IsrEnter { isr_id: 1 });
        }
        let mut keeper = Keeper::begin();
        keeper.keep(&out, 0, 1);
        assert!(matches!(keeper, Keeper::Keeps(_)));
        // An event takes at least six bytes.
        for _ in 0..MAX_MEMORY / out.count() / 6 {
            keeper.keep(&out, 0, 1);
        }
        assert!(matches!(keeper, Keeper::Off));
        keeper.finish(ForeignRecording::default(), 0);
        assert!(matches!(keeper, Keeper::Off));
    }

    #[test]
    fn a_record_that_does_not_decode_is_a_defect() {
        let mut out = Output::default();
        for number in 0..3 {
            out.timed(0, number, &Event::IsrEnter { isr_id: 1 });
        }
        let mut keeper = Keeper::begin();
        keeper.keep(&out, 0, 1);
        keeper.finish(ForeignRecording::default(), 0);
        let Keeper::Kept(recording) = keeper else { panic!("it is kept") };
        let mut recording = Rc::into_inner(recording).unwrap();
        // The id of the second event: a record has three bytes before its payload.
        let len = usize::from(recording.blocks[0].bytes[0]);
        recording.blocks[0].bytes[3 + len + 3] = 0xFE;
        let mut cursor = Cursor::default();
        cursor.release(&recording);
        let mut found = Vec::new();
        while let Some(item) = cursor.take_item(&recording, Mode::FreeRtos) {
            found.push(item.event.is_ok());
            assert!(found.len() <= 3);
        }
        assert_eq!(found, [true, false, true]);
        assert!(!cursor.has_next());
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        for number in [0, 1, 0x7F, 0x80, 0x3FFF, 0x4000, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = [9; 20];
            let len = put(&mut bytes, 0, number);
            let mut rest = &bytes[..len + 1];
            assert_eq!((take(&mut rest), rest), (number, &[9][..]));
        }
    }
}
