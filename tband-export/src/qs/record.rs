//! Records: their numbers, and how their data are written.

use super::objects::{Kind, Object};

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
/// What the target is.
pub const TARGET_INFO: u8 = 64;

/// Bytes of a text of a dictionary, beyond which QSPY cuts it.
const MAX_NAME: usize = 127;

/// Ends a text that was cut.
const POINTS: &str = "...";

/// Of the format bytes of records of the application, the type.
const U8: u8 = 1;
const U32: u8 = 5;
const STR: u8 = 8;
const OBJ: u8 = 11;
const FUN: u8 = 12;
const I64: u8 = 13;
const U64: u8 = 14;
/// An enumeration, with its group below.
const ENUM: u8 = 0x80;
/// The width that stands for hexadecimal digits.
const HEX: u8 = 0xF0;

/// A record that is being written, after a place for its sequence number and after what waits to be written.
#[derive(Debug, Default)]
pub struct Record {
    bytes: Vec<u8>,
    /// Where it begins.
    start: usize,
}

impl Record {
    /// Begins one without a time.
    pub fn begin(&mut self, number: u8) -> &mut Self {
        self.bytes.truncate(self.start);
        self.raw(&[0, number])
    }

    /// Begins one with a time: the lower half of its ticks.
    #[inline]
    pub fn begin_at(&mut self, number: u8, ticks: u64) -> &mut Self {
        self.bytes.truncate(self.start);
        let [a, b, c, d] = (ticks as u32).to_le_bytes();
        self.raw(&[0, number, a, b, c, d])
    }

    /// Begins that of an event of the registry: its time, its id and its core.
    #[inline]
    pub fn begin_event(&mut self, number: u8, ticks: u64, id: u8, core: u8) -> &mut Self {
        self.bytes.truncate(self.start);
        let [a, b, c, d] = (ticks as u32).to_le_bytes();
        self.raw(&[0, number, a, b, c, d, ENUM, id, U8, core])
    }

    /// All bytes, and where those of the record begin.
    pub const fn parts(&mut self) -> (&mut Vec<u8>, &mut usize) {
        (&mut self.bytes, &mut self.start)
    }

    /// Takes the record out, so that another comes before it.
    pub fn take(&mut self) -> Vec<u8> {
        self.bytes.split_off(self.start)
    }

    /// Puts it in again.
    pub fn put(&mut self, taken: &[u8]) -> &mut Self {
        self.bytes.truncate(self.start);
        self.raw(taken)
    }

    const fn len(&self) -> usize {
        self.bytes.len().saturating_sub(self.start)
    }

    /// Bytes that have no format byte, in records whose layout is known.
    #[inline]
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// A text that closes a record of a dictionary.
    pub fn name(&mut self, text: &str) -> &mut Self {
        self.terminated(text, MAX_NAME)
    }

    /// An element, its format first, unless the record has no room for it: what only a recording describes may have any
    /// number of fields.
    #[inline]
    fn element<const LEN: usize>(&mut self, element: [u8; LEN]) -> &mut Self {
        // The sequence number does not count.
        if self.len().saturating_add(LEN) <= MAX + 1 {
            self.bytes.extend_from_slice(&element);
        }
        self
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
        let format = if object.kind == Kind::Function { FUN } else { OBJ };
        self.eight(format, object.key())
    }

    /// A text; what is too long for a record ends with three points, unless there is no room for these either.
    pub fn text(&mut self, text: &str) -> &mut Self {
        match MAX.checked_sub(self.len().saturating_add(1)) {
            Some(room) if room >= text.len().min(POINTS.len()) => {
                self.bytes.push(STR);
                self.terminated(text, room)
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
        let start = self.bytes.len();
        self.bytes.extend_from_slice(kept.as_bytes());
        for byte in self.bytes.iter_mut().skip(start).filter(|byte| **byte == 0) {
            *byte = b'?';
        }
        self.raw(points.as_bytes()).raw(&[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever room is left for a text.
    #[test]
    fn records_are_no_longer_than_readers_take() {
        for before in 0..12 {
            for text in ["", "a", "abc", "abcd", "äöü", "\u{1F600}\u{1F600}"] {
                let mut record = Record::default();
                record.begin_event(100, 1, 2, 0).text(&"x".repeat(MAX - 12 - before));
                let (len, taken) = (record.len(), record.text(text).take());
                assert!(taken.len() <= MAX + 1, "{} bytes with {text:?} after {len}", taken.len());
                // What does not fit is left out, or ends with points.
                let added = taken.get(len..).unwrap();
                let whole = [&[STR], text.as_bytes(), &[0]].concat();
                let is_cut = added.first() == Some(&STR) && added.ends_with(b"...\0");
                assert!(added.is_empty() || added == whole || is_cut, "{text:?}: {added:?}");
            }
        }
    }
}
