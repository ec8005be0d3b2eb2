//! Intel HEX and Motorola S-records: lines of hex digits with an address and a checksum.

use anyhow::{bail, ensure};

/// How memory is written as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    IntelHex,
    SRecords,
}

impl Notation {
    /// That of a file that begins with these bytes, if it is one.
    pub fn of(begin: &[u8]) -> Option<Self> {
        let line = begin.split(|byte| *byte == b'\n').next()?.trim_ascii();
        let is_hex = |digits: &[u8]| digits.len() >= 8 && digits.iter().all(u8::is_ascii_hexdigit);
        match line {
            [b':', digits @ ..] if is_hex(digits) => Some(Self::IntelHex),
            [b'S', b'0'..=b'9', digits @ ..] if is_hex(digits) => Some(Self::SRecords),
            _ => None,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::IntelHex => "Intel HEX",
            Self::SRecords => "S-records",
        }
    }
}

/// Takes records apart, line by line.
pub struct Records {
    notation: Notation,
    /// Offset added to the addresses of Intel HEX.
    base: u64,
    has_ended: bool,
}

/// An address, and the bytes there.
type Data = Option<(u64, Vec<u8>)>;

impl Records {
    pub const fn new(notation: Notation) -> Self {
        Self { notation, base: 0, has_ended: false }
    }

    /// Returns the data of a line, if it has any.
    ///
    /// # Errors
    /// It is not a record, or a damaged one.
    pub fn data(&mut self, line: &[u8]) -> anyhow::Result<Data> {
        let line = line.trim_ascii();
        if line.is_empty() || self.has_ended {
            return Ok(None);
        }
        match self.notation {
            Notation::IntelHex => self.intel(line),
            Notation::SRecords => s_record(line),
        }
    }

    fn intel(&mut self, line: &[u8]) -> anyhow::Result<Data> {
        let [b':', digits @ ..] = line else { bail!("this is not a record of Intel HEX") };
        let bytes = bytes(digits)?;
        let sum = bytes.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        let [len, high, low, kind, data @ .., _] = bytes.as_slice() else {
            bail!("the record is too short")
        };
        ensure!(
            usize::from(*len) == data.len() && sum == 0,
            "the record is damaged: its length or its checksum is wrong"
        );
        let word = || match data {
            [high, low] => Ok(u64::from(u16::from_be_bytes([*high, *low]))),
            _ => bail!("the record is damaged: an address has two bytes"),
        };
        match kind {
            0 => {
                let at = self.base + u64::from(u16::from_be_bytes([*high, *low]));
                return Ok(Some((at, data.to_vec())));
            }
            1 => self.has_ended = true,
            2 => self.base = word()? << 4,
            4 => self.base = word()? << 16,
            3 | 5 => {}
            _ => bail!("there is no record of type {kind}"),
        }
        Ok(None)
    }
}

fn s_record(line: &[u8]) -> anyhow::Result<Data> {
    let [b'S', kind, digits @ ..] = line else { bail!("this is not an S-record") };
    let bytes = bytes(digits)?;
    let sum = bytes.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
    let [len, rest @ .., _] = bytes.as_slice() else { bail!("the record is too short") };
    ensure!(
        usize::from(*len) == rest.len() + 1 && sum == 0xFF,
        "the record is damaged: its length or its checksum is wrong"
    );
    let address_len = match kind {
        b'1' => 2,
        b'2' => 3,
        b'3' => 4,
        _ => return Ok(None),
    };
    let Some((address, data)) = rest.split_at_checked(address_len) else {
        bail!("the record is too short")
    };
    let at = address.iter().fold(0, |at: u64, byte| at << 8 | u64::from(*byte));
    Ok(Some((at, data.to_vec())))
}

fn bytes(digits: &[u8]) -> anyhow::Result<Vec<u8>> {
    ensure!(digits.len().is_multiple_of(2), "the record has half a byte");
    let digit =
        |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = digits.chunks_exact(2).map(|pair| match pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    });
    match pairs.collect() {
        Some(bytes) => Ok(bytes),
        None => bail!("the record has something else than hex digits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_addresses_and_checksums() {
        let mut hex = Records::new(Notation::IntelHex);
        assert_eq!(hex.data(b":020000042000DA\r\n").unwrap(), None);
        assert_eq!(
            hex.data(b":0400100001020304E2").unwrap(),
            Some((0x2000_0010, vec![1, 2, 3, 4]))
        );
        assert!(hex.data(b":0400100001020304E3").is_err());
        assert_eq!(hex.data(b":020000021000EC").unwrap(), None);
        assert_eq!(hex.data(b":0100000005FA").unwrap(), Some((0x1_0000, vec![5])));
        assert_eq!(hex.data(b":00000001FF").unwrap(), None);
        assert_eq!(hex.data(b"what follows").unwrap(), None);
        let mut s = Records::new(Notation::SRecords);
        assert_eq!(s.data(b"S0030000FC").unwrap(), None);
        assert_eq!(s.data(b"S3062000001001C8").unwrap(), Some((0x2000_0010, vec![1])));
        assert_eq!(s.data(b"S1051234AABB4F").unwrap(), Some((0x1234, vec![0xAA, 0xBB])));
        for wrong in [&b"S1051234AABB50"[..], b"S1", b"S105", b":", b":0", b"\xFF\xFF", b"S9zz"] {
            assert!(s.data(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn text_is_distinguished_from_raw_bytes() {
        assert_eq!(Notation::of(b":020000042000DA\r\n:00"), Some(Notation::IntelHex));
        assert_eq!(Notation::of(b"S0030000FC\n"), Some(Notation::SRecords));
        for raw in [&b""[..], b":", b"S0 words", b"\x00\x01", b":0200 0004 2000"] {
            assert_eq!(Notation::of(raw), None, "{raw:?}");
        }
    }
}
