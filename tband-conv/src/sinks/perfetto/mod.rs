//! A trace for Perfetto, with real scheduling data.
//!
//! Tasks are threads with their states, interrupts are threads that preempt them or separate tracks, waits are slices on the
//! track of their task, queues are counters, mutexes are slices named after their holder, markers are slices and counters, and
//! losses and damage are in a group *Errors*. Memory grows with the number of objects.

mod clocks;
mod colours;
mod crashes;
mod errors;
mod events;
mod flows;
mod ftrace;
mod interrupts;
mod load;
mod markers;
mod memory;
mod objects;
mod packets;
mod proto;
mod queues;
mod raw_events;
mod tasks;
mod timers;
mod tracks;
mod wire;

use std::collections::BTreeSet;
use std::io::{self, Write};

pub use self::raw_events::RawEvents;
pub use self::tasks::activations::{PerfettoWithActivations, TraceSink};
pub use self::tasks::load::PerfettoWithTaskLoad;
pub(crate) use self::tasks::tids::tid_of;

use self::colours::Colours;
use self::events::EventType;
use self::load::Point;
pub use self::memory::Interrupts;
use self::memory::{Arrows, Enders, Errors, Isrs, ObjectTracks, QueueTracks, Reasons, TaskTracks};
use self::packets::Packets;
use self::tasks::sched::{Core, State};
use self::tracks::{Parent, Track, TrackContent, Tracks, Uuid};
use crate::model::{
    Change, EventTime, ForgottenState, Marker, PerCore, PerRef, Queue, Sink, Switch, Task,
    TaskState, Waker, World,
};

/// Writes a Perfetto trace.
#[derive(Debug)]
pub struct Perfetto<W> {
    packets: Packets<W>,
    tracks: Tracks,
    cores: PerCore<Core>,
    tasks: PerRef<Task, TaskTracks>,
    colours: Colours,
    /// Time of the last change, in ns.
    last_ns: i64,
    /// Cores of which the idle task is known.
    idle_cores: BTreeSet<u32>,
    isrs: Isrs,
    errors: Errors,
    enders: Enders,
    queues: PerRef<Queue, QueueTracks>,
    objects: ObjectTracks,
    markers: PerRef<Marker, Uuid>,
    values: PerRef<Marker, Uuid>,
    reasons: Reasons,
    arrows: Arrows,
}

impl<W: Write> Perfetto<W> {
    /// Writes to `out`, in blocks.
    pub fn new(out: W) -> Self {
        Self {
            packets: Packets::new(out),
            tracks: Tracks::default(),
            cores: PerCore::default(),
            tasks: PerRef::default(),
            colours: Colours::default(),
            last_ns: 0,
            idle_cores: BTreeSet::new(),
            isrs: Isrs::default(),
            errors: Errors::default(),
            enders: Enders::default(),
            queues: PerRef::default(),
            objects: ObjectTracks::default(),
            markers: PerRef::default(),
            values: PerRef::default(),
            reasons: Reasons::default(),
            arrows: Arrows::default(),
        }
    }

    /// Chooses how interrupts are shown.
    #[must_use]
    pub fn with_interrupts(mut self, interrupts: Interrupts) -> Self {
        self.isrs.shown = interrupts;
        self
    }

    /// Returns the output.
    pub fn into_inner(self) -> W {
        self.packets.into_inner()
    }

    /// Opens the trace at the time of its first change.
    #[inline]
    fn open(&mut self, ns: i64) {
        if !self.packets.is_open() {
            self.packets.open(ns);
        }
    }

    /// A core, with room in its bundle.
    #[inline]
    fn core(&mut self, number: u32) -> &mut Core {
        let core = self.cores.entry(number);
        if core.bundle.is_full() || !core.load.points.is_empty() {
            self.write_core(number);
        }
        self.cores.entry(number)
    }

