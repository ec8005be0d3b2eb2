//! Our traces in Perfetto's own engine equal the timeline.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use tband_conv::{Flows, Input, Mode, Options};
use tband_format::Event::*;
use tband_format::{Decoded, decode_payload};
use tband_recordings::agrees::{check, check_all};
use tband_recordings::random::steps;
use tband_recordings::{Engine, Recording, TempFile, str, trace_of, vector};

const MUTEX: tband_format::QueueKind = tband_format::QueueKind::MUTEX;

fn bare_metal() -> Options {
    let mut options = Options::default();
    options.mode = Mode::BareMetal;
    options
}

#[test]
fn every_vector_is_accepted_and_agrees() {
    let Some(engine) = Engine::find() else { return };
    for name in ["freertos_sim", "freertos_late_start", "truncated"] {
        let bytes = vector(&format!("{name}.bin"));
        check_all(&engine, name, &[Input::from_bytes(name, &bytes)], &Options::default());
    }
    let bytes = vector("base_only.bin");
    check_all(&engine, "base_only", &[Input::from_bytes("b", &bytes)], &bare_metal());
    let cores = ["mc_split.core0.meta", "mc_split.core0", "mc_split.core1"]
        .map(|name| vector(&format!("{name}.bin")));
    let [meta, core0, core1] = &cores;
    let inputs = [
        Input::from_bytes("meta", meta),
        Input::from_bytes("0", core0),
        Input::from_bytes("1", core1).on_core(1),
    ];
    check_all(&engine, "mc_split", &inputs, &Options::default());
}

/// The states of a task when it is deleted, and later reports about it.
#[test]
fn acts_of_a_deleted_task_stay_with_it() {
    let Some(engine) = Engine::find() else { return };
    let recording = tband_recordings::two_tasks()
        .meta(TaskName { task_id: 3, name: str("c") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, QueueSend { queue_id: 2, len_after: 1 })
        .at(3, TaskSwitchedIn { task_id: 2 })
        // The first wait of this one is ended by its deletion.
        .at(4, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: u32::MAX })
        .at(5, TaskSwitchedIn { task_id: 3 })
        .at(7, TaskDeleted { task_id: 2 })
        .at(8, TaskDeleted { task_id: 1 })
        // The sender is no more.
        .at(9, QueueReceive { queue_id: 2, len_after: 0 })
        // It deletes itself with a span open, while an interrupt has the core.
        .at(10, TaskEvtmarkerBegin { evtmarker_id: 1, msg: str("span") })
        .at(11, TaskDeleted { task_id: 3 })
        .at(12, IsrEnter { isr_id: 1 })
        .at(15, TaskSwitchedIn { task_id: 4 })
        .at(17, IsrExit { isr_id: 1 })
        .at(20, TaskSwitchedIn { task_id: 5 });
    for flows in [Flows::Wakes, Flows::All] {
        let mut options = Options::default();
        options.flows = flows;
        check_all(&engine, "deleted", &[Input::from_bytes("r", &recording.0)], &options);
    }
}

