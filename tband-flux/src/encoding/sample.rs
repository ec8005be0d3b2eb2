//! Samples: a value of a signal at a time.

use super::ByteSink;
use super::number::pint;

/// Type of a signal of events, whose values belong to an enumeration.
pub const EVENT: u8 = 1;
/// Type of a signal of integers.
pub const INTEGER: u8 = 2;
/// Type of a signal of floating-point numbers.
pub const FLOAT: u8 = 4;
/// Type of a signal of texts.
pub const TEXT: u8 = 5;
/// Type of a signal of bytes.
pub const BINARY: u8 = 6;
/// Type of a signal of structures.
pub const STRUCT: u8 = 7;

/// Data of a sample without a value: from here on the signal has none.
pub const IS_NONE: u8 = 0;
/// Data of integers, texts, bytes and structures.
pub const IS_VALUE: u8 = 1;
/// Data of events.
pub const IS_EVENT: u8 = 2;
/// Data of floats of four bytes.
pub const IS_FLOAT: u8 = 1 | 4;
/// Data of floats of eight bytes.
pub const IS_DOUBLE: u8 = 1 | 8;

/// The fields before a sample's data.
#[derive(Clone, Copy, Debug)]
pub struct Front {
    /// The item.
    pub item: u32,
    /// The value is tainted: something is missing before it.
    pub is_tainted: bool,
    /// Time since the last sample of the sequence.
    pub delta: u64,
    /// Bytes of data.
    pub len: usize,
    /// The kind of the data: `IS_…`.
    pub data: u8,
}

/// Writes the front of a sample. Its first byte is not zero, because items begin with 1.
pub fn front(out: &mut impl ByteSink, front: &Front) {
    let flags = u64::from(front.is_tainted) | if front.delta > 0 { 2 } else { 0 };
    pint(out, u64::from(front.item) << 3 | flags);
    if front.delta > 0 {
        pint(out, front.delta);
    }
    pint(out, (front.len as u64) << 4 | u64::from(front.data));
}
