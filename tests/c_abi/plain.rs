//! Recordings that say nothing of themselves are Tonbandgerät's, byte for byte: the calls after its own
//! recordings in `tests/vectors` are made again, and the files must be the same.

use std::fmt::Write as _;

use tband_format::Event;
use tband_format::field::Value;
use tband_tests::c::Firmware;
use tband_tests::events::{for_each, lines};
use tband_tests::{root, temp_dir, write};

use crate::{NO_METADATA_BUF, NO_TRACE_INFO, SNAPSHOT, STREAMING, TWO_CORES};

/// The configuration of the vectors, in addition to the default of 50 events between drop counts.
const LARGE_METADATA_BUF: (&str, &str) = ("tband_configMETADATA_BUF_SIZE", "4096");
const LARGE_SNAPSHOT_BUF: (&str, &str) = ("tband_configBACKEND_SNAPSHOT_BUF_SIZE", "65536");

fn vector(name: &str) -> Vec<u8> {
    std::fs::read(root().join("tests/vectors").join(name)).expect("a vector")
}

/// Returns the script line of `replay.c` that records an event; `None` for events that a recorder adds automatically.
fn call(event: &Event<'_>) -> Option<String> {
    if matches!(event, Event::CoreId { .. } | Event::DroppedEvtCnt { .. }) {
        return None;
    }
    let (mut numbers, mut value, mut text) = (Vec::new(), None, None);
    event.for_each_field(|_, field| match field {
        Value::Unsigned(number) => numbers.push(number),
        Value::Named(number, _) => numbers.push(number.into()),
        Value::Signed(signed) => value = Some(signed),
        Value::Str(string) => text = Some(hex(string.0)),
    });
    let id = event.id();
    let at = |index: usize| numbers.get(index).copied().unwrap_or(0);
    Some(match (event.is_metadata(), value, text) {
        (true, _, text) => {
            let text = text.unwrap_or_else(|| "-".to_owned());
            format!("meta {id} {} {} {} {text}", numbers.len(), at(0), at(1))
        }
        (false, Some(value), _) => format!("value {id} {} {value}", at(0)),
        (false, _, Some(text)) => format!("text {id} {} {text}", at(0)),
        _ if numbers.len() == 2 => format!("pair {id} {} {}", at(0), at(1)),
        _ => format!("u32 {id} {}", at(0)),
    })
}

fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".to_owned();
    }
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The calls after a recording, each with the time that it was made at; metadata at that of the event
/// before it.
fn calls(recording: &[u8]) -> Vec<(u64, String)> {
    let (mut now, mut list) = (0, Vec::new());
    for_each(recording, |ts, event| {
        now = ts.unwrap_or(now);
        list.extend(call(event).map(|call| (now, call)));
    });
    list
}

fn script(calls: &[(u64, String)]) -> String {
    calls.iter().map(|(ts, call)| format!("now {ts}\n{call}\n")).collect()
}

/// What `replay.c` records.
fn replayed(config: &[(&str, &str)], script: &str) -> Vec<u8> {
    let folder = temp_dir();
    let path = folder.path().join("script");
    write(&path, script);
    let config = [&[NO_TRACE_INFO, LARGE_METADATA_BUF], config].concat();
    Firmware::new("replay", &config).run(&[path.to_str().expect("a path in UTF-8")])
}

#[track_caller]
fn assert_same(found: &[u8], expected: &[u8]) {
    if found != expected {
        let (found, expected) = (lines(found), lines(expected));
        let at = (0..).find(|&at| found.get(at) != expected.get(at)).unwrap_or(0);
        panic!("line {at}: found {:?}, expected {:?}", found.get(at), expected.get(at));
    }
}

#[test]
fn a_stream_from_the_first_event_on() {
    for name in ["base_only.bin", "freertos_sim.bin"] {
        let expected = vector(name);
        let found = replayed(&[STREAMING], &format!("start\n{}", script(&calls(&expected))));
        assert_same(&found, &expected);
    }
}

/// The state before the start is known from the recording of the same program that was started first: all names are in the
/// metadata buffer, and all events count for the drop counts.
#[test]
fn a_stream_that_starts_late() {
    let expected = vector("freertos_late_start.bin");
    let late = calls(&expected);
    let first = late.iter().position(|(ts, _)| *ts != 0).expect("events");
    let before = calls(&vector("freertos_sim.bin"));
    let before = before.iter().take_while(|(ts, _)| *ts < late[first].0).cloned();
    let before: Vec<_> = before.collect();
    assert!(before.len() > first + 20, "names, and the events before the start");
    let script = format!("{}start\n{}", script(&before), script(&late[first..]));
    assert_same(&replayed(&[STREAMING], &script), &expected);
}

