//! Classes of fields as the metadata declares them: references are names, and a byte order may be the trace's.

use std::rc::Rc;

/// Order of bytes in numbers, and of bits in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Little,
    Big,
}

/// What readers need a number for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Magic,
    StreamClass,
    PacketSize,
    ContentSize,
    /// The clock, where the packet begins, or of an event.
    Time,
    /// The clock, where the packet ends.
    EndTime,
    Discarded,
    Sequence,
    EventId,
}

/// A class of integers.
#[derive(Clone, Debug)]
pub struct IntClass {
    /// 1 to 64; of numbers of variable length at most 64.
    pub bits: u8,
    /// In bits, a power of two.
    pub align: u32,
    pub is_signed: bool,
    /// `None`: the trace's.
    pub order: Option<Order>,
    /// 2, 8, 10 or 16.
    pub base: u8,
    /// It is a character.
    pub is_text: bool,
    /// LEB128.
    pub is_variable: bool,
    /// Name of the clock that it is a reading of.
    pub clock: Option<Rc<str>>,
    pub role: Option<Role>,
    /// Names of values.
    pub labels: Option<Rc<Labels>>,
}

impl IntClass {
    /// An unsigned number of so many bits.
    pub const fn new(bits: u8) -> Self {
        Self {
            bits,
            align: if bits.is_multiple_of(8) { 8 } else { 1 },
            is_signed: false,
            order: None,
            base: 10,
            is_text: false,
            is_variable: false,
            clock: None,
            role: None,
            labels: None,
        }
    }
}

/// A range of values, both ends included.
pub type Range = (i128, i128);

/// Names of values.
#[derive(Clone, Debug, Default)]
pub struct Labels(pub Vec<(Range, Rc<str>)>);

impl Labels {
    /// The first name of a value.
    pub fn of(&self, value: i128) -> Option<&Rc<str>> {
        let found = self.0.iter().find(|((low, high), _)| (*low..=*high).contains(&value));
        found.map(|(_, name)| name)
    }

    /// The values of a name.
    pub fn ranges(&self, name: &str) -> Vec<Range> {
        self.0.iter().filter(|(_, label)| **label == *name).map(|(range, _)| *range).collect()
    }
}

/// The part of a packet that a name is looked up in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    PacketHeader,
    PacketContext,
    EventHeader,
    StreamEventContext,
    EventContext,
    Payload,
}

/// A field that another one depends on.
#[derive(Clone, Debug)]
pub struct Path {
    /// `None`: it is in the structures around, or in an earlier scope.
    pub scope: Option<Scope>,
    pub names: Vec<Rc<str>>,
}

/// A class of fields.
#[derive(Clone, Debug)]
pub enum Class {
    Int(IntClass),
    /// Bits, alignment, byte order.
    Float(u8, u32, Option<Order>),
    /// Up to a NUL, of so many bytes.
    Text(u8),
    Struct(Rc<StructClass>),
    Array(Rc<Self>, u64, u32),
    Sequence(Rc<Self>, Path, u32),
    /// Bytes: a fixed number, or the number in a field.
    Blob(Result<u64, Path>),
    /// Text of a fixed number of bytes, or of the number in a field.
    SizedText(Result<u64, Path>),
    Variant(Option<Path>, Rc<[OptionClass]>),
}

/// One of several fields.
#[derive(Clone, Debug)]
pub struct OptionClass {
    /// The label of the selector.
    pub name: Rc<str>,
    /// The values of the selector; `None`: those of its label.
    pub ranges: Option<Vec<Range>>,
    /// `None`: the optional field is absent.
    pub class: Option<Class>,
}

/// A structure.
#[derive(Clone, Debug, Default)]
pub struct StructClass {
    /// The least alignment in bits.
    pub align: u32,
    pub members: Vec<(Rc<str>, Class)>,
}
