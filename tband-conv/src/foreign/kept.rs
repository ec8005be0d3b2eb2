//! The events of an imported recording, which the first pass keeps for the later ones.
//!
//! Importing takes most of the time of a pass, and a conversion makes two. So the first pass encodes what it imports, in some 15
//! bytes an event, unless that takes too much memory: then the later passes import again.

use std::rc::Rc;

use tband_format::{Decoded, Event, FrameError, WINDOW, decode_payload, encode_payload};
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
/// Bytes of a record before its payload.
const HEAD: usize = 4;
/// Bytes of the longest record, with a change of the core before it.
const MAX_RECORD: usize = 2 + HEAD + MAX_PAYLOAD;
/// Where the last record of a block begins at most: a window of bytes is at each.
const LAST_RECORD: usize = BLOCK - MAX_RECORD - WINDOW;
/// In place of the length of a payload: the entry is among those that are kept as they are.
const AS_IT_IS: u8 = 254;
/// In place of the length of a payload: the core of the records from here on follows.
const CORE: u8 = 255;

/// Records of a part of the recording. Each is the length of the payload in a byte, the length in the file in a byte, the difference of
/// the offset to that of the record before in two, and the payload: the event as in a frame.
#[derive(Debug)]
struct Block {
    /// The records, and room after them, so that a window of bytes is at each.
    bytes: Box<[u8]>,
    /// Bytes of the records.
    used: usize,
    /// Offset in the input up to which the importer had read when it appended the last of them.
    read_to: u64,
}

/// An imported recording.
#[derive(Debug, Default)]
pub struct KeptRecording {
    blocks: Vec<Block>,
    /// Entries that have no payload or a long one, or whose places do not fit a record.
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
            writer.push(out, base, read_to);
            if writer.memory() > MAX_MEMORY {
                *self = Self::Off;
            }
        }
    }

    /// The recording has ended.
    pub fn finish(&mut self, about: ForeignRecording, preamble: u64) {
        *self = match std::mem::take(self) {
            Self::Keeps(writer) => {
                Self::Kept(Rc::new(KeptRecording { about, preamble, ..writer.recording }))
            }
            other => other,
        };
    }
}

/// Encodes entries.
#[derive(Debug, Default)]
pub struct Writer {
    recording: KeptRecording,
    core: u32,
    offset: i64,
}

impl Writer {
    fn memory(&self) -> usize {
        self.recording.blocks.len() * BLOCK + self.recording.others.memory()
    }

    /// Appends the entries of a piece.
    fn push(&mut self, out: &Output, base: i64, read_to: u64) {
        let mut entries = out.iter().peekable();
        while entries.peek().is_some() {
            let is_full = |block: &Block| block.used > LAST_RECORD;
            if self.recording.blocks.last().is_none_or(is_full) {
                let bytes = vec![0; BLOCK].into_boxed_slice();
                self.recording.blocks.push(Block { bytes, used: 0, read_to });
            }
            let KeptRecording { blocks, others, .. } = &mut self.recording;
            let Some(block) = blocks.last_mut() else { return };
            block.read_to = read_to;
            let (mut used, mut last) = (block.used, self.offset);
            while used <= LAST_RECORD
                && let Some(entry) = entries.next()
            {
                if entry.core != self.core
                    && entry.core < MAX_CORES
                    && let Ok(core) = u8::try_from(entry.core)
                    && let Some(change) = block.bytes.get_mut(used..used + 2)
                {
                    change.copy_from_slice(&[CORE, core]);
                    used += 2;
                    self.core = entry.core;
                }
                let room = block.bytes.get_mut(used..).unwrap_or_default();
                let offset = base.saturating_add(entry.at);
                match record(room, out, entry, offset.wrapping_sub(last)) {
                    Some(len) => used += len,
                    None => {
                        if let Some(first) = room.first_mut() {
                            *first = AS_IT_IS;
                            used += 1;
                        }
                        others.copy(out, entry, base);
                    }
                }
                last = offset;
            }
            (block.used, self.offset) = (used, last);
        }
    }
}

/// Writes the record of an entry, whose offset has this difference to that of the entry before. Returns the record's length; `None`: the
/// entry does not fit one.
fn record(room: &mut [u8], out: &Output, entry: &Entry, difference: i64) -> Option<usize> {
    let (head, rest) = room.split_first_chunk_mut::<HEAD>()?;
    let [low, high] = u16::try_from(difference).ok()?.to_le_bytes();
    let len = u8::try_from(entry.len).ok()?;
    let bytes = encode(out, entry, rest.get_mut(..MAX_PAYLOAD)?)?;
    *head = [u8::try_from(bytes).ok()?, len, low, high];
    Some(HEAD + bytes)
}

