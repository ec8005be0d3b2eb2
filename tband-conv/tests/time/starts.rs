//! Recording that is stopped and started again: the state in between is unknown.

use tband_conv::diagnostics::Problem;
use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::named::QueueKind as Kind;
use tband_recordings::{Recording, assert_timeline, str, timeline_of, trace_of, two_tasks};

fn info() -> tband_format::Event<'static> {
    TraceInfo {
        format_version: 1,
        core_count: 2,
        flags: 1,
        kernel_version: None,
        tick_rate_hz: None,
    }
}

/// Returns the start of a stream by this recorder.
fn start(ts: u64) -> Recording {
    Recording::default()
        .at(ts, CoreId { core_id: 0 })
        .raw(&two_tasks().0)
        .meta(QueueKind { queue_id: 1, kind: Kind::MUTEX })
        .meta(QueueName { queue_id: 1, name: str("mtx") })
        .at(ts, CoreId { core_id: 0 })
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .meta(info())
}

fn starts(recording: &[u8]) -> u64 {
    let (_, summary) = timeline_of(&[Input::from_bytes("r", recording)], &Options::default());
    let mut found = summary.diagnostics.iter().map(|it| it.problem);
    assert!(
        found.all(|it| matches!(it, Problem::StreamStart | Problem::NothingRecorded)),
        "{:?}",
        summary.diagnostics
    );
    summary.diagnostics.count(Problem::StreamStart)
}

/// However a stream starts: by this recorder or its ancestor, with names or without, at time 0 or not.
#[test]
fn starts_are_recognised() {
    let events = |from: u64| {
        Recording::default()
            .at(from, TaskSwitchedIn { task_id: 1 })
            .at(from + 1, TaskSwitchedIn { task_id: 2 })
    };
    let with = |start: Recording, from: u64| [start.0, events(from).0].concat();
    let core = |ts: u64| Recording::default().at(ts, CoreId { core_id: 0 });
    let names = |ts: u64| core(ts).raw(&two_tasks().0).raw(&core(ts).0);
    // At first and later; by the ancestor, which has time 0 each time; with and without names.
    assert_eq!(starts(&[with(start(0), 1), with(start(10), 20)].concat()), 1);
    assert_eq!(starts(&[with(names(0), 1), with(names(0), 20)].concat()), 1);
    assert_eq!(starts(&[with(names(0), 1), with(core(0), 20)].concat()), 1);
    assert_eq!(starts(&[with(names(0), 1), with(core(10), 20), with(core(30), 40)].concat()), 2);
    // Nothing was recorded in between, or nothing but metadata.
    assert_eq!(starts(&[start(0).0, start(1).0, with(start(2), 3)].concat()), 0);
    assert_eq!(starts(&[with(start(0), 1), start(10).0, with(start(11), 20)].concat()), 1);
    // The metadata buffer precedes each snapshot.
    let snapshot = |from: u64| {
        let head = two_tasks().raw(&core(0).0).meta(TsResolutionNs { ns_per_ts: 10 }).meta(info());
        with(head, from)
    };
    assert_eq!(starts(&[snapshot(1), snapshot(20)].concat()), 1);
    // Between the parts is padding.
    let zeros = vec![0; 100];
    let padded = [with(start(0), 1), zeros.clone(), names(10).0, zeros, with(names(10), 20)];
    assert_eq!(starts(&padded.concat()), 1);
}

#[test]
fn a_later_start_is_a_gap() {
    let recording = start(0)
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, QueueReceive { queue_id: 1, len_after: 0 })
        .at(3, EvtmarkerBegin { evtmarker_id: 1, msg: str("x") })
        .at(4, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 9 })
        .at(5, TaskSwitchedIn { task_id: 2 })
        .at(6, IsrEnter { isr_id: 7 })
        .raw(&start(100_000).0)
        .at(100_010, TaskSwitchedIn { task_id: 1 })
        .at(100_020, EvtmarkerEnd { evtmarker_id: 1 });
    assert_timeline(
        &recording,
        r#"10 0 a: unknown -> running
         20 0 mtx: receive, level 0
         20 0 mtx: taken by a
         30 0 evtmarker 1: begin "x"
         50 0 a: running -> blocked on mutex mtx
         50 0 b: unknown -> running
         60 0 isr 7 begins
         60 0 isr 7: unknown whether it is open
         60 0 b: running -> unknown
         60 0 a: blocked on mutex mtx -> unknown
         60 0 mtx: unknown holder
         60 0 mtx: unknown level
         60 0 evtmarker 1: unknown whether a span is open
         60 0 ! later start of the recording @79: recording was stopped and is started again: the time in between is not known
         1000100 0 a: unknown -> running
         1000200 0 a: runs on
         1000200 end"#,
    );
    let (_, stats, _) = trace_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    let core = stats.cores().next().unwrap();
    assert_eq!((core.task_ns + core.isr_ns, core.unknown_ns), (50 + 100, 1_000_040));
    assert_eq!(stats.markers().next().unwrap().open, 0);
}
