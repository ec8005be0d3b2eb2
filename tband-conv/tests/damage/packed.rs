//! Recordings of packets: every output equals that of the same events in frames, whatever the size of the packets and however
//! the bytes come, and losses are reported at the right place.

use std::io::Read;

use proptest::prelude::*;
use tband_conv::clock::moment::Moment;
use tband_conv::convert::step::Step as Progress;
use tband_conv::diagnostics::Problem;
use tband_conv::dump::{DumpOptions, dump};
use tband_conv::encoding::notation::Format;
use tband_conv::events::EventReader;
use tband_conv::item::{Item, Mode, Origin, Visitor};
use tband_conv::packets::Packer;
use tband_conv::sinks::{Perfetto, Stats, TimelineText};
use tband_conv::{Conversion, Input, Options, Summary, convert};
use tband_format::Event::*;
use tband_format::decode::Decoded;
use tband_format::named::QueueKind as Kind;
use tband_format::packet::{HEADER_LEN, Header, METADATA_STREAM, PacketWriter};
use tband_format::registry::EVENTS;
use tband_recordings::packed::{packed, packed_by, pieces};
use tband_recordings::random::{Step, config, damage, damages, steps, stream};
use tband_recordings::{Recording, frame, str, two_tasks, vector};

/// The timeline without offsets, the trace, and the numbers.
struct ConversionOutput {
    timeline: String,
    trace: Vec<u8>,
    tasks: String,
    summary: Summary,
}

type Sinks = (TimelineText<Vec<u8>>, (Perfetto<Vec<u8>>, Stats));

fn sinks() -> Sinks {
    let text = TimelineText::new(Vec::new()).detailed();
    (text, (Perfetto::new(Vec::new()), Stats::default()))
}