/// Cuts what `replay.c` writes of one core from the front: metadata and snapshot.
fn buffers(output: &mut &[u8]) -> [Vec<u8>; 2] {
    [(); 2].map(|()| {
        let end = output.iter().position(|&byte| byte == b'\n').expect("a length");
        let len = std::str::from_utf8(&output[..end]).expect("text").parse::<usize>();
        let (piece, rest) = output[end + 1..].split_at(len.expect("a length"));
        *output = rest;
        piece.to_vec()
    })
}

#[test]
fn a_snapshot_of_two_cores() {
    let expected = ["mc_split.core0.bin", "mc_split.core1.bin"].map(vector);
    let [of_0, of_1] = [&expected[0], &expected[1]].map(|recording| script(&calls(recording)));
    let script = format!("trigger\ncore 0\n{of_0}core 1\n{of_1}stop\n");
    let output = replayed(&[SNAPSHOT, LARGE_SNAPSHOT_BUF, TWO_CORES], &script);
    let mut rest = output.as_slice();
    let [metadata_of_0, snapshot_of_0] = buffers(&mut rest);
    let [metadata_of_1, snapshot_of_1] = buffers(&mut rest);
    assert_same(&metadata_of_0, &vector("mc_split.core0.meta.bin"));
    assert!(metadata_of_1.is_empty());
    assert_same(&snapshot_of_0, &expected[0]);
    assert_same(&snapshot_of_1, &expected[1]);
}

/// `core_id` 0 at 0; `isr_name` 3 "a"; `isr_enter` 3 at 9; `dropped_evt_cnt` 0 at 9.
const CORE_ID: &[u8] = &[0x01, 0x01, 0x01, 0x01, 0x00];
const NAME: &[u8] = &[0x04, 0x03, 0x03, b'a', 0x00];
const ENTER: &[u8] = &[0x04, 0x04, 0x09, 0x03, 0x00];
const DROP_CNT: &[u8] = &[0x03, 0x01, 0x09, 0x01, 0x00];

/// Nothing goes before a restart, all else is at time 0 however late it is, and without a metadata buffer
/// there is nothing at all.
#[test]
fn starts_and_restarts() {
    let session = "now 9\nmeta 3 1 3 0 61\nstart\nu32 4 3\nstop\nrestart\nu32 4 3\nstop\n\
                   start\nu32 4 3\nstop\n";
    let start = [CORE_ID, NAME, CORE_ID, ENTER].concat();
    let expected = [&start[..], ENTER, &start].concat();
    assert_eq!(replayed(&[STREAMING], session), expected);
    assert_eq!(replayed(&[STREAMING, NO_METADATA_BUF], session), ENTER.repeat(3));
    // The first event of all has the drop count in front, recorded or not.
    let session = "now 9\nstart\nu32 4 3\nstop\nrestart\nu32 4 3\n";
    assert_eq!(replayed(&[STREAMING], session), [CORE_ID, DROP_CNT, ENTER, ENTER].concat());
    let session = "now 9\nu32 4 3\nstart\nu32 4 3\n";
    assert_eq!(replayed(&[STREAMING], session), [CORE_ID, ENTER].concat());
}

/// A snapshot continues after its existing content.
#[test]
fn triggers() {
    let session = "now 9\nmeta 3 1 3 0 61\ntrigger\nu32 4 3\nstop\ntrigger\nu32 4 3\nstop\n";
    let output = replayed(&[SNAPSHOT], session);
    let [metadata, snapshot] = buffers(&mut output.as_slice());
    assert_eq!((metadata.as_slice(), snapshot), (NAME, ENTER.repeat(2)));
}

/// Several cores in one stream are distinguished, which Tonbandgerät does not do: after a restart, too, if another core
/// continues.
#[test]
fn cores_that_share_a_stream() {
    let off = ("tband_configTRACE_DROP_CNT_EVERY", "0");
    let session = "now 9\nstart\nu32 4 3\nstop\nrestart\nu32 4 3\nstop\nrestart\n\
                   core 1\nu32 4 3\nstop\n";
    let core_1: &[u8] = &[0x01, 0x03, 0x09, 0x01, 0x00];
    let expected = [CORE_ID, ENTER, ENTER, core_1, ENTER].concat();
    assert_eq!(replayed(&[STREAMING, TWO_CORES, off], session), expected);
}
