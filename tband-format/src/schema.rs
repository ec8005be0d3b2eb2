//! Describes an event that a reader does not know: its name and its fields, as stated in a recording.
//!
//! Every reader knows the base registry, so nothing is sent for it. An event outside of it is described by an
//! `event_schema`, whose text is the event's name and, after a space, its fields: `spi_done bus:u8,bytes:u32`.

use core::fmt;

use crate::field::packed::{Bytes, PackedField, read_ticks, write_ticks};
use crate::field::{Field, FieldKind, Str, Value};
use crate::reader::{FieldError, Reader};

/// Most fields that a schema may have.
pub const MAX_SCHEMA_FIELDS: usize = 16;
/// Longest name of an event or a field in a schema, in bytes.
pub const MAX_SCHEMA_NAME: usize = 48;

/// Encoding of a field of a described event, in frames and in packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaKind {
    /// A byte; enumerations too, without the names of their values.
    U8,
    /// Varint of 1 to 5 bytes.
    U32,
    /// Varint of 1 to 10 bytes.
    U64,
    /// Sign and magnitude in frames, signed LEB128 in packets.
    S64,
    /// To the end of the frame, or to a NUL; only the last field.
    Str,
    /// A `u32` that may be missing, as may all after it.
    OptionalU32,
    /// A `u32` that packets encode as signed LEB128, so that a wait without a timeout takes one byte.
    Ticks,
}

impl SchemaKind {
    const ALL: [(Self, &'static str); 7] = [
        (Self::U8, "u8"),
        (Self::U32, "u32"),
        (Self::U64, "u64"),
        (Self::S64, "s64"),
        (Self::Str, "str"),
        (Self::OptionalU32, "u32?"),
        (Self::Ticks, "ticks"),
    ];

    /// Returns the name in schemas.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::S64 => "s64",
            Self::Str => "str",
            Self::OptionalU32 => "u32?",
            Self::Ticks => "ticks",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// Returns the kind of a field of the registry; `None` if no schema can express it.
    #[must_use]
    pub const fn from_field(name: &str, kind: FieldKind) -> Option<Self> {
        match kind {
            FieldKind::U32 if is_same(name, "ticks_to_wait") => Some(Self::Ticks),
            FieldKind::U8 | FieldKind::Enum { .. } => Some(Self::U8),
            FieldKind::U32 => Some(Self::U32),
            FieldKind::U64 => Some(Self::U64),
            FieldKind::S64 => Some(Self::S64),
            FieldKind::Str => Some(Self::Str),
            FieldKind::Optional(FieldKind::U32) => Some(Self::OptionalU32),
            FieldKind::Optional(_) => None,
        }
    }

    /// Reads a field of a frame.
    pub(crate) fn read_plain<'a>(
        self,
        reader: &mut Reader<'a>,
    ) -> Result<Option<Value<'a>>, FieldError> {
        Ok(match self {
            Self::U8 => u8::read(reader)?.value(),
            Self::U32 | Self::Ticks => u32::read(reader)?.value(),
            Self::U64 => u64::read(reader)?.value(),
            Self::S64 => i64::read(reader)?.value(),
            Self::Str => Str::read(reader)?.value(),
            Self::OptionalU32 => Option::<u32>::read(reader)?.value(),
        })
    }

    /// Reads a field of a packet.
    pub(crate) fn read_packed<'a>(
        self,
        reader: &mut Reader<'a>,
    ) -> Result<Option<Value<'a>>, FieldError> {
        Ok(match self {
            Self::U8 => u8::read_packed(reader)?.value(),
            Self::U32 => u32::read_packed(reader)?.value(),
            Self::Ticks => read_ticks(reader)?.value(),
            Self::U64 => u64::read_packed(reader)?.value(),
            Self::S64 => i64::read_packed(reader)?.value(),
            Self::Str => Str::read_packed(reader)?.value(),
            Self::OptionalU32 => Option::<u32>::read_packed(reader)?.value(),
        })
    }

    /// Writes a field as in frames; `None` if it does not fit.
    pub(crate) fn write_plain(self, value: Option<Value<'_>>, bytes: &mut Bytes<'_>) -> Option<()> {
        match value {
            Some(Value::Unsigned(number)) if self == Self::U8 => bytes.byte(number as u8),
            Some(Value::Unsigned(number)) => bytes.leb128(number),
            Some(Value::Named(number, _)) => bytes.byte(number),
            Some(Value::Signed(number)) => number.write_plain(bytes),
            Some(Value::Str(text)) => text.write_plain(bytes),
            None => Some(()),
        }
    }

    /// Writes a field as in packets; `None` if it does not fit, or cannot be in a packet.
    pub(crate) fn write_packed(
        self,
        value: Option<Value<'_>>,
        bytes: &mut Bytes<'_>,
    ) -> Option<()> {
        match (self, value) {
            (Self::U8, Some(Value::Unsigned(number))) => bytes.byte(number as u8),
            (Self::Ticks, Some(Value::Unsigned(number))) => write_ticks(number as u32, bytes),
            (Self::OptionalU32, Some(Value::Unsigned(number))) => {
                bytes.signed_leb128(number.cast_signed())
            }
            (_, Some(Value::Unsigned(number))) => bytes.leb128(number),
            (_, Some(Value::Named(number, _))) => bytes.byte(number),
            (_, Some(Value::Signed(number))) => number.write_packed(bytes),
            (_, Some(Value::Str(text))) => text.write_packed(bytes),
            (_, None) => bytes.signed_leb128(-1),
        }
    }
}

