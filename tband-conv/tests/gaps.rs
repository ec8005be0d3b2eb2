//! What is known behind lost and damaged events: nothing, until an event tells it anew.

mod support;

use support::{Recording, assert_timeline, str, timeline_of, two_tasks};
use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::QueueKind as Kind;

/// Behind a gap nothing is known until an event tells it anew, and nothing that is true is called
/// damage.
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

/// Right behind a gap a task gets the core when the last one has left it, which is one nanosecond
/// after it came.
#[test]
fn behind_a_gap_a_core_has_one_task_at_a_time() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .raw(&[0xF0, 1, 0])
        .at(1, TaskSwitchedIn { task_id: 2 })
        // It runs elsewhere.
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
         10 1 ! task on two cores @32: task b is switched in on core 1 while it runs on core 0
         12 0 b: running -> ready
         13 1 b: ready -> running
         10 0 task 3: appears
         12 0 task 3: unknown -> running
         14 0 task 3: runs on
         14 1 b: runs on
         14 end",
    );
}
