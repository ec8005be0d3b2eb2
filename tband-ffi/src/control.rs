//! What does not depend on the backend.

use core::ffi::c_uint;

use tband_core::Port as _;

use crate::port::{core_state, tband_recorder};
use crate::setup::tband_core_state;

/// A core is about to record; several cores only, before the event's calls. Returns true if recording is on:
/// then that holds until `tband_core_exit`, for which whoever stops the recording waits.
///
/// # Safety
/// `core` points into `tband_setup.cores`. Inside the critical section.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_core_enter(core: *mut tband_core_state) -> bool {
    // SAFETY: the shim passes its own state.
    tband_recorder.enter(unsafe { core_state(core) })
}

/// Ends what `tband_core_enter` began.
///
/// # Safety
/// As `tband_core_enter`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_core_exit(core: *mut tband_core_state) {
    // SAFETY: the shim passes its own state.
    tband_recorder.exit(unsafe { core_state(core) });
}

/// Counts an event that the function which takes the frames of the core has called for: none can begin
/// inside another. `is_metadata` if that event is. In the function, which is inside the critical section.
///
/// # Safety
/// `core` points into `tband_setup.cores`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_core_refuse(core: *mut tband_core_state, is_metadata: bool) {
    // SAFETY: the shim passes its own state.
    unsafe { core_state(core) }.refuse(is_metadata);
}

/// Counts an event while nothing is recorded, for recordings that are as Tonbandgeraet's: its periodic drop
/// counts go on then. Inside the critical section of `core`.
///
/// # Safety
/// `core` points into `tband_setup.cores`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_core_pass(core: *mut tband_core_state) {
    // SAFETY: the shim passes its own state.
    unsafe { core_state(core) }.pass(tband_recorder.port().drop_cnt_every());
}

/// Recording is off and no core is inside an event. Any context.
#[unsafe(no_mangle)]
pub extern "C" fn tband_recorder_finished() -> bool {
    tband_recorder.finished()
}

/// Recording is off and this core is not inside an event; cores that do not exist never are. Any
/// context.
#[unsafe(no_mangle)]
pub extern "C" fn tband_core_finished(core_id: c_uint) -> bool {
    tband_recorder.core_finished(core_id)
}

/// Start of a core's metadata buffer; NULL if there is none. Any context.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tband_core_metadata(core_id: c_uint) -> *const u8 {
    tband_recorder.metadata(core_id).0
}

/// Bytes in a core's metadata buffer; 0 if there is none. Any context.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tband_core_metadata_amount(core_id: c_uint) -> usize {
    tband_recorder.metadata(core_id).1
}

/// Metadata events of a core that found its metadata buffer full; stays at 65535. Any context.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tband_core_metadata_dropped(core_id: c_uint) -> u32 {
    tband_recorder.metadata_dropped(core_id)
}

/// Events dropped since reset, all cores together, modulo 2^32. Any context.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tband_recorder_dropped() -> u32 {
    tband_recorder.dropped()
}
