//! The packets of a trace, change by change. They do not depend on the kind of the output, so all kinds share this code.

use std::collections::BTreeSet;

use super::colours::Colours;
use super::events::EventType;
use super::load::Point;
use super::memory::{Arrows, Enders, Errors, Isrs, ObjectTracks, QueueTracks, Reasons, TaskTracks};
use super::packets::Packets;
use super::tasks::sched::{Core, State};
use super::tracks::{Parent, Track, TrackContent, Tracks, Uuid};
use crate::model::{
    Change, EventTime, ForgottenState, Marker, PerCore, PerRef, Queue, Switch, Task, TaskState,
    Waker, World,
};

/// A trace that is made: the packets that are not handed on yet, and the state that they follow from.
#[derive(Debug, Default)]
pub struct Trace {
    pub(super) packets: Packets,
    pub(super) tracks: Tracks,
    pub(super) cores: PerCore<Core>,
    pub(super) tasks: PerRef<Task, TaskTracks>,
    pub(super) colours: Colours,
    /// Time of the last change, in ns.
    pub(super) last_ns: i64,
    /// Cores of which the idle task is known.
    pub(super) idle_cores: BTreeSet<u32>,
    pub(super) isrs: Isrs,
    pub(super) errors: Errors,
    pub(super) enders: Enders,
    pub(super) queues: PerRef<Queue, QueueTracks>,
    pub(super) objects: ObjectTracks,
    pub(super) markers: PerRef<Marker, Uuid>,
    pub(super) values: PerRef<Marker, Uuid>,
    pub(super) reasons: Reasons,
    pub(super) arrows: Arrows,
}

impl Trace {
    /// Opens the trace at the time of its first change.
    #[inline]
    pub(super) fn open(&mut self, ns: i64) {
        if !self.packets.is_open() {
            self.packets.open(ns);
        }
    }

    /// A core, with room in its bundle.
    #[inline]
    pub(super) fn core(&mut self, number: u32) -> &mut Core {
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

    /// One change.
    #[inline(always)]
    pub fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) {
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
    }

    /// A task leaves the core and another gets it.
    #[inline]
    pub fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) {
        self.open(at.ns);
        self.last_ns = at.ns;
        let Switch { previous, to, next, from } = *switch;
        let (Some(entry), Some(left_to)) = (world.tasks.get(previous), State::after_running(to))
        else {
            return;
        };
        if self.core(at.core).is_preempted() {
            let (runs, waker) = (TaskState::Running(at.core), Waker::Other);
            self.task_state(world, at, previous, (runs, to), waker);
            self.task_state(world, at, next, (from, runs), waker);
            return;
        }
        self.tid(world, previous);
        let runs = self.on_core(world, next);
        self.run(at, (from, left_to), runs);
        self.set_reason(world, at, previous, entry, to);
        self.leave_wait(world, at.ns, (next, from), None);
    }

    /// The facts from the first pass.
    pub fn start(&mut self, world: &World) {
        self.tracks.count_names(world);
        self.last_ns = world.start_ns.unwrap_or(0);
        self.idle_cores = world.tasks.iter().filter_map(|(_, task)| task.idle_of).collect();
    }

    /// Ends the trace at this time, in ns.
    pub fn finish(&mut self, world: &World, end_ns: i64) {
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
    }
}
