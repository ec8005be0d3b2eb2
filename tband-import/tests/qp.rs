//! QS and RKH: recordings against what other decoders print of the same bytes, and against logs of the programs.

mod support;

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;
use support::recording;
use tband_conv::diagnostics::Problem;
use tband_conv::events::EventReader;
use tband_conv::item::{Item, Mode};
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event;
use tband_format::decode::Decoded;

/// A fact of a recording: its time in ticks, its kind, its subject, and a text.
type Fact = (u64, &'static str, String, String);

/// The facts of a recording that are compared.
fn facts(bytes: &[u8]) -> Vec<Fact> {
    let mut events = EventReader::new(bytes, 0, Mode::FreeRtos);
    let (mut names, mut rows) = (HashMap::new(), HashMap::new());
    let (mut found, mut running): (Vec<Fact>, u32) = (Vec::new(), 0);
    while let Some(Item { event, .. }) = events.next_item().unwrap() {
        let Ok(Decoded { ts, event }) = event else { continue };
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let name = |id: u32| names.get(&id).cloned().unwrap_or_default();
        let row = |id: u32| -> String { rows.get(&id).cloned().unwrap_or_default() };
        let mut add = |what, of, text| found.push((ts.unwrap() & 0xFFFF_FFFF, what, of, text));
        match event {
            Event::TaskName { task_id, name } => drop(names.insert(task_id, text(name.0))),
            Event::EvtmarkerName { evtmarker_id, name } => {
                drop(rows.insert(evtmarker_id, text(name.0)));
            }
            Event::ValmarkerName { valmarker_id, name } => {
                drop(rows.insert(valmarker_id, text(name.0)));
            }
            Event::TaskSwitchedIn { task_id } => {
                running = task_id;
                add("in", name(task_id), String::new());
            }
            Event::TaskEvtmarkerBegin { msg, .. } => add("begins", name(running), text(msg.0)),
            Event::TaskEvtmarkerEnd { .. } => add("ends", name(running), String::new()),
            Event::QueueSend { queue_id, .. } | Event::QueueSendFromIsr { queue_id, .. } => {
                add("post", name(queue_id), String::new());
            }
            Event::QueueReceive { queue_id, len_after } => {
                add("get", name(queue_id), len_after.to_string());
            }
            Event::Evtmarker { evtmarker_id, msg } => add("text", row(evtmarker_id), text(msg.0)),
            Event::EvtmarkerBegin { evtmarker_id, msg } => {
                add("span", row(evtmarker_id), text(msg.0));
            }
            Event::Valmarker { valmarker_id, val } => {
                add("value", row(valmarker_id), val.to_string());
            }
            _ => {}
        }
    }
    found
}

/// The text after `key` up to a comma.
fn field<'a>(line: &'a str, key: &str) -> &'a str {
    let rest = line.split_once(key).unwrap_or_else(|| panic!("no {key} in {line}")).1;
    rest.split([',', '>']).next().unwrap()
}

/// What QSPY prints, as facts.
fn printed(text: &str) -> Vec<Fact> {
    let mut all = Vec::new();
    let mut now = 0;
    for line in text.lines() {
        let (time, rest) = line.split_at(line.len().min(10));
        let rest = rest.trim_start();
        now = time.trim().parse().unwrap_or(now);
        let mut add =
            |what, of: &str, text: &str| all.push((now, what, of.to_owned(), text.to_owned()));
        let words: Vec<&str> = rest.split_whitespace().collect();
        match words.first().copied().unwrap_or_default() {
            "Disp===>" => add("begins", field(rest, "Obj="), field(rest, "Sig=")),
            "=>Intern" | "=>Ignore" => add("ends", field(rest, "Obj="), ""),
            "===>Tran" => {
                add("ends", field(rest, "Obj="), "");
                let to = rest.split_once("->").unwrap().1;
                add("span", &format!("{} state", field(rest, "Obj=")), to);
            }
            "Init===>" => {
                add("span", &format!("{} state", field(rest, "Obj=")), field(rest, "State="))
            }
            "AO-Post" => add("post", field(rest, ",Obj="), ""),
            "AO-GetL" => add("get", field(rest, "Obj="), "0"),
            "MP-Get" | "MP-Put" => {
                let free = rest.split_once("Free=").unwrap().1.split(',').next().unwrap();
                add("value", &format!("{} free blocks", field(rest, "Obj=")), free);
            }
            "TE0-Arm" => {
                add("span", field(rest, "Obj="), &format!("{} ticks", field(rest, "Tim=")))
            }
            "PHILO_STAT" => add("text", "PHILO_STAT", rest.split_once(' ').unwrap().1.trim_start()),
            _ => {}
        }
    }
    all
}

