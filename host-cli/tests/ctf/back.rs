//! A trace that was written comes back: its events are those of the recording, for several cores, losses, names, markers and
//! records. babeltrace2 finds the same events at the same times in it.

use std::fs;

use serde_json::Value;
use tband_format::Event;
use tband_recordings::packed::pieces;
use tband_recordings::records::of_every_type;
use tband_recordings::two_tasks;

use crate::support::babeltrace::{Version, read};
use crate::support::*;

/// The events of a recording with cores, times and fields, in an order that does not depend on the file. Streams and packets name
/// their core in the trace, and the frequency comes at the start of each stream.
fn events(files: &[&str]) -> Vec<String> {
    let ran = run(&[&["dump", "--json"], files].concat());
    assert!(matches!(ran.code, Some(0 | 1)), "{files:?}: {}", ran.stderr);
    let text = ran.text();
    let mut events = Vec::new();
    for line in text.lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let Some(name) = line.get("event").map(|name| name.as_str().unwrap().to_owned()) else {
            continue;
        };
        let fields = line.as_object_mut().unwrap();
        if name == "ts_frequency" {
            fields.remove("ts");
        }
        if name != "core_id" {
            events.push(line.to_string());
        }
    }
    events.sort();
    events
}

#[track_caller]
fn assert_round_trip(folder: &Folder, files: &[&str]) {
    let expected = events(files);
    assert!(expected.len() > 4, "{files:?}");
    for (to, version) in [("ctf1", Version::One), ("ctf2", Version::Two)] {
        let out = folder.path("trace");
        let _ = fs::remove_dir_all(&out);
        let ran = run(&[&["conv", "--to", to, "-o", &out], files].concat());
        assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.stderr);
        let found = events(&[&out]);
        let missing: Vec<_> = expected.iter().filter(|it| !found.contains(it)).collect();
        let extra: Vec<_> = found.iter().filter(|it| !expected.contains(it)).collect();
        assert!(
            missing.is_empty() && extra.is_empty(),
            "{files:?} as {to}: missing {missing:#?}, extra {extra:#?}"
        );
        assert_eq!(found.len(), expected.len(), "{files:?} as {to}");
        let Some((lines, _)) = read(version, &out) else { continue };
        assert_eq!(times(&lines), timed(&found), "{files:?} as {to}");
    }
}

/// Times and names of the events that have a time, as babeltrace2 prints them. Names have the time of their packet.
fn times(lines: &[String]) -> Vec<(u64, String)> {
    let event = |line: &String| {
        let (ticks, rest) = line.split_once(' ').unwrap();
        let name = rest.split(',').next().unwrap().to_owned();
        let def = tband_format::registry::by_name(&name);
        let is_timed = def.is_none_or(|it| !it.metadata) && !is_head(&name);
        is_timed.then(|| (ticks.parse().unwrap_or(0), name))
    };
    let mut events: Vec<_> = lines.iter().filter_map(event).collect();
    events.sort();
    events
}

/// The same of a dump.
fn timed(events: &[String]) -> Vec<(u64, String)> {
    let event = |line: &String| {
        let line: Value = serde_json::from_str(line).unwrap();
        let name = line["event"].as_str().unwrap().to_owned();
        line["ts"].as_u64().filter(|_| !is_head(&name)).map(|ts| (ts, name))
    };
    let mut events: Vec<_> = events.iter().filter_map(event).collect();
    events.sort();
    events
}

fn is_head(name: &str) -> bool {
    ["core_id", "ts_frequency"].contains(&name)
}

#[test]
fn events_come_back() {
    let folder = Folder::new("ctf-back");
    let frames = fs::read(vector("freertos_sim.bin")).unwrap();
    assert_round_trip(&folder, &[&vector("freertos_sim.bin")]);
    assert_round_trip(&folder, &[&folder.file("packets.bin", &pieces(&frames, 512).concat())]);
    let cores = ["mc_split.core0.meta.bin@0", "mc_split.core0.bin@0", "mc_split.core1.bin@1"];
    let cores = cores.map(vector);
    assert_round_trip(&folder, &cores.each_ref().map(String::as_str));
    // Queues, locks, interrupts, and markers of both kinds.
    assert_round_trip(&folder, &[&folder.file("by-hand.bin", &by_hand())]);
    let own = imported("tband/packets.bin");
    assert_round_trip(&folder, &[&folder.file("own.bin", &own)]);
    let lossy = two_tasks()
        .at(0, Event::CoreId { core_id: 0 })
        .at(5, Event::TaskSwitchedIn { task_id: 1 })
        .at(9, Event::DroppedEvtCnt { cnt: 3 })
        .at(10, Event::TaskSwitchedIn { task_id: 2 })
        .at(10, Event::CoreId { core_id: 1 })
        .at(11, Event::TaskSwitchedIn { task_id: 2 })
        .at(12, Event::DroppedEvtCnt { cnt: 8 });
    assert_round_trip(&folder, &[&folder.file("lossy.bin", &lossy.0)]);
}

/// A record becomes a separate event of the trace, and comes back at its time: as a marker with its name, or unchanged.
#[test]
fn records_come_back() {
    let folder = Folder::new("ctf-back-records");
    let file = folder.file("records.bin", &of_every_type().0);
    let times = |files: &[&str], names: &[&str]| {
        let mut times: Vec<u64> = Vec::new();
        for line in events(files) {
            let line: Value = serde_json::from_str(&line).unwrap();
            if names.contains(&line["event"].as_str().unwrap()) {
                times.extend(line["ts"].as_u64());
            }
        }
        times.sort_unstable();
        times
    };
    let expected = times(&[&file], &["record", "typed"]);
    assert!(expected.len() > 12, "{expected:?}");
    for to in ["ctf1", "ctf2"] {
        let out = folder.path(to);
        run(&["conv", "--to", to, "-o", &out, &file]).assert_code(0);
        assert_eq!(times(&[&out], &["record", "typed", "evtmarker"]), expected, "{to}");
    }
}