#[test]
fn every_state_reason_and_marker_is_shown() {
    let Some(engine) = Engine::find() else { return };
    let recording = full();
    let queries = [
        (
            "reason",
            "thread.name || ' ' || state || ' ' || dur || ' ' || blocked_function",
            "from thread_state join thread using (utid) where blocked_function is not null order by ts",
        ),
        (
            "waker",
            "w.name || ' wakes ' || t.name",
            "from thread_state s join thread t using (utid) join thread w on w.utid = s.waker_utid \
             where w.name != 'swapper' order by s.ts",
        ),
        (
            "isr",
            "t.name || ' ' || dur",
            "from sched join thread t using (utid) where t.name glob '* ISR' order by ts",
        ),
        (
            "slice",
            "s.name || ' ' || s.dur || ' ' || t.name",
            "from slice s join track t on t.id = s.track_id \
             left join track p on p.id = t.parent_id where coalesce(p.name, '') != 'Errors' order by s.ts, s.id",
        ),
        (
            "error",
            "p.name || '/' || t.name || ': ' || s.name || ' ' || s.ts || ' ' || s.dur \
             || ' byte ' || extract_arg(s.arg_set_id, 'debug.byte')",
            "from slice s join track t on t.id = s.track_id join track p on p.id = t.parent_id \
             where p.name = 'Errors'",
        ),
        (
            "value",
            "t.name || ' ' || cast(value as int)",
            "from counter join counter_track t on t.id = track_id \
             where t.name in ('temp', 'heap', 'priority of low') order by ts",
        ),
        ("passed through", "key", "from args where key glob 'legacy_event.*'"),
        ("idle", "name", "from thread where is_idle and name != 'swapper'"),
        ("priority", "min(priority)", "from sched where utid != 0"),
    ];
    let inputs = [Input::from_bytes("full", &recording.0)];
    let all = check(&engine, "full", &inputs, &Options::default(), &queries);
    let rows = |tag: &str| -> Vec<&str> {
        all.iter().filter(|row| row.0 == tag).map(|row| row.1.as_str()).collect()
    };
    // Ticks are 10 ns.
    assert_eq!(
        rows("reason"),
        [
            "high S 200 delay",
            "high S 130 mutex mtx (limit 100 ticks)",
            // After the loss, until an event reports the state of each task.
            "idle D 540 unknown, events are missing",
            "low D 90 unknown, events are missing",
            "high D 20 unknown, events are missing"
        ]
    );
    // The end of a delay has no waker.
    assert_eq!(rows("waker"), ["low wakes high", "high wakes low"]);
    // The inner one preempts the outer one.
    assert_eq!(rows("isr"), ["tick ISR 10", "uart ISR 20", "tick ISR 30"]);
    assert_eq!(
        rows("slice"),
        [
            "acquire 220 adc",
            "delay 200 waits and calls",
            "low 230 mtx",
            "note 0 log",
            "step 150 phase",
            "mutex mtx (limit 100 ticks) 140 waits and calls",
            "high 100 mtx",
            "suspended 150 waits and calls",
            "deleted 0 waits and calls",
            "log 0 log"
        ]
    );
    let lost = format!("Errors/lost events: 3 events lost 460 10 byte {}", lost_at());
    assert_eq!(rows("error"), [lost]);
    assert_eq!(
        rows("value"),
        // Minus one: unknown after a loss.
        [
            "priority of low 1",
            "temp -5",
            "priority of low 2",
            "priority of low 1",
            "priority of low -1",
            "heap 77"
        ]
    );
    assert_eq!(rows("idle"), ["idle"]);
    // Slices of the whole target belong to no thread.
    assert_eq!(rows("passed through"), [""; 0]);
    // True tasks are not drawn as real-time ones.
    assert_eq!(rows("priority"), ["100"]);
}

fn lost_at() -> usize {
    full_until_loss().0.len()
}

