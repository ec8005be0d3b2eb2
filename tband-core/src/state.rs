//! Recording state of one core.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU16, AtomicU32, Ordering};

/// Mark of a core that is not inside an event.
pub const IDLE: u8 = 0;
/// Mark of a core that looks whether recording is on.
pub const LOOKING: u8 = 1;
/// Mark of a core that is inside an event of a recording.
pub const INSIDE: u8 = 2;

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
    metadata_used: AtomicU16,
    /// Metadata events that found the metadata buffer full; stays at its maximum.
    metadata_dropped: AtomicU16,
    /// Where an entry or a gap begins in the metadata buffer, and most gaps are not in front of.
    metadata_gap: AtomicU16,
    /// Whether the core is inside an event (several cores only).
    mark: AtomicU8,
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
            metadata_used: AtomicU16::new(0),
            metadata_dropped: AtomicU16::new(0),
            metadata_gap: AtomicU16::new(0),
            mark: AtomicU8::new(IDLE),
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

    /// At the start of a recording that is as Tonbandgerät's: a count goes on where it is.
    pub(crate) fn go_on_with_drop_cnt(&self, every: u32) {
        if every == 0 || self.countdown.load(Ordering::Relaxed) == 0 {
            self.start_drop_cnt(every);
        }
    }

    /// Counts an event while nothing is recorded, as Tonbandgerät does: its periodic `dropped_evt_cnt`, after
    /// each `every` events, the first one before the first event since reset, goes nowhere meanwhile.
    ///
    /// Context: the critical section of this core.
    pub fn pass(&self, every: u32) {
        let is_first = self.countdown.load(Ordering::Relaxed) == 0;
        if self.count_event() || is_first {
            self.drop_cnt_due_after(every);
        }
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

    pub(crate) fn metadata_used(&self) -> u16 {
        self.metadata_used.load(Ordering::Acquire)
    }

    /// As `metadata_used`, for whoever may change it.
    pub(crate) fn own_metadata_used(&self) -> u16 {
        self.metadata_used.load(Ordering::Relaxed)
    }

    pub(crate) fn set_metadata_used(&self, bytes: u16) {
        self.metadata_used.store(bytes, Ordering::Release);
    }

    /// Ends the metadata buffer earlier. No reader has to see what was done before.
    pub(crate) fn shrink_metadata(&self, bytes: u16) {
        self.metadata_used.store(bytes, Ordering::Relaxed);
    }

    /// Where to look for a gap in the metadata buffer.
    pub(crate) fn metadata_gap(&self) -> u16 {
        self.metadata_gap.load(Ordering::Relaxed)
    }

    /// There is an entry or a gap from which on to look.
    pub(crate) fn set_metadata_gap(&self, at: u16) {
        self.metadata_gap.store(at, Ordering::Relaxed);
    }

    /// There is a gap.
    pub(crate) fn metadata_gap_is_at_most(&self, at: usize) {
        if at < self.metadata_gap().into() {
            self.set_metadata_gap(at as u16);
        }
    }

    /// Counts an event that found the metadata buffer full.
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

    /// Marks this core: [`IDLE`], [`LOOKING`] or [`INSIDE`]. With several cores only.
    pub(crate) fn set_mark(&self, mark: u8, order: Ordering) {
        self.mark.store(mark, order);
    }

    /// The core is inside an event, or looks whether recording is on.
    pub(crate) fn is_marked(&self) -> bool {
        self.mark.load(Ordering::Acquire) != IDLE
    }

    /// The core is inside an event; an acquiring fence has to follow. It looks for a few instructions only,
    /// with interrupts masked; then it is or is not.
    #[inline(always)]
    pub(crate) fn is_inside(&self) -> bool {
        let mut mark = LOOKING;
        while mark == LOOKING {
            mark = self.mark.load(Ordering::Relaxed);
        }
        mark != IDLE
    }
}
