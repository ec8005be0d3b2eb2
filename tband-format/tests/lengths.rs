//! Lengths that are computed before anything is written.

use tband_format::registry::EVENTS;
use tband_format::{Event, Str, encode_frame, max_frame_len};

#[test]
fn an_event_has_the_longest_of_its_fields() {
    let longest = |name: &str| {
        let event = EVENTS.iter().find(|event| event.name == name).unwrap();
        (event.max_fixed_len(), event.has_str())
    };
    // Id, time of ten bytes unless it is metadata; numbers of 5 or 10 bytes, kinds of one.
    assert_eq!(longest("task_switched_in"), (1 + 10 + 5, false));
    assert_eq!(longest("queue_send"), (1 + 10 + 5 + 5, false));
    assert_eq!(longest("valmarker"), (1 + 10 + 5 + 10, false));
    assert_eq!(longest("evtmarker"), (1 + 10 + 5, true));
    assert_eq!(longest("isr_name"), (1 + 5, true));
    assert_eq!(longest("queue_kind"), (1 + 5 + 1, false));
    assert_eq!(longest("trace_info"), (1 + 5 * 5, false));
    assert_eq!(longest("ts_resolution_ns"), (1 + 10, false));
}

/// Up to one COBS block the length is exact, whatever the values; longer frames may have a code byte less.
#[test]
fn a_frame_has_the_announced_length() {
    let check = |event: Event<'_>, ts| {
        let mut frame = [0; 700];
        let reported = max_frame_len(&event, ts);
        let len = encode_frame(&event, ts, &mut frame).unwrap();
        assert!(
            len == reported || (reported > 256 && len + 1 == reported),
            "{event:?}: {len}, told {reported}"
        );
    };
    for bits in 0..64 {
        for value in [(1_u64 << bits) - 1, 1 << bits] {
            check(Event::TsResolutionNs { ns_per_ts: value }, 0);
            check(Event::TaskSwitchedIn { task_id: value as u32 }, value);
            for val in [value as i64, (value as i64).wrapping_neg()] {
                check(Event::Valmarker { valmarker_id: 0, val }, 0);
            }
        }
    }
    let text = [b'x'; 600];
    for len in 0..600 {
        check(Event::IsrName { isr_id: 1, name: Str(&text[..len]) }, 0);
        check(Event::Evtmarker { evtmarker_id: 1, msg: Str(&text[..len]) }, 1 << 40);
    }
}
