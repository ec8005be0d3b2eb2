//! Arguments of records: their types, and how they are read out of a record. port/records/tband_records.h writes them.

use super::dictionary::{Dictionary, number};

/// Ends a text.
const TEXT_ENDS: u8 = 1;
/// Escape before a byte of a text that was raised by 2; before another byte, or at the record's end, it marks a cut text.
const TEXT_ESCAPE: u8 = 2;

/// The type of an argument, as a letter of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Char,
    /// With this many bits.
    Signed(u32),
    Unsigned(u32),
    Float,
    Double,
    Pointer,
    Function,
    Text,
    Memory,
    Constant,
}

impl Type {
    pub const fn of(letter: u8) -> Option<Self> {
        Some(match letter {
            b'?' => Self::Bool,
            b'c' => Self::Char,
            b'b' => Self::Signed(8),
            b'B' => Self::Unsigned(8),
            b'h' => Self::Signed(16),
            b'H' => Self::Unsigned(16),
            b'i' => Self::Signed(32),
            b'I' => Self::Unsigned(32),
            b'q' => Self::Signed(64),
            b'Q' => Self::Unsigned(64),
            b'f' => Self::Float,
            b'd' => Self::Double,
            b'P' | b'o' => Self::Pointer,
            b'p' => Self::Function,
            b'S' => Self::Constant,
            b's' => Self::Text,
            b'm' => Self::Memory,
            _ => return None,
        })
    }
}

/// An argument of a record.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument {
    /// A truth value.
    Bool(bool),
    /// A character, as the target's `char` has it.
    Char(i8),
    /// A number, and its bits.
    Signed(i64, u32),
    /// A number, and its bits.
    Unsigned(u64, u32),
    /// A number of single precision.
    Float(f32),
    /// A number of double precision.
    Double(f64),
    /// An address, of a function or of anything.
    Pointer(u64),
    /// An address of a function.
    Function(u64),
    /// An address, and the name of its target.
    Symbol(u64, String),
    /// A number that may have a name, with its kind.
    Constant(u32),
    /// A number with a name.
    Named(u32, String),
    /// A text, and whether it is complete.
    Text(Vec<u8>, bool),
    /// Memory, and whether it is complete.
    Memory(Vec<u8>, bool),
}

impl Argument {
    /// Returns the argument with its name, if that is known.
    pub fn named(self, names: &Dictionary) -> Self {
        match self {
            Self::Pointer(at) | Self::Function(at) => match self.name(names) {
                Some(name) => Self::Symbol(at, name),
                None => self,
            },
            Self::Constant(constant) => match names.constant(constant) {
                Some(name) => Self::Named(number(constant), name.to_owned()),
                None => Self::Unsigned(number(constant).into(), 32),
            },
            other => other,
        }
    }
}

/// The arguments of these types, as far as the record has them; `None` if it has others, or more.
pub(super) fn read(types: &[Type], record: &[u8]) -> Option<Vec<Argument>> {
    let mut reader = Reader::new(record);
    let mut arguments = Vec::new();
    for of in types {
        // Arguments that have no room are left out.
        if reader.is_at_end() {
            break;
        }
        arguments.push(reader.argument(*of)?);
    }
    reader.is_at_end().then_some(arguments)
}

/// The rest of a record.
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub const fn new(record: &'a [u8]) -> Self {
        Self(record)
    }

    pub const fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    /// Reads a LEB128 number, which is encoded one higher. Anything else ends the record.
    fn number(&mut self) -> Option<u64> {
        let mut value = 0_u128;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            value |= u128::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return u64::try_from(value.checked_sub(1)?).ok();
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let value = self.number()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// `None` if it is not there, or no such argument.
    pub fn argument(&mut self, of: Type) -> Option<Argument> {
        Some(match of {
            Type::Bool => Argument::Bool(self.number()? != 0),
            Type::Char => Argument::Char(self.signed()? as i8),
            Type::Signed(bits) => Argument::Signed(within(self.signed()?, bits)?, bits),
            Type::Unsigned(bits) => {
                let value = self.number()?;
                Argument::Unsigned((value <= u64::MAX >> (64 - bits)).then_some(value)?, bits)
            }
            Type::Float => {
                let bits = u32::try_from(self.number()?).ok()?;
                Argument::Float(f32::from_bits(bits.swap_bytes()))
            }
            Type::Double => Argument::Double(f64::from_bits(self.number()?.swap_bytes())),
            Type::Pointer => Argument::Pointer(self.number()?),
            Type::Function => Argument::Function(self.number()?),
            Type::Constant => Argument::Constant(u32::try_from(self.number()?).ok()?),
            Type::Text => self.text(),
            Type::Memory => self.memory()?,
        })
    }

    fn text(&mut self) -> Argument {
        let mut text = Vec::new();
        while let Some(byte) = self.byte() {
            match byte {
                TEXT_ENDS => return Argument::Text(text, true),
                TEXT_ESCAPE => match self.byte() {
                    None | Some(TEXT_ESCAPE) => return Argument::Text(text, false),
                    Some(byte) => text.push(byte.wrapping_sub(TEXT_ESCAPE)),
                },
                byte => text.push(byte),
            }
        }
        // It fills the record.
        Argument::Text(text, true)
    }

    /// Reads the length, then COBS: runs without a zero, each with a code in front that is one more than its bytes; each run
    /// except the longest and the last is followed by a zero.
    fn memory(&mut self) -> Option<Argument> {
        let len = self.number()?;
        let is_whole = |memory: &Vec<u8>| memory.len() as u64 == len;
        let mut memory = Vec::new();
        while let Some(code) = self.byte() {
            for _ in 1..code {
                let Some(byte) = self.byte() else { return Some(Argument::Memory(memory, false)) };
                memory.push(byte);
            }
            if code != 0xFF {
                if is_whole(&memory) {
                    return Some(Argument::Memory(memory, true));
                }
                // A cut value ends without one.
                if !self.0.is_empty() {
                    memory.push(0);
                }
            }
        }
        // It fills the record, or was cut.
        let is_whole = is_whole(&memory);
        Some(Argument::Memory(memory, is_whole))
    }
}

