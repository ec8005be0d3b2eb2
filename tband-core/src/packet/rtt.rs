//! A debug probe as the reader: the ring of packets is an up-buffer of SEGGER's RTT.
//!
//! A closed slot is a part of the byte ring that the probe reads, so nothing is copied: closing a packet moves the buffer's write
//! offset by a slot, and the read offset, which the probe writes, releases slots. The probe reads the slots as they are in memory:
//! without a checksum, which the probe's link does not need, and with their padding.
//!
//! The probe cannot write metadata into a slot that it has read, as other readers do. So the core does it, in a separate slot at
//! the head of the ring: at the start of a recording, and in the tick that keeps the time.

use crate::atomics::{AtomicU32, Ordering, fence};

use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{PacketSetup, Ring, Slot};
use crate::snapshot::NotStarted;
use crate::state::CoreState;

/// An up-buffer in a control block of RTT, with the layout that probes know.
#[derive(Debug)]
#[repr(C)]
pub struct RttBuffer {
    /// Its name, with a NUL.
    pub name: *const u8,
    /// The memory of the ring of packets.
    pub memory: *mut u8,
    /// Bytes of that.
    pub size: u32,
    /// Offset of the next packet; the probe reads up to here.
    pub write: AtomicU32,
    /// Offset up to which the probe has read. Any value is possible: the probe writes it.
    pub read: AtomicU32,
    /// Behaviour of the firmware if the buffer is full; 0: it does not wait.
    pub flags: u32,
}

/// Maximum number of slots that are released at a time, so that a hook takes no longer after the probe has read many. One packet is
/// closed at a time.
const MOST_GIVEN_BACK: u32 = 4;

impl<P: Port> Recorder<P> {
    /// Releases the slots that the probe has read, and lets it read the closed packets.
    ///
    /// An invalid read offset releases nothing.
    ///
    /// Context: the critical section of the one core, task or interrupt. About 45 instructions, and 20 for each released slot, at
    /// most 4.
    pub fn rtt_sync(&self, buffer: &RttBuffer) {
        let Some(setup) = self.port.packets() else { return };
        let ring = setup.ring(0);
        // The ring is not set up before the first start.
        if ring.slot().is_null() {
            return;
        }
        let size = setup.packet_size;
        let total = setup.ring_size();
        let oldest = offset(setup, ring.oldest());
        let behind_oldest = |at: u32| {
            let distance = at.wrapping_sub(oldest);
            if at < oldest { distance.wrapping_add(total) } else { distance }
        };
        let read = buffer.read.load(Ordering::Relaxed);
        let head = offset(setup, ring.slot());
        let mut done = behind_oldest(read);
        if read < total && done <= behind_oldest(head) {
            // The probe read the slots before it wrote its offset.
            fence(Ordering::Acquire);
            let mut left = MOST_GIVEN_BACK;
            while done >= size && left != 0 {
                ring.give_back(setup, 0, Self::RELEASE);
                done = done.wrapping_sub(size);
                left = left.wrapping_sub(1);
            }
        }
        // The packets are complete before the probe may read them.
        fence(Ordering::Release);
        buffer.write.store(head, Ordering::Relaxed);
    }

