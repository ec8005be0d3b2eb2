//! What a recording comes from.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::args::sources;

/// How long a link waits for bytes before it looks whether it is to stop.
pub const PATIENCE: Duration = Duration::from_millis(100);

/// What is said of a source that commands do not go by.
pub fn no_way() -> String {
    format!("there is no way to the target: commands go over {}", sources::with_a_way())
}

/// Says that recording is to end.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the recording.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The recording is to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a link gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Got {
    /// So many bytes.
    Bytes(usize),
    /// Nothing came for a while: [`PATIENCE`], or as much as there is to do meanwhile.
    Nothing,
    /// The other side has ended.
    End,
}

/// A connection that bytes come from. What it has to put right at the end, it does when it is dropped.
pub trait Link {
    /// Reads what has come, or waits a little for it.
    ///
    /// # Errors
    /// The connection is broken.
    fn read(&mut self, buf: &mut [u8]) -> io::Result<Got>;

    /// Sends bytes to the target: commands.
    ///
    /// # Errors
    /// The connection is broken, or has no way there.
    fn send(&mut self, _bytes: &[u8]) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, no_way()))
    }

    /// How full the target's buffer was at the last look, in per cent, if that is seen and news.
    fn level(&mut self) -> Option<u8> {
        None
    }

    /// What the user has to know about the connection, each thing once.
    fn warning(&mut self) -> Option<String> {
        None
    }
}

/// Where connections come from, again and again.
pub trait Source: Send {
    /// What it is, for messages.
    fn name(&self) -> String;

    /// A connection; `None` if `stop` was set before there was one.
    ///
    /// # Errors
    /// There is none: the text says what was found, and what to do.
    fn open(&mut self, stop: &Stop) -> anyhow::Result<Option<Box<dyn Link>>>;

    /// It can be opened again when it has ended.
    fn can_return(&self) -> bool {
        true
    }

    /// It will be opened again when it has ended: a connection may make room for the next one.
    fn returns(&mut self) {}
}

/// Where to listen: a port, on all addresses of this machine, or ADDRESS:PORT.
pub fn listens_at(text: &str) -> String {
    if text.contains(':') { text.to_owned() } else { format!("0.0.0.0:{text}") }
}

/// What sending came to. A pipe that is broken is our own output: here it is the other side that has gone.
pub fn sent<T>(sent: io::Result<T>) -> io::Result<T> {
    sent.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => {
            io::Error::new(io::ErrorKind::ConnectionReset, "the other side has closed it")
        }
        _ => error,
    })
}

/// What a read came to that waits no longer than [`PATIENCE`].
pub fn got(read: io::Result<usize>) -> io::Result<Got> {
    match read {
        Ok(0) => Ok(Got::End),
        Ok(len) => Ok(Got::Bytes(len)),
        Err(error) => match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => {
                Ok(Got::Nothing)
            }
            _ => Err(error),
        },
    }
}
