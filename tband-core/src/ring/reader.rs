//! What who takes packets keeps.

use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU16, AtomicU32, Ordering};

/// What the reader keeps; valid when zero.
///
/// Of its own it changes everything; a start of recording may ask for the metadata.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Reader {
    /// Where the next frame of metadata goes.
    pub(crate) at: AtomicPtr<u8>,
    /// How often the metadata had changed when the last packet of it was written.
    pub(crate) changes: AtomicU32,
    /// Where in a core's metadata the next packet of it begins.
    pub(crate) offset: AtomicU16,
    /// Of which core; 0xFF: what the recording says of itself comes first.
    pub(crate) core: AtomicU8,
    /// How far the metadata is to be sent: [`IDLE`], [`DUE`], [`SENDING`].
    pub(crate) metadata: AtomicU8,
    /// Lower half of the address where that packet's content ends at the latest: see [`room`](Self::room).
    end: AtomicU16,
    /// How often that began anew with a table, since it had changed.
    pub(crate) restarts: AtomicU8,
    /// Sequence number of the next packet of metadata.
    pub(crate) sequence: AtomicU16,
    /// Packets since the metadata was sent.
    pub(crate) since: AtomicU16,
    /// Bytes of the packet at hand that were read.
    pub(crate) read: AtomicU16,
    /// Core of the packet at hand, or of the last one.
    pub(crate) turn: AtomicU8,
    /// Whether there is a packet at hand: [`NONE`] and following.
    pub(crate) hand: AtomicU8,
}

/// The metadata is not to be sent.
pub(crate) const IDLE: u8 = 0;
/// It is to be sent from its begin.
const DUE: u8 = 1;
/// Some of it was sent.
pub(crate) const SENDING: u8 = 2;

/// There is no packet at hand.
pub(crate) const NONE: u8 = 0;
/// The packet at hand is to be sent.
pub(crate) const TAKEN: u8 = 1;
/// The slot of a packet that was sent is kept, for metadata.
pub(crate) const KEPT: u8 = 2;
/// As `KEPT`, and there is metadata in it that is to be sent.
pub(crate) const METADATA: u8 = 3;

impl Reader {
    /// The metadata is to be sent, from its begin.
    pub(crate) fn ask_for_metadata(&self) {
        self.metadata.store(DUE, Ordering::Relaxed);
    }

    /// The metadata of a recording is to be sent: a sequence that begins anew says that it starts here.
    pub(crate) fn begin_metadata(&self) {
        self.sequence.store(0, Ordering::Relaxed);
        self.ask_for_metadata();
    }

    /// A packet of metadata begins, whose frames go to `at`, with `room` bytes of them at most: fewer than 65536.
    pub(crate) fn begin_frames(&self, at: *mut u8, room: usize) {
        self.at.store(at, Ordering::Relaxed);
        self.end.store(at.wrapping_add(room) as usize as u16, Ordering::Relaxed);
    }

    /// Bytes from `at`, a place in the packet of metadata, to where its content ends at the latest.
    #[inline(always)]
    pub(crate) fn room(&self, at: *mut u8) -> usize {
        self.end.load(Ordering::Relaxed).wrapping_sub(at as usize as u16).into()
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
