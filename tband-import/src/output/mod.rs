//! The entries that an importer produces: events with their places, and breaks.
//!
//! They are in memory as [records](Cursor) of some 15 bytes, which a program can keep for another pass. Fields have fixed widths:
//! varints would take a fifth of all instructions of a conversion, and entries of one size five times the memory.

mod cursor;
mod entry;
mod write;

#[cfg(test)]
mod tests;

use tband_format::decode::Decoded;
use tband_format::field::fixed::FIXED_WINDOW;
use tband_format::registry::trace_info_flags::FREERTOS;
use tband_format::{Event, FORMAT_VERSION};

pub use self::cursor::{Cursor, EventRecord, Record};
pub use self::entry::{Content, Entry};

/// Bytes of a record before its fields: the event's id in a byte, its length in the file in a byte, and the differences of its offset
/// and of its time to those of the entry before in two and four bytes.
const HEAD: usize = 8;
/// Bytes of the longest record, with a change of the core before it. The text's length is in a byte.
const MAX_RECORD: usize = 2 + HEAD + FIXED_WINDOW + 255;
/// In place of an id: the entry is among those without a record. No event of the registry has it.
const AS_IT_IS: u8 = 254;
/// In place of an id: the core of the records from here on follows. No event of the registry has it.
const CORE: u8 = 255;
/// In place of a length: it is among the long ones.
const LONG: u8 = 255;
/// Entries from which on a call of an importer returns.
const ENOUGH: usize = 64;

/// The entries of a part of the recording, in order.
#[derive(Debug, Default)]
pub struct Output {
    /// Records, and room after them, so that a window of bytes is at the fields of each.
    records: Vec<u8>,
    /// Bytes of the records.
    used: usize,
    /// Entries without a record, and their texts.
    others: Vec<Entry>,
    text: Vec<u8>,
    /// Lengths that do not fit a record.
    long: Vec<u32>,
    /// Number of entries.
    count: usize,
    core: u32,
    last: Place,
    /// Bytes of the part before the record of the file that is read.
    passed: i64,
    /// Offset of the next entry: it differs from `passed` while bytes are read that the importer kept.
    at: i64,
    first: FirstEntry,
    /// Bytes of records of the file that the importer has ended since it was called.
    ended: u64,
    /// Number of entries from which on the importer returns.
    enough: usize,
    /// What was appended since the importer was called.
    since_call: Appended,
}

/// The kinds of entries that were appended.
#[derive(Clone, Copy, Debug, Default)]
struct Appended {
    /// The ids of events with a record, as bits.
    ids: [u64; 4],
    /// There are entries without a record, or of different cores.
    has_others: bool,
}

/// The offset and the time, in ticks, of an entry, to which those of the next one are relative.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    at: i64,
    ts: u64,
}

impl Place {
    /// After an entry without a record.
    fn after(self, entry: &Entry) -> Self {
        let ts = match entry.content {
            Content::Event(Decoded { ts, .. }) => ts,
            Content::Break(_) | Content::Lost(_) => None,
        };
        Self { at: entry.at, ts: ts.unwrap_or(self.ts) }
    }
}

/// The first entry of the record of the file that is read.
#[derive(Clone, Copy, Debug, Default)]
enum FirstEntry {
    /// There is none so far.
    #[default]
    None,
    /// Its record begins here. It gets its length when the record of the file ends.
    Record(usize),
    /// Its number among those without a record.
    Other(usize),
    /// It has its length.
    HasLength,
}

