//! A trace for Perfetto, with real scheduling data.
//!
//! Tasks are threads with their states, interrupts are threads that preempt them or rows of their own,
//! waits are slices on the row of their task, queues are counters, mutexes are slices named after
//! their holder, markers are slices and counters, and whatever is lost or damaged stands in a group
//! *Errors*. Memory grows with the number of objects.

mod errors;
mod flows;
mod ftrace;
mod interrupts;
mod load;
mod objects;
mod packets;
mod proto;
mod raw_events;
mod rows;
mod sched;
mod threads;
mod timers;
mod tracks;
mod waits;
mod wire;

use std::io::{self, Write};

pub use self::interrupts::Interrupts;
pub use self::raw_events::RawEvents;

use self::errors::Errors;
use self::flows::{Arrows, QueueRows, TaskRows};
use self::interrupts::Isrs;
use self::objects::ObjectRows;
use self::packets::{EventType, Packets};
use self::rows::QueueTracks;
use self::sched::{Core, OnCore, PRIORITY_OFFSET, State};
use self::threads::TaskTracks;
use self::tracks::{Shows, Tracks, Uuid};
use self::waits::{Ender, Enders, Reason, Reasons};
use crate::timeline::{
    At, Change, Forgotten, Sink, Switch, Task, TaskRef, TaskState, Waker, World,
};

/// Writes a Perfetto trace.
#[derive(Debug)]
pub struct Perfetto<W> {
    packets: Packets<W>,
    tracks: Tracks,
    cores: Vec<Core>,
    tasks: Vec<TaskTracks>,
    /// Where there is no entry of a task.
    no_task: TaskTracks,
    /// The process of deleted tasks; 0 if there is none yet.
    deleted: Uuid,
    /// Time of the last step.
    last_ns: i64,
    has_idle_task: bool,
    has_wait_slices: bool,
    isrs: Isrs,
    errors: Errors,
    enders: Enders,
    queues: Vec<QueueTracks>,
    objects: ObjectRows,
    markers: Vec<Uuid>,
    values: Vec<Uuid>,
    task_rows: Vec<TaskRows>,
    queue_rows: Vec<QueueRows>,
    reasons: Reasons,
    arrows: Arrows,
}

