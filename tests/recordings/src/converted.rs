//! What the converter makes of a recording: the timeline as text, a trace with its numbers.

use tband_conv::sinks::{Perfetto, Stats, TaskStats, TimelineText};
use tband_conv::{Input, Options, Summary, convert};

use crate::Recording;

/// The timeline of a recording, as text.
pub fn timeline_of(inputs: &[Input<'_>], options: &Options) -> (String, Summary) {
    let mut text = TimelineText::new(Vec::new());
    let summary = convert(inputs, options, &mut text).unwrap();
    (String::from_utf8(text.into_inner()).unwrap(), summary)
}

/// A Perfetto trace and the numbers of the timeline, made in one pass.
pub fn trace_of(inputs: &[Input<'_>], options: &Options) -> (Vec<u8>, Stats, Summary) {
    let mut sinks = (Perfetto::new(Vec::new()), Stats::default());
    let summary = convert(inputs, options, &mut sinks).unwrap();
    (sinks.0.into_inner(), sinks.1, summary)
}

/// Time for which tasks were on a core, interrupts included, in ns: what Perfetto's `sched` has.
pub const fn on_core_ns(task: &TaskStats) -> i64 {
    task.run_ns + task.interrupted_ns
}

/// The timeline must be this text, indentation and blank lines aside.
#[track_caller]
pub fn assert_timeline(recording: &Recording, expected: &str) {
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (text, _) = timeline_of(&inputs, &Options::default());
    assert_lines(&text, expected);
}

#[track_caller]
fn assert_lines(text: &str, expected: &str) {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    assert_eq!(lines(text), lines(expected), "\n{text}");
}
