//! The consumer of packets: one task, interrupt or main loop.

use crate::atomics::Ordering;

use tband_format::packet::METADATA_STREAM;

use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{
    ALL, KEPT, METADATA, NONE, NOTHING, PacketSetup, Policy, Reader, Ring, Slot, TAKEN,
};
use crate::state::CoreState;

impl Reader {
    /// Returns whether metadata is next to be written, if there is any. `own_slot`: its separate slot, or null.
    fn is_metadata_next(&self, own_slot: *mut u8) -> bool {
        match self.current() {
            KEPT => true,
            NONE => !own_slot.is_null() && self.is_metadata_due(),
            _ => false,
        }
    }
}

impl<P: Port> Recorder<P> {
    /// Requests that the metadata be sent again, from its begin, with the next packets that are taken.
    ///
    /// Ignored for a port that is being handed a packet of metadata: a request with each packet would block the hook for ever.
    ///
    /// Context: the critical section, any task or interrupt. With the lock, since the reader of another core may just be
    /// writing down that all was sent.
    pub fn request_metadata(&self) {
        if let Some(setup) = self.port.packets() {
            let reader = self.port.reader(setup);
            // A recording that has never begun has no information to report.
            let has_begun = !setup.ring(0).slot().is_null();
            if has_begun && (!self.port.is_external(setup) || reader.current() != METADATA) {
                self.locked(|| reader.ask_for_metadata());
            }
        }
    }

