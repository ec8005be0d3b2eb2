//! Hand-made recordings and their expected timeline.

use tband_conv::{Frequency, Input, Options, Problem, Severity};
use tband_format::Event::*;
use tband_format::QueueKind as Kind;
use tband_recordings::{
    Recording, assert_timeline, on_core_ns, str, timeline_of, trace_of, two_tasks, vector,
};

#[test]
fn a_task_blocks_is_woken_and_preempts() {
    let recording = two_tasks()
        .meta(QueueName { queue_id: 9, name: str("rxq") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, CurtaskBlockOnQueueReceive { queue_id: 9, ticks_to_wait: 5 })
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, QueueSend { queue_id: 9, len_after: 1 })
        .at(4, TaskToRdyState { task_id: 1 })
        .at(5, TaskSwitchedIn { task_id: 1 })
        .at(6, QueueReceive { queue_id: 9, len_after: 0 });
    assert_timeline(
        &recording,
        "10 0 a: unknown -> running
         30 0 a: running -> blocked on queue_receive rxq
         30 0 b: unknown -> running
         40 0 rxq: send, level 1
         40 0 a: blocked on queue_receive rxq -> ready by b
         50 0 b: running -> ready
         50 0 a: ready -> running
         60 0 rxq: receive, level 0
         60 0 a: runs on
         60 end",
    );
}

#[test]
fn a_wait_that_does_not_happen_is_forgotten() {
    let recording = two_tasks()
        // Woken before it leaves the core.
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, CurtaskDelay { ticks: 5 })
        .at(2, TaskToRdyState { task_id: 1 })
        .at(3, TaskSwitchedIn { task_id: 2 })
        // Continues with the act.
        .at(4, CurtaskBlockOnQueueSend { queue_id: 1, ticks_to_wait: 5 })
        .at(5, QueueSend { queue_id: 1, len_after: 3 })
        .at(6, TaskSwitchedIn { task_id: 1 })
        // Switched in again without having left.
        .at(7, CurtaskDelayUntil { time_to_wake: 5 })
        .at(8, TaskSwitchedIn { task_id: 1 })
        .at(9, TaskSwitchedIn { task_id: 2 });
    assert_timeline(
        &recording,
        "10 0 a: unknown -> running
         30 0 a: running -> ready
         30 0 b: unknown -> running
         50 0 queue 1: send, level 3
         60 0 b: running -> ready
         60 0 a: ready -> running
         90 0 a: running -> ready
         90 0 b: ready -> running
         91 0 b: runs on
         91 end",
    );
}

#[test]
fn tasks_come_and_go() {
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1 })
        .at(10, TaskCreated { task_id: 5 })
        .at(10, TaskPrioritySet { task_id: 5, priority: 3 })
        .at(10, TaskToRdyState { task_id: 5 })
        .at(20, TaskSwitchedIn { task_id: 5 })
        .at(25, TaskSuspended { task_id: 5 })
        .at(30, TaskSwitchedIn { task_id: 6 })
        .at(40, TaskResumed { task_id: 5 })
        .at(40, TaskToRdyState { task_id: 5 })
        .at(50, TaskSwitchedIn { task_id: 5 })
        .at(55, TaskDeleted { task_id: 5 })
        .at(60, TaskSwitchedIn { task_id: 6 })
        .at(70, TaskToRdyState { task_id: 5 });
    assert_timeline(
        &recording,
        "10 0 task 5: appears
         10 0 task 5: unknown -> created
         10 0 task 5: priority 3
         11 0 task 5: created -> ready
         20 0 task 5: ready -> running
         30 0 task 6: appears
         30 0 task 5: running -> suspended
         30 0 task 6: unknown -> running
         40 0 task 5: suspended -> ready by task 6
         50 0 task 6: running -> ready
         50 0 task 5: ready -> running
         60 0 task 5: running -> deleted
         60 0 task 6: ready -> running
         70 0 ! deleted task that lives on @60: task 5 becomes ready although it was deleted
         70 0 task 5: appears
         70 0 task 5: unknown -> ready
         70 0 task 6: runs on
         70 end",
    );
}

