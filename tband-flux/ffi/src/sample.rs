//! Samples, and additions to the last one.

use core::ffi::c_char;
use core::slice::from_raw_parts;

use tband_flux::Error;

use crate::enter::{enter, text};
use crate::memory::tband_flux_trace;

/// A sample of a signal of events: a number of its values, above 0.
///
/// Context: the one that writes to the buffer: one task, or one interrupt, or several that exclude each other. Returns
/// TBAND_FLUX_BUSY if it interrupts another on the same core; TBAND_FLUX_TIME if times of a sequence decrease;
/// TBAND_FLUX_STATE if the signal is not defined or not open; TBAND_FLUX_KIND; TBAND_FLUX_TOO_LONG; TBAND_FLUX_FULL:
/// the sample is lost, and the next one of the trace is marked as tainted; TBAND_FLUX_ARGUMENT for the value 0. A
/// sample takes 4 bytes and its value, more for items above 15 and for times far apart.
///
/// # Safety
/// `trace` is null or has the memory of a trace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_event(
    trace: *mut tband_flux_trace,
    item: u32,
    time: i64,
    value: u32,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe { enter(trace, |trace, buffer| trace.event(buffer, (item, time), value)) }
}

/// A sample of a signal of integers.
///
/// Context and result as for tband_flux_event().
///
/// # Safety
/// `trace` is null or has the memory of a trace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_integer(
    trace: *mut tband_flux_trace,
    item: u32,
    time: i64,
    value: i64,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe { enter(trace, |trace, buffer| trace.integer(buffer, (item, time), value)) }
}

/// The same without a sign. Version 4 has none above INT64_MAX: TBAND_FLUX_ARGUMENT.
///
/// Context and result as for tband_flux_event().
///
/// # Safety
/// `trace` is null or has the memory of a trace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_unsigned(
    trace: *mut tband_flux_trace,
    item: u32,
    time: i64,
    value: u64,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe { enter(trace, |trace, buffer| trace.unsigned(buffer, (item, time), value)) }
}

/// A sample of a signal of floats, in 4 bytes.
///
/// Context and result as for tband_flux_event().
///
/// # Safety
/// `trace` is null or has the memory of a trace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_float(
    trace: *mut tband_flux_trace,
    item: u32,
    time: i64,
    value: f32,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe { enter(trace, |trace, buffer| trace.float(buffer, (item, time), value)) }
}

/// The same in 8 bytes.
///
/// Context and result as for tband_flux_event().
///
/// # Safety
/// `trace` is null or has the memory of a trace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_double(
    trace: *mut tband_flux_trace,
    item: u32,
    time: i64,
    value: f64,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe { enter(trace, |trace, buffer| trace.double(buffer, (item, time), value)) }
}

/// A sample of a signal of texts. It is copied at once.
///
/// Context and result as for tband_flux_event().
///
/// # Safety
/// `trace` is null or has the memory of a trace; `value` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_text(
    trace: *mut tband_flux_trace,
    item: u32,
    time: i64,
    value: *const c_char,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe {
        enter(trace, |trace, buffer| {
            let value = text(value, trace.max_entry());
            trace.text(buffer, (item, time), value)
        })
    }
}

/// A sample of a signal of bytes. They are copied at once.
///
/// Context and result as for tband_flux_event(); TBAND_FLUX_ARGUMENT if `bytes` is NULL and `len` is not 0.
///
/// # Safety
/// `trace` is null or has the memory of a trace; `bytes` has `len` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_binary(
    trace: *mut tband_flux_trace,
    item: u32,
    time: i64,
    bytes: *const u8,
    len: usize,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe {
        enter(trace, |trace, buffer| {
            let bytes = match (bytes.is_null(), len) {
                (_, 0) => &[],
                (true, _) => return Err(Error::Argument),
                (false, len) => from_raw_parts(bytes, len),
            };
            trace.binary(buffer, (item, time), bytes)
        })
    }
}

/// Ends the value of a signal of any type.
///
/// Context and result as for tband_flux_event().
///
/// # Safety
/// `trace` is null or has the memory of a trace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_none(
    trace: *mut tband_flux_trace,
    item: u32,
    time: i64,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe { enter(trace, |trace, buffer| trace.none(buffer, (item, time))) }
}

/// Adds an arrow to the last sample of a signal, from a sample of another signal `delta` later (below 0: before):
/// `target` in TBAND_FLUX_TARGETS, in a `style` of TBAND_FLUX_STYLES, both of this item. Call it right after the
/// sample.
///
/// Context and result as for tband_flux_event(); TBAND_FLUX_FULL also if the sample is at the end of a slot of a ring.
///
/// # Safety
/// `trace` is null or has the memory of a trace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_relation(
    trace: *mut tband_flux_trace,
    item: u32,
    target: u32,
    style: u32,
    delta: i64,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe { enter(trace, |trace, buffer| trace.relation(buffer, item, target, style, delta)) }
}

/// Adds a label to that sample, in a style of TBAND_FLUX_LABELS.
///
/// Context and result as for tband_flux_relation().
///
/// # Safety
/// `trace` is null or has the memory of a trace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_label(
    trace: *mut tband_flux_trace,
    item: u32,
    style: u32,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe { enter(trace, |trace, buffer| trace.label(buffer, item, style)) }
}
