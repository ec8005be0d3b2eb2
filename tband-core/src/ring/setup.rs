//! What the firmware gives to the recorder for packets.

use core::sync::atomic::{AtomicPtr, Ordering};

use super::Ring;
use super::reader::Reader;
use super::tail::Tail;

/// What happens when a core has no room for another packet.
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

/// How much there is in a metadata buffer.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct TableMeasure {
    /// Bytes in use.
    pub used: u16,
    /// Metadata events that found it full.
    pub dropped: u16,
    /// How large it should have been; 0 if everything did fit.
    pub needed: u16,
}

/// Where the metadata is that belongs to the packets in the rings.
#[derive(Debug)]
#[repr(C)]
pub struct Kept {
    /// The metadata buffers of all cores.
    pub tables: AtomicPtr<u8>,
    /// Where the recording is from before a reset: for each core how much there is. Else null: as the cores' state has
    /// it.
    pub measures: AtomicPtr<TableMeasure>,
}

impl Kept {
    /// Metadata buffer of core `index`, of `size` bytes each.
    pub(crate) fn table(&self, index: u32, size: u32) -> *mut u8 {
        let tables = self.tables.load(Ordering::Relaxed);
        tables.wrapping_add((size as usize).wrapping_mul(index as usize))
    }

    /// The recording is from before a reset.
    pub(crate) fn is_of_before(&self) -> bool {
        !self.measures.load(Ordering::Relaxed).is_null()
    }

    /// The metadata of core `index` is not to be used: one event more was dropped.
    pub(crate) fn drop_table(&self, index: u32, measure: TableMeasure) {
        // SAFETY: the setup's promise; there is one reader. In this order: there may be another reset in between.
        unsafe {
            let place = self.measures.load(Ordering::Relaxed).add(index as usize);
            (&raw mut (*place).dropped).write_volatile(measure.dropped.saturating_add(1));
            (&raw mut (*place).used).write_volatile(0);
        }
    }

    /// How much there is of core `index`; the recording is from before a reset.
    /// The tables are those of a recording before a reset, and have measures.
    pub(crate) fn is_of_another_run(&self) -> bool {
        !self.measures.load(Ordering::Relaxed).is_null()
    }

    pub(crate) fn measure(&self, index: u32) -> TableMeasure {
        // SAFETY: the setup's promise.
        unsafe { self.measures.load(Ordering::Relaxed).add(index as usize).read() }
    }
}

/// Configuration and memory, of which there is one constant in a firmware.
#[derive(Debug)]
#[repr(C)]
pub struct PacketSetup {
    /// Number of cores, 1 to 64.
    pub core_count: u32,
    /// State of each core's ring: as many elements as cores. All zero at the start. With `packet_size` next to it, and then
    /// the two addresses: an Arm loads two neighbours at a time, and each packet that is opened takes these four.
    pub rings: *mut Ring,
    /// Bytes of a packet: 128 to 4096, a multiple of 8.
    pub packet_size: u32,
    /// Packets of all cores: for each core `packet_count` times `packet_size` bytes. Aligned to 8 bytes.
    pub memory: *mut u8,
    /// The last packet of the first core there.
    pub last_packet: *mut u8,
    /// Packets of a core, at least 1.
    pub packet_count: u32,
    /// State of who takes packets. All zero at the start. Null where packets are a [snapshot](Policy::Snapshot), and the port
    /// [has it](crate::Port::reader).
    pub reader: *mut Reader,
    /// Bytes of the longest event.
    pub max_event_len: u32,
    /// The metadata is sent again after this many packets; 0: only on request.
    pub metadata_every: u32,
    /// When a core has no room.
    pub policy: Policy,
    /// What packets begin with: for each core `at_begin_words` words. The first is the number of the task that runs there, 0
    /// if there is none. After it are the numbers, less [`MAIN_PROGRAM`](tband_format::registry::MAIN_PROGRAM), of the interrupts
    /// that were entered in this recording and are open, the outermost first, and then 0: a start empties them.
    pub at_begin: *mut u32,
    /// Open interrupts of a second kind, or null: for each core `class_isr_words` words, as those in `at_begin`, but no start
    /// empties them.
    pub class_isrs: *const u32,
    /// A place for packets of metadata, as long as a packet's header, the longest frame and 64 bytes, and aligned to 4
    /// bytes; with [`Policy::PostMortem`] only. Null: they are written where a packet was that was sent.
    pub metadata_slot: *mut u8,
    /// See `at_begin`.
    pub at_begin_words: u32,
    /// See `class_isrs`.
    pub class_isr_words: u32,
    /// Null if nothing is kept for after a reset; with [`Policy::PostMortem`] only.
    pub kept: *const Kept,
    /// 1 if the port wants to hear of each packet that is closed, else 0.
    pub hands_out: u32,
    /// 1 if a packet is closed before the first event in another turn of the time's lower half, so that no turn passes
    /// unseen; else 0.
    pub sees_turns: u32,
    /// Packets that may be closed and not given back: `packet_count`, or one less where the reader is a probe, which takes
    /// a ring that is full for one that is empty.
    pub most_waiting: u32,
}

