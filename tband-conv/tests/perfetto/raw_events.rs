//! Every event of a recording as it was recorded: none is left out, reported twice or out of order, and each has
//! the fields that a dump has.

use std::collections::BTreeMap;
use std::io;

use proptest::prelude::*;
use serde_json::Value as Json;
use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::events::EventReader;
use tband_conv::item::{Item, Mode};
use tband_conv::merge::WINDOW;
use tband_conv::model::{Change, EventTime, Sink, TimedEvent, World};
use tband_conv::sinks::{Perfetto, RawEvents};
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::named::QueueKind as Kind;
use tband_recordings::random::{config, damage, damages, late_steps, stream};
use tband_recordings::{Engine, Recording, TempFile, str, two_tasks, vector};

/// Where the events of each core are, in the order in which they are reported.
#[derive(Default)]
struct EventPlaces {
    places: BTreeMap<u32, Vec<u64>>,
    payloads: Vec<String>,
    events: u64,
}

impl Sink for EventPlaces {
    fn needs_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        let TimedEvent { at, place, decoded, .. } = event;
        if place.input == 0 {
            self.places.entry(at.core).or_default().push(place.offset);
            self.payloads.push(format!("{} {decoded:?}", place.offset));
        }
        self.events += 1;
        Ok(())
    }

    fn change(&mut self, _: &World, _: EventTime, _: &Change<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the decoder's result.
fn decoded(bytes: &[u8]) -> EventPlaces {
    let mut reported = EventPlaces::default();
    let mut events = EventReader::new(bytes, 0, Mode::FreeRtos);
    while let Some(Item { core, offset, event, .. }) = events.next_item().unwrap() {
        if let Ok(decoded) = event {
            reported.places.entry(core).or_default().push(offset);
            reported.payloads.push(format!("{offset} {decoded:?}"));
        }
    }
    reported
}

#[track_caller]
fn assert_all_reported(bytes: &[u8], inputs: &[Input<'_>], window: usize) {
    let mut options = Options::default();
    options.window = Some(window);
    let mut reported = EventPlaces::default();
    let Ok(summary) = convert(inputs, &options, &mut reported) else { return };
    let mut expected = decoded(bytes);
    assert_eq!(reported.places, expected.places);
    assert_eq!(reported.events, summary.events);
    reported.payloads.sort_unstable();
    expected.payloads.sort_unstable();
    assert_eq!(reported.payloads, expected.payloads);
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn each_event_is_reported_once_in_order(
        steps in late_steps(3), cores in 1..4_u32, again in 0..3_usize, damages in damages(6),
    ) {
        let steps: Vec<_> = steps.into_iter().filter(|step| step.core < cores).collect();
        // The stream is stopped and started again.
        let mut bytes = stream(&steps, 10).repeat(again + 1);
        damage(&mut bytes, &damages);
        for window in [WINDOW, 1000] {
            assert_all_reported(&bytes, &[Input::from_bytes("r", &bytes)], window);
        }
        let other = stream(&[], 10);
        let inputs = [Input::from_bytes("r", &bytes), Input::from_bytes("o", &other)];
        assert_all_reported(&bytes, &inputs, WINDOW);
    }
}

/// How many events there are, and each 16th of them if they are many.
const COUNT: (&str, &str, &str) = ("count", "count(*)", "from recorded");
const EVENTS: (&str, &str, &str) =
    ("event", "text", "from recorded where n % case when n_all > 300 then 16 else 1 end = 0");

/// The engine's data of each event: core, name, and its arguments in their order. Strings are in hex.
const RAW: &str = "create perfetto table recorded as select row_number() over (order by t.name, s.ts, s.id) - 1 as n, \
    count(*) over () as n_all, substr(t.name, 6) || ' ' || s.name || (select group_concat(' ' || substr(key, 7) || '=' || \
     coalesce(cast(int_value as text), hex(string_value)), '') from args a \
     where a.arg_set_id = s.arg_set_id and key glob 'debug.*') as text \
     from slice s join track t on t.id = s.track_id join track p on p.id = t.parent_id \
     where p.name = 'Recorded events' and s.dur = 0;";

/// The same from a dump, which has no offsets: those are the decoder's.
fn dumped(inputs: &[Input<'_>], bytes: &[&[u8]]) -> Vec<String> {
    let mut rows = Vec::new();
    for (input, bytes) in inputs.iter().zip(bytes) {
        let mut out = Vec::new();
        dump(std::slice::from_ref(input), DumpOptions::of(DumpFormat::Json), &mut out).unwrap();
        let mut offsets = Vec::new();
        let mut events = EventReader::new(*bytes, input.core(), Mode::FreeRtos);
        while let Some(Item { offset, event, .. }) = events.next_item().unwrap() {
            offsets.extend(event.is_ok().then_some(offset));
        }
        let lines = String::from_utf8(out).unwrap();
        let lines = lines.lines().filter(|line| !line.contains("\"error\":"));
        for (line, offset) in lines.zip(offsets) {
            // The members of an object are in their order.
            let members: Vec<(String, Json)> = members(line);
            let get = |name: &str| members.iter().find(|it| it.0 == name).unwrap().1.clone();
            let core = get("core").as_u64().unwrap();
            let mut row = format!("{core} {}", get("event").as_str().unwrap());
            for (name, value) in members.iter().filter(|it| it.0 != "core" && it.0 != "event") {
                let value = match value {
                    Json::String(text) => text.bytes().map(|byte| format!("{byte:02X}")).collect(),
                    Json::Number(number) => match number.as_u64() {
                        Some(number) => number.cast_signed().to_string(),
                        None => number.to_string(),
                    },
                    other => other.to_string(),
                };
                row.push_str(&format!(" {name}={value}"));
            }
            rows.push((core, format!("{row} byte={offset}")));
        }
    }
    rows.sort_by_key(|row| row.0);
    rows.into_iter().map(|row| row.1).collect()
}

/// Members of a flat object, in their order.
fn members(line: &str) -> Vec<(String, Json)> {
    let object: serde_json::Map<String, Json> = serde_json::from_str(line).unwrap();
    let mut members: Vec<_> = object.into_iter().collect();
    members.sort_by_key(|(name, _)| line.find(&format!("\"{name}\":")).unwrap());
    members
}

#[track_caller]
fn assert_shown(name: &str, bytes: &[&[u8]]) {
    let Some(engine) = Engine::find() else { return };
    let inputs: Vec<_> =
        (0..).zip(bytes).map(|(core, it)| Input::from_bytes("r", it).on_core(core)).collect();
    let mut sink = RawEvents::new(Perfetto::new(Vec::new()));
    let mut options = Options::default();
    // One of them has times that Perfetto cannot show.
    options.tick_rate = (name == "base_only").then(|| "8G".parse().unwrap());
    let summary = convert(&inputs, &options, &mut sink).unwrap();
    let trace = TempFile::new(&format!("raw-{name}"), &sink.into_trace().into_inner());
    let rows = engine.check_with(RAW, &trace.0, &[COUNT, EVENTS]);
    let expected = dumped(&inputs, bytes);
    assert_eq!(expected.len() as u64, summary.events);
    let step = if expected.len() > 300 { 16 } else { 1 };
    let mut tagged = vec![("count".to_owned(), expected.len().to_string())];
    tagged.extend(expected.into_iter().step_by(step).map(|row| ("event".to_owned(), row)));
    for (row, expected) in rows.iter().zip(&tagged) {
        assert_eq!(row, expected);
    }
    assert_eq!(rows.len(), tagged.len());
}

/// Two cores in a stream that is stopped and started again, with all that a row might leave out.
fn odd() -> Recording {
    let start = |it: Recording, ts| {
        it.at(ts, CoreId { core_id: 0 })
            .meta(TsResolutionNs { ns_per_ts: 10 })
            .meta(TaskName { task_id: 1, name: str("a") })
            .at(ts, CoreId { core_id: 1 })
            .meta(IsrName { isr_id: 3, name: str("b\"\\\n\x01 \u{e4}") })
    };
    let it = start(Recording::default(), 0)
        .at(1, CoreId { core_id: 0 })
        .at(2, TaskSwitchedIn { task_id: 1 })
        .at(2, TaskEvtmarker { evtmarker_id: 1, msg: tband_format::Str(b"not \xFF utf-8") })
        .at(2, CoreId { core_id: 1 })
        .at(3, Valmarker { valmarker_id: 1, val: i64::MIN + 1 })
        .at(4, DroppedEvtCnt { cnt: 7 })
        .raw(&[2, 0xE0, 0])
        .at(5, QueueCreated { queue_id: u32::MAX })
        .meta(QueueKind { queue_id: u32::MAX, kind: Kind::RECURSIVE_MUTEX });
    start(it, 9)
        .meta(TraceInfo {
            format_version: 1,
            core_count: 2,
            flags: 3,
            kernel_version: Some(110_200),
            tick_rate_hz: None,
        })
        .at(10, CoreId { core_id: 0 })
        .at(11, TaskSwitchedIn { task_id: 1 })
        .at(12, IsrEnter { isr_id: 3 })
}

#[test]
fn a_row_a_core_has_all_events_with_their_fields() {
    assert_shown("odd", &[&odd().0]);
    let one = two_tasks()
        .at(1 << 40, TaskSwitchedIn { task_id: 1 })
        .at((1 << 40) + 5, CurtaskDelay { ticks: 3 })
        .at((1 << 40) + 6, TaskSwitchedIn { task_id: 2 });
    assert_shown("one", &[&one.0]);
    assert_shown("two", &[&one.0, &two_tasks().at(7, TaskSwitchedIn { task_id: 2 }).0]);
}

#[test]
fn the_rows_of_real_recordings_are_their_dumps() {
    for name in ["freertos_sim", "base_only"] {
        let bytes = vector(&format!("{name}.bin"));
        assert_shown(name, &[&bytes]);
    }
    let cores = ["mc_split.core0", "mc_split.core1"].map(|name| vector(&format!("{name}.bin")));
    assert_shown("mc_split", &[&cores[0], &cores[1]]);
}

/// Without them the trace is the same as that of a plain sink.
#[test]
fn without_them_a_trace_is_the_same() {
    let bytes = vector("freertos_sim.bin");
    let inputs = [Input::from_bytes("r", &bytes)];
    let trace = tband_recordings::trace_of(&inputs, &Options::default()).0;
    let mut sink = Perfetto::new(Vec::new());
    convert(&inputs, &Options::default(), &mut sink).unwrap();
    assert!(!sink.needs_events());
    assert_eq!(trace, sink.into_inner());
    assert!(!trace.windows(15).any(|bytes| bytes == b"Recorded events"));
}
