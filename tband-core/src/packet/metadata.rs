//! The metadata stream: packets with the frames of what exists, written by the reader in the slot of a packet that was
//! sent.

use crate::atomics::Ordering;
use core::cell::Cell;

use tband_format::packet::{HEADER_LEN, METADATA_STREAM};

use crate::backend::Frames;
use crate::declared::{WholeFrameReceiver, copy};
use crate::emit::TS_FREQUENCY_ID;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{
    ALL, MetadataLocation, MetadataProgress, NOTHING, PacketSetup, Policy, Slot, first_of,
};
use crate::table::{copy_entries, end_of_frame, pass_over_gap};

/// The packet of metadata that is being written, as a receiver of frames.
struct MetadataPacket;

/// How far that is.
struct Place {
    /// Address of the next frame.
    at: Cell<*mut u8>,
    /// Upper limit of the packet's content.
    limit: *mut u8,
}

impl Frames for MetadataPacket {
    type Owner = Place;

    fn reserve<P: Port>(_: &Recorder<P>, place: &Place, _: u64, len: usize) -> Option<*mut u8> {
        let at = place.at.get();
        (len <= (place.limit as usize).wrapping_sub(at as usize)).then_some(at)
    }

    unsafe fn commit<P: Port>(_: &Recorder<P>, place: &Place, end: *mut u8, _: bool) -> bool {
        place.at.set(end);
        true
    }
}

impl WholeFrameReceiver for MetadataPacket {
    fn take<P: Port>(recorder: &Recorder<P>, place: &Place, ts: u64, frame: &[u8]) -> bool {
        copy::<Self, P>(recorder, place, ts, frame)
    }
}

/// How often the reader restarts with a table that changes.
const RESTARTS: u8 = 4;

/// In `MetadataProgress::core`: the table of the first core is next.
const FIRST_CORE: u8 = 1;
/// In `MetadataProgress::core`: the description of the first event outside of the base is next; each further one is one less.
const FIRST_DECLARATION: u8 = NOTHING - 1;

impl<P: Port> Recorder<P> {
    /// In `MetadataProgress::core`: this value or a smaller one means that all descriptions were sent. Packets have at most 64 cores,
    /// so no core's number is larger.
    const DECLARATIONS_END: u8 = {
        assert!(P::DECLARATIONS.len() < 0x80);
        FIRST_DECLARATION - P::DECLARATIONS.len() as u8
    };

    /// The metadata comes first at a start. So a slot of core 0 is put in front of the next packets: an empty packet of the
    /// metadata stream, which the reader fills when it reaches it. If no slot is free, the packets do not show where the
    /// recording starts, but they report the discarded events. For a snapshot, whose memory may be read directly, the metadata
    /// is written at once, up to half of the ring.
    ///
    /// Context: recording is off, and has finished; the lock.
    ///
    /// A firmware links one of the two starts that call it, so it is part of each.
    #[inline(always)]
    pub(super) fn begin_metadata(&self, setup: &PacketSetup) {
        let policy = self.port.policy(setup);
        let slot = setup.metadata_slot(policy);
        if !slot.is_null() {
            // SAFETY: no metadata is being taken now.
            unsafe { Slot(slot).clear() };
        }
        let ring = setup.ring(0);
        if policy == Policy::PostMortem {
            setup.reader().begin_metadata();
        } else if policy == Policy::Snapshot {
            // For this start only.
            let sent = MetadataProgress::nothing();
            loop {
                if ring.own_waiting(Self::ACQUIRE) >= setup.packet_count >> 1 {
                    ring.set_metadata_left(sent.core.load(Ordering::Relaxed));
                    break;
                }
                let slot = ring.slot();
                // SAFETY: recording is off, so the slot is unused.
                if !unsafe { self.write_metadata(setup, &sent, Slot(slot)) } {
                    break;
                }
                self.pass(setup, 0);
            }
        } else if ring.own_waiting(Self::ACQUIRE) < setup.packet_count {
            let slot = Slot(ring.slot());
            // SAFETY: as above.
            unsafe {
                slot.clear();
                slot.set_begin(self.port.timestamp());
            }
            self.pass(setup, 0);
        }
    }

