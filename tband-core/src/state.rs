//! Recording state of one core.

use crate::atomics::{AtomicPtr, AtomicU8, AtomicU16, AtomicU32, Ordering};
use core::ptr;

/// Mark of a core that is not inside an event.
pub const IDLE: u8 = 0;
/// Mark of a core that is testing whether recording is on.
pub const LOOKING: u8 = 1;
/// Mark of a core that is inside an event of a recording.
pub const INSIDE: u8 = 2;

/// The recorder's state of each core. When zero it is valid, and means "nothing recorded".
///
/// Written by its own core inside the critical section. Other cores write `at`, `limit` and `countdown` while recording
/// is off, write `limit` to stop it, and read the rest once [`Recorder::core_finished`] returns true. All fields are
/// atomic so that this is sound; all accesses are plain loads and stores.
///
/// [`Recorder::core_finished`]: crate::Recorder::core_finished
#[derive(Debug, Default)]
#[repr(C)]
pub struct CoreState {
    /// Snapshot: address of the next frame. Streaming: the buffer in which frames are built. Packets: the slot of the
    /// open packet; if none is open, that of [none](crate::ring::Tail::no_slot), or null before the first start.
    pub(crate) at: AtomicPtr<u8>,
    /// Snapshot: end of the buffer while recording; otherwise at or below `at`, so that nothing fits. External: not null
    /// once the core has had an event. Packets: a fixed distance in front of the tail of the open packet; while recording
    /// is off or no packet is open, of a placeholder where nothing fits.
    pub(crate) limit: AtomicPtr<u8>,
    /// Frames: events until a `dropped_evt_cnt` is due. From 0 it wraps, which is never. Packets: when the last event was
    /// discarded that no packet reports, see `discarded_at`.
    countdown: AtomicU32,
    /// Events of this core that were dropped.
    dropped: AtomicU32,
    /// Twice the number of stores and moves in the metadata buffer, modulo 2^32.
    metadata_changes: AtomicU32,
    /// Bytes in the metadata buffer.
    metadata_used: AtomicU16,
    /// Metadata events that did not fit into the metadata buffer; saturates.
    metadata_dropped: AtomicU16,
    /// Offset of a gap in the metadata buffer, or of its end: the next entry is tried there.
    metadata_gap: AtomicU16,
    /// Whether the core is inside an event (several cores only).
    mark: AtomicU8,
    /// 1 once an entry was removed from the metadata buffer since its gaps were closed.
    metadata_has_gaps: AtomicU8,
    /// Bytes of metadata that were dropped since an object was deleted.
    metadata_missing: AtomicU16,
    /// Required size of the metadata buffer, if an event was dropped.
    metadata_needed: AtomicU16,
}

impl CoreState {
    /// Offset of the limit in the state, in bytes: with packets the shim reads it.
    pub const LIMIT: usize = core::mem::offset_of!(Self, limit);

    /// Offset of the count of dropped events in the state, in bytes: the shim excludes the recorder's own events from it.
    pub const DROPPED: usize = core::mem::offset_of!(Self, dropped);

    /// Returns the state before anything was recorded.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            at: AtomicPtr::new(ptr::null_mut()),
            limit: AtomicPtr::new(ptr::null_mut()),
            countdown: AtomicU32::new(0),
            dropped: AtomicU32::new(0),
            metadata_changes: AtomicU32::new(0),
            metadata_used: AtomicU16::new(0),
            metadata_dropped: AtomicU16::new(0),
            metadata_gap: AtomicU16::new(0),
            mark: AtomicU8::new(IDLE),
            metadata_has_gaps: AtomicU8::new(0),
            metadata_missing: AtomicU16::new(0),
            metadata_needed: AtomicU16::new(0),
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
    /// if there is something to report.
    pub(crate) fn start_drop_cnt(&self, every: u32) {
        // One `or`: no branches at a start.
        let is_due = (every | self.dropped()) != 0;
        self.countdown.store(is_due.into(), Ordering::Relaxed);
    }

    /// At the start of a recording in Tonbandgerät's way: a running count continues.
    pub(crate) fn continue_drop_cnt(&self, every: u32) {
        if every == 0 || self.countdown.load(Ordering::Relaxed) == 0 {
            self.start_drop_cnt(every);
        }
    }

    /// Counts an event while recording is off, as Tonbandgerät does: its periodic `dropped_evt_cnt`, sent after each
    /// `every` events, and first before the first event since reset, is not sent while recording is off.
    ///
    /// Context: the critical section of this core.
    pub fn pass(&self, every: u32) {
        let is_first = self.countdown.load(Ordering::Relaxed) == 0;
        if self.count_event() || is_first {
            self.drop_cnt_due_after(every);
        }
    }

    /// Makes the next `dropped_evt_cnt` due after `events` events, including the current one; never if 0.
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

    /// Counts an event that is in no packet.
    pub(crate) fn count_discarded(&self) {
        self.count_all_discarded(1);
    }

    /// Like [`count_discarded`](Self::count_discarded), for `events` events.
    pub(crate) fn count_all_discarded(&self, events: u32) {
        self.dropped.store(self.dropped().wrapping_add(events), Ordering::Relaxed);
    }

    /// While no packet is open: returns the lower half of the time when this core's last event did not fit, or was
    /// refused, or one tick later; 0 if that was in a packet. With packets only.
    pub(crate) fn discarded_at(&self) -> u32 {
        self.countdown.load(Ordering::Relaxed)
    }

