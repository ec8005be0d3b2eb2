//! The constant through which the configuration of packets reaches the library, and memory of the shim for them.

use core::ffi::{c_char, c_void};
use core::mem::{align_of, offset_of, size_of};

use tband_core::{CoreState, Kept, Metadata, PacketSetup, RttBuffer, TableMeasure};

/// Memory for the state of one core's ring of packets. All zero before the first use.
#[repr(C)]
pub struct tband_ring_state {
    private_pointers: [*mut u8; 2],
    private_words: [u32; 3],
}

/// Memory for the state of who takes packets. All zero before the first use.
#[repr(C)]
pub struct tband_packet_reader {
    private_words: [u32; 4],
}

/// `tband_packet_setup.policy`: without room for another packet events are counted as discarded.
pub const TBAND_POLICY_STREAM: u32 = 0;
/// `tband_packet_setup.policy`: without room for another packet recording stops.
pub const TBAND_POLICY_SNAPSHOT: u32 = 1;
/// `tband_packet_setup.policy`: without room for another packet the oldest is overwritten.
pub const TBAND_POLICY_POST_MORTEM: u32 = 2;

/// A core's limit, the second of its pointers, is that many bytes in front of what says how far its open packet has come: a pointer to
/// where the next event goes, and the lower half of the time of the last one.
pub const TBAND_PACKET_TO_TAIL: u32 = 12;
/// Longest head of an event in a packet: id, and a time of 30 bits.
pub const TBAND_PACKET_HEAD_LEN: u32 = 5;
/// An event that comes so many ticks after the one before takes `tband_packet_open_next`.
pub const TBAND_PACKET_LONG: u32 = 0x0040_0000;

/// Flag beside an event's id and count of numbers, in packets: the last number is a count of kernel ticks.
pub const TBAND_LAST_IS_TICKS: u32 = 0x1000;
/// As `TBAND_LAST_IS_TICKS`: the last number may be missing, and is not.
pub const TBAND_LAST_IS_OPTIONAL: u32 = 0x2000;
/// As `TBAND_LAST_IS_TICKS`: after the numbers one is missing.
pub const TBAND_LAST_IS_MISSING: u32 = 0x4000;

/// How much there is in a metadata buffer, for after a reset.
#[repr(C)]
pub struct tband_table_measure {
    /// Bytes in use.
    pub used: u16,
    /// Metadata events that found it full.
    pub dropped: u16,
    /// How large it should have been; 0 if everything did fit.
    pub needed: u16,
}

/// Where the metadata is that belongs to the packets in the rings.
#[repr(C)]
pub struct tband_kept {
    /// The metadata buffers of all cores.
    pub tables: *mut u8,
    /// Where the recording is from before a reset: for each core how much there is. Else NULL.
    pub measures: *mut tband_table_measure,
}

/// What the shim passes to the library about packets, as a constant.
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
    /// The last packet of the first core there.
    pub last_packet: *mut u8,
    /// Packets of a core (`tband_configPACKET_COUNT`).
    pub packet_count: u32,
    /// State of who takes packets, `tband_reader`. NULL with snapshots, where the library's functions that take packets have it, and
    /// no other.
    pub reader: *mut tband_packet_reader,
    /// Bytes of the longest event.
    pub max_event_len: u32,
    /// The metadata is sent again after this many packets; 0: on request only (`tband_configPACKET_METADATA_EVERY`).
    pub metadata_every: u32,
    /// What happens when a core has no room for another packet: `TBAND_POLICY_*`.
    pub policy: u32,
    /// What packets begin with: for each core `at_begin_words` words, the number of the task that runs, 0 if there is
    /// none, and the complements of the numbers of the interrupts that are open, the outermost first, and then 0. A start
    /// empties the interrupts.
    pub at_begin: *mut u32,
    /// Open interrupts of the class ISR, or NULL: for each core `class_isr_words` words, as those in `at_begin`.
    pub class_isrs: *const u32,
    /// A place for packets of metadata, as long as a packet's header, the longest frame and 64 bytes, and aligned to 4
    /// bytes. NULL: they are written where a packet was that was sent.
    pub metadata_slot: *mut u8,
    /// See `at_begin`.
    pub at_begin_words: u32,
    /// See `class_isrs`.
    pub class_isr_words: u32,
    /// NULL if nothing is kept for after a reset.
    pub kept: *const tband_kept,
    /// 1 if `tband_port_packet_closed` is to be called.
    pub hands_out: u32,
    /// 1 if `tband_packet_close` is called before the first event in another turn of the time's lower half.
    pub sees_turns: u32,
    /// Packets that may be closed and not given back: `packet_count`, or with RTT one less.
    pub most_waiting: u32,
}

