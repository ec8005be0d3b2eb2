//! The state at the start of each packet: the running task, and the open interrupts. It is reported, and is not a change.

use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, Problem, convert};
use tband_format::Event::*;
use tband_recordings::{Recording, assert_timeline, str, timeline_of, two_tasks};

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

#[test]
fn at_the_beginning_it_is_known_from_there_on() {
    let recording = two_tasks()
        .at(1, RunningTask { task_id: 1 })
        .at(1, OpenIsr { isr_id: 3 })
        .at(1, OpenIsr { isr_id: 4 })
        .at(2, IsrExit { isr_id: 4 })
        .at(3, IsrExit { isr_id: 3 })
        .at(4, TaskSwitchedIn { task_id: 2 });
    assert_timeline(
        &recording,
        "10 0 a: unknown -> running
         10 0 isr 3 begins
         10 0 isr 4 begins
         20 0 isr 4 ends
         30 0 isr 3 ends
         40 0 a: running -> ready
         40 0 b: unknown -> running
         41 0 b: runs on
         41 end",
    );
}

#[test]
fn after_a_gap_it_is_known_again() {
    let lost = |it: Recording, ts| initial(it.at(ts, DroppedEvtCnt { cnt: 7 }), ts);
    assert_timeline(
        &with(lost),
        "10 0 a: unknown -> running
         20 0 isr 3 begins
         30 0 isr 4 begins
         30 0 isr 4: unknown whether it is open
         30 0 isr 3: unknown whether it is open
         30 0 a: running -> unknown
         40 0 ! gap of lost events @29: 7 events lost on the target before this point
         40 0 a: unknown -> running
         40 0 isr 3 begins
         40 0 isr 4 begins
         50 0 isr 4 ends
         60 0 isr 3 ends
         90 0 a: running -> blocked on delay
         90 0 b: unknown -> running
         91 0 b: runs on
         91 end",
    );
}

/// After a gap nothing proves that no task runs.
#[test]
fn what_is_not_reported_after_a_gap_is_unknown() {
    let (text, found) = reported(&with(|it, ts| it.at(ts, DroppedEvtCnt { cnt: 7 })));
    assert!(text.contains("30 0 a: running -> unknown"), "{text}");
    assert!(!text.contains("unknown -> running\n         40"), "{text}");
    assert_eq!(found, [(Problem::EventsLost, 1)]);
}

#[test]
fn what_contradicts_the_events_before_is_found_and_wins() {
    let other = with(|it, ts| it.at(ts, RunningTask { task_id: 2 }));
    let (text, found) = reported(&other);
    assert_eq!(found, [(Problem::StateDisagrees, 1)]);
    assert!(text.contains("40 0 a: running -> unknown"), "{text}");
    assert!(text.contains("40 0 b: unknown -> running"), "{text}");
    let unseen = with(|it, ts| it.at(ts, OpenIsr { isr_id: 3 }).at(ts, OpenIsr { isr_id: 5 }));
    // For an interrupt that never appeared, it is unknown whether it was open all the time.
    assert_eq!(reported(&unseen).1, [(Problem::IsrExitMissing, 1)]);
    let closed = with(|it, ts| it.at(ts, IsrExit { isr_id: 4 }).at(ts, OpenIsr { isr_id: 4 }));
    let (text, found) = reported(&closed);
    assert_eq!(found, [(Problem::StateDisagrees, 1)], "{text}");
    assert!(text.contains("isr 4 is open on core 0, and had not begun there"), "{text}");
}

#[test]
fn a_name_stands_in_what_is_found() {
    let named = Recording::default().meta(IsrName { isr_id: 4, name: str("uart") });
    let recording = named.at(1, IsrEnter { isr_id: 4 }).at(2, IsrExit { isr_id: 4 });
    let (text, _) = reported(&recording.at(3, OpenIsr { isr_id: 4 }));
    assert!(text.contains("isr uart is open on core 0, and had not begun there"), "{text}");
}