    /// Writes the next packet of metadata into `slot`; `false` if all was sent.
    ///
    /// Continues where the last packet ended. If an entry was stored or moved in between, restarts at the begin of the core's
    /// table. After [`RESTARTS`] restarts all entries count as sent, and follow with the next repetition: entries that change
    /// all the time are in the cores' packets too.
    ///
    /// Context: the critical section and the lock. About twelve instructions a byte of the packet.
    ///
    /// # Safety
    /// The slot is the caller's.
    pub(super) unsafe fn write_metadata(
        &self,
        setup: &PacketSetup,
        sent: &MetadataProgress,
        slot: Slot,
    ) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.write_metadata_into(setup, sent, slot) }
    }

    /// Like [`write_metadata`](Self::write_metadata), for RTT: a separate copy, so that in a program without RTT the
    /// other one is inlined into its only caller.
    ///
    /// # Safety
    /// The slot is the caller's.
    #[inline(always)]
    pub(super) unsafe fn write_metadata_into(
        &self,
        setup: &PacketSetup,
        sent: &MetadataProgress,
        slot: Slot,
    ) -> bool {
        let mut core = sent.core.load(Ordering::Relaxed);
        if core == ALL {
            return false;
        }
        let start = slot.0.wrapping_add(HEADER_LEN);
        // A packet that is read in place has no checksum, so it must not fill its slot: see `tband_format::packet`.
        let room = (setup.packet_size as usize).wrapping_sub(HEADER_LEN + 1);
        let wanted = (self.port.max_frame_len() as usize).wrapping_add(64);
        let room = if wanted < room { wanted } else { room };
        let place = Place { at: Cell::new(start), limit: start.wrapping_add(room) };
        if core == NOTHING {
            self.write_own_metadata(&place);
            core = if P::DECLARATIONS.is_empty() { FIRST_CORE } else { FIRST_DECLARATION };
            sent.offset.store(0, Ordering::Relaxed);
            sent.restarts.store(0, Ordering::Relaxed);
        } else if !P::DECLARATIONS.is_empty() && core > Self::DECLARATIONS_END {
            core = self.write_declarations(&place, core);
        } else {
            // SAFETY: the slot is the caller's, and the packet has room.
            core = unsafe { self.write_tables(setup, sent, &place, core) };
        }
        sent.core.store(core, Ordering::Relaxed);
        let end = place.at.get();
        if end == start {
            sent.core.store(ALL, Ordering::Relaxed);
            return false;
        }
        let is_of_before = setup
            .metadata_location(self.port.policy(setup))
            .is_some_and(MetadataLocation::is_of_before);
        // SAFETY: it was opened with the time of the recovered packets.
        let now = if is_of_before { unsafe { slot.begin() } } else { self.port.timestamp() };
        let sequence = sent.sequence.load(Ordering::Relaxed);
        sent.sequence.store(sequence.wrapping_add(1), Ordering::Relaxed);
        // SAFETY: the slot is the caller's.
        unsafe {
            let which = first_of(METADATA_STREAM) | u32::from(sequence) << 16;
            slot.open(|| which, setup.packet_size, now);
            slot.set_end(now);
            slot.close(end, 0);
        }
        true
    }

    /// Writes the information about the recording itself.
    fn write_own_metadata(&self, place: &Place) {
        let frequency = self.port.frequency();
        if frequency != 0 {
            // The event's time, encoded like a first number, is that of the packet.
            let numbers = [0, frequency as u32, (frequency >> 32) as u32];
            self.send_numbers::<MetadataPacket>(0, place, TS_FREQUENCY_ID, &numbers);
        }
        self.send_system_info::<MetadataPacket>(0, place);
    }

    /// Describes events outside of the base from where the last packet ended, and returns where the next one continues.
    fn write_declarations(&self, place: &Place, mut next: u8) -> u8 {
        while next > Self::DECLARATIONS_END {
            let index = FIRST_DECLARATION.wrapping_sub(next);
            let Some(declaration) = P::DECLARATIONS.get(usize::from(index)) else { break };
            if !MetadataPacket::take(self, place, 0, declaration.frame()) {
                return next;
            }
            next = next.wrapping_sub(1);
        }
        FIRST_CORE
    }

    /// Writes entries from where the last packet ended, and returns the core at which the next packet continues, as in
    /// `MetadataProgress::core`.
    ///
    /// # Safety
    /// The place has room up to its limit.
    unsafe fn write_tables(
        &self,
        setup: &PacketSetup,
        sent: &MetadataProgress,
        place: &Place,
        core: u8,
    ) -> u8 {
        let mut index = core.wrapping_sub(FIRST_CORE);
        let kept = setup.metadata_location(self.port.policy(setup));
        let before = kept.filter(|kept| kept.is_of_before());
        // A recording from before a reset does not change any more.
        let changes = if before.is_some() { 0 } else { self.metadata_changes() };
        if sent.changes.load(Ordering::Relaxed) != changes {
            sent.changes.store(changes, Ordering::Relaxed);
            if sent.offset.load(Ordering::Relaxed) != 0 {
                sent.offset.store(0, Ordering::Relaxed);
                let restarts = sent.restarts.load(Ordering::Relaxed).wrapping_add(1);
                sent.restarts.store(restarts, Ordering::Relaxed);
                if restarts > RESTARTS {
                    return ALL;
                }
            }
        }
        let first = index;
        while u32::from(index) < self.port.core_count() {
            let measure = match before {
                Some(kept) => kept.measure(index.into()),
                None => self.measure_table(index.into()),
            };
            let buf = match kept {
                Some(kept) => kept.table(index.into(), self.port.metadata_buf_size()),
                None => self.port.metadata_buf(index.into()),
            };
            let end = buf.wrapping_add(measure.used.into());
            let mut at = buf.wrapping_add(sent.offset.load(Ordering::Relaxed).into());
            let start = place.at.get();
            if at == buf {
                let (dropped, needed) = (measure.dropped.into(), measure.needed.into());
                self.report_dropped_metadata::<MetadataPacket>(
                    0,
                    place,
                    index.into(),
                    dropped,
                    needed,
                );
            }
            if self.port.core_count() > 1 {
                let before = place.at.get();
                self.send_owner::<MetadataPacket>(place, index.into());
                // After the tables of other cores this `core_id` may not fit, while entries would, and would be attributed to
                // those cores. So all of it is moved to the next packet.
                if index != first && place.at.get() == before {
                    place.at.set(start);
                    return index.wrapping_add(FIRST_CORE);
                }
            }
            // SAFETY: entries and gaps are from `buf` to `end`, and `at` is where one begins.
            unsafe {
                loop {
                    at = pass_over_gap(at, end);
                    if at >= end {
                        break;
                    }
                    let next = end_of_frame(at);
                    let to = place.at.get();
                    let limit = place.limit;
                    let to_end = copy_entries(at, next, to, limit);
                    if to_end > limit {
                        let offset = (at as usize).wrapping_sub(buf as usize) as u16;
                        sent.offset.store(offset, Ordering::Relaxed);
                        return index.wrapping_add(FIRST_CORE);
                    }
                    place.at.set(to_end);
                    at = next;
                }
            }
            sent.offset.store(0, Ordering::Relaxed);
            index += 1;
        }
        ALL
    }
}
