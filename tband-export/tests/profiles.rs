//! Profiles, of speedscope and of Chrome's trace events: read as JSON by another implementation, with the rules that
//! their viewers have.

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;
use support::{random, vectors};
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_export::{convert_to_chrome, convert_to_speedscope};
use tband_format::Event;
use tband_recordings::random::{Step, config};
use tband_recordings::{Recording, cases, two_tasks};

/// The name of a slice of a core, with begin and end.
type Slices = Vec<(u64, String, i64, i64)>;

/// Closes slices as viewers do: the innermost of its row.
#[derive(Default)]
struct Rows {
    open: BTreeMap<u64, Vec<(String, i64)>>,
    last: BTreeMap<u64, i64>,
    slices: Slices,
    /// Time of each frame without nested ones, by core.
    own: BTreeMap<(u64, String), i64>,
}

impl Rows {
    fn advance(&mut self, core: u64, ns: i64) {
        let last = self.last.insert(core, ns).unwrap_or(ns);
        assert!(last <= ns, "time goes back from {last} to {ns}");
        if let Some((name, _)) = self.open.get(&core).and_then(|open| open.last()) {
            *self.own.entry((core, name.clone())).or_default() += ns - last;
        }
    }

    fn open(&mut self, core: u64, ns: i64, name: &str) {
        self.advance(core, ns);
        self.open.entry(core).or_default().push((name.to_owned(), ns));
    }

    fn close(&mut self, core: u64, ns: i64) -> String {
        self.advance(core, ns);
        let (name, from) = self.open.get_mut(&core).unwrap().pop().expect("an open slice");
        self.slices.push((core, name.clone(), from, ns));
        name
    }

    fn ended(self) -> Self {
        assert!(self.open.values().all(Vec::is_empty), "{:?}", self.open);
        self
    }
}

