//! A port in memory that records packets, and a parser for the recording.

use std::cell::Cell;
use std::ptr;

use tband_core::{
    CoreState, MetadataLocation, PacketSetup, Policy, Port, Reader, Recorder, Ring, SystemInfo,
    TableMeasure, frame_buf_size,
};
use tband_format::packet::{METADATA_STREAM, Packet};
use tband_format::registry::MAIN_PROGRAM;
use tband_format::{Declaration, Decoded, Event, decode_frame};

pub const SIZE: usize = 128;
pub const TEXT_LEN: u32 = 20;
pub const MAX_EVENT_LEN: u32 = 10 + TEXT_LEN + 6;
/// Words after the packets of all cores, and after their tables, which must not be written to.
const GUARD: usize = 8;
/// An interrupt's number that takes most bytes in a packet.
pub const LONG_ISR: u32 = u32::MAX - 10;
pub const SWITCHED_IN: u32 = Event::TaskSwitchedIn { task_id: 0 }.id() as u32;
pub const TICK: u32 = Event::TickIncrement { tick_count: 0 }.id() as u32;
/// The entry of an interrupt in a table of open interrupts: never 0, which ends the table.
pub fn key_of_isr(isr: u32) -> u32 {
    isr.wrapping_sub(MAIN_PROGRAM)
}

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
    /// Bytes of a core's metadata buffer, a multiple of 8.
    pub table: usize,
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
            table: 64,
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
    reader: *mut Reader,
    pub now: Cell<u64>,
    pub closed: Cell<u32>,
    pub fulls: Cell<u32>,
    pub frequency: u64,
    tables: *mut u8,
    table: usize,
    is_locked: Cell<bool>,
    pub measures: *mut TableMeasure,
}

fn leaked<T: Clone>(value: T, count: usize) -> *mut T {
    vec![value; count].leak().as_mut_ptr()
}

impl Rings {
    /// Words of the packets of all cores, and of their tables.
    fn words(&self) -> [usize; 2] {
        let cores = self.cores as usize;
        [SIZE / 8 * self.packets as usize * cores, self.table / 8 * cores]
    }
}

impl<const ONE: bool> Memory<ONE> {
    fn new(rings: Rings) -> Self {
        let [packets, tables] = rings.words().map(|words| leaked(0_u64, words + GUARD).cast());
        Self::in_memory(rings, packets, tables)
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

    /// The state after a reset: only the packets and the tables remain.
    pub fn in_memory(rings: Rings, memory: *mut u8, tables: *mut u8) -> Self {
        let cores = rings.cores as usize;
        let of_rings: Vec<Ring> = (0..cores).map(|_| Ring::default()).collect();
        let measures = leaked(TableMeasure::default(), cores);
        let is_post_mortem = rings.policy == Policy::PostMortem;
        let kept: &MetadataLocation = Box::leak(Box::new(MetadataLocation {
            tables: tables.into(),
            measures: ptr::null_mut::<TableMeasure>().into(),
        }));
        let reader: *mut Reader = Box::leak(Box::default());
        let setup = PacketSetup {
            core_count: rings.cores,
            rings: of_rings.leak().as_mut_ptr(),
            // As in firmware: with a snapshot only the consumer has it.
            reader: if rings.policy == Policy::Snapshot { ptr::null_mut() } else { reader },
            memory,
            packet_size: SIZE as u32,
            packet_count: rings.packets,
            last_packet: memory.wrapping_add(SIZE * (rings.packets as usize - 1)),
            max_event_len: MAX_EVENT_LEN,
            metadata_every: rings.metadata_every,
            policy: rings.policy,
            at_begin: leaked(0, cores * (1 + ISR_WORDS as usize)),
            class_isrs: leaked(0, cores * ISR_WORDS as usize),
            at_begin_words: 1 + ISR_WORDS,
            class_isr_words: ISR_WORDS,
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
            reader,
            now: Cell::new(1000),
            closed: Cell::new(0),
            fulls: Cell::new(0),
            frequency: 1_000_000 | 1 << 32,
            tables,
            table: rings.table,
            is_locked: Cell::new(false),
            measures,
        }
    }

    pub fn metadata_location(&self) -> &MetadataLocation {
        // SAFETY: with the post-mortem policy it is there.
        unsafe { &*self.setup.kept }
    }

    pub fn tables(&self) -> *mut u8 {
        self.tables
    }

    /// Nothing was written after the packets, nor after the tables.
    fn check_guards(&self) {
        let cores = self.setup.core_count as usize;
        let packets = (SIZE * self.setup.packet_count as usize * cores, self.setup.memory);
        for (len, memory) in [packets, (self.table * cores, self.tables)] {
            // SAFETY: so many words are there.
            let guard: &[u64] =
                unsafe { std::slice::from_raw_parts(memory.wrapping_add(len).cast(), GUARD) };
            assert_eq!(guard, [0; GUARD], "written after the end");
        }
    }
}

impl<const ONE: bool> Drop for Memory<ONE> {
    fn drop(&mut self) {
        // A failing test has reported its reason already.
        if !std::thread::panicking() {
            self.check_guards();
            assert!(!self.is_locked.get(), "the lock is still held");
        }
    }
}

// SAFETY: the memory is as large as the setup states, and does not move.
unsafe impl<const ONE: bool> Port for Memory<ONE> {
    const IS_ONE_CORE: bool = ONE;
    const DECLARATIONS: &'static [Declaration] = &[];

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
        self.tables.wrapping_add(self.table * index as usize)
    }
    fn metadata_buf_size(&self) -> u32 {
        self.table as u32
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
    fn reader<'a>(&self, _: &'a PacketSetup) -> &'a Reader {
        // SAFETY: it stays to the end.
        unsafe { &*self.reader }
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
        SystemInfo {
            trace_info: &[1, 1, 1],
            build_id: c"abc".as_ptr().cast(),
            program: ptr::null(),
        }
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
    fn lock(&self) {
        assert!(!self.is_locked.replace(true), "the lock is taken twice");
    }
    fn unlock(&self) {
        assert!(self.is_locked.replace(false), "the lock is released without being held");
    }
}

