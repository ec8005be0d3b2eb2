//! Protobuf messages written directly into a buffer, for packets that a trace has millions of.
//!
//! Lengths are patched in afterwards: one byte is reserved for them, which is enough for nearly every packet; longer messages
//! are moved to make room.

use prost::encoding::encode_varint;

/// Field key of a varint field.
pub const fn varint_key(field: u32) -> u32 {
    field << 3
}

/// Field key of a length-delimited field.
pub const fn bytes_key(field: u32) -> u32 {
    field << 3 | 2
}

/// Where an open message starts.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct OpenMessage(usize);

/// Appends a varint.
#[inline]
pub fn varint(buf: &mut Vec<u8>, value: u64) {
    if value < 0x80 {
        // Below 0x80 by the test above.
        buf.push(value as u8);
    } else if value < 1 << 56 {
        middle_varint(buf, value);
    } else {
        encode_varint(value, buf);
    }
}

/// The bytes of a varint of 1 to 8 bytes, the first one lowest, and how many they are. Most have few.
#[inline]
pub const fn short(value: u64) -> (u64, usize) {
    match value {
        0..0x80 => (value, 1),
        0x80..0x4000 => (value & 0x7F | 0x80 | value << 1 & 0x7F00, 2),
        0x4000..0x20_0000 => {
            (value & 0x7F | value << 1 & 0x7F00 | value << 2 & 0x7F_0000 | 0x8080, 3)
        }
        _ => middle(value),
    }
}

/// A varint of 2 to 8 bytes.
#[inline]
fn middle_varint(buf: &mut Vec<u8>, value: u64) {
    let (word, len) = middle(value);
    buf.extend_from_slice(&word.to_le_bytes());
    buf.truncate(buf.len().saturating_sub(8 - len));
}

/// The bytes of a varint of 2 to 8 bytes, the first one lowest, and how many they are: its groups of 7 bits are spread
/// over a word in three steps.
#[inline]
const fn middle(value: u64) -> (u64, usize) {
    let word = (value & 0x0FFF_FFFF) | ((value & 0x00FF_FFFF_F000_0000) << 4);
    let word = (word & 0x0000_3FFF_0000_3FFF) | ((word & 0x0FFF_C000_0FFF_C000) << 2);
    let word = (word & 0x007F_007F_007F_007F) | ((word & 0x3F80_3F80_3F80_3F80) << 1);
    // All bytes but the last announce another one.
    let last = (63 - word.leading_zeros()) / 8;
    (word | (0x0080_8080_8080_8080 & ((1 << (8 * last)) - 1)), last as usize + 1)
}

/// Appends a varint field. Negative values are sign-extended, as int32 and int64 fields want it.
#[inline]
pub fn int(buf: &mut Vec<u8>, field: u32, value: i64) {
    match (varint_key(field), value.cast_unsigned()) {
        (key @ 0..0x80, value) => after(buf, [key as u8], value),
        (key, value) => {
            varint(buf, key.into());
            varint(buf, value);
        }
    }
}

/// Appends constant bytes, and the varint after them. The constant bytes are the fields before it, and its own key.
#[inline]
pub fn after<const KNOWN: usize>(buf: &mut Vec<u8>, known: [u8; KNOWN], value: u64) {
    const { assert!(KNOWN <= 8) };
    if value >= 1 << 56 {
        buf.extend_from_slice(&known);
        return encode_varint(value, buf);
    }
    let (word, len) = short(value);
    // Writes everything at once, so that the capacity is checked once; then the surplus is removed.
    let mut bytes = [0; 16];
    let (head, tail) = bytes.split_at_mut(KNOWN);
    head.copy_from_slice(&known);
    if let Some(place) = tail.first_chunk_mut() {
        *place = word.to_le_bytes();
    }
    buf.extend_from_slice(&bytes);
    buf.truncate(buf.len().saturating_sub(16 - KNOWN - len));
}

/// As [`after`], where the constant bytes open the message whose length is the byte at `len_at`.
#[inline]
pub fn open_after<const KNOWN: usize>(
    buf: &mut Vec<u8>,
    known: [u8; KNOWN],
    len_at: usize,
    value: u64,
) -> OpenMessage {
    let open = OpenMessage(buf.len().saturating_add(len_at).saturating_add(1));
    after(buf, known, value);
    open
}

/// Appends a fixed64 field.
pub fn fixed64(buf: &mut Vec<u8>, field: u32, value: u64) {
    varint(buf, (field << 3 | 1).into());
    buf.extend_from_slice(&value.to_le_bytes());
}

/// Appends a bytes or string field.
pub fn bytes(buf: &mut Vec<u8>, field: u32, value: &[u8]) {
    varint(buf, bytes_key(field).into());
    varint(buf, value.len() as u64);
    buf.extend_from_slice(value);
}

/// Opens a message field.
#[inline]
pub fn open(buf: &mut Vec<u8>, field: u32) -> OpenMessage {
    varint(buf, bytes_key(field).into());
    buf.push(0);
    OpenMessage(buf.len())
}

/// Closes a message field that [`open`] opened.
#[inline]
pub fn close(buf: &mut Vec<u8>, OpenMessage(start): OpenMessage) {
    let len = buf.len().saturating_sub(start);
    match (u8::try_from(len), start.checked_sub(1).and_then(|at| buf.get_mut(at))) {
        (Ok(short @ 0..0x80), Some(place)) => *place = short,
        _ => close_long(buf, start, len),
    }
}

#[cold]
fn close_long(buf: &mut Vec<u8>, start: usize, len: usize) {
    let mut prefix = Vec::with_capacity(10);
    encode_varint(len as u64, &mut prefix);
    let place = start.saturating_sub(1)..start.min(buf.len());
    buf.splice(place, prefix);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_any_size_are_patched_in() {
        for len in [0, 1, 127, 128, 20_000] {
            let mut buf = vec![9];
            let outer = open(&mut buf, 1);
            let inner = open(&mut buf, 58);
            buf.resize(buf.len() + len, 7);
            close(&mut buf, inner);
            close(&mut buf, outer);
            let mut expected = vec![9];
            let mut message = Vec::new();
            bytes(&mut message, 58, &vec![7; len]);
            bytes(&mut expected, 1, &message);
            assert_eq!(buf, expected);
        }
    }

    #[test]
    fn varints_of_any_length_are_right() {
        for shift in 0..64 {
            for value in [1_u64 << shift, (1 << shift) - 1, u64::MAX >> shift, 0x5A5A_A5A5 << shift]
            {
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                varint(&mut ours, value);
                encode_varint(value, &mut theirs);
                assert_eq!(ours, theirs, "{value}");
            }
        }
    }

    #[test]
    fn negative_numbers_are_sign_extended() {
        let mut buf = Vec::new();
        int(&mut buf, 1, -1);
        assert_eq!(buf, [8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]);
    }
}
