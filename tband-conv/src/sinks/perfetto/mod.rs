//! A trace for Perfetto, with real scheduling data.
//!
//! Tasks are threads with their states, interrupts are interrupt rows of their core, queues are
//! counters, mutexes are slices named after their holder, markers are slices and counters, and
//! whatever is lost or damaged stands on a row "Errors". Memory grows with the number of objects.

mod ftrace;
mod packets;
mod proto;
mod rows;
mod sched;
mod tracks;
mod wire;

use std::collections::HashMap;
use std::io::{self, Write};

use self::ftrace::Bundle;
use self::packets::{EventType, Packets};
use self::rows::QueueTracks;
use self::sched::State;
use self::tracks::{Group, Shows, Tracks, Uuid};
use crate::diagnostics::{Finding, Problem};
use crate::timeline::{At, Change, Sink, TaskRef, TaskState, Wait, Waker, World};

/// Rows of a task; 0 stands for what is not known or made yet.
#[derive(Clone, Copy, Debug, Default)]
struct TaskTracks {
    tid: i32,
    thread: Uuid,
    priority: Uuid,
}

/// Writes a Perfetto trace.
#[derive(Debug)]
pub struct Perfetto<W> {
    packets: Packets<W>,
    tracks: Tracks,
    bundles: Vec<Bundle>,
    tasks: Vec<TaskTracks>,
    queues: Vec<QueueTracks>,
    markers: Vec<Uuid>,
    values: Vec<Uuid>,
    /// Interned numbers of what tasks wait for.
    symbols: HashMap<(u8, usize), u64>,
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
            markers: Vec::new(),
            values: Vec::new(),
            symbols: HashMap::new(),
        }
    }

    /// Gives the output back.
    pub fn into_inner(self) -> W {
        self.packets.into_inner()
    }

    /// Opens the trace at the time of its first change.
    #[inline]
    fn open(&mut self, world: &World, ns: i64) {
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
        let symbol = match to {
            TaskState::Blocked(wait) => self.wait_symbol(world, wait),
            TaskState::Suspended => self.symbol((0, 0), || "suspended".to_owned()),
            _ => return,
        };
        // At the same time Perfetto might take it for the reason of the wait before. The timeline
        // keeps the next nanosecond free.
        let ns = at.ns.saturating_add(1);
        if let Some(bundle) = self.bundle(at.core) {
            bundle.blocked(at.core, ns, tid.into(), symbol);
        }
    }

    fn wait_symbol(&mut self, world: &World, wait: Wait) -> u64 {
        let key = match wait {
            Wait::Delay => (1, 0),
            Wait::DelayUntil => (2, 0),
            Wait::Receive(queue) => (3, queue.index()),
            Wait::Send(queue) => (4, queue.index()),
            Wait::Peek(queue) => (5, queue.index()),
        };
        self.symbol(key, || world.describe_wait(wait))
    }

    #[inline]
    fn symbol(&mut self, key: (u8, usize), text: impl FnOnce() -> String) -> u64 {
        let packets = &mut self.packets;
        *self.symbols.entry(key).or_insert_with(|| packets.symbol(&text()))
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
    #[inline]
    fn change(&mut self, world: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        self.open(world, at.ns);
        match *change {
            Change::TaskState { task, from, to, waker } => {
                self.task_state(world, at, task, (from, to), waker);
            }
            Change::QueueLevel { queue, level, .. } => self.queue_level(world, at, queue, level),
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
            Change::SpanEnd(marker) => {
                let track = self.marker_track(world, marker, Shows::Slices);
                self.packets.event(at.ns, EventType::SliceEnd, track, None);
            }
            Change::Value(marker, value) => {
                let track = self.marker_track(world, marker, Shows::Counter);
                self.packets.counter(at.ns, track, value);
            }
            Change::TaskAppears(task) => {
                sched::list(&mut self.packets, world, at.ns, std::iter::once(task));
            }
            Change::TaskRenamed(task) => sched::rename(&mut self.packets, world, at.ns, task),
            Change::StillRunning(task) => {
                // Perfetto would leave the last slice without an end.
                let TaskTracks { tid, .. } = self.task(world, task);
                if let Some(entry) = world.tasks.get(task) {
                    let core = Some(at.core);
                    sched::state(&mut self.packets, at, core, tid, entry, State::Runnable);
                }
            }
            Change::Finding(finding) => self.finding(at, finding),
        }
        self.packets.flush_if_full()
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.open(world, end_ns);
        for index in 0..self.bundles.len() {
            self.write_bundle(index);
        }
        self.packets.close()
    }
}
