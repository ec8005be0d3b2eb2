//! What a filter on the target leaves out, and what it sheds, in a trace; `tband-report --test numbers` tests the timeline.

use tband_conv::{Input, Options};
use tband_recordings::{cases, project, trace_of};

#[track_caller]
fn assert_trace_has(case: &str, texts: &[&str]) {
    let cases = project::path("tband-report/tests/numbers/left_out.txt");
    let recording = cases::recording(&cases, case);
    let (trace, ..) = trace_of(&[Input::from_bytes("r", &recording)], &Options::default());
    let trace = String::from_utf8_lossy(&trace);
    for text in texts {
        assert!(trace.contains(text), "{text}");
    }
}

#[test]
fn perfetto_has_slices_of_what_is_left_out() {
    let texts = ["Not recorded", "not recorded", "class QUEUE"];
    assert_trace_has("what a filter leaves out has its time", &texts);
}

#[test]
fn perfetto_has_slices_and_counts_of_what_is_shed() {
    let texts = ["class QUEUE, shed", "class HEAP, shed", "class QUEUE, events shed"];
    assert_trace_has("shed events are unknown and counted", &texts);
}
