//! RTT: the ring of packets as an up-buffer that a debug probe reads. One core, and the streaming backend.

use tband_core::Recorder;
use tband_core::packet::RttBuffer;

use crate::packet_setup::{TBAND_POLICY_STREAM, tband_rtt_buffer};
use crate::port::{CPort, core_state, recorder_of};
use crate::setup::tband_core_state;

#[inline(always)]
fn recorder() -> &'static Recorder<CPort<TBAND_POLICY_STREAM>> {
    recorder_of()
}

/// Returns the core's view of a buffer.
///
/// # Safety
/// `buffer` points to one, in static memory.
unsafe fn of_core<'a>(buffer: *mut tband_rtt_buffer) -> &'a RttBuffer {
    // SAFETY: the caller's promise; the layout is the same, and the fields that change are atomic.
    unsafe { &*buffer.cast() }
}

/// Releases the slots that the probe has read, and lets it read the closed packets. Inside the critical section.
///
/// # Safety
/// `buffer` has the memory of the packets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_rtt_sync(buffer: *mut tband_rtt_buffer) {
    // SAFETY: the shim passes its own buffer.
    recorder().rtt_sync(unsafe { of_core(buffer) });
}

/// Like `tband_lib_rtt_sync`; also writes the packet that is due: metadata, or the end of a recording that was stopped.
/// `now` is the time in ticks. Inside the critical section, outside of any event.
///
/// # Safety
/// See `tband_lib_rtt_sync`; `core` points into `tband_setup.cores`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_rtt_turn(
    core: *mut tband_core_state,
    buffer: *mut tband_rtt_buffer,
    now: u64,
) {
    // SAFETY: the shim passes its own state and buffer.
    unsafe { recorder().rtt_turn(core_state(core), of_core(buffer), now) }
}

/// Starts recording. Returns 0, or -1 if it is on. `was_announced`: `tband_lib_rtt_announce` was called before. Inside
/// the critical section.
///
/// # Safety
/// See `tband_lib_rtt_sync`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_rtt_start(
    buffer: *mut tband_rtt_buffer,
    was_announced: bool,
) -> i32 {
    // SAFETY: the shim passes its own buffer.
    let buffer = unsafe { of_core(buffer) };
    if recorder().start_rtt(buffer, was_announced).is_ok() { 0 } else { -1 }
}

/// Lets the probe read the information about the recording before it is started. Returns 0, or -1 if recording is on.
/// Inside the critical section.
///
/// # Safety
/// See `tband_lib_rtt_sync`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_rtt_announce(buffer: *mut tband_rtt_buffer) -> i32 {
    // SAFETY: the shim passes its own buffer.
    if recorder().announce_rtt(unsafe { of_core(buffer) }).is_ok() { 0 } else { -1 }
}

/// Returns whether the probe has read all packets. Inside the critical section.
///
/// # Safety
/// See `tband_lib_rtt_sync`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_rtt_was_read(buffer: *mut tband_rtt_buffer) -> bool {
    // SAFETY: the shim passes its own buffer.
    recorder().rtt_was_read(unsafe { of_core(buffer) })
}
