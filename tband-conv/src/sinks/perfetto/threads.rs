//! Tasks as threads: their numbers, their process, and the rows below it.
//!
//! Each task is a process with one thread of the same number; those that are deleted share one
//! process. Which one it is, and the last name, is known only when the task is deleted or the recording
//! ends, and then Perfetto is told. It reads a trace to its end before it looks at such things, but
//! for the rows of counters, which are described at once.

use std::io::Write;

use super::interrupts::thread_name;
use super::packets::{EventType, Name};
use super::proto::{
    ChildOrdering, Process, ProcessDescriptor, ProcessTree, Thread, ThreadDescriptor, TracePacket,
    TrackDescriptor,
};
use super::tracks::{Parent, Row, Shows, Uuid};
use super::waits::Pending;
use super::{Perfetto, sched};
use crate::timeline::{At, TaskRef, World};

/// Numbers of threads from here on stand for tasks whose own number cannot be used.
const SPARE_TIDS: i32 = 1 << 30;
/// Processes that are no tasks, and interrupts from the next number on.
const DELETED_TASKS: i32 = 299_998;
const INTERRUPTS: i32 = 299_999;
pub const ISR_TIDS: i32 = 300_000;

/// What a task has in the trace; 0 stands for what is not known or made yet.
#[derive(Clone, Debug, Default)]
pub struct TaskTracks {
    pub tid: i32,
    /// Its thread, which has no row of its own, and the row of waits and calls below it.
    thread: Uuid,
    pub calls: Uuid,
    /// Its process, and the row below which its markers are.
    process: Uuid,
    markers: Uuid,
    pub priority: Uuid,
    /// The priority of an idle task, as long as it is always the same.
    pub only_priority: Option<(i64, u32)>,
    /// Its last wait, until it is written.
    pub wait: Option<Pending>,
    /// Its counters, which end with it.
    counters: Vec<Uuid>,
    /// Number of its process, once Perfetto was told of thread and process.
    pid: i32,
}

/// Number of a task's thread: its own number where that is unique and can be one.
fn tid_of(world: &World, task: TaskRef) -> i32 {
    let own = world
        .tasks
        .get(task)
        .filter(|entry| world.tasks.first(entry.id) == Some(task))
        .and_then(|entry| i32::try_from(entry.id).ok())
        .filter(|id| (1..DELETED_TASKS).contains(id));
    // The table of tasks is far smaller than the numbers that are left.
    own.unwrap_or_else(|| {
        SPARE_TIDS.saturating_add(i32::try_from(task.index()).unwrap_or(i32::MAX))
    })
}

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
        let index = task.index();
        if self.tasks.len() <= index {
            self.tasks.resize_with(index + 1, TaskTracks::default);
        }
        // It is there, see above.
        let entry = match self.tasks.get_mut(index) {
            Some(entry) => entry,
            None => &mut self.no_task,
        };
        if entry.tid == 0 {
            entry.tid = tid_of(world, task);
        }
        entry
    }

    #[inline]
    pub(super) fn tid(&mut self, world: &World, task: TaskRef) -> i32 {
        self.task(world, task).tid
    }

    /// The row of what a task waits for and calls, where its arrows begin and end too.
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
        let row = Row {
            rank: 1,
            about: "What the task waits for, from when it blocks until it is ready, and what it \
                    does that arrows begin or end with.",
            ..Row::new(Parent::Track(thread), "waits and calls", Shows::Slices)
        };
        let calls = self.tracks.make(&mut self.packets, row);
        let entry = self.task(world, task);
        (entry.thread, entry.calls) = (thread, calls);
        let TaskTracks { tid, pid, .. } = *entry;
        // What a deleted task did may be told later than its end.
        if pid != 0 {
            self.describe_thread(thread, pid, tid);
        }
        calls
    }

    /// The parent of a task's further rows.
    pub(super) fn process(&mut self, world: &World, task: TaskRef) -> Parent {
        if self.task(world, task).process == 0 {
            let process = self.tracks.next();
            self.task(world, task).process = process;
            self.describe_process_of(world, task);
        }
        Parent::Track(self.task(world, task).process)
    }

    /// The parent of a task's markers. They have one of their own, since Perfetto orders rows right
    /// below a process by their names.
    pub(super) fn task_markers(&mut self, world: &World, task: TaskRef) -> Parent {
        if self.task(world, task).markers == 0 {
            let row =
                Row { rank: 2, ..Row::new(self.process(world, task), "markers", Shows::Slices) };
            self.task(world, task).markers = self.tracks.make(&mut self.packets, row);
        }
        Parent::Track(self.task(world, task).markers)
    }

    /// A counter of a task, which ends with it.
    pub(super) fn task_counter(&mut self, world: &World, task: TaskRef, row: Row) -> Uuid {
        let uuid = self.tracks.make(&mut self.packets, row);
        self.task(world, task).counters.push(uuid);
        uuid
    }

    /// A task is no more: it ends here, and so do its counters. It was on a core until now, or not.
    #[cold]
    pub(super) fn task_dies(&mut self, world: &World, at: At, task: TaskRef, was_on_core: bool) {
        self.tell_of_task(world, at.ns, task, true);
        let entry = self.task(world, task);
        let (tid, calls) = (entry.tid, entry.calls);
        for counter in std::mem::take(&mut entry.counters) {
            self.packets.counter(at.ns, counter, 0);
        }
        if calls != 0 {
            // Perfetto knows the row from its first event on, which must not be behind the end.
            let name = Name::Inline(b"deleted");
            self.packets.event(at.ns, EventType::Instant, calls, Some(name));
        }
        let ns = at.ns.saturating_add(was_on_core.into());
        sched::state(&mut self.packets, At { ns, ..at }, tid, sched::State::Dead);
    }

    /// Tells of a task's thread and process, now that all is known.
    fn tell_of_task(&mut self, world: &World, ns: i64, task: TaskRef, is_deleted: bool) {
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

    /// Describes the parent of a task's further rows, if there is one and Perfetto was told whose it is.
    fn describe_process_of(&mut self, world: &World, task: TaskRef) {
        match *self.task(world, task) {
            TaskTracks { pid: 0, .. } | TaskTracks { process: 0, .. } => {}
            TaskTracks { pid: DELETED_TASKS, process, .. } => {
                if self.deleted == 0 {
                    self.deleted = self.tracks.next();
                    self.describe_process(self.deleted, DELETED_TASKS);
                }
                let name = world.task_name(task).to_string();
                let row = Row::new(Parent::Track(self.deleted), name, Shows::Slices);
                self.tracks.describe(&mut self.packets, process, row);
            }
            TaskTracks { pid, process, .. } => self.describe_process(process, pid),
        }
    }

    /// The recording ends: tells of all that is not told yet.
    pub(super) fn tell_of_threads(&mut self, world: &World, end_ns: i64) {
        let mut tree = ProcessTree::default();
        for (task, _) in world.tasks.iter() {
            self.list(world, task, false, &mut tree);
        }
        for (isr, core, tid, calls) in self.isrs.threads() {
            let mut name = thread_name(world, isr, core);
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
