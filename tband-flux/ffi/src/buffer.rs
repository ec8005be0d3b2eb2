//! Buffers.

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU32};

use tband_flux::Buffer;

use crate::enter::Entered;
use crate::memory::{
    BufferPlace, CBuffer, CHandler, IS_BUFFER, tband_flux_buffer, tband_flux_handler,
};
use crate::result::{TBAND_FLUX_ARGUMENT, TBAND_FLUX_OK};

/// The parts of a buffer that are to be checked.
///
/// # Safety
/// As of the functions that set up buffers.
unsafe fn parts(
    memory: *mut u8,
    size: usize,
    handler: tband_flux_handler,
    context: *mut c_void,
) -> Option<(&'static mut [u8], CHandler)> {
    let function = handler?;
    if memory.is_null() || size == 0 {
        return None;
    }
    // SAFETY: the caller gives this memory to the buffer alone.
    let memory = unsafe { core::slice::from_raw_parts_mut(memory, size) };
    Some((memory, CHandler { function, context }))
}

/// Keeps a buffer where the caller has a place for it.
///
/// # Safety
/// `place` is null or has the memory of a buffer that nobody uses.
unsafe fn keep(place: *mut tband_flux_buffer, buffer: Option<CBuffer>) -> i32 {
    let (false, Some(buffer)) = (place.is_null(), buffer) else { return TBAND_FLUX_ARGUMENT };
    let place = place.cast::<BufferPlace>();
    let new = BufferPlace {
        mark: AtomicU32::new(0),
        is_busy: AtomicBool::new(false),
        refused: AtomicU32::new(0),
        buffer: MaybeUninit::new(buffer),
    };
    // SAFETY: so the caller says.
    unsafe {
        place.write(new);
        (*place).mark.store(IS_BUFFER, Relaxed);
    }
    TBAND_FLUX_OK
}

/// Sets up a linear buffer of `size` bytes. For an entry that does not fit it calls the handler, until that has taken
/// all or takes nothing; so does tband_flux_flush(). What the handler leaves moves to the front of the memory, at most
/// `size` bytes. Several traces may share a linear buffer, if one context writes at a time.
///
/// Context: before others use the buffer; not again while they do. Returns TBAND_FLUX_ARGUMENT for a null pointer or a size
/// of 0.
///
/// # Safety
/// `buffer` and `memory` are the buffer's alone as long as it is used; `handler` may be called with `context`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_linear(
    buffer: *mut tband_flux_buffer,
    memory: *mut u8,
    size: usize,
    handler: tband_flux_handler,
    context: *mut c_void,
) -> i32 {
    // SAFETY: as of this function.
    unsafe {
        let parts = parts(memory, size, handler, context);
        keep(buffer, parts.map(|(memory, handler)| Buffer::linear(memory, handler)))
    }
}

/// Sets up a ring of `size` bytes: the first `kept` of them for what defines its one trace, which is never overwritten, the
/// rest for at least two slots of `slot` bytes (below 65535), of which the oldest makes place for the newest. A slot needs
/// 8 bytes, 28 for each sequence of the trace, and room for its longest entry. Nothing is handed out until
/// tband_flux_flush(), which makes one file of all slots.
///
/// Context: before others use the buffer; not again while they do. Returns TBAND_FLUX_ARGUMENT for a null pointer or sizes
/// without room for two slots.
///
/// # Safety
/// `buffer` and `memory` are the buffer's alone as long as it is used; `handler` may be called with `context`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_ring(
    buffer: *mut tband_flux_buffer,
    memory: *mut u8,
    size: usize,
    kept: usize,
    slot: usize,
    handler: tband_flux_handler,
    context: *mut c_void,
) -> i32 {
    // SAFETY: as of this function.
    unsafe {
        let parts = parts(memory, size, handler, context);
        let ring = parts.and_then(|(memory, handler)| Buffer::ring(memory, kept, slot, handler));
        keep(buffer, ring)
    }
}

/// Entries that are lost, since the buffer was set up: those for which there was no room, those that got
/// TBAND_FLUX_BUSY, and in a ring those that newer ones took the place of. Stays at its greatest number. 0 for a buffer that was not set up or that somebody writes to.
///
/// Context: any that does not interrupt who writes.
///
/// # Safety
/// `buffer` is null or has the memory of a buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_lost(buffer: *mut tband_flux_buffer) -> u32 {
    // SAFETY: as of this function.
    match unsafe { Entered::new(buffer.cast()) } {
        Ok(mut entered) => entered.buffer().lost().saturating_add(entered.refused()),
        Err(_) => 0,
    }
}