#[test]
fn a_mutex_has_a_holder() {
    let recording = two_tasks()
        .meta(QueueKind { queue_id: 1, kind: Kind::MUTEX })
        .meta(QueueName { queue_id: 1, name: str("mtx") })
        .at(0, QueueCreated { queue_id: 1 })
        .at(0, QueueCurLength { queue_id: 1, length: 0 })
        .at(0, QueueSend { queue_id: 1, len_after: 1 })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, QueueReceive { queue_id: 1, len_after: 0 })
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 5 })
        .at(4, TaskPriorityInherit { task_id: 1, priority: 7 })
        .at(5, TaskSwitchedIn { task_id: 1 })
        .at(6, TaskPriorityDisinherit { task_id: 1, priority: 1 })
        .at(6, QueueSend { queue_id: 1, len_after: 1 });
    assert_timeline(
        &recording,
        "0 0 mtx: reported, level 0
         0 0 mtx: send, level 1
         10 0 a: unknown -> running
         20 0 mtx: receive, level 0
         20 0 mtx: taken by a
         30 0 a: running -> ready
         30 0 b: unknown -> running
         40 0 a: inherits priority 7
         50 0 b: running -> blocked on mutex mtx
         50 0 a: ready -> running
         60 0 a: falls back to priority 1
         60 0 mtx: send, level 1
         60 0 mtx: given
         60 0 a: runs on
         60 end",
    );
}

#[test]
fn interrupts_nest_and_markers_belong_to_someone() {
    let recording = two_tasks()
        .meta(IsrName { isr_id: 3, name: str("tick") })
        .meta(TaskEvtmarkerName { evtmarker_id: 1, task_id: 1, name: str("step") })
        .at(1, TaskEvtmarker { evtmarker_id: 1, msg: str("early") })
        .at(2, TaskSwitchedIn { task_id: 1 })
        .at(3, IsrEnter { isr_id: 3 })
        .at(4, IsrEnter { isr_id: 4 })
        .at(4, TaskToRdyState { task_id: 2 })
        .at(5, IsrExit { isr_id: 4 })
        .at(6, IsrExit { isr_id: 3 })
        .at(7, TaskEvtmarkerBegin { evtmarker_id: 1, msg: str("x") })
        .at(8, TaskEvtmarkerEnd { evtmarker_id: 1 })
        .at(9, Valmarker { valmarker_id: 2, val: -7 });
    assert_timeline(
        &recording,
        r#"10 0 some task's evtmarker 1: "early"
         20 0 a: unknown -> running
         30 0 isr tick begins
         40 0 isr 4 begins
         40 0 b: unknown -> ready
         50 0 isr 4 ends
         60 0 isr tick ends
         70 0 a's step: begin "x"
         80 0 a's step: end
         90 0 valmarker 2 = -7
         90 0 a: runs on
         90 end"#,
    );
}

#[test]
fn an_unseen_interrupt_end_keeps_inner_interrupts() {
    let recording = two_tasks()
        .meta(IsrName { isr_id: 3, name: str("uart") })
        .at(1, IsrEnter { isr_id: 3 })
        .at(2, IsrEnter { isr_id: 4 })
        // It interrupts the other: so it was over before.
        .at(3, IsrExitMissed { isr_id: 3 })
        .at(3, IsrEnter { isr_id: 3 })
        .at(4, IsrExitMissed { isr_id: 3 })
        .at(4, IsrExit { isr_id: 4 })
        // It began before the recording.
        .at(5, IsrExitMissed { isr_id: 9 })
        .at(6, IsrEnter { isr_id: 9 })
        .at(7, IsrExit { isr_id: 9 });
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    let found: Vec<_> = summary.diagnostics.iter().map(|it| (it.problem, it.count)).collect();
    assert_eq!(found, [(Problem::IsrExitMissing, 3)]);
    let isrs: Vec<_> =
        text.lines().map(str::trim).filter(|line| line.contains(" 0 isr ")).collect();
    let expected = [
        "10 0 isr uart begins",
        "20 0 isr 4 begins",
        "30 0 isr 4 ends",
        "30 0 isr uart: unknown whether it is open",
        "30 0 isr 4 begins",
        "30 0 isr uart begins",
        "40 0 isr uart: unknown whether it is open",
        "40 0 isr 4 ends",
        "60 0 isr 9 begins",
        "70 0 isr 9 ends",
    ];
    assert_eq!(isrs, expected, "{text}");
}

