//! RTT: the ring of packets as an up-buffer that a debug probe reads. One core, and the streaming backend.

use tband_core::{Recorder, RttBuffer};

use crate::packet_setup::{TBAND_POLICY_STREAM, tband_rtt_buffer};
use crate::port::{CPort, core_state, recorder_of};
use crate::setup::tband_core_state;

#[inline(always)]
fn recorder() -> &'static Recorder<CPort<TBAND_POLICY_STREAM>> {
    recorder_of()
}

/// The core's view of a buffer.
///
/// # Safety
/// `buffer` points to one, in memory that is there for ever.
unsafe fn of_core<'a>(buffer: *mut tband_rtt_buffer) -> &'a RttBuffer {
    // SAFETY: the caller's promise; the same layout, whose changing parts are atomic.
    unsafe { &*buffer.cast() }
}

/// Gives back what the probe has read, and lets it read what is closed. Inside the critical section.
///
/// # Safety
/// `buffer` has the memory of the packets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_rtt_sync(buffer: *mut tband_rtt_buffer) {
    // SAFETY: the shim passes its own buffer.
    recorder().rtt_sync(unsafe { of_core(buffer) });
}

/// As `tband_rtt_sync`, and writes what is due: metadata, or what ends a recording that was stopped. `now` is the time in
/// ticks. Inside the critical section, outside of any event.
///
/// # Safety
/// As `tband_rtt_sync`; `core` points into `tband_setup.cores`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_rtt_turn(
    core: *mut tband_core_state,
    buffer: *mut tband_rtt_buffer,
    now: u64,
) {
    // SAFETY: the shim passes its own state and buffer.
    unsafe { recorder().rtt_turn(core_state(core), of_core(buffer), now) }
}

/// Starts recording. Returns 0, or -1 if it is on. `was_announced`: after `tband_rtt_announce`. Inside the critical
/// section.
///
/// # Safety
/// As `tband_rtt_sync`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_rtt_start(
    buffer: *mut tband_rtt_buffer,
    was_announced: bool,
) -> i32 {
    // SAFETY: the shim passes its own buffer.
    let buffer = unsafe { of_core(buffer) };
    if recorder().start_rtt(buffer, was_announced).is_ok() { 0 } else { -1 }
}

/// Lets the probe read what the recording says of itself, before it is started. Returns 0, or -1 if it is on. Inside the
/// critical section.
///
/// # Safety
/// As `tband_rtt_sync`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_rtt_announce(buffer: *mut tband_rtt_buffer) -> i32 {
    // SAFETY: the shim passes its own buffer.
    if recorder().announce_rtt(unsafe { of_core(buffer) }).is_ok() { 0 } else { -1 }
}

/// Whether the probe has read all there was. Inside the critical section.
///
/// # Safety
/// As `tband_rtt_sync`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_rtt_was_read(buffer: *mut tband_rtt_buffer) -> bool {
    // SAFETY: the shim passes its own buffer.
    recorder().rtt_was_read(unsafe { of_core(buffer) })
}
