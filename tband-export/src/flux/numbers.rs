//! Hashes of keys that are numbers which this program gives, one after another: nobody can choose them so that they fall
//! together, so a multiplication for each is enough, and takes a tenth of what the standard library does.

use std::hash::{BuildHasherDefault, Hasher};

/// Makes them.
pub type HashNumbers = BuildHasherDefault<Numbers>;

/// Odd, with ones and zeros in no order.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// The hash of the numbers so far.
#[derive(Debug, Default)]
pub struct Numbers(u64);

impl Numbers {
    #[inline]
    fn add(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(FACTOR);
    }
}

impl Hasher for Numbers {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u8(*byte));
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    use super::*;

    #[test]
    fn numbers_one_after_another_fall_into_places_of_their_own() {
        let hash = |key: (u32, u8, u32)| HashNumbers::default().hash_one(key);
        for of in 0..3 {
            let keys = (1..=64).flat_map(|item| (0..64).map(move |number| (item, of, number)));
            let hashes: Vec<_> = keys.map(hash).collect();
            // By the bits that a table looks at: the lowest, and the highest seven.
            let places = |part: fn(u64) -> u64| {
                hashes.iter().map(|hash| part(*hash)).collect::<HashSet<_>>().len()
            };
            assert!(places(|hash| hash) == hashes.len(), "{of}");
            assert!(places(|hash| hash % 8192) > 2000, "{of}");
            assert_eq!(places(|hash| hash >> 57), 128, "{of}");
        }
    }
}
