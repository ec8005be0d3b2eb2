//! A trace for Perfetto, with real scheduling data.
//!
//! Tasks are threads with their states, interrupts are interrupt rows of their core, queues are
//! counters, mutexes are slices named after their holder, markers are slices and counters, and
//! whatever is lost or damaged stands on a row "Errors". Memory grows with the number of objects.

mod flows;
mod ftrace;
mod objects;
mod packets;
mod proto;
mod rows;
mod sched;
mod timers;
mod tracks;
mod waits;
mod wire;

use std::io::{self, Write};

use self::flows::{Arrows, QueueRows, TaskRows};
use self::ftrace::Bundle;
use self::objects::ObjectRows;
use self::packets::{EventType, Packets};
use self::rows::QueueTracks;
use self::sched::State;
use self::tracks::{Group, Shows, Tracks, Uuid};
use self::waits::{Pending, Reason, Reasons};
use crate::diagnostics::{Finding, Problem};
use crate::timeline::{At, Change, Forgotten, Sink, TaskRef, TaskState, Waker, World};

/// Rows of a task; 0 stands for what is not known or made yet.
#[derive(Clone, Copy, Debug, Default)]
struct TaskTracks {
    tid: i32,
    thread: Uuid,
    priority: Uuid,
    /// Its last wait, until it is written.
    wait: Option<Pending>,
}

/// Writes a Perfetto trace.
#[derive(Debug)]
pub struct Perfetto<W> {
    packets: Packets<W>,
    tracks: Tracks,
    bundles: Vec<Bundle>,
    tasks: Vec<TaskTracks>,
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
            bundles: Vec::new(),
            tasks: Vec::new(),
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

    /// Gives the output back.
    pub fn into_inner(self) -> W {
        self.packets.into_inner()
    }

    /// Opens the trace at the time of its first change.
    #[inline(always)]
    fn open(&mut self, world: &World, ns: i64) {
        if !self.packets.is_open() {
            self.open_now(world, ns);
        }
    }

    #[cold]
    #[inline(never)]
    fn open_now(&mut self, world: &World, ns: i64) {
        if self.packets.open(ns) {
            let tasks = world.tasks.iter().map(|(task, _)| task);
            sched::list(&mut self.packets, world, ns, tasks);
        }
    }

    #[inline]
    fn bundle(&mut self, core: u32) -> Option<&mut Bundle> {
        let index = core as usize;
        if self.bundles.len() <= index {
            self.bundles.resize_with(index + 1, Bundle::default);
        }
        if self.bundles.get(index)?.is_full() {
            self.write_bundle(index);
        }
        self.bundles.get_mut(index)
    }

    fn write_bundle(&mut self, index: usize) {
        let packets = &mut self.packets;
        if let Some(bundle) = self.bundles.get_mut(index) {
            bundle.take(|content| packets.raw(1, content));
        }
    }

    #[inline]
    fn task(&mut self, world: &World, task: TaskRef) -> TaskTracks {
        let index = task.index();
        if let Some(tracks) = self.tasks.get(index).filter(|tracks| tracks.tid != 0) {
            return *tracks;
        }
        if self.tasks.len() <= index {
            self.tasks.resize(index + 1, TaskTracks::default());
        }
        let tid = sched::tid(world, task);
        let tracks = TaskTracks { tid, ..TaskTracks::default() };
        if let Some(entry) = self.tasks.get_mut(index) {
            *entry = tracks;
        }
        tracks
    }

    fn thread(&mut self, world: &World, task: TaskRef) -> Uuid {
        let TaskTracks { tid, thread, .. } = self.task(world, task);
        if thread != 0 {
            return thread;
        }
        let thread = self.tracks.thread(&mut self.packets, tid);
        if let Some(entry) = self.tasks.get_mut(task.index()) {
            entry.thread = thread;
        }
        thread
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
        let TaskTracks { tid, .. } = self.task(world, task);
        let (Some(entry), Some(state)) = (world.tasks.get(task), State::of(to)) else {
            return;
        };
        if let (TaskState::Blocked(_) | TaskState::Suspended, TaskState::Ready) = (from, to) {
            let waker = match waker {
                Waker::Task(waker) => self.task(world, waker).tid,
                Waker::Other => 0,
            };
            if let Some(bundle) = self.bundle(at.core) {
                bundle.waking(at.core, at.ns, waker.into(), tid.into());
            }
            return;
        }
        let core = match (from, to) {
            (TaskState::Running(core), _) | (_, TaskState::Running(core)) => Some(core),
            _ => None,
        };
        sched::state(&mut self.packets, at, core, tid, entry, state);
        match to {
            TaskState::Blocked(wait) => {
                self.wait_ends(world, task, None);
                self.wait_begins(at, task, entry, wait);
            }
            TaskState::Suspended => {
                self.wait_ends(world, task, None);
                self.reason(world, at, tid, Reason::Suspended);
            }
            TaskState::Unknown => {
                self.wait_ends(world, task, None);
                self.reason(world, at, tid, Reason::Unknown);
            }
            _ => {}
        }
    }

