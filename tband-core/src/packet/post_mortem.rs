//! Additions of the post-mortem backend: a recording that ends some packets later, and a recording that was ended by a reset.
//!
//! After a reset the slots of the rings remain, in memory that the reset did not touch, and the tables of metadata. A slot alone
//! shows whether it holds a packet, which one, and the fill level of an open one. So no other state of the rings must survive,
//! and the hot path stores nothing twice.

use crate::atomics::Ordering;

use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{PacketSetup, Slot, TableMeasure, first_of};
use crate::table::clear;

impl<P: Port> Recorder<P> {
    /// Finds the packets that a recording has left in the slots, so that they can be taken like those of a stopped recording: a
    /// recording from before a reset, or one of this run that was taken before. Returns `true` if there are any.
    ///
    /// Context: recording has finished, and no packet is at hand; the code that starts recordings. About 30 instructions per
    /// packet, and 10 per byte of the metadata of a recording from before a reset.
    pub fn recover_packets(&self) -> bool {
        let Some(setup) = self.port.packets() else { return false };
        let mut found = false;
        let slot = setup.metadata_slot(self.port.policy(setup));
        for index in 0..self.port.core_count() {
            if recover_ring(setup, index) && !found {
                found = true;
                // SAFETY: the packet is closed; no metadata is being taken yet.
                unsafe {
                    let begin = Slot(setup.ring(index).oldest()).begin();
                    Slot(slot).clear();
                    Slot(slot).open(|| 0, 0, begin);
                }
            }
            // Tables of this run are complete.
            let kept = setup
                .metadata_location(self.port.policy(setup))
                .filter(|kept| kept.is_of_another_run());
            if let Some(kept) = kept {
                let size = self.port.metadata_buf_size();
                let measure = kept.measure(index);
                if u32::from(measure.used) > size {
                    // It was being changed.
                    kept.drop_table(index, measure);
                } else {
                    let table = kept.table(index, size);
                    // SAFETY: the table has as many bytes.
                    unsafe { repair_table(table, table.wrapping_add(measure.used.into())) };
                }
            }
        }
        // Otherwise the metadata belongs to no recording, and has no slot yet.
        if found {
            setup.reader().begin_metadata();
        }
        found
    }

    /// Writes down how much there is in the metadata buffer of core `index`, for after a reset.
    ///
    /// Context: the critical section, and the lock.
    pub fn measure_table(&self, index: u32) -> TableMeasure {
        let of = self.port.core(index);
        TableMeasure {
            used: of.own_metadata_used(),
            dropped: of.metadata_dropped() as u16,
            needed: of.metadata_needed(),
        }
    }

    /// Stops recording when a core has closed `packets` more packets; with 0 at once.
    ///
    /// Context: the critical section.
    pub fn freeze_after(&self, packets: u16) {
        let Some(setup) = self.port.packets() else { return };
        if packets == 0 {
            self.stop_packets();
            return;
        }
        for index in 0..self.port.core_count() {
            // A core whose packet was closed early opens one more before it closes one.
            let is_open = self.port.core(index).is_open();
            let packets = if is_open { packets } else { packets.saturating_add(1) };
            setup.ring(index).freeze_after(packets);
        }
    }

    /// Returns the number of bytes of the packets that can be taken now, without metadata.
    ///
    /// Context: recording is off.
    pub fn packets_amount(&self) -> usize {
        let Some(setup) = self.port.packets() else { return 0 };
        let mut bytes = 0_usize;
        for index in 0..self.port.core_count() {
            if self.core_finished(index) {
                self.close_open_packet_of(setup, index);
                let ring = setup.ring(index);
                let mut slot = ring.oldest();
                let mut left = self.waiting(ring);
                while left != 0 {
                    // SAFETY: the packet is closed.
                    bytes = bytes.wrapping_add(unsafe { Slot(slot).content_len() } as usize);
                    slot = setup.after(index, slot);
                    left -= 1;
                }
            }
        }
        bytes
    }
}

