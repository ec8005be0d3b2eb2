//! Numbers and texts of flux.

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
    pub fn number(&mut self) -> Result<u64, Fault> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            if shift > 63 || (shift == 63 && byte & 0x7E != 0) {
                return Err(Fault::Bad("a number of more than 64 bits"));
            }
            number |= u64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
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

/// Longest text of a definition, in bytes.
pub const MAX_TEXT: usize = 16 * 1024;

/// A number in two's complement, the lowest byte first; none has 0. `None`: it does not fit.
pub fn signed(bytes: &[u8]) -> Option<i64> {
    let is_negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut number = [if is_negative { 0xFF } else { 0 }; 16];
    number.get_mut(..bytes.len())?.copy_from_slice(bytes);
    i64::try_from(i128::from_le_bytes(number)).ok()
}

/// A number without a sign, the lowest byte first. `None`: it does not fit.
pub fn unsigned(bytes: &[u8]) -> Option<u64> {
    let mut number = [0; 16];
    number.get_mut(..bytes.len())?.copy_from_slice(bytes);
    u64::try_from(u128::from_le_bytes(number)).ok()
}

/// A floating-point number of four or eight bytes.
pub fn float(bytes: &[u8]) -> Option<f64> {
    match *bytes {
        [a, b, c, d] => Some(f32::from_le_bytes([a, b, c, d]).into()),
        _ => Some(f64::from_le_bytes(bytes.try_into().ok()?)),
    }
}
