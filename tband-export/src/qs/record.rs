//! Records: their numbers, and how their data are written.

use super::objects::{Object, QsObjectKind};

/// Bytes of a record that QSPY takes, with its sequence number and checksum.
const MAX_RECORD: usize = 512;

/// Bytes that a record has at most, with its number.
pub const MAX: usize = MAX_RECORD - 2;

/// The start of a session.
pub const EMPTY: u8 = 0;
/// The scheduler has started the next task.
pub const SCHED_NEXT: u8 = 52;
/// The scheduler has gone back to the idle task.
pub const SCHED_IDLE: u8 = 53;
/// The name of a value of an enumeration.
pub const ENUM_DICT: u8 = 54;
/// The name of an object.
pub const OBJ_DICT: u8 = 61;
/// The name of a function.
pub const FUN_DICT: u8 = 62;
/// The name of a record of the application.
pub const USR_DICT: u8 = 63;
/// Information about the target.
pub const TARGET_INFO: u8 = 64;

/// Bytes of a text of a dictionary, beyond which QSPY cuts it.
const MAX_NAME: usize = 127;

/// Ends a text that was cut.
const POINTS: &str = "...";

/// The type in the format bytes of records of the application.
pub(super) const U8: u8 = 1;
pub(super) const U32: u8 = 5;
const STR: u8 = 8;
pub(super) const OBJ: u8 = 11;
const FUN: u8 = 12;
const I64: u8 = 13;
const U64: u8 = 14;
/// An enumeration, with its group below.
pub(super) const ENUM: u8 = 0x80;
/// The width that selects hexadecimal digits.
const HEX: u8 = 0xF0;

/// Bytes that wait, beyond which they are written.
const BLOCK: usize = 1 << 15;
/// Additional room for a record with each of its bytes escaped, the frame's own bytes, and zeros to inspect.
const ROOM: usize = BLOCK + 2 * MAX_RECORD + 16;

/// A record under construction, after a place for its sequence number and after the pending bytes.
#[derive(Debug)]
pub struct Record {
    /// The buffer has a constant length, so that the usual element is written without a call.
    bytes: Box<[u8]>,
    /// Where it begins.
    start: usize,
    /// Its current end.
    end: usize,
}

impl Default for Record {
    fn default() -> Self {
        Self { bytes: vec![0; ROOM].into_boxed_slice(), start: 0, end: 0 }
    }
}

impl Record {
    /// Begins one that has not even a number yet.
    #[inline]
    pub const fn reset(&mut self) {
        self.end = self.start;
    }

    /// Begins one without a time.
    pub fn begin(&mut self, number: u8) -> &mut Self {
        self.end = self.start;
        self.put([0, number])
    }

    /// Begins one with a time: the lower half of its ticks.
    #[inline]
    pub fn begin_at(&mut self, number: u8, ticks: u64) -> &mut Self {
        self.end = self.start;
        let [a, b, c, d] = (ticks as u32).to_le_bytes();
        self.put([0, number, a, b, c, d])
    }

    /// Begins that of an event of the registry: its time, its id and its core.
    #[inline]
    pub fn begin_event(&mut self, number: u8, ticks: u64, id: u8, core: u8) -> &mut Self {
        self.end = self.start;
        let [a, b, c, d] = (ticks as u32).to_le_bytes();
        self.put([0, number, a, b, c, d, ENUM, id, U8, core])
    }

    /// Its bytes so far; the first is the place for its sequence number.
    #[inline]
    pub fn bytes(&mut self) -> &mut [u8] {
        self.bytes.get_mut(self.start..self.end).unwrap_or_default()
    }

    /// Returns its bytes with zeros after them, in complete words.
    #[inline]
    pub fn words(&mut self) -> impl Iterator<Item = u64> {
        let end = self.end;
        self.put([0; 8]);
        self.end = end;
        let len = self.len().next_multiple_of(8);
        let words = self.bytes.get(self.start..self.start.saturating_add(len));
        words.unwrap_or_default().as_chunks().0.iter().map(|word| u64::from_le_bytes(*word))
    }

    /// It is complete, and waits to be written.
    #[inline]
    pub const fn end(&mut self) {
        self.start = self.end;
    }

    /// Whether enough bytes are pending to be written.
    #[inline]
    pub const fn is_enough(&self) -> bool {
        self.start >= BLOCK
    }

    /// Takes all pending bytes.
    pub fn take_all(&mut self) -> &[u8] {
        let waiting = self.bytes.get(..self.start).unwrap_or_default();
        (self.start, self.end) = (0, 0);
        waiting
    }

    /// Takes the record out, so that another can be inserted before it.
    pub fn take(&mut self) -> Vec<u8> {
        let taken = self.bytes().to_vec();
        self.end = self.start;
        taken
    }

    /// Puts it in again.
    pub fn restore(&mut self, taken: &[u8]) -> &mut Self {
        self.end = self.start;
        self.raw(taken)
    }

    const fn len(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Bytes that have no format byte, in records whose layout is known.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        let end = self.end.saturating_add(bytes.len());
        if let Some(place) = self.bytes.get_mut(self.end..end) {
            place.copy_from_slice(bytes);
            self.end = end;
        }
        self
    }

