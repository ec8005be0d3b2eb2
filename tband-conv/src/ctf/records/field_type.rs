//! The types of fields, and the encoding of their values: little-endian, each at a whole byte.

use crate::ctf::fixed::string;
use crate::records::{Argument, number, sort};

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::ctf) enum FieldType {
    /// A byte.
    Bool,
    /// An integer of this many bits.
    Signed(u32),
    /// An integer of this many bits.
    Unsigned(u32),
    Float,
    Double,
    /// An address, of 64 bits.
    Pointer,
    /// A number of 32 bits, of constants of this sort.
    Constant(u32),
    /// Up to its NUL.
    Text,
    /// Bytes, whose number is a field of 32 bits before it.
    Memory,
}

impl FieldType {
    /// Returns the type of a recorded argument.
    pub const fn of(argument: &Argument) -> Self {
        match *argument {
            Argument::Bool(_) => Self::Bool,
            Argument::Char(_) => Self::Signed(8),
            Argument::Signed(_, bits) => Self::Signed(bits),
            Argument::Unsigned(_, bits) => Self::Unsigned(bits),
            Argument::Float(_) => Self::Float,
            Argument::Double(_) => Self::Double,
            Argument::Pointer(_) | Argument::Function(_) => Self::Pointer,
            Argument::Constant(constant) => Self::Constant(sort(constant)),
            Argument::Text(..) | Argument::Symbol(..) | Argument::Named(..) => Self::Text,
            Argument::Memory(..) => Self::Memory,
        }
    }
}

/// The number in the trace that may have a name, if it is such an argument.
pub(super) fn value_of(argument: &Argument) -> Option<u64> {
    match *argument {
        Argument::Pointer(at) | Argument::Function(at) => Some(at),
        Argument::Constant(constant) => Some(number(constant).into()),
        _ => None,
    }
}

/// It is a text with a zero byte, which would end it in the trace.
pub(super) fn has_zero(argument: &Argument) -> bool {
    match argument {
        Argument::Text(text, _) => text.contains(&0),
        Argument::Symbol(_, name) | Argument::Named(_, name) => name.contains('\0'),
        _ => false,
    }
}

/// Appends a value.
pub(super) fn write(bytes: &mut Vec<u8>, argument: &Argument) {
    let integer = |bytes: &mut Vec<u8>, value: u64, bits: u32| {
        bytes.extend(value.to_le_bytes().iter().take(bits as usize / 8));
    };
    match argument {
        Argument::Bool(value) => bytes.push((*value).into()),
        Argument::Char(value) => bytes.push(value.cast_unsigned()),
        Argument::Signed(value, bits) => integer(bytes, value.cast_unsigned(), *bits),
        Argument::Unsigned(value, bits) => integer(bytes, *value, *bits),
        Argument::Float(value) => bytes.extend(value.to_le_bytes()),
        Argument::Double(value) => bytes.extend(value.to_le_bytes()),
        Argument::Pointer(value) | Argument::Function(value) => bytes.extend(value.to_le_bytes()),
        Argument::Constant(value) => bytes.extend(number(*value).to_le_bytes()),
        Argument::Text(text, _) => string(bytes, text),
        Argument::Symbol(_, name) | Argument::Named(_, name) => string(bytes, name.as_bytes()),
        Argument::Memory(memory, _) => {
            // A record has no more.
            integer(bytes, memory.len() as u64, 32);
            bytes.extend_from_slice(memory);
        }
    }
}
