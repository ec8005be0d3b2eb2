//! The entries that an importer produces: events with their places, and breaks.

use tband_format::registry::trace_info_flags::FREERTOS;
use tband_format::{Decoded, Event, FORMAT_VERSION};

use crate::gaps::{Break, ReportedLoss};

/// The content of an entry.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// An event; [`Output::event`] returns it with its text.
    Event(Decoded<'static>),
    /// There is a break.
    Break(Break),
    /// Events, or packets, are missing.
    Lost(ReportedLoss),
}

/// One event, or a break.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The content.
    pub content: Content,
    /// Its core.
    pub core: u32,
    /// Offset in bytes from the start of the part that was read. It is negative if the importer kept earlier bytes.
    pub at: i64,
    /// Bytes that it has in the file.
    pub len: u32,
    /// Start and length of its text, if that is kept apart; otherwise the length is 0.
    text: (u32, u32),
}

impl Entry {
    /// Its text is kept apart.
    #[must_use]
    pub const fn has_text(&self) -> bool {
        self.text.1 > 0
    }
}

/// The entries of a part of the recording, in order, and their texts.
#[derive(Debug, Default)]
pub struct Output {
    entries: Vec<Entry>,
    text: Vec<u8>,
    /// Bytes of the part before the record that is read.
    passed: u64,
    /// Number of entries from which on the importer returns.
    enough: usize,
    /// Number of the first entry of that record.
    record: usize,
    /// Bytes of records that the importer has ended since it was called.
    ended: u64,
}

/// Entries of several records from which on a call of an importer returns.
const ENOUGH: usize = 64;

/// Entries are removed long before their texts have 4 GiB.
fn low(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl Output {
    /// Has memory for so many entries.
    #[must_use]
    pub fn with_capacity(entries: usize) -> Self {
        Self { entries: Vec::with_capacity(entries), ..Self::default() }
    }

    /// The entry of this number, from 0.
    #[inline]
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&Entry> {
        self.entries.get(number)
    }

    /// The entries, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Entry> {
        self.entries.iter()
    }

    /// The text of an entry's event, if that is kept apart.
    #[inline]
    #[must_use]
    pub fn text(&self, entry: &Entry) -> &[u8] {
        let (start, len) = (entry.text.0 as usize, entry.text.1 as usize);
        self.text.get(start..start.saturating_add(len)).unwrap_or_default()
    }

    /// The event of an entry, with its text.
    #[inline]
    #[must_use]
    pub fn event<'a>(&'a self, entry: &Entry, decoded: &Decoded<'static>) -> Decoded<'a> {
        match self.text(entry) {
            [] => *decoded,
            text => Decoded { event: decoded.event.with_text(text), ..*decoded },
        }
    }

    /// There is no entry.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The record that is read has no entry so far.
    #[must_use]
    pub const fn is_record_empty(&self) -> bool {
        self.entries.len() == self.record
    }

    /// Number of entries.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.entries.len()
    }

    /// Another part follows: removes all entries, and keeps their memory.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.text.clear();
        (self.passed, self.record, self.ended) = (0, 0, 0);
    }

    /// Bytes of memory of entries and texts.
    #[must_use]
    pub const fn memory(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.text.capacity()
    }

    /// The importer is called, and returns before it has appended many entries.
    pub const fn begin_call(&mut self) {
        self.enough = self.entries.len().saturating_add(ENOUGH);
    }

    /// The importer has not consumed these bytes and never will.
    pub const fn skip(&mut self, len: usize) {
        self.passed = self.passed.saturating_add(len as u64);
    }

    /// The importer has consumed `len` bytes: those of the records that it has ended itself, and of the last one.
    #[inline]
    pub fn end_call(&mut self, len: usize) {
        let ended = std::mem::take(&mut self.ended);
        self.end(len - usize::try_from(ended).unwrap_or(len).min(len));
    }

    /// A record of `len` bytes ends inside of a call of the importer, which reads on.
    #[inline]
    pub fn end_record(&mut self, len: usize) {
        self.ended = self.ended.saturating_add(len as u64);
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
        self.entries.len() < self.enough
    }

    /// The record's first entry has its length, without the last byte; the others are at the same place.
    #[inline]
    fn end(&mut self, len: usize) {
        if let Some(first) = self.entries.get_mut(self.record)
            && first.len == 0
        {
            first.len = low(len.saturating_sub(1));
        }
        self.record = self.entries.len();
        self.passed = self.passed.saturating_add(len as u64);
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

    /// Appends an event with a time in ticks. A text in it is a constant.
    #[inline]
    pub fn timed(&mut self, core: u32, ts: u64, event: &Event<'static>) {
        self.push(core, Content::Event(Decoded { ts: Some(ts), event: *event }));
    }

    /// Appends an event with a time in ticks, and copies its text.
    pub fn timed_text(&mut self, core: u32, ts: u64, event: &Event<'_>) {
        self.push_event(core, Some(ts), event);
    }

    /// Appends an event with a time in ticks, whose text these pieces are.
    pub fn timed_pieces(&mut self, core: u32, ts: u64, event: &Event<'static>, pieces: &[&str]) {
        self.timed(core, ts, event);
        self.push_text(pieces.iter().map(|piece| piece.as_bytes()));
    }

    /// Appends metadata.
    pub fn metadata(&mut self, core: u32, event: &Event<'_>) {
        self.push_event(core, None, event);
    }

    /// Appends pieces of text for the last entry.
    fn push_text<'t>(&mut self, pieces: impl Iterator<Item = &'t [u8]>) {
        let start = self.text.len();
        pieces.for_each(|piece| self.text.extend_from_slice(piece));
        if let Some(entry) = self.entries.last_mut() {
            entry.text = (low(start), low(self.text.len() - start));
        }
    }

    fn push_event(&mut self, core: u32, ts: Option<u64>, event: &Event<'_>) {
        let (event, text) = event.split_text();
        self.push(core, Content::Event(Decoded { ts, event }));
        self.push_text(std::iter::once(text));
    }

    #[inline]
    fn push(&mut self, core: u32, content: Content) {
        let at = i64::try_from(self.passed).unwrap_or(i64::MAX);
        self.entries.push(Entry { content, core, at, len: 0, text: (0, 0) });
    }

    /// Appends a break that ends with the record, and has so many bytes; `before` of them were consumed before.
    pub fn broken(&mut self, core: u32, what: Break, before: u64, len: u64) {
        self.push(core, Content::Break(what));
        if let Some(entry) = self.entries.last_mut() {
            entry.at = entry.at.saturating_sub_unsigned(before);
            entry.len = u32::try_from(len).unwrap_or(u32::MAX);
        }
    }

    /// The entries from this one on are of `len` bytes that the importer kept, and that began `before` bytes before the piece that
    /// is read.
    pub fn place(&mut self, from: usize, before: u64, len: u64) {
        for (number, entry) in self.entries.iter_mut().skip(from).enumerate() {
            entry.at = entry.at.saturating_sub_unsigned(before);
            if number == 0 && entry.len == 0 {
                entry.len = u32::try_from(len).unwrap_or(u32::MAX);
            }
        }
    }

    /// Appends what the recorder reports to be missing.
    pub fn missing(&mut self, core: u32, lost: ReportedLoss) {
        self.push(core, Content::Lost(lost));
    }
}
