//! Numbers and texts of flux.

use tband_format::reader::leading_varint;

/// Why bytes are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// More bytes are needed.
    Short,
    /// They are damaged in this way.
    Bad(&'static str),
}

/// Bytes that are read from the front on.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next `len` bytes.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        let (head, rest) = self.0.split_at_checked(len).ok_or(Fault::Short)?;
        self.0 = rest;
        Ok(head)
    }

    /// One byte.
    pub fn byte(&mut self) -> Result<u8, Fault> {
        let (first, rest) = self.0.split_first().ok_or(Fault::Short)?;
        self.0 = rest;
        Ok(*first)
    }

    /// A number of seven bits a byte, the lowest first.
    #[inline]
    pub fn number(&mut self) -> Result<u64, Fault> {
        // Most numbers have one byte or two, and most others are not at the end of the bytes.
        match *self.0 {
            [byte @ ..0x80, ref rest @ ..] => {
                self.0 = rest;
                return Ok(byte.into());
            }
            [low, high @ ..0x80, ref rest @ ..] => {
                self.0 = rest;
                return Ok(u64::from(high) << 7 | u64::from(low & 0x7F));
            }
            _ => {}
        }
        if let Some((number, len)) = self.0.first_chunk().and_then(|word| leading_varint(*word)) {
            self.0 = self.0.get(len..).unwrap_or_default();
            return Ok(number);
        }
        let (number, rest) = number_by_byte(self.0)?;
        self.0 = rest;
        Ok(number)
    }

    /// A number of 32 bits.
    pub fn id(&mut self) -> Result<u32, Fault> {
        u32::try_from(self.number()?).map_err(|_| Fault::Bad("an id of more than 32 bits"))
    }

    /// A length that bytes of at most `limit` have, and these bytes.
    pub fn sized(&mut self, limit: usize) -> Result<&'a [u8], Fault> {
        let len = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        if len > limit {
            return Err(Fault::Bad("a length that is too large"));
        }
        self.take(len)
    }

    /// A text.
    pub fn text(&mut self) -> Result<&'a [u8], Fault> {
        self.sized(MAX_TEXT)
    }

    /// A signed number with its length in front.
    pub fn signed(&mut self) -> Result<i64, Fault> {
        let bytes = self.sized(9)?;
        signed(bytes).ok_or(Fault::Bad("a number of more than 64 bits"))
    }
}

/// Reads a number, and returns it with the bytes after it. By value, so that the reader can be in registers.
#[inline(never)]
fn number_by_byte(bytes: &[u8]) -> Result<(u64, &[u8]), Fault> {
    let (mut number, mut shift, mut rest) = (0, 0, Bytes(bytes));
    loop {
        let byte = rest.byte()?;
        if shift > 63 || (shift == 63 && byte & 0x7E != 0) {
            return Err(Fault::Bad("a number of more than 64 bits"));
        }
        number |= u64::from(byte & 0x7F) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return Ok((number, rest.0));
        }
    }
}

/// Longest text of a definition, in bytes.
pub const MAX_TEXT: usize = 16 * 1024;

/// A number in two's complement, the lowest byte first; none has 0. `None`: it does not fit.
pub fn signed(bytes: &[u8]) -> Option<i64> {
    let number = lowest(bytes)?;
    let Some(unused) = 8_usize.checked_sub(bytes.len()) else {
        // The ninth byte and those after it repeat the sign.
        let sign = if number.cast_signed() < 0 { 0xFF } else { 0 };
        let is_sign = |rest: &[u8]| rest.iter().all(|byte| *byte == sign);
        return bytes.get(8..).is_some_and(is_sign).then_some(number.cast_signed());
    };
    if unused == 8 {
        return Some(0);
    }
    Some((number << (8 * unused)).cast_signed() >> (8 * unused))
}

/// A number without a sign, the lowest byte first. `None`: it does not fit.
pub fn unsigned(bytes: &[u8]) -> Option<u64> {
    let number = lowest(bytes)?;
    let is_zero = |rest: &[u8]| rest.iter().all(|byte| *byte == 0);
    bytes.get(8..).is_none_or(is_zero).then_some(number)
}

/// The number that the first eight bytes are. `None`: there are more than sixteen.
fn lowest(bytes: &[u8]) -> Option<u64> {
    if bytes.len() > 16 {
        return None;
    }
    let first = bytes.iter().take(8).rev();
    Some(first.fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// A floating-point number of four or eight bytes.
pub fn float(bytes: &[u8]) -> Option<f64> {
    match *bytes {
        [a, b, c, d] => Some(f32::from_le_bytes([a, b, c, d]).into()),
        _ => Some(f64::from_le_bytes(bytes.try_into().ok()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_any_length_and_fit_or_not() {
        assert_eq!((signed(&[]), unsigned(&[])), (Some(0), Some(0)));
        assert_eq!((signed(&[0xFE]), unsigned(&[0xFE])), (Some(-2), Some(254)));
        assert_eq!(signed(&[0, 0x80]), Some(-32768));
        for number in [0, 1, -1, i64::MAX, i64::MIN, 0x1234_5678] {
            let long = i128::from(number).to_le_bytes();
            for len in 8..=16 {
                assert_eq!(signed(&long[..len]), Some(number), "{len}");
            }
        }
        let beyond = (i128::from(i64::MAX) + 1).to_le_bytes();
        assert_eq!((signed(&beyond[..9]), unsigned(&beyond[..9])), (None, Some(1 << 63)));
        assert_eq!(signed(&(i128::from(i64::MIN) - 1).to_le_bytes()), None);
        assert_eq!(unsigned(&[&u64::MAX.to_le_bytes()[..], &[0; 8]].concat()), Some(u64::MAX));
        assert_eq!(unsigned(&[0, 0, 0, 0, 0, 0, 0, 0, 1]), None);
        assert_eq!((signed(&[0; 17]), unsigned(&[0; 17])), (None, None));
    }

    #[test]
    fn long_numbers_end_after_ten_bytes() {
        let read = |bytes: &[u8]| Bytes(bytes).number();
        assert_eq!(read(&[0x7F]), Ok(127));
        assert_eq!(read(&[0x80, 1]), Ok(128));
        assert_eq!(read(&[0x80]), Err(Fault::Short));
        assert_eq!(read(&[&[0xFF; 9][..], &[1]].concat()), Ok(u64::MAX));
        assert!(matches!(read(&[&[0xFF; 9][..], &[2]].concat()), Err(Fault::Bad(_))));
    }
}
