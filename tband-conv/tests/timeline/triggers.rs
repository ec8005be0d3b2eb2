//! Triggers of the firmware: the event that fired them, by name, and the end of the recording after it.

use tband_conv::dump::{DumpFormat, DumpOptions, dump};
use tband_conv::sinks::Perfetto;
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::trigger::{CRASH, EVENT, QUEUE_FULL, TriggerState};
use tband_recordings::{Recording, timeline_of, two_tasks};

fn trigger(n: u32, condition: u8, event: u8, of: u32) -> tband_format::Event<'static> {
    Trigger { n, is: TriggerState { trigger: 3, condition, event, of }.write() }
}

fn recording() -> Recording {
    two_tasks()
        .meta(QueueName { queue_id: 7, name: tband_format::Str(b"rx") })
        .at(1, QueueSend { queue_id: 7, len_after: 4 })
        .at(1, trigger(1, QUEUE_FULL, 102, 7))
        .at(2, TaskResumed { task_id: 2 })
        .at(2, trigger(u32::MAX, EVENT, 86, 2))
        .at(2, trigger(0, CRASH, 225, 0))
        // Of newer firmware.
        .at(3, trigger(4, 200, 250, 9))
        .at(4, Frozen { n: 4 })
}

#[test]
fn they_are_named() {
    let it = recording();
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &it.0)], &Options::default());
    let lines = [
        "10 0 trigger 1: queue full, queue rx",
        "20 0 trigger 4294967295: event task_resumed, task b",
        "20 0 trigger 0: crash",
        "30 0 trigger 4: condition 200",
        "40 0 frozen after trigger 4",
    ];
    for line in lines {
        assert!(text.lines().any(|it| it.trim_start() == line), "{line}: {text}");
    }
    assert_eq!(summary.triggers.len(), lines.len());
    let at = summary.triggers[0].at.as_ref().expect("it has fired");
    assert_eq!((at.trigger, &*at.event, at.object.as_deref()), (3, "queue_send", Some("queue rx")));
    assert_eq!(summary.triggers[0].ns, 10);
}

/// Dumps also show the number as text, with the names of objects.
#[test]
fn they_are_in_dumps() {
    let it = recording();
    let dumped = |format| {
        let mut out = Vec::new();
        let input = Input::from_bytes("r", &it.0);
        dump(&[input], DumpOptions::of(format), &mut out).expect("a recording");
        String::from_utf8(out).expect("text")
    };
    let text = dumped(DumpFormat::Text);
    let is = TriggerState { trigger: 3, condition: QUEUE_FULL, event: 102, of: 7 }.write();
    let lines = [
        &*format!("n=1 is={is} \"queue full, queue rx\""),
        "\"event task_resumed, task b\"",
        "\"crash\"",
        "\"condition 200\"",
    ];
    for line in lines {
        assert!(text.lines().any(|it| it.ends_with(line)), "{line}: {text}");
    }
    let json = dumped(DumpFormat::Json);
    let field =
        format!("\"event\":\"trigger\",\"n\":1,\"is\":{is},\"text\":\"queue full, queue rx\"}}");
    assert!(json.contains(&field), "{json}");
}

#[test]
fn they_are_in_the_trace() {
    let it = recording();
    let mut trace = Vec::new();
    let mut sink = Perfetto::new(&mut trace as &mut dyn std::io::Write);
    convert(&[Input::from_bytes("r", &it.0)], &Options::default(), &mut sink).expect("a recording");
    drop(sink);
    let has = |text: &str| trace.windows(text.len()).any(|it| it == text.as_bytes());
    assert!(
        has("trigger 1: queue full, queue rx") && has("frozen after trigger 4") && has("triggers")
    );
}
