//! Numbers as text, two digits at a time.

/// 00 to 99.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

#[inline]
fn pair(number: u64) -> [u8; 2] {
    PAIRS.get(number as usize).copied().unwrap_or_default()
}

/// Writes a number at the end of a field and returns the part in front of it; `None` if the field is too narrow.
#[inline]
pub(super) fn at_end(mut field: &mut [u8], mut value: u64) -> Option<&mut [u8]> {
    while value >= 100 {
        let (front, last) = field.split_last_chunk_mut()?;
        *last = pair(value % 100);
        value /= 100;
        field = front;
    }
    if value >= 10 {
        let (front, last) = field.split_last_chunk_mut()?;
        *last = pair(value);
        Some(front)
    } else {
        let (last, front) = field.split_last_mut()?;
        *last = b'0' | value as u8;
        Some(front)
    }
}

/// 000 to 999, each followed by a space. The last entries are unused, but avoid a bounds check.
static TRIPLES: [[u8; 4]; 1024] = {
    let mut triples = [[b' '; 4]; 1024];
    let mut number = 0;
    while number < 1000 {
        let digits = [number / 100, number / 10 % 10, number % 10];
        let mut digit = 0;
        while digit < 3 {
            triples[number][digit] = b'0' + digits[digit] as u8;
            digit += 1;
        }
        number += 1;
    }
    triples
};

/// Writes six digits of a number below a million, and a space.
#[inline]
pub(super) fn six(field: &mut [u8; 7], number: u64) {
    // Shorter to divide.
    let number = number as u32;
    let thousands = number / 1000;
    field[..4].copy_from_slice(&TRIPLES[(thousands & 1023) as usize]);
    field[3..].copy_from_slice(&TRIPLES[((number - thousands * 1000) & 1023) as usize]);
}

/// Appends a number.
#[inline]
pub(super) fn decimal(buf: &mut Vec<u8>, value: u64) {
    if value < 10 {
        buf.push(b'0' | value as u8);
    } else if value < 100 {
        buf.extend_from_slice(&pair(value));
    } else {
        long(buf, value);
    }
}

#[inline(never)]
fn long(buf: &mut Vec<u8>, value: u64) {
    let mut digits = [0; 20];
    let free = at_end(&mut digits, value).map_or(0, |free| free.len());
    buf.extend_from_slice(digits.get(free..).unwrap_or_default());
}

/// Appends a number with its sign.
#[inline]
pub(super) fn signed(buf: &mut Vec<u8>, value: i64) {
    if value < 0 {
        buf.push(b'-');
    }
    decimal(buf, value.unsigned_abs());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let powers = (0..20).map(|power| 10_u64.pow(power));
        let around = powers.flat_map(|it| [it - 1, it, it + 1, it / 2 * 3]);
        for value in around.chain(0..1200).chain([u64::MAX, u64::MAX / 3]) {
            let mut buf = Vec::new();
            decimal(&mut buf, value);
            assert_eq!(str::from_utf8(&buf).unwrap(), value.to_string());
            buf.clear();
            signed(&mut buf, value.cast_signed());
            assert_eq!(str::from_utf8(&buf).unwrap(), value.cast_signed().to_string());
        }
        let mut buf = Vec::new();
        signed(&mut buf, i64::MIN);
        assert_eq!(str::from_utf8(&buf).unwrap(), i64::MIN.to_string());
    }

    #[test]
    fn six_digits_are_all_there() {
        for number in (0..1_000_000).step_by(37).chain([99, 100, 9_999, 10_000, 99_999, 999_999]) {
            let mut field = [0; 7];
            six(&mut field, number);
            assert_eq!(str::from_utf8(&field).unwrap(), format!("{number:06} "));
        }
    }

    #[test]
    fn reports_a_field_that_is_too_narrow() {
        for (width, value) in [(0, 0), (1, 10), (2, 100), (3, 1000), (19, u64::MAX)] {
            assert!(at_end(&mut [0; 20][..width], value).is_none(), "{width}");
        }
        assert_eq!(at_end(&mut [0; 20], u64::MAX).map(|free| free.len()), Some(0));
    }
}
