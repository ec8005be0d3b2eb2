//! A table as a stream of batches, which a thread reads out of the recording.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, ThreadId};
use std::{io, process};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyRuntimeError;
use pyo3::{ffi, prelude::*};
use tband_tables::{TableSchema, convert_to_rows};

use crate::arrow::schema;
use crate::batches::Batches;
use crate::failure::Failure;
use crate::source::{Source, StopFlag};
use crate::work::{ENDED, LOOK, start, wait};

/// Batches that are ready and not taken yet; the thread waits with one more, and gathers none.
const READY: usize = 1;

/// What the thread has.
enum Part {
    Batch(RecordBatch),
    Failed(Failure),
    End,
}

/// The batches of a table. The thread ends when this is gone.
pub struct Stream {
    schema: SchemaRef,
    /// The part that came while it was opened.
    first: Option<Part>,
    from: Receiver<Part>,
    stop: StopFlag,
    /// The process and thread that opened it, which may check for signals: that thread has Python's lock, or can get it.
    /// Another thread may be waited for by a holder of the lock.
    opened_by: (u32, ThreadId),
    ended: bool,
}

impl Stream {
    /// Begins to read, and waits for the first batch; so what cannot be read is an exception here.
    pub fn open(
        py: Python<'_>,
        source: &Arc<Source>,
        table: &'static TableSchema,
    ) -> PyResult<Self> {
        let stop = StopFlag::default();
        let (give, from) = mpsc::sync_channel(READY);
        let (source, seen) = (Arc::clone(source), StopFlag::clone(&stop));
        start(move || {
            let batches = give.clone();
            let batch = Box::new(move |batch| {
                batches
                    .send(Part::Batch(batch))
                    .map_or(ControlFlow::Break(()), ControlFlow::Continue)
            });
            let end = match read(&source, &seen, Batches::new(table, batch), table) {
                Ok(()) => Part::End,
                Err(failure) => Part::Failed(failure),
            };
            // The receiver may be gone.
            let _ = give.send(end);
        })?;
        let opened_by = (process::id(), thread::current().id());
        let waited = wait(py, from).inspect_err(|_| stop.store(true, Ordering::Relaxed));
        let (from, first) = waited?;
        match first {
            Some(Part::Failed(failure)) => Err(failure.raise(py)),
            Some(first) => Ok(Self {
                schema: schema(table),
                first: Some(first),
                from,
                stop,
                opened_by,
                ended: false,
            }),
            None => Err(PyRuntimeError::new_err(ENDED)),
        }
    }

    /// Returns the next part, or why there is none.
    fn part(&mut self) -> Result<Part, String> {
        if let Some(first) = self.first.take() {
            return Ok(first);
        }
        let (process, opened_by) = self.opened_by;
        if process != process::id() {
            return Err(
                "the table is being read by another process: open it in this one".to_owned()
            );
        }
        loop {
            let got = self.from.recv_timeout(LOOK);
            // Also while batches are read: a library takes all of them before Python checks for signals itself.
            if thread::current().id() == opened_by {
                signals()?;
            }
            match got {
                Ok(part) => return Ok(part),
                Err(RecvTimeoutError::Disconnected) => return Err(ENDED.to_owned()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// Reads a table; each of its rows goes to `batches`.
fn read(
    source: &Source,
    stop: &StopFlag,
    batches: Batches,
    table: &TableSchema,
) -> Result<(), Failure> {
    let inputs = source.inputs(stop)?;
    let mut batches = Some(batches);
    let mut create = |schema: &'static TableSchema| {
        Ok::<_, io::Error>(if schema.name == table.name { batches.take() } else { None })
    };
    convert_to_rows(&inputs, &source.options()?, &source.about(), &mut create)?;
    Ok(())
}

thread_local! {
    /// The exception that a signal has raised while a stream was read. The package that reads the stream replaces it by its
    /// own.
    static RAISED: Cell<Option<PyErr>> = const { Cell::new(None) };
}

/// What a signal has raised while this thread read a stream, if one has since this was asked last.
pub fn raised() -> Option<PyErr> {
    RAISED.take()
}

/// Looks for signals, in the thread that has opened the stream.
fn signals() -> Result<(), String> {
    // The reader may have released Python's lock without PyO3, which then takes it for held where Rust has called Python:
    // so Python itself is asked for it.
    // SAFETY: the interpreter runs, since this thread is in a call of Python; any thread may ask for the lock, which is
    // given back below, after the last use of `py`.
    unsafe {
        let lock = ffi::PyGILState_Ensure();
        let py = Python::assume_attached();
        let looked = py.check_signals();
        let looked = looked.map_err(|error| {
            let text = format!("interrupted by a signal: {error}");
            RAISED.set(Some(error));
            text
        });
        ffi::PyGILState_Release(lock);
        looked
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let text = match self.part() {
            Ok(Part::Batch(batch)) => return Some(Ok(batch)),
            Ok(Part::End) => {
                self.ended = true;
                return None;
            }
            Ok(Part::Failed(failure)) => failure.text().to_owned(),
            Err(text) => text,
        };
        self.ended = true;
        self.stop.store(true, Ordering::Relaxed);
        Some(Err(ArrowError::IoError(text.clone(), io::Error::other(text))))
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
