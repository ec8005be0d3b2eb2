//! The firmware's configuration and memory for packets.

use crate::atomics::{AtomicPtr, Ordering};

use super::Ring;
use super::reader::Reader;
use super::tail::Tail;

/// What happens if a core has no free packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Policy {
    /// Events are counted as discarded until the reader has given a packet back.
    Stream = 0,
    /// Recording stops on all cores.
    Snapshot = 1,
    /// The oldest packet is overwritten. Packets can be taken once recording has stopped.
    PostMortem = 2,
}

/// Fill level of a metadata buffer.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct TableMeasure {
    /// Bytes in use.
    pub used: u16,
    /// Metadata events that did not fit.
    pub dropped: u16,
    /// Required size of the buffer; 0 if everything fits.
    pub needed: u16,
}

/// Location of the metadata that belongs to the packets in the rings.
#[derive(Debug)]
#[repr(C)]
pub struct MetadataLocation {
    /// The metadata buffers of all cores.
    pub tables: AtomicPtr<u8>,
    /// For a recording from before a reset: the measures of each core's table. Otherwise null: they are in the state of the
    /// cores.
    pub measures: AtomicPtr<TableMeasure>,
}

impl MetadataLocation {
    /// Returns the metadata buffer of core `index`; each has `size` bytes.
    pub(crate) fn table(&self, index: u32, size: u32) -> *mut u8 {
        let tables = self.tables.load(Ordering::Relaxed);
        tables.wrapping_add((size as usize).wrapping_mul(index as usize))
    }

    /// Returns whether the recording is from before a reset.
    pub(crate) fn is_of_before(&self) -> bool {
        !self.measures.load(Ordering::Relaxed).is_null()
    }

    /// Marks the metadata of core `index` as unusable, with one more dropped event.
    pub(crate) fn drop_table(&self, index: u32, measure: TableMeasure) {
        // SAFETY: the setup's promise; there is one reader. In this order: there may be another reset in between.
        unsafe {
            let place = self.measures.load(Ordering::Relaxed).add(index as usize);
            (&raw mut (*place).dropped).write_volatile(measure.dropped.saturating_add(1));
            (&raw mut (*place).used).write_volatile(0);
        }
    }

    /// Returns whether the tables are those of a recording from before a reset, which have measures.
    pub(crate) fn is_of_another_run(&self) -> bool {
        !self.measures.load(Ordering::Relaxed).is_null()
    }

    pub(crate) fn measure(&self, index: u32) -> TableMeasure {
        // SAFETY: the setup's promise.
        unsafe { self.measures.load(Ordering::Relaxed).add(index as usize).read() }
    }
}

/// Configuration and memory; a firmware has one such constant.
#[derive(Debug)]
#[repr(C)]
pub struct PacketSetup {
    /// Number of cores, 1 to 64.
    pub core_count: u32,
    /// State of each core's ring: as many elements as cores. All zero at the start. `packet_size` follows it, and then the two
    /// addresses: an Arm loads two adjacent words at a time, and opening a packet needs these four.
    pub rings: *mut Ring,
    /// Bytes of a packet: 128 to 4096, a multiple of 8.
    pub packet_size: u32,
    /// Packets of all cores: for each core `packet_count` times `packet_size` bytes. Aligned to 8 bytes.
    pub memory: *mut u8,
    /// The last packet of the first core there.
    pub last_packet: *mut u8,
    /// Packets of a core, at least 1.
    pub packet_count: u32,
    /// State of the consumer. All zero at the start. Null if packets are a [snapshot](Policy::Snapshot), and the port [has
    /// it](crate::Port::reader).
    pub reader: *mut Reader,
    /// Bytes of the longest event.
    pub max_event_len: u32,
    /// The metadata is sent again after this many packets; 0: only on request.
    pub metadata_every: u32,
    /// When a core has no room.
    pub policy: Policy,
    /// State at the begin of packets: for each core `at_begin_words` words. The first is the number of the running task, 0 if
    /// there is none. It is followed by the numbers, less [`MAIN_PROGRAM`](tband_format::registry::MAIN_PROGRAM), of the
    /// interrupts that were entered in this recording and are open, the outermost first, and then 0: a start clears them.
    pub at_begin: *mut u32,
    /// Open interrupts of a second kind, or null: for each core `class_isr_words` words, encoded as in `at_begin`, but not
    /// cleared by a start.
    pub class_isrs: *const u32,
    /// A slot for packets of metadata, as long as a packet's header, the longest frame and 64 bytes, and aligned to 4 bytes; with
    /// [`Policy::PostMortem`] only. Null: they are written into the slot of a packet that was sent.
    pub metadata_slot: *mut u8,
    /// See `at_begin`.
    pub at_begin_words: u32,
    /// See `class_isrs`.
    pub class_isr_words: u32,
    /// Null if nothing is kept across a reset; with [`Policy::PostMortem`] only.
    pub kept: *const MetadataLocation,
    /// 1 if the library must notify the port of each closed packet, else 0.
    pub hands_out: u32,
    /// 1 if a packet is closed before the first event after a wrap of the time's lower half, so that every wrap is noticed; else
    /// 0.
    pub sees_turns: u32,
    /// Maximum number of packets that are closed and not released: `packet_count`, or one less if the reader is a probe, which
    /// cannot distinguish a full ring from an empty one.
    pub most_waiting: u32,
}

// SAFETY: a constant; what its pointers lead to is shared by atomics, or belongs to one side at a time.
unsafe impl Sync for PacketSetup {}

