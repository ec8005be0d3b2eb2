//! Recordings for a reader that lacks the events outside of the base: their ids are moved to ones that the registry does not
//! have, in the events and in their descriptions, so that only the recording describes them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;
use tband_conv::diagnostics::Problem;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::{Input, Options, convert};
use tband_format::decode::decode_payload;
use tband_format::field::Value;
use tband_format::registry::{EventDef, LAST_BASE_ID, RARE};
use tband_format::{Event, cobs, registry};

use crate::events::frames_of_recording;

/// Where each rare event is moved to.
fn moved() -> BTreeMap<u8, u8> {
    let free = (LAST_BASE_ID + 1..0xFE).filter(|id| registry::by_id(*id).is_none());
    let moved: BTreeMap<u8, u8> = RARE.iter().map(|def| def.id).zip(free).collect();
    assert_eq!(moved.len(), RARE.len(), "there are too few free ids");
    moved
}

/// The events outside of the base that such a reader shows, by name, each with the fields that it has: all that the recording has.
///
/// # Panics
/// It does not show one as it is, or finds something wrong.
#[must_use]
pub fn shown(recording: &[u8]) -> BTreeSet<&'static str> {
    let moved = moved();
    let (mut lacking, mut expected) = (Vec::new(), Vec::new());
    for frame in frames_of_recording(recording) {
        let mut scratch = vec![0; frame.len()];
        let payload = cobs::decode(&frame, &mut scratch).expect("a frame").to_vec();
        let decoded = decode_payload(&payload).expect("an event");
        let mut of_reader = payload.clone();
        if let Some(id) = moved.get(&payload[0]) {
            of_reader[0] = *id;
            let mut line = decoded.event.name().to_owned();
            decoded.event.for_each_field(|name, value| line += &format!(" {name}={}", json(value)));
            expected.push(line);
        } else if matches!(decoded.event, Event::EventSchema { .. }) {
            of_reader[1] = moved.get(&payload[1]).copied().unwrap_or(payload[1]);
        }
        let mut bytes = vec![0; cobs::max_frame_len(of_reader.len())];
        let len = cobs::encode(&of_reader, &mut bytes).expect("room");
        lacking.extend_from_slice(&bytes[..len]);
    }
    let begins = |line: &str, def: &EventDef| line.split(' ').next() == Some(def.name);
    let defs = RARE.iter().filter(|def| expected.iter().any(|line| begins(line, def)));
    let defs: Vec<&EventDef> = defs.collect();
    let inputs = [Input::from_bytes("lacking", &lacking)];
    let summary = convert(&inputs, &Options::default(), &mut ()).expect("a recording");
    let wrong = [Problem::UnknownEvent, Problem::UnknownInPacket, Problem::BadSchema];
    let wrong = summary.diagnostics.iter().find(|it| wrong.contains(&it.problem));
    assert!(wrong.is_none(), "{wrong:?}");
    let mut out = Vec::new();
    // Of several inputs all descriptions are known from the start.
    let [lacking] = inputs;
    let inputs = [lacking, Input::from_bytes("empty", b"").on_core(1)];
    dump(&inputs, DumpOptions::of(DumpFormat::Json), &mut out).expect("a recording");
    let mut found = Vec::new();
    for line in String::from_utf8(out).expect("text").lines() {
        let line: Json = serde_json::from_str(line).expect("JSON");
        if let Some(def) = defs.iter().find(|def| line["event"] == def.name) {
            let fields = def.fields.iter().filter(|field| !line[field.name].is_null());
            let fields: String =
                fields.map(|field| format!(" {}={}", field.name, line[field.name])).collect();
            found.push(format!("{}{fields}", def.name));
        }
    }
    // With several cores the dump is sorted by time.
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    defs.into_iter().map(|def| def.name).collect()
}

/// Returns the faults of the recording's descriptions of events: one of them is cut, or does not match the event.
///
/// # Panics
/// It is not a recording.
#[must_use]
pub fn bad_descriptions(recording: &[u8]) -> Vec<String> {
    let inputs = [Input::from_bytes("described", recording)];
    let summary = convert(&inputs, &Options::default(), &mut ()).expect("a recording");
    let bad = summary.diagnostics.iter().filter(|it| it.problem == Problem::BadSchema);
    bad.map(|it| format!("{it:?}")).collect()
}

fn json(value: Value<'_>) -> Json {
    match value {
        Value::Unsigned(value) => value.into(),
        // Names of values are the registry's.
        Value::Named(value, _) => value.into(),
        Value::Signed(value) => value.into(),
        Value::Str(text) => String::from_utf8_lossy(text.0).into_owned().into(),
    }
}
