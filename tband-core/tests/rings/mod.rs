//! A port in memory that records packets, and what was recorded there, taken apart.

use std::cell::Cell;
use std::ptr;

use tband_core::{
    CoreState, Kept, PacketSetup, Policy, Port, Reader, Recorder, Ring, SystemInfo, TableMeasure,
    frame_buf_size,
};
use tband_format::packet::{METADATA_STREAM, Packet};
use tband_format::{Decoded, Event, decode_frame};

pub const SIZE: usize = 128;
pub const TEXT_LEN: u32 = 20;
pub const MAX_EVENT_LEN: u32 = 10 + TEXT_LEN + 6;
/// Bytes of a core's metadata buffer.
pub const TABLE: usize = 64;
pub const SWITCHED_IN: u32 = Event::TaskSwitchedIn { task_id: 0 }.id() as u32;
/// Words of a core in a table of open interrupts.
const ISR_WORDS: u32 = 9;

/// How a recorder is made.
#[derive(Clone, Copy, Debug)]
pub struct Rings {
    pub cores: u32,
    pub packets: u32,
    pub policy: Policy,
    pub metadata_every: u32,
    pub most_waiting: u32,
    pub hands_out: u32,
    pub sees_turns: u32,
}

impl Rings {
    pub fn new(policy: Policy, packets: u32) -> Self {
        let most_waiting = packets;
        Self {
            cores: 1,
            packets,
            policy,
            metadata_every: 0,
            most_waiting,
            hands_out: 0,
            sees_turns: 0,
        }
    }

    pub fn of_cores(self, cores: u32) -> Self {
        Self { cores, ..self }
    }
}

/// `ONE`: the recorder knows that there is one core, as firmware's does.
pub struct Memory<const ONE: bool> {
    pub cores: Vec<CoreState>,
    pub setup: PacketSetup,
    pub now: Cell<u64>,
    pub closed: Cell<u32>,
    pub fulls: Cell<u32>,
    pub frequency: u64,
    tables: *mut u8,
    pub running: *mut u32,
    pub isrs: [*mut u32; 2],
    pub measures: *mut TableMeasure,
}

fn leaked<T: Clone>(value: T, count: usize) -> *mut T {
    vec![value; count].leak().as_mut_ptr()
}

impl<const ONE: bool> Memory<ONE> {
    fn new(rings: Rings) -> Self {
        let cores = rings.cores as usize;
        let words = leaked(0_u64, SIZE / 8 * rings.packets as usize * cores);
        Self::in_memory(rings, words.cast(), leaked(0_u64, TABLE / 8 * cores).cast())
    }

    /// After a reset: nothing is left but the packets and the tables.
    pub fn in_memory(rings: Rings, memory: *mut u8, tables: *mut u8) -> Self {
        let cores = rings.cores as usize;
        let of_rings: Vec<Ring> = (0..cores).map(|_| Ring::default()).collect();
        let running = leaked(0_u32, cores);
        let isrs = [0, 1].map(|_| leaked(0_u32, cores * ISR_WORDS as usize));
        let measures = leaked(TableMeasure::default(), cores);
        let is_post_mortem = rings.policy == Policy::PostMortem;
        let kept: &Kept = Box::leak(Box::new(Kept {
            tables: tables.into(),
            measures: ptr::null_mut::<TableMeasure>().into(),
        }));
        let setup = PacketSetup {
            core_count: rings.cores,
            rings: of_rings.leak().as_mut_ptr(),
            reader: Box::leak(Box::<Reader>::default()),
            memory,
            packet_size: SIZE as u32,
            packet_count: rings.packets,
            to_last_packet: SIZE as u32 * (rings.packets - 1),
            max_event_len: MAX_EVENT_LEN,
            metadata_every: rings.metadata_every,
            policy: rings.policy,
            running_tasks: running,
            open_isrs: isrs.map(<*mut u32>::cast_const),
            open_isr_words: [ISR_WORDS; 2],
            kept: if is_post_mortem { kept } else { ptr::null() },
            metadata_slot: if is_post_mortem {
                leaked(0_u64, SIZE / 8).cast()
            } else {
                ptr::null_mut()
            },
            hands_out: rings.hands_out,
            sees_turns: rings.sees_turns,
            most_waiting: rings.most_waiting,
        };
        Self {
            cores: (0..cores).map(|_| CoreState::new()).collect(),
            setup,
            now: Cell::new(1000),
            closed: Cell::new(0),
            fulls: Cell::new(0),
            frequency: 1_000_000 | 1 << 32,
            tables,
            running,
            isrs,
            measures,
        }
    }

    pub fn kept(&self) -> &Kept {
        // SAFETY: with the post-mortem policy it is there.
        unsafe { &*self.setup.kept }
    }

    pub fn tables(&self) -> *mut u8 {
        self.tables
    }
}

// SAFETY: the memory is as large as the set-up says, and stays where it is.
unsafe impl<const ONE: bool> Port for Memory<ONE> {
    const IS_ONE_CORE: bool = ONE;

