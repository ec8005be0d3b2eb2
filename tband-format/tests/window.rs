//! An event that is read out of a window, with other bytes after it, is the one that is read alone.

use tband_format::decode::{Decoded, EventHandler, WINDOW, decode_in_window, decode_payload};
use tband_format::named::QueueKind;
use tband_format::registry::EVENTS;
use tband_format::timestamps::Timestamps;
use tband_format::{Event, encode_frame};

/// Returns the event as text.
struct AsText;

impl<'a> EventHandler<'a> for AsText {
    type Out = String;

    fn take(self, decoded: Decoded<'a>) -> String {
        format!("{decoded:?}")
    }
}

fn payload(event: &Event<'_>, ts: u64) -> Vec<u8> {
    let mut frame = [0; 64];
    let len = encode_frame(event, ts, &mut frame).expect("it fits");
    cobs::decode_vec(&frame[..len - 1]).expect("our own frame")
}

/// Followed by one of these, a number seems to continue or to end.
const AFTER: [u8; 4] = [0x00, 0x01, 0x7F, 0x80];

#[test]
fn whole_and_cut_off_events_are_read_as_if_they_were_alone() {
    let mut read = 0;
    for ts in [0, 127, 128, 16_384, 2_097_152, (1 << 35) + 5] {
        for event in [
            Event::IsrEnter { isr_id: 5 },
            Event::IsrEnter { isr_id: 128 },
            Event::IsrExit { isr_id: u32::MAX },
            Event::QueueSend { queue_id: 300, len_after: 2 },
            Event::Valmarker { valmarker_id: 1, val: -70 },
            Event::ApiReturn { function: 7, value: Some(9) },
            Event::ApiReturn { function: 7, value: None },
            // Not from a window: it is metadata.
            Event::QueueKind { queue_id: 3, kind: QueueKind::MUTEX },
        ] {
            let bytes = payload(&event, ts);
            for len in 0..=bytes.len() {
                let alone = decode_payload(&bytes[..len]).ok();
                let alone = alone.filter(|it| !it.event.is_metadata()).map(|it| format!("{it:?}"));
                for after in AFTER {
                    let mut window = [after; WINDOW];
                    window[..len].copy_from_slice(&bytes[..len]);
                    let found = decode_in_window(&window, len, &mut Timestamps::default(), AsText);
                    assert_eq!(found, alone, "{event:?} at {ts}, {len} bytes, then {after}");
                    read += usize::from(found.is_some());
                }
            }
        }
    }
    assert!(read > 100, "{read}");
}

/// Also an event whose name is unknown, and an id that no event has.
#[test]
fn rejects_invalid_events_in_a_window() {
    for id in 0..=u8::MAX {
        let mut window = [0; WINDOW];
        window[0] = id;
        let known = EVENTS.iter().any(|event| event.id == id);
        let found = decode_in_window(&window, 2, &mut Timestamps::default(), AsText);
        let alone = decode_payload(&window[..2]).ok().filter(|it| !it.event.is_metadata());
        assert_eq!(found.is_some(), alone.is_some(), "{id}");
        assert!(known || found.is_none(), "{id}");
    }
}
