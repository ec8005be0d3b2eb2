//! The text of events in a dump: names of objects, meanings of numbers.

use tband_conv::{
    DumpFilter, DumpFormat, Input, Mode, Moment, ObjectSelector, dump, dump_filtered, dump_merged,
};
use tband_format::Event::*;
use tband_format::{API_FUNCTIONS, NotifyAction, Str, StreamBufferKind as Kind, TimerCommand};
use tband_recordings::{Recording, str};

fn lines(recording: &Recording, format: DumpFormat) -> Vec<String> {
    let mut out = Vec::new();
    dump(&Input::from_bytes("d", &recording.0), Mode::FreeRtos, format, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn objects_are_called_by_their_names() {
    let recording = Recording::default()
        .meta(StreamBufferKind { stream_buffer_id: 1, kind: Kind::MESSAGE_BUFFER })
        .meta(StreamBufferName { stream_buffer_id: 1, name: str("log") })
        .meta(EventGroupName { event_group_id: 1, name: str("state") })
        .meta(TimerName { timer_id: 1, name: str("blink") })
        .meta(TaskName { task_id: 1, name: str("rx") })
        .at(1, StreamBufferSend { stream_buffer_id: 1, amount: 4, level_after: 8 })
        .at(2, EventGroupSetBits { event_group_id: 1, bits: 1, bits_after: 3 })
        .at(3, TimerCommandSent { timer_id: 1, command: TimerCommand::START, value: 7, result: 1 })
        .at(
            4,
            TaskNotify {
                task_id: 1,
                index: 0,
                action: NotifyAction::INCREMENT,
                value: 0,
                value_after: 2,
            },
        )
        .at(5, LowPowerIdleEnd {});
    assert_eq!(
        lines(&recording, DumpFormat::Text)[..3],
        [
            "- - - 0 stream_buffer_kind stream_buffer_id=1 kind=1(message buffer)",
            "- - - 0 stream_buffer_name stream_buffer_id=1 name=\"log\"",
            "- - - 0 event_group_name event_group_id=1 name=\"state\"",
        ]
    );
    assert_eq!(
        lines(&recording, DumpFormat::Text)[5..],
        [
            "1 - - 0 stream_buffer_send stream_buffer_id=1(log) amount=4 level_after=8",
            "2 - - 0 event_group_set_bits event_group_id=1(state) bits=1 bits_after=3",
            "3 - - 0 timer_command_sent timer_id=1(blink) command=1(start) value=7 result=1",
            "4 - - 0 task_notify task_id=1(rx) index=0 action=2(increment) value=0 value_after=2",
            "5 - - 0 low_power_idle_end",
        ]
    );
    assert_eq!(
        lines(&recording, DumpFormat::Json)[8],
        r#"{"core":0,"ts":4,"event":"task_notify","task_id":1,"index":0,"action":2,"value":0,"value_after":2}"#
    );
}

#[test]
fn functions_of_the_kernel_are_called_by_their_names() {
    let number = API_FUNCTIONS.iter().position(|it| *it == "xQueueReceive").unwrap() as u32;
    let recording = Recording::default()
        .at(1, ApiEnter { function: number })
        .at(2, ApiReturn { function: number, value: Some(1) })
        .at(3, ApiEnter { function: u32::MAX })
        // The address of a function is not one of them.
        .at(4, PendFuncCall { function: number, parameter1: 0, parameter2: 0, result: 1 });
    assert_eq!(
        lines(&recording, DumpFormat::Text),
        [
            format!("1 - - 0 api_enter function={number}(xQueueReceive)"),
            format!("2 - - 0 api_return function={number}(xQueueReceive) value=1"),
            "3 - - 0 api_enter function=4294967295".to_owned(),
            format!("4 - - 0 pend_func_call function={number} parameter1=0 parameter2=0 result=1"),
        ]
    );
}

/// A number that is used again has another name from then on.
#[test]
fn a_later_name_takes_the_place_of_the_first() {
    let recording = Recording::default()
        .meta(TaskName { task_id: 1, name: str("old") })
        .meta(StreamBufferName { stream_buffer_id: 2, name: str("a") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, TaskDeleted { task_id: 1 })
        .meta(TaskName { task_id: 1, name: str("new") })
        .meta(StreamBufferName { stream_buffer_id: 2, name: str("b") })
        .at(3, TaskSwitchedIn { task_id: 1 })
        .at(4, StreamBufferSend { stream_buffer_id: 2, amount: 4, level_after: 8 });
    let lines = lines(&recording, DumpFormat::Text);
    assert!(lines[2].ends_with("task_id=1(old)"), "{}", lines[2]);
    assert!(lines[6].ends_with("task_id=1(new)"), "{}", lines[6]);
    assert!(lines[7].contains("stream_buffer_id=2(b)"), "{}", lines[7]);
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
    for merged in [false, true] {
        let filter =
            DumpFilter { queue: Some(ObjectSelector::Name("old".into())), ..DumpFilter::default() };
        let mut out = Vec::new();
        let (mode, format) = (Mode::FreeRtos, DumpFormat::Text);
        let inputs = [Input::from_bytes("d", &recording.0)];
        let summary = match merged {
            false => dump_filtered(&inputs[0], mode, format, filter, &mut out),
            true => dump_merged(&inputs, mode, format, filter, &mut out),
        };
        assert_eq!(summary.unwrap().shown, 2, "{}", String::from_utf8_lossy(&out));
    }
}

/// A name neither ends a line nor steers the terminal.
#[test]
fn control_characters_of_names_are_not_shown() {
    let recording = Recording::default()
        .meta(TaskName { task_id: 1, name: str("a\n\u{1b}[2J") })
        .at(5, TaskSwitchedIn { task_id: 1 });
    let lines = lines(&recording, DumpFormat::Text);
    assert_eq!(lines.len(), 2);
    assert!(lines[0].ends_with(r#"name="a\n\u{1b}[2J""#), "{}", lines[0]);
    assert!(lines[1].ends_with("task_id=1(a\u{FFFD}\u{FFFD}[2J)"), "{}", lines[1]);
}

/// A letter that is not a control character cannot end a line, or turn the direction of text.
#[test]
fn names_do_not_turn_the_text_around_them() {
    let turns = "\u{202E}\u{2028}\u{2029}\u{2066}\u{200F}\u{61C}";
    let name = format!("a{turns}b");
    let recording = Recording::default()
        .meta(TaskName { task_id: 1, name: str(&name) })
        .at(5, TaskSwitchedIn { task_id: 1 });
    let lines = lines(&recording, DumpFormat::Text);
    let shown = "\u{FFFD}".repeat(turns.chars().count());
    assert!(lines[1].ends_with(&format!("task_id=1(a{shown}b)")), "{}", lines[1]);
    assert!(lines.concat().chars().all(|letter| !turns.contains(letter)), "{lines:?}");
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
        let filter = DumpFilter {
            from: Some(Moment::Ns(from_ns)),
            to: Some(Moment::Ns(to_ns)),
            tick_rate: rate.map(|rate| rate.parse().unwrap()),
            ..DumpFilter::default()
        };
        let mut out = Vec::new();
        let input = Input::from_bytes("d", &recording.0);
        dump_filtered(&input, Mode::FreeRtos, DumpFormat::Json, filter, &mut out).unwrap();
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

/// Several tasks may use one id, so the task that runs is reported as well, where it is known.
#[test]
fn task_local_markers_have_their_task() {
    let mark = || TaskEvtmarker { evtmarker_id: 1, msg: str("m") };
    let recording = Recording::default()
        .meta(TaskName { task_id: 4, name: str("sensor") })
        .at(1, mark())
        .at(2, TaskSwitchedIn { task_id: 4 })
        .at(3, mark())
        .at(4, Evtmarker { evtmarker_id: 1, msg: str("m") })
        .at(5, TaskSwitchedIn { task_id: 5 })
        .at(6, TaskValmarker { valmarker_id: 1, val: -7 })
        .at(7, DroppedEvtCnt { cnt: 3 })
        .at(8, TaskEvtmarkerEnd { evtmarker_id: 1 })
        .meta(TaskEvtmarkerName { evtmarker_id: 1, task_id: 4, name: str("n") });
    let shown = lines(&recording, DumpFormat::Text);
    let ends = |line: usize, end: &str| assert!(shown[line].ends_with(end), "{}", shown[line]);
    ends(1, "evtmarker_id=1 msg=\"m\"");
    ends(3, "evtmarker_id=1 msg=\"m\" of task 4(sensor)");
    ends(4, "evtmarker_id=1 msg=\"m\"");
    ends(6, "val=-7 of task 5");
    ends(8, "evtmarker_id=1");
    ends(9, "name=\"n\"");
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

fn filtered(recording: &Recording, filter: DumpFilter) -> Vec<String> {
    let mut out = Vec::new();
    let input = Input::from_bytes("d", &recording.0);
    dump_filtered(&input, Mode::FreeRtos, DumpFormat::Text, filter, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(words).collect()
}

fn ticks(lines: &[String]) -> Vec<&str> {
    lines.iter().map(|line| line.split(' ').next().unwrap()).collect()
}

#[test]
fn a_line_has_its_time_in_ms_and_since_the_line_before() {
    let all = filtered(&two_tasks(), DumpFilter::default());
    assert_eq!(all[0], "- - - 0 ts_resolution_ns ns_per_ts=1000");
    assert_eq!(all[4], "10 0.010000 - 0 task_switched_in task_id=1(one)");
    assert_eq!(all[5], "11 0.011000 +0.001000 0 queue_send queue_id=5(rx) len_after=1");
    assert_eq!(all[7], "20 0.020000 +0.008000 0 task_switched_in task_id=2(two)");
    // Since the line before, not since the event before.
    let marks = DumpFilter { events: vec!["valmarker".to_owned()], ..DumpFilter::default() };
    let marks = filtered(&two_tasks(), marks);
    assert_eq!(marks[1], "41 0.041000 +0.008000 0 valmarker valmarker_id=1 val=8");
    // On another core time may be earlier.
    let mixed =
        two_tasks().at(35, CoreId { core_id: 1 }).at(35, Valmarker { valmarker_id: 1, val: 9 });
    let all = filtered(&mixed, DumpFilter::default());
    assert_eq!(all[all.len() - 2], "35 0.035000 -0.006000 1 core_id core_id=1");
}

#[test]
fn events_of_a_task_or_a_queue_can_be_picked() {
    let task = |which: ObjectSelector| DumpFilter { task: Some(which), ..DumpFilter::default() };
    for two in [ObjectSelector::Id(2), ObjectSelector::Name("two".to_owned())] {
        // Its name, its wake-ups, its acts, and its last moment; not the interrupt.
        let lines = filtered(&two_tasks(), task(two));
        assert_eq!(ticks(&lines), ["-", "12", "20", "21", "33", "40"]);
    }
    let queue = |which: ObjectSelector| DumpFilter { queue: Some(which), ..DumpFilter::default() };
    for rx in [ObjectSelector::Id(5), ObjectSelector::Name("rx".to_owned())] {
        assert_eq!(ticks(&filtered(&two_tasks(), queue(rx))), ["-", "11", "21", "31"]);
    }
    let both = DumpFilter { queue: Some(ObjectSelector::Id(5)), ..task(ObjectSelector::Id(2)) };
    assert_eq!(ticks(&filtered(&two_tasks(), both)), ["21"]);
    assert!(filtered(&two_tasks(), task(ObjectSelector::Name("three".to_owned()))).is_empty());
}

/// An interrupt of which the exit was missed ends where that is reported.
#[test]
fn acts_after_a_missed_exit_belong_to_the_task() {
    let mark = |text| Evtmarker { evtmarker_id: 1, msg: str(text) };
    let recording = Recording::default()
        .meta(TaskName { task_id: 1, name: str("one") })
        .at(5, TaskSwitchedIn { task_id: 1 })
        .at(10, IsrEnter { isr_id: 3 })
        .at(15, mark("in it"))
        .at(20, IsrExitMissed { isr_id: 3 })
        .at(30, mark("after it"));
    let one = DumpFilter { task: Some(ObjectSelector::Id(1)), ..DumpFilter::default() };
    assert_eq!(ticks(&filtered(&recording, one)), ["-", "5", "30"]);
}

/// A task is not taken for one that ran before events were lost.
#[test]
fn the_running_task_is_unknown_after_a_loss() {
    let lossy = two_tasks()
        .at(50, DroppedEvtCnt { cnt: 3 })
        .at(51, Valmarker { valmarker_id: 1, val: 9 })
        .at(52, TaskSwitchedIn { task_id: 1 })
        .at(53, Valmarker { valmarker_id: 1, val: 10 });
    let one = DumpFilter { task: Some(ObjectSelector::Id(1)), ..DumpFilter::default() };
    assert_eq!(
        ticks(&filtered(&lossy, one)),
        ["-", "10", "11", "12", "20", "40", "41", "52", "53"]
    );
}

#[test]
fn several_inputs_come_in_the_order_of_time() {
    let other = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .at(5, Valmarker { valmarker_id: 2, val: 1 })
        .at(32, TaskSwitchedIn { task_id: 2 })
        .at(90, Valmarker { valmarker_id: 2, val: 2 });
    let first = two_tasks();
    let inputs = [Input::from_bytes("a", &first.0), Input::from_bytes("b", &other.0).on_core(1)];
    let merged = |filter| {
        let mut out = Vec::new();
        dump_merged(&inputs, Mode::FreeRtos, DumpFormat::Text, filter, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.lines().map(words).collect::<Vec<_>>()
    };
    let lines = merged(DumpFilter::default());
    let times: Vec<u64> = ticks(&lines).iter().filter_map(|it| it.parse().ok()).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert_eq!(lines.len(), 15 + 4);
    // Names count for all of them, and each line has its core.
    assert!(
        lines
            .iter()
            .any(|it| it.contains("32") && it.ends_with("1 task_switched_in task_id=2(two)"))
    );
    let core = DumpFilter { core: Some(1), from: Some(Moment::Ns(6000)), ..DumpFilter::default() };
    assert_eq!(ticks(&merged(core)), ["32", "90"]);
    let limited =
        DumpFilter { limit: Some(2), from: Some(Moment::Ns(6000)), ..DumpFilter::default() };
    assert_eq!(ticks(&merged(limited)), ["10", "11"]);
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

/// A later name, or another one on the other core, is shown from there on.
#[test]
fn names_are_those_that_are_known_by_then() {
    let recording = Recording::default()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .meta(TaskName { task_id: 1, name: str("one") })
        .meta(IsrName { isr_id: 1, name: str("here") })
        .at(2, TaskSwitchedIn { task_id: 1 })
        .at(3, IsrEnter { isr_id: 1 })
        .at(4, TaskSwitchedIn { task_id: 5000 })
        .at(5, CoreId { core_id: 1 })
        .at(6, IsrEnter { isr_id: 1 })
        .meta(IsrName { isr_id: 1, name: str("there") })
        .meta(TaskName { task_id: 5000, name: str("far") })
        .at(7, IsrEnter { isr_id: 1 })
        .at(8, TaskSwitchedIn { task_id: 5000 })
        .at(9, CoreId { core_id: 0 })
        .at(10, IsrEnter { isr_id: 1 });
    let shown = lines(&recording, DumpFormat::Text);
    let named: Vec<_> = shown
        .iter()
        .filter(|line| line.contains("isr_enter") || line.contains("switched"))
        .map(|line| line.rsplit('=').next().unwrap())
        .collect();
    assert_eq!(
        named,
        ["1", "1(one)", "1(here)", "5000", "1(here)", "1(there)", "5000(far)", "1(here)"]
    );
}

#[test]
fn a_limit_makes_no_stranger_of_a_recording_that_begins_with_damage() {
    let mut bytes = vec![0xFF, 0xFF, 0];
    bytes.extend_from_slice(&two_tasks().0);
    let filter = DumpFilter { limit: Some(0), ..DumpFilter::default() };
    let dumped = |bytes: &[u8]| {
        let (input, mut out) = (Input::from_bytes("r", bytes), Vec::new());
        let filter = filter.clone();
        dump_filtered(&input, Mode::FreeRtos, DumpFormat::Text, filter, &mut out)
            .map(|summary| (String::from_utf8(out).unwrap(), summary))
    };
    let (text, summary) = dumped(&bytes).unwrap();
    assert_eq!((&text[..], summary.defects), ("", 1));
    // Damage alone is not a recording, however little of it is selected.
    dumped(&[0xFF, 0xFF, 0].repeat(100)).unwrap_err();
}
