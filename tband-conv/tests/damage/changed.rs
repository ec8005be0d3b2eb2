//! Recordings whose bytes a program or a line has changed: either everything is read as it was sent, or the loss is reported
//! together with the change.

use proptest::prelude::*;
use tband_conv::diagnostics::{Problem, Severity};
use tband_conv::events::EventReader;
use tband_conv::item::Mode;
use tband_conv::repair::change::{Change as ByteChange, Changes};
use tband_conv::{Input, Options, convert};
use tband_format::packet::Header;
use tband_format::{Event, Str};
use tband_recordings::frame;
use tband_recordings::packed::pieces;
use tband_recordings::random::{config, steps, stream};

/// The change of the bytes, and its name.
type Case = (&'static str, fn(&[u8]) -> Vec<u8>, &'static [ByteChange]);

fn replaced(bytes: &[u8], with: impl Fn(u8) -> Vec<u8>) -> Vec<u8> {
    bytes.iter().flat_map(|byte| with(*byte)).collect()
}

fn crlf(bytes: &[u8]) -> Vec<u8> {
    replaced(bytes, |byte| if byte == b'\n' { b"\r\n".to_vec() } else { vec![byte] })
}

fn pairs(bytes: &[u8], from: &[u8; 2], to: &[u8]) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), bytes);
    while let Some((first, after)) = rest.split_first() {
        if rest.starts_with(from) {
            out.extend_from_slice(to);
            rest = &rest[2..];
        } else {
            out.push(*first);
            rest = after;
        }
    }
    out
}

fn without(bytes: &[u8], removed: &[u8]) -> Vec<u8> {
    bytes.iter().copied().filter(|byte| !removed.contains(byte)).collect()
}

fn latin1_as_utf8(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes()
}

fn utf16(bytes: &[u8]) -> Vec<u8> {
    [0xFF, 0xFE].into_iter().chain(bytes.iter().flat_map(|byte| [*byte, 0])).collect()
}

fn tabs(bytes: &[u8]) -> Vec<u8> {
    replaced(bytes, |byte| if byte == b'\t' { b"   ".to_vec() } else { vec![byte] })
}

const CASES: &[Case] = &[
    ("LF to CR LF", crlf, &[ByteChange::CrAdded]),
    ("the same twice", |it| crlf(&crlf(it)), &[ByteChange::CrAdded]),
    ("CR removed", |it| without(it, b"\r"), &[ByteChange::CrRemoved, ByteChange::FlowControl]),
    (
        "XON and XOFF removed",
        |it| without(it, &[0x11, 0x13]),
        &[ByteChange::FlowControl, ByteChange::CrRemoved],
    ),
    ("zeros removed", |it| without(it, &[0]), &[ByteChange::ZerosRemoved]),
    ("CR LF to LF", |it| pairs(it, b"\r\n", b"\n"), &[ByteChange::LineEnds, ByteChange::CrRemoved]),
    (
        "CR to LF",
        |it| replaced(it, |it| vec![if it == b'\r' { b'\n' } else { it }]),
        &[ByteChange::LineEnds],
    ),
    (
        "LF to CR",
        |it| replaced(it, |it| vec![if it == b'\n' { b'\r' } else { it }]),
        &[ByteChange::LineEnds],
    ),
    (
        "telnet",
        |it| {
            [
                &[0xFF, 0xFB, 1, 0xFF, 0xFD, 0][..],
                &replaced(it, |it| vec![it; 1 + usize::from(it == 0xFF)]),
            ]
            .concat()
        },
        &[ByteChange::Telnet],
    ),
    (
        "telnet's zero after CR",
        |it| replaced(it, |it| if it == b'\r' { vec![it, 0] } else { vec![it] }),
        &[ByteChange::Telnet],
    ),
    ("UTF-8", latin1_as_utf8, &[ByteChange::TextEncoding]),
    (
        "UTF-8 with BOM and CR LF",
        |it| [&[0xEF, 0xBB, 0xBF][..], &latin1_as_utf8(&crlf(it))].concat(),
        &[ByteChange::TextEncoding],
    ),
    ("UTF-16", utf16, &[ByteChange::TextEncoding]),
    (
        "UTF-16 with CR LF at the end",
        |it| utf16(&[&crlf(it)[..], b"\r\n"].concat()),
        &[ByteChange::TextEncoding],
    ),
    ("tabs", tabs, &[ByteChange::Tabs]),
    ("7 bits", |it| replaced(it, |it| vec![it & 0x7F]), &[ByteChange::SevenBits]),
    (
        "even parity",
        |it| replaced(it, |it| vec![it & 0x7F | ((it & 0x7F).count_ones() as u8 & 1) << 7]),
        &[ByteChange::SevenBits],
    ),
    (
        "lossy UTF-8",
        |it| String::from_utf8_lossy(it).into_owned().into_bytes(),
        &[ByteChange::Replaced, ByteChange::TextEncoding],
    ),
    ("Ctrl-Z at the end", |it| [it, &[0x1A]].concat(), &[ByteChange::EndOfText]),
    ("zeros at the end", |it| [it, &[0; 5000]].concat(), &[ByteChange::Fill]),
    ("FF at the end", |it| [it, &[0xFF; 5000]].concat(), &[ByteChange::Fill]),
    ("text in front", |it| [b"Welcome to the terminal\r\n", it].concat(), &[ByteChange::Text]),
];

