//! Each recording describes all events outside of the base, before the first of them can occur; it has no descriptions if
//! there are no such events. Each test runs with several sets of made-up events and with those of the registry.
//! `xtask/header/tests/recipes.rs` runs this in a copy of the project whose registry has one more event. There the events of
//! the registry are written into the folder `TBAND_DECLARED_OUT`, and the project's own reader reads them.

mod fake;

use fake::declarations::{EACH_KIND, EVENTS, MANY, NONE, ONE, REGISTRY, SETS};
use fake::packets::{PacketMemory, Rings};
use fake::{FakePort, Sizes, bytes, declaring, with_packets};
use tband_core::emit::U32;
use tband_core::ring::Policy;
use tband_core::{External, Port as _, Recorder, Streaming};
use tband_format::declaration::{Declaration, MAX_DECLARATION};
use tband_format::packet::{METADATA_STREAM, Packet};
use tband_format::schema::SchemaKind;
use tband_format::{Event, Str, decode_frame};

const SWITCHED_IN: u8 = Event::TaskSwitchedIn { task_id: 0 }.id();
const SWITCHES: u32 = 200;

/// Runs a test with each set of events.
macro_rules! for_each_set {
    ($test:ident) => {{
        $test::<NONE>();
        $test::<REGISTRY>();
        $test::<ONE>();
        $test::<EACH_KIND>();
        $test::<MANY>();
    }};
}

/// Id, whether it has a time, and text of each event of a set.
fn expected(set: usize) -> Vec<(u8, bool, String)> {
    let of = |def: &tband_format::registry::EventDef| {
        let field = |it: &tband_format::registry::FieldDef| {
            format!("{}:{}", it.name, SchemaKind::from_field(it.name, it.kind).unwrap().name())
        };
        let fields: Vec<_> = def.fields.iter().map(field).collect();
        let text = format!("{} {}", def.name, fields.join(","));
        (def.id, !def.metadata, text.trim_end().to_owned())
    };
    EVENTS[set].iter().map(of).collect()
}

/// What frames describe.
fn described(frames: &[u8]) -> Vec<(u8, bool, String)> {
    let mut found = Vec::new();
    for frame in frames.split(|byte| *byte == 0).filter(|frame| !frame.is_empty()) {
        let mut scratch = vec![0; frame.len()];
        let decoded = decode_frame(frame, &mut scratch).expect("the recorder makes whole events");
        if let Event::EventSchema { event_id, timed, schema: Str(text) } = decoded.event {
            found.push((event_id, timed == 1, String::from_utf8(text.to_vec()).unwrap()));
        }
    }
    found
}

#[test]
fn declarations_are_frames_of_their_events() {
    for (set, declarations) in SETS.iter().enumerate() {
        let frames: Vec<u8> = declarations.iter().flat_map(|it| it.frame().to_vec()).collect();
        assert_eq!(described(&frames), expected(set));
        assert!(declarations.iter().all(|it| it.frame().len() <= MAX_DECLARATION));
    }
    for id in [8, 112, 130, 214] {
        let def = tband_format::registry::by_id(id).unwrap();
        let declaration = Declaration::of(def);
        let [(found, timed, text)] = &described(declaration.frame())[..] else { panic!("{id}") };
        assert_eq!((*found, *timed), (id, !def.metadata));
        let schema = tband_format::schema::Schema::parse(text.as_bytes()).unwrap();
        assert!(def.is_described_by(&schema), "{text}");
    }
}

#[test]
fn a_stream_begins_with_them() {
    for_each_set!(stream_begins_with);
}

fn stream_begins_with<const SET: usize>() {
    let mut rec = declaring::<SET>(Sizes { cores: 2, ..Sizes::default() });
    rec.port_mut().info.trace_info = &[1, 2, 0];
    for now in [0, 500] {
        rec.port().sent.borrow_mut().clear();
        rec.start_streaming(now, 0, true).unwrap();
        let start = rec.port().sent.borrow().clone();
        assert_eq!(described(&start), expected(SET));
        assert!(rec.stop_streaming());
    }
    // The port refuses a frame as a whole.
    rec.port().refuse.set(true);
    assert!(rec.start_streaming(600, 0, true).is_err());
}

#[test]
fn each_core_s_snapshot_begins_with_them() {
    for_each_set!(snapshots_begin_with);
}

fn snapshots_begin_with<const SET: usize>() {
    let mut rec = declaring::<SET>(Sizes { cores: 2, ..Sizes::default() });
    rec.port_mut().info.trace_info = &[1, 2, 0];
    rec.trigger_snapshot(1).unwrap();
    assert!(rec.stop_snapshot());
    for core in 0..2 {
        assert_eq!(described(&bytes(rec.snapshot(core))), expected(SET), "core {core}");
    }
}

