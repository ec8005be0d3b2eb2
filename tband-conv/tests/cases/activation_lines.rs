//! The activations of a recording as text, in us.

use std::io;

use tband_conv::activations::{Activation, ActivationSink, Activations, LockHold, PathSegment};
use tband_conv::model::{Flows, Waker, World};
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_recordings::cases::Case;
use tband_recordings::{Recording, str};

/// The reports, as lines.
#[derive(Debug, Default)]
struct Lines {
    activations: Vec<String>,
    parts: Vec<String>,
    holds: Vec<String>,
    partial: i64,
}

fn us(ns: i64) -> String {
    if ns % 1000 == 0 {
        format!("{}", ns / 1000)
    } else {
        format!("{}.{:03}", ns / 1000, ns % 1000)
    }
}

impl ActivationSink for &mut Lines {
    fn activation(&mut self, world: &World, it: &Activation) -> io::Result<()> {
        let split: i64 = it.split.iter().map(|(_, ns)| *ns).sum();
        assert_eq!(split + it.others.iter().sum::<i64>(), it.response_ns(), "{it:?}");
        assert!(it.split.iter().all(|(_, ns)| *ns > 0), "{it:?}");
        self.partial += it.response_ns();
        let by = match it.woken_by {
            Waker::Task(task) => format!(" by {}", world.task_name(task)),
            Waker::Isr(isr) => format!(" by {}", world.isr_name(isr, it.core)),
            Waker::Other => String::new(),
        };
        let mut text = format!(
            "{} {}: {}{by} {}, ready {}, started {}, ended {}",
            it.subject.name(world),
            it.number,
            it.release.name(),
            us(it.released_ns),
            us(it.ready_ns),
            it.started_ns.map_or("never".to_owned(), us),
            us(it.ended_ns),
        );
        for (show, word) in [
            (!it.begin_seen, ", begin unseen".to_owned()),
            (!it.end_seen, ", cut".to_owned()),
            (it.resumes > 0, format!(", {} resumes", it.resumes)),
            (it.merged != 1, format!(", {} merged", it.merged)),
            (it.inverted_ns > 0, format!(", inverted {}", us(it.inverted_ns))),
        ] {
            if show {
                text += &word;
            }
        }
        self.activations.push(text);
        Ok(())
    }

    fn part(&mut self, world: &World, part: &PathSegment<'_>) -> io::Result<()> {
        assert!(part.begin_ns < part.end_ns, "{part:?}");
        self.partial -= part.end_ns - part.begin_ns;
        self.parts.push(format!(
            "{} {}: {} to {} {}",
            part.subject.name(world),
            part.number,
            us(part.begin_ns),
            us(part.end_ns),
            part.path.describe(world),
        ));
        Ok(())
    }

    fn hold(&mut self, world: &World, hold: &LockHold) -> io::Result<()> {
        self.holds.push(format!(
            "{} by {}: {} to {}, {} waited{}{}",
            world.queue_name(hold.lock),
            hold.holder.map_or("?".to_owned(), |task| world.task_name(task).to_string()),
            us(hold.begin_ns),
            us(hold.end_ns),
            hold.waiters,
            if hold.begin_seen { "" } else { ", take unseen" },
            if hold.end_seen { "" } else { ", give unseen" },
        ));
        Ok(())
    }
}

/// Returns the lines of a kind: activations, their parts, or the holds of locks.
pub fn lines(case: &Case, options: &Options, kind: &str) -> Vec<String> {
    let lines = follow(&case.inputs(), options);
    match kind {
        "activations" => lines.activations,
        "parts" => lines.parts,
        _ => lines.holds,
    }
}

/// The parts add up to the activations.
fn follow(inputs: &[Input<'_>], options: &Options) -> Lines {
    let mut lines = Lines::default();
    let mut options = options.clone();
    options.flows = Flows::All;
    convert(inputs, &options, &mut Activations::new(&mut lines)).unwrap();
    assert_eq!(lines.partial, 0, "{lines:#?}");
    lines
}

/// Each switch is a border in the activation of each ready task: only a limited number is followed, and the time of the others
/// is unknown.
#[test]
fn of_very_many_ready_tasks_some_are_cut() {
    const TASKS: u32 = 600;
    const FOLLOWED: usize = 512;
    let mut recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(TaskIsIdleTask { task_id: 1, core_id: 0 })
        .at(5, TaskSwitchedIn { task_id: 1 });
    for task in 0..TASKS {
        let task_id = 100 + task;
        recording = recording
            .meta(TaskName { task_id, name: str(&format!("t{task}")) })
            .at(10, TaskCreated { task_id })
            .at(10, TaskToRdyState { task_id });
    }
    let recording = recording
        .at(20, TaskSwitchedIn { task_id: 100 })
        .at(30, CurtaskDelay { ticks: 5 })
        .at(40, TaskSwitchedIn { task_id: 101 })
        .at(50, CurtaskDelay { ticks: 5 })
        .at(60, TaskSwitchedIn { task_id: 1 });
    let lines = follow(&[Input::from_bytes("r", &recording.0)], &Options::default());
    let of = |task: u32| {
        let name = format!("t{task} ");
        let starts = |line: &&String| line.starts_with(&name);
        (
            lines.activations.iter().filter(starts).collect::<Vec<_>>(),
            lines.parts.iter().filter(starts).collect::<Vec<_>>(),
        )
    };
    let (first, parts) = of(0);
    assert_eq!(first.len(), 1, "{first:?}");
    assert!(!first[0].ends_with(", cut"), "{first:?}");
    assert!(parts.len() > 1 && !parts.iter().any(|part| part.ends_with("unknown")), "{parts:?}");
    let (last, parts) = of(TASKS - 1);
    assert_eq!(last.len(), 1, "{last:?}");
    assert!(last[0].ends_with(", cut"), "{last:?}");
    assert!(matches!(parts[..], [part] if part.ends_with(" unknown")), "{parts:?}");
    let unknown = lines.parts.iter().filter(|part| part.ends_with("unknown")).count();
    assert_eq!(unknown, TASKS as usize - FOLLOWED);
}
