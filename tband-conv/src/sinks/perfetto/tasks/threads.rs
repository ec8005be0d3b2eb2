//! Tasks as threads: their numbers, their process, and the tracks below it.
//!
//! Each task, and each interrupt of each core, is a process with one thread: Perfetto's page paints by processes. Its last name
//! is known only when the task is deleted or the recording ends, and then Perfetto gets it. It reads a trace to its end before
//! it uses such descriptions, except those of counter tracks, which are written at once.

use crate::model::{EventTime, TaskRef, World};
use crate::sinks::perfetto::events::EventType;
use crate::sinks::perfetto::memory::TaskTracks;
use crate::sinks::perfetto::packets::Name;
use crate::sinks::perfetto::proto::{
    ChildOrdering, Process, ProcessDescriptor, ProcessOrdering, ProcessTree, Thread,
    ThreadDescriptor, TracePacket, TrackDescriptor,
};
use crate::sinks::perfetto::tasks::sched;
use crate::sinks::perfetto::tasks::tids::{isr_thread_name, tid_of};
use crate::sinks::perfetto::trace::Trace;
use crate::sinks::perfetto::tracks::{NewTrack, Parent, TrackContent, Uuid};

/// Places of processes in the order of the page: interrupts, then tasks by priority, then idle tasks.
const OF_INTERRUPTS: i32 = 1;
const OF_IDLE_TASKS: i32 = 2000;
const LEAST_URGENT: u32 = 1000;

/// A process and its one thread, both of this name.
fn add(tree: &mut ProcessTree, pid: i32, tid: i32, name: String, is_idle: bool) {
    tree.processes.push(Process {
        pid: Some(pid.into()),
        ppid: Some(0),
        // A process name ends at the first space.
        cmdline: Some(name.replace(' ', "\u{A0}")),
    });
    tree.threads.push(Thread {
        tid: Some(tid.into()),
        pid: Some(pid.into()),
        comm: Some(name),
        is_main_thread: Some(false),
        is_idle: is_idle.then_some(true),
    });
}

impl Trace {
    /// The entry of a task.
    #[inline]
    pub(in crate::sinks::perfetto) fn task(
        &mut self,
        world: &World,
        task: TaskRef,
    ) -> &mut TaskTracks {
        let entry = self.tasks.entry(task);
        if entry.tid == 0 {
            entry.tid = tid_of(world, task);
            // An idle task is not painted.
            let is_idle = world.tasks.get(task).is_some_and(|task| task.idle_of.is_some());
            entry.pid = if is_idle { entry.tid } else { self.colours.process_of_task(entry.tid) };
        }
        entry
    }

    #[inline]
    pub(in crate::sinks::perfetto) fn tid(&mut self, world: &World, task: TaskRef) -> i32 {
        self.task(world, task).tid
    }

    /// Returns the track of a task's waits and calls, where its arrows begin and end too.
    #[inline]
    pub(in crate::sinks::perfetto) fn calls_track(&mut self, world: &World, task: TaskRef) -> Uuid {
        match self.task(world, task).calls {
            0 => self.new_calls(world, task),
            calls => calls,
        }
    }

    #[cold]
    fn new_calls(&mut self, world: &World, task: TaskRef) -> Uuid {
        let thread = self.tracks.next();
        let track = NewTrack {
            rank: 1,
            about: "What the task waits for, from when it blocks until it is ready, and what it \
                    does that arrows begin or end with.",
            ..NewTrack::new(Parent::Track(thread), "waits and calls", TrackContent::Slices)
        };
        let calls = self.tracks.make(&mut self.packets, track);
        let entry = self.task(world, task);
        (entry.thread, entry.calls) = (thread, calls);
        let TaskTracks { tid, pid, is_listed, .. } = *entry;
        // Acts of a deleted task may be reported after its end.
        if is_listed {
            self.describe_thread(thread, pid, tid);
        }
        calls
    }

    /// The parent of a task's further tracks.
    pub(in crate::sinks::perfetto) fn process(&mut self, world: &World, task: TaskRef) -> Parent {
        if self.task(world, task).process == 0 {
            let process = self.tracks.next();
            let entry = self.task(world, task);
            entry.process = process;
            if entry.is_listed {
                self.describe_process_of(world, task);
            }
        }
        Parent::Track(self.task(world, task).process)
    }

    /// Returns the parent of a task's markers. They have a separate one, because Perfetto orders tracks right below a process
    /// by their names.
    pub(in crate::sinks::perfetto) fn task_markers(
        &mut self,
        world: &World,
        task: TaskRef,
    ) -> Parent {
        if self.task(world, task).markers == 0 {
            let track = NewTrack {
                rank: 2,
                ..NewTrack::new(self.process(world, task), "markers", TrackContent::Slices)
            };
            self.task(world, task).markers = self.tracks.make(&mut self.packets, track);
        }
        Parent::Track(self.task(world, task).markers)
    }

