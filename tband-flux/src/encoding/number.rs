//! Encoding of numbers and texts in flux.

use super::{ByteSink, Version};

/// Writes a number, seven bits per byte, the lowest first.
#[cfg_attr(not(feature = "alloc"), inline(never))]
pub fn pint(out: &mut impl ByteSink, mut number: u64) {
    while number > 0x7F {
        out.byte((number & 0x7F) as u8 | 0x80);
        number >>= 7;
    }
    out.byte(number as u8);
}

/// Writes a text with its length.
#[cfg_attr(not(feature = "alloc"), inline(never))]
pub fn text(out: &mut impl ByteSink, text: &[u8]) {
    pint(out, text.len() as u64);
    out.bytes(text);
}

/// Returns the number of bytes that a signed number takes: as few as possible; the last one contains its
/// sign; none for 0.
#[must_use]
#[cfg_attr(not(feature = "alloc"), inline(never))]
pub const fn signed_len(number: i64) -> usize {
    // No leading zeros are counted: CPUs that cannot do it call a function that not every toolchain has.
    let mut len = if number == 0 { 0 } else { 1 };
    let mut rest = number >> 7;
    while rest != 0 && rest != -1 {
        rest >>= 8;
        len += 1;
    }
    len
}

/// Returns the number of bytes of an unsigned number, whose last byte has a clear sign bit; only version 4
/// omits a ninth byte.
#[must_use]
pub const fn unsigned_len(version: Version, number: u64) -> usize {
    let mut len = if number == 0 { 0 } else { 1 };
    let mut rest = number >> 7;
    while rest != 0 {
        rest >>= 8;
        len += 1;
    }
    if len > 8 && matches!(version, Version::Four) { 8 } else { len }
}

/// Returns the size of a value of an enumeration, whose type has four bytes: only version 4 omits a fifth
/// byte.
#[must_use]
pub const fn event_len(version: Version, number: u32) -> usize {
    let len = signed_len(number as i64);
    if len > 4 && matches!(version, Version::Four) { 4 } else { len }
}

/// Writes this many of a number's bytes, the lowest first. After the eighth it writes zeros.
#[cfg_attr(not(feature = "alloc"), inline(never))]
pub fn lowest(out: &mut impl ByteSink, number: u64, len: usize) {
    let bytes = number.to_le_bytes();
    out.bytes(bytes.get(..len).unwrap_or(&bytes));
    if len > bytes.len() {
        out.byte(0);
    }
}

/// Writes a signed number with its length.
pub fn sint(out: &mut impl ByteSink, number: i64) {
    let len = signed_len(number);
    out.byte(len as u8);
    lowest(out, number.cast_unsigned(), len);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::BoundedMemory;

    fn bytes<const N: usize>(write: impl FnOnce(&mut BoundedMemory<'_>)) -> ([u8; N], usize) {
        let mut memory = [0xEE; N];
        let mut room = BoundedMemory::new(&mut memory);
        write(&mut room);
        let len = room.written().expect("it fits");
        (memory, len)
    }

    #[test]
    fn numbers_have_the_least_bytes() {
        let is = |number, expected: &[u8]| {
            let (all, len) = bytes::<12>(|out| sint(out, number));
            assert_eq!(&all[..len], expected, "{number}");
        };
        is(0, &[0]);
        is(0x7F, &[1, 0x7F]);
        is(0x80, &[2, 0x80, 0]);
        is(-1, &[1, 0xFF]);
        is(-0x80, &[1, 0x80]);
        is(-0x81, &[2, 0x7F, 0xFF]);
        is(0xFFF1, &[3, 0xF1, 0xFF, 0]);
        is(i64::MAX, &[8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]);
        is(i64::MIN, &[8, 0, 0, 0, 0, 0, 0, 0, 0x80]);
        let (all, len) = bytes::<8>(|out| [0, 127, 128, 300].iter().for_each(|it| pint(out, *it)));
        assert_eq!(&all[..len], [0, 127, 0x80, 1, 0xAC, 2]);
    }

    #[test]
    fn unsigned_numbers_look_positive() {
        for (number, six, four) in [
            (0, 0, 0),
            (0x7F, 1, 1),
            (0x80, 2, 2),
            (0xFFF1, 3, 3),
            (u64::MAX >> 1, 8, 8),
            (u64::MAX, 9, 8),
        ] {
            assert_eq!(unsigned_len(Version::Six, number), six);
            assert_eq!(unsigned_len(Version::Four, number), four);
        }
        let (all, len) = bytes::<10>(|out| lowest(out, u64::MAX - 1, 9));
        assert_eq!(&all[..len], [0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0]);
    }

    #[test]
    fn events_have_no_sign_in_version_four() {
        for (number, six, four) in
            [(1, 1, 1), (0x80, 2, 2), ((1 << 31) - 1, 4, 4), (1 << 31, 5, 4), (u32::MAX, 5, 4)]
        {
            assert_eq!(event_len(Version::Six, number), six);
            assert_eq!(event_len(Version::Four, number), four);
        }
    }

    #[test]
    fn what_does_not_fit_leaves_nothing() {
        let mut memory = [0; 4];
        let mut room = BoundedMemory::new(&mut memory);
        text(&mut room, b"abc");
        assert_eq!(room.written(), Some(4));
        room.byte(0);
        assert_eq!(room.written(), None);
        room.bytes(&[]);
        assert_eq!(room.written(), None);
    }
}
