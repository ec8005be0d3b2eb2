//! Exact bytes of a short run, worked out by hand from the description of the format.

use tband_format::declaration::DECLARATIONS;
use tband_tests::c::Firmware;
use tband_tests::events::declarations;

use crate::{EXTERNAL, SNAPSHOT, STREAMING};

/// `ts_resolution_ns` of 10 and `isr_name` 3 "UART".
const METADATA: [&[u8]; 2] =
    [&[0x03, 0x02, 0x0A, 0x00], &[0x07, 0x03, 0x03, b'U', b'A', b'R', b'T', 0x00]];

/// `core_id` 0 at 0: three zeros.
const CORE_ID: &[u8] = &[0x01, 0x01, 0x01, 0x01, 0x00];

/// The event set, which rises with it.
const VERSION: u8 = tband_format::FORMAT_VERSION as u8;

/// `trace_info`: id 0x80, the event set, one core, flags: bit 20, streaming.
const STREAMING_INFO: &[u8] = &[0x07, 0x80, VERSION, 0x01, 0x80, 0x80, 0x40, 0x00];

/// The information about a snapshot of 1 (bit 23) times 32 * 2^10 bytes (10 from bit 28 on): bit 21.
const SNAPSHOT_INFO: &[u8] = &[0x09, 0x80, VERSION, 0x01, 0x80, 0x80, 0x80, 0x85, 0x0A, 0x00];

/// The information about the external backend: bits 20 and 21.
const EXTERNAL_INFO: &[u8] = &[0x08, 0x80, VERSION, 0x01, 0x80, 0x80, 0xC0, 0x01, 0x00];

/// `ts_resolution_ns` of 10, which a recording also reports.
const RESOLUTION: &[u8] = METADATA[0];

/// `dropped_evt_cnt` 0 at 1000 (0xE8 0x07).
const DROP_CNT: &[u8] = &[0x04, 0x01, 0xE8, 0x07, 0x01, 0x00];

const EVENTS: [&[u8]; 4] = [
    // isr_enter 3 at 1000
    &[0x05, 0x04, 0xE8, 0x07, 0x03, 0x00],
    // evtmarker 7 "hi" at 1300 (0x94 0x0A)
    &[0x07, 0x07, 0x94, 0x0A, 0x07, b'h', b'i', 0x00],
    // valmarker 0, -5 (5 doubled, plus the sign bit) at 1300
    &[0x04, 0x0B, 0x94, 0x0A, 0x02, 0x0B, 0x00],
    // isr_exit 3 at 2^35
    &[0x09, 0x05, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0x03, 0x00],
];

#[test]
fn streaming() {
    let found = Firmware::new("exact", &[STREAMING]).run(&[]);
    let expected = [
        CORE_ID,
        &METADATA.concat(),
        CORE_ID,
        RESOLUTION,
        STREAMING_INFO,
        &declarations(),
        DROP_CNT,
        &EVENTS.concat(),
    ];
    assert_eq!(found, expected.concat());
}

#[test]
fn snapshot() {
    let found = Firmware::new("exact", &[SNAPSHOT]).run(&[]);
    // The metadata buffer, then the snapshot, which has what existed in it.
    let known = METADATA.concat();
    let begin = [&known, RESOLUTION, SNAPSHOT_INFO, &declarations()].concat();
    let expected = [&begin, &known, DROP_CNT, &EVENTS.concat()];
    assert_eq!(found, expected.concat());
}

#[test]
fn external() {
    let found = Firmware::new("exact", &[EXTERNAL]).run(&[]);
    let [resolution, name] = METADATA;
    let mut expected = Vec::new();
    let begin = [(b'M', resolution), (b'M', EXTERNAL_INFO)].into_iter();
    let begin = begin.chain(DECLARATIONS.iter().map(|it| (b'M', it.frame())));
    let rest = [(b'M', name), (b'E', DROP_CNT)].into_iter();
    for (flag, frame) in begin.chain(rest).chain(EVENTS.map(|frame| (b'E', frame))) {
        expected.push(flag);
        expected.extend_from_slice(frame);
    }
    assert_eq!(found, expected);
}