/// Offsets differ between frames and packets.
fn without_offsets(text: &str) -> String {
    let line = |line: &str| match line.split_once(" @") {
        Some((before, after)) => {
            format!("{before}:{}\n", after.split_once(':').map_or("", |(_, text)| text))
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

fn convert_to_output(inputs: &[Input<'_>]) -> ConversionOutput {
    let mut sinks = sinks();
    let summary = convert(inputs, &Options::default(), &mut sinks).unwrap();
    let (text, (trace, stats)) = sinks;
    let text = String::from_utf8(text.into_inner()).unwrap();
    // Frames may begin with a count of dropped events, which packets do not have: the unknown states are the same.
    let length = stats.length_ns();
    let (mut tasks, mut isrs): (Vec<_>, Vec<_>) =
        (stats.tasks().cloned().collect(), stats.isrs().cloned().collect());
    tasks.iter_mut().for_each(|task| task.known_ns = length - task.known_ns);
    isrs.iter_mut().for_each(|isr| isr.recorded_ns = length - isr.recorded_ns);
    let tasks = format!("{tasks:?}{isrs:?}");
    ConversionOutput { timeline: without_offsets(&text), trace: trace.into_inner(), tasks, summary }
}

fn of(bytes: &[u8]) -> ConversionOutput {
    convert_to_output(&[Input::from_bytes("r", bytes)])
}

/// Checks that the lines are the same; reports the first that differ.
#[track_caller]
fn assert_lines(one: &str, other: &str) {
    let mut pairs = one.lines().zip(other.lines()).enumerate();
    let differs = pairs.find(|(_, (one, other))| one != other);
    assert!(differs.is_none(), "{differs:?}");
    assert_eq!(one.len(), other.len());
}

#[track_caller]
fn assert_same(one: &ConversionOutput, other: &ConversionOutput) {
    assert_lines(&one.timeline, &other.timeline);
    assert_eq!(one.tasks, other.tasks);
    // Findings contain offsets.
    if one.summary.diagnostics.is_clean() {
        assert!(one.trace == other.trace, "the traces differ");
    }
    let found = |made: &ConversionOutput| -> Vec<_> {
        made.summary.diagnostics.iter().map(|it| (it.problem, it.count, it.text.clone())).collect()
    };
    assert_eq!(found(one), found(other));
}

/// Two cores, tasks that wait, interrupts, an object that is created and named while recording runs.
fn recording() -> Vec<u8> {
    let start = Recording::default()
        .at(0, CoreId { core_id: 0 })
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .meta(TaskName { task_id: 1, name: str("a") })
        .meta(IsrName { isr_id: 3, name: str("uart") })
        .at(0, CoreId { core_id: 1 })
        .meta(TaskName { task_id: 2, name: str("b") })
        .meta(QueueKind { queue_id: 5, kind: Kind::QUEUE });
    let mut it = start;
    for round in 0..60_u64 {
        let ts = 1000 + round * 100_000;
        it = it
            .at(ts, CoreId { core_id: 0 })
            .at(ts + 1, TaskSwitchedIn { task_id: 1 })
            .at(ts + 9, IsrEnter { isr_id: 3 })
            .at(ts + 11, QueueSendFromIsr { queue_id: 5, len_after: 1 })
            .at(ts + 12, IsrExit { isr_id: 3 })
            .at(ts + 15, Valmarker { valmarker_id: 1, val: -(round as i64) })
            .at(ts + 20, CoreId { core_id: 1 })
            .at(ts + 21, TaskSwitchedIn { task_id: 2 })
            .at(ts + 30, QueueReceive { queue_id: 5, len_after: 0 })
            .at(ts + 31, CurtaskBlockOnQueueReceive { queue_id: 5, ticks_to_wait: u32::MAX })
            .at(ts + 33, TaskSwitchedIn { task_id: 7 });
        if round == 30 {
            it = it.at(ts + 40, TaskCreated { task_id: 9 });
            it = it.meta(TaskName { task_id: 9, name: str("late") });
            it = it.at(ts + 41, TaskToRdyState { task_id: 9 });
        }
    }
    it.0
}

#[test]
fn packets_tell_what_frames_tell() {
    let frames = recording();
    for size in [128, 200, 512, 4096] {
        assert_same(&of(&frames), &of(&packed(&frames, size)));
    }
    for name in ["freertos_sim.bin", "base_only.bin", "freertos_late_start.bin"] {
        let frames = vector(name);
        assert_same(&of(&frames), &of(&packed(&frames, 256)));
    }
}

/// Times continue where a timer of 16, 24 or 32 bits, or the time bits in a packet, wrap; with gaps as long as the wrap and a
/// tick more or less, and one that exceeds a time of eight bytes.
#[test]
fn times_continue_when_their_lowest_bits_wrap() {
    for bits in [6, 14, 16, 24, 30, 32, 48, 62] {
        let wrap = 1_u64 << bits;
        let mut it = Recording::default()
            .at(0, CoreId { core_id: 0 })
            .at(0, TsFrequency { numerator: 1_000_000_000_000, denominator: 1 });
        let mut ts = wrap.saturating_sub(3);
        for (index, step) in
            [0, 1, 1, 1, 1, wrap - 1, wrap, 1, wrap + 1, wrap / 2, 2].into_iter().enumerate()
        {
            ts += if index == 0 || bits < 48 { step } else { step.min(wrap / 8) };
            it = it.at(ts, TaskSwitchedIn { task_id: 1 + index as u32 % 2 });
        }
        for size in [128, 512] {
            assert_same(&of(&it.0), &of(&packed(&it.0, size)));
        }
    }
}

/// Packets that were found complete are not checked again, not even if the bytes have changed since then.
#[test]
fn a_file_that_changes_while_it_is_read_twice_is_read() {
    let packets = packed(&recording(), 300);
    for at in (0..packets.len()).step_by(7) {
        let opened = std::cell::Cell::new(0);
        let changed = || {
            opened.set(opened.get() + 1);
            let mut bytes = packets.clone();
            if opened.get() > 1 {
                bytes[at] ^= 0xFF;
            }
            Ok(Box::new(std::io::Cursor::new(bytes)) as Box<dyn Read>)
        };
        let mut text = TimelineText::new(Vec::new());
        convert(&[Input::new("r", changed)], &Options::default(), &mut text).unwrap();
        assert!(opened.get() > 1);
    }
}

/// Packets that are filled up to a fixed size with bytes that look like another packet: these are not read as one, in the first
/// pass or in the second.
#[test]
fn skips_padding_of_a_packet() {
    let plain = pieces(&recording(), 300);
    let mut filled = Vec::new();
    for packet in &plain {
        let (mut header, _) = Header::read(packet).unwrap();
        let mut bytes = packet[..header.content_len].to_vec();
        header.packet_len = header.content_len + 100;
        header.write(&mut bytes).unwrap();
        // The beginning of a packet, without its end.
        bytes.extend(&packet[..60.min(header.content_len)]);
        bytes.resize(header.packet_len, 0xA5);
        filled.extend(bytes);
    }
    assert_same(&of(&plain.concat()), &of(&filled));
}

/// All events except those that select the core, report a loss, or are metadata: an apparent start of a stream of frames is not
/// one in packets.
fn plain(steps: Vec<Step>) -> Vec<Step> {
    let left_out = ["dropped_evt_cnt", "core_id", "running_task", "open_isr", "ts_frequency"];
    let is_plain = |step: &Step| {
        let of = EVENTS.iter().find(|it| it.id == step.payload[0]);
        of.is_some_and(|it| !it.metadata && !left_out.contains(&it.name))
    };
    steps.into_iter().filter(is_plain).collect()
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn packets_and_frames_give_equal_events(steps in steps(2), size in 128..900_usize) {
        let steps = plain(steps);
        let frames = stream(&steps, 10);
        // The state at the beginning of a packet contradicts generated events.
        let packets = packed_by(Packer::new(size).without_state(), &frames, size).concat();
        let (frames, packets) = (of(&frames), of(&packets));
        assert_lines(&frames.timeline, &packets.timeline);
        prop_assert_eq!(frames.tasks, packets.tasks);
    }
}

/// The items of a reader, for each way of reading. Visitors get no payload of the content of a packet.
#[derive(Default)]
struct ItemCollector(Vec<String>);

fn visited(core: u32, offset: u64, decoded: &Decoded<'_>) -> String {
    format!("{core} {offset} {decoded:?}")
}

impl Visitor for ItemCollector {
    type Error = std::io::Error;

    fn event(&mut self, origin: &Origin, decoded: &Decoded<'_>) -> std::io::Result<()> {
        self.0.push(visited(origin.core, origin.offset(), decoded));
        Ok(())
    }

    fn other(&mut self, item: &Item<'_>) -> std::io::Result<()> {
        self.0.push(format!("{item:?}"));
        Ok(())
    }
}

/// Item by item, and visited, complete and in pieces; converted, and fed in pieces.
fn read_in_all_ways(bytes: &[u8]) {
    let mut reader = EventReader::new(bytes, 0, Mode::FreeRtos);
    let mut items = Vec::new();
    while let Some(item) = reader.next_item().unwrap() {
        items.push(match &item.event {
            Ok(decoded) => visited(item.core, item.offset, decoded),
            Err(_) => format!("{item:?}"),
        });
    }
    assert_eq!(reader.offset(), bytes.len() as u64);
    for step in [usize::MAX, 1, 50] {
        let mut all = ItemCollector::default();
        let mut again = EventReader::new(SlowReader(bytes, step), 0, Mode::FreeRtos);
        again.visit(&mut all).unwrap();
        assert_eq!(all.0, items);
        assert_eq!((again.offset(), again.link()), (reader.offset(), reader.link()));
    }
    let text = |input: Input<'_>| {
        let mut text = TimelineText::new(Vec::new());
        let summary = convert(&[input], &Options::default(), &mut text).ok()?;
        Some((summary.events, String::from_utf8(text.into_inner()).unwrap()))
    };
    let slow = Input::new("r", || Ok(Box::new(SlowReader(bytes, 9))));
    assert_eq!(text(Input::from_bytes("r", bytes)), text(slow));
}

/// Returns a few bytes per read.
struct SlowReader<'a>(&'a [u8], usize);

impl Read for SlowReader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let len = buf.len().min(self.1);
        self.0.read(&mut buf[..len])
    }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn every_way_to_read_packets_gives_the_same(steps in steps(3), size in 128..600_usize, damages in damages(12)) {
        let mut bytes = packed(&stream(&plain(steps), 10), size);
        damage(&mut bytes, &damages);
        read_in_all_ways(&bytes);
    }

    /// Contents that are not events, in packets whose checks are right.
    #[test]
    fn all_readers_agree_on_any_content(contents in prop::collection::vec((0..3_u8, prop::collection::vec(prop_oneof![0..4_u8, any::<u8>()], 0..80)), 1..6)) {
        let mut bytes = Vec::new();
        for (sequence, (stream, content)) in contents.iter().enumerate() {
            let len = HEADER_LEN + content.len();
            let mut packet = [&[0; HEADER_LEN][..], content].concat();
            let stream = [0, 1, METADATA_STREAM][usize::from(*stream)];
            let header = Header { stream, sequence: sequence as u16, content_len: len, packet_len: len, begin: 5, end: 9, discarded: 0 };
            header.write(&mut packet).unwrap();
            bytes.extend(packet);
        }
        read_in_all_ways(&bytes);
    }
}

