//! Work in a separate thread, which a signal ends.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::source::StopFlag;

/// How long a thread waits at most before it looks whether the user has pressed Ctrl-C.
pub const LOOK: Duration = Duration::from_millis(50);

/// The thread has ended without a result, which it never does unless it panics.
pub const ENDED: &str = "reading has ended early, which is a mistake in tband: please report it";

/// Waits for something of a thread, without Python's lock; `None` if nothing more comes.
pub fn wait<T: Send>(py: Python<'_>, mut from: Receiver<T>) -> PyResult<(Receiver<T>, Option<T>)> {
    loop {
        let (back, got) = py.detach(move || {
            let got = from.recv_timeout(LOOK);
            (from, got)
        });
        from = back;
        match got {
            Ok(it) => {
                // Under load, nothing else checks for signals.
                py.check_signals()?;
                return Ok((from, Some(it)));
            }
            Err(RecvTimeoutError::Disconnected) => return Ok((from, None)),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}

/// Does something that reads recordings.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&StopFlag) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let stop = StopFlag::default();
    let (done, from) = mpsc::channel();
    let seen = StopFlag::clone(&stop);
    start(move || {
        // The receiver may be gone.
        let _ = done.send(work(&seen));
    })?;
    let waited = wait(py, from);
    stop.store(true, Ordering::Relaxed);
    match waited?.1 {
        Some(done) => done.map_err(|failure| failure.raise(py)),
        None => Err(PyRuntimeError::new_err(ENDED)),
    }
}

/// Starts a thread.
pub fn start(work: impl FnOnce() + Send + 'static) -> PyResult<()> {
    thread::Builder::new().name("tband".to_owned()).spawn(work)?;
    Ok(())
}
