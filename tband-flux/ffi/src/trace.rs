//! Traces and their sequences.

use core::ffi::c_char;
use core::mem::MaybeUninit;
use core::slice::from_raw_parts_mut;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use tband_flux::encoding::Version;
use tband_flux::{Setup, Trace};

use crate::enter::{BufferGuard, enter, enter_buffer, text};
use crate::memory::{
    BufferPlace, IS_TRACE, TracePlace, tband_flux_buffer, tband_flux_item, tband_flux_sequence,
    tband_flux_trace,
};
use crate::result::{TBAND_FLUX_ARGUMENT, TBAND_FLUX_OK, code};

/// How a trace is set up.
#[repr(C)]
pub struct tband_flux_setup {
    /// Number of the trace; those in one buffer or one file differ in it.
    pub trace: u32,
    /// Version of the format: 6, or 4 for older readers.
    pub version: u32,
    /// The greatest number of an item, 1 to 65534.
    pub max_item: u16,
    /// Maximum bytes of an entry. The buffer, or a slot of a ring, must have room for one.
    pub max_entry: u16,
    /// max_item + 1 items. NULL: samples are not checked against the types of signals, and only item 0, all, can be
    /// opened.
    pub items: *mut tband_flux_item,
    /// Number of items; 0 for none.
    pub item_count: u32,
    /// As many as are open at once, at least one.
    pub sequences: *mut tband_flux_sequence,
    /// Number of sequences.
    pub sequence_count: u32,
}

/// Sets up a trace that writes into a buffer. `setup` is not used afterwards.
///
/// Context: before others use the trace. Returns TBAND_FLUX_ARGUMENT, also for sizes that do not fit; TBAND_FLUX_STATE
/// for a second trace in a ring; TBAND_FLUX_BUSY.
///
/// # Safety
/// `trace`, items and sequences are the trace's alone as long as it is used, and `buffer` stays where it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_trace_setup(
    trace: *mut tband_flux_trace,
    buffer: *mut tband_flux_buffer,
    setup: *const tband_flux_setup,
) -> i32 {
    // SAFETY: the caller's promise.
    let Some(given) = (unsafe { setup.as_ref() }) else { return TBAND_FLUX_ARGUMENT };
    let version = match given.version {
        6 => Version::Six,
        4 => Version::Four,
        _ => return TBAND_FLUX_ARGUMENT,
    };
    if trace.is_null() || given.sequences.is_null() {
        return TBAND_FLUX_ARGUMENT;
    }
    let (max_item, max_entry) = (given.max_item, given.max_entry);
    let setup = Setup { trace: given.trace, version, max_item, max_entry };
    // SAFETY: the caller gives this memory to the trace alone; both types of each have one size, and any bytes are good.
    let (items, sequences) = unsafe {
        let items = if given.items.is_null() || given.item_count == 0 {
            &mut []
        } else {
            from_raw_parts_mut(given.items.cast(), given.item_count as usize)
        };
        (items, from_raw_parts_mut(given.sequences.cast(), given.sequence_count as usize))
    };
    let buffer = buffer.cast::<BufferPlace>();
    // SAFETY: the conditions of this function.
    let mut entered = match unsafe { BufferGuard::new(buffer) } {
        Ok(entered) => entered,
        Err(code) => return code,
    };
    match Trace::new(setup, entered.buffer(), items, sequences) {
        Ok(new) => {
            let place = trace.cast::<TracePlace>();
            let new = TracePlace {
                mark: AtomicU32::new(0),
                buffer,
                refused: AtomicU32::new(entered.refused()),
                trace: MaybeUninit::new(new),
            };
            // SAFETY: the caller's promise.
            unsafe {
                place.write(new);
                (*place).mark.store(IS_TRACE, Relaxed);
            }
            TBAND_FLUX_OK
        }
        Err(error) => code(Err(error)),
    }
}

/// Writes the head, which is first in a trace.
///
/// Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE if there is one, TBAND_FLUX_TOO_LONG,
/// TBAND_FLUX_FULL, TBAND_FLUX_BUSY.
///
/// # Safety
/// `trace` is null or has the memory of a trace; texts are null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_head(
    trace: *mut tband_flux_trace,
    name: *const c_char,
    about: *const c_char,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe {
        enter(trace, |trace, buffer| {
            let most = trace.max_entry();
            trace.head(buffer, text(name, most), text(about, most))
        })
    }
}

/// Begins a sequence of an item and its contents, or of all items with 0, at the time `start`. `unit` is the unit of
/// times: "ns", "us", "ms", "s", or another of up to seven bytes. `rate` is the time from one sample to the next, 0 if
/// samples may have any time.
///
/// Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE if it, an item around it or one inside it is
/// open; TBAND_FLUX_ARGUMENT if it is not defined or no sequence is free; TBAND_FLUX_FULL, TBAND_FLUX_BUSY.
///
/// # Safety
/// `trace` is null or has the memory of a trace; `unit` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_open(
    trace: *mut tband_flux_trace,
    item: u32,
    unit: *const c_char,
    start: i64,
    rate: u32,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe {
        enter(trace, |trace, buffer| {
            let unit = text(unit, trace.max_entry());
            trace.open(buffer, item, unit, start, rate)
        })
    }
}

/// Ends the sequence that was opened with this item, at the time `end`.
///
/// Context: the one that writes to the buffer. Returns TBAND_FLUX_STATE if it is not open; TBAND_FLUX_TIME if its last
/// sample is later; TBAND_FLUX_FULL, and it is still open; TBAND_FLUX_BUSY.
///
/// # Safety
/// `trace` is null or has the memory of a trace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_close(
    trace: *mut tband_flux_trace,
    item: u32,
    end: i64,
) -> i32 {
    // SAFETY: the conditions of this function.
    unsafe { enter(trace, |trace, buffer| trace.close(buffer, item, end)) }
}

/// Passes the contents of a trace's buffer to the handler: a linear buffer as far as the handler takes it, a ring as
/// one file, after which it is empty.
///
/// Context: the one that writes to the buffer. Returns TBAND_FLUX_HANDLER if the handler did not take everything: call
/// it again; a ring then begins its file again, so discard the first part. TBAND_FLUX_BUSY.
///
/// # Safety
/// `trace` is null or has the memory of a trace.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_flush(trace: *mut tband_flux_trace) -> i32 {
    // SAFETY: the conditions of this function.
    match unsafe { enter_buffer(trace, false) } {
        Ok((mut entered, trace)) => code(trace.flush(entered.buffer())),
        Err(code) => code,
    }
}
