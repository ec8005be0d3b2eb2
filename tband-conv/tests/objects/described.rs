//! Events that this version does not know. The recording's schema of them is enough to skip and count them, and to show their
//! fields by name, in every way of reading. An event without a schema costs the rest of one packet.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use tband_conv::convert::take_census::take_census;
use tband_conv::ctf::{CtfVersion, convert_to_ctf};
use tband_conv::diagnostics::{Problem, Severity};
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::item::Mode;
use tband_conv::output::Output;
use tband_conv::packets::Packer;
use tband_conv::sinks::TimelineText;
use tband_conv::{Input, Options, Summary, convert};
use tband_format::Event::*;
use tband_format::packet::{Header, METADATA_STREAM};
use tband_recordings::described::{frame_of, schema, varint};
use tband_recordings::fed::{converted, whole};
use tband_recordings::packed::{packed, packed_by, pieces};
use tband_recordings::{Recording, frame, str, two_tasks};

// Ids 248 to 253 are for tests (`tband-format/src/registry.rs`): no event that is added later has one of these.
const SPI: &str = "spi_done bus:u8,bytes:u32,error:s64,wait:ticks,text:str";
const DMA: &str = "dma_done";

/// 200 switches, and beside each of them an event that only the recording describes.
fn switches(declares: bool, unknown: bool) -> Vec<u8> {
    let mut recording = two_tasks();
    if declares {
        recording = recording.meta(schema(248, true, SPI)).meta(schema(252, true, DMA));
    }
    for number in 0..200_u64 {
        let ts = 100 * number;
        recording = recording.at(ts, TaskSwitchedIn { task_id: 1 + number as u32 % 2 });
        if unknown {
            let fields = [&[7][..], &varint(300 + number), &varint(5), &varint(0xFFFF_FFFF), b"ok"];
            recording = recording.unknown(248, ts + 3, &fields.concat()).unknown(252, ts + 4, b"");
        }
    }
    recording.0
}

fn timeline(bytes: &[u8]) -> (String, Summary) {
    let mut text = TimelineText::new(Vec::new()).detailed();
    let summary =
        convert(&[Input::from_bytes("r", bytes)], &Options::default(), &mut text).unwrap();
    let text = String::from_utf8(text.into_inner()).unwrap();
    (
        text.lines().filter(|line| !line.contains(" @")).map(|it| format!("{it}\n")).collect(),
        summary,
    )
}

fn dumped(bytes: &[u8], format: DumpFormat) -> (String, u64) {
    let mut text = Vec::new();
    let input = Input::from_bytes("r", bytes);
    let summary = dump(&[input], DumpOptions::of(format), &mut text).unwrap();
    (String::from_utf8(text).unwrap(), summary.defects)
}

fn census(bytes: &[u8]) -> BTreeMap<String, u64> {
    let inputs = [Input::from_bytes("r", bytes)];
    let census = take_census(&inputs, Mode::FreeRtos).unwrap();
    let mut options = Options::default();
    options.census = true;
    let counted = convert(&inputs, &options, &mut ()).unwrap().census.expect("it was asked for");
    assert_eq!(format!("{counted:?}"), format!("{census:?}"));
    census.kinds().map(|(name, kind)| (name.to_owned(), kind.count)).collect()
}

/// Problems, with how many there were.
fn problems(summary: &Summary) -> Vec<(Problem, u64)> {
    summary.diagnostics.iter().map(|it| (it.problem, it.amount)).collect()
}