    /// Writes the gathered events of a core.
    #[cold]
    fn write_core(&mut self, number: u32) {
        let packets = &mut self.packets;
        let core = self.cores.entry(number);
        core.bundle.take(number, |content| packets.raw(1, content));
        if !core.load.points.is_empty() {
            self.emit_load(number);
        }
    }

    /// Reports the load of a core, as far as windows are over.
    #[cold]
    fn emit_load(&mut self, core: u32) {
        let load = &mut self.cores.entry(core).load;
        let points = std::mem::take(&mut load.points);
        if !self.idle_cores.contains(&core) {
            return;
        }
        if load.track == 0 {
            let track = Track {
                about: "Share of the time in which the core did not run its idle task, in windows \
                        of 10 ms. Interrupts count, and unknown time does not; -1 where it is not \
                        known what the core did.",
                ..Track::new(Parent::Root, format!("Load of core {core}"), TrackContent::Percent)
            };
            load.track = self.tracks.make(&mut self.packets, track);
            let name = format!("in interrupts of core {core}");
            let track = Track {
                about: "Share of the time in which the core was in interrupts, in the same windows.",
                ..Track::new(Parent::Track(load.track), name, TrackContent::Percent)
            };
            load.isr_track = self.tracks.make(&mut self.packets, track);
        }
        for Point { ns, all, interrupts } in points {
            for (track, value) in [(load.track, all), (load.isr_track, interrupts)] {
                if let Some(value) = value {
                    self.packets.counter(ns, track, value);
                }
            }
        }
    }
}

