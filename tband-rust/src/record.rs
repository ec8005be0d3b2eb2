//! Functions that record, one for each layout of fields: the only code that passes pointers to C.
//!
//! Callers pass events, so that only the registry knows ids and fields; the values in these events
//! are ignored. With feature `enable` off all functions do nothing.

use core::ffi::CStr;

use tband_format::Event;

/// Records an event with one number.
#[inline(always)]
pub(crate) fn number(event: &Event<'_>, first: u32) {
    #[cfg(feature = "enable")]
    crate::sys::tband_record_u32(event.id().into(), first);
}

/// Records an event with a number and a value.
#[inline(always)]
pub(crate) fn value(event: &Event<'_>, first: u32, value: i64) {
    #[cfg(feature = "enable")]
    crate::sys::tband_record_u32_s64(event.id().into(), first, value);
}

/// Records an event with a number and a text.
#[inline(always)]
pub(crate) fn text(event: &Event<'_>, first: u32, text: &CStr) {
    #[cfg(feature = "enable")]
    // SAFETY: the text ends with a NUL, and is copied before the call returns.
    unsafe {
        crate::sys::tband_record_u32_str(event.id().into(), first, text.as_ptr());
    }
}

/// Records a name: metadata with a number and a text.
#[inline(always)]
pub(crate) fn name(event: &Event<'_>, first: u32, name: &CStr) {
    #[cfg(feature = "enable")]
    // SAFETY: the name ends with a NUL, and is copied before the call returns.
    unsafe {
        crate::sys::tband_record_metadata(name_head(event, 1), first, 0, name.as_ptr());
    }
}

/// Records a name that belongs to a task: metadata with two numbers and a text.
#[inline(always)]
pub(crate) fn task_name(event: &Event<'_>, first: u32, task: u32, name: &CStr) {
    #[cfg(feature = "enable")]
    // SAFETY: the name ends with a NUL, and is copied before the call returns.
    unsafe {
        crate::sys::tband_record_metadata(name_head(event, 2), first, task, name.as_ptr());
    }
}

/// Flag of metadata with a text, which packets need: `TBAND_META_TEXT` of C.
#[cfg(feature = "enable")]
const TEXT: u32 = 0x8000;

/// Returns the head, as C needs it, of a metadata event with a text and this count of numbers.
#[cfg(feature = "enable")]
#[inline(always)]
const fn name_head(event: &Event<'_>, numbers: u32) -> u32 {
    event.id() as u32 | numbers << 8 | TEXT
}