/// All events that were read, and the reports about the bytes.
#[derive(Debug)]
struct ReadEvents {
    events: Vec<String>,
    changes: Changes,
    /// There is damage or a loss, or nothing can be read.
    has_loss: bool,
    output: String,
}

fn see(bytes: &[u8]) -> ReadEvents {
    let mut reader = EventReader::new(bytes, 0, Mode::FreeRtos);
    let mut events = Vec::new();
    while let Some(item) = reader.next_item().unwrap() {
        if let Ok(decoded) = item.event {
            events.push(format!("{} {:?}", item.core, decoded));
        }
    }
    match convert(&[Input::from_bytes("r", bytes)], &Options::default(), &mut ()) {
        Ok(summary) => ReadEvents {
            events,
            changes: summary.link.map(|link| link.changes).unwrap_or_default(),
            has_loss: summary.diagnostics.iter().any(|it| {
                it.problem.severity() == Severity::Damage || it.problem == Problem::PacketsLost
            }),
            output: summary.diagnostics.iter().map(ToString::to_string).collect(),
        },
        Err(error) => {
            let changes = Changes::default();
            ReadEvents { events, changes, has_loss: true, output: error.to_string() }
        }
    }
}

/// Checks that every event that was read was sent, and that losses are reported together with the change.
fn judge(sent: &[u8], came: &[u8], case: &Case) {
    let Some(came) = judge_loss(sent, came, case.0) else { return };
    let (name, _, changes) = case;
    let is_named = changes.iter().any(|change| {
        came.changes.get(*change) != Default::default() || came.output.contains(change.title())
    });
    assert!(is_named, "{name}: the change is not named: {}", came.output);
}

/// Checks that every event that was read was sent, and that losses are reported. Returns the events that were read if something
/// is missing.
fn judge_loss(sent: &[u8], came: &[u8], name: &str) -> Option<ReadEvents> {
    let (sent, came) = (see(sent), see(came));
    let mut left = sent.events.iter();
    for event in &came.events {
        // `core_id` comes from the beginning of packets, and not from their bytes.
        let is_sent = event.contains("CoreId") || left.any(|sent| sent == event);
        assert!(is_sent, "{name}: {event} was not sent");
    }
    if came.events == sent.events {
        return None;
    }
    assert!(came.has_loss, "{name}: a loss is not reported: {came:?}");
    Some(came)
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn changed_bytes_are_restored_or_the_loss_is_reported(
        steps in steps(2),
        size in prop_oneof![Just(128_usize), Just(512), Just(1024), Just(4096)],
        most in prop_oneof![1 => 1..3_usize, 2 => Just(usize::MAX)],
        is_filled: bool,
    ) {
        let packets = pieces(&stream(&steps, 1), size).into_iter().take(most);
        let sent: Vec<u8> =
            packets.flat_map(|it| if is_filled { it } else { as_sent(&it) }).collect();
        // The losses of such short recordings do not always show the change: it may have hit a length.
        for case in CASES {
            judge_loss(&sent, &(case.1)(&sent), case.0);
        }
    }
}

/// Returns a recording with enough tasks and times that every byte occurs.
fn long() -> Vec<Vec<u8>> {
    let mut frames = frame(0, Event::TsResolutionNs { ns_per_ts: 10 });
    for task_id in 1..30 {
        frames.extend(frame(0, Event::TaskName { task_id, name: Str(b"a task of the test") }));
    }
    let mut random = 1_u64;
    for number in 0..1000_u64 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let task_id = 1 + (random >> 40) as u32 % 29;
        let event = Event::TaskSwitchedIn { task_id };
        frames.extend(frame(1000 + number * 300 + (random >> 58), event));
        let value = (random >> 20) as i64 & 0xFFFF;
        let event = Event::Valmarker { valmarker_id: 1, val: value };
        frames.extend(frame(1000 + number * 300 + 100, event));
    }
    pieces(&frames, 512).iter().map(|packet| as_sent(packet)).collect()
}