#[test]
fn the_external_backend_has_them_with_what_it_knows_of_the_system() {
    for_each_set!(external_begins_with);
}

fn external_begins_with<const SET: usize>() {
    let mut rec = declaring::<SET>(Sizes { cores: 2, ..Sizes::default() });
    rec.port_mut().info.trace_info = &[1, 2, 0];
    for core in 0..2 {
        rec.port().sent.borrow_mut().clear();
        rec.send_trace_info::<External>(5, rec.port().core(core));
        assert_eq!(described(&rec.port().sent.borrow().clone()), expected(SET));
        assert!(!rec.port().locked.get());
    }
    rec.port().refuse.set(true);
    rec.send_trace_info::<External>(5, rec.port().core(0));
    assert!(!rec.port().locked.get());
}

fn packets<const SET: usize>(size: usize, policy: Policy) -> Recorder<FakePort<SET>> {
    let mut rec = with_packets(PacketMemory::new(Rings::smallest(policy, 64, size)));
    let port = rec.port_mut();
    port.frequency.set(1_000_000 | 1 << 32);
    port.info.trace_info = &[1, 1, 1];
    rec
}

/// All packets that there are.
fn take_packets<const SET: usize>(rec: &Recorder<FakePort<SET>>) -> Vec<Vec<u8>> {
    let mut packets = Vec::new();
    loop {
        if let Some((start, len)) = rec.take_packet() {
            packets.push(bytes((start, len)));
            rec.packet_done();
        } else if rec.is_packet_due() {
            rec.write_due();
        } else {
            return packets;
        }
    }
}

/// An event of the set with a time and one number, if there is one.
fn dummy(set: usize) -> Option<u8> {
    EVENTS[set].iter().find(|def| !def.metadata && def.fields.len() == 1).map(|def| def.id)
}

#[test]
fn packets_of_metadata_begin_with_them() {
    for_each_set!(packets_begin_with);
}

fn packets_begin_with<const SET: usize>() {
    for (size, policy) in [(128, Policy::Stream), (512, Policy::Stream), (128, Policy::Snapshot)] {
        let rec = packets::<SET>(size, policy);
        assert!(rec.start_packets().is_ok());
        for number in 0..SWITCHES {
            let core = rec.port().core(0);
            for id in [Some(SWITCHED_IN), dummy(SET)].into_iter().flatten() {
                assert!(rec.enter(core), "there is room");
                let now = &rec.port().now;
                now.set(now.get() + 10);
                // SAFETY: recording was started with packets.
                unsafe { rec.packet_u32(id.into(), core, now.get() as u32, 1 + number % 2) };
                rec.exit(core);
            }
        }
        rec.stop_packets();
        let packets = take_packets(&rec);
        let mut found = Vec::new();
        let mut has_events = false;
        for packet in &packets {
            let packet = Packet::read(packet).or_else(|_| Packet::read_unchecked(packet)).unwrap();
            if packet.header().stream == METADATA_STREAM {
                let more = described(packet.content());
                assert!(more.is_empty() || !has_events, "they come before the events");
                found.extend(more);
            } else {
                has_events = true;
            }
        }
        assert_eq!(found, expected(SET), "packets of {size} bytes, {policy:?}");
        keep::<SET>(&format!("packets{size}-{policy:?}.bin"), &packets.concat());
    }
}

/// Writes the recording with the registry's events for `xtask/header/tests/recipes.rs`.
fn keep<const SET: usize>(name: &str, recording: &[u8]) {
    if SET == REGISTRY
        && let Some(folder) = std::env::var_os("TBAND_DECLARED_OUT")
    {
        std::fs::write(std::path::Path::new(&folder).join(name), recording).unwrap();
    }
}

#[test]
fn a_stream_with_such_events_can_be_read_elsewhere() {
    for_each_set!(stream_with_events);
}

fn stream_with_events<const SET: usize>() {
    let mut rec = declaring::<SET>(Sizes::default());
    rec.port_mut().info.trace_info = &[1, 1, 1];
    rec.start_streaming(0, 0, true).unwrap();
    for number in 0..SWITCHES {
        let core = rec.port().core(0);
        for id in [Some(SWITCHED_IN), dummy(SET)].into_iter().flatten() {
            // SAFETY: no id is 0, and the event has no string.
            unsafe {
                rec.emit::<Streaming, _>(u64::from(100 * number), core, id, U32(1 + number % 2))
            };
        }
    }
    keep::<SET>("frames.bin", &rec.port().sent.borrow());
}
