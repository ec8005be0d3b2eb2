//! State of the recorder for all backends: whether it records, how many events were lost, its metadata.

use core::error::Error;
use core::fmt;

use crate::buffer::Buffer;

/// Why recording was not started, stopped or reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ControlError {
    /// Recording is on already, or, for a snapshot, a core is still inside an event.
    Recording,
    /// Recording is off.
    NotRecording,
    /// The port refused part of the data that precede the events: recording is off. Another start sends all of them again.
    MetadataDropped,
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Recording => "recording is on",
            Self::NotRecording => "recording is off",
            Self::MetadataDropped => {
                "recording is off, since the port refused what goes before the events"
            }
        })
    }
}

impl Error for ControlError {}

/// Converts the result of a control function of C: 0 is success, -1 is `refused`, -2 is refused metadata.
#[cfg(feature = "enable")]
#[inline]
pub(crate) fn result(code: core::ffi::c_int, refused: ControlError) -> Result<(), ControlError> {
    match code {
        0 => Ok(()),
        -2 => Err(ControlError::MetadataDropped),
        _ => Err(refused),
    }
}

/// Returns the result of `read`, which reads the recorder's memory; `unknown` for a task without privileges, which must not
/// read it.
#[cfg(feature = "enable")]
#[inline(always)]
pub(crate) fn read_or<T>(unknown: T, read: impl FnOnce() -> T) -> T {
    if crate::sys::tband_may_read() { read() } else { unknown }
}

/// Returns whether recording is on. False with the external backend, which needs no start; and for a task without privileges,
/// which cannot record. Calls `tband_tracing_enabled`.
#[inline]
#[must_use]
pub fn is_recording() -> bool {
    if_enabled!(
        !crate::sys::tband_is_always_on()
            && read_or(false, || {
                crate::sys::tband_recorder.recording.load(core::sync::atomic::Ordering::Relaxed)
                    != 0
            }),
        false
    )
}

/// Returns whether recording is off and no core is inside an event, so that the buffers may be read. True with the external
/// backend, which has no start. False for a task without privileges, which must not read them. Calls `tband_tracing_finished`.
#[inline]
#[must_use]
pub fn is_finished() -> bool {
    if_enabled!(
        crate::sys::tband_is_always_on()
            || read_or(false, || crate::sys::tband_lib_recorder_finished()),
        true
    )
}

/// Returns whether recording is off and this core is not inside an event. A core that does not exist counts as not inside an
/// event. True with the external backend, which has no start. False for a task without privileges. Calls
/// `tband_tracing_backend_finished`.
#[inline]
#[must_use]
pub fn is_core_finished(core_id: u32) -> bool {
    if_enabled!(
        crate::sys::tband_is_always_on()
            || read_or(false, || crate::sys::tband_lib_core_finished(core_id)),
        true
    )
}

/// Returns the number of events, counted from reset over all cores, that the port refused; modulo 2^32. 0 for a task without
/// privileges. Calls `tband_get_dropped_evt_cnt`.
#[inline]
#[must_use]
pub fn dropped_events() -> u32 {
    if_enabled!(read_or(0, || crate::sys::tband_lib_recorder_dropped()), 0)
}

/// Returns the number of metadata events, counted from reset, that did not fit into the metadata buffer of a core; saturates
/// at 65535. If it is not 0, enlarge `tband_configMETADATA_BUF_SIZE`. 0 for a task without privileges. Calls
/// `tband_get_metadata_dropped_cnt`.
#[inline]
#[must_use]
pub fn dropped_metadata(core_id: u32) -> u32 {
    if_enabled!(read_or(0, || crate::sys::tband_lib_core_metadata_dropped(core_id)), 0)
}

/// Returns the metadata buffer of a core: complete frames, with zeros in place of removed ones, which must precede the frames
/// of a snapshot. Empty if there is none, and for a task without privileges. Calls `tband_get_metadata_buf`.
#[inline]
#[must_use]
pub fn metadata_buffer(core_id: u32) -> Buffer {
    if_enabled!(
        // SAFETY: the shim's buffer, which has as many bytes or does not exist. It changes, but is never freed.
        read_or(Buffer::EMPTY, || unsafe {
            Buffer::new(
                crate::sys::tband_lib_core_metadata(core_id),
                crate::sys::tband_lib_core_metadata_amount(core_id),
            )
        }),
        Buffer::EMPTY
    )
}

/// Records the timer's resolution. For the external backend, which has no start: once, when your backend is ready. With the
/// others a recording that describes itself has it at its start. Calls `tband_gather_system_metadata`.
#[inline]
pub fn gather_system_metadata() {
    #[cfg(feature = "enable")]
    crate::sys::tband_gather_system_metadata();
}

/// Records the new frequency of the timestamp timer, which the port reports. Call it right after the clock was changed, in the
/// critical section of the change. No effect while recording is off, because each start records the frequency. Calls
/// `tband_timestamp_frequency_changed`.
#[inline]
pub fn timestamp_frequency_changed() {
    #[cfg(feature = "enable")]
    crate::sys::tband_timestamp_frequency_changed();
}

/// Reads the port's timer. A timer that wraps must be read once per wrap: if nothing may be recorded for so long, call this
/// from a slow timer. The tick of FreeRTOS does it without a call. Calls `tband_keep_time`.
#[inline]
pub fn keep_time() {
    #[cfg(feature = "enable")]
    crate::sys::tband_keep_time();
}
