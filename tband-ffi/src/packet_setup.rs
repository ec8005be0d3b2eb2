//! The constant that passes the configuration of packets to the library, and the shim's memory for them.

use core::ffi::{c_char, c_void};
use core::mem::{align_of, offset_of, size_of};

use tband_core::CoreState;
use tband_core::metadata::Metadata;
use tband_core::packet::RttBuffer;
use tband_core::ring::{MetadataLocation, PacketSetup, TableMeasure};

/// Memory for the state of one core's ring of packets. All zero before the first use.
#[repr(C)]
pub struct tband_ring_state {
    private_pointers: [*mut u8; 2],
    private_words: [u32; 3],
}

/// Memory for the state of the consumer of packets. All zero before the first use.
#[repr(C)]
pub struct tband_packet_reader {
    private_words: [u32; 4],
}

/// `tband_packet_setup.policy`: if no packet is free, events are counted as discarded.
pub const TBAND_POLICY_STREAM: u32 = 0;
/// `tband_packet_setup.policy`: if no packet is free, recording stops.
pub const TBAND_POLICY_SNAPSHOT: u32 = 1;
/// `tband_packet_setup.policy`: if no packet is free, the oldest is overwritten.
pub const TBAND_POLICY_POST_MORTEM: u32 = 2;

/// A core's limit, the second of its pointers, is this many bytes in front of the tail of its open packet. The tail
/// contains a pointer to the next event, and the lower half of the time of the last one.
pub const TBAND_PACKET_TO_TAIL: u32 = 12;
/// Longest head of an event in a packet: id, and a time of 30 bits.
pub const TBAND_PACKET_HEAD_LEN: u32 = 5;
/// An event that comes this many ticks or more after the previous one needs `tband_lib_packet_open_next_*`.
pub const TBAND_PACKET_LONG: u32 = 0x0040_0000;

/// Flag next to an event's id and count of numbers, in packets: the last number is a count of kernel ticks.
pub const TBAND_LAST_IS_TICKS: u32 = 0x1000;
/// Like `TBAND_LAST_IS_TICKS`: the last number is optional, and present.
pub const TBAND_LAST_IS_OPTIONAL: u32 = 0x2000;
/// Like `TBAND_LAST_IS_TICKS`: an optional number after the others is missing.
pub const TBAND_LAST_IS_MISSING: u32 = 0x4000;

/// Fill level of a metadata buffer, kept across a reset.
#[repr(C)]
pub struct tband_table_measure {
    /// Bytes in use.
    pub used: u16,
    /// Metadata events that did not fit.
    pub dropped: u16,
    /// Required size of the buffer; 0 if everything fits.
    pub needed: u16,
}

/// Location of the metadata that belongs to the packets in the rings.
#[repr(C)]
pub struct tband_kept {
    /// The metadata buffers of all cores.
    pub tables: *mut u8,
    /// For a recording from before a reset: the fill level of each core's buffer. Otherwise NULL.
    pub measures: *mut tband_table_measure,
}

/// The shim's configuration of packets for the library, a constant.
#[repr(C)]
pub struct tband_packet_setup {
    /// Number of cores, 1 to 64.
    pub core_count: u32,
    /// State of each core's ring.
    pub rings: *mut tband_ring_state,
    /// Bytes of a packet (`tband_configPACKET_SIZE`).
    pub packet_size: u32,
    /// Packets: for each core `packet_count` times `packet_size` bytes, aligned to 8 bytes.
    pub memory: *mut u8,
    /// The last packet of the first core in that memory.
    pub last_packet: *mut u8,
    /// Number of packets of a core (`tband_configPACKET_COUNT`).
    pub packet_count: u32,
    /// State of the consumer, `tband_reader`. NULL with snapshots: then only the library's functions that take packets
    /// refer to it.
    pub reader: *mut tband_packet_reader,
    /// Bytes of the longest event.
    pub max_event_len: u32,
    /// The metadata is sent again after this many packets; 0: on request only (`tband_configPACKET_METADATA_EVERY`).
    pub metadata_every: u32,
    /// Policy for a core without a free packet: `TBAND_POLICY_*`.
    pub policy: u32,
    /// State at the begin of packets: for each core `at_begin_words` words, the number of the running task, 0 if there
    /// is none, then the complements of the numbers of the open interrupts, the outermost first, and then 0. A start
    /// clears the interrupts.
    pub at_begin: *mut u32,
    /// Open interrupts of the class ISR, or NULL: for each core `class_isr_words` words, encoded as in `at_begin`.
    pub class_isrs: *const u32,
    /// A slot for packets of metadata, as long as a packet's header, the longest frame and 64 bytes, and aligned to 4
    /// bytes. NULL: they are written into the slot of a packet that was sent.
    pub metadata_slot: *mut u8,
    /// See `at_begin`.
    pub at_begin_words: u32,
    /// See `class_isrs`.
    pub class_isr_words: u32,
    /// NULL if nothing is kept across a reset.
    pub kept: *const tband_kept,
    /// 1 if the library must call `tband_lib_port_packet_closed`.
    pub hands_out: u32,
    /// 1 if `tband_packet_close` is called before the first event after a wrap of the time's lower half.
    pub sees_turns: u32,
    /// Maximum number of packets that are closed and not released: `packet_count`, or with RTT one less.
    pub most_waiting: u32,
}

