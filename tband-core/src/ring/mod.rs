//! The memory of packets: the ring of one core, its slots, the firmware's setup, and the reader's state. The recording side and
//! the consumer are in `packet`.

mod cursor;
mod reader;
mod setup;
mod slot;
mod tail;

use crate::atomics::{AtomicPtr, AtomicU16, AtomicU32, Ordering, compiler_fence};

pub use cursor::HEAD_LEN;
pub(crate) use cursor::{Cursor, U32_LEN};
pub use reader::Reader;
pub(crate) use reader::{ALL, KEPT, METADATA, MetadataProgress, NONE, NOTHING, TAKEN};
pub use setup::{MetadataLocation, PacketSetup, Policy, TableMeasure};
pub(crate) use slot::{Slot, first_of};
pub use tail::{TO_TAIL, Tail};

use crate::state::CoreState;

/// State of a core's ring; valid when zero.
///
/// The core writes all fields except `oldest` and `given_back`, which belong to the reader. If packets are overwritten, the core
/// writes those two as well, and nothing is read while it records.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Ring {
    /// The next packet to open, while none is open; otherwise `CoreState::at` has the open one.
    slot: AtomicPtr<u8>,
    /// The next packet to take.
    oldest: AtomicPtr<u8>,
    /// Core, version and sequence number of the next packet to open, as in its header.
    next: AtomicU32,
    /// Packets that were closed, modulo 2^16.
    closed: AtomicU16,
    /// Number of released packets, modulo 2^16.
    given_back: AtomicU16,
    /// Post-mortem: recording stops when as many packets more are closed; 0: never. Snapshot, of core 0: see
    /// [`metadata_left`](Self::metadata_left).
    pub(crate) freeze_after: AtomicU16,
}

impl Ring {
    /// Returns the next packet to open. Null before the first start; while a packet is open it may be an earlier one.
    #[inline(always)]
    pub(crate) fn slot(&self) -> *mut u8 {
        self.slot.load(Ordering::Relaxed)
    }

    /// Sets the next packet to open, while none is open.
    #[inline(always)]
    pub(crate) fn set_slot(&self, slot: *mut u8) {
        self.slot.store(slot, Ordering::Relaxed);
    }

    /// Returns the next packet to take.
    #[inline(always)]
    pub(crate) fn oldest(&self) -> *mut u8 {
        self.oldest.load(Ordering::Relaxed)
    }

    /// Like [`waiting`](Self::waiting), for the core itself, or when it has finished. `acquire`: relaxed with one core.
    #[inline(always)]
    pub(crate) fn own_waiting(&self, acquire: Ordering) -> u32 {
        let closed = self.closed.load(Ordering::Relaxed);
        let waiting = closed.wrapping_sub(self.given_back.load(acquire)).into();
        compiler_fence(Ordering::Acquire);
        waiting
    }

    /// Returns the number of packets that are closed and not released.
    #[inline(always)]
    pub(crate) fn waiting(&self) -> u32 {
        let closed = self.closed.load(Ordering::Acquire);
        closed.wrapping_sub(self.given_back.load(Ordering::Acquire)).into()
    }

    /// Returns the number of closed packets, modulo 2^16. For the core itself.
    pub(crate) fn closed(&self) -> u16 {
        self.closed.load(Ordering::Relaxed)
    }

    /// Releases the oldest packet, which may be overwritten from now on.
    #[inline(always)]
    pub(crate) fn give_back(&self, setup: &PacketSetup, index: u32, release: Ordering) {
        self.oldest.store(setup.after(index, self.oldest()), Ordering::Relaxed);
        let given_back = self.given_back.load(Ordering::Relaxed).wrapping_add(1);
        compiler_fence(Ordering::Release);
        self.given_back.store(given_back, release);
    }

    /// Returns the header word of the packet that is being opened: core, version and sequence number.
    #[inline(always)]
    pub(crate) fn count_packet(&self) -> u32 {
        let which = self.next.load(Ordering::Relaxed);
        self.next.store(which.wrapping_add(1 << 16), Ordering::Relaxed);
        which
    }

    /// Marks the packet in `slot`, the current one, as closed. `release`: relaxed with one core.
    #[inline(always)]
    pub(crate) fn advance(
        &self,
        setup: &PacketSetup,
        index: u32,
        slot: *mut u8,
        release: Ordering,
    ) {
        self.set_slot(self.advance_by(setup, setup.packet_size, index, slot, release));
    }

