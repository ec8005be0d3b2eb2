//! The state of the consumer of packets.

use crate::atomics::{AtomicU8, AtomicU16, AtomicU32, Ordering};

/// The reader's state; valid when zero.
///
/// Only the reader changes it, except that a start of recording may request the metadata. The start of a snapshot does not
/// touch it, so that firmware without a consumer needs none.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Reader {
    /// How much of the metadata was sent.
    pub(crate) sent: MetadataProgress,
    /// Bytes of the packet at hand that were read.
    pub(crate) read: AtomicU16,
    /// Core of the packet at hand, or of the last one.
    pub(crate) turn: AtomicU8,
    /// State of the packet at hand: [`NONE`] and following.
    pub(crate) hand: AtomicU8,
}

/// How much of the metadata was sent. Valid when zero: none is to be sent.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct MetadataProgress {
    /// Count of the metadata's changes when its last packet was written.
    pub(crate) changes: AtomicU32,
    /// Offset in a core's metadata where its next packet begins.
    pub(crate) offset: AtomicU16,
    /// Sequence number of the next packet of metadata.
    pub(crate) sequence: AtomicU16,
    /// Packets since the metadata was sent.
    pub(crate) since: AtomicU16,
    /// The core of that table, counted from 1. [`NOTHING`]: the information about the recording comes first. [`ALL`]:
    /// nothing is to be sent.
    pub(crate) core: AtomicU8,
    /// How often the table was restarted because it had changed.
    pub(crate) restarts: AtomicU8,
}

/// In `MetadataProgress::core`: nothing was sent yet.
pub(crate) const NOTHING: u8 = 0xFF;
/// In `MetadataProgress::core`: all was sent.
pub(crate) const ALL: u8 = 0;

/// No packet is at hand.
pub(crate) const NONE: u8 = 0;
/// The packet at hand must be sent.
pub(crate) const TAKEN: u8 = 1;
/// The slot of a packet that was sent is reserved for metadata.
pub(crate) const KEPT: u8 = 2;
/// Like `KEPT`, with metadata in it that must be sent.
pub(crate) const METADATA: u8 = 3;

impl MetadataProgress {
    /// Returns the state in which all metadata was sent.
    pub const fn new() -> Self {
        Self {
            changes: AtomicU32::new(0),
            offset: AtomicU16::new(0),
            sequence: AtomicU16::new(0),
            since: AtomicU16::new(0),
            core: AtomicU8::new(ALL),
            restarts: AtomicU8::new(0),
        }
    }

    /// Returns the state before any metadata at the start of a recording was sent.
    pub(crate) fn nothing() -> Self {
        let sent = Self::new();
        sent.core.store(NOTHING, Ordering::Relaxed);
        sent
    }

    /// Continues there, see [`core`](Self::core), after the metadata that a start has written.
    pub(crate) fn continue_with_core(&self, core: u8) {
        self.core.store(core, Ordering::Relaxed);
        self.offset.store(0, Ordering::Relaxed);
        self.restarts.store(0, Ordering::Relaxed);
    }
}

impl Reader {
    /// Returns the state before anything was taken.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            sent: MetadataProgress::new(),
            read: AtomicU16::new(0),
            turn: AtomicU8::new(0),
            hand: AtomicU8::new(NONE),
        }
    }

    /// Requests the metadata, from its begin.
    pub(crate) fn ask_for_metadata(&self) {
        self.sent.core.store(NOTHING, Ordering::Relaxed);
    }

    /// Requests the metadata of a recording: a sequence number that restarts marks the start of a recording.
    pub(crate) fn begin_metadata(&self) {
        self.sent.sequence.store(0, Ordering::Relaxed);
        self.ask_for_metadata();
    }

    /// Returns whether metadata must be sent, some or all of it.
    pub(crate) fn is_metadata_due(&self) -> bool {
        self.sent.core.load(Ordering::Relaxed) != ALL
    }

    /// Discards the packet at hand.
    pub(crate) fn discard_current(&self) {
        self.set_current(NONE);
        self.read.store(0, Ordering::Relaxed);
    }

    pub(crate) fn current(&self) -> u8 {
        self.hand.load(Ordering::Relaxed)
    }

    pub(crate) fn set_current(&self, hand: u8) {
        self.hand.store(hand, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use core::mem::offset_of;

    use super::*;

    #[test]
    fn who_looks_at_the_memory_finds_what_is_at_hand() {
        // In port/tband.gdb and host-cli/src/target/live.rs.
        assert_eq!((offset_of!(Reader, turn), offset_of!(Reader, hand)), (14, 15));
        assert_eq!((NONE, TAKEN, KEPT, METADATA), (0, 1, 2, 3));
        assert_eq!(size_of::<Reader>(), 16);
    }
}
