//! Items, and the meanings of their numbers.

use core::ffi::c_char;

use tband_flux::encoding::entry::{self, NamedItem};
use tband_flux::encoding::sample;

use crate::enter::{enter, text};
use crate::memory::tband_flux_trace;
use crate::structure::on_the_wire;

/// Signal of events: numbers that have names in an enumeration.
pub const TBAND_FLUX_EVENT: u8 = 1;
/// Signal of integers.
pub const TBAND_FLUX_INTEGER: u8 = 2;
/// Signal of floats, of 4 or 8 bytes.
pub const TBAND_FLUX_FLOAT: u8 = 4;
/// Signal of texts.
pub const TBAND_FLUX_TEXT: u8 = 5;
/// Signal of bytes.
pub const TBAND_FLUX_BINARY: u8 = 6;
/// Signal of structures.
pub const TBAND_FLUX_STRUCT: u8 = 7;

/// Enumeration of an item's values.
pub const TBAND_FLUX_VALUES: u8 = 0;
/// Enumeration of the origins of relations, by path: "\\scope\\signal".
pub const TBAND_FLUX_TARGETS: u8 = 1;
/// Enumeration of styles of relations: "Trigger/444444/line/no".
pub const TBAND_FLUX_STYLES: u8 = 2;
/// Enumeration of styles of labels: "My label/444444/star".
pub const TBAND_FLUX_LABELS: u8 = 3;

// The values are defined by the format.
const _: () = assert!(
    TBAND_FLUX_EVENT == sample::EVENT
        && TBAND_FLUX_INTEGER == sample::INTEGER
        && TBAND_FLUX_FLOAT == sample::FLOAT
        && TBAND_FLUX_TEXT == sample::TEXT
        && TBAND_FLUX_BINARY == sample::BINARY
        && TBAND_FLUX_STRUCT == sample::STRUCT
        && TBAND_FLUX_VALUES == entry::VALUES
        && TBAND_FLUX_TARGETS == entry::TARGETS
        && TBAND_FLUX_STYLES == entry::STYLES
        && TBAND_FLUX_LABELS == entry::LABELS
);

/// The name and the position of an item.
///
/// # Safety
/// The texts are null or NUL-terminated.
unsafe fn named<'t>(
    parent: u32,
    (name, about): (*const c_char, *const c_char),
    most: u16,
) -> NamedItem<'t> {
    // SAFETY: the conditions of this function.
    unsafe { NamedItem { parent, name: text(name, most), about: text(about, most) } }
}

/// Defines a scope. `parent` is the scope around it, 0 for the root. Texts are UTF-8; NULL is an empty text.
///
/// Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE without a head, if the number is taken or
/// `parent` is not a scope; TBAND_FLUX_ARGUMENT for 0 or a number above max_item; TBAND_FLUX_TOO_LONG, TBAND_FLUX_FULL,
/// TBAND_FLUX_BUSY.
///
/// # Safety
/// `trace` is null or has the memory of a trace; texts are null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_scope(
    trace: *mut tband_flux_trace,
    item: u32,
    parent: u32,
    name: *const c_char,
    about: *const c_char,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe {
        enter(trace, |trace, buffer| {
            let named = named(parent, (name, about), trace.max_entry());
            trace.scope(buffer, item, &named)
        })
    }
}

/// Defines a signal of a type (TBAND_FLUX_EVENT to TBAND_FLUX_STRUCT). `descriptor` selects the representation:
/// "gantt<>" for states, "default<df=Hex>", or NULL.
///
/// Context and result as for tband_flux_scope(); TBAND_FLUX_ARGUMENT also for an unknown type.
///
/// # Safety
/// `trace` is null or has the memory of a trace; texts are null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_signal(
    trace: *mut tband_flux_trace,
    item: u32,
    parent: u32,
    name: *const c_char,
    about: *const c_char,
    kind: u8,
    descriptor: *const c_char,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe {
        enter(trace, |trace, buffer| {
            let most = trace.max_entry();
            let named = named(parent, (name, about), most);
            trace.signal(buffer, item, &named, kind, text(descriptor, most))
        })
    }
}

/// Shows a signal in a second scope, under another name.
///
/// Context and result as for tband_flux_scope(); TBAND_FLUX_STATE if `item` is not a signal.
///
/// # Safety
/// `trace` is null or has the memory of a trace; texts are null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_reference(
    trace: *mut tband_flux_trace,
    item: u32,
    parent: u32,
    name: *const c_char,
    about: *const c_char,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe {
        enter(trace, |trace, buffer| {
            let named = named(parent, (name, about), trace.max_entry());
            trace.reference(buffer, item, &named)
        })
    }
}

/// Names a number, from 1 on, of an enumeration of an item (TBAND_FLUX_VALUES to TBAND_FLUX_LABELS). Call it once in
/// each sequence before the first use; with a ring, once.
///
/// Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE if the item is not open; TBAND_FLUX_ARGUMENT
/// for 0 or another enumeration; otherwise as tband_flux_scope().
///
/// # Safety
/// `trace` is null or has the memory of a trace; `label` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_enumeration(
    trace: *mut tband_flux_trace,
    item: u32,
    enumeration: u8,
    label: *const c_char,
    number: u32,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe {
        enter(trace, |trace, buffer| {
            let label = text(label, trace.max_entry());
            trace.enumeration(buffer, item, enumeration, label, number)
        })
    }
}

/// Defines the name and type (TBAND_FLUX_MEMBER_TEXT to TBAND_FLUX_MEMBER_DOUBLE) of a member of a signal's structures.
/// Call it as tband_flux_enumeration().
///
/// Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE if the item is not open; TBAND_FLUX_KIND if it
/// has no structures; TBAND_FLUX_ARGUMENT for another type; otherwise as tband_flux_scope().
///
/// # Safety
/// `trace` is null or has the memory of a trace; texts are null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_define_member(
    trace: *mut tband_flux_trace,
    item: u32,
    member: u32,
    label: *const c_char,
    kind: u8,
    descriptor: *const c_char,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe {
        enter(trace, |trace, buffer| {
            let most = trace.max_entry();
            let kind = on_the_wire(kind)?;
            let (label, descriptor) = (text(label, most), text(descriptor, most));
            trace.member(buffer, item, member, label, kind, descriptor)
        })
    }
}
