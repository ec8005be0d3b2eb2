//! What who takes packets keeps.

use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering};

/// What the reader keeps; valid when zero.
///
/// Of its own it changes everything; a start of recording may ask for the metadata. That of a snapshot does not touch it, so
/// that firmware which takes no packets has none.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Reader {
    /// What was sent of the metadata.
    pub(crate) sent: Sent,
    /// Bytes of the packet at hand that were read.
    pub(crate) read: AtomicU16,
    /// Core of the packet at hand, or of the last one.
    pub(crate) turn: AtomicU8,
    /// Whether there is a packet at hand: [`NONE`] and following.
    pub(crate) hand: AtomicU8,
}

/// What was sent of the metadata; valid when zero: it is not to be sent.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Sent {
    /// How often the metadata had changed when the last packet of it was written.
    pub(crate) changes: AtomicU32,
    /// Where in a core's metadata the next packet of it begins.
    pub(crate) offset: AtomicU16,
    /// Sequence number of the next packet of metadata.
    pub(crate) sequence: AtomicU16,
    /// Packets since the metadata was sent.
    pub(crate) since: AtomicU16,
    /// Of which core that is, counted from 1; [`NOTHING`]: what the recording says of itself comes first; [`ALL`]: there is
    /// nothing to be sent.
    pub(crate) core: AtomicU8,
    /// How often that began anew with a table, since it had changed.
    pub(crate) restarts: AtomicU8,
}

/// In `Sent::core`: nothing was sent yet.
pub(crate) const NOTHING: u8 = 0xFF;
/// In `Sent::core`: all was sent.
pub(crate) const ALL: u8 = 0;

/// There is no packet at hand.
pub(crate) const NONE: u8 = 0;
/// The packet at hand is to be sent.
pub(crate) const TAKEN: u8 = 1;
/// The slot of a packet that was sent is kept, for metadata.
pub(crate) const KEPT: u8 = 2;
/// As `KEPT`, and there is metadata in it that is to be sent.
pub(crate) const METADATA: u8 = 3;

impl Sent {
    /// All was sent.
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

    /// Nothing was sent of what a recording begins with.
    pub(crate) fn nothing() -> Self {
        let sent = Self::new();
        sent.core.store(NOTHING, Ordering::Relaxed);
        sent
    }

    /// It goes on there, see [`core`](Self::core), after what a start has written.
    pub(crate) fn go_on_with(&self, core: u8) {
        self.core.store(core, Ordering::Relaxed);
        self.offset.store(0, Ordering::Relaxed);
        self.restarts.store(0, Ordering::Relaxed);
    }
}

impl Reader {
    /// State before anything was taken.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            sent: Sent::new(),
            read: AtomicU16::new(0),
            turn: AtomicU8::new(0),
            hand: AtomicU8::new(NONE),
        }
    }

    /// The metadata is to be sent, from its begin.
    pub(crate) fn ask_for_metadata(&self) {
        self.sent.core.store(NOTHING, Ordering::Relaxed);
    }

    /// The metadata of a recording is to be sent: a sequence that begins anew says that it starts here.
    pub(crate) fn begin_metadata(&self) {
        self.sent.sequence.store(0, Ordering::Relaxed);
        self.ask_for_metadata();
    }

    /// Some of the metadata is to be sent, or all of it.
    pub(crate) fn is_metadata_due(&self) -> bool {
        self.sent.core.load(Ordering::Relaxed) != ALL
    }

    /// What is at hand is no more.
    pub(crate) fn let_go(&self) {
        self.set_hand(NONE);
        self.read.store(0, Ordering::Relaxed);
    }

    pub(crate) fn hand(&self) -> u8 {
        self.hand.load(Ordering::Relaxed)
    }

    pub(crate) fn set_hand(&self, hand: u8) {
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