    /// With several cores, while a packet is open: sets the address of its first event. It shares the field of
    /// [`discarded_at`](Self::discarded_at), which is unused then.
    pub(crate) fn set_opened_at(&self, place: *mut u8) {
        self.countdown.store(place as usize as u32, Ordering::Relaxed);
    }

    /// Returns whether the packet was opened at this address: see [`set_opened_at`](Self::set_opened_at).
    pub(crate) fn was_opened_at(&self, place: *mut u8) -> bool {
        self.countdown.load(Ordering::Relaxed) == place as usize as u32
    }

    pub(crate) fn set_discarded_at(&self, time: u32) {
        self.countdown.store(time, Ordering::Relaxed);
    }

    /// Like [`refuse`](Self::refuse), with packets.
    pub fn discard(&self, is_metadata: bool) {
        self.count_discarded();
        if is_metadata {
            self.count_metadata_dropped();
        }
    }

    /// Returns the number of events of this core that were dropped, modulo 2^32.
    #[must_use]
    pub fn dropped(&self) -> u32 {
        self.dropped.load(Ordering::Relaxed)
    }

    pub(crate) fn metadata_used(&self) -> u16 {
        self.metadata_used.load(Ordering::Acquire)
    }

    /// Like `metadata_used`, for the code that may change it.
    pub(crate) fn own_metadata_used(&self) -> u16 {
        self.metadata_used.load(Ordering::Relaxed)
    }

    pub(crate) fn set_metadata_used(&self, bytes: u16) {
        self.metadata_used.store(bytes, Ordering::Release);
    }

    /// Returns twice the number of stores and moves in the metadata buffer, modulo 2^32.
    pub(crate) fn metadata_changes(&self) -> u32 {
        self.metadata_changes.load(Ordering::Relaxed)
    }

    /// Counts a store or a move in the metadata buffer.
    pub(crate) fn count_metadata_change(&self) {
        let changes = self.metadata_changes().wrapping_add(2);
        self.metadata_changes.store(changes, Ordering::Relaxed);
    }

    /// Returns the offset in the metadata buffer where the next entry is tried first.
    pub(crate) fn metadata_gap(&self) -> u16 {
        self.metadata_gap.load(Ordering::Relaxed)
    }

    pub(crate) fn set_metadata_gap(&self, at: u16) {
        self.metadata_gap.store(at, Ordering::Relaxed);
    }

    /// Notes a gap.
    #[inline(always)]
    pub(crate) fn metadata_gap_at(&self, at: usize) {
        self.metadata_has_gaps.store(1, Ordering::Relaxed);
        if at < self.metadata_gap().into() {
            self.set_metadata_gap(at as u16);
        }
    }

    /// Returns whether there may be gaps in the metadata buffer.
    pub(crate) fn has_metadata_gaps(&self) -> bool {
        self.metadata_has_gaps.load(Ordering::Relaxed) != 0
    }

    /// Sets the end of the metadata buffer, and marks it as without gaps. No ordering is needed: no reader depends on
    /// earlier stores.
    #[inline(always)]
    pub(crate) fn close_metadata_gaps(&self, used: u16) {
        self.metadata_used.store(used, Ordering::Relaxed);
        self.metadata_gap.store(used, Ordering::Relaxed);
        self.metadata_has_gaps.store(0, Ordering::Relaxed);
    }

    /// Counts an event of `len` bytes that did not fit into the metadata buffer, after its gaps were closed.
    #[inline(always)]
    pub(crate) fn drop_metadata(&self, len: u16) {
        let missing = self.metadata_missing.load(Ordering::Relaxed).saturating_add(len);
        self.metadata_missing.store(missing, Ordering::Relaxed);
        let needed = self.own_metadata_used().saturating_add(missing);
        self.metadata_needed.store(needed.max(self.metadata_needed()), Ordering::Relaxed);
        self.count_metadata_dropped();
    }

    /// Called when an object is deleted. The dropped metadata may have been that object's.
    pub(crate) fn forget_metadata_missing(&self) {
        self.metadata_missing.store(0, Ordering::Relaxed);
    }

    /// Returns the required size of the metadata buffer; 0 if everything fits.
    pub(crate) fn metadata_needed(&self) -> u16 {
        self.metadata_needed.load(Ordering::Relaxed)
    }

    /// Counts an event that did not fit into the metadata buffer.
    pub(crate) fn count_metadata_dropped(&self) {
        let dropped = self.metadata_dropped.load(Ordering::Relaxed).saturating_add(1);
        self.metadata_dropped.store(dropped, Ordering::Relaxed);
    }

    /// Returns the number of metadata events that did not fit into the metadata buffer of this core; saturates at 65535.
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

    /// Returns the mark of this core; an acquiring fence must follow.
    pub(crate) fn mark(&self) -> u8 {
        self.mark.load(Ordering::Relaxed)
    }

    /// Returns whether the core is inside an event; an acquiring fence must follow. While the core tests whether
    /// recording is on, this waits: that takes only a few instructions, with interrupts masked.
    #[inline(always)]
    pub(crate) fn is_inside(&self) -> bool {
        let mut mark = LOOKING;
        while mark == LOOKING {
            mark = self.mark.load(Ordering::Relaxed);
        }
        mark != IDLE
    }
}