impl PacketSetup {
    /// Returns the ring of core `index`, which is below the number of cores.
    #[inline(always)]
    pub(crate) fn ring(&self, index: u32) -> &Ring {
        // SAFETY: there are as many as cores.
        unsafe { &*self.rings.add(index as usize) }
    }

    /// Returns the size of the packets of a core in bytes.
    #[inline(always)]
    pub(crate) fn ring_size(&self) -> u32 {
        let to_last = (self.last_packet as usize).wrapping_sub(self.memory as usize);
        self.packet_size.wrapping_add(to_last as u32)
    }

    /// Returns the first packet of core `index`.
    #[inline(always)]
    pub(crate) fn first_slot(&self, index: u32) -> *mut u8 {
        self.memory.wrapping_add((self.ring_size() as usize).wrapping_mul(index as usize))
    }

    /// Returns the last packet in the memory of core `index`, which the first one follows.
    #[inline(always)]
    pub(crate) fn last_slot(&self, index: u32) -> *mut u8 {
        self.last_packet.wrapping_add((self.ring_size() as usize).wrapping_mul(index as usize))
    }

    /// Returns the slot of core `index` after `slot`.
    #[inline(always)]
    pub(crate) fn after(&self, index: u32, slot: *mut u8) -> *mut u8 {
        self.after_by(self.packet_size, index, slot)
    }

    /// Like [`after`](Self::after), if the size of a packet is in a register already.
    #[inline(always)]
    pub(crate) fn after_by(&self, packet_size: u32, index: u32, slot: *mut u8) -> *mut u8 {
        let next = slot.wrapping_add(packet_size as usize);
        if slot == self.last_slot(index) { self.first_slot(index) } else { next }
    }

    /// Returns the slot of core `index` before `slot`.
    pub(crate) fn in_front_of(&self, index: u32, slot: *mut u8) -> *mut u8 {
        let before = slot.wrapping_sub(self.packet_size as usize);
        if slot == self.first_slot(index) { self.last_slot(index) } else { before }
    }

    /// Returns the state at the begin of packets of core `index`: see [`at_begin`](Self::at_begin).
    #[inline(always)]
    pub(crate) fn at_begin_of(&self, index: u32) -> *mut u32 {
        self.at_begin.wrapping_add(self.at_begin_words.wrapping_mul(index) as usize)
    }

    /// Returns the open interrupts of core `index` in `at_begin`.
    #[inline(always)]
    pub(crate) fn isrs_of(&self, index: u32) -> *mut u32 {
        self.at_begin_of(index).wrapping_add(1)
    }

    /// Returns the open interrupts of the second kind; null, for each core, without that kind.
    #[inline(always)]
    pub(crate) fn class_isrs_of(&self, index: u32) -> *const u32 {
        self.class_isrs.wrapping_add(self.class_isr_words.wrapping_mul(index) as usize)
    }

    /// Returns where the metadata is, if the recording is kept across a reset, which only one policy does.
    #[inline(always)]
    pub(crate) fn metadata_location(&self, policy: Policy) -> Option<&MetadataLocation> {
        // SAFETY: null, or a variable of the shim.
        unsafe { if policy == Policy::PostMortem { self.kept.as_ref() } else { None } }
    }

    /// Returns the separate slot for packets of metadata, which exists with one policy only; else null.
    #[inline(always)]
    pub(crate) fn metadata_slot(&self, policy: Policy) -> *mut u8 {
        if policy == Policy::PostMortem { self.metadata_slot } else { core::ptr::null_mut() }
    }

    /// Returns the tail of the open packet in `slot`.
    #[inline(always)]
    pub(crate) fn tail(&self, slot: *mut u8) -> &Tail {
        let end = slot.wrapping_add(self.packet_size as usize);
        // SAFETY: a slot has room for it, at an address that is a multiple of 8. It is atomic.
        unsafe { &*Tail::in_front_of(end) }
    }

    /// Returns the state of the consumer, which may be missing here with a snapshot.
    #[inline(always)]
    pub fn reader(&self) -> &Reader {
        // SAFETY: the setup's promise.
        unsafe { &*self.reader }
    }
}

#[cfg(test)]
pub(crate) mod sample {
    //! A ring for the tests of this crate.

    use std::boxed::Box;
    use std::vec;

    use super::*;

    /// Bytes of a packet.
    pub(crate) const SIZE: usize = 128;

    /// Creates one core with `count` packets that were never written. The memory it points to is leaked.
    pub(crate) fn setup(count: u32) -> PacketSetup {
        let words = vec![0_u64; SIZE / 8 * count as usize];
        let memory = words.leak().as_mut_ptr().cast::<u8>();
        PacketSetup {
            core_count: 1,
            rings: Box::leak(Box::new(Ring::default())),
            reader: Box::leak(Box::new(Reader::default())),
            packet_size: SIZE as u32,
            memory,
            last_packet: memory.wrapping_add(SIZE * (count as usize - 1)),
            packet_count: count,
            max_event_len: 30,
            metadata_every: 0,
            policy: Policy::PostMortem,
            at_begin: Box::leak(Box::new([0; 2])).as_mut_ptr(),
            class_isrs: core::ptr::null(),
            metadata_slot: core::ptr::null_mut(),
            at_begin_words: 2,
            class_isr_words: 0,
            kept: core::ptr::null(),
            hands_out: 0,
            sees_turns: 0,
            most_waiting: count,
        }
    }
}
