//! Who takes packets out of the rings: one task, interrupt or main loop.

use core::sync::atomic::Ordering;

use tband_format::packet::METADATA_STREAM;

use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{
    ALL, KEPT, METADATA, NONE, NOTHING, PacketSetup, Policy, Reader, Ring, Slot, TAKEN,
};
use crate::state::CoreState;

impl Reader {
    /// There is metadata to be written next, as far as there is any. `own_slot`: its place, or null.
    fn is_metadata_next(&self, own_slot: *mut u8) -> bool {
        match self.hand() {
            KEPT => true,
            NONE => !own_slot.is_null() && self.is_metadata_due(),
            _ => false,
        }
    }
}

impl<P: Port> Recorder<P> {
    /// Asks for the metadata to be sent again, from its begin, with the next packets that are taken.
    ///
    /// Not by a port that is just given a packet of it: who asks with each packet would hold up the hook for ever.
    ///
    /// Context: the critical section, any task or interrupt. With the lock, since the reader of another core may just be
    /// writing down that all was sent.
    pub fn request_metadata(&self) {
        if let Some(setup) = self.port.packets() {
            let reader = self.port.reader(setup);
            // What has never begun has nothing to report itself.
            let has_begun = !setup.ring(0).slot().is_null();
            if has_begun && (!self.port.hands_out(setup) || reader.hand() != METADATA) {
                self.locked(|| reader.ask_for_metadata());
            }
        }
    }