impl<W: Write> Sink for Perfetto<W> {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.frequent(world, at, change)
    }

    #[inline(always)]
    fn frequent(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.open(at.ns);
        let before = std::mem::replace(&mut self.last_ns, at.ns);
        match *change {
            Change::TaskState { task, from, to, waker } => {
                self.task_state(world, at, task, (from, to), waker);
            }
            Change::QueueLevel { queue, level, .. } => self.queue_level(world, at, queue, level),
            Change::WaitEnded { task, outcome, .. } => self.wait_ended(world, at, task, outcome),
            Change::Flow(flow) => self.flow(world, flow),
            Change::Task(task, change, _) => self.task_change(world, at, task, change),
            Change::Queue(queue, change, by) => self.queue_change(world, at, queue, change, by),
            Change::IsrEnter(isr) => self.isr_enters(world, at, isr),
            Change::IsrExit(isr) | Change::Forgotten(ForgottenState::Isr(isr)) => {
                self.isr_exits(world, at, isr);
            }
            Change::Priority { task, priority, .. } => self.priority(world, at, task, priority),
            Change::MutexTaken(queue, holder) => self.mutex(world, at, queue, Some(holder)),
            Change::MutexGiven(queue, _) => self.mutex(world, at, queue, None),
            Change::Marker(marker, msg, _) => {
                self.marker(world, at, marker, EventType::Instant, msg);
            }
            Change::SpanBegin(marker, msg, _) => {
                self.marker(world, at, marker, EventType::SliceBegin, msg);
            }
            Change::SpanEnd(marker, _) | Change::SpanAbandoned(marker) => {
                let track = self.marker_track(world, marker, TrackContent::Slices);
                self.packets.event(at.ns, EventType::SliceEnd, track, None);
            }
            Change::Value(marker, value, _) => {
                let track = self.marker_track(world, marker, TrackContent::Counter);
                self.packets.number_counter(at.ns, track, value);
            }
            // All tasks are listed in the end, by their last names.
            Change::TaskAppears(task) => self.add_task(world, task),
            Change::TaskRenamed(task) => {
                self.add_task(world, task);
                self.enders.renamed(task);
            }
            // Its arrow is reported too.
            Change::Migrated { .. } | Change::StillRunning(_) => {}
            Change::Forgotten(ForgottenState::Holder(queue)) => {
                self.mutex(world, at, queue, None);
                self.depth_is_unknown(at, queue);
            }
            Change::Forgotten(ForgottenState::Span(marker)) => {
                let track = self.marker_track(world, marker, TrackContent::Slices);
                self.packets.event(at.ns, EventType::SliceEnd, track, None);
            }
            Change::Forgotten(ForgottenState::Level(queue)) => self.level_is_unknown(at, queue),
            Change::Forgotten(ForgottenState::StreamBuffer(buffer)) => {
                self.bytes_are_unknown(at, buffer);
            }
            Change::Forgotten(ForgottenState::Priority(task)) => {
                let track = self.task(world, task).priority;
                self.counter_is_unknown(at, track);
            }
            Change::Forgotten(ForgottenState::EventGroup(group)) => {
                self.event_group_bits(world, at, group, None);
            }
            Change::Forgotten(ForgottenState::Timer(timer)) => {
                self.timer_forgotten(world, at, timer)
            }
            Change::Forgotten(ForgottenState::Callback(_, task)) => {
                self.callback_forgotten(world, at, task);
            }
            Change::Forgotten(ForgottenState::Call(caller, _)) => {
                self.call_forgotten(world, at, caller)
            }
            Change::Forgotten(ForgottenState::Sleep) => self.end_sleep(at),
            // Its task and interrupts are reported one by one.
            Change::Forgotten(ForgottenState::Core) => {}
            Change::LeftOut(what, begins) => self.emit_omissions(world, at, what, begins),
            Change::Shed { class, total, .. } => self.shed(at, class, total),
            Change::Crash(crash) => self.crash(crash),
            Change::Trigger(trigger) => self.trigger(trigger),
            Change::Finding(finding) => self.finding(at, before, finding),
            Change::StreamBuffer(buffer, change, by) => {
                self.stream_buffer(world, at, buffer, change, by);
            }
            Change::EventGroup(group, change, _) => self.event_group(world, at, group, change),
            Change::Timer(timer, change, _) => self.timer(world, at, timer, change),
            Change::Kernel(change, by) => self.kernel(world, at, change, by),
            Change::Call(caller, function, change) => {
                self.call(world, at, (caller, function), change);
            }
        }
        self.packets.flush_if_full()
    }

    #[inline]
    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        self.open(at.ns);
        self.last_ns = at.ns;
        let Switch { previous, to, next, from } = *switch;
        let (Some(entry), Some(left_to)) = (world.tasks.get(previous), State::after_running(to))
        else {
            return Ok(());
        };
        if self.core(at.core).is_preempted() {
            let (runs, waker) = (TaskState::Running(at.core), Waker::Other);
            self.task_state(world, at, previous, (runs, to), waker);
            self.task_state(world, at, next, (from, runs), waker);
            return self.packets.flush_if_full();
        }
        self.tid(world, previous);
        let runs = self.on_core(world, next);
        self.run(at, (from, left_to), runs);
        self.set_reason(world, at, previous, entry, to);
        self.leave_wait(world, at.ns, (next, from), None);
        self.packets.flush_if_full()
    }

    fn start(&mut self, world: &World) -> io::Result<()> {
        self.tracks.count_names(world);
        self.last_ns = world.start_ns.unwrap_or(0);
        self.idle_cores = world.tasks.iter().filter_map(|(_, task)| task.idle_of).collect();
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.open(end_ns);
        for (task, _) in world.tasks.iter() {
            self.finish_wait(world, task, None);
        }
        for (number, _) in (0..).zip(0..self.cores.len()) {
            self.mark_runnable(number);
            self.core(number).finish(end_ns);
            self.write_core(number);
        }
        self.emit_hidden(end_ns);
        if world.are_times_ticks {
            self.emit_unit(world.start_ns.unwrap_or(0));
        }
        self.emit_clocks(world, end_ns);
        self.emit_threads(world, end_ns);
        self.packets.close()
    }
}