#[test]
fn however_the_bytes_come_it_is_the_same() {
    let packets = packed(&recording(), 300);
    let whole = of(&packets);
    let hex: String = packets.iter().map(|byte| format!("{byte:02x}\n")).collect();
    assert_same(
        &whole,
        &convert_to_output(&[Input::from_bytes("r", hex.as_bytes()).in_format(Format::Auto)]),
    );
    let bytes = || Input::from_bytes("r", &packets).in_format(Format::Auto);
    assert_same(&whole, &convert_to_output(&[bytes()]));
    let slow = Input::new("r", || Ok(Box::new(SlowReader(&packets, 7))));
    assert_same(&whole, &convert_to_output(&[slow]));
}

#[test]
fn pieces_give_the_same_result_as_the_whole_input() {
    let packets = packed(&recording(), 300);
    let fed = |packets: &[u8], size: usize| {
        let mut conversion = Conversion::new([("r", 0)], &Options::default(), sinks()).unwrap();
        for piece in packets.chunks(size) {
            let mut rest = piece;
            while !rest.is_empty() {
                rest = &rest[conversion.feed(0, rest)..];
                while conversion.step().unwrap() == Progress::More {}
            }
        }
        let (summary, (text, _)) = conversion.finish().unwrap();
        assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
        without_offsets(&String::from_utf8(text.into_inner()).unwrap())
    };
    let frames = fed(&recording(), 10_000);
    for size in [1, 33, 10_000] {
        assert_lines(&fed(&packets, size), &frames);
    }
}

