//! Control of the snapshot backend, and its buffers.

use core::ffi::c_uint;

use crate::port::tband_recorder;

/// Starts recording into the snapshot buffers, after their contents. Returns 0, or -1 if recording is
/// on or a core is still inside an event. Inside the critical section of core `core_id`.
#[unsafe(no_mangle)]
pub extern "C" fn tband_lib_snapshot_trigger(core_id: u32) -> i32 {
    if tband_recorder.trigger_snapshot(core_id).is_ok() { 0 } else { -1 }
}

/// Like `tband_lib_snapshot_trigger`, byte for byte as Tonbandgeraet starts one.
#[unsafe(no_mangle)]
pub extern "C" fn tband_lib_snapshot_trigger_plain() -> i32 {
    if tband_recorder.trigger_plain_snapshot().is_ok() { 0 } else { -1 }
}

/// Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
#[unsafe(no_mangle)]
pub extern "C" fn tband_lib_snapshot_stop() -> i32 {
    if tband_recorder.stop_snapshot() { 0 } else { -1 }
}

/// Empties the snapshot buffers. Returns 0, or -1 while recording is on or a core is inside an event.
/// Inside the critical section.
#[unsafe(no_mangle)]
pub extern "C" fn tband_lib_snapshot_reset() -> i32 {
    if tband_recorder.reset_snapshot() { 0 } else { -1 }
}

/// Returns the start of a core's snapshot buffer; NULL for cores that do not exist. Any context.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tband_lib_core_snapshot(core_id: c_uint) -> *const u8 {
    tband_recorder.snapshot(core_id).0
}

/// Returns the number of bytes in a core's snapshot buffer; 0 until the core has finished. Any
/// context.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tband_lib_core_snapshot_amount(core_id: c_uint) -> usize {
    tband_recorder.snapshot(core_id).1
}
