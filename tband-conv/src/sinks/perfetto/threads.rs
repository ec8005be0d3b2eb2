//! Tasks as threads: their numbers, their process, and the tracks below it.
//!
//! Each task is a process with one thread of the same number; those that are deleted share one
//! process. Which one it is, and the last name, is known only when the task is deleted or the recording
//! ends, and then Perfetto is told. It reads a trace to its end before it looks at such things, but
//! for the tracks of counters, which are described at once.

use std::io::Write;

use super::events::EventType;
use super::memory::TaskTracks;
use super::packets::Name;
use super::proto::{
    ChildOrdering, Process, ProcessDescriptor, ProcessTree, Thread, ThreadDescriptor, TracePacket,
    TrackDescriptor,
};
use super::tids::{DELETED_TASKS, INTERRUPTS, isr_thread_name, tid_of};
use super::tracks::{Parent, Shows, Track, Uuid};
use super::{Perfetto, sched};
use crate::model::{At, TaskRef, World};

/// Threads of a process, and the process.
fn add(tree: &mut ProcessTree, pid: i32, process: &str, tid: i32, thread: String, is_idle: bool) {
    if !tree.processes.iter().any(|known| known.pid == Some(pid.into())) {
        tree.processes.push(Process {
            pid: Some(pid.into()),
            ppid: Some(0),
            // A process name ends at the first space.
            cmdline: Some(process.replace(' ', "\u{A0}")),
        });
    }
    tree.threads.push(Thread {
        tid: Some(tid.into()),
        pid: Some(pid.into()),
        comm: Some(thread),
        is_main_thread: Some(false),
        is_idle: is_idle.then_some(true),
    });
}

impl<W: Write> Perfetto<W> {
    /// The entry of a task.
    #[inline]
    pub(super) fn task(&mut self, world: &World, task: TaskRef) -> &mut TaskTracks {
        let entry = self.tasks.entry(task);
        if entry.tid == 0 {
            entry.tid = tid_of(world, task);
        }
        entry
    }

    #[inline]
    pub(super) fn tid(&mut self, world: &World, task: TaskRef) -> i32 {
        self.task(world, task).tid
    }

    /// The track of what a task waits for and calls, where its arrows begin and end too.
    #[inline]
    pub(super) fn calls(&mut self, world: &World, task: TaskRef) -> Uuid {
        match self.task(world, task).calls {
            0 => self.new_calls(world, task),
            calls => calls,
        }
    }

    #[cold]
    fn new_calls(&mut self, world: &World, task: TaskRef) -> Uuid {
        let thread = self.tracks.next();
        let track = Track {
            rank: 1,
            about: "What the task waits for, from when it blocks until it is ready, and what it \
                    does that arrows begin or end with.",
            ..Track::new(Parent::Track(thread), "waits and calls", Shows::Slices)
        };
        let calls = self.tracks.make(&mut self.packets, track);
        let entry = self.task(world, task);
        (entry.thread, entry.calls) = (thread, calls);
        let TaskTracks { tid, pid, .. } = *entry;
        // What a deleted task did may be reported later than its end.
        if pid != 0 {
            self.describe_thread(thread, pid, tid);
        }
        calls
    }

    /// The parent of a task's further tracks.
    pub(super) fn process(&mut self, world: &World, task: TaskRef) -> Parent {
        if self.task(world, task).process == 0 {
            let process = self.tracks.next();
            self.task(world, task).process = process;
            self.describe_process_of(world, task);
        }
        Parent::Track(self.task(world, task).process)
    }

    /// The parent of a task's markers. They have one of their own, since Perfetto orders tracks right
    /// below a process by their names.
    pub(super) fn task_markers(&mut self, world: &World, task: TaskRef) -> Parent {
        if self.task(world, task).markers == 0 {
            let track = Track {
                rank: 2,
                ..Track::new(self.process(world, task), "markers", Shows::Slices)
            };
            self.task(world, task).markers = self.tracks.make(&mut self.packets, track);
        }
        Parent::Track(self.task(world, task).markers)
    }