/// One core in frames and the other in packets: each input has its own format.
#[test]
fn inputs_of_both_formats_are_read_together() {
    let first =
        two_tasks().at(1, TaskSwitchedIn { task_id: 1 }).at(9, TaskSwitchedIn { task_id: 2 });
    let second = two_tasks().at(4, TaskSwitchedIn { task_id: 3 }).at(8, IsrEnter { isr_id: 1 });
    let packets = packed(&second.0, 128);
    let both = |second: &[u8]| {
        let first = Input::from_bytes("0", &first.0);
        convert_to_output(&[first, Input::from_bytes("1", second).on_core(1)])
    };
    // The packets contain that they are of core 0.
    let reported = both(&packets).timeline;
    assert!(reported.contains("40 0 task 3: unknown -> running"), "{reported}");
    assert!(reported.contains("10 0 a: unknown -> running"), "{reported}");
}

#[test]
fn a_dump_has_each_event_of_a_packet() {
    let frames = recording();
    let lines = |bytes: &[u8]| {
        let mut out = Vec::new();
        let input = Input::from_bytes("r", bytes);
        dump(&[input], DumpOptions::default(), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.retain(|line| {
            !["core_id", "running_task", "open_isr"].iter().any(|it| line.contains(it))
        });
        // The packets of a core come one after the other.
        lines.sort();
        // The line before it is not the same either.
        lines
            .iter()
            .map(|line| line.replacen(line.get(31..46).unwrap_or_default(), "", 1))
            .collect::<Vec<_>>()
    };
    assert_lines(&lines(&frames).join("\n"), &lines(&packed(&frames, 256)).join("\n"));
}

/// The packets of core 0 from number `from` to `to` are taken out.
fn without(frames: &[u8], size: usize, from: u16, to: u16) -> Vec<u8> {
    let is_lost = |packet: &Vec<u8>| {
        let sequence = u16::from_le_bytes([packet[6], packet[7]]);
        packet[4] == 0 && (from..=to).contains(&sequence)
    };
    pieces(frames, size).into_iter().filter(|packet| !is_lost(packet)).flatten().collect()
}

#[test]
fn reports_lost_packets_with_number_and_time() {
    let made = of(&without(&recording(), 128, 3, 4));
    let found: Vec<_> = made.summary.diagnostics.iter().collect();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].problem, found[0].amount), (Problem::PacketsLost, 2));
    let text = &found[0].text;
    assert_eq!(text, "core 0: packets 3 to 4 missing, 8.9 ms");
    // The running task of the other core stays known, and on this one it is known from the next packet on.
    let (_, after) = made.timeline.split_once("gap of lost packets").unwrap();
    let switch = after.lines().find(|line| line.contains(" 0 a: ")).unwrap();
    assert!(switch.ends_with("a: unknown -> running"), "{switch}");
    assert!(!made.timeline.contains(" 1 b: running -> unknown"));
}

#[test]
fn reports_discarded_events() {
    let frames = Recording(recording());
    let end = 1000 + 59 * 100_000 + 50;
    let frames = frames
        .at(end, CoreId { core_id: 0 })
        .at(end, DroppedEvtCnt { cnt: 212 })
        .at(end + 100_000, TaskSwitchedIn { task_id: 8 });
    let made = of(&packed(&frames.0, 512));
    let found: Vec<_> = made
        .summary
        .diagnostics
        .iter()
        .map(|it| (it.problem, it.amount, it.text.clone()))
        .collect();
    let text = "core 0: 1.0 ms, 212 events discarded by the target".to_owned();
    assert_eq!(found, [(Problem::EventsDiscarded, 212, text)]);
}

