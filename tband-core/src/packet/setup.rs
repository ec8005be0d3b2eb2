//! What the firmware gives to the recorder for packets.

use super::reader::Reader;
use super::ring::Ring;

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

/// Configuration and memory, of which there is one constant in a firmware.
#[derive(Debug)]
#[repr(C)]
pub struct PacketSetup {
    /// Number of cores.
    pub core_count: u32,
    /// State of each core's ring: as many elements as cores. All zero at the start.
    pub rings: *mut Ring,
    /// State of who takes packets. All zero at the start.
    pub reader: *mut Reader,
    /// Packets of all cores: for each core `packet_count` times `packet_size` bytes. Aligned to 4 bytes.
    pub memory: *mut u8,
    /// Bytes of a packet: 128 to 4096, a multiple of 4.
    pub packet_size: u32,
    /// Packets of a core, at least 2.
    pub packet_count: u32,
    /// Bytes from a core's first packet to its last: `packet_size` times one less than `packet_count`.
    pub to_last_packet: u32,
    /// Bytes of the longest event.
    pub max_event_len: u32,
    /// The metadata is sent again after this many packets; 0: only on request.
    pub metadata_every: u32,
    /// When a core has no room.
    pub policy: Policy,
    /// For each core the number of the task that runs there, 0 if there is none.
    pub running_tasks: *const u32,
    /// Two tables of the interrupts that are open, or null: for each core `open_isr_words` words, the complements of
    /// their numbers, the outermost first, and then 0.
    pub open_isrs: [*const u32; 2],
    /// See `open_isrs`.
    pub open_isr_words: [u32; 2],
    /// 1 if the port wants to hear of each packet that is closed, else 0.
    pub hands_out: u32,
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

    /// The first packet of core `index`.
    pub(crate) fn first_slot(&self, index: u32) -> *mut u8 {
        let size = self.packet_size.wrapping_add(self.to_last_packet) as usize;
        self.memory.wrapping_add(size.wrapping_mul(index as usize))
    }

    /// State of who takes packets.
    #[inline(always)]
    pub(crate) fn reader(&self) -> &Reader {
        // SAFETY: the setup's promise.
        unsafe { &*self.reader }
    }
}
