//! Sources of a recording.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::args::sources;

/// How long a link waits for bytes before it checks whether to stop.
pub const PATIENCE: Duration = Duration::from_millis(100);

/// The message for a source that carries no commands.
pub fn no_commands_message() -> String {
    format!(
        "this source has no connection to the target: commands go over {}",
        sources::sources_with_commands()
    )
}

/// A request to end recording.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Ends the recording.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The recording is to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Result of a read from a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadResult {
    /// This many bytes.
    Bytes(usize),
    /// Nothing came for a while: [`PATIENCE`], or until there is other work.
    Nothing,
    /// The other side has ended.
    End,
}

/// A connection that delivers bytes. It cleans up when it is dropped.
pub trait Link {
    /// Reads the received bytes, or waits a little for some.
    ///
    /// # Errors
    /// The connection is broken.
    fn read(&mut self, buf: &mut [u8]) -> io::Result<ReadResult>;

    /// Sends bytes to the target: commands.
    ///
    /// # Errors
    /// The connection is broken, or cannot send.
    fn send(&mut self, _bytes: &[u8]) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, no_commands_message()))
    }

    /// Returns the level of the target's buffer at the last look, in per cent, if it is known and new.
    fn level(&mut self) -> Option<u8> {
        None
    }

    /// Returns a warning about the connection, each kind once.
    fn warning(&mut self) -> Option<String> {
        None
    }
}

/// Where connections come from, again and again.
pub trait Source: Send {
    /// Returns its name, for messages.
    fn name(&self) -> String;

    /// Opens a connection; returns `None` if `stop` was set before there was one.
    ///
    /// # Errors
    /// There is none: the text contains the cause and the remedy.
    fn open(&mut self, stop: &StopFlag) -> anyhow::Result<Option<Box<dyn Link>>>;

    /// It can be opened again when it has ended.
    fn can_return(&self) -> bool {
        true
    }

    /// It will be opened again when it has ended: a connection may make room for the next one.
    fn expect_reopening(&mut self) {}
}

/// Where to listen: a port, on all addresses of this machine, or ADDRESS:PORT.
pub fn listen_address(text: &str) -> String {
    if text.contains(':') { text.to_owned() } else { format!("0.0.0.0:{text}") }
}

/// Converts the result of sending. A broken pipe usually means our own output, but here the other side has gone.
pub fn sent<T>(sent: io::Result<T>) -> io::Result<T> {
    sent.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => {
            io::Error::new(io::ErrorKind::ConnectionReset, "the other side has closed it")
        }
        _ => error,
    })
}

/// Converts the result of a read that waits no longer than [`PATIENCE`].
pub fn read_result(read: io::Result<usize>) -> io::Result<ReadResult> {
    match read {
        Ok(0) => Ok(ReadResult::End),
        Ok(len) => Ok(ReadResult::Bytes(len)),
        Err(error) => match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => {
                Ok(ReadResult::Nothing)
            }
            _ => Err(error),
        },
    }
}
