//! What the post-mortem backend has besides: a recording that ends some packets later, and one that a reset has ended.
//!
//! Of that the slots of the rings are left, in memory that the reset did not touch, and the tables of metadata.
//! Slots say by themselves whether they hold a packet, which one, and how far an open one has come. So nothing else of
//! the rings' state has to survive, and nothing in the hot path is stored twice.

use core::sync::atomic::Ordering;

use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{PacketSetup, Slot, TableMeasure};
use crate::table::clear;

impl<P: Port> Recorder<P> {
    /// Finds the packets that a recording before a reset has left, so that they can be taken as those of one that was
    /// stopped. `true` if there are any.
    ///
    /// Context: nothing was recorded since the reset; whoever starts recordings. Some 30 instructions a packet, and 10 a
    /// byte of the metadata.
    pub fn recover_packets(&self) -> bool {
        let Some(setup) = self.port.packets() else { return false };
        let mut found = false;
        let slot = setup.metadata_slot(self.port.policy(setup));
        for index in 0..self.port.core_count() {
            if recover_ring(setup, index) && !found {
                found = true;
                // SAFETY: the packet is closed; nobody takes metadata yet.
                unsafe {
                    let begin = Slot(setup.ring(index).oldest()).begin();
                    Slot(slot).clear();
                    Slot(slot).open(0, 0, begin);
                }
            }
            if let Some(kept) = setup.kept(self.port.policy(setup)) {
                let size = self.port.metadata_buf_size();
                let measure = kept.measure(index);
                if u32::from(measure.used) > size {
                    // It was being changed.
                    kept.drop_table(index, measure);
                } else {
                    let table = kept.table(index, size);
                    // SAFETY: the table has as many bytes.
                    unsafe { mend_table(table, table.wrapping_add(measure.used.into())) };
                }
            }
        }
        setup.reader().ask_for_metadata();
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

    /// Recording stops when a core has closed `packets` more packets; 0: at once.
    ///
    /// Context: the critical section.
    pub fn freeze_after(&self, packets: u16) {
        let Some(setup) = self.port.packets() else { return };
        if packets == 0 {
            self.stop_packets();
            return;
        }
        for index in 0..self.port.core_count() {
            // A core whose packet was closed early opens one before closing it.
            let is_open = !self.port.core(index).at.load(Ordering::Relaxed).is_null();
            let packets = if is_open { packets } else { packets.saturating_add(1) };
            setup.ring(index).freeze_after(packets);
        }
    }

    /// Bytes of the packets that can be taken now, without metadata.
    ///
    /// Context: recording is off.
    pub fn packets_amount(&self) -> usize {
        let Some(setup) = self.port.packets() else { return 0 };
        let mut bytes = 0_usize;
        for index in 0..self.port.core_count() {
            if self.core_finished(index) {
                self.close_left_open(setup, index);
                let ring = setup.ring(index);
                let mut slot = ring.oldest();
                let mut left = ring.waiting();
                while left != 0 {
                    // SAFETY: the packet is closed.
                    bytes = bytes.wrapping_add(unsafe { Slot(slot).content_len() } as usize);
                    slot = ring.behind(setup, slot);
                    left -= 1;
                }
            }
        }
        bytes
    }
}

/// Finds the packets in the slots of core `index`, and closes the one that was open. `true` if there are any.
fn recover_ring(setup: &PacketSetup, index: u32) -> bool {
    let ring = setup.ring(index);
    ring.place(setup, index);
    let first = ring.slot();
    // SAFETY: nobody records, so all slots are the caller's.
    unsafe {
        // The newest one.
        let mut newest = None;
        let mut slot = first;
        loop {
            if let Some(sequence) = Slot(slot).left_behind(setup, index) {
                let is_newer = match newest {
                    Some((_, than)) => (sequence.wrapping_sub(than) as i16) > 0,
                    None => true,
                };
                if is_newer {
                    newest = Some((slot, sequence));
                }
            }
            slot = ring.behind(setup, slot);
            if slot == first {
                break;
            }
        }
        let Some((newest, last)) = newest else { return false };
        // Those in front of it, as far as their numbers go down by one.
        let (mut oldest, mut sequence) = (newest, last);
        let mut count: u16 = 1;
        loop {
            let slot = ring.in_front_of(setup, oldest);
            let expected = sequence.wrapping_sub(1);
            if slot == newest || Slot(slot).left_behind(setup, index) != Some(expected) {
                break;
            }
            (oldest, sequence) = (slot, expected);
            count = count.wrapping_add(1);
        }
        // The only one that can have been open. Of what was discarded the one in front of it tells.
        if Slot(newest).content_len() == 0 {
            let discarded = if newest == oldest {
                0
            } else {
                Slot(ring.in_front_of(setup, newest)).discarded()
            };
            let tail = setup.tail(newest);
            let end = Slot(newest).begin_and_since(tail.last_time.load(Ordering::Relaxed));
            Slot(newest).close(tail.at.load(Ordering::Relaxed), end, discarded);
        }
        ring.adopt(setup, oldest, newest, count, index, last.wrapping_add(1));
    }
    true
}

/// Makes a gap of each frame between `start` and `end` that is not whole: whoever reads the table relies on it, and
/// memory may be damaged where there was no power.
///
/// # Safety
/// The bytes may be read and written.
unsafe fn mend_table(start: *mut u8, end: *mut u8) {
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
