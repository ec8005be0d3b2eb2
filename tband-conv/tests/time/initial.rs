//! The state at the start of each packet: the running task, and the open interrupts. It is reported, and is not a change.

use tband_conv::diagnostics::Problem;
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_recordings::{Recording, timeline_of, two_tasks};

/// Returns the timeline, and the findings.
fn reported(recording: &Recording) -> (String, Vec<(Problem, u64)>) {
    let (text, summary) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    (text, summary.diagnostics.iter().map(|it| (it.problem, it.count)).collect())
}

fn stats_of(recording: &Recording) -> Stats {
    let mut stats = Stats::default();
    convert(&[Input::from_bytes("r", &recording.0)], &Options::default(), &mut stats).unwrap();
    stats
}

/// Task a runs, is interrupted twice, one inside the other, and is about to wait; `reported` is where a packet
/// begins inside of that.
fn with(reported: impl Fn(Recording, u64) -> Recording) -> Recording {
    let it = two_tasks().at(1, TaskSwitchedIn { task_id: 1 }).at(2, IsrEnter { isr_id: 3 });
    let it = it.at(3, IsrEnter { isr_id: 4 });
    let it = reported(it, 4).at(5, IsrExit { isr_id: 4 }).at(6, IsrExit { isr_id: 3 });
    it.at(7, CurtaskDelay { ticks: 2 }).at(9, TaskSwitchedIn { task_id: 2 })
}

fn initial(it: Recording, ts: u64) -> Recording {
    it.at(ts, RunningTask { task_id: 1 })
        .at(ts, OpenIsr { isr_id: 3 })
        .at(ts, OpenIsr { isr_id: 4 })
}

#[test]
fn repeated_initial_state_changes_nothing() {
    let (plain, twice) = (with(|it, _| it), with(|it, ts| initial(initial(it, ts), ts)));
    assert_eq!(reported(&plain), reported(&twice));
    let (plain, twice) = (stats_of(&plain), stats_of(&twice));
    assert!(plain.tasks().eq(twice.tasks()) && plain.isrs().eq(twice.isrs()));
    // It does not take back that the task is about to wait.
    let waits = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, CurtaskDelay { ticks: 5 })
        .at(3, RunningTask { task_id: 1 })
        .at(4, TaskSwitchedIn { task_id: 2 });
    assert!(reported(&waits).0.contains("40 0 a: running -> blocked"), "{}", reported(&waits).0);
}
