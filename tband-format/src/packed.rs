//! How fields are read and written in packets.

use crate::field::Str;
use crate::reader::{FieldError, Reader, leading_signed, signed_byte};
use crate::short::Short;
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
        self.all(&[byte])
    }

    pub(crate) fn all(&mut self, bytes: &[u8]) -> Option<()> {
        let end = self.len.checked_add(bytes.len())?;
        self.room.get_mut(self.len..end)?.copy_from_slice(bytes);
        self.len = end;
        Some(())
    }

    pub(crate) fn leb128(&mut self, mut value: u64) -> Option<()> {
        while value >= 0x80 {
            self.byte(value as u8 | 0x80)?;
            value >>= 7;
        }
        self.byte(value as u8)
    }

    pub(crate) fn signed_leb128(&mut self, mut value: i64) -> Option<()> {
        // Until what is left is nothing but the sign of the byte.
        while !(-0x40..0x40).contains(&value) {
            self.byte(value as u8 | 0x80)?;
            value >>= 7;
        }
        self.byte(value as u8 & 0x7F)
    }
}

/// A field of an event in a packet.
pub(crate) trait Packed<'a>: Sized {
    /// Reads it.
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError>;

    /// Reads it, fast and without a word about what is wrong; gives what is left as well.
    fn read_short(short: Short<'a>) -> Option<(Self, Short<'a>)>;

    /// What a byte below 0x80 is; `None` where that is not known from the byte alone.
    fn small(byte: u8) -> Option<Self>;

    /// Writes it; `None` if there is no room, or it cannot be in a packet.
    fn write_packed(self, bytes: &mut Bytes<'_>) -> Option<()>;

    /// Writes it as in frames; `None` if there is no room.
    fn write_plain(self, bytes: &mut Bytes<'_>) -> Option<()> {
        self.write_packed(bytes)
    }
}

impl<'a> Packed<'a> for u8 {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.byte()
    }

    #[inline]
    fn read_short(short: Short<'a>) -> Option<(Self, Short<'a>)> {
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

impl<'a> Packed<'a> for u32 {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.varint32()
    }

    #[inline]
    fn read_short(short: Short<'a>) -> Option<(Self, Short<'a>)> {
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

impl<'a> Packed<'a> for u64 {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.varint64()
    }

    #[inline]
    fn read_short(short: Short<'a>) -> Option<(Self, Short<'a>)> {
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

impl<'a> Packed<'a> for i64 {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        signed(reader)
    }

    #[inline]
    fn read_short(short: Short<'a>) -> Option<(Self, Short<'a>)> {
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

impl<'a> Packed<'a> for Option<u32> {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        match signed(reader)? {
            -1 => Ok(None),
            value => u32::try_from(value).map(Some).map_err(|_| FieldError::Overflow),
        }
    }

    #[inline]
    fn read_short(short: Short<'a>) -> Option<(Self, Short<'a>)> {
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

impl<'a> Packed<'a> for Str<'a> {
    #[inline]
    fn read_packed(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.up_to_nul().map(Self)
    }

    #[inline]
    fn read_short(short: Short<'a>) -> Option<(Self, Short<'a>)> {
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

/// Ticks to wait as the kernel's signed number, in which for ever is -1.
#[inline]
pub(crate) fn read_ticks(reader: &mut Reader<'_>) -> Result<u32, FieldError> {
    let value = i32::try_from(signed(reader)?).map_err(|_| FieldError::Overflow)?;
    Ok(value.cast_unsigned())
}

/// See [`read_ticks`].
#[inline]
pub(crate) fn short_ticks(short: Short<'_>) -> Option<(u32, Short<'_>)> {
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

/// A signed LEB128 of at most ten bytes.
#[inline]
fn signed(reader: &mut Reader<'_>) -> Result<i64, FieldError> {
    // By value, so that the reader itself can stay in registers.
    let (value, len) = leading_signed(reader.left_bytes())?;
    reader.skip(len);
    Ok(value)
}