impl Output {
    /// Has room for records of so many bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self { records: vec![0; bytes + MAX_RECORD + FIXED_WINDOW], ..Self::default() }
    }

    /// The entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = Record<'_>> {
        let mut cursor = Cursor::default();
        std::iter::from_fn(move || cursor.next(self))
    }

    /// The event of an entry without a record, with its text.
    #[must_use]
    pub fn event<'a>(&'a self, entry: &Entry, decoded: &Decoded<'static>) -> Decoded<'a> {
        let (start, end) = entry.text;
        match self.text.get(start..end).unwrap_or_default() {
            [] => *decoded,
            text => Decoded { event: decoded.event.with_text(text), ..*decoded },
        }
    }

    /// There is no entry.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The record of the file that is read has no entry so far.
    #[must_use]
    pub const fn is_record_empty(&self) -> bool {
        matches!(self.first, FirstEntry::None)
    }

    /// Number of entries.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Another part follows: removes all entries, and keeps their memory.
    pub fn clear(&mut self) {
        let Self { records, others, text, long, .. } = std::mem::take(self);
        *self = Self { records, others, text, long, ..Self::default() };
        self.others.clear();
        self.text.clear();
        self.long.clear();
    }

    /// Bytes that the entries take.
    #[must_use]
    pub const fn used(&self) -> usize {
        let others = self.others.len() * size_of::<Entry>() + self.long.len() * size_of::<u32>();
        self.used + others + self.text.len()
    }

    /// Bytes of memory of all entries, with the room for further ones.
    #[must_use]
    pub const fn memory(&self) -> usize {
        let others =
            self.others.capacity() * size_of::<Entry>() + self.long.capacity() * size_of::<u32>();
        self.records.capacity() + others + self.text.capacity()
    }

    /// The importer is called, and returns before it has appended many entries.
    pub const fn begin_call(&mut self) {
        self.enough = self.count.saturating_add(ENOUGH);
        self.since_call = Appended { ids: [0; 4], has_others: false };
    }

    /// Whether all entries since [`begin_call`](Self::begin_call) are events of this core that a reader does not want.
    pub fn has_only(&self, core: u32, is_unwanted: impl Fn(u8) -> bool) -> bool {
        let Appended { ids, has_others } = self.since_call;
        !has_others
            && self.core == core
            && ids.iter().zip([0, 64, 128, 192]).all(|(word, first)| {
                let mut left = *word;
                while left != 0 {
                    let bit = left.trailing_zeros() as u8;
                    if !is_unwanted(first + bit) {
                        return false;
                    }
                    left &= left - 1;
                }
                true
            })
    }

    /// The importer has consumed `len` bytes: those of the records that it has ended itself, and of the last one.
    #[inline]
    pub fn end_call(&mut self, len: usize) {
        let ended = std::mem::take(&mut self.ended);
        self.end(len - usize::try_from(ended).unwrap_or(len).min(len));
    }

    /// The importer never consumes these bytes.
    pub const fn skip(&mut self, len: usize) {
        // No file has 2^63 bytes.
        self.passed = self.passed.wrapping_add_unsigned(len as u64);
        self.at = self.passed;
    }

    /// A record of `len` bytes ends inside of a call of the importer, which reads on.
    #[inline]
    pub fn end_record(&mut self, len: usize) {
        self.ended = self.ended.wrapping_add(len as u64);
        self.end(len);
    }

    /// Takes the records at the front in one call of the importer, while there is room. `take` returns the length of a record; 0:
    /// no other one can be taken. Returns how many bytes were consumed.
    #[inline]
    pub fn records(
        &mut self,
        bytes: &[u8],
        mut take: impl FnMut(&[u8], &mut Self) -> usize,
    ) -> usize {
        let mut consumed = 0;
        while let Some(rest) = bytes.get(consumed..).filter(|rest| !rest.is_empty()) {
            let len = take(rest, self);
            consumed += len;
            if len == 0 || !self.has_room() {
                break;
            }
            self.end_record(len);
        }
        consumed
    }

    /// The importer may read on in the same call.
    #[inline]
    #[must_use]
    pub const fn has_room(&self) -> bool {
        self.count < self.enough
    }

    /// The entries from here on are of bytes that the importer kept. They began `before` bytes before the piece that is read.
    pub const fn begin_kept(&mut self, before: u64) {
        self.at = self.passed.saturating_sub_unsigned(before);
        self.first = FirstEntry::None;
    }

    /// The entries since [`begin_kept`](Self::begin_kept) are of `len` bytes.
    pub fn end_kept(&mut self, len: u64) {
        self.at = self.passed;
        self.set_len(u32::try_from(len).unwrap_or(u32::MAX));
        if self.count + ENOUGH > self.enough {
            self.first = FirstEntry::HasLength;
        }
    }

    /// The record's first entry has its length, without the last byte; the others are at the same place.
    #[inline]
    fn end(&mut self, len: usize) {
        // Many records have no entry.
        if !self.is_record_empty() {
            self.set_len(u32::try_from(len.saturating_sub(1)).unwrap_or(u32::MAX));
            self.first = FirstEntry::None;
        }
        self.skip(len);
    }

    /// Sets the length of the first entry.
    #[inline]
    fn set_len(&mut self, len: u32) {
        match std::mem::replace(&mut self.first, FirstEntry::HasLength) {
            FirstEntry::None => self.first = FirstEntry::None,
            FirstEntry::HasLength => {}
            FirstEntry::Record(at) => {
                let short = u8::try_from(len).unwrap_or(LONG);
                if let Some(place) = self.records.get_mut(at + 1) {
                    *place = short;
                }
                if short == LONG {
                    self.long.push(len);
                }
            }
            FirstEntry::Other(number) => {
                if let Some(entry) = self.others.get_mut(number).filter(|entry| entry.len == 0) {
                    entry.len = len;
                }
            }
        }
    }

    /// Appends the metadata with which the recording of a system with tasks begins; 0 cores: their number is unknown.
    pub fn begin_recording(&mut self, core: u32, core_count: u32, tick_rate_hz: Option<u32>) {
        let event = Event::TraceInfo {
            format_version: FORMAT_VERSION,
            core_count,
            flags: FREERTOS,
            // In front of a tick rate, 0 is an unknown version.
            kernel_version: tick_rate_hz.map(|_| 0),
            tick_rate_hz,
        };
        self.metadata(core, &event);
    }
}
