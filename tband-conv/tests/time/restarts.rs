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

#[test]
fn time_continues_after_a_restart() {
    let before = switches(two_tasks(), 100_000, 300);
    let recording = switches(before, 7, 500);
    let (text, found) = converted(&recording.0);
    assert_eq!(found, RESTART, "{text}");
    // The last one before is at 102990, ticks are of 10 ns.
    assert_eq!(*times(&text).last().unwrap(), 10 * (102_990 + 4990) + 1);
    assert!(times(&text).len() >= 800, "{}", times(&text).len());
}

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

/// A few damaged timestamps are not a restart, whatever follows them.
#[test]
fn single_timestamps_are_damage() {
    for count in [1, 3, 15] {
        let before = switches(two_tasks(), 100_000, 100);
        let recording = switches(switches(before, 7, count), 101_000, 100);
        let (text, found) = converted(&recording.0);
        assert_eq!(found, [(Problem::TimeStepBack, count)], "{text}");
        assert_eq!(*times(&text).last().unwrap(), 1_019_901);
        // Also at the end of the recording.
        let before = switches(two_tasks(), 100_000, 100);
        let (text, found) = converted(&switches(before, 7, count).0);
        assert_eq!(found, [(Problem::TimeStepBack, count)], "{text}");
    }
}

/// One reset after the other; the last one comes sooner than the end of the first run.
#[test]
fn every_restart_is_recognised() {
    let first = switches(two_tasks(), 1_000_000, 300);
    let second = switches(first, 400, 300);
    let third = switches(second, 90, 100);
    let (text, found) = converted(&third.0);
    assert_eq!(found, [(Problem::TimeStepBack, 2), (Problem::Restart, 2)], "{text}");
    assert_eq!(*times(&text).last().unwrap(), 10 * (1_002_990 + 2990 + 990) + 1);
}

/// Events were lost for long after the reset, so the clock is not back at its start.
#[test]
fn time_continues_from_any_value() {
    let recording = switches(switches(two_tasks(), 1_000_000, 300), 600_000, 300);
    let (text, found) = converted(&recording.0);
    assert_eq!(found, [(Problem::TimeStepBack, 1)], "{text}");
    assert_eq!(*times(&text).last().unwrap(), 10 * (1_002_990 + 2990) + 1);
}

/// Cores of one stream have one clock.
#[test]
fn all_cores_of_a_stream_are_restarted() {
    let run = |recording: Recording, from: u64| {
        (0..200_u64).fold(recording, |it, n| {
            let core_id = (n / 8 % 2) as u32;
            let at = from + 10 * n;
            it.at(at, CoreId { core_id })
                .at(at, TaskSwitchedIn { task_id: 2 * core_id + (n % 2) as u32 + 1 })
        })
    };
    let (text, found) = converted(&run(run(two_tasks(), 100_000), 5).0);
    assert_eq!(found, RESTART, "{text}");
    assert_eq!(*times(&text).last().unwrap(), 10 * (101_990 + 1990) + 1);
    // One of them has nothing any more.
    let alone = |recording, from| switches(recording, from, 100);
    let both = run(two_tasks(), 100_000).at(200_000, CoreId { core_id: 1 });
    let (text, found) = converted(&alone(both, 5).0);
    assert_eq!(found, RESTART, "{text}");
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

/// A timer of this many bits that nothing extends: each wrap adds its range.
#[test]
fn a_wrapped_timer_continues() {
    for bits in [16, 24, 32] {
        let range = 1_u64 << bits;
        let step = range / 300;
        let recording = (0..1000).fold(two_tasks(), |it, n| {
            it.at(n * step % range, TaskSwitchedIn { task_id: (n % 2) as u32 + 1 })
        });
        let (text, found) = converted(&recording.0);
        assert_eq!(found, [(Problem::TimeStepBack, 3)], "{text}");
        assert_eq!(*times(&text).last().unwrap(), 10 * 999 * step + 1);
        assert!(!text.contains("unknown ->") || text.matches("-> unknown").count() == 0, "{text}");
    }
    // A counter with any other range: the first wrap looks like a restart.
    let recording = (0..1000_u64).fold(two_tasks(), |it, n| {
        it.at(n * 10 % 3000, TaskSwitchedIn { task_id: (n % 2) as u32 + 1 })
    });
    let (text, found) = converted(&recording.0);
    assert_eq!(found, [(Problem::TimeStepBack, 3), (Problem::Restart, 1)], "{text}");
}