    /// The same, of a number of them that is known.
    #[inline]
    pub fn put<const LEN: usize>(&mut self, bytes: [u8; LEN]) -> &mut Self {
        let place = self.bytes.get_mut(self.end..).and_then(|rest| rest.first_chunk_mut());
        if let Some(place) = place {
            *place = bytes;
            self.end += LEN;
        }
        self
    }

    /// The first bytes of words, as many as `len`.
    #[inline]
    pub fn put_words<const COUNT: usize>(&mut self, words: [u64; COUNT], len: usize) -> &mut Self {
        let place = self.bytes.get_mut(self.end..).map(<[u8]>::as_chunks_mut);
        let place = place.and_then(|(rest, _)| rest.first_chunk_mut::<COUNT>());
        if let Some(place) = place {
            *place = words.map(u64::to_le_bytes);
            self.end = self.end.saturating_add(len);
        }
        self
    }

    /// Escapes a byte of the record.
    pub fn insert(&mut self, at: usize, escape: u8, changed: u8) {
        let end = self.end.saturating_add(1);
        if let Some([byte, rest @ ..]) =
            self.bytes.get_mut(self.start..end).and_then(|bytes| bytes.get_mut(at..))
        {
            *byte = escape;
            rest.copy_within(..rest.len().saturating_sub(1), 1);
            if let Some(byte) = rest.first_mut() {
                *byte = changed;
            }
            self.end = end;
        }
    }

    /// A text that closes a record of a dictionary.
    pub fn name(&mut self, text: &str) -> &mut Self {
        self.terminated(text, MAX_NAME)
    }

    /// Appends an element, its format first, unless the record has no room for it: events that only a recording describes may
    /// have any number of fields.
    #[inline]
    fn element<const LEN: usize>(&mut self, element: [u8; LEN]) -> &mut Self {
        // The sequence number does not count.
        if self.len().saturating_add(LEN) <= MAX + 1 { self.put(element) } else { self }
    }

    #[inline]
    fn four(&mut self, format: u8, value: u32) -> &mut Self {
        let [a, b, c, d] = value.to_le_bytes();
        self.element([format, a, b, c, d])
    }

    #[inline]
    fn eight(&mut self, format: u8, value: u64) -> &mut Self {
        let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
        self.element([format, a, b, c, d, e, f, g, h])
    }

    pub fn byte(&mut self, value: u8) -> &mut Self {
        self.element([U8, value])
    }

    /// A number, in as many bytes as it needs: four or eight.
    #[inline]
    pub fn unsigned(&mut self, value: u64, is_hex: bool) -> &mut Self {
        let width = if is_hex { HEX } else { 0 };
        match u32::try_from(value) {
            Ok(value) => self.four(width | U32, value),
            Err(_) => self.eight(width | U64, value),
        }
    }

    /// A number in eight bytes, whatever it is.
    pub fn unsigned_64(&mut self, value: u64) -> &mut Self {
        self.eight(U64, value)
    }

    pub fn signed(&mut self, value: i64) -> &mut Self {
        self.eight(I64, value.cast_unsigned())
    }

    #[inline]
    pub fn object(&mut self, object: Object) -> &mut Self {
        let format = if object.kind == QsObjectKind::Function { FUN } else { OBJ };
        self.eight(format, object.key())
    }

    /// Appends a text. A text that is too long for a record ends with three points, unless these do not fit either.
    pub fn text(&mut self, text: &str) -> &mut Self {
        match MAX.checked_sub(self.len().saturating_add(1)) {
            Some(room) if room >= text.len().min(POINTS.len()) => {
                self.put([STR]).terminated(text, room)
            }
            _ => self,
        }
    }

    fn terminated(&mut self, text: &str, most: usize) -> &mut Self {
        let is_cut = text.len() > most;
        let points = if is_cut { POINTS } else { "" };
        let room = if is_cut { most.saturating_sub(points.len()) } else { most };
        // Not within a character.
        let kept = (0..=room.min(text.len())).rev().find_map(|end| text.get(..end));
        let kept = kept.unwrap_or_default();
        // A zero byte would end it.
        let start = self.len();
        self.raw(kept.as_bytes());
        for byte in self.bytes().iter_mut().skip(start).filter(|byte| **byte == 0) {
            *byte = b'?';
        }
        self.raw(points.as_bytes()).put([0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever room is left for a text.
    #[test]
    fn record_lengths_are_within_the_reader_limit() {
        for before in 0..12 {
            for text in ["", "a", "abc", "abcd", "äöü", "\u{1F600}\u{1F600}"] {
                let mut record = Record::default();
                record.begin_event(100, 1, 2, 0).text(&"x".repeat(MAX - 12 - before));
                let (len, taken) = (record.len(), record.text(text).take());
                assert!(taken.len() <= MAX + 1, "{} bytes with {text:?} after {len}", taken.len());
                // An element that does not fit is left out, or ends with points.
                let added = taken.get(len..).unwrap();
                let whole = [&[STR], text.as_bytes(), &[0]].concat();
                let is_cut = added.first() == Some(&STR) && added.ends_with(b"...\0");
                assert!(added.is_empty() || added == whole || is_cut, "{text:?}: {added:?}");
            }
        }
    }
}