/// An interrupt that was not entered inside an open one cannot end there, whether it was seen before or not.
#[test]
fn an_interrupt_does_not_end_inside_another() {
    let recording = two_tasks()
        .at(1, IsrEnter { isr_id: 3 })
        .at(2, IsrExit { isr_id: 4 })
        .at(3, IsrExit { isr_id: 3 })
        // It began before a gap.
        .at(4, DroppedEvtCnt { cnt: 1 })
        .at(5, IsrExit { isr_id: 4 });
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    assert_eq!(summary.diagnostics.count(Problem::IsrExitWithoutEnter), 1, "{text}");
    let found = summary.diagnostics.get(Problem::IsrExitWithoutEnter).unwrap();
    assert_eq!(
        found.text,
        "isr 4 ends on core 0 while isr 3 is open, and was not entered inside it"
    );
    assert!(text.contains("30 0 isr 3 ends"), "{text}");
}

#[test]
fn contradictions_are_found_and_the_event_wins() {
    let recording = two_tasks()
        .at(0, CoreId { core_id: 1 })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(0, CoreId { core_id: 0 })
        .at(2, TaskSwitchedIn { task_id: 1 })
        // Seen before, so they cannot have begun before the recording.
        .at(2, IsrEnter { isr_id: 8 })
        .at(2, IsrExit { isr_id: 8 })
        .at(2, EvtmarkerBegin { evtmarker_id: 4, msg: str("") })
        .at(2, EvtmarkerEnd { evtmarker_id: 4 })
        .at(3, IsrExit { isr_id: 8 })
        .at(4, IsrEnter { isr_id: 1 })
        .at(5, IsrEnter { isr_id: 2 })
        .at(6, IsrExit { isr_id: 1 })
        .at(7, EvtmarkerEnd { evtmarker_id: 4 });
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    let found: Vec<_> = summary.diagnostics.iter().map(|it| (it.problem, it.count)).collect();
    assert_eq!(
        found,
        [
            (Problem::TaskOnTwoCores, 1),
            (Problem::IsrExitWithoutEnter, 1),
            (Problem::IsrExitMissing, 1),
            (Problem::SpanEndWithoutBegin, 1)
        ]
    );
    assert!(!summary.diagnostics.is_clean());
    assert!(text.contains("20 1 a: running -> ready\n"), "{text}");
    assert!(text.contains("21 0 a: ready -> running\n"), "{text}");
    assert!(text.contains("60 0 isr 2 ends\n          60 0 isr 1 ends\n"), "{text}");
}

#[test]
fn losses_are_counted_once() {
    let recording = two_tasks()
        .at(1, DroppedEvtCnt { cnt: 2 })
        .at(2, DroppedEvtCnt { cnt: 2 })
        .at(0, CoreId { core_id: 1 })
        .at(3, DroppedEvtCnt { cnt: 2 })
        .at(4, DroppedEvtCnt { cnt: 5 })
        .at(0, CoreId { core_id: 0 })
        .at(5, DroppedEvtCnt { cnt: 5 })
        .meta(MetadataDropped { core_id: 0, cnt: 4, size_needed: None })
        .meta(MetadataDropped { core_id: 0, cnt: 4, size_needed: None })
        .at(6, DroppedEvtCnt { cnt: 0 });
    let (_, summary) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    let found: Vec<_> =
        summary.diagnostics.iter().map(|it| (it.problem, it.count, it.amount)).collect();
    assert_eq!(
        found,
        [(Problem::EventsLost, 2, 5), (Problem::MetadataLost, 1, 4), (Problem::Restart, 1, 1)]
    );
}

