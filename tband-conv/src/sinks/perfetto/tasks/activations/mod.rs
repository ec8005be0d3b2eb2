//! The activations of tasks as slices, each with its split as arguments: a separate sink around the usual one, so that a
//! trace without them costs nothing.
//!
//! The item that releases an activation may have been sent while the task was busy with earlier ones, so activations of a task
//! overlap. Slices of one track must not: a task has as many tracks as it has activations at one time. They have one name, and
//! Perfetto's page shows them as one row, whose slices are below each other where they overlap.

mod slices;

use std::io::{self, Write};

use self::slices::{Args, Names};
use crate::activations::{
    Activation, ActivationSink, Activations, PartKind, Path, Reason, Subject,
};
use crate::model::{
    Act, Change, EventTime, Flow, Flows, PerRef, Sink, Switch, Task, TaskRef, TimedEvent,
    TimerChange, World,
};
use crate::sinks::perfetto::trace::Trace;
use crate::sinks::perfetto::tracks::{NewTrack, TrackContent, Uuid};
use crate::sinks::perfetto::{Perfetto, RawEvents};

/// Tracks of one task. A slice that would need another one begins where the last one is free: its arguments have its length.
const MAX_LANES: usize = 1024;

/// A sink that writes a trace.
pub trait TraceSink: Sink {
    /// The trace that is made.
    fn trace(&mut self) -> &mut Trace;

    /// Writes the packets when many have piled up.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn flush_if_full(&mut self) -> io::Result<()>;
}

impl<W: Write> TraceSink for Perfetto<W> {
    fn trace(&mut self) -> &mut Trace {
        &mut self.trace
    }

    #[inline]
    fn flush_if_full(&mut self) -> io::Result<()> {
        self.trace.packets.flush_if_full(&mut self.out)
    }
}

impl<W: Write> TraceSink for RawEvents<W> {
    fn trace(&mut self) -> &mut Trace {
        self.sink.trace()
    }

    #[inline]
    fn flush_if_full(&mut self) -> io::Result<()> {
        self.sink.flush_if_full()
    }
}

/// Writes a Perfetto trace that has the activations of tasks too. It has to be reported all flows, since the release of an
/// item is in its flow.
#[derive(Debug)]
pub struct PerfettoWithActivations<S> {
    sink: S,
    follow: Activations<EndedActivations>,
    /// The tracks of each task, with the end of their last slice.
    lanes: PerRef<Task, Vec<(Uuid, i64)>>,
    names: Names,
    /// The flows that the trace has.
    flows: Flows,
}

/// Activations of tasks that have ended and are not written yet.
#[derive(Debug, Default)]
struct EndedActivations(Vec<Activation>);

impl ActivationSink for EndedActivations {
    fn activation(&mut self, _: &World, activation: &Activation) -> io::Result<()> {
        if let Subject::Task(_) = activation.subject {
            self.0.push(activation.clone());
        }
        Ok(())
    }
}

impl<S: TraceSink> PerfettoWithActivations<S> {
    /// Adds the activations to a trace that is not begun yet, which has these flows.
    pub fn new(sink: S, flows: Flows) -> Self {
        let follow = Activations::new(EndedActivations::default());
        Self { sink, follow, lanes: PerRef::default(), names: Names::default(), flows }
    }

    /// Returns the sink.
    pub fn into_inner(self) -> S {
        self.sink
    }

    /// Writes the activations that have ended.
    fn write(&mut self, world: &World) -> io::Result<()> {
        if self.follow.inner().0.is_empty() {
            return Ok(());
        }
        for activation in std::mem::take(&mut self.follow.inner_mut().0) {
            if let Subject::Task(task) = activation.subject {
                self.write_one(world, task, &activation);
            }
        }
        self.sink.flush_if_full()
    }

    fn write_one(&mut self, world: &World, task: TaskRef, it: &Activation) {
        let trace = self.sink.trace();
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

impl<S: TraceSink> Sink for PerfettoWithActivations<S> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.sink.start(world)
    }

    fn start_earlier(&mut self, world: &World) -> io::Result<()> {
        self.sink.start_earlier(world)
    }

    fn needs_events(&self) -> bool {
        self.sink.needs_events()
    }

    fn before_event(&mut self, world: &World, at: EventTime) {
        self.sink.before_event(world, at);
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        self.sink.event(event)
    }

    fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.sink.initial(world, at, change)?;
        self.follow.initial(world, at, change)?;
        self.write(world)
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        let is_wanted = match change {
            Change::Flow(flow) => is_wanted(self.flows, flow),
            Change::Timer(_, TimerChange::LeadsToCallback, _) => self.flows != Flows::None,
            _ => true,
        };
        if is_wanted {
            self.sink.change(world, at, change)?;
        }
        self.follow.change(world, at, change)?;
        self.write(world)
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        self.sink.switch(world, at, switch)?;
        self.follow.switch(world, at, switch)?;
        self.write(world)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.follow.finish(world, end_ns)?;
        self.write(world)?;
        self.sink.finish(world, end_ns)
    }
}
