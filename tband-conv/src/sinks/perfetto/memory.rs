//! State that is kept while a trace is written: tracks, threads and interned names of each object.

use std::collections::HashMap;

use super::colours::next_interrupt_colour;
use super::tasks::tids::ISR_TIDS;
use super::tracks::Uuid;
use crate::model::{EventTime, Isr, IsrRef, Outcome, PerCore, PerKey, PerRef, Task, TaskRef, Wait};
use crate::sinks::quota::FindingQuota;

/// A task's items in the trace; 0 means unknown or not created yet.
#[derive(Clone, Debug, Default)]
pub struct TaskTracks {
    pub tid: i32,
    /// Its thread, which has no separate track, and the track of waits and calls below it.
    pub thread: Uuid,
    pub calls: Uuid,
    /// Its process, and the track below which its markers are.
    pub process: Uuid,
    pub markers: Uuid,
    /// Its load over time.
    pub load: Uuid,
    /// The priority of an idle task, as long as it is always the same.
    pub only_priority: Option<(i64, i64)>,
    /// Its last wait, until it is written.
    pub wait: Option<PendingWait>,
    /// Its value markers, which end with it.
    pub values: Vec<Uuid>,
    /// Number of its process, and whether Perfetto was reported thread and process.
    pub pid: i32,
    pub is_listed: bool,
}

/// What is shown of a queue.
#[derive(Clone, Debug, Default)]
pub struct QueueTracks {
    /// The track of its level; 0 means not created yet.
    pub level: Uuid,
    /// The mutex is shown as held.
    pub is_held: bool,
    /// Tasks that waited for the mutex while its present holder held it, or still wait.
    pub waiters: Vec<TaskRef>,
}

/// How interrupts are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Interrupts {
    /// As threads that preempt tasks in the track of their core: the time of tasks excludes them, and wake-ups by an interrupt
    /// show their waker.
    #[default]
    Cpu,
    /// One track for each interrupt of each core, with spans and arrows. Tasks run on beneath.
    Rows,
}

/// The items of an interrupt of one core in the trace; 0 means not created yet.
#[derive(Clone, Copy, Debug, Default)]
pub struct IsrTracks {
    pub tid: i32,
    /// Its thread, below which the track of its acts is.
    pub thread: Uuid,
    pub track: Uuid,
    /// Its interned name, where it has a separate track.
    pub name: u64,
}

/// Interrupts by core and place in the table.
#[derive(Debug, Default)]
pub struct Isrs {
    pub shown: Interrupts,
    pub of_core: PerCore<PerRef<Isr, IsrTracks>>,
    /// Those with a thread, in the order of their numbers.
    pub threads: Vec<(IsrRef, u32)>,
    /// Number of the last of these threads.
    last_tid: i32,
}

impl Isrs {
    pub fn entry(&mut self, isr: IsrRef, core: u32) -> &mut IsrTracks {
        self.of_core.entry(core).entry(isr)
    }

    pub fn known(&self, isr: IsrRef, core: u32) -> IsrTracks {
        self.of_core.get(core).map(|of_core| of_core.copied(isr)).unwrap_or_default()
    }

    /// The thread of an interrupt.
    #[inline]
    pub fn tid(&mut self, isr: IsrRef, core: u32) -> i32 {
        match self.known(isr, core).tid {
            0 => self.new_tid(isr, core),
            tid => tid,
        }
    }

    #[cold]
    pub fn new_tid(&mut self, isr: IsrRef, core: u32) -> i32 {
        let tid = next_interrupt_colour(self.last_tid.max(ISR_TIDS).saturating_add(1));
        self.last_tid = tid;
        self.threads.push((isr, core));
        self.entry(isr, core).tid = tid;
        tid
    }

    /// The thread of an interrupt, 0 if it has none.
    pub fn known_tid(&self, isr: IsrRef, core: u32) -> i32 {
        self.known(isr, core).tid
    }

    /// Interrupts that have a thread: which, its core, number and, if it has a track, its track.
    pub fn threads(&self) -> Vec<(IsrRef, u32, i32, Uuid)> {
        let with_tracks = |&(isr, core): &(IsrRef, u32)| {
            let IsrTracks { tid, thread, .. } = self.known(isr, core);
            (isr, core, tid, thread)
        };
        self.threads.iter().map(with_tracks).collect()
    }
}

/// Slices that say that something is not recorded; more occur only if the target does nothing else.
pub const MAX_LEFT_OUT: u64 = 10_000;

/// How much is shown of losses, faults and crashes.
#[derive(Debug, Default)]
pub struct Errors {
    pub crashes: u64,
    pub triggers: u64,
    pub left_out_slices: u64,
    /// Begins of the first losses, and their names.
    pub first: Vec<(i64, String)>,
    /// How many are shown, and how many bytes of the trace they take.
    pub quota: FindingQuota,
}

/// A wait whose text is not written yet.
#[derive(Clone, Copy, Debug)]
pub struct PendingWait {
    pub at: EventTime,
    /// The object of the wait; `None` while the task is suspended.
    pub wait: Option<Wait>,
    pub limit: Option<u32>,
    pub bits: (u64, bool),
    /// When it ended, and the waker; `None` while it lasts.
    pub end: Option<(i64, Option<Ender>)>,
    /// How it ended, once that is known.
    pub outcome: Option<Outcome>,
    /// How long it had lasted before the window that is shown, in ns.
    pub before: Option<u64>,
}

impl PendingWait {
    /// It begins.
    pub const fn new(at: EventTime, wait: Option<Wait>) -> Self {
        Self { at, wait, limit: None, bits: (0, false), end: None, outcome: None, before: None }
    }
}

/// The actor that ends a wait.
#[derive(Clone, Copy, Debug)]
pub enum Ender {
    Task(TaskRef),
    Isr(IsrRef, u32),
}

/// Interned names of the actors that end waits, by place in their table; 0 means none.
#[derive(Debug, Default)]
pub struct Enders {
    pub tasks: PerRef<Task, u64>,
    pub isrs: PerRef<Isr, u64>,
}

impl Enders {
    /// A task is called otherwise from now on.
    pub fn renamed(&mut self, task: TaskRef) {
        if let Some(known) = self.tasks.get_mut(task) {
            *known = 0;
        }
    }
}

/// Why a task does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    Suspended,
    Unknown,
    /// A wait beyond the limit of interned texts.
    Further,
    Waits {
        wait: Wait,
        outcome: Option<Outcome>,
        limit: Option<u32>,
        bits: (u64, bool),
    },
}

/// Interned numbers of the texts.
#[derive(Debug, Default)]
pub struct Reasons {
    pub symbols: HashMap<Reason, u64>,
    /// The last one of each kind of wait, object and outcome.
    pub recent: [PerKey<usize, Option<(Reason, u64)>>; Wait::KINDS],
}

/// Kinds of acts.
pub const ACTS: usize = 13;

/// State of flows.
#[derive(Debug, Default)]
pub struct Arrows {
    pub drawn: u64,
    /// Interned names by kind of act and object; 0 means none.
    pub names: [PerKey<usize, u64>; ACTS],
    /// The arrow from a timer that expires to its callback, until that begins.
    pub expiry: Option<u64>,
}
