//! Objects beyond the limits of the converter are left out, counted, and reported by name.

use tband_conv::diagnostics::Problem;
use tband_conv::dump::{DumpOptions, dump};
use tband_conv::{ConvError, Conversion, Input, Options, convert};
use tband_format::Event::{self, *};
use tband_format::registry::event_group_flags::CLEAR_ON_EXIT;
use tband_recordings::{Recording, str, timeline_of, two_tasks};

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
        let options = Options::default();
        refused(convert(&inputs, &options, &mut ()).map(|_| ()));
        refused(Conversion::new([("r", core)], &options, ()).map(|_| ()));
        refused(dump(&inputs, DumpOptions::default(), Vec::new()).map(|_| ()));
    }
}

fn timeline(recording: &Recording) -> (String, tband_conv::diagnostics::Diagnostics) {
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

/// However deep calls seem to nest, memory stays bounded. A function that is called again there has returned.
#[test]
fn nesting_of_calls() {
    let mut recording = two_tasks().at(1, TaskSwitchedIn { task_id: 1 });
    for function in 2..102 {
        recording = recording.at(function.into(), ApiEnter { function });
    }
    for ts in 102..1000 {
        recording = recording.at(ts, ApiEnter { function: 2 });
    }
    let (text, diagnostics) = timeline(&recording);
    assert_eq!(text.matches(" begins").count(), 64 + 898);
    assert_eq!(diagnostics.count(Problem::TooMany), 100 - 64);
}

/// Waits beyond the followed ones cost no additional memory and time.
#[test]
fn waits_for_bits() {
    let (event_group_id, bits, flags) = (1, 1, CLEAR_ON_EXIT);
    let mut recording = two_tasks().at(0, EventGroupCreated { event_group_id });
    for task_id in 10..5000 {
        let ts = task_id.into();
        recording = recording
            .at(ts, TaskSwitchedIn { task_id })
            .at(
                ts,
                CurtaskBlockOnEventGroupWait { event_group_id, bits, flags, ticks_to_wait: 100 },
            )
            .at(ts, TaskSwitchedIn { task_id: 1 });
    }
    let recording = recording.at(6000, EventGroupSetBits { event_group_id, bits, bits_after: 1 });
    let (text, _) = timeline(&recording);
    assert!(text.contains("60000 0 event group 1: clear 0x1 on exit"), "{text}");
}
