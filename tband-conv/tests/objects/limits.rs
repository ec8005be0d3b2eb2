//! Objects beyond the limits of the converter are left out, counted, and reported by name.

use tband_conv::{
    ConvError, Conversion, DumpFilter, DumpFormat, Input, Mode, Options, Problem, convert, dump,
    dump_merged,
};
use tband_format::Event::{self, *};
use tband_recordings::{Recording, assert_timeline, str, timeline_of, two_tasks};

/// Maximum number of kept objects of a kind, and of open spans of a marker or interrupts of a core.
const OBJECTS: u32 = 1 << 16;
const SPANS: u32 = 512;
const INTERRUPTS: u32 = 64;

/// The maximum number of objects of a kind, then three events of others.
#[track_caller]
fn one_too_many(what: &str, event: impl Fn(u32) -> Event<'static>) {
    let mut recording = two_tasks();
    for id in 0..OBJECTS {
        recording = recording.at(1, event(id + 100));
    }
    for id in [1, 2, 1] {
        recording = recording.at(2, event(id));
    }
    let (_, diagnostics) = timeline(&recording);
    assert_eq!(diagnostics.count(Problem::TooMany), 3, "{what}");
    let text = format!("{what} 1 is not shown: {OBJECTS} of them are known already");
    assert!(diagnostics.iter().any(|it| it.to_string().contains(&text)), "{diagnostics:?}");
}

/// An invalid core number is rejected in every way to read.
#[test]
fn cores() {
    let bytes = two_tasks().at(1, IsrEnter { isr_id: 1 }).0;
    for (core, is_one) in [(63, true), (64, false), (u32::MAX, false)] {
        let inputs = [Input::from_bytes("r", &bytes).on_core(core)];
        let refused = |result: Result<(), ConvError>| match result {
            Ok(()) => assert!(is_one, "{core}"),
            Err(error) => {
                assert!(!is_one, "{error}");
                let text = format!("r: named as core {core}; cores are numbered from 0 to 63");
                assert_eq!(error.to_string(), text);
            }
        };
        let (options, mode, format) = (Options::default(), Mode::FreeRtos, DumpFormat::Text);
        refused(convert(&inputs, &options, &mut ()).map(|_| ()));
        refused(Conversion::new([("r", core)], &options, ()).map(|_| ()));
        refused(dump(&inputs[0], mode, format, Vec::new()).map(|_| ()));
        refused(dump_merged(&inputs, mode, format, DumpFilter::default(), Vec::new()).map(|_| ()));
    }
}

fn timeline(recording: &Recording) -> (String, tband_conv::Diagnostics) {
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    (text, summary.diagnostics)
}

#[test]
fn queues() {
    one_too_many("queue", |queue_id| QueueSend { queue_id, len_after: 1 });
    one_too_many("queue", |queue_id| QueuePeek { queue_id });
    one_too_many("queue", |queue_id| QueuePeekFromIsrFailed { queue_id });
}

/// A task that waits for an object beyond the limit is not ready, and the end of its wait is unknown.
#[test]
fn waits() {
    type EventPair = (fn(u32) -> Event<'static>, fn(u32) -> Event<'static>);
    let kinds: [EventPair; 4] = [
        (
            |queue_id| QueueSend { queue_id, len_after: 1 },
            |queue_id| CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait: 7 },
        ),
        (
            |stream_buffer_id| StreamBufferReceive { stream_buffer_id, amount: 1, level_after: 1 },
            |stream_buffer_id| CurtaskBlockOnStreamBufferReceive {
                stream_buffer_id,
                ticks_to_wait: 7,
            },
        ),
        (
            |stream_buffer_id| StreamBufferSendFailed { stream_buffer_id },
            |stream_buffer_id| CurtaskBlockOnStreamBufferSend {
                stream_buffer_id,
                ticks_to_wait: 7,
            },
        ),
        (
            |event_group_id| EventGroupWaitEnd { event_group_id, bits: 1, flags: 0, found: 1 },
            |event_group_id| CurtaskBlockOnEventGroupWait {
                event_group_id,
                bits: 1,
                flags: 0,
                ticks_to_wait: 7,
            },
        ),
    ];
    for (other, block) in kinds {
        let mut recording = two_tasks();
        for id in 0..OBJECTS {
            recording = recording.at(1, other(id + 100));
        }
        let recording = recording
            .at(10, TaskSwitchedIn { task_id: 1 })
            .at(11, block(1))
            .at(12, TaskSwitchedIn { task_id: 2 })
            // It calls the kernel again, so it did not wait.
            .at(13, block(1))
            .at(14, other(1))
            .at(15, TaskToRdyState { task_id: 1 })
            .at(16, TaskSwitchedIn { task_id: 1 })
            .at(17, block(200))
            .at(18, other(1))
            .at(19, TaskSwitchedIn { task_id: 2 });
        let (text, diagnostics) = timeline(&recording);
        assert_eq!(diagnostics.count(Problem::TooMany), 4, "{:?}", block(1));
        let states = |line: &&str| line.contains(" -> ");
        assert_eq!(
            text.lines().filter(states).map(str::trim).collect::<Vec<_>>(),
            [
                "100 0 a: unknown -> running",
                "120 0 a: running -> unknown",
                "120 0 b: unknown -> running",
                "150 0 a: unknown -> ready",
                "160 0 b: running -> ready",
                "160 0 a: ready -> running",
                "190 0 a: running -> ready",
                "190 0 b: ready -> running",
            ],
            "{:?}",
            block(1)
        );
    }
}