    /// Returns the state of the consumer. The start of a snapshot, and the function that empties its rings, do not touch this
    /// state, so that firmware without a consumer needs none. Here the consumer notices that the rings were emptied.
    #[inline(always)]
    fn reader<'a>(&self, setup: &'a PacketSetup) -> &'a Reader {
        let reader = self.port.reader(setup);
        if self.port.policy(setup) == Policy::Snapshot && self.was_emptied() {
            self.set_emptied(false);
            reader.discard_current();
        }
        reader
    }

    /// Returns whether the start of a snapshot had no room for all of its metadata, no consumer has noticed that yet, and the
    /// part that did fit was taken.
    #[inline(always)]
    fn has_metadata_left(&self, setup: &PacketSetup) -> bool {
        self.port.policy(setup) == Policy::Snapshot
            && setup.ring(0).metadata_left() != ALL
            && !self.has_waiting_metadata(setup)
    }

    /// Returns whether there is metadata among the packets of core 0 that a start has written. Metadata of an earlier recording
    /// comes first. The last metadata packet that the reader itself has written counts too, because nothing continues before the
    /// next packet.
    fn has_waiting_metadata(&self, setup: &PacketSetup) -> bool {
        let ring = setup.ring(0);
        let mut slot = ring.oldest();
        let mut left = self.waiting(ring);
        while left != 0 {
            // SAFETY: the packet is closed.
            if unsafe { Slot(slot).get(4) } as u8 == METADATA_STREAM {
                return true;
            }
            slot = setup.after(0, slot);
            left -= 1;
        }
        false
    }

    /// In the critical section, and with the lock: selects the rest of a snapshot's metadata as the next packet, or all of it if
    /// that was requested.
    #[inline(always)]
    fn look_for_metadata_left(&self, setup: &PacketSetup, reader: &Reader) {
        if self.has_metadata_left(setup) {
            let core = setup.ring(0).take_metadata_left();
            if core == NOTHING {
                reader.begin_metadata();
            } else if reader.sent.core.load(Ordering::Relaxed) != NOTHING {
                reader.sent.continue_with_core(core);
            }
        }
    }

    /// Returns whether the packet at hand, of a snapshot, is one of the metadata packets that its start has written: further
    /// metadata follows it. If so, sets the next sequence number of that metadata.
    #[inline(always)]
    fn was_metadata_of_start(&self, setup: &PacketSetup, reader: &Reader) -> bool {
        if self.port.policy(setup) != Policy::Snapshot {
            return false;
        }
        // SAFETY: the slot is the reader's, and closed.
        let which = unsafe { Slot(self.slot_at_hand(setup)).get(4) };
        let is_metadata = which as u8 == METADATA_STREAM;
        if is_metadata {
            let next = ((which >> 16) as u16).wrapping_add(1);
            reader.sent.sequence.store(next, Ordering::Relaxed);
        }
        is_metadata
    }

    /// Returns the next packet: address and length; `None` if there is none, or if something [is due](Self::is_packet_due) before
    /// it. The packet stays in place until it is released.
    ///
    /// If packets may be overwritten, there is none until recording has finished. A core's last packet, which may not be full,
    /// becomes available when recording has finished.
    ///
    /// Context: the one reader. Computes the checksum: about four instructions for 4 bytes.
    pub fn take_packet(&self) -> Option<(*const u8, usize)> {
        let setup = self.port.packets()?;
        let reader = self.reader(setup);
        if !self.is_readable(setup) || reader.is_metadata_next(self.metadata_slot(setup)) {
            return None;
        }
        if reader.current() == NONE && !self.find_packet(setup) {
            return None;
        }
        let slot = self.slot_at_hand(setup);
        // SAFETY: the slot is the reader's, and closed.
        let len = unsafe { Slot(slot).content_len() };
        Some((slot, len as usize))
    }

    /// Returns the core of the packet at hand, or of the last one.
    #[inline(always)]
    fn core_at_hand(&self, setup: &PacketSetup) -> u32 {
        if P::IS_ONE_CORE { 0 } else { self.port.reader(setup).turn.load(Ordering::Relaxed).into() }
    }

    /// Returns the ring of the packet at hand, or of the last one.
    #[inline(always)]
    fn ring_at_hand<'a>(&self, setup: &'a PacketSetup) -> &'a Ring {
        setup.ring(self.core_at_hand(setup))
    }

    /// Releases the packet at hand, or the slot that was used for metadata.
    #[inline(always)]
    fn give_back_at_hand(&self, setup: &PacketSetup) {
        let index = self.core_at_hand(setup);
        setup.ring(index).give_back(setup, index, Self::RELEASE);
    }

    /// Returns the address of the packet at hand, or of the slot for metadata, which may be a separate one.
    #[inline(always)]
    fn slot_at_hand(&self, setup: &PacketSetup) -> *mut u8 {
        let own_slot = self.metadata_slot(setup);
        if own_slot.is_null() || self.port.reader(setup).current() == TAKEN {
            self.ring_at_hand(setup).oldest()
        } else {
            own_slot
        }
    }

    /// Returns the separate slot for metadata, or null if there is none.
    #[inline(always)]
    fn metadata_slot(&self, setup: &PacketSetup) -> *mut u8 {
        setup.metadata_slot(self.port.policy(setup))
    }

    /// Returns whether packets may be read: packets that may be overwritten are not read until recording has finished.
    fn is_readable(&self, setup: &PacketSetup) -> bool {
        self.port.policy(setup) != Policy::PostMortem || self.finished()
    }

    /// Returns whether [`write_due`](Self::write_due) must write a packet before one can be taken.
    ///
    /// Context: the one reader.
    pub fn is_packet_due(&self) -> bool {
        let Some(setup) = self.port.packets() else { return false };
        if !self.is_readable(setup) {
            return false;
        }
        let mut is_due = self.reader(setup).is_metadata_next(self.metadata_slot(setup));
        self.for_each_core(|index, core| {
            is_due |= self.core_finished(index) && self.has_open_end(setup, index, core);
        });
        is_due
    }

    /// Writes the packet that is due: the next one of metadata, otherwise the end of the recording, for cores that have finished.
    ///
    /// Not part of [`take_packet`](Self::take_packet), because an interrupt or another core may start a recording in between, and
    /// metadata may be stored.
    ///
    /// Context: the one reader, in the critical section. About twelve instructions a byte of a packet of metadata.
    pub fn write_due(&self) {
        let Some(setup) = self.port.packets() else { return };
        let reader = self.reader(setup);
        self.locked(|| {
            if !self.is_readable(setup) {
                return;
            }
            if !reader.is_metadata_next(self.metadata_slot(setup)) {
                self.for_each_core(|index, core| {
                    if self.core_finished(index) {
                        self.close_open_packet_of(setup, index);
                        if self.has_open_end(setup, index, core) {
                            self.emit_discarded(setup, index);
                        }
                    }
                });
                return;
            }
            reader.set_current(KEPT);
            let slot = self.slot_at_hand(setup);
            self.look_for_metadata_left(setup, reader);
            // SAFETY: the slot is the reader's.
            unsafe {
                if self.port.policy(setup) == Policy::Snapshot {
                    // A reader of the memory finds no packet there until it is complete.
                    Slot(slot).clear();
                }
                if self.write_metadata(setup, &reader.sent, Slot(slot)) {
                    Slot(slot).seal();
                    reader.set_current(METADATA);
                    return;
                }
            }
            if self.metadata_slot(setup).is_null() {
                self.give_back_at_hand(setup);
            }
            reader.set_current(NONE);
        });
    }

    /// Selects the closed packet that was begun first as the packet at hand. On all cores, packets from before a start come
    /// before it. Returns `false` if there is none, or if a slot for metadata was found.
    #[inline(never)]
    fn find_packet(&self, setup: &PacketSetup) -> bool {
        let reader = self.port.reader(setup);
        if P::IS_ONE_CORE {
            if self.waiting(setup.ring(0)) == 0 {
                return false;
            }
        } else if !self.find_first(setup) {
            return false;
        }
        // SAFETY: the packet is closed, and the reader's until it is given back.
        let len = unsafe { Slot(self.ring_at_hand(setup).oldest()).seal() };
        reader.set_current(if len == 0 { KEPT } else { TAKEN });
        if len == 0 {
            reader.begin_metadata();
        }
        len != 0
    }

    /// Selects the core whose closed packet was begun first; returns `false` if there is none.
    fn find_first(&self, setup: &PacketSetup) -> bool {
        let reader = self.port.reader(setup);
        let mut first = u64::MAX;
        self.for_each_core(|index, _| {
            let ring = setup.ring(index);
            if self.waiting(ring) != 0 {
                // SAFETY: the packet is closed, and the reader's until it is given back.
                let begin = unsafe { Slot(ring.oldest()).begin() };
                if begin < first {
                    first = begin;
                    reader.turn.store(index as u8, Ordering::Relaxed);
                }
            }
        });
        first != u64::MAX
    }

    /// Releases the packet that was taken: its slot is free, or is used for metadata that must be sent.
    ///
    /// Context: the one reader.
    pub fn packet_done(&self) {
        let Some(setup) = self.port.packets() else { return };
        let reader = self.reader(setup);
        reader.read.store(0, Ordering::Relaxed);
        match reader.current() {
            TAKEN if self.was_metadata_of_start(setup, reader) => {
                reader.sent.since.store(0, Ordering::Relaxed);
                self.give_back_at_hand(setup);
                reader.set_current(NONE);
                return;
            }
            TAKEN => {
                let since = reader.sent.since.load(Ordering::Relaxed).wrapping_add(1);
                reader.sent.since.store(since, Ordering::Relaxed);
                if setup.metadata_every != 0 && u32::from(since) >= setup.metadata_every {
                    reader.ask_for_metadata();
                }
            }
            METADATA => reader.sent.since.store(0, Ordering::Relaxed),
            _ => return,
        }
        if !self.metadata_slot(setup).is_null() {
            if reader.current() == TAKEN {
                self.give_back_at_hand(setup);
            }
            reader.set_current(NONE);
        } else if !reader.is_metadata_due() && !self.has_metadata_left(setup) {
            self.give_back_at_hand(setup);
            reader.set_current(NONE);
        } else {
            reader.set_current(KEPT);
        }
    }

    /// Copies the next bytes of the packet at hand to `to`, at most `len`, and returns their number. Releases the packet after
    /// its last byte.
    ///
    /// Context: as [`take_packet`](Self::take_packet), which has given this packet and its length.
    ///
    /// # Safety
    /// `to` has room for `len` bytes.
    pub unsafe fn read_packet(
        &self,
        to: *mut u8,
        len: usize,
        packet: *const u8,
        packet_len: usize,
    ) -> usize {
        let Some(setup) = self.port.packets() else { return 0 };
        let reader = self.reader(setup);
        let read = reader.read.load(Ordering::Relaxed);
        let from = packet.wrapping_add(read.into());
        // Another reader, which must not be, may have read more of another packet.
        let left = packet_len.saturating_sub(read.into());
        let len = if len < left { len } else { left };
        let mut index = 0;
        while index != len {
            // SAFETY: the packet has as many bytes left, and there is room for them. Volatile, or it becomes a call
            // of `memcpy`, which may have to be linked.
            unsafe { to.wrapping_add(index).write_volatile(*from.wrapping_add(index)) };
            index += 1;
        }
        if len == left {
            self.packet_done();
        } else {
            reader.read.store(read.wrapping_add(len as u16), Ordering::Relaxed);
        }
        len
    }

    /// Returns whether the last packet of core `index`, which has finished, was left open, or events were discarded after it, and
    /// there is room to record that.
    pub(super) fn has_open_end(&self, setup: &PacketSetup, index: u32, core: &CoreState) -> bool {
        !P::IS_ONE_CORE && core.open_slot().is_some()
            || self.port.policy(setup) == Policy::Stream
                && core.discarded_at() != 0
                && self.waiting(setup.ring(index)) < setup.packet_count
    }
}
