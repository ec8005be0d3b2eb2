//! The streaming backend (`tband_configUSE_BACKEND_STREAMING`): every event goes to the port at once.
//!
//! ```no_run
//! fn measure(work: impl FnOnce()) -> Result<(), tband::ControlError> {
//!     tband::streaming::start()?;
//!     work();
//!     tband::streaming::stop()
//! }
//! ```

use crate::control::ControlError;

/// Starts the stream: sends the metadata, then every event. Passes a complete metadata buffer to the
/// port in one call, in a critical section. Calls `tband_start_streaming`.
///
/// # Errors
/// [`ControlError::Recording`] if it is on already; [`ControlError::MetadataDropped`] if the port took
/// only part of the data before the events; then recording is off.
#[inline]
pub fn start() -> Result<(), ControlError> {
    if_enabled!(
        crate::control::result(crate::sys::tband_start_streaming(), ControlError::Recording),
        Ok(())
    )
}

/// Like [`start`], without the metadata: for a receiver that has it already. Calls
/// `tband_restart_streaming`.
///
/// # Errors
/// [`ControlError::Recording`] if it is on already.
#[inline]
pub fn restart() -> Result<(), ControlError> {
    if_enabled!(
        crate::control::result(crate::sys::tband_restart_streaming(), ControlError::Recording),
        Ok(())
    )
}

/// Stops the stream. Calls `tband_stop_streaming`.
///
/// # Errors
/// [`ControlError::NotRecording`] if it was off.
#[inline]
pub fn stop() -> Result<(), ControlError> {
    if_enabled!(
        crate::control::result(crate::sys::tband_stop_streaming(), ControlError::NotRecording),
        Ok(())
    )
}
