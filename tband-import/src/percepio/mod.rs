//! Percepio TraceRecorder: streams (PSF), dumps of its ring buffer, classic snapshots.

mod recognise;

pub use recognise::recognise;
