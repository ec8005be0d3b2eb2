//! Priority inversions: an urgent task waits for a lock that a less urgent one holds, while others run.
//!
//! Every task that runs on any core in that time delays the holder, and so the waiter. This costs time only while a task waits
//! in this way.

use crate::model::{QueueRef, TaskRef};

use super::spread::End;

/// Waits that are followed at a time; further ones are not counted.
const MAX_OPEN: usize = 64;
/// Tasks that are distinguished in one wait.
const MAX_RAN: usize = 64;
/// Maximum number of kept combinations of lock, waiter and holder of one run of the target.
const MAX_KINDS: usize = 4096;
/// As [`MAX_KINDS`], of all runs.
const MAX_ALL_KINDS: usize = 1 << 16;

/// Waits of one task for one lock that the same less urgent task held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct InversionStats {
    /// Name of the lock.
    pub lock: String,
    /// Queue number of the lock.
    pub lock_id: u32,
    /// The kind of the lock, if the recording contains it.
    pub lock_kind: Option<&'static str>,
    /// The waiting task.
    pub waiter: Participant,
    /// The task that holds the lock when the wait begins; its priority excludes inheritance.
    pub holder: Participant,
    /// How often that was so.
    pub count: u64,
    /// How long in all, in ns.
    pub total_ns: i64,
    /// How long at most, in ns.
    pub max_ns: i64,
    /// When the longest wait began, in ns.
    pub max_at_ns: i64,
    /// In the longest wait, for how long the holder ran, in ns.
    pub holder_ran_ns: i64,
    /// The other task that ran longest in the longest wait, among those between waiter and holder in priority if one of them
    /// ran; idle tasks do not count.
    pub between: Option<Participant>,
    /// In the longest wait, for how long that task ran, in ns.
    pub between_ns: i64,
    /// In the longest wait, for how long all tasks but the holder and idle tasks ran, in ns.
    pub others_ns: i64,
    /// How long the open wait at the end of the recording has lasted so far, in ns, if there is one.
    pub open_ns: Option<i64>,
    /// How many were cut off by gaps.
    pub cut: u64,
    /// The wait that a task between waiter and holder in priority delayed most, if there is one: it need not be the longest.
    pub delay: Option<Delay>,
}

impl InversionStats {
    /// Adds the waits of the same tasks for the same lock in a later run of the target.
    pub(super) fn join(&mut self, later: Self) {
        let count = self.count.saturating_add(later.count);
        let total_ns = self.total_ns.saturating_add(later.total_ns);
        let cut = self.cut.saturating_add(later.cut);
        let open_ns = later.open_ns.or(self.open_ns);
        let delayed = |it: &Self| it.delay.as_ref().map(|delay| delay.ran_ns);
        let delay = if delayed(&later) > delayed(self) { &later.delay } else { &self.delay };
        let delay = delay.clone();
        let lock_id = later.lock_id;
        let (waiter, holder) = (later.waiter.clone(), later.holder.clone());
        if later.max_ns > self.max_ns {
            *self = later;
        }
        (self.count, self.total_ns, self.cut, self.open_ns) = (count, total_ns, cut, open_ns);
        (self.delay, self.lock_id, self.waiter, self.holder) = (delay, lock_id, waiter, holder);
    }
}

/// A wait that was made longer by a task which is less urgent than the waiter, and at least as urgent as the holder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Delay {
    /// When the wait began, in ns.
    pub at_ns: i64,
    /// How long it was, in ns.
    pub length_ns: i64,
    /// Which task between them ran longest in it.
    pub by: Participant,
    /// For how long that one ran, in ns.
    pub ran_ns: i64,
}

/// A task that has a part in an inversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Participant {
    /// Name of the task.
    pub name: String,
    /// Its number.
    pub id: u32,
    /// Its priority, if known.
    pub priority: Option<u32>,
}

/// Waiter, lock and holder, with the priorities at that time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InversionKind {
    pub lock: QueueRef,
    pub waiter: (TaskRef, Option<u32>),
    pub holder: (TaskRef, Option<u32>),
}

impl InversionKind {
    /// A task of this priority delays the waiter: it would not run before the waiter, and runs before the holder.
    fn is_between(&self, priority: Option<u32>) -> bool {
        let (waiter, holder) = (self.waiter.1, self.holder.1);
        // The holder is less urgent, by how much is not known if its priority is not.
        priority.zip(waiter).is_some_and(|(it, waiter)| it < waiter)
            && holder.is_none_or(|holder| priority >= Some(holder))
    }
}

/// A task that was on a core for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TaskRun {
    pub task: TaskRef,
    /// Its priority at that time, without inheritance.
    pub priority: Option<u32>,
    /// For how long, in ns.
    pub ns: i64,
    pub is_idle: bool,
}

/// An open wait.
#[derive(Clone, Debug)]
struct Episode {
    kind: InversionKind,
    since: i64,
    /// Tasks that ran since.
    ran: Vec<TaskRun>,
}

/// Numbers of a kind, and the tasks that ran in the longest wait, and in the one that others delayed most.
#[derive(Clone, Debug)]
pub(super) struct InversionTotals {
    pub kind: InversionKind,
    pub stats: InversionStats,
    ran: Vec<TaskRun>,
    delayed_by: Option<TaskRef>,
}

