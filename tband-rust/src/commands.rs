//! Commands of the host, which `tband-cli command` sends: start and stop, set filters, read and write the memory that you allow,
//! by address or in a current object, and call custom commands.
//!
//! The program's build script compiles `port/tband_commands.c` together with the shim, and `tband_config.h` defines the allowed
//! commands. A debug probe needs [`obey`] only.
//!
//! ```no_run
//! /// In the interrupt of the UART.
//! fn received(bytes: &[u8]) {
//!     // The host repeats a command that gets no answer.
//!     let _ = tband::commands::received(bytes);
//! }
//!
//! /// In the main loop.
//! fn idle() {
//!     while tband::commands::obey() {}
//! }
//! ```

use core::error::Error;
use core::fmt;

/// The received bytes did not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "there is no room for the bytes of a command: obey() has to be called more often",
        )
    }
}

impl Error for NoRoom {}

/// Takes bytes received from the host, in parts of any length. Calls `tband_received`.
///
/// Context: one, an interrupt's or a task's. Never waits.
///
/// # Errors
/// [`NoRoom`]: none of the bytes was taken. If they were part of a command, it is damaged and counted; the host repeats commands
/// that may be executed twice.
#[inline]
pub fn received(bytes: &[u8]) -> Result<(), NoRoom> {
    // SAFETY: it is readable for as many bytes.
    let is_refused =
        if_enabled!(unsafe { crate::sys::tband_received(bytes.as_ptr(), bytes.len()) }, false);
    if is_refused { Err(NoRoom) } else { Ok(()) }
}

/// Executes one command, if a complete one was received, and answers it in the recording. Returns true if there was one. Calls
/// `tband_obey`.
///
/// Context: one task, the idle hook or the main loop, never an interrupt. Inspects a bounded number of bytes; the command itself
/// takes as long as the functions it calls.
#[inline]
pub fn obey() -> bool {
    if_enabled!(crate::sys::tband_obey(), false)
}
