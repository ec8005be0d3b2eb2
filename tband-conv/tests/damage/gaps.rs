//! The state after lost and damaged events: unknown, until an event reports it again.

use proptest::prelude::*;
use tband_conv::{Input, Options};
use tband_format::EVENTS;
use tband_format::Event::*;
use tband_format::QueueKind as Kind;
use tband_recordings::random::{Step, config, steps, stream};
use tband_recordings::{Recording, assert_timeline, str, timeline_of, two_tasks};

/// After a gap every state is unknown until an event reports it again, and nothing that is true is called damage.
#[test]
fn a_gap_makes_states_unknown() {
    let recording = two_tasks()
        .meta(QueueKind { queue_id: 1, kind: Kind::MUTEX })
        .meta(QueueName { queue_id: 1, name: str("mtx") })
        .meta(EvtmarkerName { evtmarker_id: 1, name: str("log") })
        // They began before the recording.
        .at(1, IsrExit { isr_id: 3 })
        .at(1, EvtmarkerEnd { evtmarker_id: 1 })
        .at(2, TaskToRdyState { task_id: 2 })
        .at(3, TaskSwitchedIn { task_id: 1 })
        .at(3, TaskDeleted { task_id: 9 })
        .at(4, QueueReceive { queue_id: 1, len_after: 0 })
        .at(5, EvtmarkerBegin { evtmarker_id: 1, msg: str("x") })
        .at(6, IsrEnter { isr_id: 3 })
        .at(9, DroppedEvtCnt { cnt: 4 })
        .at(10, IsrExit { isr_id: 3 })
        .at(10, EvtmarkerEnd { evtmarker_id: 1 })
        .at(11, TaskToRdyState { task_id: 9 })
        .at(12, TaskSwitchedIn { task_id: 2 })
        .at(13, QueueSend { queue_id: 1, len_after: 1 })
        .raw(&[0xF0, 1, 0])
        .at(14, TaskSwitchedIn { task_id: 1 });
    assert_timeline(
        &recording,
        r#"20 0 b: unknown -> ready
         30 0 a: unknown -> running
         30 0 task 9: appears
         30 0 task 9: unknown -> deleted
         40 0 mtx: receive, level 0
         40 0 mtx: taken by a
         50 0 log: begin "x"
         60 0 isr 3 begins
         60 0 isr 3: unknown whether it is open
         60 0 a: running -> unknown
         60 0 b: ready -> unknown
         60 0 mtx: unknown holder
         60 0 mtx: unknown level
         60 0 log: unknown whether a span is open
         90 0 ! gap of lost events @75: 4 events lost on the target before this point
         110 0 task 9: appears
         110 0 task 9: unknown -> ready
         120 0 b: unknown -> running
         130 0 mtx: send, level 1
         130 0 b: running -> unknown
         130 0 task 9: ready -> unknown
         130 0 mtx: unknown level
         130 0 ! undecodable frame @106: frame of 2 bytes: COBS block at byte 0 announces 239 bytes, 1 left
         140 0 a: unknown -> running
         141 0 a: runs on
         141 end"#,
    );
}

/// A gap in the file of one core leaves the task that runs on the other one known.
#[test]
fn damage_leaves_the_cores_of_other_files_known() {
    let first = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .raw(&[0xF0, 1, 0])
        .at(9, Valmarker { valmarker_id: 1, val: 1 });
    let second = Recording::default()
        .at(2, TaskSwitchedIn { task_id: 2 })
        .at(8, Valmarker { valmarker_id: 1, val: 1 });
    let inputs = [Input::from_bytes("0", &first.0), Input::from_bytes("1", &second.0).on_core(1)];
    let (text, _) = timeline_of(&inputs, &Options::default());
    assert!(text.contains("a: running -> unknown"), "{text}");
    assert!(text.contains("1 b: runs on"), "{text}");
}

