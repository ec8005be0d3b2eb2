//! `stats`, `check` and the filters of `dump`, on recordings whose content is known.

use std::fs;
use std::path::Path;

use crate::support::*;
use serde_json::{Value, json};
use tband_format::{Event, QueueKind, Str, TimerCommand};
use xtask::generate;

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn stats_are_as_approved_in_every_notation() {
    let folder = Folder::new("stats");
    let file = folder.file("r.bin", &by_hand());
    for (flag, name) in [("", "stats.txt"), ("--json", "stats.json"), ("--csv", "stats.csv")] {
        let args: Vec<&str> =
            ["stats", flag, &file].into_iter().filter(|it| !it.is_empty()).collect();
        let ran = run(&args);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        approved(&golden(name), &text(ran.stdout));
    }
}

#[test]
fn stats_tell_of_all_objects_of_the_kernel() {
    let timer_id = 1;
    let received = Event::TimerCommandReceived { timer_id, command: TimerCommand::START, value: 0 };
    let recording = [
        frame(0, Event::TsResolutionNs { ns_per_ts: 1000 }),
        frame(0, Event::TimerName { timer_id, name: Str(b"blink") }),
        frame(1, Event::TaskSwitchedIn { task_id: 1 }),
        frame(2, Event::StreamBufferCreated { stream_buffer_id: 1, size: 64, trigger_level: 1 }),
        frame(3, Event::StreamBufferSend { stream_buffer_id: 1, amount: 20, level_after: 20 }),
        frame(4, Event::StreamBufferSendFailed { stream_buffer_id: 1 }),
        frame(5, Event::EventGroupSetBits { event_group_id: 1, bits: 5, bits_after: 0xD }),
        frame(6, Event::TimerCreated { timer_id, period: 7, auto_reload: 1, callback: 9 }),
        frame(7, received),
        frame(8, Event::TimerExpired { timer_id, callback: 9 }),
        frame(9, received),
        frame(10, Event::HeapMalloc { address: 8, size: 40, bytes_free: Some(100) }),
        frame(11, Event::HeapMalloc { address: 0, size: 400, bytes_free: Some(100) }),
        frame(12, Event::HeapFree { address: 8, size: 40, bytes_free: Some(140) }),
        frame(13, Event::ApiEnter { function: 0 }),
        frame(15, Event::ApiReturn { function: 0, value: Some(1) }),
        frame(16, Event::QueueSend { queue_id: 1, len_after: 1 }),
        frame(17, Event::QueueSendFailed { queue_id: 1 }),
        frame(18, Event::QueueReceive { queue_id: 1, len_after: 0 }),
        frame(19, Event::QueueReceiveFailed { queue_id: 1 }),
    ];
    let folder = Folder::new("objects");
    let ran = run(&["stats", &folder.file("r.bin", &recording.concat())]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    approved(&golden("stats_objects.txt"), &text(ran.stdout));
}

/// `high` waits for a semaphore that `low` holds and gives only once `medium` lets it run; then `medium` runs forever.
#[test]
fn reports_the_worst_waits_with_names_and_times() {
    let name = |task_id, name| frame(0, Event::TaskName { task_id, name: Str(name) });
    let priority = |task_id, priority| frame(0, Event::TaskPrioritySet { task_id, priority });
    let runs = |ts, task_id| frame(ts, Event::TaskSwitchedIn { task_id });
    let wakes = |ts, task_id| frame(ts, Event::TaskToRdyState { task_id });
    let (queue_id, ticks_to_wait) = (1, u32::MAX);
    let take = |ts| frame(ts, Event::QueueReceive { queue_id, len_after: 0 });
    let give = |ts| frame(ts, Event::QueueSend { queue_id, len_after: 1 });
    let (kernel_version, tick_rate_hz) = (Some(110_200), Some(1000));
    let info = Event::TraceInfo {
        format_version: 1,
        core_count: 1,
        flags: 1,
        kernel_version,
        tick_rate_hz,
    };
    let recording = [
        frame(0, Event::TsResolutionNs { ns_per_ts: 1000 }),
        frame(0, info),
        name(1, b"low"),
        name(2, b"medium"),
        name(3, b"high"),
        frame(0, Event::QueueName { queue_id, name: Str(b"bus") }),
        frame(0, Event::QueueKind { queue_id, kind: QueueKind::BINARY_SEMAPHORE }),
        priority(1, 1),
        priority(2, 3),
        priority(3, 5),
        runs(0, 1),
        take(100),
        frame(150, Event::TaskStackHighWaterMark { task_id: 1, bytes: 72 }),
        wakes(200, 3),
        runs(210, 3),
        frame(300, Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait }),
        runs(310, 1),
        wakes(400, 2),
        runs(410, 2),
        frame(3410, Event::CurtaskNotifyTake { index: 0, value: 0, value_after: 0 }),
        frame(3410, Event::CurtaskDelay { ticks: 1 }),
        runs(3410, 1),
        give(3500),
        wakes(3505, 3),
        runs(3510, 3),
        take(3520),
        wakes(4000, 2),
        give(4010),
        frame(4020, Event::CurtaskDelay { ticks: 1 }),
        runs(4030, 2),
        frame(9030, Event::Valmarker { valmarker_id: 1, val: 0 }),
    ];
    let folder = Folder::new("stats-waits");
    let ran = run(&["stats", &folder.file("r.bin", &recording.concat())]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    approved(&golden("stats_waits.txt"), &text(ran.stdout));
}

#[test]
fn json_and_csv_have_the_numbers_of_the_recording() {
    let folder = Folder::new("stats-json");
    let file = folder.file("r.bin", &by_hand());
    let json: Value = serde_json::from_slice(&run(&["stats", "--json", &file]).stdout).unwrap();
    assert_eq!(json["recording"]["length_ns"], 300_000);
    assert_eq!(json["recording"]["bytes"], by_hand().len());
    assert_eq!(json["recording"]["events"], 38);
    assert_eq!(json["recording"]["lost_events"], 0);
    // Longest first: the idle task, then low (81 us), then high (49 us).
    assert_eq!(json["tasks"][1]["name"], "low");
    assert_eq!(json["tasks"][1]["run_ns"], 71_000);
    assert_eq!(json["tasks"][1]["cpu_share"], 0.236667);
    assert_eq!(json["tasks"][2]["run_burst"]["max_ns"], 43_000);
    assert_eq!(json["interrupts"][0]["own_ns"], 10_000);
    assert_eq!(json["mutexes"][0]["inversions"]["count"], 1);
    // From the block until it has the mutex.
    assert_eq!(json["mutexes"][0]["wait"]["median_ns"], 21_000);
    assert_eq!(json["queues"][1]["full_ns"], Value::Null);
    assert_eq!(json["markers"][0]["spans"]["p99_ns"], 30_000);
    assert_eq!(json["values"][0]["min"], -7);
    let blocked = json!({"task": "high", "task_id": 2, "cause": "mutex bus", "count": 1,
        "total_ns": 19_000, "max_ns": 19_000, "max_at_ns": 137_000, "open": null,
        "open_ns": null, "cut": null});
    assert!(json["blocked"].as_array().unwrap().contains(&blocked));
    let switches = json["events"].as_array().unwrap().iter();
    let switches = switches.clone().find(|it| it["event"] == "task_switched_in").unwrap();
    assert_eq!(switches["count"], 7);

    let csv = text(run(&["stats", "--csv", &file]).stdout);
    for line in [
        "table,row,name,field,value",
        "tasks,1,low,run_ns,71000",
        "mutexes,0,bus,inversions.median_ns,19000",
        "recording,0,,length_ns,300000",
    ] {
        assert!(csv.lines().any(|it| it == line), "{line}: {csv}");
    }
}

#[test]
fn stats_take_several_inputs_and_tell_damage() {
    let (zero, one) = (vector("mc_split.core0.bin"), vector("mc_split.core1.bin"));
    let ran = run(&["stats", "--json", &format!("{zero}@0"), &format!("{one}@1")]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(json["cores"].as_array().unwrap().len(), 2);
    for core in json["cores"].as_array().unwrap() {
        let part = |name: &str| core[name].as_i64().unwrap();
        let sum = part("task_ns") + part("idle_ns") + part("isr_ns") + part("unknown_ns");
        assert_eq!(sum, json["recording"]["length_ns"]);
        assert!((20..=40).contains(&core["load_over_time"].as_array().unwrap().len()));
    }

    let folder = Folder::new("stats-damage");
    let bytes =
        [by_hand(), vec![3, 50, 1, 0], frame(301, Event::DroppedEvtCnt { cnt: 5 })].concat();
    let file = folder.file("r.bin", &bytes);
    let ran = run(&["stats", "--json", &file]);
    assert_fails(&ran, 1, &["unknown event id 50", "5 events lost"]);
    let json: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(json["recording"]["damaged_frames"], 1);
    assert_eq!(json["recording"]["lost_events"], 5);
    let gap = json!({
        "at_ns": 301_000, "core": 0, "lost_events": 5, "what": "gap of lost events"
    });
    assert_eq!(json["gaps"], json!([gap]));
    assert_eq!(json["recording"]["gaps"], 1);
    assert_eq!(json["findings"].as_array().unwrap().len(), 2);
    let ran = run(&["-q", "stats", &file]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    let nothing = folder.file("text", b"no recording at all, but a text\n");
    let ran = run(&["stats", &nothing]);
    assert_fails(&ran, 2, &["not a tband recording"]);
    assert!(ran.stdout.is_empty());
}

#[test]
fn long_tables_are_cut_unless_all_is_asked_for() {
    let folder = Folder::new("stats-long");
    let mut bytes = Vec::new();
    for task_id in 1..=40 {
        bytes.extend(frame(u64::from(task_id) * 10, Event::TaskSwitchedIn { task_id }));
    }
    let file = folder.file("r.bin", &bytes);
    let short = text(run(&["stats", &file]).stdout);
    assert!(short.contains("  ... and 10 more; --all shows them\n"), "{short}");
    let long = text(run(&["stats", "--all", &file]).stdout);
    assert!(!long.contains("--all shows") && long.contains("task 33"), "{long}");
}

/// Tasks that have ended, or never ran, take one line; one that starves is not among them.
#[test]
fn past_tasks_take_one_line() {
    let folder = Folder::new("stats-past");
    let task_id = 60;
    let mut bytes = [
        frame(0, Event::TsResolutionNs { ns_per_ts: 1000 }),
        frame(0, Event::TaskName { task_id: 50, name: Str(b"starved") }),
        frame(0, Event::TaskName { task_id, name: Str(b"unused") }),
        frame(1, Event::TaskToRdyState { task_id: 50 }),
        frame(1, Event::TaskSwitchedIn { task_id: 40 }),
    ]
    .concat();
    for task_id in 1..=3 {
        let ts = 100 * u64::from(task_id);
        bytes.extend(frame(ts, Event::TaskSwitchedIn { task_id }));
        bytes.extend(frame(ts + 10, Event::TaskDeleted { task_id }));
        bytes.extend(frame(ts + 10, Event::TaskSwitchedIn { task_id: 40 }));
    }
    let file = folder.file("r.bin", &bytes);
    let short = text(run(&["stats", &file]).stdout);
    let line = "  ... and 3 that are no more, which ran for 30.00 us, 1 that never ran nor waited; \
                --all shows them\n";
    assert!(short.contains(line), "{short}");
    assert!(short.contains("starved") && !short.contains("unused"), "{short}");
    let long = text(run(&["stats", "--all", &file]).stdout);
    assert!(!long.contains("--all shows") && long.contains("unused"), "{long}");
    let json: Value = serde_json::from_slice(&run(&["stats", "--json", &file]).stdout).unwrap();
    let states = json["tasks"].as_array().unwrap().iter().map(|task| &task["state"]);
    let expected = ["running", "ready", "deleted", "deleted", "deleted", "not known"];
    assert_eq!(states.collect::<Vec<_>>(), expected);
}

/// A number that is used by several objects in turn has a row for each, with its time.
#[test]
fn reused_numbers_have_separate_rows() {
    let folder = Folder::new("stats-again");
    let runs = |ts, task_id| frame(ts, Event::TaskSwitchedIn { task_id });
    let name = |task_id, name| frame(0, Event::TaskName { task_id, name: Str(name) });
    let task = |ts, called| {
        [
            frame(ts - 20, Event::TaskCreated { task_id: 1 }),
            name(1, called),
            frame(ts - 10, Event::TaskToRdyState { task_id: 1 }),
            runs(ts, 1),
        ]
        .concat()
    };
    let queue = |ts, called: &'static [u8], len_after| {
        [
            frame(ts, Event::QueueCreated { queue_id: 1 }),
            frame(0, Event::QueueName { queue_id: 1, name: Str(called) }),
            frame(ts, Event::QueueSend { queue_id: 1, len_after }),
        ]
        .concat()
    };
    let recording = [
        frame(0, Event::TsResolutionNs { ns_per_ts: 1000 }),
        name(2, b"main"),
        runs(0, 2),
        task(100, b"first"),
        queue(110, b"early", 7),
        frame(200, Event::TaskDeleted { task_id: 1 }),
        runs(200, 2),
        frame(210, Event::QueueDeleted { queue_id: 1 }),
        task(300, b"second"),
        queue(310, b"late", 3),
        runs(440, 2),
        frame(450, Event::Valmarker { valmarker_id: 1, val: 0 }),
        // The other one gets another name, and counts as another from then on.
        name(2, b"renamed"),
        frame(500, Event::Valmarker { valmarker_id: 1, val: 0 }),
    ];
    let file = folder.file("r.bin", &recording.concat());
    let json: Value = serde_json::from_slice(&run(&["stats", "--json", &file]).stdout).unwrap();
    let row = |name: &str| {
        let tasks = json["tasks"].as_array().unwrap();
        let row = tasks.iter().find(|row| row["name"] == name).unwrap();
        json!([row["id"], row["run_ns"], row["created_at_ns"], row["ended_at_ns"], row["state"]])
    };
    assert_eq!(row("first"), json!([1, 100_000, 80_000, 200_000, "deleted"]));
    assert_eq!(row("second"), json!([1, 140_000, 280_000, null, "ready"]));
    assert_eq!(row("main"), json!([2, 210_000, null, 450_000, "deleted"]));
    assert_eq!(row("renamed"), json!([2, 50_000, null, null, "running"]));
    let queue = |at: usize| {
        let row = &json["queues"][at];
        json!([row["name"], row["max_level"], row["created_at_ns"], row["ended_at_ns"]])
    };
    assert_eq!(queue(0), json!(["early", 7, 110_000, 210_000]));
    assert_eq!(queue(1), json!(["late", 3, 310_000, null]));
    let out = text(run(&["stats", "--all", &file]).stdout);
    assert!(out.contains("  first     1  0.080ms  0.200ms"), "{out}");
    assert!(out.contains("  late    1  0.310ms        -"), "{out}");
}

/// A terminal of the usual width shows each line completely, for any recording.
#[test]
fn no_line_is_wider_than_a_terminal() {
    let long =
        Str(b"a task with a name that is a good deal longer than names of tasks usually are");
    let folder = Folder::new("stats-width");
    let bytes = [by_hand(), frame(0, Event::TaskName { task_id: 2, name: long })].concat();
    let mut files = vec![folder.file("r.bin", &bytes)];
    files.extend(["freertos_sim.bin", "mc_split.core0.bin", "truncated.bin"].map(vector));
    for file in files {
        let ran = run(&["-q", "stats", "--all", &file]);
        let out = text(ran.stdout);
        assert!(out.starts_with("length"), "{file}");
        for line in out.lines() {
            assert!(line.chars().count() <= 80, "{file}: {line}");
        }
    }
}

#[test]
fn names_do_not_steer_the_terminal() {
    let folder = Folder::new("stats-escape");
    let evil = Str(b"a\x1b[31m\nb");
    let bytes = [by_hand(), frame(0, Event::TaskName { task_id: 2, name: evil })].concat();
    let out = text(run(&["stats", &folder.file("r.bin", &bytes)]).stdout);
    assert!(!out.contains('\u{1b}'));
}

#[test]
fn check_explains_each_kind_of_finding() {
    let folder = Folder::new("check");
    let bytes = [
        by_hand(),
        // Before the damage, after which it might be right.
        frame(310, Event::IsrExit { isr_id: 1 }),
        vec![3, 50, 1, 0],
        vec![9, 9, 0, 7, 7, 7, 0],
        frame(290, Event::TaskSwitchedIn { task_id: 1 }),
        frame(320, Event::DroppedEvtCnt { cnt: 2 }),
        frame(330, Event::DroppedEvtCnt { cnt: 9 }),
        vec![4, 84],
    ]
    .concat();
    folder.file("damaged.bin", &bytes);
    folder.file("whole.bin", &by_hand());
    let check = |args: &[&str]| finish(cli(args).current_dir(&folder.0));
    let ran = check(&["check", "damaged.bin"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    approved(&golden("check.txt"), &text(ran.stdout));
    let ran = check(&["check", "whole.bin"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let expected = "whole.bin: whole\n38 events in 300.0 us; 1 core, 3 tasks, 1 interrupt\n";
    assert_eq!(text(ran.stdout), expected);
    for (file, code) in [("damaged.bin", 1), ("whole.bin", 0)] {
        let ran = check(&["check", "--quiet", file]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(code), ""));
        assert!(ran.stdout.is_empty());
    }
    folder.file("text.txt", b"no recording at all, but a text\n");
    assert_fails(&check(&["check", "text.txt"]), 2, &["not a tband recording"]);
    assert_fails(&check(&["check", "none.bin"]), 2, &["cannot read none.bin"]);
}

/// Names that did not fit the target's metadata buffer: how many, and how large it should be, to the letter.
#[test]
fn check_reports_the_required_metadata_buffer_size() {
    let folder = Folder::new("check-names");
    let names_lost = |cnt, size_needed| {
        let event = Event::MetadataDropped { core_id: 0, cnt, size_needed };
        folder.file("r.bin", &[frame(0, event), by_hand()].concat());
        let reported = |command: &[&str]| {
            let ran = finish(cli(command).current_dir(&folder.0));
            assert_eq!(ran.code, Some(1));
            text(ran.stdout) + &ran.stderr
        };
        (reported(&["check", "r.bin"]), reported(&["conv", "-o", "t.pftrace", "r.bin"]))
    };
    let advice = |lost: &str, remedy: &str| {
        format!("{lost} names lost on core 0: its metadata buffer was full ({remedy})")
    };
    for (cnt, size_needed, remedy) in [
        (7, Some(345), "set tband_configMETADATA_BUF_SIZE to 345 or more"),
        (1, Some(65534), "set tband_configMETADATA_BUF_SIZE to 65534 or more"),
        // The maximum of the count, and the report of older recorders.
        (9, Some(65535), "raise tband_configMETADATA_BUF_SIZE"),
        (2, None, "raise tband_configMETADATA_BUF_SIZE"),
    ] {
        let (check, conv) = names_lost(cnt, size_needed);
        let advice = advice(&cnt.to_string(), remedy);
        assert!(check.contains(&advice), "{check}");
        assert!(conv.contains(&advice), "{conv}");
    }
}

/// Whatever kinds of events there are, cores and tasks are those that the recording has.
#[test]
fn check_counts_what_the_recording_has() {
    let folder = Folder::new("check-counts");
    let resolution = || frame(0, Event::TsResolutionNs { ns_per_ts: 1000 });
    let name = |task_id| frame(0, Event::TaskName { task_id, name: Str(b"t") });
    let isr_name = frame(0, Event::IsrName { isr_id: 1, name: Str(b"tick") });
    let marker = |ts| frame(ts, Event::Evtmarker { evtmarker_id: 1, msg: Str(b"") });
    let value = |ts| frame(ts, Event::Valmarker { valmarker_id: 1, val: 5 });
    let switch = |ts, task_id| frame(ts, Event::TaskSwitchedIn { task_id });
    let core = |core_id| frame(0, Event::CoreId { core_id });
    let (kernel_version, tick_rate_hz) = (None, None);
    let info = |core_count| Event::TraceInfo {
        format_version: 1,
        core_count,
        flags: 1,
        kernel_version,
        tick_rate_hz,
    };
    let info = |core_count| frame(0, info(core_count));
    let file = |name: &str, frames: &[Vec<u8>]| folder.file(name, &frames.concat());
    file("markers", &[resolution(), marker(10), marker(30)]);
    file("values", &[resolution(), value(20), value(50)]);
    file("tasks", &[resolution(), name(1), name(2), switch(10, 1), switch(30, 3)]);
    file("meta", &[resolution(), name(1), name(2), isr_name]);
    file("meta_of_two", &[resolution(), info(2), name(1)]);
    file("one_of_two", &[resolution(), info(2), value(20), value(50)]);
    file("shared", &[resolution(), core(0), value(20), core(3), marker(30)]);
    file("at_zero", &[resolution(), value(0)]);

    let check = |args: &str| {
        let args: Vec<&str> = ["check"].into_iter().chain(args.split(' ')).collect();
        let ran = finish(cli(&args).current_dir(&folder.0));
        assert_eq!(ran.stderr, "");
        let text = text(ran.stdout);
        (ran.code.unwrap(), text.lines().nth(1).unwrap().to_owned())
    };
    for (args, code, expected) in [
        ("markers", 0, "3 events in 20.00 us; 1 core, 0 tasks, 0 interrupts"),
        ("values", 0, "3 events in 30.00 us; 1 core, 0 tasks, 0 interrupts"),
        ("at_zero", 0, "2 events in 0 ns; 1 core, 0 tasks, 0 interrupts"),
        // The named core of a file, with neither a task nor an interrupt.
        ("tasks@0 values@1", 0, "8 events in 40.00 us; 2 cores, 3 tasks, 0 interrupts"),
        ("markers@5 values@2", 0, "6 events in 40.00 us; 2 cores, 0 tasks, 0 interrupts"),
        ("shared", 0, "5 events in 10.00 us; 2 cores, 0 tasks, 0 interrupts"),
        ("meta@0 tasks@1", 0, "9 events in 20.00 us; 1 core, 3 tasks, 0 interrupts"),
        // The number of cores is not known. There is no event either, which is a finding.
        ("meta", 1, "4 events, metadata only; cores unknown, 2 tasks, 0 interrupts"),
        ("meta -c 2", 1, "4 events, metadata only; 2 cores, 2 tasks, 0 interrupts"),
        ("meta_of_two", 1, "3 events, metadata only; 2 cores, 1 task, 0 interrupts"),
        // One core's file is missing.
        (
            "one_of_two",
            0,
            "4 events in 30.00 us; 2 cores (1 without events), 0 tasks, 0 interrupts",
        ),
        ("one_of_two@0 tasks@1", 0, "9 events in 40.00 us; 2 cores, 3 tasks, 0 interrupts"),
        (
            "-c 4 shared",
            0,
            "5 events in 10.00 us; 4 cores (2 without events), 0 tasks, 0 interrupts",
        ),
        // More than there should be, which is damage.
        ("-c 1 shared", 1, "5 events in 10.00 us; 2 cores, 0 tasks, 0 interrupts"),
    ] {
        assert_eq!(check(args), (code, expected.to_owned()), "{args}");
    }
}

#[test]
fn check_reports_the_recorded_event_classes() {
    let folder = Folder::new("check-classes");
    let frames = |flags| {
        let (kernel_version, tick_rate_hz) = (None, None);
        let info = Event::TraceInfo {
            format_version: 1,
            core_count: 1,
            flags,
            kernel_version,
            tick_rate_hz,
        };
        [
            frame(0, Event::TsResolutionNs { ns_per_ts: 1000 }),
            frame(0, info),
            frame(10, Event::Valmarker { valmarker_id: 1, val: 5 }),
        ]
        .concat()
    };
    let with = |name: &str, flags| {
        folder.file(name, &frames(flags));
        let text = finish(cli(&["check", name]).current_dir(&folder.0));
        let text = String::from_utf8(text.stdout).unwrap();
        let line = text.lines().find(|line| line.starts_with("records ")).map(str::to_owned);
        let json = finish(cli(&["check", "--json", name]).current_dir(&folder.0));
        let json: Value = serde_json::from_slice(&json.stdout).unwrap();
        (line, json["classes_on"].clone(), json["classes_off"].clone())
    };
    let null = Value::Null;
    // Bits of classes mean nothing where they are not stated, as in older recordings.
    assert_eq!(with("older", 1), (None, null.clone(), null.clone()));
    assert_eq!(with("not_stated", 1 | 1 << 13), (None, null.clone(), null));
    let all = u32::MAX;
    let (line, on, off) = with("all", all);
    assert_eq!(line.as_deref(), Some("records all classes of events"));
    assert_eq!((on.as_array().unwrap().len(), off.as_array().unwrap().len()), (17, 0));
    let (line, on, off) = with("some", all & !(1 << 8 | 1 << 19));
    assert_eq!(line.as_deref(), Some("records all classes of events but QUEUE_EXTRA, API"));
    assert_eq!(on.as_array().unwrap().len(), 15);
    assert_eq!(off, serde_json::json!(["QUEUE_EXTRA", "API"]));
    // The existing buffers.
    folder.file("post-mortem", &frames(4 << 20 | 6 << 23 | 5 << 28));
    let text = finish(cli(&["check", "post-mortem"]).current_dir(&folder.0));
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("\nfirmware: post-mortem, 6144 bytes\n"), "{text}");
    let json = finish(cli(&["check", "--json", "post-mortem"]).current_dir(&folder.0));
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let buffers = serde_json::json!({
        "backend": "post-mortem", "bytes": 6144, "packets": null, "packet_bytes": null,
    });
    assert_eq!(json["firmware"]["buffers"], buffers);
    // If more classes are off, the list of those that are on is shorter.
    let (line, ..) = with("none", 1 | 1 << 2);
    assert_eq!(line.as_deref(), Some("records no class of events"));
    let (line, ..) = with("few", 1 | 1 << 2 | 1 << 5 | 1 << 6);
    assert_eq!(line.as_deref(), Some("records the classes of events TASK, QUEUE"));
}

#[test]
fn dumps_can_be_filtered() {
    let folder = Folder::new("filter");
    let file = folder.file("r.bin", &by_hand());
    let dump = |args: &[&str]| {
        let ran = run(&[&["dump", "--json"], args, &[&file]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let lines = text(ran.stdout);
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let times = |lines: &[Value]| {
        lines.iter().map(|line| line["ts"].as_u64().unwrap()).collect::<Vec<u64>>()
    };
    let all = dump(&[]);
    assert_eq!(all.len(), 38);
    // Both ends belong to it; ticks and time are equivalent.
    for (from, to) in [("109", "112"), ("109us", "0.112ms"), ("109000ns", "0.000112s")] {
        assert_eq!(times(&dump(&["--from", from, "--to", to])), [109, 110, 112]);
    }
    assert_eq!(times(&dump(&["--from", "250us"])), [250, 300]);
    // Metadata at the start takes part in the time 0.
    assert_eq!(dump(&["--to", "99us"]).len(), 13);
    let switches = dump(&["--event", "task_switched_in"]);
    assert_eq!(times(&switches), [0, 112, 131, 137, 158, 201, 232]);
    let two = dump(&["--event", "isr_enter", "--event", "isr_exit", "--limit", "1"]);
    assert_eq!(times(&two), [100]);
    assert_eq!(times(&dump(&["--event", "isr_enter,isr_exit"])), [100, 110]);
    assert!(dump(&["--limit", "0"]).is_empty());
    assert_eq!(dump(&["--limit", "3"]), all[..3]);
    assert_eq!(dump(&["--core", "0"]).len(), 38);
    assert!(dump(&["--core", "1"]).is_empty());
    // Names are known although they are not shown.
    let out = text(run(&["dump", "--from", "201", "--to", "201", &file]).stdout);
    let time = "           201        0.201000              -";
    assert_eq!(out, format!("{time}  0  task_switched_in         task_id=1(low)\n"));
}

/// So that an empty answer is not taken for an empty recording.
#[test]
fn an_empty_filter_result_is_reported() {
    let folder = Folder::new("filter-all");
    let file = folder.file("r.bin", &by_hand());
    let ran = run(&["dump", "--core", "1", &file]);
    assert_fails(&ran, 0, &["note: ", "r.bin: none of 38 events passes the filter"]);
    let ran = run(&["dump", "--limit", "0", &file]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_limit_ends_the_reading() {
    let folder = Folder::new("limit");
    let file = folder.file("r.bin", &[small(), vec![3, 50, 1, 0]].concat());
    assert_eq!(run(&["dump", "--limit", "3", &file]).code, Some(0));
    assert_eq!(run(&["dump", "--limit", "4", &file]).code, Some(1));
    // Faults are shown unless only some events are requested.
    let lines = |args: &[&str]| text(run(args).stdout).lines().count();
    assert_eq!(lines(&["dump", &file]), 4);
    assert_eq!(lines(&["dump", "--event", "task_switched_in", &file]), 2);
}

#[test]
fn wrong_filters_say_what_would_be_right() {
    let file = vector("freertos_sim.bin");
    let ran = run(&["dump", "--event", "task_switch_in", &file]);
    assert_fails(&ran, 2, &["task_switch_in", "similar value exists: 'task_switched_in'"]);
    let ran = run(&["dump", "--event", "isr_enter,nothing", &file]);
    assert_fails(&ran, 2, &["'nothing'", "'tband-cli stats' lists the events"]);
    assert!(!ran.stderr.contains("heap_malloc"), "{}", ran.stderr);
    let ran = run(&["dump", "--from", "2ms", "--to", "1ms", &file]);
    assert_fails(&ran, 2, &["--from is after --to"]);
    let ran = run(&["dump", "--from", "5 minutes", &file]);
    assert_fails(&ran, 2, &["5 minutes", "1.5ms, 300us, 2s or a number of ticks"]);
    let ran = run(&["dump", "--to", "1.5ns", &file]);
    assert_fails(&ran, 2, &["nothing is finer than 1 ns"]);
    assert_fails(&run(&["stats", "--json", "--csv", &file]), 2, &["cannot be used with"]);
    assert_fails(&run(&["check"]), 2, &["INPUT"]);
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    for command in ["stats", "check"] {
        let mut command = cli(&[command, &vector("freertos_sim.bin")]);
        let mut program = start(piped(&mut command)).unwrap();
        program.close_stdout();
        let ran = ran(program.output().unwrap());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    }
}

#[test]
fn compressed_traces_are_whole_or_not_there() {
    let folder = Folder::new("gzip");
    let recording = vector("freertos_sim.bin");
    let plain = run(&["conv", "-o", "-", &recording]).stdout;
    let unzip = |bytes: &[u8]| {
        let mut text = Vec::new();
        let mut decoder = flate2::read::MultiGzDecoder::new(bytes);
        std::io::Read::read_to_end(&mut decoder, &mut text).map(|_| text)
    };
    let out = folder.path("t.pftrace.gz");
    assert_eq!(run(&["conv", "-o", &out, &recording]).code, Some(0));
    assert_eq!(unzip(&fs::read(&out).unwrap()).unwrap(), plain);
    let ran = run(&["conv", "--gzip", "--to", "perfetto", "-o", "-", &recording]);
    assert_eq!(unzip(&ran.stdout).unwrap(), plain);
    fs::remove_file(&out).unwrap();
    let ran = run(&["conv", "--strict", "-o", &out, &vector("truncated.bin")]);
    assert_fails(&ran, 2, &["--strict"]);
    assert!(folder.names().is_empty());
    // A full disk.
    if fs::exists("/dev/full").unwrap() {
        for args in [vec!["conv", "-o", "/dev/full"], vec!["conv", "--gzip", "-o", "/dev/full"]] {
            let ran = run(&[args, vec![&recording]].concat());
            assert_fails(&ran, 2, &["error: cannot write /dev/full: No space left"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_like_a_file() {
    let folder = Folder::new("pipe");
    let expected = run(&["conv", "-o", "-", &vector("freertos_sim.bin")]).stdout;
    let pipe = folder.path("pipe");
    assert_eq!(finish(std::process::Command::new("mkfifo").arg(&pipe)).code, Some(0));
    let bytes = fs::read(vector("freertos_sim.bin")).unwrap();
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::write(pipe, bytes)
    });
    assert_eq!(run(&["conv", "-o", "-", &pipe]).stdout, expected);
    writer.join().unwrap().unwrap();
}

/// A marker at 50 us and at 250 us, from 10 us to 300 us.
fn marked() -> Vec<u8> {
    let mark = |ts| frame(ts, Event::Evtmarker { evtmarker_id: 1, msg: Str(b"here") });
    [
        frame(0, Event::TsResolutionNs { ns_per_ts: 1000 }),
        frame(0, Event::EvtmarkerName { evtmarker_id: 1, name: Str(b"spot") }),
        frame(10, Event::TaskSwitchedIn { task_id: 1 }),
        mark(50),
        frame(60, Event::TaskSwitchedIn { task_id: 2 }),
        frame(100, Event::TaskSwitchedIn { task_id: 1 }),
        mark(250),
        frame(300, Event::TaskSwitchedIn { task_id: 2 }),
    ]
    .concat()
}

fn part(args: &[&str], file: &str) -> (Value, String) {
    let ran = run(&[&["stats", "--json"], args, &[file]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json: Value = serde_json::from_slice(&ran.stdout).unwrap();
    (json["recording"].clone(), ran.stderr)
}

#[test]
fn a_part_of_a_recording_can_be_looked_at() {
    let folder = Folder::new("part");
    let file = folder.file("r.bin", &marked());
    let ends = |args: &[&str]| {
        let (part, printed) = part(args, &file);
        (part["start_ns"].as_i64().unwrap(), part["end_ns"].as_i64().unwrap(), printed)
    };
    assert_eq!(ends(&["--from", "50us", "--to", "100"]), (50_000, 100_000, String::new()));
    assert_eq!(ends(&["--around", "100us", "--span", "40us"]), (80_000, 120_000, String::new()));
    let (from, to, printed) = ends(&["--around", "spot", "--span", "20us"]);
    assert_eq!((from, to), (40_000, 60_000));
    assert_eq!(
        printed,
        "note: --around spot: at 50.00 us, the first of 2 times; for another one give its time\n"
    );
    // By its text too; and within the recording.
    assert_eq!(ends(&["--around", "here"]).0, 10_000);
    let ran = run(&["stats", "--around", "nowhere", &file]);
    assert_fails(&ran, 2, &["no event marker has the name or text \"nowhere\""]);
    let ran = run(&["stats", "--span", "1ms", &file]);
    assert_fails(&ran, 2, &["--around <WHERE>", "stats"]);
    // Times of two parts add up; only the content of the part counts.
    let tasks = |args: &[&str]| {
        let ran = run(&[&["stats", "--json"], args, &[&file]].concat());
        let json: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let of = |id: u64| {
            let task = json["tasks"].as_array().unwrap().iter().find(|it| it["id"] == id);
            task.unwrap()["run_ns"].as_i64().unwrap()
        };
        (of(1), of(2), json["recording"]["events"].as_u64().unwrap())
    };
    let (whole, first, then) = (tasks(&[]), tasks(&["--to", "80us"]), tasks(&["--from", "80us"]));
    assert_eq!((first.0 + then.0, first.1 + then.1), (whole.0, whole.1));
    assert_eq!((first, then), ((50_000, 20_000, 5), (200_000, 20_001, 3)));
}

#[test]
fn reports_an_empty_window() {
    let folder = Folder::new("part-odd");
    let file = folder.file("r.bin", &marked());
    let (json, printed) = part(&["--from", "1ms"], &file);
    assert_eq!((&json["length_ns"], &json["events"]), (&json!(0), &json!(0)));
    assert!(
        printed.contains("no event is in the window: the recording ends before it, at 300"),
        "{printed}"
    );
    let (_, printed) = part(&["--to", "5us"], &file);
    assert!(printed.contains("the recording begins after it, at 10.00 us"), "{printed}");
    let (json, printed) = part(&["--from", "110us", "--to", "120us"], &file);
    assert!(printed.contains("no event is in the window: none from 110"), "{printed}");
    // The running task is still known.
    assert_eq!(json["length_ns"], 10_000);
    for command in ["conv", "stats", "dump"] {
        let ran = run(&[command, "--from", "2ms", "--to", "1ms", &file]);
        assert_fails(&ran, 2, &["--from is after --to", &format!("Usage: tband-cli {command}")]);
    }
    // Ticks and time are compared once the clock is known.
    let ran = run(&["stats", "--from", "200", "--to", "100us", &file]);
    assert_fails(&ran, 2, &["--from is after --to: that is at 200.0 us, this at 100.0 us"]);
    // From a pipe as well, although a search for the marker comes first.
    let ran = run_with_stdin(&["dump", "--around", "spot", "--span", "20us", "-"], &marked());
    assert_eq!(text(ran.stdout).lines().count(), 2, "{}", ran.stderr);
    let ran = run_with_stdin(&["stats", "--json", "--around", "spot", "-"], &marked());
    assert_eq!(ran.code, Some(0));
}

#[test]
fn conv_takes_a_format_and_a_time() {
    let folder = Folder::new("conv-to");
    let file = folder.file("r.bin", &marked());
    let conv = |args: &[&str]| run(&[&["conv", "-o", "-"], args, &[&file]].concat());
    let whole = conv(&[]);
    assert!(conv(&["--output-format", "perfetto"]).stdout == whole.stdout);
    // As Tonbandgerät's tool has it.
    assert!(conv(&["--to", "perfetto"]).stdout == whole.stdout);
    let part = conv(&["--to", "80us"]);
    assert!(part.code == Some(0) && part.stdout.len() < whole.stdout.len());
    assert!(conv(&["--to", "80us", "--to", "perfetto"]).stdout == part.stdout);
    assert!(conv(&["--to", "perfetto", "--from", "0", "--to", "80"]).stdout == part.stdout);
    let around = conv(&["--around", "spot", "--to", "perfetto"]);
    assert_eq!(around.code, Some(0), "{}", around.stderr);
    let usage = "Usage: tband-cli conv";
    for (args, text) in [
        (&["--to", "1ms", "--to", "2ms"][..], "--to can be given once"),
        (&["--to", "perfetto", "--to", "perfetto"], "--to can be given once"),
        (&["--to", "ctf1", "--output-format", "ctf2"], "name different formats"),
        (&["--to", "1ms", "--around", "spot"], "cannot be used with --around"),
    ] {
        assert_fails(&conv(args), 2, &[text, usage]);
    }
    let wanted = "--output-format names a format";
    assert_fails(&conv(&["--to", "svg"]), 2, &["'svg' for '--to", wanted]);
    assert_fails(&conv(&["--output-format", "svg"]), 2, &["'svg' for '--output-format", "ctf2"]);
    // The messages are about the written file.
    let out = folder.path("t.pftrace");
    let ran = run(&["conv", "--to", "80us", "-o", &out, &file]);
    assert!(ran.stderr.contains("t.pftrace: 5 events"), "{}", ran.stderr);
}

#[test]
fn a_check_can_be_read_by_programs() {
    let folder = Folder::new("check-json");
    let bytes = [marked(), frame(301, Event::DroppedEvtCnt { cnt: 5 })].concat();
    let file = folder.file("r.bin", &bytes);
    let ran = run(&["check", "--json", &file]);
    assert_eq!(ran.code, Some(1));
    let json: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!((&json["verdict"], &json["cores"]), (&json!("losses"), &Value::Null));
    let finding = &json["findings"][0];
    assert_eq!(
        (&finding["severity"], &finding["amount"], &finding["offset"]),
        (&json!("loss"), &json!(5), &json!(marked().len()))
    );
    let good = run(&["check", "--json", "-q", &vector("freertos_sim.bin")]);
    let json: Value = serde_json::from_slice(&good.stdout).unwrap();
    assert_eq!((good.code, &json["verdict"]), (Some(0), &json!("whole")));
}

/// The rows of `load` in the answer of `stats --json`: of each window of each core its begin, its end and the sum of times.
fn sums(answer: &Value) -> Vec<(i64, i64, i64)> {
    let mut sums: Vec<((u64, i64, i64), i64)> = Vec::new();
    for row in answer["load"].as_array().unwrap() {
        let number = |name: &str| row[name].as_i64().unwrap();
        let window = (row["core"].as_u64().unwrap(), number("begin_ns"), number("end_ns"));
        match sums.iter_mut().find(|(known, _)| *known == window) {
            Some((_, sum)) => *sum += number("time_ns"),
            None => sums.push((window, number("time_ns"))),
        }
    }
    sums.into_iter().map(|((_, begin, end), sum)| (begin, end, sum)).collect()
}

#[test]
fn the_load_over_time_adds_up_to_each_window() {
    let folder = Folder::new("load");
    let file = folder.file("r.bin", &by_hand());
    let stats = |every: &str| {
        let ran = run(&["stats", "--json", "--every", every, &file]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        serde_json::from_slice::<Value>(&ran.stdout).unwrap()
    };
    for (every, length, count) in [("7us", 7_000, 43), ("100us", 100_000, 3), ("1s", 1 << 40, 1)] {
        let answer = stats(every);
        let sums = sums(&answer);
        assert_eq!(sums.len(), count, "{sums:?}");
        let (start, end) = (sums[0].0, sums[count - 1].1);
        assert_eq!(end - start, answer["recording"]["length_ns"].as_i64().unwrap());
        for ((begin, until, sum), n) in sums.iter().zip(0..) {
            assert_eq!(*sum, until - begin, "{every}");
            assert_eq!((*begin, *until), (start + n * length, end.min(start + (n + 1) * length)));
        }
        let rows = answer["load"].as_array().unwrap();
        for (table, time) in [("tasks", "run_ns"), ("interrupts", "own_ns")] {
            for row in answer[table].as_array().unwrap() {
                let own = rows.iter().filter(|it| it["name"] == row["name"]);
                let sum: i64 = own.map(|it| it["time_ns"].as_i64().unwrap()).sum();
                assert_eq!(sum, row[time].as_i64().unwrap(), "{row}");
            }
        }
    }
    let ran = run(&["stats", "--every", "100us", &file]);
    let shown = text(ran.stdout);
    assert!(shown.contains("\nLoad over time, by task and interrupt\n"), "{shown}");
    let line = shown.lines().find(|it| it.starts_with("  tick  ") && it.contains("interrupt"));
    let line = line.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(line, "tick interrupt 10.00 us 3.33 % 100.0 us");
    let csv = text(run(&["stats", "--csv", "--every", "1s", &file]).stdout);
    assert!(csv.contains("load,0,low,time_ns,"), "{csv}");
    for (every, error) in [
        ("0ms", "a window is at least 1ns long"),
        ("100", "a time with a unit is needed, such as 2ms or 300us"),
    ] {
        let ran = run(&["stats", "--every", every, &file]);
        assert!(ran.code == Some(2) && ran.stderr.contains(error), "{}", ran.stderr);
    }
}

#[test]
fn too_many_windows_are_refused() {
    let recording = [
        frame(0, Event::TsResolutionNs { ns_per_ts: 1_000_000_000 }),
        frame(0, Event::TaskSwitchedIn { task_id: 1 }),
        frame(40_000_000, Event::TaskSwitchedIn { task_id: 2 }),
    ];
    let folder = Folder::new("load-long");
    let file = folder.file("r.bin", &recording.concat());
    let ran = run(&["stats", "--every", "1ns", &file]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("--every 1 ns: the load has more than 65536 rows: take longer windows"),
        "{}",
        ran.stderr
    );
    assert_eq!(run(&["stats", "--every", "1000s", &file]).code, Some(0));
}

/// Periods of `stats` are those of the table `periods`, which follows activations.
#[test]
fn periods_are_those_of_the_table() {
    let folder = with_examples("periods");
    for file in ["before.bin", "after.bin"] {
        let ran = finish(cli(&["stats", "--json", file]).current_dir(&folder.0));
        let stats: Value = serde_json::from_slice(&ran.stdout).unwrap();
        let sql = "SELECT task, kind, how, period_ns, releases, missed, period_jitter_ns, release_jitter_ns FROM periods WHERE \
                   how IN ('nominal', 'found')";
        let ran = finish(cli(&["query", "--json", sql, file]).current_dir(&folder.0));
        let rows: Vec<Value> =
            text(ran.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found = stats["periods"].as_array().unwrap();
        assert_eq!(rows.len(), found.len(), "{rows:?} {found:?}");
        assert_eq!(rows.iter().filter(|row| row["how"] == "nominal").count(), 2);
        for row in &rows {
            let own =
                found.iter().find(|it| it["name"] == row["task"] && it["kind"] == row["kind"]);
            let own = own.unwrap_or_else(|| panic!("{row}: {found:?}"));
            if row["how"] == "found" && row["kind"] == "task" {
                // An item that comes while the task is busy releases an activation, but ends no wait.
                assert_eq!(row["period_ns"], own["period_ns"], "{row} {own}");
                let [all, ends] = [row, own].map(|it| it["releases"].as_i64().unwrap());
                assert!(ends <= all && all - ends <= all / 50, "{row} {own}");
                continue;
            }
            for (column, value) in row.as_object().unwrap() {
                let member = if column == "task" { "name" } else { column };
                assert_eq!(*value, own[member], "{column}: {row} {own}");
            }
            if row["how"] == "found" {
                continue;
            }
            let start = own["start_jitter_ns"].as_i64().unwrap();
            assert!(start > 0 && start < 200_000_000, "{own}");
        }
    }
}

/// Random programs have inversions, since their tasks take one lock, and no other mistake.
#[test]
fn random_programs_have_no_false_finding() {
    let folder = Folder::new("findings-random");
    for seed in 1..=10 {
        let file = folder.path("r.bin");
        let options = generate::Options {
            size: 200_000,
            seed,
            cores: 1 + u32::from(seed % 3 == 0),
            ..generate::Options::default()
        };
        generate::run(&options, None, Path::new(&file)).unwrap();
        let ran = run(&["check", "--json", &file]);
        let check: Value = serde_json::from_slice(&ran.stdout).unwrap();
        for it in check["highlights"].as_array().unwrap() {
            assert!(["inversion", "load"].contains(&it["id"].as_str().unwrap()), "{seed}: {it}");
        }
    }
}