    /// What who takes packets keeps. The start of a snapshot, and what empties its rings, do not touch that, so that they need
    /// none: here it is seen that the rings were emptied.
    #[inline(always)]
    fn reader<'a>(&self, setup: &'a PacketSetup) -> &'a Reader {
        let reader = self.port.reader(setup);
        if self.port.policy(setup) == Policy::Snapshot && self.was_emptied() {
            self.set_emptied(false);
            reader.let_go();
        }
        reader
    }

    /// The start of a snapshot had no room for all of its metadata, nobody has seen that yet, and what it had room for was taken.
    #[inline(always)]
    fn has_metadata_left(&self, setup: &PacketSetup) -> bool {
        self.port.policy(setup) == Policy::Snapshot
            && setup.ring(0).metadata_left() != ALL
            && !self.does_metadata_wait(setup)
    }

    /// There is metadata among the packets of core 0, as a start has written it: those of a recording before come first. What the
    /// reader itself has written last counts too, as nothing goes on before the next packet.
    fn does_metadata_wait(&self, setup: &PacketSetup) -> bool {
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

    /// In the critical section, and with the lock: what the start of a snapshot has left of its metadata comes next, or all of it
    /// where somebody has asked for that.
    #[inline(always)]
    fn look_for_metadata_left(&self, setup: &PacketSetup, reader: &Reader) {
        if self.has_metadata_left(setup) {
            let core = setup.ring(0).take_metadata_left();
            if core == NOTHING {
                reader.begin_metadata();
            } else if reader.sent.core.load(Ordering::Relaxed) != NOTHING {
                reader.sent.go_on_with(core);
            }
        }
    }

    /// Whether the packet at hand, of a snapshot, is one of the metadata that its start has written: other metadata comes after
    /// that, and goes on with its sequence numbers.
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

    /// The next packet: address and length; `None` if there is none, or if something [is due](Self::is_packet_due) before
    /// it. It stays where it is until it is given back.
    ///
    /// Where packets are overwritten there is none until recording has finished. A core's last packet, which may not
    /// be full, comes when recording has finished.
    ///
    /// Context: the one reader. Works out the check: some four instructions for 4 bytes.
    pub fn take_packet(&self) -> Option<(*const u8, usize)> {
        let setup = self.port.packets()?;
        let reader = self.reader(setup);
        if !self.may_be_taken(setup) || reader.is_metadata_next(self.metadata_slot(setup)) {
            return None;
        }
        if reader.hand() == NONE && !self.find_packet(setup) {
            return None;
        }
        let slot = self.slot_at_hand(setup);
        // SAFETY: the slot is the reader's, and closed.
        let len = unsafe { Slot(slot).content_len() };
        Some((slot, len as usize))
    }

    /// Core of the packet at hand, or of the last one.
    #[inline(always)]
    fn core_at_hand(&self, setup: &PacketSetup) -> u32 {
        if P::IS_ONE_CORE { 0 } else { self.port.reader(setup).turn.load(Ordering::Relaxed).into() }
    }

    /// Ring of the packet at hand, or of the last one.
    #[inline(always)]
    fn ring_at_hand<'a>(&self, setup: &'a PacketSetup) -> &'a Ring {
        setup.ring(self.core_at_hand(setup))
    }

    /// Gives the packet at hand back, or the place of metadata in its slot.
    #[inline(always)]
    fn give_back_at_hand(&self, setup: &PacketSetup) {
        let index = self.core_at_hand(setup);
        setup.ring(index).give_back(setup, index, Self::RELEASE);
    }

    /// Where the packet at hand is, or metadata goes, which may have a place of its own.
    #[inline(always)]
    fn slot_at_hand(&self, setup: &PacketSetup) -> *mut u8 {
        let own_slot = self.metadata_slot(setup);
        if own_slot.is_null() || self.port.reader(setup).hand() == TAKEN {
            self.ring_at_hand(setup).oldest()
        } else {
            own_slot
        }
    }

    /// The place of metadata, if it has one of its own; else null.
    #[inline(always)]
    fn metadata_slot(&self, setup: &PacketSetup) -> *mut u8 {
        setup.metadata_slot(self.port.policy(setup))
    }

    /// Where packets are overwritten nobody reads while they may be.
    fn may_be_taken(&self, setup: &PacketSetup) -> bool {
        self.port.policy(setup) != Policy::PostMortem || self.finished()
    }

    /// What there is to take has to be written first, by [`write_due`](Self::write_due).
    ///
    /// Context: the one reader.
    pub fn is_packet_due(&self) -> bool {
        let Some(setup) = self.port.packets() else { return false };
        if !self.may_be_taken(setup) {
            return false;
        }
        let mut is_due = self.reader(setup).is_metadata_next(self.metadata_slot(setup));
        self.for_each_core(|index, core| {
            is_due |= self.core_finished(index) && self.has_open_end(setup, index, core);
        });
        is_due
    }

    /// Writes what is due: the next packet of metadata; else, of cores that have finished, what ends their recording.
    ///
    /// Not in [`take_packet`](Self::take_packet), since a recording may be started by an interrupt or another core
    /// meanwhile, and metadata be stored.
    ///
    /// Context: the one reader, in the critical section. About twelve instructions a byte of a packet of metadata.
    pub fn write_due(&self) {
        let Some(setup) = self.port.packets() else { return };
        let reader = self.reader(setup);
        self.locked(|| {
            if !self.may_be_taken(setup) {
                return;
            }
            if !reader.is_metadata_next(self.metadata_slot(setup)) {
                self.for_each_core(|index, core| {
                    if self.core_finished(index) {
                        self.close_left_open(setup, index);
                        if self.has_open_end(setup, index, core) {
                            self.emit_discarded(setup, index);
                        }
                    }
                });
                return;
            }
            reader.set_hand(KEPT);
            let slot = self.slot_at_hand(setup);
            self.look_for_metadata_left(setup, reader);
            // SAFETY: the slot is the reader's.
            unsafe {
                if self.port.policy(setup) == Policy::Snapshot {
                    // Whoever looks at the memory meanwhile sees no packet there.
                    Slot(slot).clear();
                }
                if self.write_metadata(setup, &reader.sent, Slot(slot)) {
                    Slot(slot).seal();
                    reader.set_hand(METADATA);
                    return;
                }
            }
            if self.metadata_slot(setup).is_null() {
                self.give_back_at_hand(setup);
            }
            reader.set_hand(NONE);
        });
    }

    /// Makes the closed packet that was begun first the one at hand: what was recorded before a start comes before it,
    /// on all cores. `false` if there is none, or what was found is a place for metadata.
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
        reader.set_hand(if len == 0 { KEPT } else { TAKEN });
        if len == 0 {
            reader.begin_metadata();
        }
        len != 0
    }

    /// Looks for the core whose closed packet was begun first; `false` if there is none.
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

    /// Gives the packet that was taken back: its room is free, or gets metadata that is to be sent.
    ///
    /// Context: the one reader.
    pub fn packet_done(&self) {
        let Some(setup) = self.port.packets() else { return };
        let reader = self.reader(setup);
        reader.read.store(0, Ordering::Relaxed);
        match reader.hand() {
            TAKEN if self.was_metadata_of_start(setup, reader) => {
                reader.sent.since.store(0, Ordering::Relaxed);
                self.give_back_at_hand(setup);
                reader.set_hand(NONE);
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
            if reader.hand() == TAKEN {
                self.give_back_at_hand(setup);
            }
            reader.set_hand(NONE);
        } else if !reader.is_metadata_due() && !self.has_metadata_left(setup) {
            self.give_back_at_hand(setup);
            reader.set_hand(NONE);
        } else {
            reader.set_hand(KEPT);
        }
    }

    /// Copies the next bytes of the packet at hand to `to`, at most `len`, and returns how many there were. After the last
    /// one it is given back.
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

    /// The last packet of core `index`, which has finished, was left open, or events were discarded after it, and there is
    /// room to say so.
    pub(super) fn has_open_end(&self, setup: &PacketSetup, index: u32, core: &CoreState) -> bool {
        !P::IS_ONE_CORE && core.open_slot().is_some()
            || self.port.policy(setup) == Policy::Stream
                && core.discarded_at() != 0
                && self.waiting(setup.ring(index)) < setup.packet_count
    }
}
