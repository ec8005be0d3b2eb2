//! Reads and writes fields in packets.

use crate::field::Str;
use crate::reader::{FieldError, Reader, leading_signed, signed_byte};
use crate::short_reader::ShortReader;
use crate::writer::sign_magnitude;

/// Room for bytes, which are put there one after the other.
pub(crate) struct Bytes<'a> {
    room: &'a mut [u8],
    len: usize,
}

impl<'a> Bytes<'a> {
    pub(crate) const fn new(room: &'a mut [u8]) -> Self {
        Self { room, len: 0 }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn byte(&mut self, byte: u8) -> Option<()> {
        *self.room.get_mut(self.len)? = byte;
        self.len += 1;
        Some(())
    }

    pub(crate) fn all(&mut self, bytes: &[u8]) -> Option<()> {
        let end = self.len.checked_add(bytes.len())?;
        self.room.get_mut(self.len..end)?.copy_from_slice(bytes);
        self.len = end;
        Some(())
    }

    pub(crate) fn leb128(&mut self, value: u64) -> Option<()> {
        if value < 0x80 {
            return self.byte(value as u8);
        }
        let room = self.room.get_mut(self.len..)?;
        match room.first_chunk_mut() {
            // At most eight bytes, which are put there at once. Those after the number are free.
            Some(place) if value < 1 << 56 => {
                let bits = u64::BITS - value.leading_zeros();
                let more = bits.div_ceil(7) - 1;
                let continues = 0x80_80_80_80_80_80_80 & !(u64::MAX << (8 * more));
                *place = (spread(value) | continues).to_le_bytes();
                self.len += more as usize + 1;
                Some(())
            }
            _ => self.long_leb128(value),
        }
    }

    #[cold]
    fn long_leb128(&mut self, mut value: u64) -> Option<()> {
        while value >= 0x80 {
            self.byte(value as u8 | 0x80)?;
            value >>= 7;
        }
        self.byte(value as u8)
    }

    pub(crate) fn signed_leb128(&mut self, mut value: i64) -> Option<()> {
        // Until all remaining bits equal the sign bit of the byte.
        while !(-0x40..0x40).contains(&value) {
            self.byte(value as u8 | 0x80)?;
            value >>= 7;
        }
        self.byte(value as u8 & 0x7F)
    }
}

/// Puts each seven of the lower 56 bits into a byte.
const fn spread(value: u64) -> u64 {
    let halves = value & 0x0FFF_FFFF | (value & 0x00FF_FFFF_F000_0000) << 4;
    let quarters = halves & 0x0000_3FFF_0000_3FFF | (halves & 0x0FFF_C000_0FFF_C000) << 2;
    quarters & 0x007F_007F_007F_007F | (quarters & 0x3F80_3F80_3F80_3F80) << 1
}

/// A field of an event in a packet.
pub(crate) trait PackedField<'a>: Sized {
    /// Reads it.
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError>;

    /// Reads the field, fast and without explaining errors; also returns the rest.
    fn read_short(short: ShortReader<'a>) -> Option<(Self, ShortReader<'a>)>;

    /// Returns the value of a byte below 0x80; `None` if the byte alone does not determine it.
    fn small(byte: u8) -> Option<Self>;

    /// Writes the field; `None` if it does not fit, or cannot be in a packet.
    fn write_packed(self, bytes: &mut Bytes<'_>) -> Option<()>;

    /// Writes the field as in frames; `None` if it does not fit.
    fn write_plain(self, bytes: &mut Bytes<'_>) -> Option<()> {
        self.write_packed(bytes)
    }
}

impl<'a> PackedField<'a> for u8 {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.byte()
    }

    #[inline]
    fn read_short(short: ShortReader<'a>) -> Option<(Self, ShortReader<'a>)> {
        Some(short.byte())
    }

    #[inline]
    fn small(byte: u8) -> Option<Self> {
        Some(byte)
    }

    fn write_packed(self, bytes: &mut Bytes<'_>) -> Option<()> {
        bytes.byte(self)
    }
}

impl<'a> PackedField<'a> for u32 {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.varint32()
    }

    #[inline]
    fn read_short(short: ShortReader<'a>) -> Option<(Self, ShortReader<'a>)> {
        short.number32()
    }

    #[inline]
    fn small(byte: u8) -> Option<Self> {
        Some(byte.into())
    }

    fn write_packed(self, bytes: &mut Bytes<'_>) -> Option<()> {
        bytes.leb128(self.into())
    }
}

impl<'a> PackedField<'a> for u64 {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.varint64()
    }

    #[inline]
    fn read_short(short: ShortReader<'a>) -> Option<(Self, ShortReader<'a>)> {
        short.number64()
    }

    #[inline]
    fn small(byte: u8) -> Option<Self> {
        Some(byte.into())
    }

    fn write_packed(self, bytes: &mut Bytes<'_>) -> Option<()> {
        bytes.leb128(self)
    }
}

