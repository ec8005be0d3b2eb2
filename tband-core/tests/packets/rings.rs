//! Recorders of packets, and a parser for the recording.

use std::sync::atomic::Ordering::Relaxed;

use tband_core::{CoreState, Recorder};
use tband_format::decode::Decoded;
use tband_format::packet::{METADATA_STREAM, Packet};
use tband_format::registry::MAIN_PROGRAM;
use tband_format::{Event, decode_frame};

use crate::fake::declarations::NONE;
use crate::fake::packets::PacketMemory;
pub use crate::fake::packets::{MAX_EVENT_LEN, Rings, SIZE};
use crate::fake::{FakePort, with_packets};

/// An interrupt's number that takes most bytes in a packet.
pub const LONG_ISR: u32 = u32::MAX - 10;
pub const SWITCHED_IN: u32 = Event::TaskSwitchedIn { task_id: 0 }.id() as u32;
pub const TICK: u32 = Event::TickIncrement { tick_count: 0 }.id() as u32;
/// The entry of an interrupt in a table of open interrupts: never 0, which ends the table.
pub fn key_of_isr(isr: u32) -> u32 {
    isr.wrapping_sub(MAIN_PROGRAM)
}

pub type Port<const ONE: bool> = FakePort<{ NONE }, ONE>;
pub type Recording<const ONE: bool> = Recorder<Port<ONE>>;

pub fn recorder<const ONE: bool>(rings: Rings) -> Recording<ONE> {
    on_memory(PacketMemory::new(rings))
}

/// After a reset, which leaves the memory of packets, and the tables with their measures.
pub fn after_reset<const ONE: bool>(rings: Rings, before: &Recording<ONE>) -> Recording<ONE> {
    let port = before.port();
    let memory = PacketMemory::after_reset(rings, port.setup().memory, port.rings().tables);
    for core in 0..rings.cores {
        // SAFETY: the memory has one for each core.
        unsafe { memory.measures.add(core as usize).write(before.measure_table(core)) };
    }
    memory.metadata_location().measures.store(memory.measures, Relaxed);
    on_memory(memory)
}

fn on_memory<const ONE: bool>(memory: PacketMemory) -> Recording<ONE> {
    let mut rec = with_packets(memory);
    let port = rec.port_mut();
    port.now.set(1000);
    port.frequency.set(1_000_000 | 1 << 32);
    port.info.trace_info = &[1, 1, 1];
    port.info.build_id = c"abc".as_ptr().cast();
    rec
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
