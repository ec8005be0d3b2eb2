//! Reads consecutive timestamps, as in a recording.
//!
//! Most timestamps differ from the previous one only in the lowest bits, so the upper bytes of the varint are only
//! compared. The results are the same as if each were read completely.

use crate::reader::leading_varint;

/// The bits of a timestamp that are read each time: those of the first three bytes.
const LOW_BITS: u64 = (1 << 21) - 1;

/// Bytes of the id, which the timestamp follows.
const ID: usize = 1;

/// The reader of timestamps, which knows the one before.
#[derive(Clone, Debug)]
pub struct Timestamps {
    /// A varint of at least three bytes, and the bits by which another one is seen to have the same
    /// length and the same upper bytes.
    word: u64,
    mask: u64,
    /// The value of its upper bytes, and the offset of the fields after it.
    high: u64,
    fields: usize,
}

impl Default for Timestamps {
    fn default() -> Self {
        // Any of three bytes.
        Self { word: 0x00_80_80, mask: 0x80_80_80, high: 0, fields: ID + 3 }
    }
}

impl Timestamps {
    /// Returns the timestamp at the begin of the word after an id, and the offset of the fields in the window;
    /// `None` if it does not end in the word.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn read(&mut self, word: [u8; 8]) -> Option<(u64, usize)> {
        let bits = u64::from_le_bytes(word);
        if (bits ^ self.word) & self.mask == 0 {
            let low = (bits & 0x7F) | ((bits >> 1) & 0x3F80) | ((bits >> 2) & 0x1F_C000);
            return Some((self.high | low, self.fields));
        }
        match self.read_whole(word) {
            (_, 0) => None,
            read => Some(read),
        }
    }

    /// Like [`read`](Self::read), if more bytes differ; an offset of 0 means `None`.
    #[inline(never)]
    fn read_whole(&mut self, word: [u8; 8]) -> (u64, usize) {
        let Some((value, len)) = leading_varint(word) else {
            return (0, 0);
        };
        if len >= 3 {
            // All bits of the bytes from the fourth on, and which of the first three is the last.
            let upper = (u64::MAX << 24) & (u64::MAX >> (64 - 8 * len));
            self.mask = upper | 0x80_80_80;
            (self.word, self.high) = (u64::from_le_bytes(word), value & !LOW_BITS);
            self.fields = ID + len;
        }
        (value, ID + len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Converts a length to the offset of the fields.
    fn after_id(alone: Option<(u64, usize)>) -> Option<(u64, usize)> {
        alone.map(|(value, len)| (value, ID + len))
    }

    /// Whatever precedes it, each timestamp is read as if it were alone.
    #[test]
    fn one_after_another_they_are_what_each_is_alone() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed >> 33
        };
        let mut timestamps = Timestamps::default();
        let mut now = 0_u64;
        let mut lengths = [0; 10];
        for round in 0..300_000 {
            now = match random() % 64 {
                0 => random() << (random() % 32),
                1 => now.wrapping_add(random() << 20),
                _ => now.wrapping_add(random() % 3000),
            };
            let mut bytes = Vec::new();
            let mut left = now;
            while left >= 0x80 {
                bytes.push(left as u8 | 0x80);
                left >>= 7;
            }
            bytes.push(left as u8);
            let len = bytes.len();
            bytes.resize_with(16, || random() as u8);
            // Sometimes damaged, which changes only its value.
            if round % 7 == 0 {
                bytes[random() as usize % 8] ^= 1 << (random() % 8);
            }
            let word = *bytes.first_chunk().unwrap();
            let alone = leading_varint(word);
            if round % 7 != 0 && len <= 8 {
                assert_eq!(alone, Some((now, len)));
            }
            assert_eq!(timestamps.read(word), after_id(alone), "{bytes:?}");
            lengths[alone.map_or(0, |(_, len)| len)] += 1;
        }
        assert!(lengths[..9].iter().all(|count| *count > 100), "{lengths:?}");
    }

    /// Also the first one, which has no predecessor.
    #[test]
    fn the_first_is_what_it_is_alone() {
        const BYTES: [u8; 6] = [0x00, 0x01, 0x7F, 0x80, 0x81, 0xFF];
        for number in 0..6_usize.pow(5) {
            let byte = |place: u32| BYTES[number / 6_usize.pow(place) % 6];
            for last in [0, 1] {
                let word = [byte(0), byte(1), byte(2), byte(3), byte(4), 0, 0, last];
                let alone = after_id(leading_varint(word));
                assert_eq!(Timestamps::default().read(word), alone, "{word:?}");
            }
        }
    }
}
