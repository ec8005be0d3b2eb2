//! Events that a filter on the target leaves out: the omission is reported, and absence is not concluded from it.

use tband_conv::sinks::Perfetto;
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::classes::CLASSES;
use tband_recordings::{Recording, timeline_of, two_tasks};

/// Only this class is left out.
fn without(it: Recording, ts: u64, class: &str) -> Recording {
    let class = CLASSES.iter().find(|it| it.name == class).expect("a class");
    let mut words = [0_u32; 8];
    for id in class.events {
        words[usize::from(*id) / 32] |= 1 << (id % 32);
    }
    let facts: Vec<_> = (0..8).filter(|word| words[*word as usize] != 0).collect();
    let it = it.at(ts, Filter { of: 8, is: (facts.len() as u32) << 8 });
    facts.into_iter().fold(it, |it, of| it.at(ts, Filter { of, is: words[of as usize] }))
}

fn with_all(it: Recording, ts: u64) -> Recording {
    it.at(ts, Filter { of: 8, is: 0 })
}

fn text(it: &Recording) -> String {
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &it.0)], &Options::default());
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
    text
}

fn has(text: &str, line: &str) -> bool {
    text.lines().any(|it| it.trim_start() == line)
}

#[test]
fn the_summary_and_perfetto_have_it() {
    let it = two_tasks().at(1, TaskSwitchedIn { task_id: 1 });
    let it = with_all(without(it, 2, "QUEUE"), 5);
    let it = it.at(6, Filter { of: 8, is: 1 | 1 << 8 }).at(6, Filter { of: 16, is: 2 });
    let it = it.at(9, TaskSwitchedIn { task_id: 2 });
    let inputs = [Input::from_bytes("r", &it.0)];
    let mut trace = Vec::new();
    let mut sink = Perfetto::new(&mut trace as &mut dyn std::io::Write);
    let summary = convert(&inputs, &Options::default(), &mut sink).expect("a recording");
    let times: Vec<_> =
        summary.left_out.iter().map(|it| (it.what.as_str(), it.by, it.from_ns, it.to_ns)).collect();
    assert_eq!(times, [("class QUEUE", "firmware", 20, Some(50)), ("task b", "host", 60, None)]);
    drop(sink);
    let trace = String::from_utf8_lossy(&trace);
    assert!(
        trace.contains("Not recorded")
            && trace.contains("not recorded")
            && trace.contains("class QUEUE")
    );
    let mut text = tband_conv::sinks::TimelineText::new(Vec::new());
    let mut options = Options::default();
    options.from = Some(tband_conv::clock::moment::Moment::Ns(30));
    convert(&inputs, &options, &mut text).expect("a window");
    let text = String::from_utf8(text.into_inner()).expect("text");
    assert!(text.contains("30 0 class QUEUE: not recorded from here on"), "{text}");
}

/// A class is shed, by one fact, or none is.
fn shed_class(it: Recording, ts: u64, class: Option<&str>) -> Recording {
    let Some(class) = class else { return with_all(it, ts) };
    let class = CLASSES.iter().find(|it| it.name == class).expect("a class");
    let word = u32::from(class.events[0]) / 32;
    assert!(class.events.iter().all(|id| u32::from(*id) / 32 == word), "{}", class.name);
    let is = class.events.iter().fold(0, |is, id| is | 1 << (id % 32));
    it.at(ts, Filter { of: 8, is: 1 << 8 }).at(ts, Filter { of: 64 + word, is })
}

/// A recording whose target sheds two classes, one of them twice.
fn shed() -> Recording {
    let it = two_tasks().at(1, TaskSwitchedIn { task_id: 1 });
    let it = it.at(2, QueueSend { queue_id: 1, len_after: 3 });
    let it = shed_class(it, 3, Some("QUEUE")).at(3, TaskSwitchedIn { task_id: 2 });
    let it = shed_class(it, 5, Some("QUEUE")).at(5, Shed { class: 6, n: 7 });
    let it = shed_class(it, 6, Some("HEAP")).at(6, Shed { class: 6, n: 2 });
    let it = shed_class(it.at(7, Shed { class: 13, n: 1 }), 8, Some("QUEUE"));
    // An unknown class, and none.
    let it = it.at(9, Shed { class: 25, n: 4 }).at(9, Shed { class: 99, n: 5 });
    it.at(12, TaskSwitchedIn { task_id: 1 })
}

#[test]
fn shed_events_are_unknown_and_counted() {
    let it = shed();
    let text = text(&it);
    for line in [
        "30 0 class QUEUE, shed: not recorded from here on",
        "50 0 class QUEUE: 7 events shed",
        "60 0 class QUEUE, shed: recorded again",
        "60 0 class HEAP, shed: not recorded from here on",
        "60 0 class QUEUE: 2 events shed",
        "70 0 class HEAP: 1 event shed",
        "80 0 class HEAP, shed: recorded again",
        "80 0 class QUEUE, shed: not recorded from here on",
        "90 0 class 25: 4 events shed",
        // It may wait for a queue.
        "30 0 a: running -> unknown",
    ] {
        assert!(has(&text, line), "{line}: {text}");
    }
    assert!(text.contains("unknown level"), "{text}");
    let (_, summary) = timeline_of(&[Input::from_bytes("r", &it.0)], &Options::default());
    let classes: Vec<_> = summary
        .shed
        .iter()
        .map(|it| (it.name(), it.events, it.times, it.ns, it.since_ns))
        .collect();
    assert_eq!(
        classes,
        [
            ("QUEUE".into(), 9, 2, 30 + 41, Some(80)),
            ("HEAP".into(), 1, 1, 20, None),
            ("25".into(), 4, 0, 0, None),
        ]
    );
    assert_eq!(summary.left_out, [], "no filter was set");
}

#[test]
fn a_choice_and_what_is_shed_are_two_things() {
    let it = without(two_tasks().at(1, TaskSwitchedIn { task_id: 1 }), 2, "QUEUE");
    // The same filter, and the same class is shed.
    let queue = CLASSES.iter().find(|it| it.name == "QUEUE").expect("a class").events;
    let is = queue.iter().fold(0, |is, id| is | 1_u32 << (id - 96));
    let it = it.at(3, Filter { of: 8, is: 2 << 8 }).at(3, Filter { of: 3, is });
    let it = it.at(3, Filter { of: 64 + 3, is });
    let it = without(it, 5, "QUEUE").at(9, TaskSwitchedIn { task_id: 2 });
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &it.0)], &Options::default());
    assert!(has(&text, "30 0 class QUEUE, shed: not recorded from here on"), "{text}");
    assert!(has(&text, "50 0 class QUEUE, shed: recorded again"), "{text}");
    assert!(!has(&text, "50 0 class QUEUE: recorded again"), "{text}");
    let time = &summary.left_out[0];
    assert_eq!((time.what.as_str(), time.by, time.to_ns), ("class QUEUE", "firmware", None));
    assert_eq!((summary.shed[0].times, summary.shed[0].ns, summary.shed[0].events), (1, 20, 0));
}

#[test]
fn perfetto_has_slices_and_counts_of_what_is_shed() {
    let it = shed();
    let mut trace = Vec::new();
    let mut sink = Perfetto::new(&mut trace as &mut dyn std::io::Write);
    convert(&[Input::from_bytes("r", &it.0)], &Options::default(), &mut sink).expect("a recording");
    drop(sink);
    let trace = String::from_utf8_lossy(&trace);
    for name in ["class QUEUE, shed", "class HEAP, shed", "class QUEUE, events shed"] {
        assert!(trace.contains(name), "{name}");
    }
}