#[test]
fn markers() {
    one_too_many("evtmarker", |evtmarker_id| Evtmarker { evtmarker_id, msg: str("") });
    one_too_many("evtmarker", |evtmarker_id| EvtmarkerBegin { evtmarker_id, msg: str("") });
    one_too_many("valmarker", |valmarker_id| Valmarker { valmarker_id, val: 1 });
}

#[test]
fn open_interrupts_and_spans() {
    let mut recording = two_tasks();
    for isr_id in 0..INTERRUPTS + 3 {
        recording = recording.at(1, IsrEnter { isr_id });
    }
    for _ in 0..SPANS + 3 {
        recording = recording.at(2, EvtmarkerBegin { evtmarker_id: 5, msg: str("") });
    }
    let (text, diagnostics) = timeline(&recording);
    let lines = |what: &str| text.lines().filter(|line| line.contains(what)).count() as u32;
    assert_eq!((lines(" isr 63 begins"), lines(" isr 64 begins")), (1, 0), "{text}");
    assert_eq!(lines("evtmarker 5: begin"), SPANS, "{text}");
    assert_eq!(diagnostics.count(Problem::TooMany), 6);
    assert_eq!(lines("isr 64 is not shown: 64 are open on this core"), 1, "{text}");
    assert_eq!(lines("a span of evtmarker 5 is not shown: too many are open"), 3, "{text}");
}

/// A failed peek of an interrupt is reported, and changes nothing for the task below it.
#[test]
fn a_failed_peek_of_an_interrupt() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, IsrEnter { isr_id: 3 })
        .at(3, QueuePeekFromIsrFailed { queue_id: 2 })
        .at(4, QueuePeekFromIsr { queue_id: 2 })
        .at(5, IsrExit { isr_id: 3 });
    assert_timeline(
        &recording,
        "10 0 a: unknown -> running
         20 0 isr 3 begins
         30 0 queue 2: peek failed by isr 3
         40 0 queue 2: peek by isr 3
         50 0 isr 3 ends
         50 0 a: runs on
         50 end",
    );
}

/// Each kind of marker has the name that was given to it, and no other.
#[test]
fn markers_have_their_own_names() {
    let recording = two_tasks()
        .meta(EvtmarkerName { evtmarker_id: 7, name: str("event") })
        .meta(ValmarkerName { valmarker_id: 7, name: str("value") })
        .meta(TaskEvtmarkerName { evtmarker_id: 7, task_id: 1, name: str("own event") })
        .meta(TaskValmarkerName { valmarker_id: 7, task_id: 1, name: str("own value") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, Evtmarker { evtmarker_id: 7, msg: str("x") })
        .at(3, Valmarker { valmarker_id: 7, val: 1 })
        .at(4, TaskEvtmarker { evtmarker_id: 7, msg: str("y") })
        .at(5, TaskValmarker { valmarker_id: 7, val: 2 })
        .at(6, TaskSwitchedIn { task_id: 2 })
        .at(7, TaskEvtmarker { evtmarker_id: 7, msg: str("z") });
    assert_timeline(
        &recording,
        r#"10 0 a: unknown -> running
         20 0 event: "x"
         30 0 value = 1
         40 0 a's own event: "y"
         50 0 a's own value = 2
         60 0 a: running -> ready
         60 0 b: unknown -> running
         70 0 b's evtmarker 7: "z"
         70 0 b: runs on
         70 end"#,
    );
}

/// A time that steps back takes the time reached, is reported, and lengthens nothing.
#[test]
fn a_time_that_steps_back_takes_the_time_reached() {
    let recording = two_tasks()
        .at(10, TaskSwitchedIn { task_id: 1 })
        .at(20, TaskSwitchedIn { task_id: 2 })
        .at(15, QueueSend { queue_id: 1, len_after: 1 })
        .at(30, TaskSwitchedIn { task_id: 1 });
    assert_timeline(
        &recording,
        "100 0 a: unknown -> running
         200 0 a: running -> ready
         200 0 b: unknown -> running
         200 0 ! timestamp that steps back @24: timestamp 15 is 5 ticks before the previous one
         200 0 queue 1: send, level 1
         300 0 b: running -> ready
         300 0 a: ready -> running
         301 0 a: runs on
         301 end",
    );
}
