//! Filtered events, shed events and triggers in a trace. The recordings are cases, which test the timeline.

use tband_conv::{Input, Options};
use tband_recordings::{cases, project, trace_of};

#[track_caller]
fn assert_trace_has((file, case): (&str, &str), texts: &[&str]) {
    let recording = cases::recording(&project::path(file), case);
    let (trace, ..) = trace_of(&[Input::from_bytes("r", &recording)], &Options::default());
    let trace = String::from_utf8_lossy(&trace);
    for text in texts {
        assert!(trace.contains(text), "{text}");
    }
}

const LEFT_OUT: &str = "tband-report/tests/numbers/stats/left_out.txt";

#[test]
fn perfetto_has_slices_of_what_is_left_out() {
    let case = (LEFT_OUT, "what a filter leaves out has its time");
    assert_trace_has(case, &["Not recorded", "not recorded", "class QUEUE"]);
}

#[test]
fn perfetto_has_slices_and_counts_of_what_is_shed() {
    let case = (LEFT_OUT, "shed events are unknown and counted");
    let texts = ["class QUEUE, shed", "class HEAP, shed", "class QUEUE, events shed"];
    assert_trace_has(case, &texts);
}

#[test]
fn perfetto_has_triggers() {
    let case = ("tband-conv/tests/cases/timeline/triggers.txt", "triggers are named");
    let texts = ["trigger 1: queue full, queue rx", "frozen after trigger 4", "triggers"];
    assert_trace_has(case, &texts);
}