/// The initial state of a recording: facts known without an event that reported them.
#[test]
fn a_recording_begins_with_what_exists() {
    let recording = two_tasks()
        .meta(TaskBasePriority { task_id: 1, priority: 3 })
        .meta(StreamBufferInfo { stream_buffer_id: 4, size: 64, trigger_level: 1 })
        .meta(TimerInfo { timer_id: 5, period: 250, auto_reload: 1 })
        .meta(MetadataDropped { core_id: 0, cnt: 4, size_needed: Some(345) })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, TaskPriorityInherit { task_id: 1, priority: 7 })
        // Reported again at a restart: the task still has the inherited priority.
        .meta(TaskBasePriority { task_id: 1, priority: 3 })
        .at(3, TaskPriorityDisinherit { task_id: 1, priority: 3 })
        .meta(TaskBasePriority { task_id: 1, priority: 5 })
        .at(4, TaskSwitchedIn { task_id: 2 });
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    let priorities: Vec<_> = text.lines().filter(|line| line.contains("priority")).collect();
    let values: Vec<_> = priorities
        .iter()
        .filter_map(|line| {
            line.split_whitespace()
                .find(|it| it.parse::<u32>().is_ok_and(|n| [3, 5, 7].contains(&n)))
        })
        .collect();
    assert_eq!(values, ["3", "7", "3", "5"], "{text}");
    let lost = summary.diagnostics.iter().find(|it| it.problem == Problem::MetadataLost);
    let first = format!("{:?}", lost.expect("reported"));
    assert!(first.contains("set tband_configMETADATA_BUF_SIZE to 345 or more"), "{first}");
}

#[test]
fn names_and_resolution_may_come_late() {
    let recording = Recording::default()
        .at(100, TaskSwitchedIn { task_id: 1 })
        .at(200, TaskSwitchedIn { task_id: 2 })
        .meta(TsResolutionNs { ns_per_ts: 40 })
        .meta(TaskName { task_id: 1, name: str("first") });
    assert_timeline(
        &recording,
        "4000 0 first: unknown -> running
         8000 0 task 2: appears
         8000 0 first: running -> ready
         8000 0 task 2: unknown -> running
         8001 0 task 2: runs on
         8001 end",
    );
}

/// The very first timestamp is damaged: only this event loses its time.
#[test]
fn a_stray_first_timestamp_shifts_no_event() {
    let recording = two_tasks()
        .at(1 << 50, TaskSwitchedIn { task_id: 1 })
        .at(200, TaskSwitchedIn { task_id: 2 })
        .at(300, TaskSwitchedIn { task_id: 1 });
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    assert_eq!(summary.diagnostics.count(Problem::TimeJump), 1);
    assert!(text.contains("2000 0 a: unknown -> running"), "{text}");
    assert!(text.contains("2001 0 b: unknown -> running"), "{text}");
    assert!(text.contains("3000 0 a: ready -> running"), "{text}");
}

/// An item without its own time must not stretch the trace to time zero.
#[test]
fn findings_without_a_time_take_that_of_the_first_event() {
    let meta = Recording::default().meta(MetadataDropped { core_id: 0, cnt: 1, size_needed: None });
    let events = two_tasks().at(0, CoreId { core_id: 1 }).at(100, TaskSwitchedIn { task_id: 1 });
    let inputs = [Input::from_bytes("m", &meta.0), Input::from_bytes("e", &events.0)];
    let mut options = Options::default();
    options.core_count = Some(1);
    let (text, summary) = timeline_of(&inputs, &options);
    assert_eq!(summary.diagnostics.iter().count(), 2);
    let early: Vec<_> = text.lines().filter(|line| !line.trim().starts_with("100")).collect();
    assert!(early.is_empty(), "{text}");
}

