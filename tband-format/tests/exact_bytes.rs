//! Literal bytes from the format description, and the edges of every field type.
//!
//! Expectations are written out or unframed with the independent `cobs` crate, never with the code
//! under test.

use tband_format::decode::{DecodeError, decode_payload};
use tband_format::field::{Field, FieldKind, Value};
use tband_format::named::QueueKind;
use tband_format::reader::{FieldError, Reader};
use tband_format::writer::sign_magnitude;
use tband_format::{Event, Str, encode_frame, max_frame_len};

/// Payload of the frame that the encoder writes, decoded by the `cobs` crate.
fn payload(event: Event<'_>, ts: u64) -> Vec<u8> {
    let mut frame = vec![0xAA; max_frame_len(&event, ts)];
    let len = encode_frame(&event, ts, &mut frame).expect("the buffer has the announced size");
    assert_eq!(frame[len - 1], 0, "a frame ends with a zero byte");
    assert_eq!(frame[..len - 1].iter().position(|&b| b == 0), None, "and has no other");
    cobs::decode_vec(&frame[..len - 1]).expect("the frame is COBS")
}

#[track_caller]
fn check(event: Event<'_>, ts: u64, bytes: &[u8]) {
    assert_eq!(payload(event, ts), bytes);
    let decoded = decode_payload(bytes).expect("the bytes are an event");
    assert_eq!(decoded.event, event);
    assert_eq!(decoded.ts, (!event.is_metadata()).then_some(ts));
}

#[test]
fn bytes_of_the_format_description() {
    check(
        Event::TaskToRdyState { task_id: 555 },
        10_012_323,
        &[0x55, 0xA3, 0x8D, 0xE3, 0x04, 0xAB, 0x04],
    );
    check(
        Event::TaskPriorityDisinherit { task_id: 101, priority: 42 },
        1_212_121_212,
        &[0x5D, 0xFC, 0x80, 0xFE, 0xC1, 0x04, 0x65, 0x2A],
    );
    check(
        Event::QueueName { queue_id: 101, name: Str(b"test1212") },
        0,
        &[0x64, 0x65, 0x74, 0x65, 0x73, 0x74, 0x31, 0x32, 0x31, 0x32],
    );
}

