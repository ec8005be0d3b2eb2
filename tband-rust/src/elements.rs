//! Records of elements: [`record!`](crate::record) with a type instead of a format. Also names for their contents.
//!
//! ```
//! use tband::elements::{self, Enumerator, RecordType, Signal};
//!
//! const PHILO_STAT: RecordType = RecordType::new(7);
//! const TIMEOUT: Signal = Signal::new(3);
//! const HUNGRY: Enumerator = Enumerator::new(0, 1); // of the enumeration 0
//! static TABLE: u32 = 0;
//!
//! fn set_up() {
//!     PHILO_STAT.name(c"PHILO_STAT"); // once, any time
//!     TIMEOUT.name(c"TIMEOUT_SIG");
//!     HUNGRY.name(c"HUNGRY");
//!     elements::name_object(&TABLE, c"table");
//! }
//!
//! fn changed(number: u8) {
//!     tband::record!(PHILO_STAT, &TABLE; number, "is", HUNGRY, TIMEOUT);
//! }
//! ```
//!
//! The host shows that record as `PHILO_STAT table 3 is HUNGRY TIMEOUT_SIG`. Elements are integers of 8 to 64 bits, `bool`, `f32`, `f64`,
//! texts ([`str`], [`CStr`], [`Text`]), bytes (`[u8]`), [`Object`], [`Function`], [`Signal`] and
//! [`Enumerator`]. What does not fit into `tband_configMAX_STR_LEN` bytes is left out, and the host shows that.
//!
//! Two types whose names differ only in `_BEGIN` and `_END` begin and end a span. See the guide's page on records.

use core::ffi::CStr;
use core::marker::PhantomData;

use crate::Text;
use crate::records::{Argument, ConvertedArgument};

/// Bits of a constant that hold its number; the bits above hold its kind.
const NUMBER: u32 = 0x0FFF_FFFF;
const OF_TYPES: u32 = 1 << 28;
const FIRST_ENUMERATION: u32 = 2;
/// Enumerations use the remaining values of four bits.
const ENUMERATIONS: u32 = 14;

/// A type of records of elements: a number of yours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordType(u32);

impl RecordType {
    /// Returns the type with this number, below 2^28: the bits above are ignored.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number & NUMBER)
    }

    /// Names it. As `TBAND_TYPE_DICTIONARY()`: once, any time.
    ///
    /// Context: any that may trace. Cost: as naming a marker.
    #[inline]
    pub fn name(self, name: &CStr) {
        name_constant(OF_TYPES | self.0, name);
    }

    /// Records elements. If the record is about an object, the first element is that object. Only [`record!`](crate::record) calls
    /// it.
    #[doc(hidden)]
    #[inline]
    pub fn __record<const COUNT: usize>(self, elements: &[RawElement<'_>; COUNT]) {
        #[cfg(feature = "enable")]
        {
            let list = elements.map(|it| it.of_c());
            // SAFETY: as many elements; texts and memory are as long as they say, and are read before the call returns.
            unsafe { crate::sys::tband_record_element_list(self.0, list.as_ptr(), COUNT) };
        }
    }
}

/// A signal: an element that is shown by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signal(u32);

impl Signal {
    /// Returns the signal with this number, below 2^28: the bits above are ignored.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number & NUMBER)
    }

    /// Names it. As `TBAND_SIG_DICTIONARY()`.
    #[inline]
    pub fn name(self, name: &CStr) {
        name_constant(self.0, name);
    }
}

/// A value of an enumeration: an element that is shown by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Enumerator(u32);

impl Enumerator {
    /// Returns the value, below 2^28, of an enumeration that you number yourself, 0 to 13. Greater numbers count as 13.
    #[must_use]
    pub const fn new(enumeration: u32, value: u32) -> Self {
        let last = ENUMERATIONS - 1;
        let enumeration = if enumeration < last { enumeration } else { last };
        Self((FIRST_ENUMERATION + enumeration) << 28 | value & NUMBER)
    }

    /// Names it. As `TBAND_ENUM_DICTIONARY()`.
    #[inline]
    pub fn name(self, name: &CStr) {
        name_constant(self.0, name);
    }
}

/// The address of an object: an element that is shown by the object's name, if that is known.
#[derive(Clone, Copy, Debug)]
pub struct Object(*const ());

impl Object {
    /// Returns the object at an address, which is not read.
    #[must_use]
    pub const fn new<T>(object: *const T) -> Self {
        Self(object.cast())
    }
}

/// The address of a function, as [`Object`]: `Function::new(main as *const ())`.
#[derive(Clone, Copy, Debug)]
pub struct Function(*const ());

impl Function {
    /// Returns the function at an address, which is not called.
    #[must_use]
    pub const fn new(function: *const ()) -> Self {
        Self(function)
    }
}

