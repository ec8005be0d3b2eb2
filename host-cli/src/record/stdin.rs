//! The bytes of another program: stdin.

use std::io::{self, Read};

use super::source::{Link, ReadResult, Source, StopFlag, read_result};

/// stdin.
pub struct Stdin;

impl Source for Stdin {
    fn name(&self) -> String {
        "stdin".to_owned()
    }

    fn open(&mut self, _: &StopFlag) -> anyhow::Result<Option<Box<dyn Link>>> {
        Ok(Some(Box::new(Self)))
    }

    fn can_return(&self) -> bool {
        false
    }
}

impl Link for Stdin {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<ReadResult> {
        if !has_input()? {
            return Ok(ReadResult::Nothing);
        }
        read_result(io::stdin().lock().read(buf))
    }
}

/// Something can be read, or it has ended; waits a little for that.
#[cfg(unix)]
fn has_input() -> io::Result<bool> {
    let wait = i32::try_from(super::source::PATIENCE.as_millis()).unwrap_or(i32::MAX);
    let mut stdin = libc::pollfd { fd: libc::STDIN_FILENO, events: libc::POLLIN, revents: 0 };
    // SAFETY: one element, which lives as long as the call.
    let ready = unsafe { libc::poll(&raw mut stdin, 1, wait) };
    match ready {
        0 => Ok(false),
        1.. => Ok(true),
        _ => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::Interrupted => Ok(false),
            error => Err(error),
        },
    }
}

/// The system cannot report it: the reader blocks, and the program still ends.
#[cfg(not(unix))]
fn has_input() -> io::Result<bool> {
    Ok(true)
}
