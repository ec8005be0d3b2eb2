//! Properties of the converter, on recordings of simulated targets.

use std::collections::BTreeMap;
use std::io;

use tband_conv::timeline::{At, Change, Sink, TaskRef, TaskState, World};
use tband_conv::{Input, Options, Problem, Summary, convert, sinks::TimelineText};
use xtask::generate::{self, split, stream};

fn recording(options: &generate::Options) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream(options, &mut bytes).unwrap();
    bytes
}

fn text(inputs: &[Input<'_>], options: &Options) -> (Vec<String>, Summary) {
    let mut sink = TimelineText::new(Vec::new());
    let summary = convert(inputs, options, &mut sink).unwrap();
    let text = String::from_utf8(sink.into_inner()).unwrap();
    (text.lines().map(str::to_owned).collect(), summary)
}

/// Who runs on each core, and for how long nobody is known to.
#[derive(Default)]
struct Shares {
    cores: BTreeMap<u32, Share>,
    end: i64,
}

#[derive(Default)]
struct Share {
    /// First switch.
    start: i64,
    running: Option<(TaskRef, i64)>,
    unknown_since: Option<i64>,
    ran: i64,
    unknown: i64,
}

impl Sink for Shares {
    fn change(&mut self, _: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        match *change {
            Change::TaskState { task, to: TaskState::Running(core), .. } => {
                let new = Share { start: at.ns, unknown_since: Some(at.ns), ..Share::default() };
                let share = self.cores.entry(core).or_insert(new);
                assert!(share.running.is_none(), "two tasks at once");
                let since = share.unknown_since.take().unwrap();
                share.unknown += at.ns - since;
                share.running = Some((task, at.ns));
            }
            Change::TaskState { task, from: TaskState::Running(core), .. } => {
                let share = self.cores.get_mut(&core).unwrap();
                let (running, since) = share.running.take().unwrap();
                assert_eq!(running, task);
                share.ran += at.ns - since;
                share.unknown_since = Some(at.ns);
            }
            Change::StillRunning(task) => {
                let share = self.cores.get_mut(&at.core).unwrap();
                let (running, since) = share.running.take().unwrap();
                assert_eq!(running, task);
                share.ran += at.ns - since;
                share.unknown_since = Some(at.ns);
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(&mut self, _: &World, end_ns: i64) -> io::Result<()> {
        self.end = end_ns;
        Ok(())
    }
}

/// On each core the times for which its tasks ran, the idle task among them, and the time for which it
/// is not known who ran, make up the length of the recording. Interrupts are part of the task that they
/// interrupt.
#[test]
fn run_times_make_up_the_recording() {
    for (cores, loss_every) in [(1, 0), (4, 0), (1, 100), (3, 77)] {
        let bytes = recording(&generate::Options { size: 300_000, cores, seed: 5, loss_every });
        let mut shares = Shares::default();
        let inputs = [Input::from_bytes("r", &bytes)];
        let summary = convert(&inputs, &Options::default(), &mut shares).unwrap();
        let losses = summary.diagnostics.count(Problem::EventsLost);
        assert_eq!(losses > 0, loss_every > 0);
        assert_eq!(shares.cores.len(), cores as usize);
        for (core, share) in &shares.cores {
            let rest = share.unknown_since.map_or(0, |since| shares.end - since);
            assert_eq!(share.ran + share.unknown + rest, shares.end - share.start, "core {core}");
            if loss_every == 0 {
                assert_eq!(share.unknown, 0, "core {core}");
            } else {
                assert!(share.unknown > 0 && share.ran > share.unknown, "core {core}");
            }
        }
    }
}

/// One stream with the events of all cores, and one file a core, tell the same.
#[test]
fn split_and_merged_recordings_are_one() {
    for seed in 1..6 {
        let options = generate::Options { size: 60_000, cores: 3, seed, loss_every: 0 };
        let merged = recording(&options);
        let files = split(&options);
        let (mut whole, summary) = text(&[Input::from_bytes("m", &merged)], &Options::default());
        assert!(summary.diagnostics.is_clean());
        let inputs: Vec<_> = (0..)
            .zip(&files)
            .map(|(core, bytes)| Input::from_bytes(format!("{core}"), bytes).on_core(core))
            .collect();
        let (mut parts, _) = text(&inputs, &Options::default());
        // What happens at the same time on several cores has no order.
        whole.sort();
        parts.sort();
        assert!(whole == parts, "seed {seed}");
    }
}

/// A core that is silent for long neither stalls the others nor loses their events, and files may end
/// at different times.
#[test]
fn silent_cores_and_short_files_lose_nothing() {
    let options = generate::Options { size: 400_000, cores: 2, seed: 3, loss_every: 0 };
    let files = split(&options);
    let half = files[1].len() / 2;
    let cut = half + files[1][half..].iter().position(|byte| *byte == 0).unwrap() + 1;
    // All of core 0 between the two halves of core 1, in one stream.
    let core = |id: u8| if id == 0 { vec![1, 1, 1, 1, 0] } else { vec![1, 1, 2, id, 0] };
    let stream =
        [&core(1), &files[1][..cut], &core(0), &files[0], &core(1), &files[1][cut..]].concat();
    let apart = [Input::from_bytes("0", &files[0]), Input::from_bytes("1", &files[1]).on_core(1)];
    let (mut expected, expected_summary) = text(&apart, &Options::default());
    expected.sort();
    let mut options = Options::default();
    for window in [None, Some(20_000)] {
        options.window = window;
        let (mut lines, summary) = text(&[Input::from_bytes("s", &stream)], &options);
        // The three core_id events.
        assert_eq!(summary.events, expected_summary.events + 3, "{window:?}");
        lines.sort();
        if window.is_none() {
            assert!(lines == expected);
        }
    }
    // Of different lengths.
    let short =
        [Input::from_bytes("0", &files[0]), Input::from_bytes("1", &files[1][..cut]).on_core(1)];
    let (lines, summary) = text(&short, &Options::default());
    assert!(summary.diagnostics.is_clean());
    let of_core_0 =
        |lines: &[String]| lines.iter().filter(|line| line[13..].starts_with("0 ")).count();
    assert_eq!(of_core_0(&lines), of_core_0(&expected));
}