/// A recording that began and ended while the ring was full of an earlier one: the ring is the fault, so no message may claim
/// that recording was not started or that the file is something else.
#[test]
fn reports_a_recording_of_only_discarded_events() {
    let names = packed(&two_tasks().0, 512);
    for start in [&names[..], &[]] {
        let (begin, end, len) = (1200, 1200, HEADER_LEN);
        let header = Header {
            stream: 0,
            sequence: 0,
            content_len: len,
            packet_len: len,
            begin,
            end,
            discarded: 77,
        };
        let mut packet = [0; HEADER_LEN];
        header.write(&mut packet).unwrap();
        let made = of(&[start, &packet[..]].concat());
        let of_metadata = [Problem::NoResolution, Problem::NoMetadata];
        let found = made.summary.diagnostics.iter();
        let found = found.filter(|it| !of_metadata.contains(&it.problem));
        let found: Vec<_> = found.map(|it| (it.problem, it.amount)).collect();
        assert_eq!(found, [(Problem::EventsDiscarded, 77)]);
    }
}

/// Damage costs a packet: it is located by its bytes, and by number and time.
#[test]
fn a_damaged_packet_is_located() {
    let mut packets = packed(&recording(), 128);
    let third = pieces(&recording(), 128).iter().take(6).map(Vec::len).sum::<usize>();
    packets[third + 60] ^= 4;
    let made = of(&packets);
    let found: Vec<_> = made.summary.diagnostics.iter().map(|it| (it.problem, it.count)).collect();
    assert_eq!(found, [(Problem::DamagedPacket, 1), (Problem::PacketsLost, 1)]);
    let damage = made.summary.diagnostics.get(Problem::DamagedPacket).unwrap();
    assert_eq!(damage.place.offset, third as u64);
    assert!(damage.text.contains("its check is 0x"), "{}", damage.text);
}

#[test]
fn a_recording_that_breaks_off_inside_of_a_packet_is_cut_off() {
    let packets = packed(&recording(), 256);
    let made = of(&packets[..packets.len() - 240]);
    let found: Vec<_> = made.summary.diagnostics.iter().map(|it| (it.problem, it.count)).collect();
    assert_eq!(found, [(Problem::CutOff, 1)]);
}

/// Repeated metadata changes nothing; a late reader has names after the next repetition.
#[test]
fn repeated_metadata_changes_nothing() {
    let all = pieces(&recording(), 200);
    let (head, rest) = all.split_at(1);
    let again = |sequence: u16, ts: u64| {
        let mut packer = Packer::new(200);
        let mut out = Vec::new();
        let mut frames = frame(0, CoreId { core_id: 0 });
        frames.extend(frame(0, TsResolutionNs { ns_per_ts: 10 }));
        frames.extend(frame(0, TaskName { task_id: 1, name: str("a") }));
        frames.extend(frame(0, IsrName { isr_id: 3, name: str("uart") }));
        frames.extend(frame(0, CoreId { core_id: 1 }));
        frames.extend(frame(0, TaskName { task_id: 2, name: str("b") }));
        frames.extend(frame(0, TaskName { task_id: 9, name: str("late") }));
        for _ in 0..=sequence {
            packer.metadata(ts, &frames, &mut |_, packet: &[u8]| out = packet.to_vec());
        }
        out
    };
    // After its creation, and its name, at 3001040 ticks; and before the packet that reports them.
    let reported = again(1, 3_100_000);
    for at in 1..rest.len() {
        let pieces = [head, &rest[..at], std::slice::from_ref(&reported), &rest[at..]];
        assert_same(&of(&all.concat()), &of(&pieces.concat().concat()));
    }
    let late = [&rest[5..10], std::slice::from_ref(&reported), &rest[10..]].concat().concat();
    let made = of(&late);
    assert!(made.timeline.contains(" a: "), "{}", made.timeline);
    assert!(!made.timeline.contains(" task 1: "), "{}", made.timeline);
}

