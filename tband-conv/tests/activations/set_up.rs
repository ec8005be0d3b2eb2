//! Recordings made by hand, with ticks of 1 us, and their activations as text.

use std::io;

use tband_conv::activations::{Activation, ActivationSink, Activations, LockHold, PathSegment};
use tband_conv::timeline::{Waker, World};
use tband_conv::{Flows, Input, Options, convert};
use tband_format::Event::*;
use tband_format::QueueKind as Kind;
use tband_recordings::{Recording, str};

pub const LOW: u32 = 1;
pub const MEDIUM: u32 = 2;
pub const HIGH: u32 = 3;
pub const IDLE: u32 = 4;
/// A queue, a mutex, and a binary semaphore.
pub const QUEUE: u32 = 1;
pub const BUS: u32 = 2;
pub const FLAG: u32 = 3;

/// Tasks `low`, `medium` and `high` with priorities 1, 3 and 5, an idle task, and objects.
pub fn start() -> Recording {
    Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(TaskName { task_id: LOW, name: str("low") })
        .meta(TaskName { task_id: MEDIUM, name: str("medium") })
        .meta(TaskName { task_id: HIGH, name: str("high") })
        .meta(TaskName { task_id: IDLE, name: str("IDLE") })
        .meta(TaskIsIdleTask { task_id: IDLE, core_id: 0 })
        .meta(QueueName { queue_id: QUEUE, name: str("data") })
        .meta(QueueKind { queue_id: QUEUE, kind: Kind::QUEUE })
        .meta(QueueName { queue_id: BUS, name: str("bus") })
        .meta(QueueKind { queue_id: BUS, kind: Kind::MUTEX })
        .meta(QueueName { queue_id: FLAG, name: str("flag") })
        .meta(QueueKind { queue_id: FLAG, kind: Kind::BINARY_SEMAPHORE })
        .meta(IsrName { isr_id: 7, name: str("UART") })
        .meta(IsrName { isr_id: 8, name: str("ADC") })
        .at(0, TaskPrioritySet { task_id: LOW, priority: 1 })
        .at(0, TaskPrioritySet { task_id: MEDIUM, priority: 3 })
        .at(0, TaskPrioritySet { task_id: HIGH, priority: 5 })
        .at(0, TaskPrioritySet { task_id: IDLE, priority: 0 })
}

/// Short names of the events that these tests need most.
pub trait RecordingExt: Sized {
    fn runs(self, us: u64, task_id: u32) -> Self;
    fn wake(self, us: u64, task_id: u32) -> Self;
    fn delays(self, us: u64) -> Self;
    fn send(self, us: u64, queue_id: u32, len_after: u32) -> Self;
    fn take(self, us: u64, queue_id: u32, len_after: u32) -> Self;
    fn wait(self, us: u64, queue_id: u32) -> Self;
}

impl RecordingExt for Recording {
    fn runs(self, us: u64, task_id: u32) -> Self {
        self.at(us, TaskSwitchedIn { task_id })
    }
    fn wake(self, us: u64, task_id: u32) -> Self {
        self.at(us, TaskToRdyState { task_id })
    }
    fn delays(self, us: u64) -> Self {
        self.at(us, CurtaskDelay { ticks: 5 })
    }
    fn send(self, us: u64, queue_id: u32, len_after: u32) -> Self {
        self.at(us, QueueSend { queue_id, len_after })
    }
    fn take(self, us: u64, queue_id: u32, len_after: u32) -> Self {
        self.at(us, QueueReceive { queue_id, len_after })
    }
    fn wait(self, us: u64, queue_id: u32) -> Self {
        self.at(us, CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait: u32::MAX })
    }
}

/// The reports, as lines.
#[derive(Debug, Default)]
pub struct Lines {
    pub activations: Vec<String>,
    pub parts: Vec<String>,
    pub holds: Vec<String>,
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

/// The activations of a recording. Their parts add up to them.
pub fn follow(recording: &Recording) -> Lines {
    let mut lines = Lines::default();
    let mut sink = Activations::new(&mut lines);
    let inputs = [Input::from_bytes("r", &recording.0)];
    let mut options = Options::default();
    options.flows = Flows::All;
    convert(&inputs, &options, &mut sink).unwrap();
    assert_eq!(lines.partial, 0, "{lines:#?}");
    lines
}

/// The lines that begin with a name.
pub fn of<'l>(lines: &'l [String], name: &str) -> Vec<&'l str> {
    lines.iter().map(String::as_str).filter(|line| line.starts_with(name)).collect()
}