fn chrome(inputs: &[Input<'_>], options: &Options) -> Rows {
    let mut out = Vec::new();
    convert_to_chrome(inputs, options, &mut out).unwrap();
    let whole: Value = serde_json::from_slice(&out).unwrap();
    let mut rows = Rows::default();
    let start = whole["otherData"]["start_ns"].as_str().map_or(0, |ns| ns.parse::<i64>().unwrap());
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<_> = text.lines().filter(|line| line.starts_with("{\"ph\"")).collect();
    assert_eq!(whole["traceEvents"].as_array().unwrap().len(), lines.len());
    for line in lines {
        let event: Value = serde_json::from_str(line.trim_end_matches(',')).unwrap();
        // As text: numbers of a browser have 53 bits.
        let ns = || {
            let ts = line.split("\"ts\":").nth(1).unwrap().split(['}', ',']).next().unwrap();
            let (us, ns) = ts.split_once('.').unwrap();
            assert_eq!(ns.len(), 3, "{ts}");
            let (sign, us) = us.strip_prefix('-').map_or((1, us), |us| (-1, us));
            let ns = sign * (us.parse::<i64>().unwrap() * 1000 + ns.parse::<i64>().unwrap());
            // As readers have it, in microseconds.
            let double: f64 = ts.parse().unwrap();
            if ns.unsigned_abs() < 1 << 51 {
                assert_eq!((double * 1000.0).round() as i64, ns, "{ts} is rounded");
            }
            start + ns
        };
        let core = || event["tid"].as_u64().unwrap();
        match event["ph"].as_str().unwrap() {
            "B" => rows.open(core(), ns(), event["name"].as_str().unwrap()),
            "E" => drop(rows.close(core(), ns())),
            "M" => assert!(event["args"]["name"].is_string()),
            other => panic!("{other}"),
        }
    }
    rows.ended()
}

fn speedscope(inputs: &[Input<'_>], options: &Options) -> Rows {
    let mut out = Vec::new();
    convert_to_speedscope(inputs, options, &mut out).unwrap();
    let json: Value = serde_json::from_slice(&out).unwrap();
    let schema = "https://www.speedscope.app/file-format-schema.json";
    assert_eq!(json["$schema"], schema);
    let frames = json["shared"]["frames"].as_array().unwrap();
    let mut rows = Rows::default();
    let profiles = json["profiles"].as_array().unwrap();
    assert!(!profiles.is_empty());
    for profile in profiles {
        let name = profile["name"].as_str().unwrap();
        // Where the frequency is not known the times are ticks.
        let unit = if name.ends_with(" (ticks)") { "none" } else { "nanoseconds" };
        assert_eq!((&profile["type"], &profile["unit"]), (&"evented".into(), &unit.into()));
        let core = name.strip_prefix("core ").unwrap().trim_end_matches(" (ticks)");
        let core = core.parse().unwrap();
        let [from, to] = ["startValue", "endValue"].map(|of| profile[of].as_i64().unwrap());
        for event in profile["events"].as_array().unwrap() {
            let ns = event["at"].as_i64().unwrap();
            assert!((from..=to).contains(&ns), "{ns} is not in {from}..={to}");
            let name = frames[event["frame"].as_u64().unwrap() as usize]["name"].as_str().unwrap();
            match event["type"].as_str().unwrap() {
                "O" => rows.open(core, ns, name),
                "C" => assert_eq!(rows.close(core, ns), name),
                other => panic!("{other}"),
            }
        }
    }
    rows.ended()
}

#[test]
fn slices_of_cases() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/profiles.txt");
    cases::check(Path::new(path), |_, case, section| {
        let (inputs, options) = (case.inputs(), Options::default());
        check(&inputs, &options);
        let read = if section.kind == "chrome" { chrome } else { speedscope };
        let line = |(core, name, from, to)| format!("{core} {from} {to} {name}");
        Some(read(&inputs, &options).slices.into_iter().map(line).collect())
    });
}

/// The viewer keeps times as doubles: since 1970 they are multiples of 256 ns.
#[test]
fn speedscope_times_count_from_the_start() {
    let mut recording = two_tasks();
    for ts in (0..200).map(|number| 180_000_000_000_000_003 + 50 * number) {
        recording = recording
            .at(ts, Event::IsrEnter { isr_id: 7 })
            .at(ts + 10, Event::IsrExit { isr_id: 7 });
    }
    let inputs = [Input::from_bytes("r", &recording.0)];
    let mut out = Vec::new();
    convert_to_speedscope(&inputs, &Options::default(), &mut out).unwrap();
    let json: Value = serde_json::from_slice(&out).unwrap();
    let profile = &json["profiles"][0];
    assert_eq!(profile["startValue"], 0);
    let events = profile["events"].as_array().unwrap();
    assert!(!events.is_empty());
    for event in events {
        let ns = event["at"].as_i64().unwrap();
        assert!((0..1 << 53).contains(&ns), "{ns}");
    }
    let lasts: Vec<_> = speedscope(&inputs, &Options::default())
        .slices
        .iter()
        .filter(|slice| slice.1.starts_with("isr"))
        .map(|slice| slice.3 - slice.2)
        .collect();
    assert_eq!(lasts, [100; 200]);
}

/// Returns the time of each task and of each interrupt without nested ones, if it is not 0.
fn own_of(own: &BTreeMap<(u64, String), i64>) -> BTreeMap<(u64, String), i64> {
    own.iter().filter(|(_, ns)| **ns > 0).map(|(of, ns)| (of.clone(), *ns)).collect()
}

fn check(inputs: &[Input<'_>], options: &Options) {
    let mut stats = Stats::default();
    convert(inputs, options, &mut stats).unwrap();
    let mut expected: BTreeMap<String, i64> = BTreeMap::new();
    for task in stats.tasks().filter(|task| task.run_ns > 0) {
        *expected.entry(task.name.clone()).or_default() += task.run_ns;
    }
    let mut isrs = 0;
    for isr in stats.isrs() {
        isrs += isr.own_ns;
    }
    let [chrome, speedscope] = [chrome(inputs, options), speedscope(inputs, options)];
    assert_eq!(own_of(&chrome.own), own_of(&speedscope.own));
    let mut found: BTreeMap<String, i64> = BTreeMap::new();
    let mut found_isrs = 0;
    for ((_, name), ns) in own_of(&chrome.own) {
        match name.strip_prefix("isr ") {
            Some(_) => found_isrs += ns,
            None => *found.entry(name).or_default() += ns,
        }
    }
    assert_eq!(found, expected, "time of tasks");
    assert_eq!(found_isrs, isrs, "time of interrupts");
}

#[test]
fn recordings_of_another_implementation_are_the_numbers() {
    vectors(|inputs| check(inputs, &Options::default()));
}

/// A task could have the name of an interrupt, so metadata is left out.
fn is_no_metadata(step: &Step) -> bool {
    !tband_format::decode::decode_payload(&step.payload).unwrap().event.is_metadata()
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn random_recordings_are_the_numbers(recording in random(is_no_metadata)) {
        recording.check(check);
    }
}

#[test]
fn the_core_that_runs_first_has_the_first_profile() {
    let (mut zero, mut one) =
        (Recording::default(), Recording::default().at(5, Event::TaskSwitchedIn { task_id: 1 }));
    // More than has room in memory.
    for ts in 10..5_000_u32 {
        let switch = |task_id| Event::TaskSwitchedIn { task_id: task_id + ts % 2 };
        zero = zero.at(ts.into(), switch(1));
        one = one.at(ts.into(), switch(3));
    }
    let inputs = [Input::from_bytes("0", &zero.0), Input::from_bytes("1", &one.0).on_core(1)];
    let mut out = Vec::new();
    convert_to_speedscope(&inputs, &Options::default(), &mut out).unwrap();
    let whole: Value = serde_json::from_slice(&out).unwrap();
    let profiles = whole["profiles"].as_array().unwrap();
    let names: Vec<_> = profiles.iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["core 1 (ticks)", "core 0 (ticks)"]);
    check(&inputs, &Options::default());
}

/// A double of microseconds keeps no nanoseconds beyond 2^53 ns, some 104 days.
#[test]
fn times_far_from_0_keep_their_nanoseconds_in_chrome() {
    for start in
        [0, (1 << 50) - 10, 1 << 50, 1 << 51, 1 << 52, (1 << 53) - 5, 1 << 53, (1 << 61) + 7]
    {
        let from = i64::try_from(start).unwrap();
        // A gap of 12 days fits as well.
        let gap = 12 * 86_400 * 1_000_000_000;
        let recording = Recording::default()
            .meta(Event::TsResolutionNs { ns_per_ts: 1 })
            .at(start + 1, Event::TaskSwitchedIn { task_id: 1 })
            .at(start + 4, Event::TaskSwitchedIn { task_id: 2 })
            .at(start + 9, Event::TaskSwitchedIn { task_id: 1 })
            .at(start + gap, Event::TaskSwitchedIn { task_id: 2 })
            .at(start + gap + 3, Event::TaskSwitchedIn { task_id: 1 });
        let inputs = [Input::from_bytes("r", &recording.0)];
        let mut out = Vec::new();
        convert_to_chrome(&inputs, &Options::default(), &mut out).unwrap();
        let json: Value = serde_json::from_slice(&out).unwrap();
        let events = json["traceEvents"].as_array().unwrap();
        let doubles: Vec<_> = events.iter().filter_map(|event| event["ts"].as_f64()).collect();
        let since = |us: &f64| ((us - doubles[0]) * 1000.0).round() as u64;
        let read: Vec<_> = doubles[1..8].iter().map(since).collect();
        assert_eq!(read, [3, 3, 8, 8, gap - 1, gap - 1, gap + 2], "from {start}");
        let rows = chrome(&inputs, &Options::default());
        let gap = gap.cast_signed();
        let times: Vec<_> = rows.slices.iter().map(|it| (it.2 - from, it.3 - from)).collect();
        assert_eq!(&times[..4], [(1, 4), (4, 9), (9, gap), (gap, gap + 3)], "from {start}");
    }
}

#[test]
fn each_core_is_a_thread_in_chrome() {
    let of_core = |task_id| {
        let recording = Recording::default().at(10, Event::TaskSwitchedIn { task_id });
        recording.at(20, Event::TaskSwitchedIn { task_id: task_id + 1 })
    };
    let [zero, one] = [of_core(1), of_core(3)];
    let inputs = [Input::from_bytes("0", &zero.0), Input::from_bytes("1", &one.0).on_core(1)];
    let rows = chrome(&inputs, &Options::default());
    let cores: std::collections::BTreeSet<_> = rows.slices.iter().map(|it| it.0).collect();
    assert_eq!(cores, [0, 1].into());
}