    /// A task is no more, and so are its value markers. Its thread ends at `dies_ns`: after the switch by which it left its
    /// core, if there was one now.
    #[cold]
    pub(in crate::sinks::perfetto) fn end_task(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        dies_ns: i64,
    ) {
        let mut tree = ProcessTree::default();
        self.list(world, task, &mut tree);
        self.tree(at.ns, tree);
        let entry = self.task(world, task);
        let (tid, pid, calls) = (entry.tid, entry.pid, entry.calls);
        for counter in std::mem::take(&mut entry.values) {
            self.packets.counter(at.ns, counter, 0);
        }
        if calls != 0 {
            // Perfetto knows the track from its first event on, which must not be after the end.
            let name = Name::Inline(b"deleted");
            self.packets.event(at.ns, EventType::Instant, calls, Some(name));
        }
        self.colours.end_task(pid);
        sched::state(&mut self.packets, EventTime { ns: dies_ns, ..at }, tid, sched::State::Dead);
    }

    /// Reports a task's thread and process, now that all is known.
    fn list(&mut self, world: &World, task: TaskRef, tree: &mut ProcessTree) {
        let process = self.tracks.next();
        let entry = self.task(world, task);
        if std::mem::replace(&mut entry.is_listed, true) {
            return;
        }
        if entry.process == 0 {
            entry.process = process;
        }
        let TaskTracks { tid, pid, thread, .. } = *entry;
        let is_idle = world.tasks.get(task).is_some_and(|task| task.idle_of.is_some());
        add(tree, pid, tid, world.task_name(task).to_string(), is_idle);
        if thread != 0 {
            self.describe_thread(thread, pid, tid);
        }
        self.describe_process_of(world, task);
    }

    /// Describes the process of a task, with its place among the others.
    fn describe_process_of(&mut self, world: &World, task: TaskRef) {
        let TaskTracks { process, pid, .. } = *self.task(world, task);
        let rank = match world.tasks.get(task) {
            Some(entry) if entry.idle_of.is_none() => {
                let priority = entry.priority.unwrap_or(0).min(LEAST_URGENT);
                OF_INTERRUPTS.saturating_add_unsigned(1 + LEAST_URGENT - priority)
            }
            _ => OF_IDLE_TASKS,
        };
        self.describe_process(process, pid, rank);
    }

    /// The recording ends: reports all that is not reported yet.
    pub(in crate::sinks::perfetto) fn emit_threads(&mut self, world: &World, end_ns: i64) {
        let mut tree = ProcessTree::default();
        for (task, _) in world.tasks.iter() {
            self.list(world, task, &mut tree);
        }
        for (isr, core, tid, calls) in self.isrs.threads() {
            let mut name = isr_thread_name(world, isr, core);
            if world.cores.len() > 1 {
                name.push_str(&format!(", core {core}"));
            }
            add(&mut tree, tid, tid, name, false);
            if calls != 0 {
                self.describe_thread(calls, tid, tid);
            }
            let process = self.tracks.next();
            self.describe_process(process, tid, OF_INTERRUPTS);
        }
        self.tree(end_ns, tree);
        let root = TrackDescriptor {
            uuid: Some(0),
            process_ordering: Some(ProcessOrdering::Explicit.into()),
            ..TrackDescriptor::default()
        };
        self.packets
            .thread(&TracePacket { track_descriptor: Some(root), ..TracePacket::default() });
    }

    fn tree(&mut self, ns: i64, tree: ProcessTree) {
        if !tree.threads.is_empty() {
            let process_tree = Some(tree);
            self.packets.message_at(ns, &TracePacket { process_tree, ..TracePacket::default() });
        }
    }

    fn describe_thread(&mut self, uuid: Uuid, pid: i32, tid: i32) {
        let track_descriptor = Some(TrackDescriptor {
            uuid: Some(uuid),
            thread: Some(ThreadDescriptor { pid: Some(pid), tid: Some(tid.into()) }),
            ..TrackDescriptor::default()
        });
        self.packets.thread(&TracePacket { track_descriptor, ..TracePacket::default() });
    }

    fn describe_process(&mut self, uuid: Uuid, pid: i32, rank: i32) {
        let track_descriptor = Some(TrackDescriptor {
            uuid: Some(uuid),
            process: Some(ProcessDescriptor { pid: Some(pid) }),
            child_ordering: Some(ChildOrdering::Explicit.into()),
            sibling_order_rank: Some(rank),
            ..TrackDescriptor::default()
        });
        self.packets.thread(&TracePacket { track_descriptor, ..TracePacket::default() });
    }
}