/// The files of a CTF trace.
fn ctf(
    bytes: &[u8],
    version: CtfVersion,
) -> (BTreeMap<String, Vec<u8>>, tband_conv::ctf::CtfSummary) {
    #[derive(Clone, Default)]
    struct File(Arc<Mutex<Vec<u8>>>);
    impl Write for File {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    let mut output = Output::folder(|name| {
        Ok(Box::new(files.entry(name.to_owned()).or_default().clone()) as Box<_>)
    });
    let inputs = [Input::from_bytes("r", bytes)];
    let (_, summary) = convert_to_ctf(&inputs, &Options::default(), version, &mut output).unwrap();
    drop(output);
    (files.into_iter().map(|(name, it)| (name, it.0.lock().unwrap().clone())).collect(), summary)
}

const TEXT: &str = "spi_done                 bus=7 bytes=300 error=-2 wait=4294967295 text=\"ok\"";
const JSON: &str =
    r#""event":"spi_done","bus":7,"bytes":300,"error":-2,"wait":4294967295,"text":"ok"}"#;

#[test]
fn skips_and_shows_described_events() {
    let frames = switches(true, true);
    let (expected, _) = timeline(&switches(false, false));
    for bytes in [frames.clone(), packed(&frames, 128), packed(&frames, 512), packed(&frames, 4096)]
    {
        let (text, summary) = timeline(&bytes);
        assert_eq!(
            text.matches("runs on core 0").count(),
            expected.matches("runs on core 0").count()
        );
        assert_eq!(problems(&summary), [(Problem::NewerEvents, 400)]);
        assert!(summary.diagnostics.is_clean());
        let found = summary.diagnostics.get(Problem::NewerEvents).unwrap();
        assert_eq!(
            found.text,
            "400 events are of kinds that this version does not know (dma_done, spi_done); the recording has \
             their layouts"
        );
        assert_eq!(Problem::NewerEvents.severity(), Severity::Note);

        let (text, defects) = dumped(&bytes, DumpFormat::Text);
        assert_eq!((text.matches(" task_switched_in ").count(), defects), (200, 0), "{text}");
        assert!(text.contains(TEXT), "{text}");
        assert_eq!(text.matches("  dma_done\n").count(), 200);
        let (json, _) = dumped(&bytes, DumpFormat::Json);
        assert!(json.contains(JSON), "{json}");
        for line in json.lines() {
            serde_json::from_str::<serde_json::Value>(line).expect(line);
        }

        let kinds = census(&bytes);
        let of = |name: &str| kinds.get(name).copied();
        let all = [of("task_switched_in"), of("spi_done"), of("dma_done"), of("event_schema")];
        assert_eq!(all, [Some(200), Some(200), Some(200), Some(2)]);

        let inputs = [bytes.clone()];
        assert_eq!(converted(&inputs), whole(&inputs).unwrap());
        assert!(converted(&inputs).events.iter().any(|it| it.contains("248")));
    }
}

#[test]
fn a_dump_has_only_what_is_wanted() {
    let bytes = packed(&switches(true, true), 512);
    let wanted = DumpOptions { events: vec!["dma_done".to_owned()], ..DumpOptions::default() };
    let mut text = Vec::new();
    let input = Input::from_bytes("r", &bytes);
    let summary = dump(&[input], wanted, &mut text).unwrap();
    assert_eq!((summary.shown, text.iter().filter(|it| **it == b'\n').count()), (200, 200));
    let mut merged = Vec::new();
    let two = [Input::from_bytes("a", &bytes), Input::from_bytes("b", &bytes).on_core(1)];
    dump(&two, DumpOptions::default(), &mut merged).unwrap();
    assert!(String::from_utf8(merged).unwrap().contains(TEXT));
}

/// Packets of a trace, which have the number of the core in place of the check, as the target writes them.
fn with_checks(trace: &[u8]) -> Vec<u8> {
    let (mut packets, mut at) = (trace.to_vec(), 0);
    while at < packets.len() {
        let (header, _) = Header::read(&packets[at..]).unwrap();
        header.write(&mut packets[at..at + header.packet_len]).unwrap();
        at += header.packet_len;
    }
    packets
}

#[test]
fn a_trace_of_ctf_has_them_as_the_recording_describes_them() {
    let frames = switches(true, true);
    for bytes in [frames.clone(), packed(&frames, 512)] {
        let is_packets = bytes != frames;
        let (files, summary) = ctf(&bytes, CtfVersion::Two);
        assert_eq!((summary.left_out, summary.unchanged > 0), (0, is_packets));
        let metadata = String::from_utf8(files["metadata"].clone()).unwrap();
        let class = metadata.split('\u{1E}').find(|it| it.contains("\"spi_done\"")).unwrap();
        let class: serde_json::Value = serde_json::from_str(class).unwrap();
        let fields = class["payload-field-class"]["member-classes"].as_array().unwrap();
        let fields: Vec<_> = fields
            .iter()
            .map(|it| format!("{} {}", it["name"], it["field-class"]["type"]).replace('"', ""))
            .collect();
        assert_eq!(class["id"], 248);
        assert_eq!(
            fields,
            [
                "bus fixed-length-unsigned-integer",
                "bytes variable-length-unsigned-integer",
                "error variable-length-signed-integer",
                "wait variable-length-signed-integer",
                "text null-terminated-string",
            ]
        );
        // The packets have the same content: with the schemas at the beginning they are read as before.
        let start: Vec<u8> = pieces(&frames, 512).remove(0);
        let again = [start, with_checks(&files["core0"])].concat();
        let kinds = census(&again);
        assert_eq!(kinds["spi_done"], 200);
        assert_eq!(kinds["task_switched_in"], 200);

        let (files, summary) = ctf(&bytes, CtfVersion::One);
        assert_eq!(summary.left_out, 0);
        let metadata = String::from_utf8(files["metadata"].clone()).unwrap();
        let (_, class) = metadata.split_once("name = \"spi_done\";").unwrap();
        let (class, _) = class.split_once("};").unwrap();
        for line in
            ["id = 248;", "uint8_t _bus;", "uint32_t _bytes;", "int64_t _error;", "uint32_t _wait;"]
        {
            assert!(class.contains(line), "{class}");
        }
    }
}

/// 18 of 200 switches were kept, and the baud rate was blamed.
#[test]
fn an_undescribed_event_ends_its_packet() {
    let described = packed(&switches(true, true), 512);
    // Without their descriptions.
    let without: Vec<u8> =
        pieces(&switches(true, true), 512).into_iter().skip(1).flatten().collect();
    assert!(without.len() < described.len());
    let (_, summary) = timeline(&without);
    let found = summary.diagnostics.get(Problem::UnknownInPacket).unwrap();
    assert!(
        found.text.starts_with(
            "event id 248 is unknown here, and nothing before describes it: the last "
        ),
        "{found}"
    );
    assert_eq!(summary.diagnostics.count(Problem::UndecodableFrame), 0);
    let packets = pieces(&switches(true, true), 512).len() as u64 - 1;
    assert_eq!(found.count, packets);

    // One such event costs the rest of its packet, and in frames only itself.
    let mut recording = two_tasks();
    for number in 0..200_u64 {
        recording = recording.at(100 * number, TaskSwitchedIn { task_id: 1 + number as u32 % 2 });
        if number == 100 {
            recording = recording.meta(schema(253, true, DMA)).unknown(253, 100 * number, b"");
        }
    }
    let kept =
        |bytes: &[u8]| dumped(bytes, DumpFormat::Text).0.matches(" task_switched_in ").count();
    let frames = recording.0;
    assert_eq!(kept(&frames), 200);
    let mut packets = pieces(&frames, 256);
    assert_eq!(kept(&packets.concat()), 200);
    let of_packet = |packet: &[u8]| kept(&[packets[0].clone(), packet.to_vec()].concat());
    let fullest = packets.iter().skip(1).map(|packet| of_packet(packet)).max().unwrap();
    // The schema's text is not a schema any more.
    for packet in &mut packets {
        if let Some(at) = packet.windows(8).position(|it| it == b"dma_done") {
            packet[at] = b'?';
            seal(packet);
        }
    }
    let bytes = packets.concat();
    let left = kept(&bytes);
    assert!((200 - fullest..200).contains(&left), "{left}");
    let (_, summary) = timeline(&bytes);
    assert_eq!(summary.diagnostics.count(Problem::BadSchema), 1);
    assert_eq!(summary.diagnostics.count(Problem::UnknownInPacket), 1);
    let bad = summary.diagnostics.get(Problem::BadSchema).unwrap();
    assert_eq!(bad.text, "the schema of event 253 is not used: its name is none");
}

/// Formats and names of records are of this kind for readers that do not know them: metadata of packets is frames, so an event
/// without a schema is skipped and counted, and the frames beside it are read.
#[test]
fn undescribed_metadata_loses_no_other_event() {
    let unknown = |text: &str| [&[text.len() as u8 + 3, 0xF9, 5], text.as_bytes(), &[0]].concat();
    let name = |task_id, name| frame(0, TaskName { task_id, name: str(name) });
    let metadata = [
        two_tasks().0,
        unknown("a format %d"),
        name(3, "third"),
        unknown(""),
        unknown("another"),
        name(4, "fourth"),
    ];
    let mut all = Vec::new();
    let mut out = |_: u8, packet: &[u8]| all.extend_from_slice(packet);
    let mut packer = Packer::new(512).without_state();
    packer.metadata(0, &metadata.concat(), &mut out);
    for number in 1..=100 {
        let switch = TaskSwitchedIn { task_id: 3 + number as u32 % 2 };
        packer.push(0, number * 10, &switch, &mut out).unwrap();
    }
    packer.flush(&mut out);
    let (text, summary) = timeline(&all);
    assert_eq!(problems(&summary), [(Problem::UnknownEvent, 3)], "{:?}", summary.diagnostics);
    for task in ["third", "fourth"] {
        assert!(text.contains(&format!("{task}: ready -> running")), "{text}");
    }
    assert_eq!(dumped(&all, DumpFormat::Text).0.matches(" task_switched_in ").count(), 100);
}

/// Works out the check of a packet.
fn seal(packet: &mut [u8]) {
    let content = u16::from_le_bytes([packet[8], packet[9]]) as usize / 8;
    packet[12..16].fill(0);
    let check = tband_format::packet::check(&packet[..content]);
    packet[12..16].copy_from_slice(&check.to_le_bytes());
}

/// A late reader gets the descriptions after the first of the events.
#[test]
fn a_late_schema_describes_earlier_events_of_files() {
    let mut late = pieces(&switches(true, true), 512);
    let mut metadata = late.remove(0);
    // It was sent before any receiver listened.
    metadata[6] = 9;
    seal(&mut metadata);
    late.insert(5, metadata);
    let bytes = late.concat();
    let (_, summary) = timeline(&bytes);
    assert_eq!(problems(&summary), [(Problem::NewerEvents, 400)]);
    assert_eq!(census(&bytes)["spi_done"], 200);
    let (_, ctf) = ctf(&bytes, CtfVersion::Two);
    assert_eq!((ctf.left_out, ctf.unchanged), (0, late.len() as u64 - 1));
    let (text, defects) = dumped(&bytes, DumpFormat::Text);
    assert_eq!((text.matches("  dma_done\n").count(), defects), (200, 0), "{text}");
    // Those that read it once know it from there on.
    let fed = whole(&[bytes]).unwrap();
    assert!(fed.found.contains("UnknownInPacket, count: 5"), "{}", fed.found);

    // In frames too.
    let (before, after) = (switches(false, true), switches(true, true));
    let frames = [before, after].concat();
    let (text, defects) = dumped(&frames, DumpFormat::Text);
    assert_eq!((text.matches("  dma_done\n").count(), defects), (400, 0), "{text}");
    let (_, summary) = timeline(&frames);
    assert_eq!(summary.diagnostics.count(Problem::UnknownEvent), 0);
}

#[test]
fn reads_described_events_of_a_memory_image() {
    let mut packets = pieces(&switches(true, true), 512);
    for packet in &mut packets {
        // A packet in its slot has no check, and what fills the slot up.
        packet[12..16].fill(0);
        let len = packet.len() + 16;
        packet[10..12].copy_from_slice(&(len as u16 * 8).to_le_bytes());
        packet.resize(len, 0);
    }
    let bytes = packets.concat();
    let (_, summary) = timeline(&bytes);
    assert_eq!(problems(&summary), [(Problem::NewerEvents, 400)]);
    assert_eq!(census(&bytes)["task_switched_in"], 200);
}

/// Two cores in one input, and in two.
#[test]
fn a_schema_of_one_core_applies_to_all_cores() {
    let mut recording = two_tasks().meta(schema(240, true, "dma_done channel:u32"));
    for number in 0..100_u64 {
        for core in 0..2 {
            let (ts, task_id) = (1000 * number + u64::from(core), 1 + core);
            recording = recording
                .at(ts, CoreId { core_id: core })
                .at(ts, TaskSwitchedIn { task_id })
                .unknown(240, ts + 10, &[core as u8]);
        }
    }
    let frames = recording.0;
    for bytes in [frames.clone(), packed(&frames, 300)] {
        let (_, summary) = timeline(&bytes);
        assert_eq!(problems(&summary), [(Problem::NewerEvents, 200)]);
        let inputs = [bytes.clone()];
        // Where cores take turns, simultaneous events may come in another order.
        let sorted = |mut events: Vec<String>| {
            events.sort();
            events
        };
        assert!(sorted(converted(&inputs).events) == sorted(whole(&inputs).unwrap().events));
        let (text, _) = dumped(&bytes, DumpFormat::Text);
        assert_eq!(text.matches(" channel=1\n").count(), 100);
        assert_eq!(ctf(&bytes, CtfVersion::Two).1.left_out, 0);
    }
}

#[test]
fn the_later_of_two_schemas_holds_from_there_on() {
    let recording = two_tasks()
        .meta(schema(248, true, "one a:u8"))
        .unknown(248, 10, &[1])
        .meta(schema(248, true, "two a:u32,b:u8"))
        .unknown(248, 20, &[0x80, 1, 2])
        .unknown(248, 30, &[5, 2])
        .meta(schema(248, true, "one a:u8"))
        .unknown(248, 40, &[3])
        .at(50, TaskSwitchedIn { task_id: 1 });
    for bytes in [recording.0.clone(), packed(&recording.0, 512)] {
        let (text, defects) = dumped(&bytes, DumpFormat::Text);
        for line in [
            "one                      a=1",
            "two                      a=128 b=2",
            "two                      a=5 b=2",
            "one                      a=3",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert_eq!(defects, 0);
        let kinds = census(&bytes);
        assert_eq!((kinds["one"], kinds["two"]), (2, 2));
        // A trace has one schema for each id.
        for version in [CtfVersion::One, CtfVersion::Two] {
            let (_, summary) = ctf(&bytes, version);
            assert_eq!((summary.left_out, summary.unchanged), (2, 0));
        }
        assert_eq!(converted(std::slice::from_ref(&bytes)), whole(&[bytes]).unwrap());
    }
}

#[test]
fn the_registry_overrides_a_contradicting_schema() {
    let recording = two_tasks()
        .meta(schema(84, true, "task_switched_in task_id:u32"))
        .meta(schema(84, true, "task_switched_in task:u32"))
        .meta(schema(84, false, "task_switched_in task_id:u32"))
        .meta(schema(109, true, "curtask_block_on_queue_peek queue_id:u32,ticks_to_wait:u32"))
        .meta(EventSchema { event_id: 249, timed: 3, schema: str("a") })
        .at(10, TaskSwitchedIn { task_id: 1 });
    for bytes in [recording.0.clone(), packed_raw(&recording.0)] {
        let (_, summary) = timeline(&bytes);
        assert_eq!(summary.diagnostics.count(Problem::BadSchema), 4);
        let found = summary.diagnostics.get(Problem::BadSchema).unwrap();
        assert_eq!(
            found.text,
            "the schema of event 84 is not used: that is task_switched_in, which looks otherwise"
        );
        assert_eq!(census(&bytes)["task_switched_in"], 1);
        let (text, defects) = dumped(&bytes, DumpFormat::Text);
        assert_eq!(defects, 4);
        assert!(text.contains("task_switched_in         task_id=1"), "{text}");
        assert_eq!(converted(std::slice::from_ref(&bytes)), whole(&[bytes]).unwrap());
    }
}

/// A recording of frames of which all but the last event is metadata, in packets, whatever the metadata is.
fn packed_raw(frames: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut packer = Packer::new(4096);
    let mut out = |_, packet: &[u8]| bytes.extend_from_slice(packet);
    let end = frames.len() - frame(10, TaskSwitchedIn { task_id: 1 }).len();
    packer.metadata(0, &frames[..end], &mut out);
    packer.push(0, 10, &TaskSwitchedIn { task_id: 1 }, &mut out).unwrap();
    packer.flush(&mut out);
    assert_eq!(bytes[4], METADATA_STREAM);
    bytes
}

#[test]
fn as_many_kinds_as_there_are_ids() {
    let names: Vec<(u8, String)> = (0..=255)
        .filter(|id| tband_format::registry::by_id(*id).is_none())
        .map(|id| (id, format!("kind_{id} value:u32")))
        .collect();
    let mut recording = two_tasks();
    for (id, text) in &names {
        recording = recording.meta(schema(*id, true, text));
    }
    for (number, (id, _)) in names.iter().cycle().take(names.len() * 5).enumerate() {
        let ts = 10 * number as u64;
        recording = recording.at(ts, TaskSwitchedIn { task_id: 1 + number as u32 % 2 });
        recording = recording.unknown(*id, ts + 1, &varint(number as u64));
    }
    let frames = recording.0;
    let count = names.len() as u64;
    assert!(count > 50);
    for bytes in [frames.clone(), packed(&frames, 512)] {
        let (_, summary) = timeline(&bytes);
        assert_eq!(problems(&summary), [(Problem::NewerEvents, 5 * count)]);
        let kinds = census(&bytes);
        assert!(names.iter().all(|(id, _)| kinds[&format!("kind_{id}")] == 5));
        let inputs = [bytes.clone()];
        assert_eq!(converted(&inputs), whole(&inputs).unwrap());
        for version in [CtfVersion::One, CtfVersion::Two] {
            assert_eq!(ctf(&bytes, version).1.left_out, 0);
        }
    }
}

/// No schema produces a name that could harm an output, or takes more than a little memory.
#[test]
fn hostile_schemas_are_refused() {
    let many: Vec<String> = (0..1000).map(|it| format!("f{it}:u8")).collect();
    let texts = [
        String::new(),
        " a:u8".to_owned(),
        format!("e {}", many.join(",")),
        "e".repeat(60_000),
        format!("e {}:u8", "f".repeat(60_000)),
        "e\u{1B}[2J a:u8".to_owned(),
        "\",\"x\":\" a:u8".to_owned(),
        "e a:u8,a:u8".to_owned(),
        "e \u{202E}:u8".to_owned(),
        "../../etc/passwd".to_owned(),
    ];
    let mut recording = two_tasks();
    for text in &texts {
        recording = recording.meta(schema(248, true, text)).unknown(248, 5, &[1]);
    }
    let recording = recording.at(10, TaskSwitchedIn { task_id: 1 });
    let (_, summary) = timeline(&recording.0);
    let count = texts.len() as u64;
    assert_eq!(summary.diagnostics.count(Problem::BadSchema), count);
    assert_eq!(summary.diagnostics.count(Problem::UnknownEvent), count);
    for format in [DumpFormat::Text, DumpFormat::Json] {
        let (text, defects) = dumped(&recording.0, format);
        assert_eq!(defects, 2 * count);
        assert!(!text.contains('\u{1B}') && text.len() < 20_000, "{} bytes", text.len());
    }
    let inputs = [recording.0.clone()];
    assert_eq!(converted(&inputs), whole(&inputs).unwrap());
}

/// Metadata that this version does not know: without a time, in both formats.
#[test]
fn metadata_can_be_described_too() {
    let unknown = frame_of(&[&[250][..], &[5], b"four"].concat());
    let recording = two_tasks()
        .meta(schema(250, false, "pool_name pool_id:u32,name:str"))
        .raw(&unknown)
        .at(10, TaskSwitchedIn { task_id: 1 });
    let recording = Recording(recording.0).raw(&unknown).at(20, TaskSwitchedIn { task_id: 2 });
    for bytes in [recording.0.clone(), packed(&recording.0, 256)] {
        let (text, defects) = dumped(&bytes, DumpFormat::Text);
        assert_eq!(
            (text.matches("pool_name                pool_id=5 name=\"four\"").count(), defects),
            (2, 0),
            "{text}"
        );
        let (_, summary) = timeline(&bytes);
        assert_eq!(problems(&summary), [(Problem::NewerEvents, 2)]);
        for version in [CtfVersion::One, CtfVersion::Two] {
            let (files, summary) = ctf(&bytes, version);
            assert_eq!(summary.left_out, 0);
            assert!(String::from_utf8_lossy(&files["metadata"]).contains("pool_name"));
        }
    }
}

/// A field of an event that is not as it was described.
#[test]
fn an_event_that_is_not_as_described_is_damage() {
    let recording = two_tasks()
        .meta(schema(248, true, "one a:u32"))
        .at(5, TaskSwitchedIn { task_id: 1 })
        .unknown(248, 10, &[0xFF; 6])
        .unknown(248, 20, &[1, 2])
        .at(50, TaskSwitchedIn { task_id: 2 });
    let (_, summary) = timeline(&recording.0);
    assert_eq!(summary.diagnostics.count(Problem::UndecodableFrame), 2);
    let (text, defects) = dumped(&recording.0, DumpFormat::Text);
    assert_eq!(defects, 2, "{text}");
    assert!(text.contains("a field of event 248, which the recording describes"), "{text}");
}

/// Draws events: one of the base, one of three described ones, or a repeated schema.
fn draws() -> impl Strategy<Value = Vec<(u8, u8, u64)>> {
    proptest::collection::vec((0..10_u8, any::<u8>(), 0..300_u64), 1..120)
}

const KINDS: [(u8, &str); 3] =
    [(248, "none"), (251, "some a:u8,b:u64"), (255, "all a:s64,b:ticks,c:u32?,d:u32?")];

proptest! {
    /// Described events change only their own output, in every format and way.
    #[test]
    fn described_events_change_only_their_output(draws in draws(), size in 128..600_usize) {
        let (mut with, mut without, mut ts, mut count) = (two_tasks(), two_tasks(), 0, 0_usize);
        for (id, text) in KINDS {
            with = with.meta(schema(id, true, text));
        }
        with = with.at(0, TaskSwitchedIn { task_id: 1 });
        without = without.at(0, TaskSwitchedIn { task_id: 1 });
        for (kind, value, later) in draws {
            ts += later;
            let unknown = match kind {
                0..3 => KINDS[usize::from(kind)],
                _ => {
                    let event = match kind {
                        3..6 => TaskSwitchedIn { task_id: 1 + u32::from(value % 2) },
                        6 => IsrEnter { isr_id: value.into() },
                        7 => IsrExit { isr_id: value.into() },
                        _ => Valmarker { valmarker_id: 1, val: value.into() },
                    };
                    with = with.at(ts, event);
                    without = without.at(ts, event);
                    continue;
                }
            };
            count += 1;
            let fields = match unknown.0 {
                248 => vec![],
                251 => [&[value][..], &varint(ts << 20)].concat(),
                _ if value % 3 == 0 => [varint(u64::from(value) << 30 | 2), varint(u32::MAX.into())].concat(),
                _ => [varint(u64::from(value) | 2), varint(5), varint(7)].concat(),
            };
            with = with.unknown(unknown.0, ts, &fields);
        }
        let last = Valmarker { valmarker_id: 1, val: -1 };
        (with, without) = (with.at(ts + 1000, last), without.at(ts + 1000, last));
        let (expected, _) = timeline(&without.0);
        // Packets would begin with more state than was drawn.
        let packer = Packer::new(size).without_state();
        for bytes in [with.0.clone(), packed_by(packer, &with.0, size).concat()] {
            let (text, summary) = timeline(&bytes);
            prop_assert!(summary.diagnostics.get(Problem::UnknownEvent).is_none());
            prop_assert!(summary.diagnostics.get(Problem::UnknownInPacket).is_none());
            prop_assert_eq!(&text, &expected);
            let (dump, defects) = dumped(&bytes, DumpFormat::Text);
            let shown = dump.lines().filter(|line| ["  none", "  some  ", "  all  "].iter().any(|it| line.contains(it))).count();
            prop_assert_eq!((shown, defects), (count, 0));
            let kinds = census(&bytes);
            let of = |name: &str| kinds.get(name).copied().unwrap_or(0) as usize;
            prop_assert_eq!(of("none") + of("some") + of("all"), count);
            let inputs = [bytes.clone()];
            prop_assert_eq!(converted(&inputs), whole(&inputs).unwrap());
            let (_, of_ctf) = ctf(&bytes, CtfVersion::Two);
            prop_assert_eq!(of_ctf.left_out, 0);
        }
    }
}
