//! Records: their numbers, and how their data are written.

use super::frame::MAX;

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

/// A record that is being written.
#[derive(Debug, Default)]
pub struct Record(Vec<u8>);

impl Record {
    /// Begins one without a time.
    pub fn begin(&mut self, number: u8) -> &mut Self {
        self.0.clear();
        self.0.push(number);
        self
    }

    /// Begins one with a time: the lower half of its ticks.
    pub fn begin_at(&mut self, number: u8, ticks: u64) -> &mut Self {
        self.begin(number).raw(&(ticks as u32).to_le_bytes())
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Bytes that have no format byte, in records whose layout is known.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// A text that closes a record of a dictionary.
    pub fn name(&mut self, text: &str) -> &mut Self {
        self.terminated(text, MAX_NAME)
    }

    /// An element, unless the record has no room for it: what only a recording describes may have any number of fields.
    fn element(&mut self, format: u8, bytes: &[u8]) -> &mut Self {
        if self.0.len().saturating_add(bytes.len()) < MAX {
            self.0.push(format);
            self.raw(bytes);
        }
        self
    }

    pub fn enumeration(&mut self, value: u8) -> &mut Self {
        self.element(ENUM, &[value])
    }

    pub fn byte(&mut self, value: u8) -> &mut Self {
        self.element(U8, &[value])
    }

    /// A number, in as many bytes as it needs: four or eight.
    pub fn unsigned(&mut self, value: u64, is_hex: bool) -> &mut Self {
        let width = if is_hex { HEX } else { 0 };
        match u32::try_from(value) {
            Ok(value) => self.element(width | U32, &value.to_le_bytes()),
            Err(_) => self.element(width | U64, &value.to_le_bytes()),
        }
    }

    /// A number in eight bytes, whatever it is.
    pub fn unsigned_64(&mut self, value: u64) -> &mut Self {
        self.element(U64, &value.to_le_bytes())
    }

    pub fn signed(&mut self, value: i64) -> &mut Self {
        self.element(I64, &value.to_le_bytes())
    }

    pub fn object(&mut self, key: u64) -> &mut Self {
        self.element(OBJ, &key.to_le_bytes())
    }

    pub fn function(&mut self, key: u64) -> &mut Self {
        self.element(FUN, &key.to_le_bytes())
    }

    /// A text; what is too long for a record ends with three points.
    pub fn text(&mut self, text: &str) -> &mut Self {
        match MAX.checked_sub(self.0.len().saturating_add(2)) {
            Some(room) => {
                self.0.push(STR);
                self.terminated(text, room)
            }
            None => self,
        }
    }

    fn terminated(&mut self, text: &str, most: usize) -> &mut Self {
        let is_cut = text.len() > most;
        let points = if is_cut { "..." } else { "" };
        let room = if is_cut { most.saturating_sub(points.len()) } else { most };
        // Not within a character.
        let kept = (0..=room.min(text.len())).rev().find_map(|end| text.get(..end));
        let kept = kept.unwrap_or_default();
        // A zero byte would end it.
        self.0.extend(kept.bytes().map(|byte| if byte == 0 { b'?' } else { byte }));
        self.raw(points.as_bytes()).raw(&[0])
    }
}
