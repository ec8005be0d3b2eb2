//! Buffers.

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU32};

use tband_flux::Buffer;

use crate::enter::BufferGuard;
use crate::memory::{
    BufferPlace, CBuffer, CHandler, IS_BUFFER, tband_flux_buffer, tband_flux_handler,
};
use crate::result::{TBAND_FLUX_ARGUMENT, TBAND_FLUX_OK};

/// Checks the parts of a buffer.
///
/// # Safety
/// The conditions of the functions that set up buffers.
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

/// Stores a buffer in the caller's memory.
///
/// # Safety
/// `place` is null or has the memory of a buffer that is not in use.
unsafe fn keep(place: *mut tband_flux_buffer, buffer: Option<CBuffer>) -> i32 {
    let (false, Some(buffer)) = (place.is_null(), buffer) else { return TBAND_FLUX_ARGUMENT };
    let place = place.cast::<BufferPlace>();
    let new = BufferPlace {
        mark: AtomicU32::new(0),
        is_busy: AtomicBool::new(false),
        refused: AtomicU32::new(0),
        buffer: MaybeUninit::new(buffer),
    };
    // SAFETY: the caller's promise.
    unsafe {
        place.write(new);
        (*place).mark.store(IS_BUFFER, Relaxed);
    }
    TBAND_FLUX_OK
}

/// Sets up a linear buffer of `size` bytes. If an entry does not fit, the buffer calls the handler until it has taken
/// all or takes nothing. Several traces may share a linear buffer if only one context writes at a time.
///
/// Context: before others use the buffer. Returns TBAND_FLUX_ARGUMENT for a null pointer or a size of 0.
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
    // SAFETY: the conditions of this function.
    unsafe {
        let parts = parts(memory, size, handler, context);
        keep(buffer, parts.map(|(memory, handler)| Buffer::linear(memory, handler)))
    }
}

/// Sets up a ring of `size` bytes: the first `kept` of them for the definitions of its one trace, which are never
/// overwritten, the rest for at least two slots of `slot` bytes (below 65535), where the newest overwrites the oldest.
/// A slot needs 8 bytes, 28 for each sequence of the trace, and room for its longest entry. tband_flux_flush() passes
/// all slots to the handler as one file.
///
/// Context: before others use the buffer. Returns TBAND_FLUX_ARGUMENT for a null pointer or sizes without room for two
/// slots.
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
    // SAFETY: the conditions of this function.
    unsafe {
        let parts = parts(memory, size, handler, context);
        let ring = parts.and_then(|(memory, handler)| Buffer::ring(memory, kept, slot, handler));
        keep(buffer, ring)
    }
}

/// Returns the number of entries lost since the setup: those that did not fit or got TBAND_FLUX_BUSY, and in a ring
/// those that newer ones overwrote. Saturates. 0 for a buffer that was not set up or is being written.
///
/// Context: any that does not interrupt a writer.
///
/// # Safety
/// `buffer` is null or has the memory of a buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_flux_lost(buffer: *mut tband_flux_buffer) -> u32 {
    // SAFETY: the conditions of this function.
    match unsafe { BufferGuard::new(buffer.cast()) } {
        Ok(mut entered) => entered.buffer().lost().saturating_add(entered.refused()),
        Err(_) => 0,
    }
}