    fn core_count(&self) -> u32 {
        self.setup.core_count
    }
    fn core(&self, index: u32) -> &CoreState {
        &self.cores[index as usize]
    }
    fn max_str_len(&self) -> u32 {
        TEXT_LEN
    }
    fn max_frame_len(&self) -> u32 {
        frame_buf_size(TEXT_LEN) as u32
    }
    fn drop_cnt_every(&self) -> u32 {
        0
    }
    fn metadata_buf(&self, index: u32) -> *mut u8 {
        self.tables.wrapping_add(TABLE * index as usize)
    }
    fn metadata_buf_size(&self) -> u32 {
        TABLE as u32
    }
    fn snapshot_buf(&self, _: u32) -> *mut u8 {
        ptr::null_mut()
    }
    fn snapshot_buf_size(&self) -> u32 {
        0
    }
    fn frame_buf(&self, _: u32) -> *mut u8 {
        ptr::null_mut()
    }
    fn packets(&self) -> Option<&PacketSetup> {
        Some(&self.setup)
    }
    fn hands_out(&self, setup: &PacketSetup) -> bool {
        setup.hands_out != 0
    }
    fn timestamp(&self) -> u64 {
        self.now.get()
    }
    fn frequency(&self) -> u64 {
        self.frequency
    }
    fn packet_closed(&self) {
        self.closed.set(self.closed.get() + 1);
    }
    fn system_info(&self) -> SystemInfo<'_> {
        SystemInfo { trace_info: &[1, 1, 1], build_id: c"abc".as_ptr().cast() }
    }
    fn ts_resolution_ns(&self) -> u32 {
        1000
    }
    fn stream(&self, _: *const u8, _: usize) -> bool {
        true
    }
    fn submit(&self, _: *const u8, _: usize, _: bool) -> bool {
        true
    }
    fn snapshot_full(&self) {
        self.fulls.set(self.fulls.get() + 1);
    }
    fn lock(&self) {}
    fn unlock(&self) {}
}

pub type Recording<const ONE: bool> = Recorder<Memory<ONE>>;

pub fn recorder<const ONE: bool>(rings: Rings) -> Recording<ONE> {
    Recorder::new(Memory::new(rings))
}

/// As the shim does it: a task switch at this time, on this core.
pub fn event<const ONE: bool>(rec: &Recording<ONE>, core: u32, time: u64, number: u32) {
    let port = rec.port();
    port.now.set(time);
    let state = &port.cores[core as usize];
    if rec.is_recording() && (ONE || rec.enter(state)) {
        // SAFETY: recording was started with packets.
        unsafe { rec.packet_u32(SWITCHED_IN, state, time as u32, number) };
    }
    if !ONE {
        rec.exit(state);
    }
}

/// A packet that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    pub stream: u8,
    pub sequence: u16,
    pub begin: u64,
    pub end: u64,
    pub discarded: u32,
    /// Of a core: time and number of each task switch.
    pub switches: Vec<(u64, u32)>,
    /// What it begins with: the task that runs, and open interrupts.
    pub state: Vec<u32>,
    /// Of the metadata: what its frames say.
    pub metadata: Vec<String>,
}

pub fn read(bytes: &[u8]) -> Taken {
    let packet = Packet::read(bytes).unwrap_or_else(|error| panic!("{error} in {bytes:?}"));
    let header = *packet.header();
    let mut taken = Taken {
        stream: header.stream,
        sequence: header.sequence,
        begin: header.begin,
        end: header.end,
        discarded: header.discarded,
        switches: Vec::new(),
        state: Vec::new(),
        metadata: Vec::new(),
    };
    if header.stream == METADATA_STREAM {
        for frame in packet.content().split(|byte| *byte == 0).filter(|frame| !frame.is_empty()) {
            let mut scratch = vec![0; frame.len()];
            let decoded = decode_frame(frame, &mut scratch).expect("a whole frame");
            taken.metadata.push(format!("{:?}", decoded.event));
        }
        return taken;
    }
    for decoded in packet.events() {
        let Decoded { event, ts } = decoded.expect("a whole event");
        let ts = ts.expect("with a time");
        match event {
            Event::TaskSwitchedIn { task_id } => taken.switches.push((ts, task_id)),
            Event::RunningTask { task_id } => taken.state.push(task_id),
            Event::OpenIsr { isr_id } => taken.state.push(isr_id),
            other => panic!("{other:?} was not recorded"),
        }
    }
    taken
}

/// Takes a packet, as the shim does it, and gives it back.
pub fn take<const ONE: bool>(rec: &Recording<ONE>) -> Option<Taken> {
    loop {
        if let Some((start, len)) = rec.take_packet() {
            assert_eq!(rec.take_packet(), Some((start, len)), "until it is given back");
            // SAFETY: the packet is the reader's.
            let taken = read(unsafe { std::slice::from_raw_parts(start, len) });
            rec.packet_done();
            return Some(taken);
        }
        if !rec.is_packet_due() {
            return None;
        }
        rec.write_due();
    }
}

pub fn take_all<const ONE: bool>(rec: &Recording<ONE>) -> Vec<Taken> {
    std::iter::from_fn(|| take(rec)).collect()
}

/// Those of a core.
pub fn of_core(packets: &[Taken], core: u8) -> Vec<Taken> {
    packets.iter().filter(|packet| packet.stream == core).cloned().collect()
}

pub fn switches(packets: &[Taken]) -> Vec<(u64, u32)> {
    packets.iter().flat_map(|packet| packet.switches.clone()).collect()
}

pub fn metadata(packets: &[Taken]) -> Vec<String> {
    packets.iter().flat_map(|packet| packet.metadata.clone()).collect()
}