// SAFETY: a constant; what its pointers lead to is shared by atomics, or belongs to one side at a time.
unsafe impl Sync for PacketSetup {}

impl PacketSetup {
    /// The ring of core `index`, which is below the number of cores.
    #[inline(always)]
    pub(crate) fn ring(&self, index: u32) -> &Ring {
        // SAFETY: there are as many as cores.
        unsafe { &*self.rings.add(index as usize) }
    }

    /// Bytes of the packets of a core.
    #[inline(always)]
    pub(crate) fn ring_size(&self) -> u32 {
        let to_last = (self.last_packet as usize).wrapping_sub(self.memory as usize);
        self.packet_size.wrapping_add(to_last as u32)
    }

    /// The first packet of core `index`.
    #[inline(always)]
    pub(crate) fn first_slot(&self, index: u32) -> *mut u8 {
        self.memory.wrapping_add((self.ring_size() as usize).wrapping_mul(index as usize))
    }

    /// The last packet in the memory of core `index`, after which the first one follows.
    #[inline(always)]
    pub(crate) fn last_slot(&self, index: u32) -> *mut u8 {
        self.last_packet.wrapping_add((self.ring_size() as usize).wrapping_mul(index as usize))
    }

    /// The slot of core `index` after `slot`.
    #[inline(always)]
    pub(crate) fn after(&self, index: u32, slot: *mut u8) -> *mut u8 {
        self.after_by(self.packet_size, index, slot)
    }

    /// As [`after`](Self::after), where the size of a packet is in a register already.
    #[inline(always)]
    pub(crate) fn after_by(&self, packet_size: u32, index: u32, slot: *mut u8) -> *mut u8 {
        let next = slot.wrapping_add(packet_size as usize);
        if slot == self.last_slot(index) { self.first_slot(index) } else { next }
    }

    /// The slot of core `index` in front of `slot`.
    pub(crate) fn in_front_of(&self, index: u32, slot: *mut u8) -> *mut u8 {
        let before = slot.wrapping_sub(self.packet_size as usize);
        if slot == self.first_slot(index) { self.last_slot(index) } else { before }
    }

    /// What packets of core `index` begin with: see [`at_begin`](Self::at_begin).
    #[inline(always)]
    pub(crate) fn at_begin_of(&self, index: u32) -> *mut u32 {
        self.at_begin.wrapping_add(self.at_begin_words.wrapping_mul(index) as usize)
    }

    /// The open interrupts of core `index` in `at_begin`.
    #[inline(always)]
    pub(crate) fn isrs_of(&self, index: u32) -> *mut u32 {
        self.at_begin_of(index).wrapping_add(1)
    }

    /// Those of the second kind; null, for each core, if there is none.
    #[inline(always)]
    pub(crate) fn class_isrs_of(&self, index: u32) -> *const u32 {
        self.class_isrs.wrapping_add(self.class_isr_words.wrapping_mul(index) as usize)
    }

    /// Where the metadata is, if what is recorded is kept for after a reset, which it is with one policy.
    #[inline(always)]
    pub(crate) fn kept(&self, policy: Policy) -> Option<&Kept> {
        // SAFETY: null, or a variable of the shim.
        unsafe { if policy == Policy::PostMortem { self.kept.as_ref() } else { None } }
    }

    /// A place for packets of metadata, if they have one, which they have with one policy; else null.
    #[inline(always)]
    pub(crate) fn metadata_slot(&self, policy: Policy) -> *mut u8 {
        if policy == Policy::PostMortem { self.metadata_slot } else { core::ptr::null_mut() }
    }

    /// How far the open packet in `slot` has come.
    #[inline(always)]
    pub(crate) fn tail(&self, slot: *mut u8) -> &Tail {
        let end = slot.wrapping_add(self.packet_size as usize);
        // SAFETY: a slot has room for it, at an address that is a multiple of 8. It is atomic.
        unsafe { &*Tail::in_front_of(end) }
    }

    /// State of who takes packets, of which a snapshot may have none here.
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

    /// One core with `count` packets, which nobody has written to. What it points to stays until the tests end.
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
