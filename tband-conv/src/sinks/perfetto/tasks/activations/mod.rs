//! The activations of tasks as slices, each with its split as arguments.
//!
//! The item that releases an activation may have been sent while the task was busy with earlier ones, so activations of a task
//! overlap. Slices of one track must not: a task has as many tracks as it has activations at one time. They have one name, and
//! Perfetto's page shows them as one row, whose slices are below each other where they overlap.

mod slices;

use std::io;

use self::slices::{Args, Names};
use crate::activations::{
    Activation, ActivationSink, Activations, PartKind, Path, Reason, Subject,
};
use crate::model::{Act, Change, Flow, Flows, PerRef, Task, TaskRef, TimerChange, World};
use crate::sinks::perfetto::trace::Trace;
use crate::sinks::perfetto::trace_with::{Addition, TraceWith};
use crate::sinks::perfetto::tracks::{NewTrack, TrackContent, Uuid};

/// Tracks of one task. A slice that would need another one begins where the last one is free: its arguments have its length.
const MAX_LANES: usize = 1024;

/// Writes a Perfetto trace that has the activations of tasks too. It has to be reported all flows, since the release of an
/// item is in its flow.
pub type PerfettoWithActivations<S> = TraceWith<S, ActivationSlices>;

/// Draws the activations of tasks.
#[derive(Debug)]
pub struct ActivationSlices {
    follow: Activations<EndedActivations>,
    /// The tracks of each task, with the end of their last slice.
    lanes: PerRef<Task, Vec<(Uuid, i64)>>,
    names: Names,
    /// The flows that the trace has.
    flows: Flows,
}

/// Activations of tasks that have ended and are not written yet.
#[derive(Debug, Default)]
pub struct EndedActivations(Vec<Activation>);

impl ActivationSink for EndedActivations {
    fn activation(&mut self, _: &World, activation: &Activation) -> io::Result<()> {
        if let Subject::Task(_) = activation.subject {
            self.0.push(activation.clone());
        }
        Ok(())
    }
}

impl<S> PerfettoWithActivations<S> {
    /// Adds the activations to a trace that is not begun yet, which has these flows.
    pub fn new(sink: S, flows: Flows) -> Self {
        let follow = Activations::new(EndedActivations::default());
        let (lanes, names) = (PerRef::default(), Names::default());
        Self::of(sink, ActivationSlices { follow, lanes, names, flows })
    }
}

impl Addition for ActivationSlices {
    type Follow = Activations<EndedActivations>;

    fn follow(&mut self) -> &mut Self::Follow {
        &mut self.follow
    }

    fn is_of_trace(&self, change: &Change<'_>) -> bool {
        match change {
            Change::Flow(flow) => is_wanted(self.flows, flow),
            Change::Timer(_, TimerChange::LeadsToCallback, _) => self.flows != Flows::None,
            _ => true,
        }
    }

    fn is_ready(&self) -> bool {
        !self.follow.inner().0.is_empty()
    }

    fn write(&mut self, world: &World, trace: &mut Trace) {
        for activation in std::mem::take(&mut self.follow.inner_mut().0) {
            if let Subject::Task(task) = activation.subject {
                self.write_one(world, trace, task, &activation);
            }
        }
    }
}