/// The packet as senders send it: it ends with its content.
fn as_sent(packet: &[u8]) -> Vec<u8> {
    let (header, _) = Header::read(packet).unwrap();
    let mut sent = packet[..header.content_len].to_vec();
    Header { packet_len: header.content_len, ..header }.write(&mut sent).unwrap();
    sent
}

/// Changes that can be undone lose nothing, wherever they begin.
#[test]
fn restores_all_changed_bytes() {
    let packets = long();
    let sent = packets.concat();
    let all = see(&sent).events;
    for case in CASES {
        let (name, change, changes) = case;
        let can_be_restored =
            !["zeros removed", "7 bits", "even parity", "lossy UTF-8"].contains(name);
        if !can_be_restored {
            judge(&sent, &change(&sent), case);
            continue;
        }
        // Up to two removed bytes of a packet are found again, and blanks may replace too many things.
        let is_removed = ["CR removed", "XON and XOFF removed", "tabs"].contains(name);
        for from in [0, 3, packets.len() / 2] {
            let (before, after) = packets.split_at(from);
            let came = [before.concat(), change(&after.concat())].concat();
            let seen = see(&came);
            judge(&sent, &came, case);
            if !is_removed {
                assert!(seen.events == all, "{name} from {from}: {}", seen.output);
                assert!(!seen.has_loss, "{name}: {}", seen.output);
            }
            assert!(changes.iter().any(|it| seen.changes.get(*it) != Default::default()), "{name}");
        }
    }
}

/// An intact packet is not touched, whatever it looks like.
#[test]
fn keeps_intact_bytes_that_look_changed() {
    let packets = long();
    // Only packets without a lone LF: all of them look as if a CR had been added before each.
    let sent: Vec<u8> = packets
        .iter()
        .filter(|packet| crlf(&pairs(packet, b"\r\n", b"")) == pairs(packet, b"\r\n", b""))
        .flatten()
        .copied()
        .collect();
    assert!(!sent.is_empty());
    assert_eq!(see(&sent).changes, Changes::default());
    assert_eq!(see(&packets.concat()).changes, Changes::default());
}

/// Two changes, one after the other, and also missing bytes.
#[test]
fn several_things_happen() {
    let packets = long();
    let all = see(&packets.concat()).events;
    let mut came = crlf(&packets.concat());
    let cut = came.len() / 3;
    came.drain(cut..cut + 20);
    let seen = see(&came);
    assert!(seen.has_loss && seen.changes.get(ByteChange::CrAdded).restored > 5, "{}", seen.output);
    assert!(seen.events.len() + 400 > all.len(), "{} of {}", seen.events.len(), all.len());
    // A cut end is one, and no change.
    let came = crlf(&packets.concat());
    let seen = see(&came[..came.len() - 50]);
    assert!(seen.output.contains("cut off"), "{}", seen.output);
}

/// Other text on the same line is quoted, between packets and inside of one.
#[test]
fn text_on_the_line_is_quoted() {
    let packets = long();
    let all = see(&packets.concat()).events;
    let text = b"[12.345] adc: value 17 out of range\r\n";
    let came: Vec<u8> = packets.iter().flat_map(|packet| [&packet[..], text].concat()).collect();
    let seen = see(&came);
    assert!(seen.events == all && !seen.has_loss, "{}", seen.output);
    assert_eq!(seen.changes.get(ByteChange::Text).beside, packets.len() as u64);
    assert!(seen.output.contains("text such as \"[12.345] adc: value 17"), "{}", seen.output);
    let came: Vec<u8> = packets
        .iter()
        .flat_map(|packet| {
            let (first, second) = packet.split_at(packet.len() / 2);
            [first, text, second].concat()
        })
        .collect();
    let seen = see(&came);
    assert!(seen.events == all && !seen.has_loss, "{}", seen.output);
    assert!(seen.changes.get(ByteChange::Text).restored + 2 > packets.len() as u64);
}

/// A file that was preallocated and was not closed ends within a packet, and then with zeros.
#[test]
fn a_packet_that_is_cut_before_zeros_is_cut() {
    let packets = long();
    let sent = packets.concat();
    let came = [&sent[..sent.len() - 30], &[0; 4096][..]].concat();
    let seen = see(&came);
    assert!(seen.has_loss && seen.output.contains("cut off"), "{}", seen.output);
    assert_eq!(seen.changes.get(ByteChange::Fill).beside, 1, "{}", seen.output);
}