fn within(value: i64, bits: u32) -> Option<i64> {
    (value >> (bits - 1) == value >> 63).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_the_target_writes_them() {
        let read = |letter, bytes: &[u8]| {
            read(&[Type::of(letter).unwrap()], bytes).and_then(|mut it| it.pop())
        };
        assert_eq!(read(b'I', &[1]), Some(Argument::Unsigned(0, 32)));
        assert_eq!(read(b'i', &[2]), Some(Argument::Signed(-1, 32)));
        assert_eq!(
            read(b'I', &[0x80, 0x80, 0x80, 0x80, 0x10]),
            Some(Argument::Unsigned(0xFFFF_FFFF, 32))
        );
        let most = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2];
        assert_eq!(read(b'Q', &most), Some(Argument::Unsigned(u64::MAX, 64)));
        assert_eq!(read(b'q', &most), Some(Argument::Signed(i64::MIN, 64)));
        // Too large for their types, no number, too long, cut.
        for (letter, bytes) in [
            (b'B', &[0x82, 2][..]),
            (b'b', &[0x82, 2]),
            (b'I', &most),
            (b'Q', &[0]),
            (b'Q', &[0x80; 11]),
            (b'Q', &[0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2]),
            (b'I', &[1, 1]),
            (b'I', &[0x80]),
            (b'I', &[]),
        ] {
            assert_eq!(read(letter, bytes), None, "{} {bytes:?}", char::from(letter));
        }
    }

    #[test]
    fn texts_and_memory_are_as_the_target_writes_them() {
        let read = |bytes: &[u8]| read(&[Type::Text, Type::Memory], bytes).expect("arguments");
        assert_eq!(
            read(&[b'a', 2, 3, 2, 4, 1, 4, 2, 5, 2, 6]),
            [Argument::Text(vec![b'a', 1, 2], true), Argument::Memory(vec![5, 0, 6], true)]
        );
        assert_eq!(read(b"ab"), [Argument::Text(b"ab".to_vec(), true)]);
        for cut in [&b"ab\x02"[..], b"ab\x02\x02"] {
            assert_eq!(read(cut), [Argument::Text(b"ab".to_vec(), false)]);
        }
        let memory = |bytes: &[u8]| read(&[&[1], bytes].concat()).pop();
        assert_eq!(memory(&[1, 1]), Some(Argument::Memory(vec![], true)));
        // It fills the record: a code followed by nothing would not fit.
        assert_eq!(memory(&[1]), Some(Argument::Memory(vec![], true)));
        let full = [&[0xFF, 1, 0xFF][..], &[7; 254]].concat();
        assert_eq!(memory(&full), Some(Argument::Memory(vec![7; 254], true)));
        assert_eq!(memory(&full[..256]), Some(Argument::Memory(vec![7; 253], false)));
        assert_eq!(memory(&[2]), Some(Argument::Memory(vec![], false)));
        assert_eq!(memory(&[3, 1, 1, 1]), Some(Argument::Memory(vec![0, 0], true)));
        assert_eq!(memory(&[4, 2, 9, 1]), Some(Argument::Memory(vec![9, 0], false)));
        assert_eq!(memory(&[4, 9, 9]), Some(Argument::Memory(vec![9], false)));
        let longest = [&[0xFF][..], &[7; 254], &[1]].concat();
        let read = memory(&[&[0xFF, 1][..], &longest].concat());
        assert_eq!(read, Some(Argument::Memory(vec![7; 254], true)));
    }
}