#[test]
fn a_missing_resolution_is_a_loss() {
    let recording = Recording::default().at(5, TaskSwitchedIn { task_id: 1 });
    let (_, summary) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    assert_eq!(summary.diagnostics.count(Problem::NoResolution), 1);
    assert_eq!(summary.diagnostics.worst(), Some(Severity::Loss));
    let mut options = Options::default();
    options.tick_rate = Frequency::from_resolution(10);
    let (_, summary) = timeline_of(&[Input::from_bytes("r", &recording.0)], &options);
    assert!(summary.diagnostics.is_clean());
}

/// A switch that is moved on after the last event moves the end with it, for every core.
#[test]
fn a_switch_that_is_moved_on_moves_the_end() {
    let recording = two_tasks()
        .at(1, CoreId { core_id: 1 })
        .at(2, TaskSwitchedIn { task_id: 2 })
        .at(3, CoreId { core_id: 0 })
        .at(3, TaskToRdyState { task_id: 1 })
        // Nothing ran here so far.
        .at(3, TaskSwitchedIn { task_id: 1 });
    assert_timeline(
        &recording,
        "20 1 b: unknown -> running
         30 0 a: unknown -> ready
         31 0 a: ready -> running
         32 0 a: runs on
         32 1 b: runs on
         32 end",
    );
}

/// Where a change is reported later than its event, later changes on the same core are not reported as earlier.
#[test]
fn the_time_of_a_core_does_not_go_back() {
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1 })
        .meta(TaskName { task_id: 1, name: str("a") })
        .meta(TaskName { task_id: 2, name: str("b") })
        // All in one tick.
        .at(2, TaskSwitchedIn { task_id: 1 })
        .at(2, TaskSwitchedIn { task_id: 2 })
        .at(2, IsrEnter { isr_id: 7 })
        .at(2, IsrExit { isr_id: 7 })
        .raw(&[1, 0])
        .at(2, IsrEnter { isr_id: 8 })
        .at(9, IsrExit { isr_id: 8 });
    assert_timeline(
        &recording,
        "2 0 a: unknown -> running
         3 0 a: running -> ready
         3 0 b: unknown -> running
         3 0 isr 7 begins
         3 0 isr 7 ends
         4 0 b: running -> unknown
         4 0 a: ready -> unknown
         2 0 ! undecodable frame @34: frame of 1 bytes: no event id
         4 0 isr 8 begins
         9 0 isr 8 ends
         9 end",
    );
}

#[test]
fn run_times_and_idle_fill_the_recording() {
    for name in ["freertos_sim.bin", "mc_split.core0.bin"] {
        let bytes = vector(name);
        let (_, stats, _) = trace_of(&[Input::from_bytes(name, &bytes)], &Options::default());
        let ran: i64 = stats.tasks().map(on_core_ns).sum();
        // Some task runs from the first switch on, which is right after the creation of objects.
        let idle_before = stats.length_ns() - ran;
        assert!((0..1_000_000).contains(&idle_before), "{name}: {idle_before} ns");
        assert_eq!(stats.tasks().count(), 10, "{name}");
    }
}

/// A recording that wrongly reports to be without FreeRTOS.
#[test]
fn a_wrong_flag_hides_no_events() {
    let output = TraceInfo {
        format_version: 1,
        core_count: 1,
        flags: 0,
        kernel_version: None,
        tick_rate_hz: None,
    };
    let recording = two_tasks().meta(output).at(5, TaskSwitchedIn { task_id: 1 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (text, summary) = timeline_of(&inputs, &Options::default());
    assert!(text.contains("50 0 a: unknown -> running"), "{text}");
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
}