/// Frames without their own time have that of the next item in the stream of metadata, and are reported once.
#[test]
fn metadata_contains_the_timer_and_recording_begins_with_an_event() {
    let mut packer = Packer::new(200);
    let mut bytes = Vec::new();
    let mut out = |_, packet: &[u8]| bytes.extend_from_slice(packet);
    let mut frames = frame(0, TsFrequency { numerator: 1_000_000, denominator: 1 });
    frames.extend(frame(0, TaskName { task_id: 1, name: str("a") }));
    packer.metadata(90_000, &frames, &mut out);
    packer.push(0, 70_000, &TaskSwitchedIn { task_id: 1 }, &mut out).unwrap();
    packer.flush(&mut out);
    packer.metadata(95_000, &frames, &mut out);
    packer.push(0, 99_000, &TaskSwitchedIn { task_id: 2 }, &mut out).unwrap();
    packer.flush(&mut out);
    let mut stats = Stats::default();
    let summary =
        convert(&[Input::from_bytes("r", &bytes)], &Options::default(), &mut stats).unwrap();
    assert!(summary.diagnostics.iter().next().is_none(), "{:?}", summary.diagnostics);
    assert_eq!((stats.start_ns(), stats.end_ns()), (70_000_000, 99_000_001));
    assert_eq!(summary.frequency.numerator(), 1_000_000);
    let mut lines = Vec::new();
    dump(&[Input::from_bytes("r", &bytes)], DumpOptions::default(), &mut lines).unwrap();
    assert_eq!(String::from_utf8(lines).unwrap().matches("ts_frequency").count(), 1);
}

/// New facts about a core may be reported after later packets of another one, and at the end: later items are still read, and
/// in the same order.
#[test]
fn late_metadata_ends_no_core() {
    let news = |core_id: u32| {
        let name = IsrName { isr_id: 7 + core_id, name: str("news") };
        [frame(0, CoreId { core_id }), frame(0, name)].concat()
    };
    let recording = |reported_at: Option<u64>, per_turn: u32| {
        let (mut packer, mut bytes) = (Packer::new(200), Vec::new());
        let mut out = |_, packet: &[u8]| bytes.extend_from_slice(packet);
        packer.metadata(0, &frame(0, CoreId { core_id: 0 }), &mut out);
        for (turn, cores) in [[0, 1], [1, 0], [0, 1], [1, 0], [1, 0]].into_iter().enumerate() {
            if let (1, Some(ts)) = (turn, reported_at) {
                packer.metadata(ts, &[news(0), news(1)].concat(), &mut out);
            }
            for core in cores {
                for at in 0..per_turn {
                    let event = TaskSwitchedIn { task_id: u32::from(core) * 100 + at };
                    let ts = (turn as u64 + 1) * 1000 + u64::from(at) * 10;
                    packer.push(core, ts, &event, &mut out).unwrap();
                }
                packer.flush(&mut out);
            }
        }
        bytes
    };
    // With many events the first pass passes over most of them.
    for (reported_at, per_turn) in [(2500, 4), (9000, 4), (2500, 60), (9000, 60)] {
        let without = of(&recording(None, per_turn));
        let bytes = recording(Some(reported_at), per_turn);
        let with = of(&bytes);
        assert_lines(&with.timeline, &without.timeline);
        let mut reader = EventReader::new(&bytes[..], 0, Mode::FreeRtos);
        let (mut events, mut names) = (0, 0);
        while let Some(item) = reader.next_item().unwrap() {
            let decoded = item.event.unwrap();
            events += 1;
            names += u64::from(matches!(decoded.event, IsrName { .. }));
        }
        assert_eq!((with.summary.events, names), (events, 2), "{reported_at}");
    }
}

/// Packets of a trace are as small as possible. Each of the first losses ends a packet; later ones are joined, and all are
/// counted.
#[test]
fn packets_are_as_long_as_what_is_in_them() {
    const LOSSES: u32 = 500;
    let mut packer = Packer::new(4096).without_state().compact();
    let mut bytes = Vec::new();
    let mut out = |_, packet: &[u8]| bytes.extend_from_slice(packet);
    for n in 0..LOSSES {
        packer.push(0, u64::from(n), &TaskSwitchedIn { task_id: n }, &mut out).unwrap();
        packer.missing(0, 3, 0, &mut out);
    }
    packer.flush(&mut out);
    assert!(bytes.len() < 100 * (HEADER_LEN + 8) + 400 * 20, "{} bytes", bytes.len());
    let mut reported = Vec::new();
    let mut rest = &bytes[..];
    while !rest.is_empty() {
        let (header, _) = Header::read(rest).unwrap();
        assert_eq!(header.content_len, header.packet_len);
        reported.push(header.discarded);
        rest = &rest[header.packet_len..];
    }
    assert!(reported[..100].iter().zip(0..).all(|(it, n)| *it == 3 * n), "{reported:?}");
    assert!(reported.is_sorted() && reported.last() == Some(&(3 * LOSSES)), "{reported:?}");
    let made = of(&bytes);
    assert_eq!(made.summary.events, u64::from(LOSSES));
    let lost = made.summary.diagnostics.get(Problem::EventsDiscarded).map(|it| it.amount);
    assert_eq!(lost, Some((3 * LOSSES).into()));
}

