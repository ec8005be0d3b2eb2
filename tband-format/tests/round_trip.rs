//! Property tests over every event of the registry: encode, decode, encode again.

mod support;

use proptest::prelude::*;
use support::varint;
use tband_format::decode::decode_payload;
use tband_format::encode::EncodeError;
use tband_format::field::{FieldKind, Value};
use tband_format::registry::{EVENTS, by_id, by_name};
use tband_format::{Event, decode_frame, encode_frame, max_frame_len};

/// A payload of the event with this index, from arbitrary numbers, built without the encoder.
fn payload(index: usize, ts: u64, numbers: &[u64], text: &[u8], optional: bool) -> Vec<u8> {
    let def = &EVENTS[index];
    let mut bytes = vec![def.id];
    if !def.metadata {
        bytes.extend(varint(ts));
    }
    for (field, &number) in def.fields.iter().zip(numbers) {
        match field.kind {
            FieldKind::U8 | FieldKind::Enum { .. } => bytes.push(number as u8),
            FieldKind::U32 => bytes.extend(varint(u64::from(number as u32))),
            FieldKind::U64 | FieldKind::S64 => bytes.extend(varint(number)),
            FieldKind::Str => bytes.extend(text),
            FieldKind::Optional(_) if optional => bytes.extend(varint(u64::from(number as u32))),
            FieldKind::Optional(_) => {}
        }
    }
    bytes
}

proptest! {
    #[test]
    fn every_event(
        index in 0..EVENTS.len(),
        ts: u64,
        numbers in proptest::collection::vec(prop_oneof![Just(0_u64), any::<u64>(), 0..300_u64], 5),
        text in proptest::collection::vec(any::<u8>(), 0..600),
        optional: bool,
    ) {
        let expected = payload(index, ts, &numbers, &text, optional);
        let decoded = decode_payload(&expected).expect("the payload follows the registry");
        let def = &EVENTS[index];
        prop_assert_eq!(decoded.event.id(), def.id);
        prop_assert_eq!(decoded.event.name(), def.name);
        prop_assert_eq!(decoded.event.is_metadata(), def.metadata);
        prop_assert_eq!(decoded.event.group(), def.group);

        let mut names = Vec::new();
        decoded.event.for_each_field(|name, _| names.push(name));
        let present = def.fields.iter().filter(|f| optional || !matches!(f.kind, FieldKind::Optional(_)));
        prop_assert_eq!(names, present.map(|f| f.name).collect::<Vec<_>>());

        // The event is kept without its input.
        let (event, kept) = decoded.event.split_text();
        let has_text = def.fields.iter().any(|field| field.kind == FieldKind::Str);
        prop_assert_eq!(kept, if has_text { &text[..] } else { &[] });
        let kept = kept.to_vec();
        prop_assert_eq!(event.with_text(&kept), decoded.event);

        let mut frame = vec![0; max_frame_len(&decoded.event, ts)];
        let len = encode_frame(&decoded.event, ts, &mut frame).expect("sized as announced");
        let unframed = cobs::decode_vec(&frame[..len - 1]).expect("valid COBS");
        // Negative zero that is not i64::MIN does not exist, so s64 has one encoding per value.
        prop_assert_eq!(&unframed, &expected);

        let mut scratch = vec![0; len];
        let again = decode_frame(&frame[..len - 1], &mut scratch).expect("our own frame");
        prop_assert_eq!(again, decoded);
        prop_assert!(encode_frame(&decoded.event, ts, &mut frame[..len - 1]).is_err());
    }

    #[test]
    fn arbitrary_payloads_decode_or_fail(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        if let Ok(decoded) = decode_payload(&bytes) {
            // Every payload that decodes is an event of the registry, and can be displayed.
            let mut shown = String::new();
            decoded.event.for_each_field(|name, value| {
                shown.push_str(name);
                if let Value::Str(text) = value {
                    shown.push_str(&text.to_string());
                }
            });
            prop_assert!(by_id(bytes[0]).is_some());
        }
    }
}

#[test]
fn ids_rise_and_names_are_unique() {
    for pair in EVENTS.windows(2) {
        assert!(pair[0].id < pair[1].id, "{} before {}", pair[0].name, pair[1].name);
    }
    for def in EVENTS {
        assert_eq!(by_name(def.name).map(|found| found.id), Some(def.id));
        assert_eq!(by_id(def.id).map(|found| found.name), Some(def.name));
        assert!(!(113..=121).contains(&def.id), "{} uses a retired id", def.name);
        assert!(def.id < 0xFE, "{} uses a reserved id", def.name);
        assert!(def.max_fixed_len() <= 254, "the writer does not split fixed fields into blocks");
    }
}

