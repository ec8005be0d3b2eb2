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
        // SAFETY: so the caller says. Mark and flag are atomics, which contexts may share.
        let Some(shared) = (unsafe { place.as_ref().map(|it| (&it.mark, &it.is_busy)) }) else {
            return Err(TBAND_FLUX_ARGUMENT);
        };
        if shared.0.load(Relaxed) != IS_BUFFER {
            return Err(TBAND_FLUX_ARGUMENT);
        }
        if shared.1.load(Relaxed) {
            return Err(TBAND_FLUX_BUSY);
        }
        shared.1.store(true, Relaxed);
        Ok(Self { place })
    }

    /// The buffer.
    pub fn buffer(&mut self) -> &mut CBuffer {
        // SAFETY: its mark says that it was set up, and the flag that it is ours alone.
        unsafe { (*self.place).buffer.assume_init_mut() }
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        // SAFETY: `new` has looked at it.
        unsafe { (*self.place).is_busy.store(false, Relaxed) };
    }
}

/// Runs what writes to a trace and its buffer, and says what came of it.
///
/// # Safety
/// `trace` is null, or has the memory of a trace; its buffer is where it was when it was set up.
pub unsafe fn enter(
    trace: *mut tband_flux_trace,
    run: impl FnOnce(&mut Trace<'static>, &mut CBuffer) -> Result<(), Error>,
) -> i32 {
    // SAFETY: as of this function.
    match unsafe { come_in(trace) } {
        Ok((mut entered, trace)) => code(run(trace, entered.buffer())),
        Err(code) => code,
    }
}

/// The same for all functions, so that it is there once.
///
/// # Safety
/// As of `enter`; the trace is not used after `Entered` is gone.
#[inline(never)]
unsafe fn come_in<'t>(
    trace: *mut tband_flux_trace,
) -> Result<(Entered, &'t mut Trace<'static>), i32> {
    let place = trace.cast::<TracePlace>();
    // SAFETY: so the caller says; mark and buffer do not change once the mark is there.
    let Some(mark) = (unsafe { place.as_ref().map(|it| &it.mark) }) else {
        return Err(TBAND_FLUX_ARGUMENT);
    };
    if mark.load(Relaxed) != IS_TRACE {
        return Err(TBAND_FLUX_ARGUMENT);
    }
    // SAFETY: the mark says that the trace was set up, with a buffer.
    let entered = unsafe { Entered::new((*place).buffer) }?;
    // SAFETY: as above; who has come into its buffer has it alone.
    Ok((entered, unsafe { (*place).trace.assume_init_mut() }))
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