/// The stream of metadata continues after 65535, which is not a start.
#[test]
fn numbers_of_metadata_go_round() {
    let mut packer = Packer::new(200);
    let mut bytes = Vec::new();
    let name = frame(0, TaskName { task_id: 1, name: str("a") });
    packer.metadata(0, &name, &mut |_, packet: &[u8]| bytes.extend_from_slice(packet));
    for number in 1..=65537_u64 {
        let mut out = |_, packet: &[u8]| {
            if number > 65530 {
                bytes.extend_from_slice(packet);
            }
        };
        if number == 65533 {
            packer.push(0, 5, &TaskSwitchedIn { task_id: 1 }, &mut out).unwrap();
            packer.flush(&mut out);
        }
        packer.metadata(number, &name, &mut out);
    }
    // The losses in between do not concern cores.
    let made = of(&bytes);
    let found: Vec<_> = made.summary.diagnostics.iter().map(|it| it.problem).collect();
    assert_eq!(found, [Problem::NoResolution]);
    assert_eq!(made.timeline.matches("a: unknown -> running").count(), 1);
}

/// Two recordings in one file; the second one starts with the timer at 0 again.
#[test]
fn a_restart_is_noticed() {
    let packets = packed(&recording(), 300);
    let twice = of(&[&packets[..], &packets].concat());
    let found: Vec<_> = twice.summary.diagnostics.iter().map(|it| (it.problem, it.count)).collect();
    let frames = recording();
    let of_frames = of(&[&frames[..], &frames].concat());
    let expected: Vec<_> =
        of_frames.summary.diagnostics.iter().map(|it| (it.problem, it.count)).collect();
    assert_eq!(found, expected);
    assert_lines(&twice.timeline, &of_frames.timeline);
}

/// A ring that was read out of memory: no checks, a slot that was never used, one that was begun.
#[test]
fn a_ring_out_of_memory_is_read() {
    let mut ring = Vec::new();
    for mut packet in pieces(&recording(), 256) {
        packet[12..16].fill(0);
        ring.extend(packet);
    }
    let all = of(&ring);
    assert_same(&of(&packed(&recording(), 256)), &all);
    let mut begun = pieces(&recording(), 256).pop().unwrap();
    begun[..4].fill(0);
    ring.extend(begun);
    ring.extend([0; 256]);
    assert_same(&all, &of(&ring));
}

/// Packets as they are sent: each ends with its content.
fn sent(recording: &[u8]) -> Vec<Vec<u8>> {
    let sealed = |mut packet: Vec<u8>| {
        let (header, _) = Header::read(&packet).expect("a packet");
        packet.truncate(header.content_len);
        Header { packet_len: header.content_len, ..header }.write(&mut packet).expect("it fits");
        packet
    };
    pieces(recording, 256).into_iter().map(sealed).collect()
}

/// Where a line is stuck for some bytes, that packet is missing, whatever part of it is hit; no other finding is reported about
/// it, or about the timer.
#[test]
fn a_burst_costs_the_packet_that_it_hits() {
    let filled = pieces(&recording(), 256);
    for packets in [sent(&recording()), filled] {
        let whole = packets.concat();
        let bytes: Vec<_> = packets[..4].iter().map(|packet| packet.len()).collect();
        for (which, value) in [(0, 0), (1, 0), (1, 0xFF), (3, 0)] {
            let begin: usize = bytes[..which].iter().sum();
            let (header, _) = Header::read(&packets[which]).expect("a packet");
            for (at, len) in (0..header.content_len).flat_map(|at| [5, 9, 16].map(|len| (at, len)))
            {
                let mut bytes = whole.clone();
                let end = (at + len).min(header.content_len);
                bytes[begin + at..begin + end].fill(value);
                if bytes == whole {
                    continue;
                }
                let mut reader = tband_conv::packets::PacketReader::new(&bytes[..]);
                let mut found = Vec::new();
                while let Some(piece) = reader.next_piece().expect("bytes in memory") {
                    if let tband_conv::packets::PacketPiece::Packet { offset, .. } = piece {
                        found.push(offset);
                    }
                }
                assert_eq!(found.len(), packets.len() - 1, "{which}: {at}, {len}, {value}");
                assert!(!found.contains(&(begin as u64)));
            }
        }
    }
}

