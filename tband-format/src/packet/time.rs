//! The time of an event in a packet: its lowest bits, and how many there are.

/// Bits of the time in 1, 2, 4 and 8 bytes.
const BITS: [u32; 4] = [6, 14, 30, 62];

/// Longest encoding of a time in bytes.
pub(super) const MAX_TIME_LEN: usize = 8;

/// Encodes `time`, which is `distance` after the previous event; returns the bytes and their number. `None` if the
/// distance does not fit any encoding.
pub(super) fn encode(time: u64, distance: u64) -> Option<([u8; MAX_TIME_LEN], usize)> {
    let which = BITS.iter().position(|bits| distance >> bits == 0)?;
    let bits = *BITS.get(which)?;
    let low = time & ((1 << bits) - 1);
    Some(((low << 2 | which as u64).to_le_bytes(), 1 << which))
}

/// Returns the size in bytes of the time whose first byte is `first`.
pub(super) fn len(first: u8) -> usize {
    1 << (first & 3)
}

/// Decodes the time in `bytes`, as many as [`len`] returns, after an event at `before`. `None` if the result is beyond the
/// range of times.
pub(super) fn decode(bytes: &[u8], before: u64) -> Option<u64> {
    let mut word = [0; MAX_TIME_LEN];
    for (to, from) in word.iter_mut().zip(bytes) {
        *to = *from;
    }
    let word = u64::from_le_bytes(word);
    let span = 1 << *BITS.get((word & 3) as usize)?;
    let time = before & !(span - 1) | word >> 2;
    if time < before { time.checked_add(span) } else { Some(time) }
}

/// Like [`decode`], for a time of at most four bytes at the begin of `word`; also returns its length in bytes, and the
/// rest of the word.
#[inline]
pub(super) const fn decode_short(word: u64, before: u64) -> Option<(u64, usize, u64)> {
    // Each length separately, so that everything except the word is constant there. The first is the most frequent.
    if word & 3 == 1 {
        return short_of::<1>(word, before);
    }
    if word & 3 == 0 {
        return short_of::<0>(word, before);
    }
    if word & 1 == 0 { short_of::<2>(word, before) } else { None }
}

#[inline]
const fn short_of<const WHICH: usize>(word: u64, before: u64) -> Option<(u64, usize, u64)> {
    let mask = (1 << BITS[WHICH]) - 1;
    let distance = (word >> 2).wrapping_sub(before) & mask;
    match before.checked_add(distance) {
        Some(time) => Some((time, 1 << WHICH, word >> (8 << WHICH))),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each distance at which the encoding changes, from times at which the lowest bits wrap.
    #[test]
    fn a_time_comes_back() {
        let edges = |bits: u32| [(1_u64 << bits) - 1, 1 << bits, (1 << bits) + 1];
        let distances = || BITS.into_iter().flat_map(edges).chain([0, 1, 2, 63]);
        for before in distances().chain([u64::MAX - 1, u64::MAX, u64::MAX / 3]) {
            for distance in distances() {
                let Some(time) = before.checked_add(distance) else { continue };
                match encode(time, distance) {
                    Some((bytes, len)) => {
                        assert_eq!(super::len(bytes[0]), len);
                        // The bytes after it are ignored.
                        let mut word = [0xA5; 8];
                        word[..len].copy_from_slice(&bytes[..len]);
                        let word = u64::from_le_bytes(word);
                        let rest = word.unbounded_shr(8 * len as u32);
                        let short = (len <= 4).then_some((time, len, rest));
                        assert_eq!(decode_short(word, before), short, "{before} {distance}");
                        assert_eq!(
                            decode(&bytes[..len], before),
                            Some(time),
                            "{before} {distance}"
                        );
                    }
                    None => assert!(distance >= 1 << 62, "{before} {distance}"),
                }
            }
        }
    }

    #[test]
    fn time_does_not_go_round() {
        // 0 after the last tick of all would be one too many.
        assert_eq!(decode(&[0], u64::MAX), None);
        assert_eq!(decode_short(0, u64::MAX), None);
    }

    #[test]
    fn as_few_bytes_as_the_distance_needs() {
        let length = |distance: u64| encode(1000 + distance, distance).map(|(_, len)| len);
        assert_eq!([63, 64, 16383, 16384].map(length), [Some(1), Some(2), Some(2), Some(4)]);
        assert_eq!([(1 << 30) - 1, 1 << 30].map(length), [Some(4), Some(8)]);
    }
}
