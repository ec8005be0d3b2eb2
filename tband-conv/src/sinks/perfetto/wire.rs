//! Protobuf messages written straight into a buffer, for the packets of which a trace has millions.
//!
//! Lengths are patched in afterwards: one byte is kept for them, which is enough for nearly every
//! packet; longer messages are moved to make room.

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
pub struct Open(usize);

/// Appends a varint.
#[inline]
pub fn varint(buf: &mut Vec<u8>, value: u64) {
    if value < 0x80 {
        // Below 0x80 by the test above.
        buf.push(value as u8);
    } else {
        encode_varint(value, buf);
    }
}

/// Appends a varint field. Negative values are sign-extended, as int32 and int64 fields want it.
#[inline]
pub fn int(buf: &mut Vec<u8>, field: u32, value: i64) {
    varint(buf, varint_key(field).into());
    varint(buf, value.cast_unsigned());
}

/// Appends a bytes or string field.
pub fn bytes(buf: &mut Vec<u8>, field: u32, value: &[u8]) {
    varint(buf, bytes_key(field).into());
    varint(buf, value.len() as u64);
    buf.extend_from_slice(value);
}

/// Opens a message field.
#[inline]
pub fn open(buf: &mut Vec<u8>, field: u32) -> Open {
    varint(buf, bytes_key(field).into());
    buf.push(0);
    Open(buf.len())
}

/// Closes a message field that [`open`] opened.
#[inline]
pub fn close(buf: &mut Vec<u8>, Open(start): Open) {
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
    fn negative_numbers_are_sign_extended() {
        let mut buf = Vec::new();
        int(&mut buf, 1, -1);
        assert_eq!(buf, [8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]);
    }
}
