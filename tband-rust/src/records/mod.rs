//! Records with formats, [`record!`](crate::record): the items that the macros expand to. Only the macros may use them.

mod argument;
mod format;
mod send;

pub use argument::{Argument, ConvertedArgument, Letter, converted, fits};
pub use format::{Shape, interned};
#[cfg(all(
    feature = "enable",
    any(feature = "record-dictionary", target_pointer_width = "64")
))]
pub use send::know;
pub use send::{is_accepting, send};

/// Records a message: a literal format like that of `printf`, and up to eight arguments. The target formats nothing: it records the
/// address of the format and the arguments, in the same bytes as `TBAND_RECORD()` of C. While recording is off the arguments are
/// not evaluated. Any context.
///
/// | conversion | argument |
/// |---|---|
/// | `%d`, `%i` | `i32`, `i16`, `i8`, `bool` |
/// | `%u`, `%x`, `%X`, `%o` | `u32`, `u16`, `u8` |
/// | the same with `hh`, `h`, `ll`, `z` before the letter | of 8, 16, 64 bits, and `isize` or `usize` |
/// | `%c` | `u8` |
/// | `%f`, `%e`, `%g`, `%a`, and in capitals | `f64`, `f32` |
/// | the same with `h` before the letter: `%hf` | `f32`, in 5 bytes at most instead of 10 |
/// | `%s` | `&str`, `&CStr`, [`Text`](crate::Text) |
/// | `%p` | a raw pointer; a function is `main as *const ()` |
/// | `%hhp` | memory, `&[u8]` |
///
/// Flags, widths and precisions are those of C. The compiler reports an argument of another type, too few or too many arguments,
/// and an unknown conversion:
///
/// ```
/// fn moved(position: i32, count: u32, volts: f64, name: &str) {
///     tband::record!("pos %d of %u, %.2f V, %s", position, count, volts, name);
/// }
/// ```
///
/// ```compile_fail
/// fn moved() {
///     tband::record!("pos %d", 1.5);
/// }
/// ```
///
/// ```compile_fail
/// fn moved() {
///     tband::record!("pos %d of %d", 1);
/// }
/// ```
///
/// ```compile_fail
/// fn moved() {
///     tband::record!("pos %d", 1, 2);
/// }
/// ```
///
/// ```compile_fail
/// fn moved() {
///     tband::record!("pos %n", 1);
/// }
/// ```
///
/// ```compile_fail
/// fn moved(format: &str) {
///     tband::record!(format);
/// }
/// ```
///
/// A number after a name, as in `speed=%d`, also becomes a counter of that name.
///
/// With a [type of records](crate::elements::RecordType) instead of the format it is a record of elements, each with its type, like
/// those of `TBAND_BEGIN()` and `TBAND_END()` in C. It needs no format, and may be about an object:
///
/// ```
/// use tband::elements::RecordType;
///
/// const PHILO_STAT: RecordType = RecordType::new(7);
/// static TABLE: u32 = 0;
///
/// fn changed(number: u8) {
///     tband::record!(PHILO_STAT, &TABLE; number, "thinking");
///     tband::record!(PHILO_STAT; number, "eating");
/// }
/// ```
///
/// ```compile_fail
/// fn changed(number: u8) {
///     tband::record!(7; number, "eating");
/// }
/// ```
#[macro_export]
macro_rules! record {
    ($format:literal $(, $argument:expr)* $(,)?) => {
        $crate::__tband_record!(b':', $format, $($argument),*)
    };
    ($type:expr; $($element:expr),* $(,)?) => {
        if $crate::records::is_accepting() {
            $crate::elements::RecordType::__record(
                $type,
                &[$($crate::elements::Element::element(&$element)),*],
            );
        }
    };
    ($type:expr, $object:expr; $($element:expr),* $(,)?) => {
        if $crate::records::is_accepting() {
            $crate::elements::RecordType::__record(
                $type,
                &[
                    $crate::elements::Element::element(&$crate::elements::Object::new($object)),
                    $($crate::elements::Element::element(&$element)),*
                ],
            );
        }
    };
}

/// Like [`record!`](crate::record), and begins a span of the running task. Spans of a task nest.
#[macro_export]
macro_rules! record_begin {
    ($format:literal $(, $argument:expr)* $(,)?) => {
        $crate::__tband_record!(b'[', $format, $($argument),*)
    };
}

/// Like [`record!`](crate::record), and ends the innermost span of the task.
#[macro_export]
macro_rules! record_end {
    ($format:literal $(, $argument:expr)* $(,)?) => {
        $crate::__tband_record!(b']', $format, $($argument),*)
    };
}

// The arguments can see the names of these items, so the names must be unique.
#[doc(hidden)]
#[macro_export]
macro_rules! __tband_record {
    ($mark:literal, $format:literal, $($argument:expr),*) => {{
        const __TBAND_SHAPE: $crate::records::Shape = $crate::records::Shape::of(
            $format,
            <[&str]>::len(&[$(::core::stringify!($argument)),*]),
        );
        if $crate::records::is_accepting() {
            $crate::__tband_fits!(0, $($argument,)*);
            $crate::__tband_interned!($mark, $format);
            $crate::records::send(
                &__TBAND_TEXT,
                $crate::__tband_converted!(0, [] $($argument,)*),
            );
        }
    }};
}

// The code after the loop is unreachable, so the compiler does not complain that an argument is moved twice.
#[doc(hidden)]
#[macro_export]
macro_rules! __tband_fits {
    ($index:expr,) => {};
    ($index:expr, $first:expr, $($rest:expr,)*) => {
        if false {
            $crate::records::fits(
                $crate::records::Letter::<{ __TBAND_SHAPE.letter($index) }>,
                $first,
            );
            loop {}
        }
        $crate::__tband_fits!($index + 1, $($rest,)*);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __tband_converted {
    ($index:expr, [$($done:expr,)*]) => { [$($done,)*] };
    ($index:expr, [$($done:expr,)*] $first:expr, $($rest:expr,)*) => {
        $crate::__tband_converted!(
            $index + 1,
            [$($done,)* $crate::records::converted($crate::records::Letter::<{ __TBAND_SHAPE.letter($index) }>, &$first),]
            $($rest,)*
        )
    };
}

/// In a section that the linker places where nothing is loaded, like the formats of the C macros.
#[cfg(all(
    feature = "enable",
    not(any(feature = "record-dictionary", target_pointer_width = "64"))
))]
#[doc(hidden)]
#[macro_export]
macro_rules! __tband_interned {
    ($mark:literal, $format:literal) => {
        // SAFETY: the section contains only formats, which are not read on the target.
        #[unsafe(link_section = ".tband_strings.rust")]
        static __TBAND_TEXT: [u8; __TBAND_SHAPE.len($format)] =
            $crate::records::interned($format, $mark, &__TBAND_SHAPE);
    };
}

/// If recordings contain the formats, these are constants that are sent once.
#[cfg(all(feature = "enable", any(feature = "record-dictionary", target_pointer_width = "64")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __tband_interned {
    ($mark:literal, $format:literal) => {
        static __TBAND_TEXT: [u8; __TBAND_SHAPE.len($format)] =
            $crate::records::interned($format, $mark, &__TBAND_SHAPE);
        static __TBAND_KNOWN: ::core::sync::atomic::AtomicU8 =
            ::core::sync::atomic::AtomicU8::new(0);
        $crate::records::know(&__TBAND_TEXT, &__TBAND_KNOWN);
    };
}

#[cfg(not(feature = "enable"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __tband_interned {
    ($mark:literal, $format:literal) => {
        static __TBAND_TEXT: [u8; 0] = [];
    };
}
