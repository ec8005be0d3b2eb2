//! Recordings of another implementation decode to the output of that implementation's tool, and encode back to the same bytes.

use serde_json::{Map, Value, json};
use tband_conv::diagnostics::Problem;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::events::EventReader;
use tband_conv::item::Mode;
use tband_conv::{Input, Options};
use tband_format::{encode_frame, max_frame_len};
use tband_recordings::{timeline_of, vector, vectors};

const VECTORS: &[(&str, usize)] = &[
    ("base_only", 1196),
    ("freertos_sim", 7057),
    ("freertos_late_start", 2420),
    ("mc_split.core0", 4488),
    ("mc_split.core0.meta", 36),
    ("mc_split.core1", 4271),
    ("truncated", 3737),
];

/// `TaskSwitchedIn` to `task_switched_in`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// Returns a line of the other tool in the form of our dump.
fn expected(line: &str) -> Map<String, Value> {
    let line: Value = serde_json::from_str(line).unwrap();
    let (_, body) = line.as_object().unwrap().iter().next().unwrap();
    let body = body.as_object().unwrap();
    let mut out = Map::new();
    if let Some(ts) = body.get("ts") {
        out.insert("ts".into(), ts.clone());
    }
    let kind = body.get("kind").and_then(Value::as_object).unwrap_or(body);
    let (name, fields) = kind.iter().next().unwrap();
    out.insert("event".into(), snake(name).into());
    for (name, value) in fields.as_object().unwrap() {
        let kinds = [
            "FrqkQueue",
            "FrqkCountingSemphr",
            "FrqkBinarySemphr",
            "FrqkMutex",
            "FrqkRecursiveMutex",
            "FrqkQueueSet",
        ];
        let value = match value.as_str() {
            Some(text) if name == "kind" => {
                json!(kinds.iter().position(|kind| *kind == text).expect(text))
            }
            _ => value.clone(),
        };
        out.insert(name.clone(), value);
    }
    out
}

#[test]
fn every_vector_decodes_to_the_same_events() {
    for (name, count) in VECTORS {
        let bytes = vector(&format!("{name}.bin"));
        let input = Input::from_bytes(*name, &bytes);
        let mut out = Vec::new();
        let summary = dump(&[input], DumpOptions::of(DumpFormat::Json), &mut out).unwrap();
        let ours = String::from_utf8(out).unwrap();
        let theirs = std::fs::read_to_string(vectors().join(format!("{name}.dump.jsonl"))).unwrap();
        let mut ours = ours.lines();
        for (number, theirs) in theirs.lines().enumerate() {
            let line: Value = serde_json::from_str(ours.next().unwrap()).unwrap();
            let mut line = line.as_object().unwrap().clone();
            assert_eq!(line.remove("core"), Some(json!(0)));
            assert_eq!(line, expected(theirs), "{name}, line {}", number + 1);
        }
        assert_eq!(summary.events, *count as u64, "{name}");
        if *name == "truncated" {
            let rest: Value = serde_json::from_str(ours.next().unwrap()).unwrap();
            assert_eq!((&rest["offset"], &rest["len"]), (&json!(31331), &json!(6)));
            assert_eq!(summary.defects, 1);
        } else {
            assert_eq!(summary.defects, 0, "{name}");
        }
        assert_eq!(ours.next(), None, "{name}");
    }
}

#[test]
fn every_vector_encodes_to_the_same_bytes() {
    for (name, _) in VECTORS {
        let bytes = vector(&format!("{name}.bin"));
        let mut events = EventReader::new(bytes.as_slice(), 0, Mode::FreeRtos);
        while let Some(item) = events.next_item().unwrap() {
            let Ok(decoded) = item.event else { continue };
            let ts = decoded.ts.unwrap_or(0);
            let mut frame = vec![0; max_frame_len(&decoded.event, ts)];
            let len = encode_frame(&decoded.event, ts, &mut frame).unwrap();
            let start = usize::try_from(item.offset).unwrap();
            assert_eq!(frame[..len], bytes[start..start + len], "{name} at byte {start}");
            assert_eq!(len as u64, item.len + 1);
        }
    }
}

#[test]
fn dumps_start_at_the_given_core() {
    let bytes = vector("mc_split.core1.bin");
    let mut out = Vec::new();
    let input = Input::from_bytes("b", &bytes).on_core(1);
    dump(&[input], DumpOptions::of(DumpFormat::Json), &mut out).unwrap();
    assert!(out.starts_with(b"{\"core\":1,\"ts\":"));
}

/// They convert without a warning that is not true.
#[test]
fn reports_only_true_findings() {
    let all = VECTORS.iter().map(|(name, _)| *name);
    for name in all {
        let bytes = vector(&format!("{name}.bin"));
        let (_, summary) = timeline_of(&[Input::from_bytes(name, &bytes)], &Options::default());
        let found: Vec<_> =
            summary.diagnostics.iter().map(|it| (it.problem, it.count, it.place.offset)).collect();
        let expected: &[_] = match name {
            "truncated" => &[(Problem::CutOff, 1, 31331)],
            // It tests the maximum of times and of names: a_name_longer_than_t is the rest of one.
            "base_only" => &[(Problem::TimeOutOfRange, 1, 1148), (Problem::NameCut, 1, 0)],
            "mc_split.core0.meta" => &[(Problem::NothingRecorded, 1, 0)],
            // Its metadata is in a separate file.
            "mc_split.core1" => &[(Problem::NoResolution, 1, 0)],
            _ => &[],
        };
        assert_eq!(found, expected, "{name}");
    }
    let files = ["mc_split.core0.meta", "mc_split.core0", "mc_split.core1"]
        .map(|name| vector(&format!("{name}.bin")));
    let inputs: Vec<_> = [0, 0, 1]
        .iter()
        .zip(&files)
        .map(|(core, it)| Input::from_bytes("f", it).on_core(*core))
        .collect();
    let (_, summary) = timeline_of(&inputs, &Options::default());
    assert_eq!(summary.diagnostics.iter().count(), 0, "{:?}", summary.diagnostics);
    assert_eq!(summary.events, 4488 + 36 + 4271);
}
