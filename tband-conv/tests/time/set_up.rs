//! Evidence of a recording about a wrong setup of the recorder, and none about a correct one: wrong times, nothing recorded,
//! functions that return the opposite value.

use tband_conv::diagnostics::{Problem, Severity};
use tband_conv::{Input, Options};
use tband_format::Event::{self, *};
use tband_recordings::set_up::{
    MHZ, assert_finding_text, assert_sound, begin, found, info, is_sound, start,
};
use tband_recordings::{Recording, str, timeline_of};

/// A recording of a timer of 1 MHz that begins with this; the running task is unknown.
fn start_of(info: Event<'_>) -> Recording {
    begin(info, MHZ)
}

/// `count` events with their timestamps from a function.
fn markers(recording: Recording, count: u64, ts: impl Fn(u64) -> u64) -> Recording {
    (0..count).fold(recording, |it, n| it.at(ts(n), Valmarker { valmarker_id: 1, val: 5 }))
}

fn bare(hz: u64) -> Recording {
    Recording::default().at(0, TsFrequency { numerator: hz, denominator: 1 })
}

#[test]
fn a_timer_that_never_ran() {
    let check_setting = |recording: &Recording| {
        assert_finding_text(recording, Problem::TimerNotRunning, "the timer does not run");
    };
    check_setting(&markers(bare(100 * MHZ), 1544, |n| n / 70));
    check_setting(&markers(bare(MHZ), 1544, |_| 0));
    check_setting(&markers(Recording::default(), 100, |_| 77));
    // Two cores at a time.
    let recording = markers(bare(100 * MHZ), 500, |_| 0).at(0, CoreId { core_id: 1 });
    check_setting(&markers(recording, 500, |_| 0));
    // A coarse timer in a short recording, and a fast core.
    assert_sound(&markers(bare(1000), 300, |_| 3));
    assert_sound(&markers(bare(1000 * MHZ), 5000, |n| n * 20));
    assert_sound(&markers(bare(MHZ), 5000, |n| n / 20));
    // This few are not evidence.
    assert_sound(&markers(bare(MHZ), 20, |_| 5));
    // Its frequency is not reported.
    assert_sound(&markers(Recording::default(), 300, |n| n));
}

#[test]
fn a_timer_that_is_extended_wrongly() {
    let down = |n: u64| (n << 32) | (0xFFFF_0000 - n * 3000);
    assert_finding_text(&markers(bare(72 * MHZ), 50, down), Problem::FalseWraps, "counts down");
    let narrow = |n: u64| ((n / 6) << 32) | ((n % 6) * 10_000);
    assert_finding_text(&markers(bare(MHZ), 100, narrow), Problem::FalseWraps, "fewer bits");
    // It is reported once.
    assert_eq!(found(&markers(bare(MHZ), 500, narrow)).count(Problem::FalseWraps), 1);
    // Two cores in one recording are checked separately.
    let two = |recording: Recording, ts: fn(u64) -> u64| {
        (0..100).fold(recording, |it, n| {
            it.at(ts(n), CoreId { core_id: (n % 2) as u32 })
                .at(ts(n), Valmarker { valmarker_id: 1, val: 5 })
        })
    };
    assert_finding_text(&two(bare(72 * MHZ), down), Problem::FalseWraps, "counts down");
    assert_sound(&two(bare(72 * MHZ), |n| n * 4_300_000_000));
}

#[test]
fn nothing_recorded() {
    let names = Recording::default()
        .meta(TaskName { task_id: 1, name: str("a") })
        .meta(EvtmarkerName { evtmarker_id: 1, name: str("m") });
    assert_finding_text(
        &names,
        Problem::NothingRecorded,
        "was not started, or the events were not read",
    );
    let started =
        names.clone().meta(info(None)).at(5, TsFrequency { numerator: 1, denominator: 1 });
    assert_finding_text(&started, Problem::NothingRecorded, "nothing happened");
    // A start also reports that nothing was dropped.
    let reported = started.clone().at(5, DroppedEvtCnt { cnt: 0 });
    assert_finding_text(&reported, Problem::NothingRecorded, "nothing happened");
    assert_eq!(found(&reported).count(Problem::SilentKernel), 0);
    let without_tasks = Recording::default().meta(info(Some(1000))).at(0, DroppedEvtCnt { cnt: 0 });
    assert_finding_text(&without_tasks, Problem::NothingRecorded, "nothing happened");
    assert_finding_text(&without_tasks, Problem::SilentKernel, "there is nothing of a task");
    assert_eq!(found(&reported.at(6, DroppedEvtCnt { cnt: 5 })).count(Problem::NothingRecorded), 0);
    assert_sound(&started.at(6, Valmarker { valmarker_id: 1, val: 1 }));
}