/// Each dispatch, end, post, get, state, pool, timer and record of the application that QSPY prints is there, and no other.
#[test]
fn records_of_qs_are_those_that_qspy_prints() {
    let found = facts(&recording("qp/qs.bin"));
    let printed = printed(&String::from_utf8(recording("qp/qs.expected.txt")).unwrap());
    for (kind, count) in [
        ("begins", 60),
        ("ends", 60),
        ("post", 61),
        ("get", 60),
        ("span", 0),
        ("value", 48),
        ("text", 23),
    ] {
        let of = |all: &[Fact]| -> Vec<Fact> {
            let is_compared = |fact: &&Fact| match (kind, &*fact.2) {
                ("text", row) => row == "PHILO_STAT",
                ("value", row) => row.ends_with("free blocks"),
                _ => true,
            };
            let all = all.iter().filter(|it| it.1 == kind).filter(is_compared);
            // In QV the object runs, and gets the event, once it is dispatched.
            let mut all: Vec<Fact> =
                all.map(|it| {
                    if kind == "get" { (0, it.1, it.2.clone(), it.3.clone()) } else { it.clone() }
                })
                .collect();
            all.iter_mut().for_each(|it| it.3.truncate(it.3.trim_end().len()));
            all.sort();
            all
        };
        let (found, printed) = (of(&found), of(&printed));
        let differs = found.iter().zip(&printed).find(|(a, b)| a != b);
        assert_eq!(differs, None, "{kind}");
        assert_eq!(found.len(), printed.len(), "{kind}");
        assert!(count == 0 || found.len() == count, "{kind}: {}", found.len());
    }
}

/// The application has printed its own log, with the same clock.
#[test]
fn records_of_the_application_are_in_its_log() {
    let found = facts(&recording("qp/qs.bin"));
    let mut found = found.iter().filter(|it| it.2 == "PHILO_STAT");
    let log = String::from_utf8(recording("qp/qs.truth.jsonl")).unwrap();
    let mut count = 0;
    for line in log.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        if event["ev"] != "philo" {
            continue;
        }
        let text = format!("{} {}", event["n"], event["text"].as_str().unwrap());
        let Some(fact) = found.next() else { break };
        assert_eq!(fact.3, text);
        let differs = event["t"].as_u64().unwrap().abs_diff(fact.0);
        assert!(differs < 2000, "{text}: {differs} ticks of 0.1 us");
        count += 1;
    }
    assert!(count >= 20, "{count}");
}

/// Frames with a good checksum; `sum` is the sum of all bytes of such a frame.
fn good_frames(bytes: &[u8], sum: u8) -> Vec<Vec<u8>> {
    let mut good = Vec::new();
    for frame in bytes.split(|byte| *byte == 0x7E).filter(|frame| !frame.is_empty()) {
        let mut plain = Vec::new();
        let mut bytes = frame.iter();
        while let Some(byte) = bytes.next() {
            match byte {
                0x7D => plain.extend(bytes.next().map(|byte| byte ^ 0x20)),
                byte => plain.push(*byte),
            }
        }
        if plain.iter().fold(0_u8, |all, byte| all.wrapping_add(*byte)) == sum {
            good.push(plain);
        }
    }
    good
}

/// The jumps of the sequence numbers at this place.
fn jumps(frames: &[Vec<u8>], at: usize) -> u64 {
    let pairs = frames.windows(2).map(|pair| pair[1][at].wrapping_sub(pair[0][at]).wrapping_sub(1));
    pairs.map(u64::from).sum()
}

#[test]
fn lost_records_are_counted() {
    for (name, sum, at, damaged) in [("qs-losses", 0xFF, 0, 10), ("rkh-damaged", 0, 1, 2)] {
        let bytes = recording(&format!("qp/{name}.bin"));
        let mut frames = good_frames(&bytes, sum);
        // The first one is the configuration of RKH, and of QS an empty record.
        frames.remove(0);
        let lost = jumps(&frames, at);
        let mut stats = Stats::default();
        let input = Input::from_bytes("r", &bytes);
        let summary = convert(&[input], &Options::default(), &mut stats).unwrap();
        let found = summary.diagnostics.get(Problem::EventsLost).unwrap();
        assert_eq!(found.amount, lost, "{name}");
        assert_eq!(summary.diagnostics.count(Problem::ForeignDamage), damaged, "{name}");
    }
}

