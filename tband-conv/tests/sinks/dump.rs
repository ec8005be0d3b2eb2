//! The text of events in a dump: names of objects, meanings of numbers.

use tband_conv::Input;
use tband_conv::clock::moment::Moment;
use tband_conv::dump::{DumpFormat, DumpOptions, ObjectSelector, dump};
use tband_format::Event::*;
use tband_format::Str;
use tband_format::named::TimerCommand;
use tband_recordings::{Recording, str};

fn lines(recording: &Recording, format: DumpFormat) -> Vec<String> {
    let mut out = Vec::new();
    dump(&[Input::from_bytes("d", &recording.0)], DumpOptions::of(format), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Between the end of an object and the name of the next one with its number, the number has no name.
#[test]
fn a_deleted_object_loses_its_name() {
    let reported = |name: &'static str| {
        Recording::default()
            .meta(TaskName { task_id: 1, name: str(name) })
            .meta(QueueName { queue_id: 1, name: str(name) })
            .meta(StreamBufferName { stream_buffer_id: 1, name: str(name) })
            .meta(EventGroupName { event_group_id: 1, name: str(name) })
            .meta(TimerName { timer_id: 1, name: str(name) })
    };
    let delete = TimerCommand::DELETE;
    let dies = Recording::default()
        .at(1, QueueDeleted { queue_id: 1 })
        .at(2, StreamBufferDeleted { stream_buffer_id: 1 })
        .at(3, EventGroupDeleted { event_group_id: 1 })
        .at(4, TimerCommandReceived { timer_id: 1, command: delete, value: 0 })
        .at(5, TaskDeleted { task_id: 1 });
    let again = Recording::default()
        .at(6, TaskCreated { task_id: 1 })
        .at(7, QueueCreated { queue_id: 1 })
        .at(8, StreamBufferCreated { stream_buffer_id: 1, size: 9, trigger_level: 1 })
        .at(9, EventGroupCreated { event_group_id: 1 })
        .at(9, TimerCreated { timer_id: 1, period: 5, auto_reload: 0, callback: 0 });
    let used = Recording::default().at(10, QueueSend { queue_id: 1, len_after: 1 });
    let recording = reported("old")
        .raw(&dies.0)
        .raw(&again.0)
        .raw(&reported("new").0)
        .raw(&used.0)
        .raw(&dies.0);
    let lines = lines(&recording, DumpFormat::Text);
    let named = |lines: &[String], name: &str| {
        lines.iter().filter(|line| line.contains(&format!("({name})"))).count()
    };
    assert_eq!(named(&lines[5..10], "old"), 5, "{lines:#?}");
    assert_eq!(named(&lines[10..15], "old"), 0, "{lines:#?}");
    assert_eq!(named(&lines[20..], "new"), 6, "{lines:#?}");
    // Also where one is picked by its name, and of several files.
    for count in [1, 2] {
        let queue = Some(ObjectSelector::Name("old".into()));
        let mut out = Vec::new();
        let inputs = [Input::from_bytes("d", &recording.0), Input::from_bytes("e", b"").on_core(1)];
        let wanted = DumpOptions { queue, ..DumpOptions::default() };
        let summary = dump(&inputs[..count], wanted, &mut out).unwrap();
        assert_eq!(summary.shown, 2, "{}", String::from_utf8_lossy(&out));
    }
}

/// A name beyond the maximum length is cut where it is stored, not where it is reported.
#[test]
fn endless_names_are_cut() {
    let name = "ä".repeat(1000);
    let recording = Recording::default()
        .meta(TaskName { task_id: 1, name: str(&name) })
        .at(5, TaskSwitchedIn { task_id: 1 });
    let lines = lines(&recording, DumpFormat::Text);
    assert!(lines[0].ends_with(&format!("name=\"{name}\"")), "{}", lines[0]);
    assert!(lines[1].ends_with(&format!("task_id=1({}…)", "ä".repeat(250))), "{}", lines[1]);
}

/// Lines between two times, of a recording of old and one of new firmware, with and without a rate given.
#[test]
fn times_of_a_filter_are_those_of_the_clock() {
    let mark = |val| Valmarker { valmarker_id: 1, val };
    let shown = |recording: &Recording, from_ns, to_ns, rate: Option<&str>| {
        let wanted = DumpOptions {
            from: Some(Moment::Ns(from_ns)),
            to: Some(Moment::Ns(to_ns)),
            tick_rate: rate.map(|rate| rate.parse().unwrap()),
            ..DumpOptions::of(DumpFormat::Json)
        };
        let mut out = Vec::new();
        dump(&[Input::from_bytes("d", &recording.0)], wanted, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let vals = text.lines().filter_map(|line| line.split_once("\"val\":"));
        vals.map(|(_, val)| val.trim_end_matches('}').to_owned()).collect::<Vec<_>>().join(" ")
    };
    let old = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 16 })
        .at(63, mark(63))
        .at(64, mark(64))
        .at(65, mark(65));
    assert_eq!(shown(&old, 1000, 1024, None), "63 64");
    assert_eq!(shown(&old, 1000, 1014, Some("64M")), "64");
    let new = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 16 })
        .at(0, TsFrequency { numerator: 64_000_000, denominator: 1 })
        .at(63, mark(63))
        .at(64, mark(64))
        .at(64, TsFrequency { numerator: 1_000_000, denominator: 1 })
        .at(65, mark(65))
        .at(66, mark(66));
    assert_eq!(shown(&new, 1000, 2000, None), "64 65");
    assert_eq!(shown(&new, 2000, 3000, Some("32M")), "64 65");
    let late = Recording::default().at(u64::MAX - 1, mark(1)).at(u64::MAX, mark(2));
    assert_eq!(shown(&late, 1, 1, None), "2");
}

