//! Hashes of short texts in few instructions. Texts are of the recording, and must not be able to choose a place in the
//! table: so each table has a seed of its own.

use std::hash::{BuildHasher, Hasher, RandomState};

/// What hashes of a table begin with.
#[derive(Clone, Copy, Debug)]
pub struct Seed {
    begin: u64,
    factor: u64,
}

impl Default for Seed {
    fn default() -> Self {
        let random = RandomState::new();
        // A factor of which each bit counts.
        Self { begin: random.hash_one(0), factor: random.hash_one(1) | 1 }
    }
}

impl BuildHasher for Seed {
    type Hasher = Hash;

    #[inline]
    fn build_hasher(&self) -> Hash {
        Hash { now: self.begin, factor: self.factor }
    }
}

/// A hash, as far as it has come.
#[derive(Clone, Copy, Debug)]
pub struct Hash {
    now: u64,
    factor: u64,
}

impl Hash {
    /// Both halves of a product depend on all that is below, and above.
    #[inline]
    fn add(&mut self, word: u64) {
        let product = u128::from(self.now ^ word) * u128::from(self.factor);
        self.now = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for Hash {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        match bytes.last_chunk() {
            _ if rest.is_empty() => {}
            // Some of it again.
            Some(last) => self.add(u64::from_le_bytes(*last)),
            None => self.add(rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))),
        }
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.now
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Texts that differ in one byte, or in length, are distinguished, and fill the places of a table.
    #[test]
    fn texts_that_are_alike_have_other_hashes() {
        let seed = Seed::default();
        let mut texts: HashSet<Vec<u8>> = (0..40).map(|len| vec![0; len]).collect();
        for (len, at) in (1..40).flat_map(|len| (0..len).map(move |at| (len, at))) {
            for byte in [1, 2, 0x80, 0xFF] {
                let mut text = vec![0; len];
                text[at] = byte;
                texts.insert(text);
            }
        }
        let hashes: HashSet<u64> = texts.iter().map(|text| seed.hash_one(&text[..])).collect();
        assert_eq!(hashes.len(), texts.len());
        let places: HashSet<u64> = hashes.iter().map(|hash| hash >> 57).collect();
        assert_eq!(places.len(), 128);
    }

    #[test]
    fn each_table_has_a_seed_of_its_own() {
        let [one, other] = [Seed::default(), Seed::default()].map(|seed| seed.hash_one("text"));
        assert_ne!(one, other);
    }
}
