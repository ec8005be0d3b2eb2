//! Our traces in Perfetto's own engine equal the timeline.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use tband_conv::item::Mode;
use tband_conv::model::Flows;
use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::decode::{Decoded, decode_payload};
use tband_recordings::agrees::{check, check_all};
use tband_recordings::random::steps;
use tband_recordings::{Engine, Recording, TempFile, str, trace_of, vector};

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
