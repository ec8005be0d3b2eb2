//! The check over a packet.

/// Where the check is in a packet, which counts as 0 in it.
const AT: usize = 12;

/// The check over `packet`: header and events, without what lies after them. A hash over words of 32 bits, three
/// instructions a word on a microcontroller; the last word is filled up with zeros.
///
/// Whatever changes in one word is noticed always, since no two words lead from one hash to the same next one. So
/// are changes of two bits in practice: a bit that changes changes several after the multiplication, and the shift
/// sees to it for the top bits, which the multiplication moves nowhere.
///
/// Never 0, which says that nobody has worked it out: a hash of 0 is reported as `0xFFFF_FFFF`.
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

/// What [`check`] is if the words of a packet, its check as 0 and its last one filled up with zeros, have led to `hash`: by
/// a [`step`] each, from 0 on.
#[inline(always)]
#[must_use]
pub const fn of_hash(hash: u32) -> u32 {
    if hash == 0 { u32::MAX } else { hash }
}

fn over(hash: u32, words: &[[u8; 4]]) -> u32 {
    words.iter().fold(hash, |hash, word| step(hash, u32::from_le_bytes(*word)))
}

/// The hash after one word more.
#[inline(always)]
#[must_use]
pub const fn step(hash: u32, word: u32) -> u32 {
    let product = (hash ^ word).wrapping_mul(0x9E37_79B1);
    product ^ (product >> 15)
}
