//! The recording's output file, which the POSIX port writes: `port/POSIX_FREERTOS/tband_posix.h`.

use std::ffi::{CString, c_char, c_int};
use std::io;

unsafe extern "C" {
    fn tband_posix_open(path: *const c_char) -> c_int;
    safe fn tband_posix_flush() -> c_int;
    safe fn tband_posix_close() -> c_int;
    safe fn tband_posix_refused_frames() -> u32;
}

fn result(negated_errno: c_int) -> io::Result<()> {
    match negated_errno {
        0 => Ok(()),
        code => Err(io::Error::from_raw_os_error(-code)),
    }
}

/// Creates the file, or empties it. Before the recording starts.
pub fn open(path: &str) -> io::Result<()> {
    let path = CString::new(path)?;
    // SAFETY: a C string, which is used during the call only.
    result(unsafe { tband_posix_open(path.as_ptr()) })
}

/// Writes the buffered bytes, while nothing records.
pub fn flush() -> io::Result<()> {
    result(tband_posix_flush())
}

/// Writes the buffered bytes and closes the file. Call it after the recording was stopped.
pub fn close() -> io::Result<()> {
    result(tband_posix_close())
}

/// Frames that the file did not take.
pub fn refused_frames() -> u32 {
    tband_posix_refused_frames()
}
