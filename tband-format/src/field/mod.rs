//! Field types: how each is read, written, described and shown.

#[cfg(feature = "host")]
pub mod fixed;
pub(crate) mod packed;
pub(crate) mod text;

use core::fmt;

use crate::reader::{FieldError, Reader};
use crate::writer::{FrameWriter, sign_magnitude};

/// A type that can be as a field of an event.
pub trait Field<'a>: Copy {
    /// Its kind in the registry and the docs.
    const KIND: FieldKind;

    /// Reads the field.
    ///
    /// # Errors
    /// [`FieldError`] if the bytes are not such a field.
    fn read(reader: &mut Reader<'a>) -> Result<Self, FieldError>;

    /// Reads the field, fast and without explaining errors. It may read past the end of the payload,
    /// so the caller checks the reader's position afterwards.
    #[inline]
    fn read_loosely(reader: &mut Reader<'a>) -> Option<Self> {
        Self::read(reader).ok()
    }

    /// Writes the field.
    ///
    /// # Safety
    /// The writer has room for [`payload_len`](Self::payload_len) bytes and their COBS codes.
    unsafe fn write(self, writer: &mut FrameWriter);

    /// Returns the number of bytes that `write` adds to the payload.
    fn payload_len(self) -> usize;

    /// Returns the value for display and JSON; `None` for an optional field that is missing.
    fn value(self) -> Option<Value<'a>>;
}

/// The kinds of field that the format knows, as its documentation names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// One byte.
    U8,
    /// One byte whose values have names.
    Enum {
        /// Name of the enumeration.
        name: &'static str,
        /// Its values and what they mean.
        values: &'static [(u8, &'static str)],
    },
    /// Varint of 1 to 5 bytes.
    U32,
    /// Varint of 1 to 10 bytes.
    U64,
    /// Sign and magnitude as a varint of 1 to 10 bytes.
    S64,
    /// Bytes to the end of the frame.
    Str,
    /// A trailing field that may be missing.
    Optional(&'static Self),
}

impl FieldKind {
    /// Returns the name of the type in the format documentation.
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::Enum { .. } => "enum",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::S64 => "s64",
            Self::Str => "str",
            Self::Optional(inner) => inner.type_name(),
        }
    }

    /// Returns the size of the longest encoding in bytes; `None` for a string, which the recorder's
    /// configuration bounds.
    #[must_use]
    pub const fn max_len(&self) -> Option<usize> {
        match self {
            Self::U8 | Self::Enum { .. } => Some(1),
            Self::U32 => Some(5),
            Self::U64 | Self::S64 => Some(10),
            Self::Str => None,
            Self::Optional(inner) => inner.max_len(),
        }
    }
}

/// A field's value without its type, for generic display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// `u8`, `u32` and `u64` fields.
    Unsigned(u64),
    /// Enum fields, with what the value is called if that is known.
    Named(u8, Option<&'static str>),
    /// `s64` fields.
    Signed(i64),
    /// String fields.
    Str(Str<'a>),
}

/// Bytes of a string field. They are what the target sent: usually UTF-8, possibly cut inside a
/// character, never trusted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Str<'a>(pub &'a [u8]);

impl fmt::Display for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{FFFD}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// Returns the length of `value` as a varint.
const fn varint_len(value: u64) -> usize {
    let bits = 64 - value.leading_zeros() as usize;
    if bits == 0 { 1 } else { bits.div_ceil(7) }
}

impl<'a> Field<'a> for u8 {
    const KIND: FieldKind = FieldKind::U8;

    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.byte()
    }

    unsafe fn write(self, writer: &mut FrameWriter) {
        // SAFETY: the caller made room for this field.
        unsafe { writer.u8(self) }
    }

    fn payload_len(self) -> usize {
        1
    }

    fn value(self) -> Option<Value<'a>> {
        Some(Value::Unsigned(self.into()))
    }
}

impl<'a> Field<'a> for u32 {
    const KIND: FieldKind = FieldKind::U32;

    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.varint32()
    }

    #[inline]
    fn read_loosely(reader: &mut Reader<'a>) -> Option<Self> {
        reader.loose_varint32()
    }

    unsafe fn write(self, writer: &mut FrameWriter) {
        // SAFETY: the caller made room for this field.
        unsafe { writer.varint32(self) }
    }

    fn payload_len(self) -> usize {
        varint_len(self.into())
    }

    fn value(self) -> Option<Value<'a>> {
        Some(Value::Unsigned(self.into()))
    }
}

impl<'a> Field<'a> for u64 {
    const KIND: FieldKind = FieldKind::U64;

    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.varint64()
    }

    unsafe fn write(self, writer: &mut FrameWriter) {
        // SAFETY: the caller made room for this field.
        unsafe { writer.varint64(self) }
    }

    fn payload_len(self) -> usize {
        varint_len(self)
    }

    fn value(self) -> Option<Value<'a>> {
        Some(Value::Unsigned(self))
    }
}

impl<'a> Field<'a> for i64 {
    const KIND: FieldKind = FieldKind::S64;

    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        reader.s64()
    }

    unsafe fn write(self, writer: &mut FrameWriter) {
        // SAFETY: the caller made room for this field.
        unsafe { writer.s64(self) }
    }

    fn payload_len(self) -> usize {
        varint_len(sign_magnitude(self))
    }

    fn value(self) -> Option<Value<'a>> {
        Some(Value::Signed(self))
    }
}

impl<'a> Field<'a> for Str<'a> {
    const KIND: FieldKind = FieldKind::Str;

    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        Ok(Self(reader.rest()))
    }

    unsafe fn write(self, writer: &mut FrameWriter) {
        // SAFETY: the caller made room for this field.
        unsafe { writer.bytes(self.0) }
    }

    fn payload_len(self) -> usize {
        self.0.len()
    }

    fn value(self) -> Option<Value<'a>> {
        Some(Value::Str(self))
    }
}

impl<'a, T: Field<'a>> Field<'a> for Option<T> {
    const KIND: FieldKind = FieldKind::Optional(&T::KIND);

    #[inline]
    fn read(reader: &mut Reader<'a>) -> Result<Self, FieldError> {
        if reader.is_empty() { Ok(None) } else { T::read(reader).map(Some) }
    }

    unsafe fn write(self, writer: &mut FrameWriter) {
        if let Some(field) = self {
            // SAFETY: the caller made room for this field.
            unsafe { field.write(writer) }
        }
    }

    fn payload_len(self) -> usize {
        self.map_or(0, T::payload_len)
    }

    fn value(self) -> Option<Value<'a>> {
        self.and_then(T::value)
    }
}