/// Task 2 runs from 20 us to 40 us, interrupted at 30 us; task 1 before and after. Each event has a number.
fn two_tasks() -> Recording {
    Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(TaskName { task_id: 1, name: str("one") })
        .meta(TaskName { task_id: 2, name: str("two") })
        .meta(QueueName { queue_id: 5, name: str("rx") })
        .at(10, TaskSwitchedIn { task_id: 1 })
        .at(11, QueueSend { queue_id: 5, len_after: 1 })
        .at(12, TaskToRdyState { task_id: 2 })
        .at(20, TaskSwitchedIn { task_id: 2 })
        .at(21, QueueReceive { queue_id: 5, len_after: 0 })
        .at(30, IsrEnter { isr_id: 9 })
        .at(31, QueueSendFromIsr { queue_id: 5, len_after: 1 })
        .at(32, IsrExit { isr_id: 9 })
        .at(33, Valmarker { valmarker_id: 1, val: 7 })
        .at(40, TaskSwitchedIn { task_id: 1 })
        .at(41, Valmarker { valmarker_id: 1, val: 8 })
}

/// Whatever bytes a text has, programs and people read the same: bytes that are not UTF-8 become U+FFFD.
#[test]
fn json_contains_any_text_completely() {
    for byte in 1..=u8::MAX {
        let text = [b'x', byte, b'y'];
        let recording = Recording::default().at(1, Evtmarker { evtmarker_id: 1, msg: Str(&text) });
        let lines = lines(&recording, DumpFormat::Json);
        let line: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
        let expected = String::from_utf8_lossy(&text);
        assert_eq!(line["msg"], *expected, "{byte}");
    }
}

#[test]
fn a_limit_makes_no_stranger_of_a_recording_that_begins_with_damage() {
    let mut bytes = vec![0xFF, 0xFF, 0];
    bytes.extend_from_slice(&two_tasks().0);
    let dumped = |bytes: &[u8]| {
        let (input, mut out) = (Input::from_bytes("r", bytes), Vec::new());
        let wanted = DumpOptions { limit: Some(0), ..DumpOptions::default() };
        dump(&[input], wanted, &mut out).map(|summary| (String::from_utf8(out).unwrap(), summary))
    };
    let (text, summary) = dumped(&bytes).unwrap();
    assert_eq!((&text[..], summary.defects), ("", 1));
    // Damage alone is not a recording, however little of it is selected.
    dumped(&[0xFF, 0xFF, 0].repeat(100)).unwrap_err();
}