impl<'a> PackedField<'a> for i64 {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        signed(reader)
    }

    #[inline]
    fn read_short(short: ShortReader<'a>) -> Option<(Self, ShortReader<'a>)> {
        short.signed()
    }

    #[inline]
    fn small(byte: u8) -> Option<Self> {
        Some(signed_byte(byte).into())
    }

    fn write_packed(self, bytes: &mut Bytes<'_>) -> Option<()> {
        bytes.signed_leb128(self)
    }

    fn write_plain(self, bytes: &mut Bytes<'_>) -> Option<()> {
        bytes.leb128(sign_magnitude(self))
    }
}

impl<'a> PackedField<'a> for Option<u32> {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        match signed(reader)? {
            -1 => Ok(None),
            value => u32::try_from(value).map(Some).map_err(|_| FieldError::Overflow),
        }
    }

    #[inline]
    fn read_short(short: ShortReader<'a>) -> Option<(Self, ShortReader<'a>)> {
        let (value, left) = short.signed()?;
        match value {
            -1 => Some((None, left)),
            value => Some((Some(u32::try_from(value).ok()?), left)),
        }
    }

    #[inline]
    fn small(byte: u8) -> Option<Self> {
        match signed_byte(byte) {
            -1 => Some(None),
            value => Some(Some(u32::try_from(value).ok()?)),
        }
    }

    fn write_packed(self, bytes: &mut Bytes<'_>) -> Option<()> {
        bytes.signed_leb128(self.map_or(-1, i64::from))
    }

    fn write_plain(self, bytes: &mut Bytes<'_>) -> Option<()> {
        self.map_or(Some(()), |value| bytes.leb128(value.into()))
    }
}

impl<'a> PackedField<'a> for Str<'a> {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.up_to_nul().map(Self)
    }

    #[inline]
    fn read_short(short: ShortReader<'a>) -> Option<(Self, ShortReader<'a>)> {
        let (text, left) = short.text()?;
        Some((Self(text), left))
    }

    #[inline]
    fn small(byte: u8) -> Option<Self> {
        let _ = byte;
        None
    }

    fn write_packed(self, bytes: &mut Bytes<'_>) -> Option<()> {
        if self.0.contains(&0) {
            return None;
        }
        bytes.all(self.0)?;
        bytes.byte(0)
    }

    fn write_plain(self, bytes: &mut Bytes<'_>) -> Option<()> {
        bytes.all(self.0)
    }
}

/// Ticks to wait as a signed number of the kernel; -1 means without a timeout.
#[inline]
pub(crate) fn read_ticks(reader: &mut Reader<'_>) -> Result<u32, FieldError> {
    let value = i32::try_from(signed(reader)?).map_err(|_| FieldError::Overflow)?;
    Ok(value.cast_unsigned())
}

/// See [`read_ticks`].
#[inline]
pub(crate) fn short_ticks(short: ShortReader<'_>) -> Option<(u32, ShortReader<'_>)> {
    let (value, left) = short.signed()?;
    Some((i32::try_from(value).ok()?.cast_unsigned(), left))
}

/// See [`read_ticks`].
#[inline]
pub(crate) fn small_ticks(byte: u8) -> u32 {
    i32::from(signed_byte(byte)).cast_unsigned()
}

/// See [`read_ticks`].
pub(crate) fn write_ticks(ticks: u32, bytes: &mut Bytes<'_>) -> Option<()> {
    bytes.signed_leb128(ticks.cast_signed().into())
}

/// Reads a signed LEB128 of at most ten bytes.
#[inline]
fn signed(reader: &mut Reader<'_>) -> Result<i64, FieldError> {
    // By value, so that the reader itself can stay in registers.
    let (value, len) = leading_signed(reader.remaining_bytes())?;
    reader.skip(len);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn numbers_are_the_same_with_and_without_room_after_them() {
        for shift in 0..64 {
            for value in [1_u64 << shift, (1 << shift) - 1, (1 << shift) | 1, u64::MAX >> shift] {
                let mut expected = [0; 10];
                let mut bytes = Bytes::new(&mut expected);
                bytes.long_leb128(value).unwrap();
                let len = bytes.len();
                for room in len..=10 {
                    let mut written = [0xAA; 10];
                    let mut bytes = Bytes::new(&mut written[..room]);
                    assert_eq!((bytes.leb128(value), bytes.len()), (Some(()), len), "{value}");
                    assert_eq!(written[..len], expected[..len], "{value}");
                }
                let mut short = [0; 10];
                assert_eq!(Bytes::new(&mut short[..len - 1]).leb128(value), None, "{value}");
            }
        }
    }
}
