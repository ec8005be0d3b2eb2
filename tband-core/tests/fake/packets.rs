//! Memory for rings of packets.

use std::ptr;

use tband_core::ring::{MetadataLocation, PacketSetup, Policy, Reader, Ring, TableMeasure};

/// The size of a packet, unless a test sets another.
pub const SIZE: usize = 128;
pub const TEXT_LEN: u32 = 20;
pub const MAX_EVENT_LEN: u32 = 10 + TEXT_LEN + 6;
/// Words after the packets of all cores, and after their tables, which must not be written to.
const GUARD: usize = 8;
/// Words of a core in a table of open interrupts.
const ISR_WORDS: u32 = 9;

/// How a recorder is made.
#[derive(Clone, Copy, Debug)]
pub struct Rings {
    pub cores: u32,
    pub packets: u32,
    /// Bytes of a packet.
    pub size: usize,
    pub policy: Policy,
    pub metadata_every: u32,
    pub most_waiting: u32,
    pub hands_out: u32,
    pub sees_turns: u32,
    /// Bytes of a core's metadata buffer, a multiple of 8.
    pub table: usize,
    /// Words of a core in the tables of open interrupts, of the one kind and of the other.
    pub isr_words: [u32; 2],
}

impl Rings {
    pub fn new(policy: Policy, packets: u32) -> Self {
        let most_waiting = packets;
        Self {
            cores: 1,
            packets,
            size: SIZE,
            policy,
            metadata_every: 0,
            most_waiting,
            hands_out: 0,
            sees_turns: 0,
            table: 64,
            isr_words: [ISR_WORDS; 2],
        }
    }

    pub fn of_cores(self, cores: u32) -> Self {
        Self { cores, ..self }
    }

    /// As of firmware with the smallest tables: no names, one open interrupt.
    pub fn smallest(policy: Policy, packets: u32, size: usize) -> Self {
        let isr_words = [1, 0];
        Self { size, sees_turns: 1, table: 0, isr_words, ..Self::new(policy, packets) }
    }

    /// Words of the packets of all cores, and of their tables.
    fn words(&self) -> [usize; 2] {
        let cores = self.cores as usize;
        [self.size / 8 * self.packets as usize * cores, self.table / 8 * cores]
    }
}

/// Memory as [`Rings`] describe it.
pub struct PacketMemory {
    pub setup: PacketSetup,
    pub reader: *mut Reader,
    pub tables: *mut u8,
    pub table: usize,
    pub measures: *mut TableMeasure,
}

/// Leaked, so that only the recorder uses the memory: moving a box would assert unique access to it.
fn leaked<T: Clone>(value: T, count: usize) -> *mut T {
    vec![value; count].leak().as_mut_ptr()
}

impl PacketMemory {
    pub fn new(rings: Rings) -> Self {
        let [packets, tables] = rings.words().map(|words| leaked(0_u64, words + GUARD).cast());
        Self::after_reset(rings, packets, tables)
    }

    /// The state after a reset: only the packets and the tables remain.
    pub fn after_reset(rings: Rings, memory: *mut u8, tables: *mut u8) -> Self {
        let cores = rings.cores as usize;
        let of_rings: Vec<Ring> = (0..cores).map(|_| Ring::default()).collect();
        let is_post_mortem = rings.policy == Policy::PostMortem;
        let kept: &MetadataLocation = Box::leak(Box::new(MetadataLocation {
            tables: tables.into(),
            measures: ptr::null_mut::<TableMeasure>().into(),
        }));
        let reader: *mut Reader = Box::leak(Box::default());
        let [at_begin_words, class_isr_words] = [1 + rings.isr_words[0], rings.isr_words[1]];
        let setup = PacketSetup {
            core_count: rings.cores,
            rings: of_rings.leak().as_mut_ptr(),
            // As in firmware: with a snapshot only the consumer has it.
            reader: if rings.policy == Policy::Snapshot { ptr::null_mut() } else { reader },
            memory,
            packet_size: rings.size as u32,
            packet_count: rings.packets,
            last_packet: memory.wrapping_add(rings.size * (rings.packets as usize - 1)),
            max_event_len: MAX_EVENT_LEN,
            metadata_every: rings.metadata_every,
            policy: rings.policy,
            at_begin: leaked(0, cores * at_begin_words as usize),
            class_isrs: if class_isr_words == 0 {
                ptr::null()
            } else {
                leaked(0, cores * class_isr_words as usize)
            },
            at_begin_words,
            class_isr_words,
            kept: if is_post_mortem { kept } else { ptr::null() },
            metadata_slot: if is_post_mortem {
                leaked(0_u64, rings.size / 8).cast()
            } else {
                ptr::null_mut()
            },
            hands_out: rings.hands_out,
            sees_turns: rings.sees_turns,
            most_waiting: rings.most_waiting,
        };
        let measures = leaked(TableMeasure::default(), cores);
        Self { setup, reader, tables, table: rings.table, measures }
    }

    /// The number of the task that runs on this core.
    pub fn running(&self, core: usize) -> *mut u32 {
        self.setup.at_begin.wrapping_add(core * self.setup.at_begin_words as usize)
    }

    /// The open interrupts of this core, of the one kind and of the other.
    pub fn isrs(&self, core: usize) -> [*mut u32; 2] {
        let of_class = core * self.setup.class_isr_words as usize;
        [
            self.running(core).wrapping_add(1),
            self.setup.class_isrs.cast_mut().wrapping_add(of_class),
        ]
    }

    pub fn metadata_location(&self) -> &MetadataLocation {
        // SAFETY: with the post-mortem policy it is there.
        unsafe { &*self.setup.kept }
    }

    /// Nothing was written after the packets, nor after the tables.
    pub fn check_guards(&self) {
        let setup = &self.setup;
        let packets = (setup.packet_size * setup.packet_count) as usize;
        for (of_core, memory) in [(packets, setup.memory), (self.table, self.tables)] {
            let guard = memory.wrapping_add(of_core * setup.core_count as usize).cast();
            // SAFETY: so many words are there.
            let guard: &[u64] = unsafe { std::slice::from_raw_parts(guard, GUARD) };
            assert_eq!(guard, [0; GUARD], "written after the end");
        }
    }
}