impl ActivationSlices {
    fn write_one(&mut self, world: &World, trace: &mut Trace, task: TaskRef, it: &Activation) {
        trace.open(it.released_ns);
        let lanes = self.lanes.entry(task);
        let free = lanes.iter().position(|(_, end)| *end <= it.released_ns);
        let place = free.unwrap_or(lanes.len()).min(MAX_LANES - 1);
        if place == lanes.len() {
            let parent = trace.process(world, task);
            let track = NewTrack {
                rank: 4,
                about: "Activations of the task, from release to end, and what took their time. Those that were \
                        released while the task was busy are below each other.",
                is_merged: true,
                ..NewTrack::new(parent, "activations", TrackContent::Slices)
            };
            lanes.push((trace.tracks.make(&mut trace.packets, track), i64::MIN));
        }
        let Some((track, end)) = lanes.get_mut(place) else { return };
        let begin_ns = it.released_ns.max(*end);
        *end = it.ended_ns.max(begin_ns);
        let woken_by = world.waker_name(it.woken_by, it.core);
        let mut args = Args::default();
        args.number("number", it.number.cast_signed());
        args.text("release", Some(it.release.name().to_owned()));
        args.text("object", it.release.object(world));
        args.text("woken_by", woken_by);
        args.number("response_ns", it.response_ns());
        let mut sums = PartKind::ALL.map(|kind| (kind, it.sum(kind)));
        for (kind, ns) in sums.iter().filter(|(_, ns)| *ns > 0) {
            args.number(name_of(*kind), *ns);
        }
        for (name, number, usual) in [
            ("inverted_ns", it.inverted_ns, 0),
            ("resumes", it.resumes.into(), 0),
            ("merged", it.merged.into(), 1),
        ] {
            if number != usual {
                args.number(name, number);
            }
        }
        args.text("cut", cut(it).map(str::to_owned));
        // Facts that the sums do not show: the tasks, and the locks.
        let mut paths: Vec<_> = it.split.iter().filter(|(path, _)| !is_plain(path)).collect();
        paths.sort_by_key(|(_, ns)| std::cmp::Reverse(*ns));
        for ((name, name_ns), (path, ns)) in CHAINS.iter().zip(paths) {
            args.text(name, Some(path.describe(world)));
            args.number(name_ns, *ns);
        }
        // The slice is named after the path that took most of its time, so a row of one colour has one cause.
        sums.sort_by_key(|(_, ns)| std::cmp::Reverse(*ns));
        let most = sums.first().map_or(
            PartKind::Own,
            |(kind, ns)| {
                if *ns > 0 { *kind } else { PartKind::Own }
            },
        );
        let (track, end_ns) = (*track, *end);
        self.names.slice(&mut trace.packets, (begin_ns, end_ns), track, (most, &args));
    }
}

/// Paths of an activation that are named, the longest first: the names of the arguments.
const CHAINS: [(&str, &str); 8] = [
    ("chain", "chain_ns"),
    ("chain2", "chain2_ns"),
    ("chain3", "chain3_ns"),
    ("chain4", "chain4_ns"),
    ("chain5", "chain5_ns"),
    ("chain6", "chain6_ns"),
    ("chain7", "chain7_ns"),
    ("chain8", "chain8_ns"),
];

/// Whether the path contains only its kind.
const fn is_plain(path: &Path) -> bool {
    path.locks.is_empty() && matches!(path.reason, Reason::Own | Reason::Backlog | Reason::Unknown)
}

/// The argument of a slice that has the sum of a kind.
const fn name_of(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Backlog => "backlog_ns",
        PartKind::Own => "own_ns",
        PartKind::Interrupts => "interrupts_ns",
        PartKind::Preempted => "preempted_ns",
        PartKind::Shared => "shared_ns",
        PartKind::Pushed => "pushed_ns",
        PartKind::HeldOff => "held_off_ns",
        PartKind::Locked => "locked_ns",
        PartKind::Room => "room_ns",
        PartKind::Suspended => "suspended_ns",
        PartKind::Unknown => "unknown_ns",
    }
}

/// Returns the part of an activation that is not recorded.
const fn cut(it: &Activation) -> Option<&'static str> {
    match (it.begin_seen, it.end_seen) {
        (true, true) => None,
        (false, true) => Some("begin"),
        (true, false) => Some("end"),
        (false, false) => Some("begin and end"),
    }
}

/// Whether a trace that has these flows has a flow.
const fn is_wanted(flows: Flows, flow: &Flow) -> bool {
    match flows {
        Flows::None => false,
        Flows::Wakes => flow.woke || matches!(flow.from.act, Act::LeaveCore(_)),
        Flows::All => true,
    }
}