    /// Like [`rtt_sync`](Self::rtt_sync). Also writes the next packet that is due: one of metadata, for which the open packet is
    /// closed at time `now`, or the end of a recording that was stopped.
    ///
    /// Context: as `rtt_sync`, outside of any event. About twelve instructions per byte of a packet of metadata, which is as long
    /// as the longest name and about 100 bytes.
    pub fn rtt_turn(&self, core: &CoreState, buffer: &RttBuffer, now: u64) {
        self.rtt_sync(buffer);
        let Some(setup) = self.port.packets() else { return };
        let ring = setup.ring(0);
        if ring.slot().is_null() {
            return;
        }
        let is_recording = self.is_recording();
        let head = ring.slot();
        if !is_recording {
            self.close_open_packet_of(setup, 0);
            if self.waiting(ring) < setup.most_waiting && self.has_open_end(setup, 0, core) {
                self.emit_discarded(setup, 0);
            }
        }
        let reader = setup.reader();
        let every = setup.metadata_every;
        let since = ring.closed().wrapping_sub(reader.sent.since.load(Ordering::Relaxed));
        if !reader.is_metadata_due() && every != 0 && u32::from(since) >= every {
            reader.ask_for_metadata();
        }
        // Room for the open packet, and for one of metadata after it.
        let has_room = self.waiting(ring).wrapping_add(1) < setup.most_waiting;
        if has_room && reader.is_metadata_due() {
            if is_recording {
                // SAFETY: in the critical section of the one core, which has recorded.
                unsafe { self.close_early(setup, core, now) };
            }
            self.write_metadata_at_head(setup, ring);
            // Counted from its end; otherwise metadata of many packets would restart for ever.
            reader.sent.since.store(ring.closed(), Ordering::Relaxed);
        }
        if ring.slot() != head {
            self.rtt_sync(buffer);
        }
    }

    /// Starts recording. `was_announced`: the start was announced by [`announce_rtt`](Self::announce_rtt), and the metadata
    /// continues.
    ///
    /// Context: as [`start_packets`](Self::start_packets); with one core. Writes the first packet of metadata if a slot is free,
    /// and further ones up to half of the ring; the rest follows with the next calls of [`rtt_turn`](Self::rtt_turn).
    ///
    /// # Errors
    /// [`NotStarted`] if recording is on.
    pub fn start_rtt(&self, buffer: &RttBuffer, was_announced: bool) -> Result<(), NotStarted> {
        let Some(setup) = self.port.packets() else { return Err(NotStarted) };
        self.prepare_start(setup)?;
        let ring = setup.ring(0);
        if was_announced {
            setup.reader().ask_for_metadata();
        } else {
            setup.reader().begin_metadata();
        }
        // The first packet marks the start of a recording, so it may use any free slot.
        let mut room = setup.most_waiting;
        while self.waiting(ring) < room {
            if !self.write_metadata_at_head(setup, ring) {
                break;
            }
            room = setup.most_waiting >> 1;
        }
        setup.reader().sent.since.store(ring.closed(), Ordering::Relaxed);
        self.set_recording(true);
        self.rtt_sync(buffer);
        Ok(())
    }

    /// Lets the probe read the information about the recording, and nothing more. Once that is read, a reader is connected.
    ///
    /// Context and errors: as [`start_rtt`](Self::start_rtt).
    pub fn announce_rtt(&self, buffer: &RttBuffer) -> Result<(), NotStarted> {
        let Some(setup) = self.port.packets() else { return Err(NotStarted) };
        self.prepare_start(setup)?;
        setup.reader().begin_metadata();
        let ring = setup.ring(0);
        if self.waiting(ring) < setup.most_waiting {
            self.write_metadata_at_head(setup, ring);
        }
        self.rtt_sync(buffer);
        Ok(())
    }

    /// Returns whether the probe has read all packets.
    ///
    /// Context: as [`rtt_sync`](Self::rtt_sync), which it does too.
    pub fn rtt_was_read(&self, buffer: &RttBuffer) -> bool {
        self.rtt_sync(buffer);
        self.port.packets().is_some_and(|setup| self.waiting(setup.ring(0)) == 0)
    }

    /// Writes the next packet of metadata into the slot at the head; `false` if all was written.
    ///
    /// Context: the critical section of the one core, which has no open packet, and room for another one.
    #[inline(never)]
    fn write_metadata_at_head(&self, setup: &PacketSetup, ring: &Ring) -> bool {
        // SAFETY: no packet is open, so the slot is the core's.
        let is_written =
            unsafe { self.write_metadata_into(setup, &setup.reader().sent, Slot(ring.slot())) };
        if is_written {
            self.pass(setup, 0);
        }
        is_written
    }
}

/// Returns the offset of `slot` in the memory of the packets.
fn offset(setup: &PacketSetup, slot: *mut u8) -> u32 {
    (slot as usize).wrapping_sub(setup.memory as usize) as u32
}
