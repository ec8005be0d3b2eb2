//! Recording state of one core.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU16, AtomicU32, Ordering};

/// What the recorder keeps for each core; valid, and meaning "nothing recorded", when zero.
///
/// Written by its own core inside the critical section. Other cores write `at`, `limit` and `countdown`
/// while recording is off, `limit` to stop it, and read the rest once [`Recorder::core_finished`] says so.
/// Everything is atomic so that this is sound; all accesses are plain loads and stores.
///
/// [`Recorder::core_finished`]: crate::Recorder::core_finished
#[derive(Debug, Default)]
#[repr(C)]
pub struct CoreState {
    /// Snapshot: where the next frame goes. Streaming: the buffer in which frames are built.
    pub(crate) at: AtomicPtr<u8>,
    /// Snapshot: end of the buffer while recording; otherwise at or below `at`, so that nothing
    /// fits. External: not null once the core has had an event.
    pub(crate) limit: AtomicPtr<u8>,
    /// Events until a `dropped_evt_cnt` is due. From 0 it wraps, which is never.
    countdown: AtomicU32,
    /// Events of this core that were dropped.
    dropped: AtomicU32,
    /// Bytes in the metadata buffer.
    pub(crate) metadata_used: AtomicU32,
    /// Metadata events that found the metadata buffer full; stays at its maximum.
    metadata_dropped: AtomicU16,
    /// The core is inside an event (several cores only).
    busy: AtomicU8,
    reserved: u8,
}

impl CoreState {
    /// State before anything was recorded.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            at: AtomicPtr::new(ptr::null_mut()),
            limit: AtomicPtr::new(ptr::null_mut()),
            countdown: AtomicU32::new(0),
            dropped: AtomicU32::new(0),
            metadata_used: AtomicU32::new(0),
            metadata_dropped: AtomicU16::new(0),
            busy: AtomicU8::new(0),
            reserved: 0,
        }
    }

    /// Counts one event; `true` when a `dropped_evt_cnt` is due before it.
    #[inline(always)]
    pub(crate) fn count_event(&self) -> bool {
        let left = self.countdown.load(Ordering::Relaxed).wrapping_sub(1);
        self.countdown.store(left, Ordering::Relaxed);
        left == 0
    }

    /// Makes the next `dropped_evt_cnt` due before the next event.
    #[inline(always)]
    pub(crate) fn drop_cnt_due_now(&self) {
        self.countdown.store(1, Ordering::Relaxed);
    }

    /// At the start of a recording: the first `dropped_evt_cnt` is due at once if they are periodic or
    /// if there is something to tell.
    pub(crate) fn start_drop_cnt(&self, every: u32) {
        // One `or`: no branches at a start.
        let is_due = (every | self.dropped()) != 0;
        self.countdown.store(is_due.into(), Ordering::Relaxed);
    }

    /// Makes the next `dropped_evt_cnt` due after `events` events, the one at hand included; never if 0.
    #[inline(always)]
    pub(crate) fn drop_cnt_due_after(&self, events: u32) {
        self.countdown.store(events, Ordering::Relaxed);
    }

    /// Counts `events` dropped events and makes a `dropped_evt_cnt` due before the next event.
    pub(crate) fn count_dropped(&self, events: u32) {
        let dropped = self.dropped.load(Ordering::Relaxed).wrapping_add(events);
        self.dropped.store(dropped, Ordering::Relaxed);
        self.drop_cnt_due_now();
    }

    /// Events of this core that were dropped, modulo 2^32.
    #[must_use]
    pub fn dropped(&self) -> u32 {
        self.dropped.load(Ordering::Relaxed)
    }

    pub(crate) fn count_metadata_dropped(&self) {
        let dropped = self.metadata_dropped.load(Ordering::Relaxed).saturating_add(1);
        self.metadata_dropped.store(dropped, Ordering::Relaxed);
    }

    /// Metadata events that found the metadata buffer of this core full; stays at 65535.
    #[must_use]
    pub fn metadata_dropped(&self) -> u32 {
        self.metadata_dropped.load(Ordering::Relaxed).into()
    }

    /// Counts an event that is not recorded since it would begin inside another one of this core.
    pub fn refuse(&self, is_metadata: bool) {
        self.count_dropped(1);
        if is_metadata {
            self.count_metadata_dropped();
        }
    }

    /// Marks that this core is inside an event. The fence orders the mark before the check whether
    /// recording is on, against a core that stops recording and then looks for the mark.
    #[inline(always)]
    pub fn enter(&self) {
        self.busy.store(1, Ordering::Relaxed);
        core::sync::atomic::fence(Ordering::SeqCst);
    }

    /// Ends what [`enter`](Self::enter) began; what the event wrote is visible to whoever sees it.
    #[inline(always)]
    pub fn exit(&self) {
        self.busy.store(0, Ordering::Release);
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Acquire) != 0
    }
}