#[test]
fn edges_of_u32() {
    for (value, bytes) in [
        (0, &[0x00][..]),
        (1, &[0x01]),
        (127, &[0x7F]),
        (128, &[0x80, 0x01]),
        (16_383, &[0xFF, 0x7F]),
        (16_384, &[0x80, 0x80, 0x01]),
        (2_097_151, &[0xFF, 0xFF, 0x7F]),
        (2_097_152, &[0x80, 0x80, 0x80, 0x01]),
        (268_435_455, &[0xFF, 0xFF, 0xFF, 0x7F]),
        (268_435_456, &[0x80, 0x80, 0x80, 0x80, 0x01]),
        (u32::MAX, &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
    ] {
        check(Event::TaskIsTimerTask { task_id: value }, 0, &[&[0x61], bytes].concat());
    }
}

#[test]
fn edges_of_u64_and_timestamps() {
    for (value, bytes) in [
        (0, &[0x00][..]),
        (u64::from(u32::MAX), &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
        (1 << 32, &[0x80, 0x80, 0x80, 0x80, 0x10]),
        ((1 << 35) - 1, &[0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
        (1 << 35, &[0x80, 0x80, 0x80, 0x80, 0x80, 0x01]),
        (1 << 63, &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]),
        (u64::MAX, &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
    ] {
        check(Event::TsResolutionNs { ns_per_ts: value }, 0, &[&[0x02], bytes].concat());
        check(Event::IsrEnter { isr_id: 0 }, value, &[&[0x04], bytes, &[0x00]].concat());
        let frequency = Event::TsFrequency { numerator: value, denominator: value };
        check(frequency, value, &[&[0xCE], bytes, bytes, bytes].concat());
    }
    let frequency = Event::TsFrequency { numerator: 64_000_000, denominator: 1 };
    check(frequency, 5, &[0xCE, 0x05, 0x80, 0xA0, 0xC2, 0x1E, 0x01]);
}

#[test]
fn edges_of_s64() {
    for (val, bytes) in [
        (0, &[0x00][..]),
        (1, &[0x02]),
        (-1, &[0x03]),
        (63, &[0x7E]),
        (-63, &[0x7F]),
        (64, &[0x80, 0x01]),
        (-64, &[0x81, 0x01]),
        (i64::MAX, &[0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
        (-i64::MAX, &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
        (i64::MIN, &[0x01]),
    ] {
        let number = bytes.iter().rev().fold(0_u64, |all, byte| all << 7 | u64::from(byte & 0x7F));
        assert_eq!(sign_magnitude(val), number);
        let expected = [&[0x0B, 0x01, 0x05], bytes].concat();
        check(Event::Valmarker { valmarker_id: 5, val }, 1, &expected);
    }
}

#[test]
fn strings_and_enums_hold_any_byte() {
    check(Event::Evtmarker { evtmarker_id: 0, msg: Str(b"") }, 0, &[0x07, 0x00, 0x00]);
    check(
        Event::Evtmarker { evtmarker_id: 1, msg: Str(&[0, 255, 0]) },
        2,
        &[0x07, 0x02, 0x01, 0x00, 0xFF, 0x00],
    );
    for kind in [0, 5, 6, 255] {
        let event = Event::QueueKind { queue_id: 9, kind: QueueKind(kind) };
        check(event, 0, &[0x65, 0x09, kind]);
    }
}

#[test]
fn trailing_optional_fields_may_be_missing() {
    let info = |kernel_version, tick_rate_hz| Event::TraceInfo {
        format_version: 1,
        core_count: 2,
        flags: 1,
        kernel_version,
        tick_rate_hz,
    };
    check(info(None, None), 0, &[0x80, 1, 2, 1]);
    check(info(Some(3), None), 0, &[0x80, 1, 2, 1, 3]);
    check(info(Some(3), Some(4)), 0, &[0x80, 1, 2, 1, 3, 4]);
}

#[test]
fn bad_payloads_name_event_and_field() {
    let bad = |event, field, error| Err(DecodeError::BadField { event, field, error });
    for (bytes, expected) in [
        (&[][..], Err(DecodeError::Empty)),
        (&[113], Err(DecodeError::UnknownId { id: 113 })),
        (&[255, 1, 2], Err(DecodeError::UnknownId { id: 255 })),
        (&[4], bad("isr_enter", "ts", FieldError::Truncated)),
        (&[4, 0x80], bad("isr_enter", "ts", FieldError::Truncated)),
        (&[4, 1], bad("isr_enter", "isr_id", FieldError::Truncated)),
        (
            &[97, 0x80, 0x80, 0x80, 0x80, 0x10],
            bad("task_is_timer_task", "task_id", FieldError::Overflow),
        ),
        (
            &[97, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
            bad("task_is_timer_task", "task_id", FieldError::Overflow),
        ),
        // The maximum length, and still without an end.
        (
            &[97, 0x80, 0x80, 0x80, 0x80, 0x80],
            bad("task_is_timer_task", "task_id", FieldError::Overflow),
        ),
        (
            &[97, 0x80, 0x80, 0x80, 0x80],
            bad("task_is_timer_task", "task_id", FieldError::Truncated),
        ),
        (
            &[2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02],
            bad("ts_resolution_ns", "ns_per_ts", FieldError::Overflow),
        ),
        (&[101, 1], bad("queue_kind", "kind", FieldError::Truncated)),
        (&[97, 1, 0], Err(DecodeError::Trailing { event: "task_is_timer_task", left: 1 })),
    ] {
        assert_eq!(decode_payload(bytes), expected, "{bytes:?}");
    }
}

/// No event has such a field yet.
#[test]
fn a_u8_is_one_byte() {
    assert_eq!(u8::KIND, FieldKind::U8);
    for byte in [0, 0x7F, 0x80, 0xFF] {
        let bytes = [byte, 1];
        let mut reader = Reader::new(&bytes);
        assert_eq!(<u8 as Field>::read(&mut reader), Ok(byte));
        assert_eq!((reader.remaining(), byte.payload_len()), (1, 1));
        assert_eq!(byte.value(), Some(Value::Unsigned(byte.into())));
    }
    assert_eq!(<u8 as Field>::read(&mut Reader::new(&[])), Err(FieldError::Truncated));
}
