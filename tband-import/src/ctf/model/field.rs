//! Fields as they are read: each leaf has a slot for its value, and who depends on a field names its slot.

use std::rc::Rc;

use super::class::{Labels, Order, Range};

/// The state that reading a number changes in addition to its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldUse {
    /// Nothing.
    Value,
    /// The time.
    Time,
    /// The id of the event.
    Id,
}

/// A number.
#[derive(Clone, Debug)]
pub struct Int {
    pub slot: u32,
    pub bits: u8,
    pub align: u32,
    pub order: Order,
    pub is_signed: bool,
    pub is_variable: bool,
    pub base: u8,
    pub of: FieldUse,
    pub labels: Option<Rc<Labels>>,
}

impl Int {
    /// The number that a slot holds.
    pub const fn value(&self, raw: u64) -> i128 {
        if self.is_signed { raw.cast_signed() as i128 } else { raw as i128 }
    }
}

/// How many elements there are.
#[derive(Clone, Copy, Debug)]
pub enum Count {
    Fixed(u64),
    Slot(u32),
}

/// A field.
#[derive(Clone, Debug)]
pub enum Field {
    Int(Int),
    Float {
        slot: u32,
        bits: u8,
        align: u32,
        order: Order,
    },
    /// Up to a NUL, whose characters have so many bytes.
    Text {
        slot: u32,
        unit: u8,
    },
    /// Bytes: text up to the first NUL, or not text at all.
    Bytes {
        slot: u32,
        count: Count,
        is_text: bool,
    },
    Struct(Struct),
    Array {
        count: Count,
        align: u32,
        element: Box<Self>,
    },
    Variant {
        slot: u32,
        is_signed: bool,
        options: Vec<Choice>,
    },
}

/// One of several fields.
#[derive(Clone, Debug)]
pub struct Choice {
    pub ranges: Vec<Range>,
    pub field: Option<Field>,
}

/// A structure.
#[derive(Clone, Debug)]
pub struct Struct {
    pub align: u32,
    pub members: Vec<(Rc<str>, Field)>,
    /// Its members are at fixed places.
    pub plain: Option<FixedNumbers>,
}

/// Numbers at fixed places of a structure, at whole bytes.
#[derive(Clone, Debug)]
pub struct FixedNumbers {
    /// Length of the structure in bytes.
    pub len: usize,
    pub members: Vec<PlainMember>,
}

/// A number at a fixed place, or bytes.
#[derive(Clone, Copy, Debug)]
pub struct PlainMember {
    pub slot: u32,
    /// In bytes from the begin of the structure.
    pub offset: u32,
    pub kind: PlainKind,
    pub of: FieldUse,
}

/// How it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainKind {
    /// A number without a sign, of so many bits in whole bytes, the lowest byte first.
    Little(u8),
    /// Another number of this many bytes.
    Other { bytes: u8, order: Order, is_signed: bool },
    /// So many bytes; text ends at the first NUL.
    Bytes { len: u32, is_text: bool },
}

impl Field {
    /// Alignment in bits.
    pub const fn align(&self) -> u32 {
        match self {
            Self::Int(Int { align, .. })
            | Self::Float { align, .. }
            | Self::Array { align, .. } => *align,
            Self::Text { .. } | Self::Bytes { .. } => 8,
            Self::Struct(Struct { align, .. }) => *align,
            // That of the field that is there.
            Self::Variant { .. } => 1,
        }
    }

    /// A field inside of structures, by names with points between them.
    pub fn find(&self, path: &str) -> Option<&Self> {
        let Self::Struct(Struct { members, .. }) = self else { return None };
        if let Some((_, field)) = members.iter().find(|(name, _)| **name == *path) {
            return Some(field);
        }
        let (first, rest) = path.split_once('.')?;
        members.iter().find(|(name, _)| **name == *first)?.1.find(rest)
    }
}