/// Right after a gap a task gets the core when the last one has left it, which is one nanosecond after it came. A count that
/// falls is a restart of all cores, also of a file that has reported nothing yet: its later report is another restart.
#[test]
fn counts_that_fall_are_restarts_in_one_file_and_in_several() {
    let falls = |it: Recording, ts: u64| {
        it.at(ts, DroppedEvtCnt { cnt: 3 }).at(ts, DroppedEvtCnt { cnt: 0 })
    };
    let of_0 = falls(Recording::default(), 0).at(0, TaskSwitchedIn { task_id: 1 });
    let of_1 = falls(Recording::default(), 20);
    let switch = Recording::default().at(20, CoreId { core_id: 1 }).0;
    let together = [&of_0.0[..], &switch, &of_1.0].concat();
    let deleted = |inputs: &[Input<'_>]| {
        let (text, _) = timeline_of(inputs, &Options::default());
        text.matches("task 1: unknown -> deleted").count()
    };
    assert_eq!(deleted(&[Input::from_bytes("r", &together)]), 1);
    let apart = [Input::from_bytes("0", &of_0.0), Input::from_bytes("1", &of_1.0).on_core(1)];
    assert_eq!(deleted(&apart), 1);
}

#[test]
fn after_a_gap_a_core_has_one_task_at_a_time() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .raw(&[0xF0, 1, 0])
        .at(1, TaskSwitchedIn { task_id: 2 })
        // It runs elsewhere, when the first core has lost it.
        .at(2, CoreId { core_id: 1 })
        .at(1, TaskSwitchedIn { task_id: 2 })
        .at(2, CoreId { core_id: 0 })
        .at(1, TaskSwitchedIn { task_id: 3 });
    assert_timeline(
        &recording,
        "10 0 a: unknown -> running
         11 0 a: running -> unknown
         10 0 ! undecodable frame @19: frame of 2 bytes: COBS block at byte 0 announces 239 bytes, 1 left
         11 0 b: unknown -> running
         10 0 task 3: appears
         12 0 b: running -> ready
         12 0 task 3: unknown -> running
         13 1 b: ready -> running
         14 0 task 3: runs on
         14 1 b: runs on
         14 end",
    );
}

/// Returns the reports after a loss: the lines, without facts that are never forgotten.
fn after_the_loss(recording: &[u8]) -> Vec<String> {
    let (text, _) = timeline_of(&[Input::from_bytes("r", recording)], &Options::default());
    let mut lines = text.lines().skip_while(|line| !line.contains("1000000 events lost"));
    assert!(lines.next().is_some());
    // Which objects there are, and were, how much of the heap was in use at the start, and how long texts are at most.
    let stays = |line: &&str| {
        line.ends_with(": appears")
            || line.ends_with("unknown -> deleted")
            || line.contains("heap")
            || line.contains("name that seems to be cut off")
    };
    // Offsets differ.
    let reported = |line: &str| line.split(" @").next().unwrap_or_default().to_owned();
    lines.filter(|line| !stays(line)).map(reported).collect()
}

proptest! {
    #![proptest_config(config(64))]

    /// Whatever comes before a gap, the events after it are reported as if the recording had begun there.
    #[test]
    fn after_a_gap_all_is_as_at_the_start(before in steps(2), after in steps(2)) {
        // The learnt clock stays.
        let left_out = ["dropped_evt_cnt", "ts_frequency"];
        let plain = |step: &Step| {
            let id = step.payload[0];
            EVENTS.iter().any(|it| it.id == id && !it.metadata && !left_out.contains(&it.name))
        };
        let keep = |steps: Vec<Step>| -> Vec<Step> { steps.into_iter().filter(plain).collect() };
        let (mut before, after) = (keep(before), keep(after));
        // That a timer reloads automatically does not change.
        let timer = ["timer_created", "timer_expired"];
        let is_timer = |id: u8| EVENTS.iter().any(|it| it.id == id && timer.contains(&it.name));
        before.retain(|step| !is_timer(step.payload[0]));
        let loss = |ts| Recording::default().at(ts, CoreId { core_id: 0 }).at(ts, DroppedEvtCnt { cnt: 1_000_000 });
        let end = before.last().map_or(0, |step| step.ts) + 1000;
        let later: Vec<_> = after.iter().map(|step| step.later(end)).collect();
        let head = stream(&[], 10);
        let tail = stream(&later, 10).split_off(head.len());
        let fresh = Recording(head).raw(&loss(end).0).raw(&tail);
        let gap = Recording(stream(&before, 10)).raw(&loss(end).0).raw(&tail);
        prop_assert_eq!(after_the_loss(&gap.0), after_the_loss(&fresh.0));
    }
}
