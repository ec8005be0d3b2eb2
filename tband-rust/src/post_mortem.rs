//! The post-mortem backend (`tband_configUSE_BACKEND_POST_MORTEM`): the ring of each core keeps the last events, over a
//! reset too. [`packets::Reader`](crate::packets::Reader) reads them once recording is off.
//!
//! ```no_run
//! use tband::packets::Reader;
//! use tband::post_mortem;
//!
//! /// After a reset.
//! fn begin(mut send: impl FnMut(&[u8])) -> Result<(), tband::ControlError> {
//!     if post_mortem::is_available()
//!         && let Some(mut reader) = Reader::take()
//!     {
//!         while let Some(packet) = reader.packet() {
//!             send(&packet);
//!         }
//!     }
//!     post_mortem::start()
//! }
//! ```

use crate::control::ControlError;

/// Starts to fill the rings; the oldest packet is overwritten. The previous contents are lost. Calls
/// `tband_start_post_mortem`.
///
/// # Errors
/// [`ControlError::Recording`] if it is on, or has not completely finished.
#[inline]
pub fn start() -> Result<(), ControlError> {
    if_enabled!(
        crate::control::result(crate::sys::tband_start_post_mortem(), ControlError::Recording),
        Ok(())
    )
}

/// Stops recording, in a fault handler too. Calls `tband_freeze`.
///
/// # Errors
/// [`ControlError::NotRecording`] if it was off.
#[inline]
pub fn freeze() -> Result<(), ControlError> {
    if_enabled!(
        crate::control::result(crate::sys::tband_freeze(), ControlError::NotRecording),
        Ok(())
    )
}

/// Stops recording when a core has closed as many more packets. Calls `tband_freeze_after`.
///
/// # Errors
/// [`ControlError::NotRecording`] if it is off.
#[inline]
pub fn freeze_after(packets: u32) -> Result<(), ControlError> {
    if_enabled!(
        crate::control::result(crate::sys::tband_freeze_after(packets), ControlError::NotRecording),
        Ok(())
    )
}

/// Returns whether there is a recording to read, from before a reset or frozen. Calls `tband_post_mortem_available`, whose
/// docs give its cost and contexts.
#[inline]
#[must_use]
pub fn is_available() -> bool {
    if_enabled!(crate::sys::tband_post_mortem_available(), false)
}

/// Empties the rings, and forgets what a reset has left. Calls `tband_clear_post_mortem`.
///
/// # Errors
/// [`ControlError::Recording`] unless recording has finished.
#[inline]
pub fn clear() -> Result<(), ControlError> {
    if_enabled!(
        crate::control::result(crate::sys::tband_clear_post_mortem(), ControlError::Recording),
        Ok(())
    )
}
