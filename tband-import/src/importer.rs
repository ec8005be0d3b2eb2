//! The interface of importers.

use std::fmt;

use crate::output::Output;

/// Reads one foreign format.
pub trait Importer: fmt::Debug {
    /// Decodes `bytes`, the next bytes of the recording, and appends its events to `out`. Returns the number of bytes that it
    /// consumed; 0 if it needs more of them, or if it has appended entries and has to be called again with the same
    /// bytes. It may read several records in a call while the output [has room](Output::has_room), and [ends](Output::end_record) all
    /// but the last one of them itself.
    ///
    /// It consumes bytes in each call with 64 KiB or with the end of the recording (`at_end`), unless `bytes` is empty.
    /// One call appends a bounded number of entries.
    fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize;

    /// Appends the entries that wait for more of the recording, which has ended. It is called once, after all bytes.
    fn finish(&mut self, out: &mut Output) {
        let _ = out;
    }

    /// Zeros with which a recording may begin, at most.
    fn leading_zeros(&self) -> usize {
        0
    }

    /// Bytes of a text in front of the recording that belong to another file.
    fn preamble(&self) -> u64 {
        0
    }

    /// The recordings of the other cores contain the wake-ups of this core too.
    fn shares_wakes(&self) -> bool {
        false
    }

    /// Facts about the recording so far.
    fn about(&self) -> ForeignRecording;
}

/// What `check` reports about a foreign recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForeignRecording {
    /// The format, such as "SEGGER SystemView".
    pub format: String,
    /// The recorder, its version, the application: what the recording contains of them.
    pub recorder: String,
    /// Data that the importer inferred, one sentence each.
    pub inferred: Vec<String>,
    /// Data that the source does not record, one sentence each.
    pub not_recorded: Vec<String>,
}
