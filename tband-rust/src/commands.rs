//! Commands of the host, which `tband-cli command` sends: to start and stop, to filter, to read and write the memory that you
//! allow, by address or in a current object, and those of your own.
//!
//! The program's build script compiles `port/tband_commands.c` beside the shim, and `tband_config.h` says what is allowed.
//! A debug probe needs [`obey`] only.
//!
//! ```no_run
//! /// In the interrupt of the UART.
//! fn received(bytes: &[u8]) {
//!     // The host sends again what is not answered.
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

/// There was no room for what came.
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

/// Takes bytes that the host has sent, in pieces of any length. As `tband_received`.
///
/// Context: one, an interrupt's or a task's. Never waits.
///
/// # Errors
/// [`NoRoom`]: none of them was taken. The command that they are a part of is damaged then, and counted; the host sends again what
/// may be obeyed twice.
#[inline]
pub fn received(bytes: &[u8]) -> Result<(), NoRoom> {
    // SAFETY: it is readable for as many bytes.
    let is_refused =
        if_enabled!(unsafe { crate::sys::tband_received(bytes.as_ptr(), bytes.len()) }, false);
    if is_refused { Err(NoRoom) } else { Ok(()) }
}

/// Obeys one command, if one has come whole, and answers it in the recording. True if there was one. As `tband_obey`.
///
/// Context: one task, the idle hook or the main loop, never an interrupt. Looks at a bounded number of bytes; a command itself
/// takes as long as what it calls.
#[inline]
pub fn obey() -> bool {
    if_enabled!(crate::sys::tband_obey(), false)
}