/// Finds the packets in the slots of core `index`, and closes the open one. Returns `true` if there are any.
fn recover_ring(setup: &PacketSetup, index: u32) -> bool {
    let ring = setup.ring(index);
    ring.place(setup, index);
    let first = ring.slot();
    // SAFETY: recording is off, so all slots are the caller's.
    unsafe {
        // The newest one.
        let mut newest = None;
        let mut slot = first;
        loop {
            // A slot that has changed contains nothing valid, not even its sequence number.
            let sequence = if Slot(slot).has_changed(setup.packet_size) {
                None
            } else {
                Slot(slot).sequence_after_reset(setup, index)
            };
            if let Some(sequence) = sequence {
                let is_newer = match newest {
                    Some((_, than)) => (sequence.wrapping_sub(than) as i16) > 0,
                    None => true,
                };
                if is_newer {
                    newest = Some((slot, sequence));
                }
            }
            slot = setup.after(index, slot);
            if slot == first {
                break;
            }
        }
        let Some((mut newest, mut last)) = newest else { return false };
        // If the next slot has changed, it may have held the newest packet of all. If it held the oldest one, it is counted as
        // the newest nevertheless.
        let next = setup.after(index, newest);
        if next != newest && Slot(next).has_changed(setup.packet_size) {
            (newest, last) = (next, last.wrapping_add(1));
            Slot(newest).invalidate(first_of(index as u8) | u32::from(last) << 16);
        }
        // Then the packets before it, as long as their sequence numbers decrease by one.
        let (mut oldest, mut sequence) = (newest, last);
        let mut count: u16 = 1;
        loop {
            let slot = setup.in_front_of(index, oldest);
            let expected = sequence.wrapping_sub(1);
            if slot == newest {
                break;
            }
            if Slot(slot).has_changed(setup.packet_size) {
                // Its position shows that it is between others.
                Slot(slot).invalidate(first_of(index as u8) | u32::from(expected) << 16);
            } else if Slot(slot).sequence_after_reset(setup, index) != Some(expected) {
                break;
            }
            (oldest, sequence) = (slot, expected);
            count = count.wrapping_add(1);
        }
        // The only packet that can have been open. The packet before it reports the discarded events.
        if Slot(newest).content_len() == 0 {
            let discarded = if newest == oldest {
                0
            } else {
                Slot(setup.in_front_of(index, newest)).discarded()
            };
            let tail = setup.tail(newest);
            Slot(newest).set_end_rarely(0, tail);
            Slot(newest).close(tail.at.load(Ordering::Relaxed), discarded);
        }
        ring.adopt(setup, oldest, newest, count, index, last.wrapping_add(1));
    }
    true
}

