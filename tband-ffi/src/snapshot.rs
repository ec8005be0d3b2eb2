//! Emitters of the snapshot backend: one function per event shape.

use core::ffi::{c_char, c_uint};

use tband_core::{Metadata, Numbers, Snapshot, U32, U32S64, U32Str, U32U32};

use crate::port::{core_state, tband_recorder};
use crate::setup::tband_core_state;

/// Records a timed event with one number through the snapshot backend. `ts` in ticks, `id` from `TBAND_EVT_U32_*`.
/// Inside the critical section of `core`, any task or interrupt.
///
/// # Safety
/// `core` points into `tband_setup.cores`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_emit_u32(
    id: u32,
    core: *mut tband_core_state,
    ts: u64,
    first: u32,
) {
    // SAFETY: as the caller promised; the shim passes its own state.
    unsafe {
        tband_recorder.emit::<Snapshot, _>(ts, core_state(core), id as u8, U32(first));
    }
}

/// As `tband_snapshot_emit_u32`, with two numbers (`TBAND_EVT_U32_U32_*`).
///
/// # Safety
/// As `tband_snapshot_emit_u32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_emit_u32_u32(
    id: u32,
    core: *mut tband_core_state,
    ts: u64,
    first: u32,
    second: u32,
) {
    // SAFETY: as the caller promised; the shim passes its own state.
    unsafe {
        tband_recorder.emit::<Snapshot, _>(ts, core_state(core), id as u8, U32U32(first, second));
    }
}

/// As `tband_snapshot_emit_u32`, with a number and a signed value (`TBAND_EVT_U32_S64_*`).
///
/// # Safety
/// As `tband_snapshot_emit_u32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_emit_u32_s64(
    id: u32,
    core: *mut tband_core_state,
    ts: u64,
    first: u32,
    value: i64,
) {
    // SAFETY: as the caller promised; the shim passes its own state.
    unsafe {
        tband_recorder.emit::<Snapshot, _>(ts, core_state(core), id as u8, U32S64(first, value));
    }
}

/// As `tband_snapshot_emit_u32`, with a number and a string (`TBAND_EVT_U32_STR_*`). `text` may be NULL,
/// which is an empty string; no more than `tband_configMAX_STR_LEN` bytes of it are read.
///
/// # Safety
/// As `tband_snapshot_emit_u32`; `text` is readable to its NUL or for `tband_configMAX_STR_LEN` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_emit_u32_str(
    id: u32,
    core: *mut tband_core_state,
    ts: u64,
    first: u32,
    text: *const c_char,
) {
    // SAFETY: as the caller promised; the shim passes its own state.
    unsafe {
        tband_recorder.emit::<Snapshot, _>(
            ts,
            core_state(core),
            id as u8,
            U32Str(first, text.cast()),
        );
    }
}

/// As `tband_snapshot_emit_u32`, with up to five numbers (`TBAND_EVT_*` of three `U32` and more).
///
/// # Safety
/// As `tband_snapshot_emit_u32`; `count`, at most 5, numbers stand at `numbers`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_emit_numbers(
    id: u32,
    core: *mut tband_core_state,
    ts: u64,
    numbers: *const u32,
    count: u32,
) {
    // SAFETY: as the caller promised; the shim passes its own state.
    unsafe {
        tband_recorder.emit::<Snapshot, _>(ts, core_state(core), id as u8, Numbers(numbers, count));
    }
}

/// Records a metadata event (`TBAND_EVT_META_*`) of 1 or 2 `numbers` and a string, or NULL: into the
/// metadata buffer, and while recording also through the snapshot backend.
///
/// # Safety
/// As `tband_snapshot_emit_u32_str`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_emit_metadata(
    id: u32,
    core: *mut tband_core_state,
    ts: u64,
    numbers: u32,
    first: u32,
    second: u32,
    text: *const c_char,
) {
    let numbers: &[u32] = if numbers > 1 { &[first, second] } else { &[first] };
    let event = Metadata { id: id as u8, numbers, text: text.cast() };
    // SAFETY: the shim passes its own state; the caller vouches for `text`.
    unsafe { tband_recorder.emit_metadata::<Snapshot>(ts, core_state(core), &event) }
}

/// Starts recording into the snapshot buffers, behind what they hold. Returns 0, or -1 if recording
/// is on or a core is still inside an event. Inside the critical section of core `core_id`.
#[unsafe(no_mangle)]
pub extern "C" fn tband_snapshot_trigger(core_id: u32) -> i32 {
    if tband_recorder.trigger_snapshot(core_id).is_ok() { 0 } else { -1 }
}

/// Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
#[unsafe(no_mangle)]
pub extern "C" fn tband_snapshot_stop() -> i32 {
    if tband_recorder.stop_snapshot() { 0 } else { -1 }
}

/// Empties the snapshot buffers. Returns 0, or -1 while recording is on or a core is inside an event.
/// Inside the critical section.
#[unsafe(no_mangle)]
pub extern "C" fn tband_snapshot_reset() -> i32 {
    if tband_recorder.reset_snapshot() { 0 } else { -1 }
}

/// Start of a core's snapshot buffer; NULL for cores that do not exist. Any context.
#[unsafe(no_mangle)]
pub extern "C" fn tband_core_snapshot(core_id: c_uint) -> *const u8 {
    tband_recorder.snapshot(core_id).0
}

/// Bytes in a core's snapshot buffer; 0 until the core has finished. Any context.
#[unsafe(no_mangle)]
pub extern "C" fn tband_core_snapshot_amount(core_id: c_uint) -> usize {
    tband_recorder.snapshot(core_id).1
}
