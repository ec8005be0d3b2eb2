//! Members of the data of a structure.

use super::number::{event_len, lowest, pint, signed_len};
use super::{ByteSink, Version};

/// Type of a member that is a text.
pub const TEXT: u8 = 1;
/// Type of a member whose numbers are those of the item's values.
pub const ENUMERATION: u8 = 2;
/// Type of a member that is an integer.
pub const INTEGER: u8 = 3;
/// Type of a member that is a floating-point number.
pub const FLOAT: u8 = 4;
/// Type of a member that is bytes.
pub const BINARY: u8 = 6;

/// What a member is.
#[derive(Clone, Copy, Debug)]
pub enum Value<'t> {
    /// A text.
    Text(&'t [u8]),
    /// A number of the item's values, above 0.
    Enumeration(u32),
    /// An integer.
    Integer(i64),
    /// A float of four bytes.
    Float(f32),
    /// A float of eight bytes.
    Double(f64),
    /// Bytes.
    Binary(&'t [u8]),
}

/// A member and its value.
#[derive(Clone, Copy, Debug)]
pub struct Member<'t> {
    /// The number of the member.
    pub id: u32,
    /// Its value.
    pub value: Value<'t>,
}

/// Writes a member: its number, type, length and bytes.
pub fn member(out: &mut impl ByteSink, version: Version, member: &Member<'_>) {
    pint(out, member.id.into());
    let number = |out: &mut _, kind, number: u64, len| {
        head(out, kind, len);
        lowest(out, number, len);
    };
    match member.value {
        Value::Text(bytes) => block(out, TEXT, bytes),
        Value::Binary(bytes) => block(out, BINARY, bytes),
        Value::Enumeration(value) => {
            number(out, ENUMERATION, value.into(), event_len(version, value));
        }
        Value::Integer(value) => number(out, INTEGER, value.cast_unsigned(), signed_len(value)),
        Value::Float(value) => block(out, FLOAT, &value.to_le_bytes()),
        Value::Double(value) => block(out, FLOAT, &value.to_le_bytes()),
    }
}

fn head(out: &mut impl ByteSink, kind: u8, len: usize) {
    out.byte(kind);
    pint(out, len as u64);
}

fn block(out: &mut impl ByteSink, kind: u8, bytes: &[u8]) {
    head(out, kind, bytes.len());
    out.bytes(bytes);
}
