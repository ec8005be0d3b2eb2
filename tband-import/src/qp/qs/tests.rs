//! Records that the recordings of the tests do not have: locks, interrupts, old versions, assertions, a reset.

use tband_format::decode::Decoded;

use crate::importer::Importer;
use crate::output::{Content, Entry, Output, Record};

use super::Qs;

/// A frame with its checksum, escaped.
fn frame(sequence: u8, record: u8, data: &[u8]) -> Vec<u8> {
    let mut plain = [&[sequence, record], data].concat();
    plain.push(!plain.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)));
    let mut frame = Vec::new();
    for byte in plain {
        match byte {
            0x7D | 0x7E => frame.extend([0x7D, byte ^ 0x20]),
            byte => frame.push(byte),
        }
    }
    frame.push(0x7E);
    frame
}

/// TARGET_INFO of a Cortex-M.
fn info(sequence: u8, version: u16) -> Vec<u8> {
    let version = version.to_le_bytes();
    let data =
        [&[1][..], &version, &[0x22, 0x21, 0x22, 0x44, 4, 32, 0x11], &[1, 2, 3, 4, 5, 26]].concat();
    frame(sequence, 64, &data)
}

fn events(bytes: &[u8]) -> Vec<String> {
    let (mut importer, mut out, mut at) = (Qs::new(0), Output::default(), 0);
    let mut events = Vec::new();
    let mut take = |out: &mut Output| {
        for record in out.iter() {
            events.push(match record {
                Record::Other(Entry { content: Content::Break(what), .. }) => format!("{what:?}"),
                Record::Other(Entry { content: Content::Lost(lost), .. }) => format!("{lost:?}"),
                record => {
                    let Decoded { ts, event } = record.decode(out).unwrap();
                    format!("{ts:?} {event:?}")
                }
            });
        }
        out.clear();
        out.begin_call();
    };
    while at < bytes.len() {
        at += importer.read(&bytes[at..], true, &mut out);
        take(&mut out);
    }
    importer.finish(&mut out);
    take(&mut out);
    events
}

#[track_caller]
fn has(events: &[String], texts: &[&str]) {
    let mut left = events.iter();
    for text in texts {
        assert!(left.any(|it| it.contains(text)), "{text} is not in {events:#?}");
    }
}

#[test]
fn semaphores_mutexes_and_interrupts_of_qxk_are_events() {
    let object = [0x40, 0, 0, 0x20];
    let with_object = |time: u8, rest: &[u8]| [&[time, 0, 0, 0], &object[..], rest].concat();
    let all = [
        info(0, 812),
        frame(1, 61, &[&object[..], b"sem\0"].concat()),
        frame(2, 52, &[5, 0, 0, 0, 3, 0]),
        frame(3, 72, &with_object(6, &[3, 0])),
        frame(4, 53, &[7, 0, 0, 0, 3]),
        frame(5, 41, &[8, 0, 0, 0, 1, 48]),
        frame(6, 73, &with_object(9, &[3, 1])),
        frame(7, 42, &[10, 0, 0, 0, 0, 48]),
        frame(8, 71, &with_object(11, &[3, 0])),
        frame(9, 75, &with_object(12, &[3, 1])),
        frame(10, 77, &with_object(13, &[3, 0])),
        frame(11, 69, &[14, 0, 0, 0, 0x2A, 1, b'q', b'f', 0]),
    ]
    .concat();
    let events = events(&all);
    has(
        &events,
        &[
            "QueueName { queue_id: 536870976, name: \"sem\" }",
            "Some(5) TaskSwitchedIn { task_id: 3 }",
            "Some(6) CurtaskBlockOnQueueReceive { queue_id: 536870976",
            "Some(7) TaskSwitchedIn { task_id: 4294967040 }",
            "Some(8) IsrEnter { isr_id: 48 }",
            "Some(9) QueueSend { queue_id: 536870976, len_after: 1 }",
            "Some(10) IsrExit { isr_id: 48 }",
            "Some(11) QueueReceive { queue_id: 536870976, len_after: 0 }",
            "Some(12) QueueReceive",
            "Some(13) QueueSend",
            "of: \"qf:298\" }",
        ],
    );
}

#[test]
fn old_versions_resume_and_wrap_and_a_reset_forgets() {
    let all = [
        info(0, 694 | 0x8000),
        frame(1, 61, &[0x40, 0, 0, 0x20, b'a', b'o', 0]),
        frame(2, 8, &[0xF0, 0xFF, 0xFF, 0xFF, 4, 0, 0x40, 0, 0, 0x20, 1, 0, 0, 8]),
        frame(3, 54, &[0x10, 0, 0, 0, 9, 8]),
        info(0, 694),
        frame(1, 8, &[0x20, 0, 0, 0, 4, 0, 0x40, 0, 0, 0x20, 1, 0, 0, 8]),
        frame(4, 70, &[]),
        // A good checksum, and a byte too few.
        frame(5, 53, &[1, 2, 3]),
    ]
    .concat();
    has(
        &events(&all),
        &[
            "TaskName { task_id: 536870976, name: \"ao\" }",
            "Some(4294967280) TaskSwitchedIn { task_id: 536870976 }",
            "signal 4",
            "Start",
            "TaskName { task_id: 536870976, name: \"0x20000040\" }",
            "Some(4294967328) TaskSwitchedIn { task_id: 536870976 }",
            "Some(4294967328) DroppedEvtCnt { cnt: 2 }",
            "QF_RUN",
            "Damage(\"a record whose fields do not end where its data does\")",
        ],
    );
}

#[test]
fn items_of_user_records_have_each_format() {
    let items = [
        &[0, 0xFE, 1, 200, 2, 0xFF, 0xFF, 3, 0x34, 0x12, 4, 0xFF, 0xFF, 0xFF, 0xFF][..],
        &[5, 1, 0, 0, 0x80, 6, 0, 0, 0xC0, 0x3F, 7, 0, 0, 0, 0, 0, 0, 0, 0x40],
        b"\x08hi\0\x09\x02\xAB\xCD",
        &[10, 4, 0, 0x40, 0, 0, 0x20, 11, 1, 0, 0, 0, 12, 2, 0, 0, 0],
        &[13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 14, 7, 0, 0, 0, 0, 0, 0, 0],
        &[15, 0xEF, 0xBE, 0xAD, 0xDE],
    ]
    .concat();
    let all = [
        info(0, 812),
        frame(1, 63, b"\x64STAT\0"),
        frame(2, 60, &[4, 0, 0x40, 0, 0, 0x20, b'S', 0]),
        frame(3, 100, &[&[1, 0, 0, 0], &items[..]].concat()),
        // A text without its end.
        frame(4, 101, &[2, 0, 0, 0, 8, b'x']),
    ]
    .concat();
    let events = events(&all);
    has(
        &events,
        &[
            "name: \"STAT\"",
            "-2 200 -1 4660 -1 2147483649 1.5 2 hi ABCD S,0x20000040 0x00000001 0x00000002 -1 7 0xdeadbeef",
            "Damage(\"a record of the application",
        ],
    );
}
