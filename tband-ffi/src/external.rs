//! Functions that only the external backend has.

use tband_core::External;

use crate::port::{core_state, tband_recorder};
use crate::setup::tband_core_state;

/// Sends the description of the recorder, which the other backends send at their start. Inside the
/// critical section of `core`.
///
/// # Safety
/// `core` points into `tband_setup.cores`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_external_send_trace_info(ts: u64, core: *mut tband_core_state) {
    // SAFETY: the shim passes its own state.
    tband_recorder.send_trace_info::<External>(ts, unsafe { core_state(core) });
}
