//! Functions that do not depend on the backend.

use core::ffi::c_uint;

use tband_core::Port as _;

use crate::port::{core_state, tband_recorder};
use crate::setup::tband_core_state;

/// Announces that a core is about to record; with several cores only, before the event's calls. Returns true
/// if recording is on. It then stays on until `tband_lib_core_exit`, which the core that stops the recording
/// waits for.
///
/// # Safety
/// `core` points into `tband_setup.cores`. Inside the critical section.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_core_enter(core: *mut tband_core_state) -> bool {
    // SAFETY: the shim passes its own state.
    tband_recorder.enter(unsafe { core_state(core) })
}

/// Reverses `tband_lib_core_enter`.
///
/// # Safety
/// See `tband_lib_core_enter`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_core_exit(core: *mut tband_core_state) {
    // SAFETY: the shim passes its own state.
    tband_recorder.exit(unsafe { core_state(core) });
}

/// Counts an event that was caused by the function which takes the core's frames. It is refused because no
/// event can begin inside another. `is_metadata`: it is a metadata event. Called inside that function, and
/// so inside the critical section.
///
/// # Safety
/// `core` points into `tband_setup.cores`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_core_refuse(core: *mut tband_core_state, is_metadata: bool) {
    // SAFETY: the shim passes its own state.
    unsafe { core_state(core) }.refuse(is_metadata);
}

/// Counts an event while recording is off, for recordings in Tonbandgeraet's way, whose periodic drop counts
/// continue then. Inside the critical section of `core`.
///
/// # Safety
/// `core` points into `tband_setup.cores`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_core_pass(core: *mut tband_core_state) {
    // SAFETY: the shim passes its own state.
    unsafe { core_state(core) }.pass(tband_recorder.port().drop_cnt_every());
}

/// Returns true if recording is off and no core is inside an event. Any context.
#[unsafe(no_mangle)]
pub extern "C" fn tband_lib_recorder_finished() -> bool {
    tband_recorder.finished()
}

/// Returns true if recording is off and this core is not inside an event. Cores that do not exist count as
/// not inside an event. Any context.
#[unsafe(no_mangle)]
pub extern "C" fn tband_lib_core_finished(core_id: c_uint) -> bool {
    tband_recorder.core_finished(core_id)
}

/// Returns the start of a core's metadata buffer; NULL if there is none. Any context.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tband_lib_core_metadata(core_id: c_uint) -> *const u8 {
    tband_recorder.metadata(core_id).0
}

/// Returns the number of bytes in a core's metadata buffer; 0 if there is none. Any context.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tband_lib_core_metadata_amount(core_id: c_uint) -> usize {
    tband_recorder.metadata(core_id).1
}

/// Returns the number of metadata events of a core that did not fit into its metadata buffer; saturates at
/// 65535. Any context.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tband_lib_core_metadata_dropped(core_id: c_uint) -> u32 {
    tband_recorder.metadata_dropped(core_id)
}

/// Returns the number of events dropped since reset, of all cores together, modulo 2^32. Any context.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn tband_lib_recorder_dropped() -> u32 {
    tband_recorder.dropped()
}
