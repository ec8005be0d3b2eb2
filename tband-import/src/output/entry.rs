//! Entries that have no record of their own.

use tband_format::decode::Decoded;

use crate::gaps::{Break, ReportedLoss};

/// The content of an entry.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// An event that does not fit a record: its place or time is far from that of the entry before, its text is long, or its id
    /// has no fixed form. [`Output::event`](super::Output::event) returns it with its text.
    Event(Decoded<'static>),
    /// There is a break.
    Break(Break),
    /// Events, or packets, are missing.
    Lost(ReportedLoss),
}

/// An event that does not fit a record, or a break.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The content.
    pub content: Content,
    /// Its core.
    pub core: u32,
    /// Offset in bytes from the start of the part that was read. It is negative if the importer kept earlier bytes.
    pub at: i64,
    /// Bytes that it has in the file.
    pub len: u32,
    /// Start and length of its text.
    pub(super) text: (usize, usize),
}