    /// Like [`advance`](Self::advance), if the size of a packet is in a register already. Returns the next slot to write, and
    /// the number of closed packets. If the slot is not opened at once, it must be [stored](Self::set_slot).
    #[inline(always)]
    fn advance_by(
        &self,
        setup: &PacketSetup,
        packet_size: u32,
        index: u32,
        slot: *mut u8,
        release: Ordering,
    ) -> *mut u8 {
        let next = setup.after_by(packet_size, index, slot);
        let closed = self.closed.load(Ordering::Relaxed).wrapping_add(1);
        compiler_fence(Ordering::Release);
        self.closed.store(closed, release);
        next
    }

    /// Returns whether no packet is free. For the core itself.
    #[inline(always)]
    pub(crate) fn is_full(&self, setup: &PacketSetup, acquire: Ordering) -> bool {
        self.own_waiting(acquire) >= setup.packet_count
    }

    /// Like [`is_full`](Self::is_full), for when a packet was just closed, and `next` is the slot after it. With one core no
    /// counts need to be compared: the ring is not empty, so it is full if `next` equals its begin.
    #[inline(always)]
    pub(crate) fn is_full_at(
        &self,
        setup: &PacketSetup,
        next: *mut u8,
        acquire: Ordering,
        is_one_core: bool,
    ) -> bool {
        if !is_one_core {
            return self.is_full(setup, acquire);
        }
        let oldest = self.oldest();
        compiler_fence(Ordering::Acquire);
        next == oldest
    }

    /// Closes the packet of `core` that is open in `slot`, ends at `at`, and whose end time is written; otherwise like
    /// [`advance_by`](Self::advance_by). `packet_size` is that of the setup.
    ///
    /// # Safety
    /// No other code uses the core's ring, and the caller changes `CoreState::at` and `limit` next.
    #[inline(always)]
    pub(crate) unsafe fn close(
        &self,
        (setup, packet_size): (&PacketSetup, u32),
        (core, index): (&CoreState, u32),
        slot: *mut u8,
        at: *mut u8,
        release: Ordering,
    ) -> *mut u8 {
        // SAFETY: the packet is open.
        unsafe { Slot(slot).close(at, core.dropped()) };
        self.advance_by(setup, packet_size, index, slot, release)
    }

    /// Empties the ring of core `index`, which begins with its first slot, whatever that contains.
    #[inline(always)]
    pub(crate) fn place(&self, setup: &PacketSetup, index: u32) {
        let first = setup.first_slot(index);
        self.slot.store(first, Ordering::Relaxed);
        self.oldest.store(first, Ordering::Relaxed);
        self.next.store(first_of(index as u8), Ordering::Relaxed);
    }

    /// Sets the ring of core `index` to these packets, all closed; the next one gets number `next`.
    pub(crate) fn adopt(
        &self,
        setup: &PacketSetup,
        oldest: *mut u8,
        newest: *mut u8,
        count: u16,
        index: u32,
        next: u16,
    ) {
        self.oldest.store(oldest, Ordering::Relaxed);
        self.slot.store(setup.after(index, newest), Ordering::Relaxed);
        self.closed.store(count, Ordering::Relaxed);
        self.given_back.store(0, Ordering::Relaxed);
        self.next.store(first_of(index as u8) | u32::from(next) << 16, Ordering::Relaxed);
    }

    /// Stops recording when `packets` more packets were opened, and another one would be.
    pub(crate) fn freeze_after(&self, packets: u16) {
        self.freeze_after.store(packets, Ordering::Relaxed);
    }

    /// Snapshot, core 0: returns where the reader continues with the metadata that the start had no room for, as in
    /// `MetadataProgress::core`.
    pub(crate) fn metadata_left(&self) -> u8 {
        self.freeze_after.load(Ordering::Relaxed) as u8
    }

    /// Sets where the reader continues: see [`metadata_left`](Self::metadata_left).
    pub(crate) fn set_metadata_left(&self, core: u8) {
        self.freeze_after.store(core.into(), Ordering::Relaxed);
    }

    /// Like [`metadata_left`](Self::metadata_left), and passes it to the reader.
    pub(crate) fn take_metadata_left(&self) -> u8 {
        let left = self.metadata_left();
        self.set_metadata_left(ALL);
        left
    }

    /// Empties the ring, and continues in its first slot: the memory of a snapshot is read from there.
    pub(crate) fn restart(&self, setup: &PacketSetup, index: u32) {
        let first = setup.first_slot(index);
        self.slot.store(first, Ordering::Relaxed);
        self.oldest.store(first, Ordering::Relaxed);
    }