/// Names an object by its address. As `TBAND_OBJ_DICTIONARY()`. The host also knows the names that the program's ELF file has.
///
/// Context: any that may trace. Cost: as naming a marker.
#[inline]
pub fn name_object<T>(object: *const T, name: &CStr) {
    name_symbol(object.cast(), name);
}

/// Names a function by its address, as [`name_object`]. As `TBAND_FUN_DICTIONARY()`.
#[inline]
pub fn name_function(function: *const (), name: &CStr) {
    name_symbol(function, name);
}

#[inline]
fn name_symbol(at: *const (), name: &CStr) {
    #[cfg(feature = "enable")]
    // SAFETY: the name ends with a NUL, and is copied before the call returns; the address is only a number.
    unsafe {
        crate::sys::tband_name_symbol(at.cast(), name.as_ptr());
    }
}

#[inline]
fn name_constant(constant: u32, name: &CStr) {
    #[cfg(feature = "enable")]
    // SAFETY: the name ends with a NUL, and is copied before the call returns.
    unsafe {
        crate::sys::tband_name_constant(constant, name.as_ptr());
    }
}

/// An element on its way into the recording: its kind, and its value, which is borrowed.
#[doc(hidden)]
#[cfg_attr(not(feature = "enable"), allow(dead_code, reason = "nothing is recorded"))]
#[derive(Clone, Copy)]
pub struct RawElement<'a> {
    letter: u8,
    value: ConvertedArgument,
    borrows: PhantomData<&'a [u8]>,
}

impl RawElement<'_> {
    #[inline(always)]
    const fn new(letter: u8, value: ConvertedArgument) -> Self {
        Self { letter, value, borrows: PhantomData }
    }

    #[cfg(feature = "enable")]
    #[inline(always)]
    fn of_c(self) -> crate::sys::tband_element {
        let ConvertedArgument { bits, block, .. } = self.value;
        crate::sys::tband_element { bits, at: block.at, len: block.len, letter: self.letter.into() }
    }
}

/// A type that may be an element of a record.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element of a record",
    note = "elements are integers of 8 to 64 bits, bool, f32, f64, &str, &CStr, Text, &[u8], Object, Function, Signal and Enumerator"
)]
pub trait Element {
    /// Converts it for its way into the recording.
    #[doc(hidden)]
    fn element(&self) -> RawElement<'_>;
}

impl<T: ?Sized + Element> Element for &T {
    #[inline(always)]
    fn element(&self) -> RawElement<'_> {
        (**self).element()
    }
}

macro_rules! elements {
    ($($type:ty, $letter:literal, $argument:literal;)*) => {$(
        impl Element for $type {
            #[inline(always)]
            fn element(&self) -> RawElement<'_> {
                RawElement::new($letter, Argument::<$argument>::converted(self))
            }
        }
    )*};
}

elements! {
    u8, b'B', b'B';
    i8, b'b', b'b';
    u16, b'H', b'H';
    i16, b'h', b'h';
    u32, b'I', b'I';
    i32, b'i', b'i';
    u64, b'Q', b'Q';
    i64, b'q', b'q';
    f32, b'f', b'f';
    f64, b'd', b'd';
    str, b's', b's';
    [u8], b'm', b'm';
}

impl Element for bool {
    #[inline(always)]
    fn element(&self) -> RawElement<'_> {
        RawElement::new(b'?', Argument::<b'B'>::converted(&u8::from(*self)))
    }
}

impl Element for CStr {
    #[inline(always)]
    fn element(&self) -> RawElement<'_> {
        // Its bytes, which have a length, encoded like those of other texts.
        let mut value = Argument::<b's'>::converted(self);
        value.block.len = self.count_bytes();
        RawElement::new(b's', value)
    }
}

impl<const SIZE: usize> Element for Text<SIZE> {
    #[inline(always)]
    fn element(&self) -> RawElement<'_> {
        self.as_c_str().element()
    }
}

impl<const LEN: usize> Element for [u8; LEN] {
    #[inline(always)]
    fn element(&self) -> RawElement<'_> {
        RawElement::new(b'm', Argument::<b'm'>::converted(self))
    }
}

impl Element for Object {
    #[inline(always)]
    fn element(&self) -> RawElement<'_> {
        RawElement::new(b'o', Argument::<b'P'>::converted(&self.0))
    }
}

impl Element for Function {
    #[inline(always)]
    fn element(&self) -> RawElement<'_> {
        RawElement::new(b'p', Argument::<b'P'>::converted(&self.0))
    }
}

impl Element for Signal {
    #[inline(always)]
    fn element(&self) -> RawElement<'_> {
        RawElement::new(b'S', Argument::<b'I'>::converted(&self.0))
    }
}

impl Element for Enumerator {
    #[inline(always)]
    fn element(&self) -> RawElement<'_> {
        RawElement::new(b'S', Argument::<b'I'>::converted(&self.0))
    }
}