/// Without the configuration and the names in front, sizes are inferred: the same objects do the same at the same times.
#[test]
fn recordings_that_begin_late_have_the_same_events() {
    for (name, after) in [("qs", 2_784_900_000), ("rkh", 3_434_700_000)] {
        let bytes = recording(&format!("qp/{name}.bin"));
        let kinds = |bytes: &[u8]| -> Vec<(u64, &'static str)> {
            let all = facts(bytes).into_iter().filter(|it| it.0 > after);
            all.filter(|it| ["begins", "ends", "post", "get"].contains(&it.1))
                .map(|it| (it.0, it.1))
                .collect()
        };
        let all = kinds(&bytes);
        assert!(all.len() > 150, "{name}: {}", all.len());
        // Where the first of these events is, less its own records and those just before.
        let late = bytes.len() / 3;
        let found = kinds(&bytes[late..]);
        assert!(found.len() * 10 > all.len() * 5, "{name}: {} of {}", found.len(), all.len());
        assert_eq!(all[all.len() - found.len()..], found[..], "{name}");
    }
}

/// Names may be in a text in front, which is that of the `.dic` file.
#[test]
fn names_may_be_in_a_text_in_front() {
    let bytes = recording("qp/qs.bin");
    let expected = String::from_utf8(recording("qp/qs.expected.txt")).unwrap();
    let (mut objects, mut functions, mut signals) = (String::new(), String::new(), String::new());
    for line in expected.lines() {
        let entry = |key: &str| line.trim().strip_prefix(key)?.split_once("->");
        if let Some((address, name)) = entry("Obj-Dict ") {
            objects.push_str(&format!("{address} {name}\n"));
        }
        if let Some((address, name)) = entry("Fun-Dict ") {
            functions.push_str(&format!("{address} {name}\n"));
        }
        if let Some((rest, name)) = entry("Sig-Dict ") {
            let (signal, object) = rest.split_once(",Obj=").unwrap();
            let signal: u32 = signal.parse().unwrap();
            signals.push_str(&format!("{signal:08} {object} {name}\n"));
        }
    }
    let text = format!(
        "-v720\n-q2\nObj-Dic:\n8\n{objects}***\nFun-Dic:\n8\n{functions}***\n\
         Usr-Dic:\n1\n0x00000064 PHILO_STAT\n***\nSig-Dic:\n8\n{signals}***\n"
    );
    let late = bytes.len() / 3;
    let found = facts(&[text.as_bytes(), &bytes[late..]].concat());
    let all = facts(&bytes);
    let begins =
        |all: &[Fact]| -> Vec<Fact> { all.iter().filter(|it| it.1 == "begins").cloned().collect() };
    let (found, all) = (begins(&found), begins(&all));
    assert!(found.len() > 30, "{}", found.len());
    assert_eq!(all[all.len() - found.len()..], found[..]);
}

/// The other decoder prints a line for each event, and the program has logged when it switches its light on and off.
#[test]
fn events_of_rkh_are_those_that_are_printed_and_logged() {
    let found = facts(&recording("qp/rkh.bin"));
    let printed = String::from_utf8(recording("qp/rkh.decoded.txt")).unwrap();
    for (event, kind) in [
        ("SM_DCH", "begins"),
        ("SMA_FIFO", "post"),
        ("SMA_GET", "get"),
        ("TMR_START", "span"),
        ("SM_STATE", "span"),
    ] {
        let times = printed.lines().filter(|line| line.contains(&format!(" {event} ")));
        let times: Vec<u64> =
            times.map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
        let is_state =
            |it: &&Fact| kind != "span" || it.2.ends_with(" state") == (event == "SM_STATE");
        let found = found.iter().filter(|it| it.1 == kind).filter(is_state);
        let mut found: Vec<u64> = found.map(|it| it.0).collect();
        let mut times = times;
        if kind == "get" {
            // An object gets an event once it is dispatched.
            (found, times) = (vec![0; found.len()], vec![0; times.len()]);
        }
        found.sort_unstable();
        times.sort_unstable();
        assert_eq!(found, times, "{event}");
    }
    let states: Vec<&Fact> =
        found.iter().filter(|it| it.1 == "span" && it.2 == "blinky state").collect();
    let log = String::from_utf8(recording("qp/rkh.truth.jsonl")).unwrap();
    // The recording ends before the state in which the last one is recorded.
    assert_eq!(states.len(), log.lines().count() - 1);
    for (line, state) in log.lines().zip(states) {
        let event: Value = serde_json::from_str(line).unwrap();
        let name = if event["ev"] == "led_on" { "ledOn" } else { "ledOff" };
        assert_eq!(state.3, name);
        assert!(event["t"].as_u64().unwrap().abs_diff(state.0) < 200, "{line} {state:?}");
    }
}