/// The table of the format description, so that no entry changes by accident.
#[test]
fn events_of_tonbandgeraet_are_complete() {
    let expected = "\
        0 core_id core_id:u32
        1 dropped_evt_cnt cnt:u32
        2 M ts_resolution_ns ns_per_ts:u64
        3 M isr_name isr_id:u32 name:str
        4 isr_enter isr_id:u32
        5 isr_exit isr_id:u32
        6 M evtmarker_name evtmarker_id:u32 name:str
        7 evtmarker evtmarker_id:u32 msg:str
        8 evtmarker_begin evtmarker_id:u32 msg:str
        9 evtmarker_end evtmarker_id:u32
        10 M valmarker_name valmarker_id:u32 name:str
        11 valmarker valmarker_id:u32 val:s64
        84 task_switched_in task_id:u32
        85 task_to_rdy_state task_id:u32
        86 task_resumed task_id:u32
        87 task_resumed_from_isr task_id:u32
        88 task_suspended task_id:u32
        89 curtask_delay ticks:u32
        90 curtask_delay_until time_to_wake:u32
        91 task_priority_set task_id:u32 priority:u32
        92 task_priority_inherit task_id:u32 priority:u32
        93 task_priority_disinherit task_id:u32 priority:u32
        94 task_created task_id:u32
        95 M task_name task_id:u32 name:str
        96 M task_is_idle_task task_id:u32 core_id:u32
        97 M task_is_timer_task task_id:u32
        98 task_deleted task_id:u32
        99 queue_created queue_id:u32
        100 M queue_name queue_id:u32 name:str
        101 M queue_kind queue_id:u32 kind:enum
        102 queue_send queue_id:u32 len_after:u32
        103 queue_send_from_isr queue_id:u32 len_after:u32
        104 queue_overwrite queue_id:u32 len_after:u32
        105 queue_overwrite_from_isr queue_id:u32 len_after:u32
        106 queue_receive queue_id:u32 len_after:u32
        107 queue_receive_from_isr queue_id:u32 len_after:u32
        108 queue_reset queue_id:u32
        109 curtask_block_on_queue_peek queue_id:u32 ticks_to_wait:u32
        110 curtask_block_on_queue_send queue_id:u32 ticks_to_wait:u32
        111 curtask_block_on_queue_receive queue_id:u32 ticks_to_wait:u32
        112 queue_cur_length queue_id:u32 length:u32
        122 M task_evtmarker_name evtmarker_id:u32 task_id:u32 name:str
        123 task_evtmarker evtmarker_id:u32 msg:str
        124 task_evtmarker_begin evtmarker_id:u32 msg:str
        125 task_evtmarker_end evtmarker_id:u32
        126 M task_valmarker_name valmarker_id:u32 task_id:u32 name:str
        127 task_valmarker valmarker_id:u32 val:s64";
    let found: Vec<String> = EVENTS
        .iter()
        .filter(|def| def.id < 128)
        .map(|def| {
            let metadata = if def.metadata { "M " } else { "" };
            let fields: Vec<_> =
                def.fields.iter().map(|f| format!("{}:{}", f.name, f.kind.type_name())).collect();
            format!("{} {metadata}{} {}", def.id, def.name, fields.join(" "))
        })
        .collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(found, expected);
}

#[test]
fn events_are_small() {
    // The converter keeps one per core while it merges; a change that grows them should be seen.
    assert!(size_of::<Event<'_>>() <= 40);
}

/// A reader recognises optional fields by their position, so no field can be omitted before one that is
/// present.
#[test]
fn a_field_that_is_missing_ahead_of_one_that_is_not_is_refused() {
    let info = |kernel_version, tick_rate_hz| Event::TraceInfo {
        format_version: 1,
        core_count: 1,
        flags: 1,
        kernel_version,
        tick_rate_hz,
    };
    let mut out = [0xAA; 64];
    let refused = EncodeError::MissingField { event: "trace_info", field: "kernel_version" };
    assert_eq!(encode_frame(&info(None, Some(1000)), 0, &mut out), Err(refused));
    assert_eq!(out, [0xAA; 64]);
    assert!(refused.to_string().starts_with("trace_info: the fields after kernel_version"));
    for event in [info(None, None), info(Some(110_200), None), info(Some(110_200), Some(1000))] {
        let len = encode_frame(&event, 0, &mut out).unwrap();
        assert_eq!(decode_frame(&out[..len - 1], &mut [0; 64]).unwrap().event, event);
    }
}