/// A buffer in a control block of RTT, with the layout that debug probes know.
#[repr(C)]
pub struct tband_rtt_buffer {
    /// Its name.
    pub name: *const c_char,
    /// Its memory; NULL: there is no such buffer.
    pub memory: *mut u8,
    /// Bytes of that.
    pub size: u32,
    /// Where the next byte goes.
    pub write: u32,
    /// Up to where it was read.
    pub read: u32,
    /// What the firmware does when it is full; 0: it does not wait.
    pub flags: u32,
}

/// As the core has it.
const _: () = {
    assert!(size_of::<tband_ring_state>() == size_of::<tband_core::Ring>());
    assert!(align_of::<tband_ring_state>() >= align_of::<tband_core::Ring>());
    assert!(size_of::<tband_packet_reader>() == size_of::<tband_core::Reader>());
    assert!(align_of::<tband_packet_reader>() >= align_of::<tband_core::Reader>());
    assert!(size_of::<tband_packet_setup>() == size_of::<PacketSetup>());
    assert!(size_of::<tband_kept>() == size_of::<Kept>());
    assert!(size_of::<tband_table_measure>() == size_of::<TableMeasure>());
    assert!(offset_of!(tband_table_measure, used) == offset_of!(TableMeasure, used));
    assert!(offset_of!(tband_table_measure, needed) == offset_of!(TableMeasure, needed));
    assert!(offset_of!(tband_packet_setup, policy) == offset_of!(PacketSetup, policy));
    assert!(offset_of!(tband_packet_setup, sees_turns) == offset_of!(PacketSetup, sees_turns));
    assert!(offset_of!(tband_packet_setup, most_waiting) == offset_of!(PacketSetup, most_waiting));
    assert!(size_of::<tband_rtt_buffer>() == size_of::<RttBuffer>());
    assert!(offset_of!(tband_rtt_buffer, write) == offset_of!(RttBuffer, write));
    assert!(offset_of!(tband_rtt_buffer, read) == offset_of!(RttBuffer, read));
    // In port/recorder/tband_packet_event.h.
    assert!(offset_of!(tband_core::Tail, at) == 0);
    assert!(offset_of!(tband_core::Tail, last_time) == size_of::<*mut u8>());
    assert!(TBAND_PACKET_TO_TAIL as usize == tband_core::TO_TAIL);
    assert!(TBAND_PACKET_HEAD_LEN as usize == tband_core::HEAD_LEN);
    assert!(TBAND_PACKET_LONG == tband_core::LONG);
    // What is written has none of these.
    assert!(TBAND_LAST_IS_TICKS == Metadata::FORGET);
    assert!(
        TBAND_LAST_IS_OPTIONAL | TBAND_LAST_IS_MISSING == Metadata::UPDATE | Metadata::NOT_SENT
    );
    assert!(CoreState::LIMIT == size_of::<*mut u8>());
    // The second of `private_words`, after two pointers.
    assert!(CoreState::DROPPED == 2 * size_of::<*mut u8>() + size_of::<u32>());
    assert!(TBAND_POLICY_STREAM == tband_core::Policy::Stream as u32);
    assert!(TBAND_POLICY_SNAPSHOT == tband_core::Policy::Snapshot as u32);
    assert!(TBAND_POLICY_POST_MORTEM == tband_core::Policy::PostMortem as u32);
};

// SAFETY: the constant is never written, and what its pointers lead to is only used as `tband_core` says.
unsafe impl Sync for tband_packet_setup {}

/// What a core sheds, and how much of it is not said. All zero: nothing.
#[repr(C)]
pub struct tband_shed_state {
    /// Steps of the order that are taken; 0: nothing is shed.
    pub level: u32,
    private_words: [u32; 26],
}

/// In which order classes are shed, and when.
#[repr(C)]
pub struct tband_shed_order {
    /// The steps: `TBAND_CLASS_*`, joined.
    pub steps: *const u32,
    /// How many there are, 1 to 32.
    pub count: u32,
    /// How full the ring is when the first one is taken, in percent.
    pub from: u32,
    /// Packets that may wait so that one more can be opened.
    pub last: u32,
}

/// What is chosen, what is shed beside it, and in which order: a constant of the shim.
#[repr(C)]
pub struct tband_shedding {
    /// The filter, a `tband_filter_state`, whose bytes and words have what any core sheds too.
    pub filter: *mut c_void,
    /// An element for each core.
    pub cores: *mut tband_shed_state,
    /// How many there are.
    pub core_count: u32,
    /// What is shed when.
    pub order: tband_shed_order,
}

// SAFETY: the constant is never written, and what its pointers lead to is only used as `tband_core` says.
unsafe impl Sync for tband_shedding {}
