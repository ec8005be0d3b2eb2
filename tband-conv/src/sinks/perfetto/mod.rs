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

use std::io::{self, Write};

use self::ftrace::Bundle;
use self::packets::{EventType, Packets};
use self::rows::QueueTracks;
use self::sched::State;
use self::tracks::{Group, Shows, Tracks, Uuid};
use crate::diagnostics::{Finding, Problem};
use crate::timeline::{At, Change, Forgotten, Sink, TaskRef, TaskState, Wait, Waker, World};

/// Rows of a task; 0 stands for what is not known or made yet.
#[derive(Clone, Copy, Debug, Default)]
struct TaskTracks {
    tid: i32,
    thread: Uuid,
    priority: Uuid,
}

/// Why a task does not run.
#[derive(Clone, Copy, Debug)]
enum Reason {
    Waits(Wait),
    Suspended,
    Unknown,
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
    /// Interned numbers of what tasks wait for, by kind of wait and queue; 0 where there is none.
    symbols: [Vec<u64>; 4],
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
            symbols: Default::default(),
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
        let symbol = match to {
            TaskState::Blocked(wait) => self.symbol(world, Reason::Waits(wait)),
            TaskState::Suspended => self.symbol(world, Reason::Suspended),
            TaskState::Unknown => self.symbol(world, Reason::Unknown),
            _ => return,
        };
        // At the same time Perfetto might take it for the reason of the wait before. The timeline
        // keeps the next nanosecond free.
        let ns = at.ns.saturating_add(1);
        if let Some(bundle) = self.bundle(at.core) {
            bundle.blocked(at.core, ns, tid.into(), symbol);
        }
    }

    /// The interned number of what a task waits for.
    #[inline]
    fn symbol(&mut self, world: &World, reason: Reason) -> u64 {
        let (kind, index) = match reason {
            Reason::Suspended => (0, 0),
            Reason::Unknown => (0, 3),
            Reason::Waits(Wait::Delay) => (0, 1),
            Reason::Waits(Wait::DelayUntil) => (0, 2),
            Reason::Waits(Wait::Receive(queue)) => (1, queue.index()),
            Reason::Waits(Wait::Send(queue)) => (2, queue.index()),
            Reason::Waits(Wait::Peek(queue)) => (3, queue.index()),
        };
        match self.symbols.get(kind).and_then(|known| known.get(index)) {
            Some(symbol) if *symbol != 0 => *symbol,
            _ => self.new_symbol(world, reason, (kind, index)),
        }
    }

    #[cold]
    #[inline(never)]
    fn new_symbol(&mut self, world: &World, reason: Reason, (kind, index): (usize, usize)) -> u64 {
        let text = match reason {
            Reason::Waits(wait) => world.describe_wait(wait),
            Reason::Suspended => "suspended".to_owned(),
            Reason::Unknown => "unknown, events are missing".to_owned(),
        };
        let symbol = self.packets.symbol(&text);
        if let Some(known) = self.symbols.get_mut(kind) {
            if known.len() <= index {
                known.resize(index + 1, 0);
            }
            if let Some(known) = known.get_mut(index) {
                *known = symbol;
            }
        }
        symbol
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
            Change::Forgotten(Forgotten::Level(_)) => {}
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
