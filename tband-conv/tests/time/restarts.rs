//! A clock that steps back and stays there: the target was restarted, and the start of its stream did not arrive.

use tband_conv::convert::step::Step;
use tband_conv::diagnostics::Problem;
use tband_conv::sinks::TimelineText;
use tband_conv::{Conversion, Input, Options, Summary};
use tband_format::Event::*;
use tband_recordings::packed::packed;
use tband_recordings::{Recording, timeline_of, two_tasks};

/// This many switches between two tasks, from a time on.
fn switches(recording: Recording, from: u64, count: u64) -> Recording {
    (0..count).fold(recording, |it, n| {
        it.at(from + 10 * n, TaskSwitchedIn { task_id: (n % 2) as u32 + 1 })
    })
}

fn problems(summary: &Summary) -> Vec<(Problem, u64)> {
    summary.diagnostics.iter().map(|it| (it.problem, it.count)).collect()
}

fn converted(recording: &[u8]) -> (String, Vec<(Problem, u64)>) {
    let (text, summary) = timeline_of(&[Input::from_bytes("r", recording)], &Options::default());
    (text, problems(&summary))
}

/// The distinct times of the timeline, in ns.
fn times(text: &str) -> Vec<u64> {
    let mut times: Vec<u64> =
        text.lines().map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect();
    times.sort_unstable();
    times.dedup();
    times
}

const RESTART: [(Problem, u64); 2] = [(Problem::TimeStepBack, 1), (Problem::Restart, 1)];

/// Whether it is known from the start or fed, and in whatever pieces.
#[test]
fn a_fed_recording_gives_the_same_result() {
    let recording = switches(switches(two_tasks(), 100_000, 30), 7, 50).0;
    let (whole, _) = converted(&recording);
    for len in [1, 7, recording.len()] {
        let sink = TimelineText::new(Vec::new());
        let mut fed = Conversion::new([("r", 0)], &Options::default(), sink).unwrap();
        for mut piece in recording.chunks(len) {
            while !piece.is_empty() {
                piece = &piece[fed.feed(0, piece)..];
                while fed.step().unwrap() == Step::More {}
            }
        }
        let (summary, sink) = fed.finish().unwrap();
        assert_eq!(problems(&summary), RESTART);
        assert_eq!(String::from_utf8(sink.into_inner()).unwrap(), whole);
    }
}

/// In packets it is the same.
#[test]
fn packets_of_a_target_that_was_reset() {
    let before = packed(&switches(two_tasks(), 100_000, 300).0, 128);
    // Its first packets do not arrive.
    let after = packed(&switches(Recording::default(), 7, 500).0, 128);
    let (text, found) = converted(&[before, after].concat());
    assert!(found.contains(&(Problem::Restart, 1)), "{found:?}\n{text}");
    assert!(times(&text).len() >= 800, "{}", times(&text).len());
}