impl<W: Write> Perfetto<W> {
    /// Writes to `out`, in blocks.
    pub fn new(out: W) -> Self {
        Self {
            packets: Packets::new(out),
            tracks: Tracks::default(),
            cores: Vec::new(),
            tasks: Vec::new(),
            no_task: TaskTracks::default(),
            deleted: 0,
            last_ns: 0,
            has_idle_task: false,
            has_wait_slices: true,
            isrs: Isrs::default(),
            errors: Errors::default(),
            enders: Enders::default(),
            queues: Vec::new(),
            objects: ObjectRows::default(),
            markers: Vec::new(),
            values: Vec::new(),
            task_rows: Vec::new(),
            queue_rows: Vec::new(),
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

    /// Gives the output back.
    pub fn into_inner(self) -> W {
        self.packets.into_inner()
    }

    /// Opens the trace at the time of its first change.
    #[inline(always)]
    fn open(&mut self, ns: i64) {
        if !self.packets.is_open() {
            self.packets.open(ns);
        }
    }

    #[inline]
    fn make_core(&mut self, number: u32) {
        let index = number as usize;
        if self.cores.len() <= index {
            self.cores.resize_with(index + 1, Core::default);
        }
    }

    /// A core, with room in its bundle.
    #[inline]
    fn core(&mut self, number: u32) -> Option<&mut Core> {
        self.make_core(number);
        let index = number as usize;
        let core = self.cores.get(index)?;
        if core.bundle.is_full() || !core.load.points.is_empty() {
            self.write_core(number);
        }
        self.cores.get_mut(index)
    }

    /// Writes what has been gathered of a core.
    #[cold]
    fn write_core(&mut self, number: u32) {
        let packets = &mut self.packets;
        let Some(core) = self.cores.get_mut(number as usize) else { return };
        core.bundle.take(number, |content| packets.raw(1, content));
        if !core.load.points.is_empty() {
            self.tell_load(number);
        }
    }

    #[inline]
    fn on_core(&mut self, world: &World, task: TaskRef) -> OnCore {
        let tid = self.tid(world, task);
        let (priority, is_idle) = match world.tasks.get(task) {
            Some(task) => (task.priority.unwrap_or(0), task.idle_of.is_some()),
            None => (0, false),
        };
        let priority = priority.saturating_add(PRIORITY_OFFSET);
        OnCore { tid, priority: priority.min(i32::MAX.cast_unsigned()), is_idle }
    }

    #[inline]
    fn task_state(
        &mut self,
        world: &World,
        at: At,
        task: TaskRef,
        (from, to): (TaskState, TaskState),
        waker: Waker,
    ) {
        let Some(entry) = world.tasks.get(task) else { return };
        let tid = self.tid(world, task);
        let mut was_on_core = false;
        match (from, to) {
            (_, TaskState::Running(core)) => {
                self.leaves_wait(at.ns, task, from);
                let task = self.on_core(world, task);
                self.make_core(core);
                self.runs(At { core, ..at }, (from, State::Sleep), task);
                return;
            }
            (TaskState::Running(core), _) => {
                let Some(state) = State::after_running(to) else { return };
                if let Some(core) = self.core(core) {
                    let is_preempted = core.is_preempted();
                    was_on_core = !is_preempted;
                    core.task_leaves(at.ns, state);
                    if is_preempted && state != State::Preempted && state != State::Dead {
                        sched::state(&mut self.packets, at, tid, state);
                    }
                }
            }
            (TaskState::Blocked(_) | TaskState::Suspended, TaskState::Ready) => {
                self.wakes(world, at, task, from, waker);
                return;
            }
            _ => {
                self.leaves_wait(at.ns, task, from);
                match State::of(to) {
                    None | Some(State::Dead) => {}
                    Some(state) => sched::state(&mut self.packets, at, tid, state),
                }
            }
        }
        self.comes_to(world, at, task, entry, to);
        if to == TaskState::Deleted {
            self.task_dies(world, at, task, was_on_core);
        }
    }

    /// A task runs on a core; the one before it goes to a state.
    #[inline]
    fn runs(&mut self, at: At, (from, left_to): (TaskState, State), task: OnCore) {
        // Not `core()`: whether a switch is told in one step or two, the same is written then.
        let Some(core) = self.cores.get_mut(at.core as usize) else { return };
        let is_preempted = core.is_preempted();
        core.task_runs(at.ns, left_to, task);
        if is_preempted && from != TaskState::Ready {
            // It gets the core only when the interrupt ends.
            sched::state(&mut self.packets, at, task.tid, State::Runnable);
        }
    }

    /// What a task waits for from now on, or why else it does not run.
    #[inline]
    fn comes_to(&mut self, world: &World, at: At, task: TaskRef, entry: &Task, to: TaskState) {
        match to {
            TaskState::Blocked(wait) => {
                self.wait_ends(world, task, None, Some(at.ns));
                self.wait_begins(at, task, entry, wait);
            }
            TaskState::Suspended => self.does_not_run(world, at, task, Reason::Suspended),
            TaskState::Unknown => self.does_not_run(world, at, task, Reason::Unknown),
            _ => {}
        }
    }

    /// A task is seen for the first time, which may be another one with the number of one before.
    #[cold]
    fn appears(&mut self, world: &World, task: TaskRef) {
        self.has_idle_task |= world.tasks.get(task).is_some_and(|task| task.idle_of.is_some());
    }

    fn does_not_run(&mut self, world: &World, at: At, task: TaskRef, why: Reason) {
        self.wait_ends(world, task, None, Some(at.ns));
        let tid = self.tid(world, task);
        self.reason(world, at, tid, why);
    }

    #[inline]
    fn leaves_wait(&mut self, ns: i64, task: TaskRef, from: TaskState) {
        if let TaskState::Blocked(_) = from {
            self.wait_stops(ns, task, None);
        }
    }

    /// A task that did not run is made ready.
    #[inline]
    fn wakes(&mut self, world: &World, at: At, task: TaskRef, from: TaskState, waker: Waker) {
        let (by, waker) = match waker {
            Waker::Task(waker) => (Some(Ender::Task(waker)), self.tid(world, waker)),
            Waker::Isr(isr) => (Some(Ender::Isr(isr, at.core)), self.isrs.known_tid(isr, at.core)),
            Waker::Other => (None, 0),
        };
        if let TaskState::Blocked(_) = from {
            self.wait_stops(at.ns, task, by);
        }
        let tid = self.tid(world, task);
        if waker == 0 {
            return sched::state(&mut self.packets, at, tid, State::Runnable);
        }
        if let Some(core) = self.core(at.core) {
            core.bundle.waking(at.core, at.ns, waker.into(), tid.into());
        }
    }
}

impl<W: Write> Sink for Perfetto<W> {
    #[inline(always)]
    fn change(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        self.open(at.ns);
        let before = std::mem::replace(&mut self.last_ns, at.ns);
        match *change {
            Change::TaskState { task, from, to, waker } => {
                self.task_state(world, at, task, (from, to), waker);
            }
            Change::QueueLevel { queue, level, .. } => self.queue_level(world, at, queue, level),
            Change::WaitEnded { task, outcome, .. } => {
                self.wait_ends(world, task, Some(outcome), Some(at.ns));
            }
            Change::Flow(flow) => self.flow(world, flow),
            Change::Task(task, change) => self.task_change(world, at, task, change),
            Change::Queue(queue, change, by) => self.queue_change(world, at, queue, change, by),
            Change::IsrEnter(isr) => self.isr_enters(world, at, isr),
            Change::IsrExit(isr) | Change::Forgotten(Forgotten::Isr(isr)) => {
                self.isr_exits(world, at, isr);
            }
            Change::Priority { task, priority, .. } => self.priority(world, at, task, priority),
            Change::MutexTaken(queue, holder) => self.mutex(world, at, queue, Some(holder)),
            Change::MutexGiven(queue) => self.mutex(world, at, queue, None),
            Change::Marker(marker, msg) => {
                self.marker(world, at, marker, EventType::Instant, msg);
            }
            Change::SpanBegin(marker, msg) => {
                self.marker(world, at, marker, EventType::SliceBegin, msg);
            }
            Change::SpanEnd(marker) | Change::SpanAbandoned(marker) => {
                let track = self.marker_track(world, marker, Shows::Slices);
                self.packets.event(at.ns, EventType::SliceEnd, track, None);
            }
            Change::Value(marker, value) => {
                let track = self.marker_track(world, marker, Shows::Counter);
                self.packets.counter(at.ns, track, value);
            }
            // All tasks are listed in the end, by their last names.
            Change::TaskAppears(task) => self.appears(world, task),
            Change::TaskRenamed(task) => self.enders.renamed(task),
            Change::StillRunning(_) => {}
            Change::Forgotten(Forgotten::Holder(queue)) => {
                self.mutex(world, at, queue, None);
                self.depth_is_unknown(at, queue);
            }
            Change::Forgotten(Forgotten::Span(marker)) => {
                let track = self.marker_track(world, marker, Shows::Slices);
                self.packets.event(at.ns, EventType::SliceEnd, track, None);
            }
            Change::Forgotten(Forgotten::Level(queue)) => self.level_is_unknown(at, queue),
            Change::Forgotten(Forgotten::StreamBuffer(buffer)) => {
                self.bytes_are_unknown(at, buffer);
            }
            Change::Forgotten(Forgotten::Priority(task)) => {
                let row = self.task(world, task).priority;
                self.counter_is_unknown(at, row);
            }
            Change::Forgotten(Forgotten::EventGroup(group)) => {
                self.event_group_bits(world, at, group, None);
            }
            Change::Forgotten(Forgotten::Timer(timer)) => self.timer_forgotten(world, at, timer),
            Change::Forgotten(Forgotten::Callback(_, task)) => {
                self.callback_forgotten(world, at, task);
            }
            Change::Forgotten(Forgotten::Call(caller, _)) => self.call_forgotten(world, at, caller),
            Change::Forgotten(Forgotten::Sleep) => self.sleep_ends(at),
            Change::Finding(finding) => self.finding(at, before, finding),
            Change::StreamBuffer(buffer, change, by) => {
                self.stream_buffer(world, at, buffer, change, by);
            }
            Change::EventGroup(group, change) => self.event_group(world, at, group, change),
            Change::Timer(timer, change) => self.timer(world, at, timer, change),
            Change::Kernel(change) => self.kernel(world, at, change),
            Change::Call(caller, function, change) => {
                self.call(world, at, (caller, function), change);
            }
        }
        self.packets.flush_if_full()
    }

    #[inline(always)]
    fn switch(&mut self, world: &World, at: At, switch: &Switch) -> io::Result<()> {
        self.open(at.ns);
        self.last_ns = at.ns;
        let Switch { previous, to, next, from } = *switch;
        let (Some(entry), Some(left_to)) = (world.tasks.get(previous), State::after_running(to))
        else {
            return Ok(());
        };
        let Some(core) = self.core(at.core) else { return Ok(()) };
        if core.is_preempted() {
            let (runs, waker) = (TaskState::Running(at.core), Waker::Other);
            self.task_state(world, at, previous, (runs, to), waker);
            self.task_state(world, at, next, (from, runs), waker);
            return self.packets.flush_if_full();
        }
        self.tid(world, previous);
        let runs = self.on_core(world, next);
        self.runs(at, (from, left_to), runs);
        self.comes_to(world, at, previous, entry, to);
        self.leaves_wait(at.ns, next, from);
        self.packets.flush_if_full()
    }

    fn start(&mut self, world: &World) -> io::Result<()> {
        self.tracks.count_names(world);
        self.last_ns = world.start_ns.unwrap_or(0);
        self.has_idle_task = world.tasks.iter().any(|(_, task)| task.idle_of.is_some());
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.open(end_ns);
        for (task, _) in world.tasks.iter() {
            self.wait_ends(world, task, None, None);
        }
        for (number, _) in (0..).zip(0..self.cores.len()) {
            if let Some(core) = self.core(number) {
                core.ends(end_ns);
            }
            self.write_core(number);
        }
        self.tell_of_threads(world, end_ns);
        self.packets.close()
    }
}