/// QK records each switch by its priority. The recordings are those of the tools of QP, where they are.
#[test]
fn switches_of_qk_are_those_that_qspy_prints() {
    let folder = Path::new("../../shared/recorders/qs");
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there", folder.display());
        return;
    }
    for (name, count) in
        [("qtools-dpp-qpc-812-cortex-m", 120), ("qtools-dpp-qpc-no-dictionary", 55)]
    {
        let read = |ending: &str| std::fs::read(folder.join(format!("{name}.{ending}"))).unwrap();
        let found = facts(&read("bin")).into_iter().filter(|it| it.1 == "in");
        // The kernel starts with a switch that it does not record.
        let found: Vec<u64> = found.map(|it| it.0).collect();
        let printed = String::from_utf8(read("expected.txt")).unwrap();
        let is_switch = |line: &&str| line.contains(" Sch-Next ") || line.contains(" Sch-Idle ");
        let times: Vec<u64> = printed
            .lines()
            .filter(is_switch)
            .map(|line| line.split(' ').next().unwrap().parse().unwrap())
            .collect();
        let missing = times.iter().filter(|time| !found.contains(time)).count();
        assert_eq!((missing, times.len()), (0, count), "{name}");
        assert!(found.len() <= count + 2, "{name}: {}", found.len());
    }
}

/// A frame of QS.
fn frame(number: u8, record: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = [&[number, record][..], data].concat();
    bytes.push(!bytes.iter().fold(0, |sum: u8, byte| sum.wrapping_add(*byte)));
    let escaped = bytes.iter().flat_map(|byte| match byte {
        0x7E | 0x7D => vec![0x7D, byte ^ 0x20],
        _ => vec![*byte],
    });
    escaped.chain([0x7E]).collect()
}

/// Records of tests have their names and times, with any sizes of fields.
#[test]
fn records_of_tests_are_named() {
    for (time, function) in [(2, 8), (4, 4)] {
        let sized = |value: u64, len: usize| value.to_le_bytes()[..len].to_vec();
        let info = [1, 0xD9, 2, 0x22, 0x21, 0x22, 4 | (function as u8) << 4, time as u8];
        let info = [&info[..], &[8, 0x11, 1, 2, 3, 4, 5, 26]].concat();
        // A recording is recognised by many good frames.
        let done = vec![(65, [sized(400, time), vec![9]].concat()); 20];
        let records = [
            (64, info),
            (58, Vec::new()),
            (62, [sized(0x1234, function), b"probe\0".to_vec()].concat()),
            (59, [sized(100, time), sized(0x1234, function), sized(7, 4)].concat()),
            (65, [sized(200, time), vec![9]].concat()),
            (66, vec![3]),
            (67, [sized(300, time), vec![0], sized(0x7E7D, 4), vec![1, 2]].concat()),
        ];
        let frames = records.iter().chain(&done).enumerate();
        let bytes: Vec<u8> =
            frames.flat_map(|(number, (id, data))| frame(number as u8, *id, data)).collect();
        let mut events = EventReader::new(&bytes[..], 0, Mode::FreeRtos);
        let mut found = Vec::new();
        while let Some(Item { event, .. }) = events.next_item().unwrap() {
            let Decoded { ts, event } = event.unwrap();
            if let Event::Evtmarker { msg, .. } = event {
                found.push((ts.unwrap(), msg.to_string()));
            }
        }
        let expected = [
            (0, "TEST_PAUSED"),
            (100, "TEST_PROBE_GET by probe"),
            (200, "TARGET_DONE 9"),
            (200, "RX_STATUS 3"),
            (300, "QUERY_DATA of 0x00007e7d"),
        ];
        let expected = expected.map(|(time, text)| (time, text.to_owned()));
        assert_eq!(found[..5], expected);
    }
}