/// A program that does not know the length of a slot may have left out its fill bytes.
#[test]
fn where_no_packet_has_a_check_none_is_asked_for() {
    let mut unchecked = sent(&recording());
    for packet in &mut unchecked {
        packet[12..16].fill(0);
    }
    assert_same(&of(&packed(&recording(), 256)), &of(&unchecked.concat()));
}

/// A core whose only records are that it had no room is not damage, however often it reports that.
#[test]
fn packets_without_events_make_no_recording_a_strange_file() {
    let reported = |stream: u8, sequence: u16| {
        let (len, time) = (HEADER_LEN, 100 + u64::from(sequence));
        let header = Header {
            stream,
            sequence,
            content_len: len,
            packet_len: len,
            begin: time,
            end: time,
            discarded: 1 + u32::from(sequence),
        };
        let mut packet = vec![0; len];
        header.write(&mut packet).expect("a header");
        packet
    };
    let events = packed(&two_tasks().at(1, TaskSwitchedIn { task_id: 1 }).0, 512);
    let alone = reported(1, 0);
    let inputs = [Input::from_bytes("0", &events), Input::from_bytes("1", &alone)];
    assert!(convert_to_output(&inputs).timeline.contains("core 1: 0 ns, 1 event discarded"));
    assert!(of(&alone).timeline.contains("core 1: 0 ns, 1 event discarded"));
    let many: Vec<_> = (0..1000).flat_map(|sequence| reported(1, sequence)).collect();
    let whole = of(&[&events[..], &many].concat());
    assert!(whole.timeline.contains("core 1: 10 ns, 1 event discarded"), "{}", whole.timeline);
}

/// The bytes that a packet begins with end with the one that they begin with.
#[test]
fn noise_that_ends_as_a_packet_begins_hides_none() {
    let all = packed(&stream(&[], 10), 256);
    let magic = 0xC1FC_1FC1_u32.to_le_bytes();
    let second = all[4..].windows(4).position(|it| it == magic).map_or(all.len(), |at| at + 4);
    let packet = &all[..second];
    let count = |bytes: &[u8]| {
        let mut reader = EventReader::new(bytes, 0, Mode::FreeRtos);
        let mut events = 0;
        while let Some(item) = reader.next_item().unwrap() {
            events += u64::from(item.event.is_ok());
        }
        events
    };
    assert!(count(packet) > 0);
    for noise in [&magic[..1], &magic[..3], &[magic, magic].concat()[..7]] {
        assert_eq!(count(&[noise, packet].concat()), count(packet), "{noise:x?}");
    }
}

/// The events of a window are those within it, in any format.
#[test]
fn a_window_of_packets_has_as_many_events_as_one_of_frames() {
    let mut frames = two_tasks();
    for at in 1..=400 {
        frames = frames.at(10 * at, TaskSwitchedIn { task_id: 1 + (at % 2) as u32 });
    }
    let switches = |bytes: &[u8]| {
        let mut options = Options::default();
        (options.from, options.to) = (Some(Moment::Ticks(1000)), Some(Moment::Ticks(2000)));
        let inputs = [Input::from_bytes("r", bytes)];
        let summary = convert(&inputs, &options, &mut Stats::default()).unwrap();
        let census = summary.part.unwrap().census;
        let count = census.kinds().find(|(name, _)| *name == "task_switched_in");
        count.map(|(_, kind)| kind)
    };
    let of_frames = switches(&frames.0);
    assert_eq!(of_frames.map(|kind| kind.count), Some(101));
    assert_eq!(switches(&packed(&frames.0, 300)), of_frames);
}

/// In packets each optional field has its own presence mark, so a missing one hides none after it.
#[test]
fn an_event_without_an_optional_field_has_those_after_it() {
    let event = TraceInfo {
        format_version: 1,
        core_count: 1,
        flags: 1,
        kernel_version: None,
        tick_rate_hz: Some(1000),
    };
    let mut room = [0; 200];
    let mut writer = PacketWriter::new(&mut room, 5);
    writer.push(6, &TaskSwitchedIn { task_id: 1 }).unwrap();
    writer.push(7, &event).unwrap();
    writer.push(8, &TaskSwitchedIn { task_id: 2 }).unwrap();
    let bytes = writer.finish(0, 0, 9, 0).unwrap();
    read_in_all_ways(bytes);
    let mut stats = Stats::default();
    let summary = convert(&[Input::from_bytes("r", bytes)], &Options::default(), &mut stats);
    let summary = summary.unwrap();
    assert_eq!(summary.trace_info.and_then(|info| info.tick_rate_hz), Some(1000));
    assert_eq!(summary.diagnostics.count(Problem::UndecodableFrame), 0);
}