#[test]
fn a_stream_that_was_refused() {
    let refused = Recording::default().at(0, CoreId { core_id: 0 }).at(0, CoreId { core_id: 0 });
    assert_finding_text(&refused, Problem::StreamRefused, "nothing follows it");
    assert_sound(&refused.at(6, Valmarker { valmarker_id: 1, val: 1 }));
}

#[test]
fn a_kernel_without_hooks_and_a_snapshot_without_names() {
    let own = |count| markers(Recording::default().meta(info(Some(1000))), count, |n| n * 1000);
    assert_finding_text(&own(100), Problem::SilentKernel, "nothing of a task");
    assert_finding_text(
        &own(16),
        Problem::SilentKernel,
        "among 16 events there is nothing of a task",
    );
    assert_sound(&own(10));
    assert_sound(&markers(start(MHZ), 100, |n| n * 1000 + 10));
    let mut nameless = Recording::default().meta(info(Some(1000)));
    for n in 0..30 {
        nameless = nameless.at(n * 1000, TaskSwitchedIn { task_id: 1 + (n % 3) as u32 });
    }
    assert_finding_text(&nameless, Problem::NoMetadata, "none of the tasks has a name");
    let mut named = nameless;
    for task_id in 1..=2 {
        named = named.meta(TaskName { task_id, name: str("a") });
        let have = if task_id == 2 { "has" } else { "have" };
        let text = format!("{} of 3 tasks {have} no name", 3 - task_id);
        assert_finding_text(&named, Problem::NoMetadata, &text);
    }
    named = named.meta(TaskName { task_id: 3, name: str("a") });
    assert_eq!(found(&named).count(Problem::NoMetadata), 0);
}

/// An application has replaced tband's macros.
#[test]
fn macros_that_do_not_record() {
    let without = |left_out: fn(&Event<'_>) -> bool| {
        let mut recording = start_of(info(Some(1000)));
        for n in 0..20_u64 {
            let (from, to) = (n * 10_000 + 100, (n + 1) * 10_000);
            let events = [
                (from, CurtaskDelay { ticks: 10 }),
                (from + 1, TaskSwitchedIn { task_id: 2 }),
                (to, TaskToRdyState { task_id: 1 }),
                (to + 1, TaskSwitchedIn { task_id: 1 }),
                (to + 2, QueueSend { queue_id: 1, len_after: 1 }),
                (to + 3, QueueReceive { queue_id: 1, len_after: 0 }),
            ];
            let kept = events.iter().filter(|(_, event)| !left_out(event));
            recording = kept.fold(recording, |it, (at, event)| it.at(*at, *event));
        }
        recording
    };
    assert_sound(&without(|_| false));
    for (left_out, text) in [
        (
            (|event| matches!(event, TaskSwitchedIn { .. })) as fn(&Event<'_>) -> bool,
            "tasks wait 20 times, and none is ever switched in: traceTASK_SWITCHED_IN",
        ),
        (
            |event| matches!(event, TaskToRdyState { .. }),
            "none ever becomes ready: traceMOVED_TASK_TO_READY_STATE",
        ),
        (
            |event| matches!(event, QueueSend { .. }),
            "more in a queue than the sum of its events: traceQUEUE_SEND",
        ),
        (
            |event| matches!(event, QueueReceive { .. }),
            "less in a queue than the sum of its events: traceQUEUE_RECEIVE",
        ),
    ] {
        assert_finding_text(&without(left_out), Problem::SilentHook, text);
    }
    // The class TASK is off: nothing reports a switch, and waits for queues are of the class QUEUE.
    let mut queues = start_of(info(Some(1000)));
    for n in 0..40_u64 {
        queues = queues
            .at(n * 100 + 10, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 5 })
            .at(n * 100 + 20, QueueSend { queue_id: 1, len_after: 1 })
            .at(n * 100 + 30, QueueReceive { queue_id: 1, len_after: 0 });
    }
    assert_sound(&queues);
    // Only that of a queue is off, or of queues that an older kernel resets, which it does not report.
    let mut older = start_of(TraceInfo {
        format_version: 1,
        core_count: 1,
        flags: 1,
        kernel_version: Some(100_400),
        tick_rate_hz: Some(1000),
    });
    for n in 0..40_u64 {
        older = older.at(n * 100 + 20, QueueSend { queue_id: 1, len_after: 1 });
    }
    assert_sound(&older);
    // Numbers begin with 1: a task without one was created by a macro that gave it none.
    let mut numberless = start(MHZ);
    for n in 0..20_u64 {
        numberless = numberless.at(n * 100 + 20, TaskSwitchedIn { task_id: 0 });
    }
    assert_finding_text(&numberless, Problem::SilentHook, "a task with the number 0");
}

