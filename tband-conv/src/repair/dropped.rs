//! Undoes that certain bytes were removed, such as CR, or XON and XOFF.
//!
//! Where they were is found by the packet's check, which is worked out from both ends: so one byte takes as many steps
//! as the packet has bytes, and two take the square of that. More than two cannot be proven by 32 bits.

use std::cmp::Ordering;

use tband_format::packet::{HEADER_LEN, Header, MAX_LEN, step};

use super::solve::is_proven;

/// Maximum number of packets in which a second missing byte is searched.
const MANY: usize = 2048;
/// Up to here the header is tried byte by byte: its sizes and its check.
const HEAD: usize = 16;
/// Inverse of the factor of the check, modulo 2^32.
const INVERSE: u32 = {
    let factor = 0x9E37_79B1_u32;
    let mut inverse = factor;
    let mut round = 0;
    while round < 5 {
        inverse = inverse.wrapping_mul(2_u32.wrapping_sub(factor.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
};

/// Returns the packet from which all of these bytes were removed, and how many of `raw` remain of its content. `raw` is all
/// that is left of it.
pub fn undo(raw: &[u8], removed: &[u8]) -> Option<(Vec<u8>, usize)> {
    // The sizes give the number of missing bytes; they are at an earlier offset if bytes before them are missing.
    let left = (1..=2).find_map(|missing| {
        let sizes = (0..=missing).filter_map(|shift| sizes(raw, 8 - shift));
        let mut sizes = sizes.filter(|(_, packet)| *packet == raw.len() + missing);
        sizes.next().map(|(content, _)| (content.saturating_sub(missing), missing))
    });
    let (len, missing) = left?;
    let raw = raw.get(..len).filter(|raw| raw.len() >= HEADER_LEN - 2)?;
    if raw.len() >= MAX_LEN || raw.iter().any(|it| removed.contains(it)) {
        return None;
    }
    let mut packet = Vec::with_capacity(len + 2);
    if missing == 1 {
        return restore_byte(raw, 0, removed, &mut packet).map(|packet| (packet, len));
    }
    if len > MANY {
        return None;
    }
    let mut with_one = Vec::with_capacity(len + 1);
    for at in 4..=len {
        for byte in removed {
            insert(raw, at, *byte, &mut with_one);
            if let Some(found) = restore_byte(&with_one, at + 1, removed, &mut packet) {
                return Some((found, len));
            }
        }
    }
    None
}

/// Bytes of content and of all of the packet by its header, whose sizes are at this offset.
fn sizes(packet: &[u8], at: usize) -> Option<(usize, usize)> {
    let &[one, two, three, four] = packet.get(at..)?.first_chunk()?;
    let (content, all) = (u16::from_le_bytes([one, two]), u16::from_le_bytes([three, four]));
    let is_whole = content.is_multiple_of(8) && all.is_multiple_of(8) && content <= all;
    is_whole.then_some((usize::from(content / 8), usize::from(all / 8)))
}

/// Bytes of content by its header.
fn size(packet: &[u8]) -> Option<usize> {
    sizes(packet, 8).map(|(content, _)| content)
}

fn insert(raw: &[u8], at: usize, byte: u8, to: &mut Vec<u8>) {
    let (before, after) = raw.split_at_checked(at).unwrap_or((raw, &[]));
    to.clear();
    to.extend_from_slice(before);
    to.push(byte);
    to.extend_from_slice(after);
}

/// One of these bytes is missing, at `from` or later.
fn restore_byte(raw: &[u8], from: usize, removed: &[u8], packet: &mut Vec<u8>) -> Option<Vec<u8>> {
    let total = raw.len() + 1;
    for at in from.max(4)..HEAD {
        for byte in removed {
            insert(raw, at, *byte, packet);
            if size(packet) == Some(total) && is_proven(packet) {
                return Some(std::mem::take(packet));
            }
        }
    }
    // The check in the header is intact, and has to match.
    if size(raw) != Some(total) {
        return None;
    }
    let reported = u32::from_le_bytes(*raw.get(12..)?.first_chunk()?);
    let word = |at: usize, shift: usize| {
        let mut word = [0; 4];
        for (index, to) in word.iter_mut().enumerate() {
            let from = (at * 4 + index).checked_sub(shift);
            *to = from.and_then(|from| raw.get(from)).copied().unwrap_or(0);
        }
        if at == 3 { 0 } else { u32::from_le_bytes(word) }
    };
    // The value that the check must have before each word, with the missing byte before that word.
    let words = total.div_ceil(4);
    let mut wanted = vec![0; words + 1];
    // No packet has the check 0, which is the mark of this case.
    *wanted.last_mut()? = reported;
    for at in (0..words).rev() {
        let after = wanted.get(at + 1).copied()?;
        *wanted.get_mut(at)? = unstep(after, word(at, 1));
    }
    let mut hash = 0;
    for at in 0..words {
        let target = wanted.get(at + 1).copied()?;
        for index in 0..4 {
            let position = at * 4 + index;
            if position < from.max(HEAD) || position >= total {
                continue;
            }
            // Before the missing byte the word is unchanged, after it each byte comes from one position further.
            let (before, after) = (word(at, 0).to_le_bytes(), word(at, 1).to_le_bytes());
            let mut bytes = [0; 4];
            for (it, to) in bytes.iter_mut().enumerate() {
                let from = if it < index { &before } else { &after };
                *to = from.get(it).copied().unwrap_or(0);
            }
            for byte in removed {
                *bytes.get_mut(index)? = *byte;
                if step(hash, u32::from_le_bytes(bytes)) == target {
                    insert(raw, position, *byte, packet);
                    if is_proven(packet) {
                        return Some(std::mem::take(packet));
                    }
                }
            }
        }
        hash = step(hash, word(at, 0));
    }
    None
}

/// The check before a step that has led to this one.
fn unstep(hash: u32, word: u32) -> u32 {
    let product = hash ^ (hash >> 15) ^ (hash >> 30);
    product.wrapping_mul(INVERSE) ^ word
}

/// Returns whether there are fewer or more bytes than the header at their begin requires.
pub fn compare_len(raw: &[u8]) -> Ordering {
    match Header::read(raw) {
        Ok((header, _)) => raw.len().cmp(&header.packet_len),
        // Its own bytes are shifted to the front.
        Err(_) => Ordering::Less,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_taken_back() {
        for (hash, word) in [(0, 0), (1, 0xFFFF_FFFF), (0xDEAD_BEEF, 0x1234_5678), (u32::MAX, 7)] {
            assert_eq!(unstep(step(hash, word), word), hash);
        }
    }
}
