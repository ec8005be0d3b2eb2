//! Emitters of the snapshot backend: a timed event is opened, then closed with its fields.

use core::ffi::{c_char, c_uint};

use tband_core::{Head, Numbers, Snapshot, U32, U32S64, U32Str, U32U32};

use crate::frame::tband_frame;
use crate::metadata::metadata;
use crate::port::{core_state, tband_recorder};
use crate::setup::{tband_core_state, tband_metadata};

/// Counts a timed event of the snapshot backend and opens its frame with id and timestamp; one
/// `tband_snapshot_close_*` follows, in the same critical section. `ts` in ticks; `head` is the event's id and,
/// from bit 8, the length of its longest frame, `TBAND_FRAME_LEN_*`.
/// Inside the critical section of `core`, any task or interrupt.
///
/// # Safety
/// `core` points into `tband_setup.cores`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_open(
    head: u32,
    core: *mut tband_core_state,
    ts: u64,
) -> tband_frame {
    // SAFETY: as the caller promised; the shim passes its own state.
    unsafe { tband_recorder.open::<Snapshot>(Head::from_word(head), core_state(core), ts) }
}

/// Writes the fields of an event with one number (`TBAND_EVT_U32_*`) and disposes of its frame; nothing to
/// do if there is none.
///
/// # Safety
/// `frame` comes from `tband_snapshot_open` for the same core, which was told the length with these fields.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_close_u32(
    frame: tband_frame,
    core: *mut tband_core_state,
    first: u32,
) {
    // SAFETY: as the caller promised; the shim passes its own state.
    unsafe { tband_recorder.close::<Snapshot, _>(frame, core_state(core), U32(first)) }
}

/// As `tband_snapshot_close_u32`, with two numbers (`TBAND_EVT_U32_U32_*`).
///
/// # Safety
/// As `tband_snapshot_close_u32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_close_u32_u32(
    frame: tband_frame,
    core: *mut tband_core_state,
    first: u32,
    second: u32,
) {
    // SAFETY: as the caller promised; the shim passes its own state.
    unsafe { tband_recorder.close::<Snapshot, _>(frame, core_state(core), U32U32(first, second)) }
}

/// As `tband_snapshot_close_u32`, with a number and a signed value (`TBAND_EVT_U32_S64_*`).
///
/// # Safety
/// As `tband_snapshot_close_u32`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_close_u32_s64(
    frame: tband_frame,
    value: i64,
    first: u32,
    core: *mut tband_core_state,
) {
    // SAFETY: as the caller promised; the shim passes its own state.
    unsafe { tband_recorder.close::<Snapshot, _>(frame, core_state(core), U32S64(first, value)) }
}

/// As `tband_snapshot_close_u32`, with a number and a string (`TBAND_EVT_U32_STR_*`). `text` may be NULL, which
/// is an empty string; no more than `tband_configMAX_STR_LEN` bytes of it are read.
///
/// # Safety
/// As `tband_snapshot_close_u32`; `text` is readable to its NUL or for `tband_configMAX_STR_LEN` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_close_u32_str(
    frame: tband_frame,
    core: *mut tband_core_state,
    first: u32,
    text: *const c_char,
) {
    // SAFETY: as the caller promised; the shim passes its own state.
    unsafe {
        tband_recorder.close::<Snapshot, _>(frame, core_state(core), U32Str(first, text.cast()))
    }
}

/// As `tband_snapshot_close_u32`, with up to five numbers (`TBAND_EVT_*` of three `U32` and more).
///
/// # Safety
/// As `tband_snapshot_close_u32`; `count`, at most 5, numbers stand at `numbers`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_close_numbers(
    frame: tband_frame,
    core: *mut tband_core_state,
    numbers: *const u32,
    count: u32,
) {
    // SAFETY: as the caller promised; the shim passes its own state.
    unsafe {
        tband_recorder.close::<Snapshot, _>(frame, core_state(core), Numbers(numbers, count));
    }
}

/// For recordings that are as Tonbandgeraet's: whether a metadata event goes through the snapshot backend now: counts it, and sends the drop counter that
/// may be due. `tband_snapshot_send_metadata` follows then, in the same critical section.
///
/// # Safety
/// As `tband_snapshot_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_may_send_metadata(
    core: *mut tband_core_state,
    ts: u64,
) -> bool {
    // SAFETY: the shim passes its own state.
    tband_recorder.may_send_metadata::<Snapshot>(ts, unsafe { core_state(core) })
}

/// Sends a metadata event, if recording is on.
///
/// # Safety
/// As `tband_metadata_keep`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_snapshot_send_metadata(
    core: *mut tband_core_state,
    event: *const tband_metadata,
) {
    // SAFETY: the shim passes its own state; the caller vouches for the event.
    unsafe { tband_recorder.send_metadata::<Snapshot>(0, core_state(core), metadata(event)) }
}

/// Starts recording into the snapshot buffers, behind what they hold. Returns 0, or -1 if recording
/// is on or a core is still inside an event. Inside the critical section of core `core_id`.
#[unsafe(no_mangle)]
pub extern "C" fn tband_snapshot_trigger(core_id: u32) -> i32 {
    if tband_recorder.trigger_snapshot(core_id).is_ok() { 0 } else { -1 }
}

/// As `tband_snapshot_trigger`, byte for byte as Tonbandgeraet starts one.
#[unsafe(no_mangle)]
pub extern "C" fn tband_snapshot_trigger_plain() -> i32 {
    if tband_recorder.trigger_plain_snapshot().is_ok() { 0 } else { -1 }
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
#[inline(never)]
pub extern "C" fn tband_core_snapshot(core_id: c_uint) -> *const u8 {
    tband_recorder.snapshot(core_id).0
}

/// Bytes in a core's snapshot buffer; 0 until the core has finished. Any context.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tband_core_snapshot_amount(core_id: c_uint) -> usize {
    tband_recorder.snapshot(core_id).1
}