#[test]
fn names_that_are_cut_off() {
    let named = |names: &[&str]| {
        let recording = (1..).zip(names).fold(Recording::default(), |it, (task_id, name)| {
            it.meta(TaskName { task_id, name: str(name) })
        });
        found(&recording.meta(info(Some(1000))).at(1, TaskSwitchedIn { task_id: 1 }))
    };
    let text_of = |names: &[&str]| named(names).get(Problem::NameCut).map(|it| it.text.clone());
    let twice = text_of(&["communication_channe", "communication_channe", "a"]).unwrap();
    assert!(twice.contains("2 tasks are called communication_channe"), "{twice}");
    assert!(text_of(&["fifteen_letters", "fifteen_letters"]).is_some());
    assert!(text_of(&["twenty_letters_in_it", "a"]).is_some());
    for names in [
        // A longer one was recorded.
        &["fifteen_letters", "fifteen_letters", "sixteen__letters"][..],
        &["twenty_letters_in_it", "twenty_letters_in_its"],
        // No limit that projects have, and names that differ.
        &["thirteen_char", "thirteen_char"],
        &["fifteen_letters", "fifteen_letter2"],
        &["io", "io"],
        &[],
    ] {
        assert_eq!(text_of(names), None, "{names:?}");
    }
    assert!(is_sound(&named(&["twenty_letters_in_it"])));
}

#[test]
fn an_answer_the_wrong_way_round() {
    let mut reversed = Recording::default()
        .meta(info(None))
        .at(1, DroppedEvtCnt { cnt: 5 })
        .at(1, Valmarker { valmarker_id: 1, val: 1 });
    for n in 0..200 {
        reversed = reversed.at(n * 10 + 9, DroppedEvtCnt { cnt: n as u32 + 6 });
    }
    assert_finding_text(&reversed, Problem::DropsReversed, "each of them arrived");
    // A transport with a tenth of the required rate: counts arrive, and events after them do not.
    let mut slow = Recording::default().meta(info(None));
    for n in 1..200 {
        slow = slow.at(n * 1000, DroppedEvtCnt { cnt: n as u32 * 9 });
    }
    let found = found(&slow);
    assert_eq!(found.count(Problem::DropsReversed), 0);
    assert_eq!(found.worst(), Some(Severity::Loss));
}

#[test]
fn interrupts_that_are_never_left() {
    let mut recording = start(MHZ);
    for n in 0..50 {
        recording = recording
            .at(n * 1000 + 10, IsrEnter { isr_id: 7 })
            .at(n * 1000 + 20, TaskSwitchedIn { task_id: 1 + (n % 2) as u32 });
    }
    assert_finding_text(&recording, Problem::IsrExitMissing, "isr 7 is entered again on core 0");
    assert_eq!(found(&recording).count(Problem::IsrExitMissing), 49);
    // Another one inside it continues.
    let nested = start(MHZ)
        .at(10, IsrEnter { isr_id: 7 })
        .at(20, IsrEnter { isr_id: 8 })
        .at(30, IsrEnter { isr_id: 7 })
        .at(40, IsrExit { isr_id: 7 })
        .at(50, IsrExit { isr_id: 8 });
    assert_eq!(found(&nested).count(Problem::IsrExitMissing), 1);
    assert_eq!(found(&nested).count(Problem::IsrExitWithoutEnter), 0);
}

