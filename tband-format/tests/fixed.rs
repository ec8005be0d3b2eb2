//! Events in fixed widths are read as they were written.

use tband_format::decode::{Decoded, decode_payload};
use tband_format::field::fixed::FIXED_WINDOW;
use tband_format::field::{FieldKind, Str};
use tband_format::registry::{EVENTS, Event};

/// A payload of the event with this id, whose fields are all as large as this.
fn payload(id: u8, size: usize) -> Vec<u8> {
    let def = EVENTS.iter().find(|def| def.id == id).unwrap();
    let mut payload = vec![id];
    let number = |most: usize| {
        let len = size.clamp(1, most);
        let mut bytes = vec![0x81; len - 1];
        bytes.push(7);
        bytes
    };
    if !def.metadata {
        payload.extend(number(9));
    }
    for field in def.fields {
        match field.kind {
            FieldKind::U8 | FieldKind::Enum { .. } => payload.push(size as u8),
            FieldKind::U32 => payload.extend(number(5)),
            FieldKind::U64 | FieldKind::S64 => payload.extend(number(9)),
            FieldKind::Str => payload.extend(std::iter::repeat_n(b'x', size)),
            FieldKind::Optional(_) if size > 3 => payload.extend(number(5)),
            FieldKind::Optional(_) => {}
        }
    }
    payload
}

/// Of every kind, with short and long fields, with and without optional ones.
#[test]
fn each_event_is_read_as_it_was_written() {
    for def in EVENTS {
        for size in 0..12 {
            let payload = payload(def.id, size);
            let decoded = decode_payload(&payload).unwrap();
            let mut room = [0xAA; FIXED_WINDOW];
            let (width, text) = decoded.event.write_fixed(&mut room).unwrap();
            let kept = [&room[..width], text, &[0xBB; FIXED_WINDOW]].concat();
            let ts = decoded.ts.unwrap_or(99);
            let read = Event::from_fixed(def.id, ts, &kept);
            assert_eq!(read, Some(decoded), "{size}");
            let len = Event::fixed_len(def.id, &kept);
            assert_eq!(len, Some(width + text.len()), "{decoded:?}");
        }
    }
}

#[test]
fn what_does_not_fit_has_no_fixed_form() {
    let mut room = [0; FIXED_WINDOW];
    let text = [b'x'; 256];
    let mut written = |len| {
        let event = Event::Evtmarker { evtmarker_id: 1, msg: Str(&text[..len]) };
        event.write_fixed(&mut room).map(|(width, text)| width + text.len())
    };
    assert_eq!([0, 255, 256].map(&mut written), [Some(5), Some(5 + 255), None]);
    assert_eq!(Event::from_fixed(0xF8, 1, &[0; 64]), None::<Decoded<'_>>);
    assert_eq!(Event::from_fixed(4, 1, &[0; FIXED_WINDOW - 1]), None);
    assert_eq!(Event::fixed_len(7, &[1, 0, 0, 0]), None);
}
