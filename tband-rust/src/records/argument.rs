//! Arguments of records: what each type becomes where a conversion wants it.

use core::ffi::{CStr, c_void};
use core::ptr::null;

use crate::Text;

/// Encoding of an argument, with the values of C's `TBAND_KIND_`.
pub(super) const WORD: u32 = 1;
const LONG: u32 = 2;
pub(super) const TEXT: u32 = 3;
pub(super) const BLOCK: u32 = 4;
const CHARACTERS: u32 = 5;

/// An argument on its way.
#[cfg_attr(not(feature = "enable"), allow(dead_code, reason = "nothing is recorded"))]
#[derive(Clone, Copy)]
pub struct ConvertedArgument {
    pub(crate) kind: u32,
    pub(crate) bits: u64,
    pub(crate) block: Block,
}

/// Bytes of a known length, as `tband_block` and `tband_characters` of C.
#[cfg_attr(not(feature = "enable"), allow(dead_code, reason = "nothing is recorded"))]
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Block {
    pub at: *const c_void,
    pub len: usize,
}

impl ConvertedArgument {
    #[inline(always)]
    const fn number(kind: u32, bits: u64) -> Self {
        Self { kind, bits, block: Block { at: null(), len: 0 } }
    }

    #[inline(always)]
    const fn bytes(kind: u32, bytes: &[u8]) -> Self {
        Self { kind, bits: 0, block: Block { at: bytes.as_ptr().cast(), len: bytes.len() } }
    }
}

/// A type that fits a conversion, by the letter of that.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not fit its conversion in the format of this record",
    label = "of another type than in the format",
    note = "%d takes i32, i16, i8 and bool, %u and %x u32, u16 and u8; hh, h, ll and z before the letter are for other widths",
    note = "%f takes f64 and f32, %s &str and &CStr, %c u8, %p raw pointers, %hhp bytes"
)]
pub trait Argument<const LETTER: u8> {
    /// Converts it for its way into a record.
    fn converted(&self) -> ConvertedArgument;
}

/// The letter of a conversion.
#[derive(Clone, Copy, Debug)]
pub struct Letter<const LETTER: u8>;

/// Converts an argument for its way into a record. It must not move until it is recorded.
#[inline(always)]
pub fn converted<const LETTER: u8, T: ?Sized + Argument<LETTER>>(
    _: Letter<LETTER>,
    argument: &T,
) -> ConvertedArgument {
    argument.converted()
}

/// Takes an argument unchanged and names no type, so the compiler marks an argument that does not fit instead of the macro.
/// Never called.
#[inline(always)]
pub fn fits<const LETTER: u8, T: Argument<LETTER>>(_: Letter<LETTER>, _: T) {}

impl<const LETTER: u8, T: ?Sized + Argument<LETTER>> Argument<LETTER> for &T {
    #[inline(always)]
    fn converted(&self) -> ConvertedArgument {
        (**self).converted()
    }
}

/// Moves the sign to the lowest bit, so that small numbers take few bytes.
#[inline(always)]
fn word(number: i32) -> ConvertedArgument {
    ConvertedArgument::number(WORD, u64::from(((number << 1) ^ (number >> 31)).cast_unsigned()))
}

#[inline(always)]
fn long(number: i64) -> ConvertedArgument {
    ConvertedArgument::number(LONG, ((number << 1) ^ (number >> 63)).cast_unsigned())
}

macro_rules! arguments {
    ($($letter:literal: $($type:ty),* => $convert:expr;)*) => {$($(
        impl Argument<$letter> for $type {
            #[allow(clippy::useless_conversion, reason = "of several types")]
            #[inline(always)]
            fn converted(&self) -> ConvertedArgument {
                let convert: fn(&Self) -> ConvertedArgument = $convert;
                convert(self)
            }
        }
    )*)*};
}

arguments! {
    b'i': i8, i16, i32, bool => |it| word((*it).into());
    b'h': i8, i16 => |it| word((*it).into());
    b'b': i8 => |it| word((*it).into());
    b'q': i8, i16, i32, i64 => |it| long((*it).into());
    b'I': u8, u16, u32 => |it| ConvertedArgument::number(WORD, (*it).into());
    b'H': u8, u16 => |it| ConvertedArgument::number(WORD, (*it).into());
    b'B': u8 => |it| ConvertedArgument::number(WORD, (*it).into());
    b'Q': u8, u16, u32, u64 => |it| ConvertedArgument::number(LONG, (*it).into());
    b'c': u8 => |it| word((*it).cast_signed().into());
    // Sign and exponent go last: few digits are few bytes.
    b'f': f32 => |it| ConvertedArgument::number(WORD, it.to_bits().swap_bytes().into());
    b'd': f32, f64 => |it| ConvertedArgument::number(LONG, f64::from(*it).to_bits().swap_bytes());
    b's': str => |it| ConvertedArgument::bytes(CHARACTERS, it.as_bytes());
    b's': CStr => |it| ConvertedArgument::bytes(TEXT, it.to_bytes_with_nul());
    b'm': [u8] => |it| ConvertedArgument::bytes(BLOCK, it);
}

#[cfg(target_pointer_width = "64")]
arguments! {
    b'q': isize => |it| long(*it as i64);
    b'Q': usize => |it| ConvertedArgument::number(LONG, *it as u64);
}
#[cfg(not(target_pointer_width = "64"))]
arguments! {
    b'i': isize => |it| word(*it as i32);
    b'I': usize => |it| ConvertedArgument::number(WORD, *it as u64);
}

impl<const SIZE: usize> Argument<b's'> for Text<SIZE> {
    #[inline(always)]
    fn converted(&self) -> ConvertedArgument {
        Argument::<b's'>::converted(&**self)
    }
}

impl<const LEN: usize> Argument<b'm'> for [u8; LEN] {
    #[inline(always)]
    fn converted(&self) -> ConvertedArgument {
        ConvertedArgument::bytes(BLOCK, self)
    }
}

impl<T> Argument<b'P'> for *const T {
    #[inline(always)]
    fn converted(&self) -> ConvertedArgument {
        let kind = if size_of::<usize>() > 4 { LONG } else { WORD };
        ConvertedArgument::number(kind, self.addr() as u64)
    }
}

impl<T> Argument<b'P'> for *mut T {
    #[inline(always)]
    fn converted(&self) -> ConvertedArgument {
        Argument::<b'P'>::converted(&self.cast_const())
    }
}