fn full_until_loss() -> Recording {
    Recording::default()
        .at(0, CoreId { core_id: 0 })
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .meta(TaskName { task_id: 1, name: str("idle") })
        .meta(TaskIsIdleTask { task_id: 1, core_id: 0 })
        .meta(IsrName { isr_id: 15, name: str("tick") })
        .meta(IsrName { isr_id: 20, name: str("uart") })
        .meta(QueueKind { queue_id: 1, kind: MUTEX })
        .meta(QueueName { queue_id: 1, name: str("mtx") })
        .meta(EvtmarkerName { evtmarker_id: 1, name: str("adc") })
        .meta(EvtmarkerName { evtmarker_id: 2, name: str("log") })
        .meta(TaskEvtmarkerName { evtmarker_id: 1, task_id: 2, name: str("phase") })
        .meta(ValmarkerName { valmarker_id: 1, name: str("temp") })
        .meta(TaskValmarkerName { valmarker_id: 1, task_id: 2, name: str("heap") })
        .at(1, QueueCreated { queue_id: 1 })
        .at(1, QueueCurLength { queue_id: 1, length: 0 })
        .at(2, QueueSend { queue_id: 1, len_after: 1 })
        .at(3, TaskCreated { task_id: 1 })
        .at(3, TaskPrioritySet { task_id: 1, priority: 0 })
        .at(3, TaskToRdyState { task_id: 1 })
        .at(4, TaskCreated { task_id: 2 })
        .at(4, TaskPrioritySet { task_id: 2, priority: 1 })
        .meta(TaskName { task_id: 2, name: str("low") })
        .at(4, TaskToRdyState { task_id: 2 })
        .at(5, TaskCreated { task_id: 3 })
        .meta(TaskName { task_id: 3, name: str("high") })
        .at(5, TaskToRdyState { task_id: 3 })
        .at(6, TaskSwitchedIn { task_id: 3 })
        .at(8, CurtaskDelay { ticks: 1 })
        .at(8, EvtmarkerBegin { evtmarker_id: 1, msg: str("acquire") })
        .at(10, TaskSwitchedIn { task_id: 2 })
        .at(12, QueueReceive { queue_id: 1, len_after: 0 })
        .at(14, Evtmarker { evtmarker_id: 2, msg: str("note") })
        .at(15, Valmarker { valmarker_id: 1, val: -5 })
        .at(16, IsrEnter { isr_id: 15 })
        .at(17, IsrEnter { isr_id: 20 })
        .at(19, IsrExit { isr_id: 20 })
        .at(22, IsrExit { isr_id: 15 })
        .at(24, TaskEvtmarkerBegin { evtmarker_id: 1, msg: str("step") })
        .at(25, TaskSwitchedIn { task_id: 1 })
        .at(30, EvtmarkerEnd { evtmarker_id: 1 })
        .at(30, TaskToRdyState { task_id: 3 })
        .at(31, TaskSwitchedIn { task_id: 3 })
        .at(31, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 100 })
        .at(31, TaskPriorityInherit { task_id: 2, priority: 2 })
        .at(32, TaskSwitchedIn { task_id: 2 })
        .at(35, QueueSend { queue_id: 1, len_after: 1 })
        .at(39, TaskEvtmarkerEnd { evtmarker_id: 1 })
        .at(40, TaskPriorityDisinherit { task_id: 2, priority: 1 })
        .at(45, TaskToRdyState { task_id: 3 })
        .at(46, TaskValmarker { valmarker_id: 1, val: 77 })
        .at(46, DroppedEvtCnt { cnt: 0 })
}

/// Everything that the Perfetto sink can show, once.
fn full() -> Recording {
    full_until_loss()
        .at(47, DroppedEvtCnt { cnt: 3 })
        .at(48, TaskSwitchedIn { task_id: 3 })
        .at(50, QueueReceive { queue_id: 1, len_after: 0 })
        .at(55, TaskSuspended { task_id: 2 })
        .at(60, QueueSend { queue_id: 1, len_after: 1 })
        .at(70, TaskResumed { task_id: 2 })
        .at(70, TaskToRdyState { task_id: 2 })
        .at(80, TaskDeleted { task_id: 3 })
        .at(80, TaskSwitchedIn { task_id: 2 })
        .at(100, TaskSwitchedIn { task_id: 1 })
        .at(110, Evtmarker { evtmarker_id: 2, msg: str("") })
}

#[test]
fn distinguishes_changes_at_one_time() {
    let Some(engine) = Engine::find() else { return };
    // Everything at the same tick of 1 ns, and an end of the recording right at a switch.
    let mut recording = Recording::default().meta(TsResolutionNs { ns_per_ts: 1 });
    for round in 0..50_u32 {
        for task_id in [1, 2, 3, 1] {
            recording = recording
                .at(5, TaskToRdyState { task_id })
                .at(5, TaskSwitchedIn { task_id })
                .at(5, CurtaskBlockOnQueueReceive { queue_id: round % 3, ticks_to_wait: 1 });
        }
    }
    check(&engine, "same-time", &[Input::from_bytes("t", &recording.0)], &Options::default(), &[]);
}

