//! Records that have one of a few lengths, as words of eight bytes, whose lowest is a place for the sequence number. Their
//! bytes are those that [`Record`](super::record::Record) writes.

use super::record::{ENUM, OBJ, U8, U32};

/// The beginning of a record.
#[derive(Clone, Copy, Debug)]
pub struct RecordStart {
    /// The lower half of the ticks.
    ticks: u32,
    number: u8,
    /// Id of an event of the registry.
    id: u8,
    core: u8,
}

impl RecordStart {
    /// Returns the words of an event, as [`Record::begin_event`](super::record::Record::begin_event).
    #[inline]
    pub const fn of_event(number: u8, ticks: u64, id: u8, core: u8) -> Self {
        Self { ticks: ticks as u32, number, id, core }
    }

    /// A record that has two bytes after its time, or fewer.
    #[inline]
    pub const fn short(number: u8, ticks: u64, [a, b]: [u8; 2]) -> [u64; 3] {
        let time = (ticks as u32 as u64) << 16;
        [(number as u64) << 8 | time | (a as u64) << 48 | (b as u64) << 56, 0, 0]
    }

    #[inline]
    const fn first(self) -> u64 {
        let [word, ..] = Self::short(self.number, self.ticks as u64, [ENUM, self.id]);
        word
    }

    #[inline]
    const fn second(self, format: u8) -> u64 {
        U8 as u64 | (self.core as u64) << 8 | (format as u64) << 16
    }

    /// With an object of this key, in 19 bytes.
    #[inline]
    pub const fn object(self, key: u64) -> [u64; 3] {
        [self.first(), self.second(OBJ) | key << 24, key >> 40]
    }

    /// With an object and a number, in 24 bytes.
    #[inline]
    pub const fn both(self, key: u64, number: u32) -> [u64; 3] {
        let [first, second, third] = self.object(key);
        [first, second, third | (U32 as u64) << 24 | (number as u64) << 32]
    }

    /// With a number, in 15 bytes.
    #[inline]
    pub const fn number(self, number: u32) -> [u64; 3] {
        [self.first(), self.second(U32) | (number as u64) << 24, 0]
    }
}
