//! Tasks as Perfetto's scheduling data: threads, states, wake-ups, what a task waits for.
//!
//! Rules that Perfetto sets: each task is a process with one thread of the same number; a state that
//! ends RUNNING names the core; a wake-up after a wait is a `sched_waking` and never RUNNABLE, while
//! a task that is preempted becomes RUNNABLE; after DEAD nothing may follow.

use std::io::Write;

use super::packets::Packets;
use super::proto::{Process, ProcessTree, Thread, TracePacket};
use super::wire;
use crate::timeline::{At, Task, TaskRef, TaskState, World};

/// TaskStateEnum
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    Runnable = 2,
    Running = 3,
    Sleep = 4,
    /// UNINTERRUPTIBLE_SLEEP, which tasks do not have: Perfetto itself knows no unknown state. What
    /// the task "waits for" says the rest.
    Unknown = 5,
    Stopped = 6,
    Dead = 7,
}

impl State {
    pub const fn of(state: TaskState) -> Option<Self> {
        match state {
            // The list of threads has created it already.
            TaskState::Created => None,
            TaskState::Unknown => Some(Self::Unknown),
            TaskState::Ready => Some(Self::Runnable),
            TaskState::Running(_) => Some(Self::Running),
            TaskState::Blocked(_) => Some(Self::Sleep),
            TaskState::Suspended => Some(Self::Stopped),
            TaskState::Deleted => Some(Self::Dead),
        }
    }
}

/// Thread numbers from here on stand for tasks whose own number cannot be used.
const SPARE_TIDS: i32 = 1 << 30;

/// Linux shows priorities below 100 as real-time ones; the true one is in a counter.
const PRIORITY_OFFSET: u32 = 100;

/// Thread number of a task: its own number where that is unique and can be one.
pub fn tid(world: &World, task: TaskRef) -> i32 {
    let own = world
        .tasks
        .get(task)
        .filter(|entry| world.tasks.first(entry.id) == Some(task))
        .and_then(|entry| i32::try_from(entry.id).ok())
        .filter(|id| (1..SPARE_TIDS).contains(id));
    // The table of tasks is far smaller than the numbers that are left.
    own.unwrap_or_else(|| {
        SPARE_TIDS.saturating_add(i32::try_from(task.index()).unwrap_or(i32::MAX))
    })
}

/// Tells Perfetto of tasks. Their times are irrelevant, but a packet must have one.
pub fn list<W: Write>(
    packets: &mut Packets<W>,
    world: &World,
    ns: i64,
    tasks: impl Iterator<Item = TaskRef>,
) {
    let mut tree = ProcessTree::default();
    for task in tasks {
        let tid = i64::from(tid(world, task));
        let name = world.task_name(task).to_string();
        let is_idle = world.tasks.get(task).is_some_and(|task| task.idle_of.is_some());
        // A process name ends at the first space.
        let cmdline = Some(name.replace(' ', "\u{A0}"));
        tree.processes.push(Process { pid: Some(tid), ppid: Some(0), cmdline });
        tree.threads.push(Thread {
            tid: Some(tid),
            pid: Some(tid),
            comm: Some(name),
            is_main_thread: Some(true),
            is_idle: is_idle.then_some(true),
        });
    }
    if !tree.threads.is_empty() {
        let process_tree = Some(tree);
        packets.message_at(ns, &TracePacket { process_tree, ..TracePacket::default() });
    }
}

/// Writes a task's new state. `core` is where it runs, or ran last.
#[inline(always)]
pub fn state<W: Write>(
    packets: &mut Packets<W>,
    at: At,
    core: Option<u32>,
    tid: i32,
    task: &Task,
    state: State,
) {
    let priority = task.priority.unwrap_or(0).saturating_add(PRIORITY_OFFSET);
    // As below, with one byte for each number.
    if let (Some(core @ 0..0x80), tid @ 0..0x80, 0..0x80) = (core, tid, priority) {
        let (core, tid, priority) = (core as u8, tid as u8, priority as u8);
        let done = match state {
            State::Running => packets.short_at(
                at.ns,
                [0xAA, 7, 8, 8, core, 0x18, tid, 0x20, state as u8, 0x28, priority],
            ),
            _ => packets.short_at(at.ns, [0xAA, 7, 6, 8, core, 0x18, tid, 0x20, state as u8]),
        };
        if done {
            return;
        }
    }
    long_state(packets, at, core, tid, task, state);
}

#[inline(never)]
fn long_state<W: Write>(
    packets: &mut Packets<W>,
    at: At,
    core: Option<u32>,
    tid: i32,
    task: &Task,
    state: State,
) {
    let (packet, buf) = packets.open_at(at.ns);
    let event = wire::open(buf, 117);
    if let Some(core) = core {
        wire::int(buf, 1, core.into());
    }
    wire::int(buf, 3, tid.into());
    wire::int(buf, 4, state as i64);
    if state == State::Running {
        let priority = task.priority.unwrap_or(0).saturating_add(PRIORITY_OFFSET);
        wire::int(buf, 5, i32::try_from(priority).unwrap_or(i32::MAX).into());
    }
    wire::close(buf, event);
    wire::close(buf, packet);
}