#[test]
fn odd_ids_and_names_are_shown() {
    let Some(engine) = Engine::find() else { return };
    let mut recording = Recording::default().meta(TsResolutionNs { ns_per_ts: 1 });
    for (ts, task_id) in (1..).zip([0, 1, 1 << 30, u32::MAX, i32::MAX as u32, 7]) {
        recording = recording
            .at(ts * 10, TaskSwitchedIn { task_id })
            .at(ts * 10 + 1, TaskEvtmarker { evtmarker_id: u32::MAX, msg: str("") })
            .at(ts * 10 + 2, IsrEnter { isr_id: u32::MAX })
            .at(ts * 10 + 3, IsrExit { isr_id: u32::MAX });
    }
    recording = recording
        .meta(TaskName { task_id: 7, name: tband_format::Str(b"a \xff b") })
        .at(90, TaskDeleted { task_id: 7 })
        .at(91, TaskSwitchedIn { task_id: 1 })
        .at(92, TaskCreated { task_id: 7 })
        .meta(TaskName { task_id: 7, name: tband_format::Str(b"a \xff b") })
        .at(93, TaskSwitchedIn { task_id: 7 })
        .at(94, Valmarker { valmarker_id: 0, val: i64::MIN })
        .at(95, Valmarker { valmarker_id: 0, val: i64::MAX });
    let (bytes, _, summary) =
        trace_of(&[Input::from_bytes("t", &recording.0)], &Options::default());
    let trace = TempFile::new("odd.pftrace", &bytes);
    let reborn = ("reborn", "count(*)", "from thread where name = 'a \u{FFFD} b'");
    let rows = engine.check(&trace.0, &[reborn]);
    assert!(summary.diagnostics.is_clean());
    assert_eq!(rows, [("reborn".to_owned(), "2".to_owned())]);
}

/// Perfetto refuses a state that a thread has at the same time as another one.
#[test]
fn hundreds_of_events_in_one_tick_are_states_in_order() {
    let Some(engine) = Engine::find() else { return };
    let mut runner = TestRunner::deterministic();
    for case in 0..12 {
        let drawn = steps(2).new_tree(&mut runner).unwrap().current();
        let mut recording = tband_recordings::two_tasks();
        for (number, step) in drawn.iter().enumerate() {
            let Decoded { ts, event, .. } = decode_payload(&step.payload).unwrap();
            let ts = ts.map_or(0, |_| 5 + (number as u64).saturating_sub(349));
            // Every third one has one core only.
            let core_id = if case % 3 == 0 { 0 } else { step.core };
            recording = recording.at(ts.max(1), CoreId { core_id }).at(ts, event);
        }
        let (bytes, ..) = trace_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
        let trace = TempFile::new(&format!("tick{case}.pftrace"), &bytes);
        engine.check(&trace.0, &[]);
    }
}

/// An interrupt takes the core, or gives it back, in the same tick in which the task beneath changes.
#[test]
fn a_task_changes_when_an_interrupt_takes_its_core() {
    let Some(engine) = Engine::find() else { return };
    let begin = || tband_recordings::two_tasks().at(10, TaskSwitchedIn { task_id: 1 });
    let waits = CurtaskDelay { ticks: 5 };
    let (enter, exit) = (|isr_id| IsrEnter { isr_id }, |isr_id| IsrExit { isr_id });
    let next = TaskSwitchedIn { task_id: 2 };
    let blocks = begin().at(20, waits).at(20, enter(1)).at(20, next);
    let dies = begin().at(20, TaskDeleted { task_id: 1 }).at(20, enter(1)).at(20, next);
    let nested = begin().at(20, waits).at(20, enter(1)).at(20, enter(2)).at(20, next);
    for (name, recording, state) in
        [("blocks", blocks, "S"), ("dies", dies, "X"), ("nested", nested, "S")]
    {
        // The next task has been unknown, and has the core from the end of the interrupt on.
        let recording = match name {
            "nested" => recording.at(20, exit(2)).at(20, exit(1)),
            _ => recording.at(20, exit(1)),
        };
        let recording = recording.at(90, TaskSwitchedIn { task_id: 3 });
        let (bytes, ..) = trace_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
        let trace = TempFile::new(&format!("change_{name}.pftrace"), &bytes);
        let of_tasks =
            "from thread_state join thread using (utid) where tid in (1, 2) and dur != 0";
        let rows = engine.check(&trace.0, &[("state", "tid || ' ' || state", of_tasks)]);
        let has = |tid: u32, state: &str| {
            assert!(
                rows.iter().any(|(_, row)| *row == format!("{tid} {state}")),
                "{name} {rows:?}"
            );
        };
        has(1, state);
        has(2, "Running");
    }
}
