//! What waits in a lane: events, and what was found between them.

use crate::diagnostics::Problem;

/// What a queued record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// An event with a timestamp; the bytes are its payload.
    Timed,
    /// A metadata event; the bytes are its payload.
    Metadata,
    /// An event that changes nothing; the bytes are its payload. Queued only if every event is to be reported.
    Silent,
    /// A finding; the bytes are its text.
    Finding(Problem),
    /// Packets or events are missing; the bytes are those of [`Missing`](crate::Missing).
    Missing,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub ticks: u64,
    pub offset: u64,
    pub len: u32,
    pub kind: RecordKind,
}

/// A record at the front of a lane.
#[derive(Clone, Copy, Debug)]
pub struct Popped<'a> {
    /// Time in ticks, put right.
    pub ticks: u64,
    /// Offset of the frame in the recording.
    pub offset: u64,
    /// What it is.
    pub kind: RecordKind,
    /// Its bytes.
    pub bytes: &'a [u8],
}
