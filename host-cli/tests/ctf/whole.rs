//! A trace of CTF 1.8 has all that a dump has, whatever the times are, and babeltrace2 reads it.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use crate::support::*;
use tband_conv::packets::Packer;
use tband_format::Event;
use tband_recordings::packed::pieces;
use tband_recordings::{Recording, str, two_tasks};

/// Returns the output of babeltrace2: time in cycles and name of each event; and its messages.
fn read(folder: &str, clock: &str) -> (Vec<(u64, String)>, String) {
    let mut command = Command::new("babeltrace2");
    command.args([clock, "--no-delta", folder]);
    let output = tband_programs::output_inheriting(&mut command).unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{complaints}");
    let text = String::from_utf8(output.stdout).unwrap();
    let event = |line: &str| {
        let (time, rest) = line.trim_start_matches('[').split_once("] ").unwrap();
        let name = rest.split_once(": ").unwrap().0;
        (time.replace('.', "").parse().unwrap(), name.to_owned())
    };
    (text.lines().map(event).collect(), complaints)
}

fn counts(names: impl Iterator<Item = String>) -> BTreeMap<String, u64> {
    names.fold(BTreeMap::new(), |mut counts, name| {
        *counts.entry(name).or_default() += 1;
        counts
    })
}

/// How often a dump shows each event.
fn dumped(files: &[&str]) -> BTreeMap<String, u64> {
    let text = run(&[&["dump", "--json"], files].concat()).text();
    let name = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line.get("event").map(|name| name.as_str().unwrap().to_owned())
    };
    counts(text.lines().filter_map(name))
}

/// Converts, and reads the result: cycles and names, and the messages.
fn converted(folder: &Folder, files: &[&str]) -> (Vec<(u64, String)>, String) {
    let out = folder.path("trace");
    let _ = fs::remove_dir_all(&out);
    let ran = run(&[&["conv", "--to", "ctf1", "-o", &out], files].concat());
    assert!(matches!(ran.code, Some(0 | 1)), "{}", ran.stderr);
    (read(&out, "--clock-cycles").0, ran.stderr)
}

#[track_caller]
fn assert_whole(folder: &Folder, files: &[&str]) {
    let (events, _) = converted(folder, files);
    assert_eq!(counts(events.into_iter().map(|it| it.1)), dumped(files), "{files:?}");
}

