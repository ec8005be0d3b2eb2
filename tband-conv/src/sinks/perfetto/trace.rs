//! The packets of a trace, change by change. They do not depend on the kind of the output, so all kinds share this code.

use std::collections::BTreeSet;
use std::io;

use super::colours::Colours;
use super::load::Point;
use super::memory::{Arrows, Enders, Errors, Isrs, QueueTracks, Reasons, TaskTracks};
use super::packets::Packets;
use super::tasks::sched::{Core, State};
use super::tracks::{NewTrack, Parent, TrackContent, Tracks};
use crate::model::{
    Change, EventTime, PerCore, PerRef, Queue, Switch, Task, TaskState, Waker, World,
};
use crate::tracks::follow;

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
    /// Time of the change before it, in ns.
    pub(super) before_ns: i64,
    /// Cores of which the idle task is known.
    pub(super) idle_cores: BTreeSet<u32>,
    pub(super) isrs: Isrs,
    pub(super) errors: Errors,
    pub(super) enders: Enders,
    pub(super) queues: PerRef<Queue, QueueTracks>,
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
            let track = NewTrack {
                about: "Share of the time in which the core did not run its idle task, in windows \
                        of 10 ms. Interrupts count, and unknown time does not; -1 where it is not \
                        known what the core did.",
                ..NewTrack::new(Parent::Root, format!("Load of core {core}"), TrackContent::Percent)
            };
            load.track = self.tracks.make(&mut self.packets, track);
            let name = format!("in interrupts of core {core}");
            let track = NewTrack {
                about: "Share of the time in which the core was in interrupts, in the same windows.",
                ..NewTrack::new(Parent::Track(load.track), name, TrackContent::Percent)
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
    pub fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.open(at.ns);
        self.before_ns = std::mem::replace(&mut self.last_ns, at.ns);
        match *change {
            // All tasks are listed in the end, by their last names.
            Change::TaskAppears(task) => self.add_task(world, task),
            Change::TaskRenamed(task) => {
                self.add_task(world, task);
                self.enders.renamed(task);
            }
            _ => return follow(self, world, at, change),
        }
        Ok(())
    }

    /// A task leaves the core and another gets it.
    #[inline]
    pub(super) fn switch_tasks(&mut self, world: &World, at: EventTime, switch: &Switch) {
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