/// All inversions.
#[derive(Clone, Debug, Default)]
pub(super) struct Inversions {
    open: Vec<Episode>,
    pub done: Vec<InversionTotals>,
    /// Where the entries of this run begin in `done`. Earlier ones have objects that no longer exist.
    of_run: usize,
}

impl Inversions {
    /// Some task waits for a less urgent one.
    #[inline]
    pub const fn any_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// The target was reset.
    pub const fn reset(&mut self) {
        self.of_run = self.done.len();
    }

    pub fn begin(&mut self, kind: InversionKind, ns: i64) {
        if self.open.len() < MAX_OPEN {
            self.open.push(Episode { kind, since: ns, ran: Vec::new() });
        }
    }

    /// A task has left a core after this time for itself.
    #[cold]
    pub fn ran(&mut self, ns: i64, ran: TaskRun) {
        for episode in &mut self.open {
            episode.add_run(ns, ran);
        }
    }

    /// A task does not wait any more, if it did for a less urgent one. `running` are the tasks on the cores and
    /// for how long they have had them for themselves.
    pub fn end(
        &mut self,
        waiter: TaskRef,
        ns: i64,
        end: End,
        running: impl Iterator<Item = TaskRun>,
    ) -> bool {
        let position = self.open.iter().position(|it| it.kind.waiter.0 == waiter);
        let Some(position) = position else { return false };
        let mut episode = self.open.swap_remove(position);
        for ran in running {
            episode.add_run(ns, ran);
        }
        let kind = episode.kind;
        let time = ns.saturating_sub(episode.since).max(0);
        let mut of_run = self.done.iter().enumerate().skip(self.of_run);
        let known = of_run.find(|(_, done)| done.kind == kind).map(|(position, _)| position);
        let position = known.unwrap_or(self.done.len());
        let has_room = position - self.of_run < MAX_KINDS && position < MAX_ALL_KINDS;
        if known.is_none() && has_room {
            let stats = InversionStats::default();
            self.done.push(InversionTotals { kind, stats, ran: Vec::new(), delayed_by: None });
        }
        let Some(done) = self.done.get_mut(position) else { return true };
        let stats = &mut done.stats;
        if let Some(by) = episode.longest_between()
            && stats.delay.as_ref().is_none_or(|it| by.ns > it.ran_ns)
        {
            done.delayed_by = Some(by.task);
            let by_priority = Participant { priority: by.priority, ..Participant::default() };
            let delay =
                Delay { at_ns: episode.since, length_ns: time, by: by_priority, ran_ns: by.ns };
            stats.delay = Some(delay);
        }
        stats.count = stats.count.saturating_add(1);
        stats.total_ns = stats.total_ns.saturating_add(time);
        if time > stats.max_ns || stats.count == 1 {
            (stats.max_ns, stats.max_at_ns) = (time, episode.since);
            done.ran = episode.ran;
        }
        match end {
            End::Seen => {}
            End::Open => stats.open_ns = Some(time),
            End::Cut => stats.cut = stats.cut.saturating_add(1),
        }
        true
    }
}

impl Episode {
    /// A task ran for this time, up to a moment; the part before the wait does not count.
    fn add_run(&mut self, ns: i64, ran: TaskRun) {
        let time = ran.ns.min(ns.saturating_sub(self.since));
        if time <= 0 {
            return;
        }
        if let Some(known) = self.ran.iter_mut().find(|it| it.task == ran.task) {
            *known = TaskRun { ns: known.ns.saturating_add(time), ..ran };
        } else if self.ran.len() < MAX_RAN {
            self.ran.push(TaskRun { ns: time, ..ran });
        }
    }

    /// Returns the task between waiter and holder that ran longest.
    fn longest_between(&self) -> Option<TaskRun> {
        let kind = self.kind;
        let between = self
            .ran
            .iter()
            .filter(|it| it.task != kind.holder.0 && !it.is_idle && kind.is_between(it.priority));
        between.copied().max_by_key(|it| it.ns)
    }
}

impl InversionTotals {
    /// Ends; `party` returns a task and whether it is an idle task.
    pub fn finish(&mut self, party: impl Fn(TaskRef) -> (Participant, bool)) {
        let stats = &mut self.stats;
        let mut longest: Option<(bool, i64, TaskRun)> = None;
        for ran in &self.ran {
            if ran.task == self.kind.holder.0 {
                stats.holder_ran_ns = ran.ns;
            } else if !party(ran.task).1 {
                stats.others_ns = stats.others_ns.saturating_add(ran.ns);
                let is_between = self.kind.is_between(ran.priority);
                if longest.is_none_or(|(between, most, _)| (is_between, ran.ns) > (between, most)) {
                    longest = Some((is_between, ran.ns, *ran));
                }
            }
        }
        let with_priority = |task, priority| Participant { priority, ..party(task).0 };
        if let Some((_, ns, TaskRun { task, priority, .. })) = longest {
            (stats.between, stats.between_ns) = (Some(with_priority(task, priority)), ns);
        }
        if let (Some(delay), Some(task)) = (&mut stats.delay, self.delayed_by) {
            delay.by = with_priority(task, delay.by.priority);
        }
    }
}