    /// Clears all slots, so that their contents are not taken for packets.
    pub(crate) fn clear_slots(&self, setup: &PacketSetup, index: u32) {
        let first = self.slot();
        let mut slot = first;
        loop {
            // SAFETY: recording is off, so the slot is unused.
            unsafe { Slot(slot).clear() };
            slot = setup.after(index, slot);
            if slot == first {
                break;
            }
        }
    }

    /// Prepares the ring for a recording.
    #[inline(always)]
    pub(crate) fn prepare(&self, setup: &PacketSetup, index: u32) {
        if self.slot().is_null() {
            self.place(setup, index);
            let mut slot = setup.first_slot(index);
            let last = setup.last_slot(index);
            loop {
                // SAFETY: recording is off, so the slot is unused.
                unsafe { Slot(slot).clear() };
                if slot == last {
                    break;
                }
                slot = slot.wrapping_add(setup.packet_size as usize);
            }
        }
        self.freeze_after.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
pub(crate) use setup::sample;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_follow_each_other_in_a_circle() {
        for count in [1, 2, 3] {
            let setup = sample::setup(count);
            let ring = setup.ring(0);
            ring.place(&setup, 0);
            let first = ring.slot();
            let mut slot = first;
            for index in 0..count as usize {
                assert_eq!(slot, first.wrapping_add(index * sample::SIZE));
                let next = setup.after(0, slot);
                assert_eq!(setup.in_front_of(0, next), slot, "{count} slots");
                slot = next;
            }
            assert_eq!(slot, first, "{count} slots");
        }
    }

    #[test]
    fn counts_of_packets_wrap() {
        let setup = sample::setup(3);
        let ring = setup.ring(0);
        ring.place(&setup, 0);
        let first = ring.slot();
        for turn in 0..0x1_0002_u32 {
            assert_eq!((ring.waiting(), ring.own_waiting(Ordering::Relaxed)), (0, 0));
            ring.advance(&setup, 0, ring.slot(), Ordering::Release);
            ring.advance(&setup, 0, ring.slot(), Ordering::Release);
            assert_eq!((ring.waiting(), ring.own_waiting(Ordering::Relaxed)), (2, 2), "{turn}");
            ring.give_back(&setup, 0, Ordering::Release);
            assert_eq!(ring.waiting(), 1);
            ring.give_back(&setup, 0, Ordering::Release);
            assert_eq!(ring.oldest(), ring.slot());
        }
        assert_eq!(ring.slot(), first, "a multiple of three");
        let which = ring.count_packet();
        assert_eq!(ring.count_packet(), which + (1 << 16), "the sequence number rises by one");
        ring.advance(&setup, 0, ring.slot(), Ordering::Release);
        ring.restart(&setup, 0);
        assert_eq!((ring.slot(), ring.oldest()), (first, first));
    }

    #[test]
    fn a_recording_begins_without_a_trigger() {
        let setup = sample::setup(3);
        let ring = setup.ring(0);
        let left = || ring.freeze_after.load(Ordering::Relaxed);
        ring.prepare(&setup, 0);
        assert_eq!(left(), 0);
        ring.freeze_after(2);
        assert_eq!(left(), 2);
        ring.advance(&setup, 0, ring.slot(), Ordering::Release);
        let slot = ring.slot();
        ring.prepare(&setup, 0);
        assert_eq!(left(), 0);
        assert_eq!(ring.slot(), slot, "it continues where it is");
    }

    #[test]
    fn a_ring_is_full_where_it_comes_back_to_its_begin() {
        for count in [1, 2, 3] {
            let setup = sample::setup(count);
            let ring = setup.ring(0);
            ring.place(&setup, 0);
            let order = Ordering::Relaxed;
            for turn in 0..10 {
                assert!(!ring.is_full(&setup, order));
                for closed in 1..=count {
                    ring.advance(&setup, 0, ring.slot(), Ordering::Release);
                    let expected = closed == count;
                    let next = ring.slot();
                    for one in [false, true] {
                        let is = ring.is_full_at(&setup, next, order, one);
                        assert_eq!(is, expected, "{count} {turn} {closed} {one}");
                    }
                    assert_eq!(ring.is_full(&setup, order), expected);
                }
                while ring.waiting() != 0 {
                    ring.give_back(&setup, 0, Ordering::Release);
                }
                // As if another core releases all packets right after one was closed.
                assert!(!ring.is_full_at(&setup, ring.slot(), order, false), "{count} {turn}");
                // The next iteration begins in another slot.
                ring.advance(&setup, 0, ring.slot(), Ordering::Release);
                ring.give_back(&setup, 0, Ordering::Release);
            }
        }
    }
}