/// Writes the payload from which [`decode_payload`] decodes the event of an entry. Returns its length.
fn encode(out: &Output, entry: &Entry, room: &mut [u8]) -> Option<usize> {
    let Content::Event(Decoded { ts, event }) = &entry.content else { return None };
    let is_plain = entry.core < MAX_CORES
        && ts.is_none() == event.is_metadata()
        && !matches!(event, Event::CoreId { .. });
    if !is_plain {
        return None;
    }
    let ts = ts.unwrap_or(0);
    let encoded = match out.text(entry) {
        [] => encode_payload(event, ts, room),
        text => encode_payload(&event.with_text(text), ts, room),
    };
    encoded.ok()
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
    Event { len: u8, start: usize, payload: usize },
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
        match block.bytes.get(self.at..block.used) {
            Some([AS_IT_IS | CORE, ..]) => *self = self.find_special(recording, block),
            Some(rest) => self.find_event(block, rest),
            None => self.block += 1,
        }
    }

    /// Reads the record at the begin of `rest`, the rest of the block, if there is one.
    #[inline]
    fn find_event(&mut self, block: &Block, rest: &[u8]) {
        let &[payload, len, low, high, ref rest @ ..] = rest else {
            self.block += 1;
            return;
        };
        self.offset = self.offset.wrapping_add(u16::from_le_bytes([low, high]).into());
        let (start, payload) = (block.used - rest.len(), usize::from(payload));
        self.at = start + payload;
        self.next = Some(Next::Event { len, start, payload });
    }

    /// Reads what follows here: another core, or an entry that is kept as it is. By value, so that a cursor can be in registers.
    #[cold]
    fn find_special(mut self, recording: &KeptRecording, block: &Block) -> Self {
        let mut rest = block.bytes.get(self.at..block.used).unwrap_or_default();
        if let [CORE, core, after @ ..] = rest {
            (self.core, rest) = (u32::from(*core), after);
        }
        if let [AS_IT_IS, after @ ..] = rest {
            self.at = block.used - after.len();
            let entry = recording.others.get(self.other);
            self.offset = entry.map_or(self.offset, |entry| entry.at);
            self.next = Some(Next::Other);
        } else {
            self.find_event(block, rest);
        }
        self
    }

    /// The offset of the record that waits, in the recording.
    pub fn offset(&self) -> Option<i64> {
        self.next.map(|_| self.offset)
    }

    /// The payload that waits; `None` if it is another entry, or nothing waits.
    #[inline]
    pub fn payload<'k>(&self, recording: &'k KeptRecording) -> Option<Payload<'k>> {
        let Some(Next::Event { len, start, payload }) = self.next else { return None };
        let rest = recording.blocks.get(self.block)?.bytes.get(start..)?;
        let offset = u64::try_from(self.offset).unwrap_or(0);
        Some(Payload { rest, bytes: payload, core: self.core, offset, len: len.into() })
    }

    /// Moves to the next record.
    #[inline]
    pub fn advance(&mut self, recording: &KeptRecording) {
        if matches!(self.next, Some(Next::Other)) {
            self.other += 1;
        }
        self.find(recording);
    }

    /// Gives `take` the payloads that wait, one after the other, until it does not take one, or fails after it has taken one.
    ///
    /// # Errors
    /// That of `take`.
    #[inline]
    pub fn take_payloads<E>(
        &mut self,
        recording: &KeptRecording,
        mut take: impl FnMut(Payload<'_>) -> Option<Result<(), E>>,
    ) -> Result<(), E> {
        let mut cursor = *self;
        let result = loop {
            match cursor.payload(recording).and_then(&mut take) {
                Some(Ok(())) => cursor.advance(recording),
                Some(Err(error)) => {
                    cursor.advance(recording);
                    break Err(error);
                }
                None => break Ok(()),
            }
        };
        *self = cursor;
        result
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
        // The id of the second event.
        let len = usize::from(recording.blocks[0].bytes[0]);
        recording.blocks[0].bytes[HEAD + len + HEAD] = 0xFE;
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
    fn entries_at_any_place_are_kept() {
        let ats = [0, 5, 5, 300, 0x1_0000, 0x1_FFFF, 0x3_0000, 10, 11, i64::MAX, 0];
        let (mut out, mut keeper) = (Output::default(), Keeper::begin());
        for at in ats {
            out.begin_piece();
            out.timed(0, 1, &Event::IsrEnter { isr_id: 1 });
            out.end_call(if at == 300 { 500 } else { 2 });
            keeper.keep(&out, at, 1);
        }
        keeper.finish(ForeignRecording::default(), 0);
        let Keeper::Kept(recording) = keeper else { panic!("it is kept") };
        let mut cursor = Cursor::default();
        cursor.release(&recording);
        for at in ats {
            assert_eq!(cursor.offset(), Some(at));
            let item = cursor.take_item(&recording, Mode::FreeRtos).unwrap();
            let len = if at == 300 { 499 } else { 1 };
            assert_eq!((item.offset, item.len, item.event.is_ok()), (at.unsigned_abs(), len, true));
        }
        assert!(!cursor.has_next());
        // Those with a longer length, and those that are far from the one before.
        assert_eq!(recording.others.count(), 5);
    }
}
