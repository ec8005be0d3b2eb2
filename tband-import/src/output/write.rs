//! Writes the entries of an output.

use tband_format::Event;
use tband_format::decode::Decoded;
use tband_format::field::fixed::FIXED_WINDOW;

use super::{AS_IT_IS, CORE, Content, Entry, FirstEntry, HEAD, MAX_RECORD, Output, Place};
use crate::gaps::{Break, ReportedLoss};

/// Bytes of the first records for which there is memory.
const FIRST_ROOM: usize = 4096;

impl Output {
    /// Appends an event with a time in ticks, and copies its text. Metadata loses the time.
    #[inline]
    pub fn timed(&mut self, core: u32, ts: u64, event: &Event<'_>) {
        if self.write(core, ts, event).is_none() {
            self.push_event(core, Some(ts), event);
        }
    }

    /// Appends an event with a time in ticks, whose text these pieces are.
    pub fn timed_pieces(&mut self, core: u32, ts: u64, event: &Event<'_>, pieces: &[&str]) {
        if self.write_pieces(core, ts, event, pieces).is_none() {
            let event = event.with_text(&[]);
            self.push_event(core, Some(ts), &event.with_text(pieces.concat().as_bytes()));
        }
    }

    /// Appends metadata, and copies its text.
    pub fn metadata(&mut self, core: u32, event: &Event<'_>) {
        if !event.is_metadata() || self.write(core, self.last.ts, event).is_none() {
            self.push_event(core, None, event);
        }
    }

    /// Appends a break that ends with the record, and has so many bytes; `before` of them were consumed before.
    pub fn broken(&mut self, core: u32, what: Break, before: u64, len: u64) {
        let at = self.at.saturating_sub_unsigned(before);
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        self.push(Entry { content: Content::Break(what), core, at, len, text: (0, 0) });
    }

    /// Appends what the recorder reports to be missing.
    pub fn missing(&mut self, core: u32, lost: ReportedLoss) {
        self.push(Entry { content: Content::Lost(lost), core, at: self.at, len: 0, text: (0, 0) });
    }

    /// Writes the record of an event. `None`: it does not fit one.
    #[inline]
    fn write(&mut self, core: u32, ts: u64, event: &Event<'_>) -> Option<()> {
        let (width, text) = event.write_fixed(self.begin(core, ts, event.id())?)?;
        self.copy_text(width, text)?;
        self.finish(ts, width + text.len());
        Some(())
    }

    /// As [`write`](Self::write), with a text that these pieces are.
    fn write_pieces(
        &mut self,
        core: u32,
        ts: u64,
        event: &Event<'_>,
        pieces: &[&str],
    ) -> Option<()> {
        let fields = self.begin(core, ts, event.id())?;
        let (width, _) = event.write_fixed(fields)?;
        let len: usize = pieces.iter().map(|piece| piece.len()).sum();
        // The length of the text is the last field.
        *fields.get_mut(width.checked_sub(1)?)? = u8::try_from(len).ok()?;
        let mut end = width;
        for piece in pieces {
            self.copy_text(end, piece.as_bytes())?;
            end += piece.len();
        }
        self.finish(ts, end);
        Some(())
    }

    /// Copies text to this place behind the begin of the fields.
    #[inline]
    fn copy_text(&mut self, at: usize, text: &[u8]) -> Option<()> {
        if !text.is_empty() {
            let begin = self.used + HEAD + at;
            self.records.get_mut(begin..begin + text.len())?.copy_from_slice(text);
        }
        Some(())
    }

    /// Begins the record of an event. Returns the place of its fields; `None`: its place or time is far from that of the one before.
    fn begin(&mut self, core: u32, ts: u64, id: u8) -> Option<&mut [u8; FIXED_WINDOW]> {
        let further = u16::try_from(self.at.wrapping_sub(self.last.at)).ok()?;
        let later = u32::try_from(ts.wrapping_sub(self.last.ts)).ok()?;
        self.make_room();
        if core != self.core {
            self.begin_core(core)?;
        }
        if let Some(ids) = self.since_call.ids.get_mut(usize::from(id / 64)) {
            *ids |= 1 << (id % 64);
        }
        let ([low, high], [a, b, c, d]) = (further.to_le_bytes(), later.to_le_bytes());
        let (head, fields) = self.records.get_mut(self.used..)?.split_first_chunk_mut()?;
        let head: &mut [u8; HEAD] = head;
        *head = [id, 0, low, high, a, b, c, d];
        fields.first_chunk_mut()
    }

    /// The record that begins has so many bytes of fields and text.
    #[inline]
    fn finish(&mut self, ts: u64, len: usize) {
        if matches!(self.first, FirstEntry::None) {
            self.first = FirstEntry::Record(self.used);
        }
        self.last = Place { at: self.at, ts };
        self.used += HEAD + len;
        self.count += 1;
    }

    /// The records from here on are of another core. `None`: its number is too large for a record.
    #[cold]
    fn begin_core(&mut self, core: u32) -> Option<()> {
        let number = u8::try_from(core).ok()?;
        self.records
            .get_mut(self.used..)?
            .first_chunk_mut()
            .map(|place| *place = [CORE, number])?;
        self.used += 2;
        self.core = core;
        self.since_call.has_others = true;
        Some(())
    }

    /// Makes room for a record.
    #[inline]
    fn make_room(&mut self) {
        if self.records.len() < self.used + MAX_RECORD + FIXED_WINDOW {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.records.resize((2 * self.records.len()).max(FIRST_ROOM), 0);
    }

    #[cold]
    fn push_event(&mut self, core: u32, ts: Option<u64>, event: &Event<'_>) {
        let (event, text) = event.split_text();
        let start = self.text.len();
        self.text.extend_from_slice(text);
        let text = (start, self.text.len());
        let content = Content::Event(Decoded { ts, event });
        self.push(Entry { content, core, at: self.at, len: 0, text });
    }

    /// Appends an entry without a record.
    fn push(&mut self, entry: Entry) {
        self.make_room();
        self.since_call.has_others = true;
        if let Some(place) = self.records.get_mut(self.used) {
            *place = AS_IT_IS;
        }
        if matches!(self.first, FirstEntry::None) {
            self.first = FirstEntry::Other(self.others.len());
        }
        self.last = self.last.after(&entry);
        self.others.push(entry);
        self.used += 1;
        self.count += 1;
    }
}
