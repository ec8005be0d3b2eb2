//! State of the recorder, whichever the backend: whether it records, what was lost, its metadata.

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
    /// The port refused part of what goes before the events: recording is off. To start it again sends all of
    /// that anew.
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

/// What a control function of C says: 0, or -1 for what `refused` says, or -2.
#[cfg(feature = "enable")]
#[inline]
pub(crate) fn result(code: core::ffi::c_int, refused: ControlError) -> Result<(), ControlError> {
    match code {
        0 => Ok(()),
        -2 => Err(ControlError::MetadataDropped),
        _ => Err(refused),
    }
}

/// What `read` finds in the recorder's memory; `unknown` for a task without privileges, which may not look there.
#[cfg(feature = "enable")]
#[inline(always)]
pub(crate) fn read_or<T>(unknown: T, read: impl FnOnce() -> T) -> T {
    if crate::sys::tband_may_read() { read() } else { unknown }
}

/// Recording is on. False with the external backend, which needs no start; and for a task without privileges,
/// which cannot record. As `tband_tracing_enabled`.
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

/// Recording is off and no core is still inside an event: buffers may be read. True with the external backend, which nothing
/// starts. False for a task without privileges, which may not read them. As `tband_tracing_finished`.
#[inline]
#[must_use]
pub fn is_finished() -> bool {
    if_enabled!(
        crate::sys::tband_is_always_on()
            || read_or(false, || crate::sys::tband_recorder_finished()),
        true
    )
}

/// Recording is off and this core is not inside an event. A core that does not exist never is. True with the external backend,
/// which nothing starts. False for a task without privileges. As `tband_tracing_backend_finished`.
#[inline]
#[must_use]
pub fn is_core_finished(core_id: u32) -> bool {
    if_enabled!(
        crate::sys::tband_is_always_on()
            || read_or(false, || crate::sys::tband_core_finished(core_id)),
        true
    )
}

/// Events, counted from reset over all cores, that the port refused; modulo 2^32. 0 for a task without
/// privileges. As `tband_get_dropped_evt_cnt`.
#[inline]
#[must_use]
pub fn dropped_events() -> u32 {
    if_enabled!(read_or(0, || crate::sys::tband_recorder_dropped()), 0)
}

/// Metadata events, counted from reset, that found the metadata buffer of a core full; stays at 65535.
/// More than 0: enlarge `tband_configMETADATA_BUF_SIZE`. 0 for a task without privileges. As
/// `tband_get_metadata_dropped_cnt`.
#[inline]
#[must_use]
pub fn dropped_metadata(core_id: u32) -> u32 {
    if_enabled!(read_or(0, || crate::sys::tband_core_metadata_dropped(core_id)), 0)
}

/// The metadata buffer of a core: whole frames, with zeros between them where something was removed, to be put before
/// of those of a snapshot. Empty if there is none, and for a task without privileges. As `tband_get_metadata_buf`.
#[inline]
#[must_use]
pub fn metadata_buffer(core_id: u32) -> Buffer {
    if_enabled!(
        // SAFETY: the shim's buffer, which has as many bytes or is not there at all. It changes, but never goes.
        read_or(Buffer::EMPTY, || unsafe {
            Buffer::new(
                crate::sys::tband_core_metadata(core_id),
                crate::sys::tband_core_metadata_amount(core_id),
            )
        }),
        Buffer::EMPTY
    )
}

/// Records the timer's resolution. For the external backend, which has no start: once, when your backend
/// is ready. With the others a recording that describes itself has it at its start. As
/// `tband_gather_system_metadata`.
#[inline]
pub fn gather_system_metadata() {
    #[cfg(feature = "enable")]
    crate::sys::tband_gather_system_metadata();
}

/// Records that the timer of the timestamps counts at another frequency from now on, which the port reports.
/// Call it in the critical section in which the clock is changed, right after the change. Nothing while
/// recording is off, since each start reports the frequency. As `tband_timestamp_frequency_changed`.
#[inline]
pub fn timestamp_frequency_changed() {
    #[cfg(feature = "enable")]
    crate::sys::tband_timestamp_frequency_changed();
}

/// Reads the port's timer, for timers that must be read once per wrap, where nothing may record for so
/// long: call it from a slow timer; FreeRTOS' tick does it by itself. As `tband_keep_time`.
#[inline]
pub fn keep_time() {
    #[cfg(feature = "enable")]
    crate::sys::tband_keep_time();
}