    #[cold]
    fn finding(&mut self, at: At, finding: &Finding<'_>) {
        if finding.problem == Problem::NoResolution {
            return;
        }
        let track = self.tracks.group(&mut self.packets, Group::Errors);
        let text = format!("{} (byte {})", finding.text, finding.place.offset);
        let name = packets::Name::Inline(text.as_bytes());
        self.packets.event(at.ns, EventType::Instant, track, Some(name));
    }
}

impl<W: Write> Sink for Perfetto<W> {
    #[inline(always)]
    fn change(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        self.open(world, at.ns);
        match *change {
            Change::TaskState { task, from, to, waker } => {
                self.task_state(world, at, task, (from, to), waker);
            }
            Change::QueueLevel { queue, level, .. } => self.queue_level(world, at, queue, level),
            Change::WaitEnded { task, outcome, .. } => {
                self.wait_ends(world, task, Some(outcome));
            }
            Change::Flow(flow) => self.flow(world, flow),
            Change::Task(task, change) => self.task_change(world, at, task, change),
            Change::Queue(queue, change, by) => self.queue_change(world, at, queue, change, by),
            Change::IsrEnter(isr) => {
                let id = world.isrs.get(isr).map_or(0, |isr| isr.id);
                let label = world.isr_name(isr, at.core);
                if let Some(bundle) = self.bundle(at.core) {
                    match label.name() {
                        Some(name) => bundle.irq_entry(at.core, at.ns, id, name),
                        None => bundle.irq_entry(at.core, at.ns, id, &label.to_string()),
                    }
                }
            }
            Change::IsrExit(isr) => {
                let id = world.isrs.get(isr).map_or(0, |isr| isr.id);
                if let Some(bundle) = self.bundle(at.core) {
                    bundle.irq_exit(at.core, at.ns, id);
                }
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
            // Another entry for a thread replaces its name.
            Change::TaskAppears(task) | Change::TaskRenamed(task) => {
                sched::list(&mut self.packets, world, at.ns, std::iter::once(task));
            }
            Change::StillRunning(task) => {
                // Perfetto would leave the last slice without an end.
                let TaskTracks { tid, .. } = self.task(world, task);
                if let Some(entry) = world.tasks.get(task) {
                    let core = Some(at.core);
                    sched::state(&mut self.packets, at, core, tid, entry, State::Runnable);
                }
            }
            Change::Forgotten(Forgotten::Isr(isr)) => {
                let id = world.isrs.get(isr).map_or(0, |isr| isr.id);
                if let Some(bundle) = self.bundle(at.core) {
                    bundle.irq_exit(at.core, at.ns, id);
                }
            }
            Change::Forgotten(Forgotten::Holder(queue)) => self.mutex(world, at, queue, None),
            Change::Forgotten(Forgotten::Span(marker)) => {
                let track = self.marker_track(world, marker, Shows::Slices);
                self.packets.event(at.ns, EventType::SliceEnd, track, None);
            }
            // A counter cannot be without a value; its last one stands until the next is told.
            Change::Forgotten(Forgotten::Level(_) | Forgotten::StreamBuffer(_)) => {}
            Change::Forgotten(Forgotten::EventGroup(group)) => {
                self.event_group_bits(world, at, group, None);
            }
            Change::Forgotten(Forgotten::Timer(timer)) => self.timer_forgotten(world, at, timer),
            Change::Forgotten(Forgotten::Callback(_, task)) => {
                self.callback_forgotten(world, at, task);
            }
            Change::Forgotten(Forgotten::Call(caller, _)) => self.call_forgotten(world, at, caller),
            Change::Forgotten(Forgotten::Sleep) => self.sleep_ends(at),
            Change::Finding(finding) => self.finding(at, finding),
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

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.open(world, end_ns);
        for (task, _) in world.tasks.iter() {
            self.wait_ends(world, task, None);
        }
        for index in 0..self.bundles.len() {
            self.write_bundle(index);
        }
        self.packets.close()
    }
}
