//! Entry of the C functions: one at a time for each buffer.

use core::ffi::c_char;
use core::sync::atomic::Ordering::Relaxed;

use tband_flux::{Error, Trace};

use crate::memory::{BufferPlace, CBuffer, IS_BUFFER, IS_TRACE, TracePlace, tband_flux_trace};
use crate::result::{TBAND_FLUX_ARGUMENT, TBAND_FLUX_BUSY, code};

/// Exclusive use of a buffer, until this is dropped.
pub struct BufferGuard {
    place: *mut BufferPlace,
}

impl BufferGuard {
    /// Acquires the buffer, unless it is in use.
    ///
    /// An interrupt between the test and the store of the flag has finished before the next instruction here, so on one
    /// core plain loads and stores are enough. Two cores may fail to notice each other.
    ///
    /// # Safety
    /// `place` is null, or has the memory of a buffer.
    pub unsafe fn new(place: *mut BufferPlace) -> Result<Self, i32> {
        if place.is_null() {
            return Err(TBAND_FLUX_ARGUMENT);
        }
        // SAFETY: there is memory of a buffer. Only mark and flag are accessed, which are atomics; the rest of it may be
        // in use elsewhere.
        let (mark, is_busy) = unsafe { (&(*place).mark, &(*place).is_busy) };
        if mark.load(Relaxed) != IS_BUFFER {
            return Err(TBAND_FLUX_ARGUMENT);
        }
        if is_busy.load(Relaxed) {
            return Err(TBAND_FLUX_BUSY);
        }
        is_busy.store(true, Relaxed);
        Ok(Self { place })
    }

    /// The buffer.
    pub fn buffer(&mut self) -> &mut CBuffer {
        // SAFETY: the mark shows that the buffer was set up, and the flag that only this caller uses it.
        unsafe { (*self.place).buffer.assume_init_mut() }
    }

    /// Returns the number of entries that were refused because the buffer was in use.
    pub fn refused(&self) -> u32 {
        // SAFETY: `new` has checked it.
        unsafe { (*self.place).refused.load(Relaxed) }
    }
}

impl Drop for BufferGuard {
    fn drop(&mut self) {
        // SAFETY: `new` has checked it.
        unsafe { (*self.place).is_busy.store(false, Relaxed) };
    }
}

/// Runs a function that writes to a trace and its buffer, and returns its result code. Entries that are refused because
/// the buffer is in use are counted as lost.
///
/// # Safety
/// `trace` is null, or has the memory of a trace; its buffer has not moved since it was set up.
pub unsafe fn enter(
    trace: *mut tband_flux_trace,
    run: impl FnOnce(&mut Trace<'static>, &mut CBuffer) -> Result<(), Error>,
) -> i32 {
    // SAFETY: the conditions of this function.
    match unsafe { enter_buffer(trace, true) } {
        Ok((mut entered, trace)) => code(run(trace, entered.buffer())),
        Err(code) => code,
    }
}

/// The common part of all functions, so that the code exists once.
///
/// # Safety
/// The conditions of `enter`; the trace is not used after `BufferGuard` is dropped.
#[inline(never)]
pub unsafe fn enter_buffer<'t>(
    trace: *mut tband_flux_trace,
    writes: bool,
) -> Result<(BufferGuard, &'t mut Trace<'static>), i32> {
    let place = trace.cast::<TracePlace>();
    // SAFETY: the caller's promise; the mark is an atomic, and nothing else is accessed.
    if place.is_null() || unsafe { (*place).mark.load(Relaxed) } != IS_TRACE {
        return Err(TBAND_FLUX_ARGUMENT);
    }
    // SAFETY: the mark shows that the trace was set up, with a buffer, which does not change after that.
    let buffer = unsafe { (*place).buffer };
    // SAFETY: as above.
    let entered = match unsafe { BufferGuard::new(buffer) } {
        Ok(entered) => entered,
        Err(code) => {
            if writes && code == TBAND_FLUX_BUSY {
                // SAFETY: it is a buffer, because it is in use; the count is an atomic.
                let refused = unsafe { &(*buffer).refused };
                // The count is a lower bound: an increment by an interrupt in between may be lost.
                refused.store(refused.load(Relaxed).saturating_add(1), Relaxed);
            }
            return Err(code);
        }
    };
    // SAFETY: as above; this caller has acquired the buffer, and so has exclusive access.
    let (trace, known) = unsafe { ((*place).trace.assume_init_mut(), &(*place).refused) };
    if known.load(Relaxed) != entered.refused() {
        known.store(entered.refused(), Relaxed);
        trace.mark_loss();
    }
    Ok((entered, trace))
}

/// Returns a text of C, empty for null. Reads at most as many bytes as make an entry too long.
///
/// # Safety
/// `text` is null, or NUL-terminated, or has that many bytes.
#[inline(never)]
pub unsafe fn text<'t>(text: *const c_char, max_entry: u16) -> &'t [u8] {
    if text.is_null() {
        return &[];
    }
    let mut len = 0;
    // SAFETY: no byte after the NUL is read.
    while len <= usize::from(max_entry) && unsafe { *text.add(len) } != 0 {
        len += 1;
    }
    // SAFETY: these were just read.
    unsafe { core::slice::from_raw_parts(text.cast(), len) }
}
