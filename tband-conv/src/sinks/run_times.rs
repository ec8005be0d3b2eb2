//! Run time of each task, length of each core, traffic of each queue: the numbers of the timeline.

use std::fmt;
use std::io;

use crate::timeline::{At, Change, QueueCause, QueueRef, Sink, TaskRef, TaskState, World};

/// The numbers of one task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskTimes {
    /// Name, or `task` and its id.
    pub name: String,
    /// Task number that the target gave it.
    pub id: u32,
    /// Time for which it ran, in ns, on all cores together.
    pub run_ns: i64,
    /// How often it started to run.
    pub switches_in: u64,
    /// It is an idle task.
    pub is_idle: bool,
    running_since: Option<i64>,
}

/// The numbers of one core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CoreTimes {
    /// Core number.
    pub core: u32,
    /// Time of its first event, in ns.
    pub first_ns: i64,
    /// Time of its last event, in ns.
    pub last_ns: i64,
}

/// The numbers of one queue, semaphore or mutex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct QueueCounts {
    /// Name, or kind and id.
    pub name: String,
    /// Queue number that the target gave it.
    pub id: u32,
    /// Last level that was told, if any.
    pub level: Option<u32>,
    /// Items sent, overwriting included, or gives.
    pub sends: u64,
    /// Items received, or takes.
    pub receives: u64,
}

/// Collects the numbers. Its [`Display`](fmt::Display) is a table of the tasks.
#[derive(Clone, Debug, Default)]
pub struct RunTimes {
    tasks: Vec<TaskTimes>,
    cores: Vec<CoreTimes>,
    queues: Vec<QueueCounts>,
    /// Index of the core that changed last.
    last_core: usize,
    end_ns: i64,
}

impl RunTimes {
    /// All tasks, in the order in which they appeared.
    pub fn tasks(&self) -> impl Iterator<Item = &TaskTimes> {
        self.tasks.iter()
    }

    /// All cores that have events, by number.
    pub fn cores(&self) -> impl Iterator<Item = &CoreTimes> {
        self.cores.iter()
    }

    /// All queues, in the order in which they appeared.
    pub fn queues(&self) -> impl Iterator<Item = &QueueCounts> {
        self.queues.iter()
    }

    /// Last time in the recording, in ns.
    #[must_use]
    pub const fn end_ns(&self) -> i64 {
        self.end_ns
    }

    /// Time from the first to the last event, in ns.
    #[must_use]
    pub fn length_ns(&self) -> i64 {
        let first = self.cores.iter().map(|core| core.first_ns).min().unwrap_or(self.end_ns);
        self.end_ns.saturating_sub(first)
    }

    fn task(&mut self, task: TaskRef) -> Option<&mut TaskTimes> {
        grow(&mut self.tasks, task.index())
    }

    fn runs(&mut self, task: TaskRef, ns: i64) {
        if let Some(task) = self.task(task) {
            task.running_since = Some(ns);
            task.switches_in = task.switches_in.saturating_add(1);
        }
    }

    fn stops(&mut self, task: TaskRef, ns: i64) {
        if let Some(task) = self.task(task)
            && let Some(since) = task.running_since.take()
        {
            task.run_ns = task.run_ns.saturating_add(ns.saturating_sub(since));
        }
    }

    fn queue(&mut self, queue: QueueRef, level: u32, cause: QueueCause) {
        let Some(queue) = grow(&mut self.queues, queue.index()) else {
            return;
        };
        queue.level = Some(level);
        match cause {
            QueueCause::Send | QueueCause::Overwrite => queue.sends = queue.sends.saturating_add(1),
            QueueCause::Receive => queue.receives = queue.receives.saturating_add(1),
            QueueCause::Reset | QueueCause::Told => {}
        }
    }

    #[inline(always)]
    fn core(&mut self, at: At) {
        // Nearly every change is on the core of the one before.
        if let Some(last) = self.cores.get_mut(self.last_core)
            && last.core == at.core
        {
            last.last_ns = last.last_ns.max(at.ns);
        } else {
            self.other_core(at);
        }
    }

    #[inline(never)]
    fn other_core(&mut self, at: At) {
        let At { core, ns } = at;
        match self.cores.binary_search_by_key(&core, |it| it.core) {
            Ok(index) => {
                self.last_core = index;
                if let Some(it) = self.cores.get_mut(index) {
                    it.last_ns = it.last_ns.max(ns);
                }
            }
            Err(index) => {
                self.last_core = index;
                self.cores.insert(index, CoreTimes { core, first_ns: ns, last_ns: ns });
            }
        }
    }
}

/// The entry of an object, made if it is new. Objects are numbered from 0 without gaps.
#[inline(always)]
fn grow<T: Default>(entries: &mut Vec<T>, index: usize) -> Option<&mut T> {
    if entries.len() <= index {
        more(entries, index);
    }
    entries.get_mut(index)
}

#[cold]
#[inline(never)]
fn more<T: Default>(entries: &mut Vec<T>, index: usize) {
    entries.resize_with(index.saturating_add(1), T::default);
}

impl Sink for RunTimes {
    #[inline(always)]
    fn change(&mut self, _: &World, at: At, change: &Change<'_>) -> io::Result<()> {
        match *change {
            Change::TaskState { task, to: TaskState::Running(_), .. } => self.runs(task, at.ns),
            Change::TaskState { task, from: TaskState::Running(_), .. }
            | Change::StillRunning(task) => self.stops(task, at.ns),
            Change::QueueLevel { queue, level, cause, .. } => self.queue(queue, level, cause),
            // Findings and names have no time of their own.
            Change::Finding(_) | Change::TaskAppears(_) | Change::TaskRenamed(_) => return Ok(()),
            _ => {}
        }
        self.core(at);
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.end_ns = end_ns;
        for (task, known) in world.tasks.iter() {
            let name = world.task_name(task).to_string();
            if let Some(entry) = self.task(task) {
                (entry.name, entry.id) = (name, known.id);
                entry.is_idle = known.idle_of.is_some();
            }
        }
        for (queue, known) in world.queues.iter() {
            let name = world.queue_name(queue).to_string();
            if let Some(entry) = grow(&mut self.queues, queue.index()) {
                (entry.name, entry.id) = (name, known.id);
            }
        }
        Ok(())
    }
}

impl fmt::Display for RunTimes {
    /// A table: task, run time in ms, share of the time of one core, switches. Longest first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tasks: Vec<&TaskTimes> = self.tasks.iter().collect();
        tasks.sort_by_key(|task| std::cmp::Reverse(task.run_ns));
        let width = tasks.iter().map(|task| task.name.chars().count()).max().unwrap_or(0).max(4);
        writeln!(
            f,
            "{:<width$}  {:>14}  {:>7}  {:>10}",
            "task", "run time [ms]", "CPU [%]", "switches"
        )?;
        let length = self.length_ns().max(1) as f64;
        for TaskTimes { name, run_ns, switches_in, .. } in tasks {
            let ns = *run_ns as f64;
            let (ms, share) = (ns / 1e6, 100.0 * ns / length);
            writeln!(f, "{name:<width$}  {ms:>14.3}  {share:>7.2}  {switches_in:>10}")?;
        }
        Ok(())
    }
}