/// Replaces each damaged frame between `start` and `end` by a gap. Readers of the table rely on complete frames, and memory may
/// be damaged after a loss of power.
///
/// # Safety
/// The bytes may be read and written.
unsafe fn repair_table(start: *mut u8, end: *mut u8) {
    let mut at = start;
    while at < end {
        let mut zero = at;
        // SAFETY: the caller's promise.
        unsafe {
            while zero < end && zero.read() != 0 {
                zero = zero.wrapping_add(1);
            }
            // The codes of a frame lead to its closing zero.
            let mut code = at;
            while code < zero {
                code = code.wrapping_add(code.read().into());
            }
            if code != zero || zero >= end {
                clear(at, zero);
            }
        }
        at = zero.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::ring::{Cursor, Tail, sample};

    const DISCARDED: u32 = 7;
    const HEADER: usize = tband_format::packet::HEADER_LEN;

    /// Creates packets with these numbers in the slots; the last one is open if requested. Other slots are clear.
    fn setup_after_reset(numbers: &[Option<u16>], open: Option<usize>) -> PacketSetup {
        let setup = sample::setup(numbers.len() as u32);
        for (index, number) in numbers.iter().enumerate() {
            let slot = Slot(setup.first_slot(0).wrapping_add(index * sample::SIZE));
            // SAFETY: a slot of the sample's.
            unsafe {
                slot.clear();
                let Some(number) = number else { continue };
                let which = first_of(0) | u32::from(*number) << 16;
                slot.open(|| which, sample::SIZE as u32, 1000);
                let tail = &*Tail::in_front_of(slot.0.wrapping_add(sample::SIZE));
                let end = Cursor(slot.0.wrapping_add(HEADER)).head(84, 1003);
                tail.last_time.store(1003, Ordering::Relaxed);
                tail.commit(end.0);
                if open != Some(index) {
                    slot.set_end(1003);
                    slot.close(end.0, DISCARDED);
                }
            }
        }
        setup
    }

    /// Returns the slot of the oldest packet, the number of packets, and the slot and sequence number of the next one.
    fn find_packets(setup: &PacketSetup) -> Option<(usize, u32, usize, u16)> {
        let ring = setup.ring(0);
        recover_ring(setup, 0).then(|| {
            let first = setup.first_slot(0) as usize;
            let index = |slot: *mut u8| (slot as usize - first) / sample::SIZE;
            let next = (ring.count_packet() >> 16) as u16;
            (index(ring.oldest()), ring.waiting(), index(ring.slot()), next)
        })
    }

    #[test]
    fn packets_are_found_as_far_as_their_numbers_follow_each_other() {
        let some = |numbers: [u16; 4]| numbers.map(Some);
        assert_eq!(find_packets(&setup_after_reset(&[None; 4], None)), None);
        assert_eq!(
            find_packets(&setup_after_reset(&[None, None, Some(9), None], None)),
            Some((2, 1, 3, 10))
        );
        assert_eq!(find_packets(&setup_after_reset(&some([5, 6, 7, 8]), None)), Some((0, 4, 0, 9)));
        assert_eq!(find_packets(&setup_after_reset(&some([7, 8, 5, 6]), None)), Some((2, 4, 2, 9)));
        // Over the end of the numbers.
        assert_eq!(
            find_packets(&setup_after_reset(&some([0, 1, 0xFFFE, 0xFFFF]), None)),
            Some((2, 4, 2, 2))
        );
        // A number is missing, is there twice, or a slot is clear.
        assert_eq!(find_packets(&setup_after_reset(&some([7, 8, 4, 6]), None)), Some((3, 3, 2, 9)));
        assert_eq!(find_packets(&setup_after_reset(&some([6, 7, 7, 3]), None)), Some((0, 2, 2, 8)));
        assert_eq!(
            find_packets(&setup_after_reset(&[Some(7), Some(8), None, Some(6)], None)),
            Some((3, 3, 2, 9))
        );
        assert_eq!(find_packets(&setup_after_reset(&[Some(3)], None)), Some((0, 1, 0, 4)));
    }

    #[test]
    fn the_packet_that_was_open_is_closed_with_what_it_has() {
        for (numbers, open, discarded) in [
            (&[Some(5), Some(6), Some(7)][..], 2, DISCARDED),
            (&[Some(8), Some(6), Some(7)], 0, DISCARDED),
            (&[None, Some(6), None], 1, 0),
        ] {
            let setup = setup_after_reset(numbers, Some(open));
            assert!(find_packets(&setup).is_some());
            let slot = Slot(setup.first_slot(0).wrapping_add(open * sample::SIZE));
            // SAFETY: a slot of the sample's.
            unsafe {
                assert_eq!(slot.content_len() as usize, HEADER + 2);
                assert_eq!(slot.discarded(), discarded);
                assert_eq!((slot.get(24), slot.get(28)), (1003, 0), "the time of its last event");
            }
        }
    }

    /// Packets with checksums, as in a frozen recording: whichever bit changes, all other packets are recovered, and the changed
    /// one is reported as damaged, unless it is the oldest.
    #[test]
    fn one_bit_that_changes_damages_one_packet() {
        let numbers = [Some(7), Some(8), Some(5), Some(6)];
        let of = |setup: &PacketSetup, number: usize| {
            Slot(setup.first_slot(0).wrapping_add(number * sample::SIZE))
        };
        let protect = |setup: &PacketSetup| {
            for number in 0..numbers.len() {
                // SAFETY: a slot of the sample's.
                unsafe {
                    let slot = of(setup, number);
                    slot.0.wrapping_add(HEADER + 2).cast::<u16>().write(0);
                    let check = slot.check(sample::SIZE as u32).unwrap();
                    slot.set(12, check);
                }
            }
        };
        let taken = |setup: &PacketSetup| -> Vec<Vec<u8>> {
            let Some((oldest, count, ..)) = find_packets(setup) else { return Vec::new() };
            (0..count as usize)
                .map(|at| {
                    // SAFETY: a slot of the sample's, which is closed.
                    unsafe {
                        let slot = of(setup, (oldest + at) % numbers.len());
                        let len = slot.seal() as usize;
                        core::slice::from_raw_parts(slot.0, len).to_vec()
                    }
                })
                .collect()
        };
        let whole = {
            let setup = setup_after_reset(&numbers, None);
            protect(&setup);
            taken(&setup)
        };
        assert_eq!(whole.len(), 4);
        let is_whole = |packet: &[u8]| tband_format::packet::Packet::read(packet).is_ok();
        assert!(whole.iter().all(|packet| is_whole(packet)));
        for number in 0..numbers.len() {
            for bit in 0..8 * (HEADER + 2) {
                let setup = setup_after_reset(&numbers, None);
                protect(&setup);
                // SAFETY: a byte of the slot.
                unsafe {
                    let byte = of(&setup, number).0.wrapping_add(bit / 8);
                    byte.write(byte.read() ^ 1 << (bit % 8));
                }
                let found = taken(&setup);
                let place = (number + 2) % 4; // in the order of time
                let good: Vec<_> = found.iter().filter(|packet| is_whole(packet)).collect();
                let rest: Vec<_> = (0..4).filter(|at| *at != place).map(|at| &whole[at]).collect();
                assert_eq!(good, rest, "slot {number}, bit {bit}");
                assert!(found.len() == 4, "slot {number}, bit {bit}: {}", found.len());
            }
        }
    }

    #[test]
    fn of_a_table_that_is_damaged_the_whole_frames_stay() {
        for (table, mended) in [
            (&[2, 9, 0, 3, 8, 8, 0][..], &[2, 9, 0, 3, 8, 8, 0][..]),
            (&[2, 9, 0, 5, 8, 8, 0], &[2, 9, 0, 0, 0, 0, 0]),
            (&[9, 9, 0, 3, 8, 8, 0], &[0, 0, 0, 3, 8, 8, 0]),
            (&[2, 9, 0, 3, 8, 8], &[2, 9, 0, 0, 0, 0]),
            (&[0, 0, 2, 9, 0], &[0, 0, 2, 9, 0]),
        ] {
            let mut bytes = table.to_vec();
            let range = bytes.as_mut_ptr_range();
            // SAFETY: the table's own bytes.
            unsafe { repair_table(range.start, range.end) };
            assert_eq!(bytes, mended, "{table:?}");
        }
    }
}