/// Why a text is not a valid schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaError {
    /// The event's name is not a letter and up to 47 letters, digits and underscores.
    EventName,
    /// The name of a field is invalid; fields count from 1.
    FieldName(usize),
    /// A field is of no kind that there is.
    FieldKind(usize),
    /// Two fields have one name.
    RepeatedField(usize),
    /// A field follows a string, or a mandatory field follows an optional one.
    FieldOrder(usize),
    /// There are more than [`MAX_SCHEMA_FIELDS`].
    TooManyFields,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EventName => f.write_str("its name is none"),
            Self::FieldName(number) => write!(f, "field {number} has no name that is one"),
            Self::FieldKind(number) => write!(f, "field {number} is of an unknown kind"),
            Self::RepeatedField(number) => write!(f, "field {number} has the name of another"),
            Self::FieldOrder(number) => {
                write!(f, "field {number} cannot come after the one before")
            }
            Self::TooManyFields => write!(f, "it has more than {MAX_SCHEMA_FIELDS} fields"),
        }
    }
}

impl core::error::Error for SchemaError {}

/// A schema: the name of an event, and its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema<'a> {
    name: &'a str,
    /// With their kinds, a comma between two.
    fields: &'a str,
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    one.len() == other.len() && at == one.len()
}

/// Names consist of characters that every output format allows in names.
fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.len() <= MAX_SCHEMA_NAME
        && name.bytes().all(is_part)
        && name.bytes().next().is_some_and(|first| first.is_ascii_alphabetic())
}

impl<'a> Schema<'a> {
    /// Reads the text of an `event_schema`. Costs some instructions a byte, at most 16 fields squared.
    ///
    /// # Errors
    /// [`SchemaError`]; no input panics.
    pub fn parse(text: &'a [u8]) -> Result<Self, SchemaError> {
        let text = core::str::from_utf8(text).map_err(|_| SchemaError::EventName)?;
        let schema = Self::validated(text);
        if !is_name(schema.name) {
            return Err(SchemaError::EventName);
        }
        if schema.parts().nth(MAX_SCHEMA_FIELDS).is_some() {
            return Err(SchemaError::TooManyFields);
        }
        let mut before = None;
        for (number, part) in (1..).zip(schema.parts()) {
            let (name, kind) = part.split_once(':').unwrap_or((part, ""));
            if !is_name(name) {
                return Err(SchemaError::FieldName(number));
            }
            let kind = SchemaKind::from_name(kind).ok_or(SchemaError::FieldKind(number))?;
            let of_same_name = schema.fields().filter(|(it, _)| *it == name);
            if of_same_name.count() > 1 {
                return Err(SchemaError::RepeatedField(number));
            }
            match (before, kind) {
                (Some(SchemaKind::Str), _) => return Err(SchemaError::FieldOrder(number)),
                (Some(SchemaKind::OptionalU32), SchemaKind::OptionalU32) => {}
                (Some(SchemaKind::OptionalU32), _) => return Err(SchemaError::FieldOrder(number)),
                _ => {}
            }
            before = Some(kind);
        }
        Ok(schema)
    }

    /// Creates the schema from a text that was [parsed](Self::parse) before.
    pub(crate) fn validated(text: &'a str) -> Self {
        let (name, fields) = text.split_once(' ').unwrap_or((text, ""));
        Self { name, fields }
    }

    /// Returns the name of the event.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    fn parts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.fields.split(',').filter(|part| !part.is_empty())
    }

    /// Names and kinds of its fields, in the order of the recording.
    pub fn fields(&self) -> impl Iterator<Item = (&'a str, SchemaKind)> + use<'a> {
        self.parts().filter_map(|part| {
            let (name, kind) = part.split_once(':')?;
            Some((name, SchemaKind::from_name(kind)?))
        })
    }
}

impl fmt::Display for Schema<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        if !self.fields.is_empty() {
            write!(f, " {}", self.fields)?;
        }
        Ok(())
    }
}