/// A buffer in a control block of RTT, with the layout that debug probes know.
#[repr(C)]
pub struct tband_rtt_buffer {
    /// Its name.
    pub name: *const c_char,
    /// Its memory; NULL: the buffer does not exist.
    pub memory: *mut u8,
    /// Size of the memory in bytes.
    pub size: u32,
    /// Offset of the next byte to write.
    pub write: u32,
    /// Offset of the next byte to read.
    pub read: u32,
    /// Behaviour of the firmware if it is full; 0: it does not wait.
    pub flags: u32,
}

/// The layouts are those of the core.
const _: () = {
    assert!(size_of::<tband_ring_state>() == size_of::<tband_core::ring::Ring>());
    assert!(align_of::<tband_ring_state>() >= align_of::<tband_core::ring::Ring>());
    assert!(size_of::<tband_packet_reader>() == size_of::<tband_core::ring::Reader>());
    assert!(align_of::<tband_packet_reader>() >= align_of::<tband_core::ring::Reader>());
    assert!(size_of::<tband_packet_setup>() == size_of::<PacketSetup>());
    assert!(size_of::<tband_kept>() == size_of::<MetadataLocation>());
    assert!(size_of::<tband_table_measure>() == size_of::<TableMeasure>());
    assert!(offset_of!(tband_table_measure, used) == offset_of!(TableMeasure, used));
    assert!(offset_of!(tband_table_measure, needed) == offset_of!(TableMeasure, needed));
    assert!(offset_of!(tband_packet_setup, policy) == offset_of!(PacketSetup, policy));
    assert!(offset_of!(tband_packet_setup, sees_turns) == offset_of!(PacketSetup, sees_turns));
    assert!(offset_of!(tband_packet_setup, most_waiting) == offset_of!(PacketSetup, most_waiting));
    assert!(size_of::<tband_rtt_buffer>() == size_of::<RttBuffer>());
    assert!(offset_of!(tband_rtt_buffer, write) == offset_of!(RttBuffer, write));
    assert!(offset_of!(tband_rtt_buffer, read) == offset_of!(RttBuffer, read));
    // As used in port/recorder/tband_packet_event.h.
    assert!(offset_of!(tband_core::ring::Tail, at) == 0);
    assert!(offset_of!(tband_core::ring::Tail, last_time) == size_of::<*mut u8>());
    assert!(TBAND_PACKET_TO_TAIL as usize == tband_core::ring::TO_TAIL);
    assert!(TBAND_PACKET_HEAD_LEN as usize == tband_core::ring::HEAD_LEN);
    assert!(TBAND_PACKET_LONG == tband_core::packet::LONG);
    // Written events have none of these flags.
    assert!(TBAND_LAST_IS_TICKS == Metadata::FORGET);
    assert!(
        TBAND_LAST_IS_OPTIONAL | TBAND_LAST_IS_MISSING == Metadata::UPDATE | Metadata::NOT_SENT
    );
    assert!(CoreState::LIMIT == size_of::<*mut u8>());
    // The second of `private_words`, after two pointers.
    assert!(CoreState::DROPPED == 2 * size_of::<*mut u8>() + size_of::<u32>());
    assert!(TBAND_POLICY_STREAM == tband_core::ring::Policy::Stream as u32);
    assert!(TBAND_POLICY_SNAPSHOT == tband_core::ring::Policy::Snapshot as u32);
    assert!(TBAND_POLICY_POST_MORTEM == tband_core::ring::Policy::PostMortem as u32);
};

// SAFETY: the constant is never written, and the targets of its pointers are only used as documented in `tband_core`.
unsafe impl Sync for tband_packet_setup {}

/// State of a core's shedding, and counts that are not recorded yet. All zero: nothing is shed.
#[repr(C)]
pub struct tband_shed_state {
    /// Number of steps of the order that are taken; 0: nothing is shed.
    pub level: u32,
    private_words: [u32; 26],
}

/// The order in which classes are shed, and the thresholds.
#[repr(C)]
pub struct tband_shed_order {
    /// The steps: `TBAND_CLASS_*`, combined with OR.
    pub steps: *const u32,
    /// Number of steps, 1 to 32.
    pub count: u32,
    /// Fill level of the ring at which the first step is taken, in percent.
    pub from: u32,
    /// Maximum number of waiting packets at which one more can be opened.
    pub last: u32,
}

/// The selection, the shed events and their order: a constant of the shim.
#[repr(C)]
pub struct tband_shedding {
    /// The filter, a `tband_filter_state`, whose bytes and words also include the events that any core sheds.
    pub filter: *mut c_void,
    /// An element for each core.
    pub cores: *mut tband_shed_state,
    /// Number of cores.
    pub core_count: u32,
    /// The order of shedding.
    pub order: tband_shed_order,
}

// SAFETY: the constant is never written, and the targets of its pointers are only used as documented in `tband_core`.
unsafe impl Sync for tband_shedding {}