pub type Recording<const ONE: bool> = Recorder<Memory<ONE>>;

pub fn recorder<const ONE: bool>(rings: Rings) -> Recording<ONE> {
    Recorder::new(Memory::new(rings))
}

/// Records a task switch at this time, on this core, like the shim.
pub fn event<const ONE: bool>(rec: &Recording<ONE>, core: u32, time: u64, number: u32) {
    within(rec, core, time, |state| {
        // SAFETY: recording was started with packets.
        unsafe { rec.packet_u32(SWITCHED_IN, state, time as u32, number) };
    });
}

/// Runs code that records on this core at this time, if recording is on, like the shim.
pub fn within<const ONE: bool>(
    rec: &Recording<ONE>,
    core: u32,
    time: u64,
    work: impl FnOnce(&CoreState),
) {
    let port = rec.port();
    port.now.set(time);
    let state = &port.cores[core as usize];
    if rec.is_recording() && (ONE || rec.enter(state)) {
        work(state);
    }
    if !ONE {
        rec.exit(state);
    }
}

/// A packet that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenPacket {
    pub stream: u8,
    pub sequence: u16,
    pub begin: u64,
    pub end: u64,
    pub discarded: u32,
    /// Packets of a core: time and number of each task switch.
    pub switches: Vec<(u64, u32)>,
    /// As above: each tick.
    pub ticks: Vec<(u64, u32)>,
    /// State at its begin: the running task, and open interrupts.
    pub state: Vec<u32>,
    /// Classes of events that were shed, and how many were.
    pub shed: Vec<(u32, u32)>,
    /// The events that are left out.
    pub filter: Vec<(u32, u32)>,
    /// Packets of metadata: the events in their frames.
    pub metadata: Vec<String>,
}

pub fn read(bytes: &[u8]) -> TakenPacket {
    let packet = Packet::read(bytes).unwrap_or_else(|error| panic!("{error} in {bytes:?}"));
    let header = *packet.header();
    let mut taken = TakenPacket {
        stream: header.stream,
        sequence: header.sequence,
        begin: header.begin,
        end: header.end,
        discarded: header.discarded,
        switches: Vec::new(),
        ticks: Vec::new(),
        state: Vec::new(),
        shed: Vec::new(),
        filter: Vec::new(),
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
            Event::TickIncrement { tick_count } => taken.ticks.push((ts, tick_count)),
            Event::RunningTask { task_id } => taken.state.push(task_id),
            Event::OpenIsr { isr_id } => taken.state.push(isr_id),
            Event::Shed { class, n } => taken.shed.push((class, n)),
            Event::Filter { of, is } => taken.filter.push((of, is)),
            other => panic!("{other:?} was not recorded"),
        }
    }
    taken
}

/// Takes a packet, like the shim, and releases it.
pub fn take<const ONE: bool>(rec: &Recording<ONE>) -> Option<TakenPacket> {
    for _ in 0..99 {
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
    panic!("something is due for ever, and nothing comes");
}

pub fn take_all<const ONE: bool>(rec: &Recording<ONE>) -> Vec<TakenPacket> {
    let taken: Vec<_> = (0..999).map_while(|_| take(rec)).collect();
    assert!(taken.len() < 999, "packets come for ever");
    taken
}

/// Those of a core.
pub fn of_core(packets: &[TakenPacket], core: u8) -> Vec<TakenPacket> {
    packets.iter().filter(|packet| packet.stream == core).cloned().collect()
}

pub fn switches(packets: &[TakenPacket]) -> Vec<(u64, u32)> {
    packets.iter().flat_map(|packet| packet.switches.clone()).collect()
}

pub fn metadata(packets: &[TakenPacket]) -> Vec<String> {
    packets.iter().flat_map(|packet| packet.metadata.clone()).collect()
}
