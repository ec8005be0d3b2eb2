//! The snapshot backend (`tband_configUSE_BACKEND_SNAPSHOT`): events fill a buffer of each core.
//!
//! ```no_run
//! fn measure(work: impl FnOnce(), mut send: impl FnMut(&[u8])) -> Result<(), tband::ControlError> {
//!     tband::snapshot::trigger()?;
//!     work();
//!     // Refused if the buffer was full before.
//!     let _ = tband::snapshot::stop();
//!     for buffer in [tband::metadata_buffer(0), tband::snapshot::buffer(0)] {
//!         let (mut offset, mut bytes) = (0, [0; 64]);
//!         while offset < buffer.len() {
//!             let len = buffer.copy_to(offset, &mut bytes);
//!             send(&bytes[..len]);
//!             offset += len;
//!         }
//!     }
//!     tband::snapshot::reset()
//! }
//! ```

use crate::buffer::Buffer;
use crate::control::ControlError;

/// Starts to fill the buffers, after what they hold. When the first is full recording stops on all
/// cores. Calls `tband_trigger_snapshot`.
///
/// # Errors
/// [`ControlError::Recording`] if it is on, or has not completely finished.
#[inline]
pub fn trigger() -> Result<(), ControlError> {
    if_enabled!(
        crate::control::result(crate::sys::tband_trigger_snapshot(), ControlError::Recording),
        Ok(())
    )
}

/// Stops recording. Calls `tband_stop_snapshot`.
///
/// # Errors
/// [`ControlError::NotRecording`] if it was off, maybe because a buffer was full.
#[inline]
pub fn stop() -> Result<(), ControlError> {
    if_enabled!(
        crate::control::result(crate::sys::tband_stop_snapshot(), ControlError::NotRecording),
        Ok(())
    )
}

/// Empties the buffers. Calls `tband_reset_snapshot`.
///
/// # Errors
/// [`ControlError::Recording`] unless recording has finished.
#[inline]
pub fn reset() -> Result<(), ControlError> {
    if_enabled!(
        crate::control::result(crate::sys::tband_reset_snapshot(), ControlError::Recording),
        Ok(())
    )
}

/// Returns the buffer of a core: complete frames. Empty with packets, which [`packets::Reader`](crate::packets::Reader) reads. Also
/// empty until that core has finished, for cores that do not exist, and for a task without privileges. In a file for another
/// computer the core's [`metadata_buffer`](crate::metadata_buffer) must precede it. Calls `tband_get_core_snapshot_buf`.
#[inline]
#[must_use]
pub fn buffer(core_id: u32) -> Buffer {
    if_enabled!(
        // SAFETY: the shim's buffer, which is as long or not there at all.
        crate::control::read_or(Buffer::EMPTY, || unsafe {
            Buffer::new(
                crate::sys::tband_lib_core_snapshot(core_id),
                crate::sys::tband_lib_core_snapshot_amount(core_id),
            )
        }),
        Buffer::EMPTY
    )
}
