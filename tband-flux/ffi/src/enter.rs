//! Where a function of C comes in: one at a time for each buffer.

use core::ffi::c_char;
use core::sync::atomic::Ordering::Relaxed;

use tband_flux::{Error, Trace};

use crate::memory::{BufferPlace, CBuffer, IS_BUFFER, IS_TRACE, TracePlace, tband_flux_trace};
use crate::result::{TBAND_FLUX_ARGUMENT, TBAND_FLUX_BUSY, code};

/// The buffer is somebody's until this goes.
pub struct Entered {
    place: *mut BufferPlace,
}

impl Entered {
    /// Comes in, unless somebody is there.
    ///
    /// An interrupt that comes between the look and the mark has come and gone before the next instruction here, so on
    /// one core plain loads and stores are enough. Two cores may miss each other.
    ///
    /// # Safety
    /// `place` is null, or has the memory of a buffer.
    pub unsafe fn new(place: *mut BufferPlace) -> Result<Self, i32> {
        if place.is_null() {
            return Err(TBAND_FLUX_ARGUMENT);
        }
        // SAFETY: there is memory of a buffer. Only mark and flag are looked at, which are atomics; the rest of it may be
        // somebody else's.
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
        // SAFETY: its mark says that it was set up, and the flag that it is ours alone.
        unsafe { (*self.place).buffer.assume_init_mut() }
    }

    /// Entries that were refused since somebody was here.
    pub fn refused(&self) -> u32 {
        // SAFETY: `new` has looked at it.
        unsafe { (*self.place).refused.load(Relaxed) }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        // SAFETY: `new` has looked at it.
        unsafe { (*self.place).is_busy.store(false, Relaxed) };
    }
}

/// Runs what writes to a trace and its buffer, and says what came of it. What is refused since somebody else writes is
/// counted as lost.
///
/// # Safety
/// `trace` is null, or has the memory of a trace; its buffer is where it was when it was set up.
pub unsafe fn enter(
    trace: *mut tband_flux_trace,
    run: impl FnOnce(&mut Trace<'static>, &mut CBuffer) -> Result<(), Error>,
) -> i32 {
    // SAFETY: as of this function.
    match unsafe { come_in(trace, true) } {
        Ok((mut entered, trace)) => code(run(trace, entered.buffer())),
        Err(code) => code,
    }
}

/// The same for all functions, so that it is there once.
///
/// # Safety
/// As of `enter`; the trace is not used after `Entered` is gone.
#[inline(never)]
pub unsafe fn come_in<'t>(
    trace: *mut tband_flux_trace,
    writes: bool,
) -> Result<(Entered, &'t mut Trace<'static>), i32> {
    let place = trace.cast::<TracePlace>();
    // SAFETY: so the caller says; the mark is an atomic, and nothing else is looked at.
    if place.is_null() || unsafe { (*place).mark.load(Relaxed) } != IS_TRACE {
        return Err(TBAND_FLUX_ARGUMENT);
    }
    // SAFETY: the mark says that the trace was set up, with a buffer, which does not change after that.
    let buffer = unsafe { (*place).buffer };
    // SAFETY: as above.
    let entered = match unsafe { Entered::new(buffer) } {
        Ok(entered) => entered,
        Err(code) => {
            if writes && code == TBAND_FLUX_BUSY {
                // SAFETY: it is a buffer, since somebody is there; the count is an atomic.
                let refused = unsafe { &(*buffer).refused };
                // An interrupt in between may be missed: at least so many.
                refused.store(refused.load(Relaxed).saturating_add(1), Relaxed);
            }
            return Err(code);
        }
    };
    // SAFETY: as above; who has come into its buffer has it alone.
    let (trace, known) = unsafe { ((*place).trace.assume_init_mut(), &(*place).refused) };
    if known.load(Relaxed) != entered.refused() {
        known.store(entered.refused(), Relaxed);
        trace.mark_loss();
    }
    Ok((entered, trace))
}

/// A text of C, of which no more is read than makes an entry too long; empty for null.
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