    /// A counter of a task, which ends with it.
    pub(super) fn task_counter(&mut self, world: &World, task: TaskRef, track: Track) -> Uuid {
        let uuid = self.tracks.make(&mut self.packets, track);
        self.task(world, task).counters.push(uuid);
        uuid
    }

    /// A task is no more, and so are its counters. Its thread ends at `dies_ns`: after the switch by which it left its
    /// core, if there was one now.
    #[cold]
    pub(super) fn task_dies(&mut self, world: &World, at: At, task: TaskRef, dies_ns: i64) {
        self.emit_task(world, at.ns, task, true);
        let entry = self.task(world, task);
        let (tid, calls) = (entry.tid, entry.calls);
        for counter in std::mem::take(&mut entry.counters) {
            self.packets.counter(at.ns, counter, 0);
        }
        if calls != 0 {
            // Perfetto knows the track from its first event on, which must not be after the end.
            let name = Name::Inline(b"deleted");
            self.packets.event(at.ns, EventType::Instant, calls, Some(name));
        }
        sched::state(&mut self.packets, At { ns: dies_ns, ..at }, tid, sched::State::Dead);
    }

    /// Reports a task's thread and process, now that all is known.
    fn emit_task(&mut self, world: &World, ns: i64, task: TaskRef, is_deleted: bool) {
        let mut tree = ProcessTree::default();
        self.list(world, task, is_deleted, &mut tree);
        self.tree(ns, tree);
    }

    fn list(&mut self, world: &World, task: TaskRef, is_deleted: bool, tree: &mut ProcessTree) {
        let entry = self.task(world, task);
        if entry.pid != 0 {
            return;
        }
        let TaskTracks { tid, thread, .. } = *entry;
        let name = world.task_name(task).to_string();
        let is_idle = world.tasks.get(task).is_some_and(|task| task.idle_of.is_some());
        let (pid, process_name) =
            if is_deleted { (DELETED_TASKS, "deleted tasks") } else { (tid, name.as_str()) };
        entry.pid = pid;
        add(tree, pid, process_name, tid, name.clone(), is_idle);
        if thread != 0 {
            self.describe_thread(thread, pid, tid);
        }
        self.describe_process_of(world, task);
    }

    /// Describes the parent of a task's further tracks, if there is one and Perfetto was told whose it is.
    fn describe_process_of(&mut self, world: &World, task: TaskRef) {
        match *self.task(world, task) {
            TaskTracks { pid: 0, .. } | TaskTracks { process: 0, .. } => {}
            TaskTracks { pid: DELETED_TASKS, process, .. } => {
                if self.deleted == 0 {
                    self.deleted = self.tracks.next();
                    self.describe_process(self.deleted, DELETED_TASKS);
                }
                let name = world.task_name(task).to_string();
                let track = Track::new(Parent::Track(self.deleted), name, Shows::Slices);
                self.tracks.describe(&mut self.packets, process, track);
            }
            TaskTracks { pid, process, .. } => self.describe_process(process, pid),
        }
    }

    /// The recording ends: reports all that is not reported yet.
    pub(super) fn emit_threads(&mut self, world: &World, end_ns: i64) {
        let mut tree = ProcessTree::default();
        for (task, _) in world.tasks.iter() {
            self.list(world, task, false, &mut tree);
        }
        for (isr, core, tid, calls) in self.isrs.threads() {
            let mut name = isr_thread_name(world, isr, core);
            if world.cores.len() > 1 {
                name.push_str(&format!(", core {core}"));
            }
            add(&mut tree, INTERRUPTS, "Interrupts", tid, name, false);
            if calls != 0 {
                self.describe_thread(calls, INTERRUPTS, tid);
            }
        }
        self.tree(end_ns, tree);
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

    fn describe_process(&mut self, uuid: Uuid, pid: i32) {
        let track_descriptor = Some(TrackDescriptor {
            uuid: Some(uuid),
            process: Some(ProcessDescriptor { pid: Some(pid) }),
            child_ordering: Some(ChildOrdering::Explicit.into()),
            ..TrackDescriptor::default()
        });
        self.packets.thread(&TracePacket { track_descriptor, ..TracePacket::default() });
    }
}