#[test]
fn a_trace_has_every_event_of_a_dump() {
    let folder = Folder::new("ctf-whole");
    let mut seen = 0;
    for entry in fs::read_dir(tband_recordings::vectors()).unwrap() {
        let path = entry.unwrap().path();
        let file = path.to_str().unwrap();
        if !file.ends_with(".bin") || run(&["dump", "--limit", "1", file]).code == Some(2) {
            continue;
        }
        assert_whole(&folder, &[file]);
        seen += 1;
        // A damaged file has no packets.
        if run(&["check", file]).code != Some(0) {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let packets = folder.file("packets.bin", &pieces(&bytes, 512).concat());
        assert_whole(&folder, &[&packets]);
    }
    assert!(seen > 5);
    let cores = ["mc_split.core0.meta.bin@0", "mc_split.core0.bin@0", "mc_split.core1.bin@1"];
    let cores = cores.map(vector);
    assert_whole(&folder, &cores.each_ref().map(String::as_str));
    let lossy = two_tasks()
        .at(0, Event::CoreId { core_id: 0 })
        .at(5, Event::TaskSwitchedIn { task_id: 1 })
        .at(9, Event::DroppedEvtCnt { cnt: 3 })
        .at(9, Event::DroppedEvtCnt { cnt: 3 })
        .at(10, Event::CoreId { core_id: 1 })
        .at(11, Event::TaskSwitchedIn { task_id: 2 })
        .at(12, Event::DroppedEvtCnt { cnt: 8 });
    assert_whole(&folder, &[&folder.file("lossy.bin", &lossy.0)]);
}

/// Names in a packet have the packet's time, in a packet of their core or of metadata.
#[test]
fn names_have_the_time_of_their_packets() {
    let folder = Folder::new("ctf-names");
    let name = |task_id, name| Event::TaskName { task_id, name: str(name) };
    let switch = |task_id| Event::TaskSwitchedIn { task_id };
    let (mut packer, mut all) = (Packer::new(512).without_state(), Vec::new());
    let mut out = |_: u8, packet: &[u8]| all.extend_from_slice(packet);
    packer.metadata(90, &two_tasks().0, &mut out);
    packer.push(0, 100, &switch(1), &mut out).unwrap();
    packer.push(0, 500, &name(3, "third"), &mut out).unwrap();
    packer.push(0, 510, &switch(3), &mut out).unwrap();
    packer.flush(&mut out);
    packer.metadata(700, &frame(0, name(4, "fourth")), &mut out);
    packer.push(0, 900, &switch(4), &mut out).unwrap();
    packer.flush(&mut out);
    packer.metadata(950, &frame(0, name(5, "fifth")), &mut out);
    let file = folder.file("r.bin", &all);
    let (events, _) = converted(&folder, &[&file]);
    let times = |wanted: &str| -> Vec<u64> {
        events.iter().filter(|it| it.1 == wanted).map(|it| it.0).collect()
    };
    assert_eq!(times("task_switched_in"), [100, 510, 900]);
    assert_eq!(times("task_name")[2..], [500, 700, 950], "{events:?}");
    assert_whole(&folder, &[&file]);
}

fn from(first: u64, ns_per_ts: u64) -> Recording {
    let switch = |task_id| Event::TaskSwitchedIn { task_id };
    Recording::default()
        .meta(Event::TsResolutionNs { ns_per_ts })
        .at(first, switch(1))
        .at(first.saturating_add(10), switch(2))
        .at(first.saturating_add(20), switch(1))
}

/// A reader counts nanoseconds in 63 bits: a late begin becomes 0, and later ends are at the limit.
#[test]
fn times_that_no_reader_can_show_are_moved() {
    let folder = Folder::new("ctf-late");
    for ns_per_ts in [1, 10, 1000] {
        for first in [1 << 62, (1 << 63) - 5, 1 << 63, u64::MAX - 100, u64::MAX - 15, u64::MAX] {
            let file = folder.file("r.bin", &from(first, ns_per_ts).0);
            let (events, printed) = converted(&folder, &[&file]);
            assert_eq!(counts(events.iter().map(|it| it.1.clone())), dumped(&[&file]));
            assert!(events.is_sorted_by_key(|it| it.0), "{first}: {events:?}");
            assert!(printed.contains(&format!("begin with tick {first}")), "{printed}");
            let times: Vec<u64> = events.iter().map(|it| it.0).skip(1).collect();
            let steps = [0, 10_u64.min(u64::MAX - first), 20_u64.min(u64::MAX - first)];
            assert_eq!(times, steps, "{first} of {ns_per_ts} ns");
            // Not in cycles: readers work out seconds.
            let (shown, complaints) = read(&folder.path("trace"), "--clock-seconds");
            assert_eq!((shown.len(), complaints.as_str()), (events.len(), ""));
        }
    }
}

#[test]
fn reads_a_slice_that_ends_beyond_the_range() {
    let folder = Folder::new("ctf-range");
    for ns_per_ts in [1, 10, 1000] {
        for last in [(1 << 63) - 1, 1 << 63, u64::MAX] {
            let recording = from(100, ns_per_ts).at(last, Event::TaskSwitchedIn { task_id: 2 });
            let file = folder.file("r.bin", &recording.0);
            let (events, printed) = converted(&folder, &[&file]);
            assert_eq!(counts(events.iter().map(|it| it.1.clone())), dumped(&[&file]));
            let times: Vec<u64> = events.iter().map(|it| it.0).collect();
            assert_eq!(times[1..4], [100, 110, 120], "{last}");
            assert!(times[4] > 1 << 50 && times[4] <= last, "{last}: {times:?}");
            assert!(printed.contains("1 event is beyond 292 years"), "{printed}");
            let (shown, complaints) = read(&folder.path("trace"), "--clock-seconds");
            assert_eq!((shown.len(), complaints.as_str()), (events.len(), ""));
            // In the words of the Linux kernel's tracer too.
            let out = folder.path("lttng");
            let _ = fs::remove_dir_all(&out);
            run(&["conv", "--to", "ctf1", "--ctf-names", "lttng", "-o", &out, &file])
                .assert_code(1);
            assert_eq!(read(&out, "--clock-seconds").1, "");
        }
    }
}
