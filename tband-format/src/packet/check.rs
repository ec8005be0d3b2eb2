//! The check over a packet.

/// Offset of the checksum in a packet, where it counts as 0.
const AT: usize = 12;

/// Computes the checksum of `packet`: header and events, without the bytes after them. A hash over 32-bit words, three
/// instructions per word on a microcontroller; the last word is padded with zeros.
///
/// A change within one word is always detected, because no two words lead from one hash to the same next hash. Changes of
/// two bits are detected in practice: the multiplication spreads a changed bit to several, and the shift does so for the
/// top bits, which the multiplication cannot spread.
///
/// Never 0, which marks a checksum that was not computed: a hash of 0 is reported as `0xFFFF_FFFF`.
#[must_use]
pub fn check(packet: &[u8]) -> u32 {
    let (words, rest) = packet.as_chunks::<4>();
    let (head, after) = words.split_at_checked(AT / 4).unwrap_or((words, &[]));
    let mut hash = over(0, head);
    if let Some((_, after)) = after.split_first() {
        hash = over(step(hash, 0), after);
    }
    if !rest.is_empty() {
        let mut last = [0; 4];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        hash = step(hash, u32::from_le_bytes(last));
    }
    of_hash(hash)
}

/// Returns the value of [`check`] for a `hash` over the words of a packet, with its checksum as 0 and its last word padded
/// with zeros: one [`step`] per word, from 0 on.
#[inline(always)]
#[must_use]
pub const fn of_hash(hash: u32) -> u32 {
    if hash == 0 { u32::MAX } else { hash }
}

fn over(hash: u32, words: &[[u8; 4]]) -> u32 {
    words.iter().fold(hash, |hash, word| step(hash, u32::from_le_bytes(*word)))
}

/// Returns the hash after one more word.
#[inline(always)]
#[must_use]
pub const fn step(hash: u32, word: u32) -> u32 {
    let product = (hash ^ word).wrapping_mul(0x9E37_79B1);
    product ^ (product >> 15)
}