/// A handler that calls `tband_isr_exit()` and `portYIELD_FROM_ISR()`, in either order: the interrupt ends once.
#[test]
fn interrupts_that_report_their_end_twice() {
    let ends = [IsrExit { isr_id: 7 }, IsrExitToScheduler { isr_id: 7 }];
    for (first, second) in [(0, 1), (1, 0)] {
        let mut recording = start(MHZ);
        for n in 0..50 {
            let at = n * 1000;
            recording = recording
                .at(at + 10, IsrEnter { isr_id: 7 })
                .at(at + 11, TaskToRdyState { task_id: 1 + (n % 2) as u32 })
                .at(at + 20, ends[first])
                // Another one that wakes a task comes in between.
                .at(at + 21, IsrEnter { isr_id: 8 })
                .at(at + 22, TaskResumedFromIsr { task_id: 2 - (n % 2) as u32 })
                .at(at + 23, IsrExit { isr_id: 8 })
                .at(at + 30, ends[second])
                .at(at + 40, TaskSwitchedIn { task_id: 1 + (n % 2) as u32 });
        }
        let it = found(&recording);
        for problem in
            [Problem::IsrNotEntered, Problem::IsrExitWithoutEnter, Problem::IsrExitMissing]
        {
            assert_eq!(it.count(problem), 0, "{problem:?}");
        }
        // Inside another interrupt.
        let inside = start(MHZ)
            .at(10, IsrEnter { isr_id: 15 })
            .at(20, IsrEnter { isr_id: 7 })
            .at(30, ends[first])
            .at(40, ends[second])
            .at(50, IsrExit { isr_id: 15 });
        let it = found(&inside);
        for problem in
            [Problem::IsrNotEntered, Problem::IsrExitWithoutEnter, Problem::IsrExitMissing]
        {
            assert_eq!(it.count(problem), 0, "{problem:?}");
        }
        // A second end is one of the interrupt that has just ended, and not of one that was never entered.
        let more = start(MHZ)
            .at(10, IsrEnter { isr_id: 7 })
            .at(20, ends[first])
            .at(30, ends[second])
            .at(40, ends[second]);
        let it = found(&more);
        assert_eq!(it.count(Problem::IsrNotEntered) + it.count(Problem::IsrExitWithoutEnter), 1);
        let woken = start(MHZ)
            .at(10, IsrEnter { isr_id: 7 })
            .at(20, ends[first])
            .at(30, TaskToRdyState { task_id: 1 })
            .at(40, ends[second]);
        let it = found(&woken);
        assert_eq!(it.count(Problem::IsrNotEntered) + it.count(Problem::IsrExitWithoutEnter), 1);
        let switched = start(MHZ)
            .at(5, TaskSwitchedIn { task_id: 1 })
            .at(10, IsrEnter { isr_id: 7 })
            .at(20, ends[first])
            .at(30, TaskSwitchedIn { task_id: 2 })
            .at(40, ends[second]);
        let it = found(&switched);
        assert_eq!(it.count(Problem::IsrNotEntered) + it.count(Problem::IsrExitWithoutEnter), 1);
    }
}

/// The events of a handler that calls portYIELD_FROM_ISR() and not traceISR_ENTER().
#[test]
fn interrupts_that_yield_and_are_never_entered() {
    let mut recording = start(MHZ);
    for n in 0..50 {
        recording = recording
            .at(n * 1000 + 10, IsrExitToScheduler { isr_id: 7 })
            .at(n * 1000 + 20, TaskSwitchedIn { task_id: 1 + (n % 2) as u32 });
    }
    let it = found(&recording);
    let text = &it.get(Problem::IsrNotEntered).expect("it is reported").text;
    assert!(text.contains("isr 7 ends on core 0 with a switch"), "{text}");
    // The first may have begun before the recording.
    assert_eq!(it.count(Problem::IsrNotEntered), 49);
    assert_eq!(it.worst(), Some(Severity::Note));
    // After a gap it may have begun there, and inside another it has not.
    let gap = start(MHZ)
        .at(10, IsrEnter { isr_id: 7 })
        .at(15, IsrExit { isr_id: 7 })
        .at(20, DroppedEvtCnt { cnt: 1 })
        .at(30, IsrExitToScheduler { isr_id: 7 });
    assert_eq!(found(&gap).count(Problem::IsrNotEntered), 0);
    let inside = start(MHZ)
        .at(10, IsrEnter { isr_id: 7 })
        .at(15, IsrExitToScheduler { isr_id: 8 })
        .at(20, IsrExit { isr_id: 7 });
    assert_eq!(found(&inside).count(Problem::IsrNotEntered), 1);
    assert_eq!(found(&inside).count(Problem::IsrExitWithoutEnter), 0);
    assert_eq!(found(&inside).count(Problem::IsrExitMissing), 0);
}

/// Versions and rates that are 0 are not known, and are not reported.
#[test]
fn a_value_of_zero_is_unknown() {
    let zero = TraceInfo {
        format_version: 1,
        core_count: 1,
        flags: 1,
        kernel_version: Some(0),
        tick_rate_hz: Some(0),
    };
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(zero)
        .at(1, TaskSwitchedIn { task_id: 1 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (_, summary) = timeline_of(&inputs, &Options::default());
    let info = summary.trace_info.unwrap();
    assert_eq!((info.kernel_version, info.tick_rate_hz), (None, None));
}
