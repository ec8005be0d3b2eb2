//! The shim writes events into packets (`port/recorder/tband_packet_event.h`). The models of `tests/loom` have that in Rust; here
//! both record the same, and the bytes are the same.

#[path = "../../tband-core/tests/fake/mod.rs"]
mod fake;

use std::ffi::CString;
use std::ptr;

use fake::declarations::REGISTRY;
use fake::packets::{PacketMemory, Rings};
use fake::{FakePort, with_packets};
use tband_core::Recorder;
use tband_core::ring::Policy;
use tband_format::packet::Packet;
use tband_format::{Event, Str};
use tband_tests::c::Firmware;

use crate::SNAPSHOT;
use crate::packets::PACKETS;

const COUNT: u32 = 400;

/// `draw` of the C program.
struct CRandom(u32);

impl CRandom {
    fn below(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % below
    }

    fn shifted(&mut self, most: u32) -> u64 {
        let (any, left, right) = (self.below(1 << 16), self.below(most), self.below(17));
        u64::from(any) << left >> right
    }
}

/// What the C program records, by the model.
fn modelled(size: usize, seed: u32, count: u32) -> Vec<u8> {
    const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
    let switched_in: u32 = Event::TaskSwitchedIn { task_id: 0 }.id().into();
    let marker: u32 = Event::Evtmarker { evtmarker_id: 0, msg: Str(b"") }.id().into();
    let rings = Rings::smallest(Policy::Snapshot, COUNT, size);
    let recorder: Recorder<FakePort<REGISTRY, true>> = with_packets(PacketMemory::new(rings));
    let now = &recorder.port().now;
    let core = &recorder.port().cores[0];
    now.set(1000);
    let mut draws = CRandom(seed);
    let mut upper_half = 0;
    assert!(recorder.start_packets().is_ok());
    for _ in 0..count {
        now.set(now.get() + draws.shifted(18));
        if draws.below(40) == 0 {
            now.set(now.get() + (u64::from(draws.below(8)) << 30));
        }
        let number = draws.shifted(16) as u32;
        let from = draws.below(28);
        let time = now.get() as u32;
        if !recorder.is_recording() {
            continue;
        }
        if upper_half != now.get() >> 32 {
            upper_half = now.get() >> 32;
            recorder.close_packet(core, 0, 0); // as the shim does with a port of 64 bits
        }
        // SAFETY: recording was started with packets; the text ends.
        unsafe {
            if from < 14 {
                recorder.packet_u32(switched_in, core, time, number);
            } else {
                let text = CString::new(&LETTERS[from as usize - 1..]).expect("no NUL");
                let text = if from == 27 { ptr::null() } else { text.as_ptr().cast() };
                recorder.packet_u32_str(marker, core, time, number, text);
            }
        }
    }
    assert!(recorder.stop_packets());
    let (start, len) = recorder.packet_memory(0);
    // SAFETY: the recording is over.
    unsafe { std::slice::from_raw_parts(start, len) }.to_vec()
}

/// The packets of the core in a memory of them, each with its header, and without what follows its content.
fn contents(memory: &[u8], size: usize) -> Vec<&[u8]> {
    let mut contents = Vec::new();
    for slot in memory.chunks_exact(size) {
        let packet = Packet::read(slot).expect("a packet");
        let header = packet.header();
        if header.stream == 0 {
            contents.push(&slot[..header.content_len]);
        }
    }
    contents
}

#[test]
fn the_shim_writes_what_the_model_writes() {
    for (size, bytes, seed) in
        [(128, "128", 1), (128, "128", 2), (512, "512", 3), (4096, "4096", 4)]
    {
        let config = [
            SNAPSHOT,
            PACKETS,
            ("tband_configPACKET_COUNT", "400"),
            ("tband_configPACKET_SIZE", bytes),
        ];
        let firmware = Firmware::new("like_the_model", &config);
        let recorded = firmware.run(&[&seed.to_string(), "1200"]);
        let modelled = modelled(size, seed, 1200);
        let (shim, model) = (contents(&recorded, size), contents(&modelled, size));
        for (at, (shim, model)) in shim.iter().zip(&model).enumerate() {
            assert_eq!(shim, model, "seed {seed}, packet {at}");
        }
        assert_eq!(shim.len(), model.len(), "seed {seed}");
        let packets = recorded.len() / size;
        assert!(packets > 3 && packets < COUNT as usize, "{packets} packets of {size} bytes");
    }
}
