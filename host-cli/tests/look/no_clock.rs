//! Recordings whose timer has an unknown frequency: a loss, and every time is in ticks.

use std::fs;

use serde_json::Value;
use tband_format::{Event, Str};
use tband_recordings::packed::pieces;

use crate::support::*;

/// A task runs for 5000 of 9000 ticks, again and again. With or without the frequency and names.
fn recording(has_clock: bool, has_names: bool) -> Vec<u8> {
    let mut frames = frame(0, Event::CoreId { core_id: 0 });
    if has_clock {
        frames.extend(frame(0, Event::TsResolutionNs { ns_per_ts: 100 }));
    }
    for (task_id, name) in [(1, "worker"), (2, "IDLE")] {
        if has_names {
            frames.extend(frame(0, Event::TaskName { task_id, name: Str(name.as_bytes()) }));
        }
    }
    for round in 0..40 {
        let at = 1_000_000 + round * 9000;
        frames.extend(frame(at, Event::TaskSwitchedIn { task_id: 1 }));
        frames.extend(frame(at + 10, Event::EvtmarkerBegin { evtmarker_id: 1, msg: Str(b"s") }));
        frames.extend(frame(at + 20, Event::EvtmarkerEnd { evtmarker_id: 1 }));
        frames.extend(frame(at + 4990, Event::CurtaskDelay { ticks: 3 }));
        frames.extend(frame(at + 5000, Event::TaskSwitchedIn { task_id: 2 }));
        frames.extend(frame(at + 8990, Event::TaskToRdyState { task_id: 1 }));
    }
    frames
}

/// Its packets without the metadata stream.
fn without_metadata() -> Vec<u8> {
    let packets = pieces(&recording(true, true), 256);
    packets.iter().filter(|packet| packet[4] != 255).flatten().copied().collect()
}

fn printed(args: &[&str], code: i32) -> String {
    let ran = run(args);
    assert_eq!(ran.code, Some(code), "{args:?}: {}", ran.stderr);
    ran.text()
}

/// No time has a unit of seconds.
#[track_caller]
fn assert_in_ticks(text: &str) {
    assert!(text.contains("tick"), "{text}");
    let has_unit = |word: &str| {
        let digits = word.trim_end_matches(|it: char| it.is_ascii_alphabetic() || it == '/');
        let unit = &word[digits.len()..];
        ["ns", "us", "ms", "s", "/s"].contains(&unit)
            && (digits.is_empty() || digits.ends_with(|it: char| it.is_ascii_digit()))
    };
    // Explanations contain units of other quantities.
    let lines =
        text.lines().filter(|line| !line.starts_with("  means") && !line.starts_with("  do"));
    for line in lines.filter(|line| !line.starts_with("firmware")) {
        let found = line.split_whitespace().find(|word| has_unit(word));
        assert_eq!(found, None, "{line}");
    }
}

#[test]
fn times_without_a_frequency_are_ticks_and_a_loss() {
    let folder = Folder::new("no-clock");
    for (name, bytes) in [
        ("packets.bin", without_metadata()),
        ("frames.bin", recording(false, true)),
        ("nameless.bin", recording(false, false)),
    ] {
        let file = folder.file(name, &bytes);
        let check = printed(&["check", &file], 1);
        assert!(check.contains("usable, with losses\n"), "{check}");
        assert!(check.contains(" in 359990 ticks") || check.contains(" in 35999"), "{check}");
        assert_in_ticks(&check);
        let json: Value = serde_json::from_str(&printed(&["check", "--json", &file], 1)).unwrap();
        assert_eq!((&json["time_unit"], &json["verdict"]), (&"ticks".into(), &"losses".into()));
        assert!(json["length_ns"].as_i64() > Some(350_000), "{json}");
        assert_in_ticks(&printed(&["stats", "--all", &file], 1));
        let json: Value = serde_json::from_str(&printed(&["stats", "--json", &file], 1)).unwrap();
        let recording = &json["recording"];
        assert_eq!(recording["time_unit"], "ticks");
        for unknown in ["timestamp_hz", "events_per_second", "bytes_per_second"] {
            assert!(recording[unknown].is_null(), "{recording}");
        }
        let csv = printed(&["stats", "--csv", &file], 1);
        assert!(csv.contains("time_unit,ticks"), "{csv}");
        // A dump has a column of ticks, and none of ns.
        let dump = run(&["dump", "--json", &file]);
        for line in dump.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let line: Value = serde_json::from_slice(line).unwrap();
            assert!(line["ns"].is_null() && line["time_ns"].is_null(), "{line}");
        }
        let page = folder.path("page.html");
        assert_eq!(run(&["report", "-o", &page, &file]).code, Some(1));
        let page = fs::read_to_string(&page).unwrap();
        let tables = page.split("</noscript>").next().unwrap();
        assert!(tables.contains(" ticks"), "{tables}");
        assert!(!tables.contains(" us<") && !tables.contains("ms<") && !tables.contains("/s<"));
        assert_in_ticks(&printed(&["top", "--once", &file], 0));
        let task = if name == "frames.bin" { "worker" } else { "1" };
        assert_in_ticks(&printed(&["why", task, &file], 1));
        // Other recordings have seconds.
        let ran = run(&["diff", &file, &file]);
        assert_eq!((ran.code, &*ran.text()), (Some(2), ""), "{name}");
        assert!(ran.stderr.contains("name it with --tick-rate"), "{}", ran.stderr);
        // Rules that compare times are not learned, and the others are.
        let ran = run(&["assert", "--learn", &file]);
        let rules = ran.text();
        assert_eq!(ran.code, Some(0), "{name}");
        let learned: Vec<&str> = rules.lines().filter(|line| line.contains('{')).collect();
        assert!(learned.iter().all(|rule| rule.contains("losses = ")), "{rules}");
        assert_eq!(learned.len(), usize::from(name == "packets.bin"), "{rules}");
        assert!(ran.stderr.contains("--tick-rate"), "{}", ran.stderr);
    }
}

/// With the frequency of the user times are known, and names are missing all the same.
#[test]
fn a_frequency_of_the_user_makes_times_known() {
    let folder = Folder::new("clock-given");
    let frames = folder.file("frames.bin", &recording(false, true));
    let check = printed(&["check", "--tick-rate", "10M", &frames], 0);
    assert!(check.contains(": whole\n") && check.contains(" in 36.00 ms"), "{check}");
    let packets = folder.file("packets.bin", &without_metadata());
    let check = printed(&["check", "--tick-rate", "10M", &packets], 1);
    assert!(check.contains("loss: recording without its metadata"), "{check}");
    assert!(check.contains(" in 36.00 ms") || check.contains(" in 35.99 ms"), "{check}");
    let json = printed(&["check", "--json", "--tick-rate", "10M", &packets], 1);
    assert!(json.contains("\"time_unit\": \"ns\""), "{json}");
}

/// A larger loss does not look like a smaller one.
#[test]
fn a_complete_recording_has_its_metadata() {
    let folder = Folder::new("metadata");
    let packets = pieces(&recording(true, true), 256).concat();
    let file = folder.file("packets.bin", &packets);
    assert!(printed(&["check", &file], 0).contains(": whole\n"));
    let file = folder.file("frames.bin", &recording(true, true));
    assert!(printed(&["check", &file], 0).contains(": whole\n"));
    let file = folder.file("cut.bin", &without_metadata()[..700]);
    assert!(printed(&["check", &file], 1).contains("loss: recording without its metadata"));
}
