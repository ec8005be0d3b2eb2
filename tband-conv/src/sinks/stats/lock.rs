//! Locks: their holders and holding times, and the tasks that wait for them.
//!
//! Mutexes are locks. A binary semaphore is one if each task that takes it gives it back; one that is given by an interrupt, or
//! by a task that has not taken it, is a signal. The kind is certain only at the end, so both are followed as long as nothing
//! contradicts them.

use super::spread::{End, Spread};
use crate::model::TaskRef;

/// Holders that are distinguished for a lock; further ones are summed up.
const MAX_HOLDERS: usize = 64;

/// The numbers of one mutex, or of one binary semaphore that is used as a lock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LockStats {
    /// Queue number that the target gave it.
    pub id: u32,
    /// Name, or kind and id.
    pub name: String,
    /// Its kind, if the recording contains it.
    pub kind: Option<&'static str>,
    /// How often it was taken.
    pub takes: u64,
    /// Time for which it was held, in ns; to the end of the recording if it is not given back.
    pub held_ns: i64,
    /// From take to give.
    pub held: Spread,
    /// How long tasks waited for it: from when they blocked until they took it, or gave up.
    pub waits: Spread,
    /// How often a task had to wait for it.
    pub contentions: u64,
    /// Waits of a task for a less urgent one, that is, episodes of priority inversion.
    pub inversions: Spread,
    /// The holders, longest first.
    pub holders: Vec<HolderStats>,
    /// Runs of the target in which the recording has it.
    pub runs: u32,

    pub(super) is_mutex: bool,
    pub(super) woken: Vec<WokenWaiter>,
    /// Since when it is taken, by this task if that is known.
    taken: Option<(i64, Option<TaskRef>)>,
    /// The holder since an unseen take, if it is known.
    unseen: Option<TaskRef>,
    by_task: Vec<(Option<TaskRef>, HolderStats)>,
    /// How often its holder gave it back, and how often another task or interrupt gave it.
    own_gives: u64,
    foreign_gives: u64,
}

/// A wait of a task that does not block any more, or does so again, and does not have the lock yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WokenWaiter {
    pub task: TaskRef,
    /// When it blocked first.
    pub since: i64,
    /// When it was woken last.
    pub ns: i64,
    /// The lock was free then, so the wait lasts until the task has it.
    pub given: bool,
}

/// A lock's holding times of one task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HolderStats {
    /// Name of the task.
    pub task: String,
    /// How often it took the lock.
    pub count: u64,
    /// Total holding time, in ns.
    pub held_ns: i64,
    /// How long at most, in ns.
    pub max_ns: i64,
    /// When the longest hold began, in ns.
    pub max_at_ns: i64,
    /// Time for which it has held it at the end of the recording, in ns, if it does.
    pub open_ns: Option<i64>,
    /// How many holds were cut off by gaps.
    pub cut: u64,
}

impl LockStats {
    /// It was used, and nothing shows that it is a signal.
    pub(super) const fn is_used_lock(&self) -> bool {
        let is_lock = self.is_mutex || (self.own_gives > 0 && self.foreign_gives == 0);
        is_lock && (self.takes > 0 || self.contentions > 0)
    }

    /// Nothing shows so far that it is a signal.
    pub(super) const fn may_be_lock(&self) -> bool {
        self.is_mutex || self.foreign_gives == 0
    }

    /// The task that has taken it, if that is known.
    pub(super) fn holder(&self) -> Option<TaskRef> {
        self.taken.map_or(self.unseen, |(_, holder)| holder)
    }

    /// This task has it, though no event showed the take.
    pub(super) const fn set_holder(&mut self, holder: TaskRef) {
        if self.taken.is_none() {
            self.unseen = Some(holder);
        }
    }

    #[inline]
    pub(super) fn take(&mut self, ns: i64, holder: Option<TaskRef>) {
        self.takes = self.takes.saturating_add(1);
        self.unseen = None;
        self.taken = Some((ns, holder));
        if !self.woken.is_empty()
            && let Some(holder) = holder
        {
            self.acquire(holder, ns);
        }
    }

    pub(super) const fn is_taken(&self) -> bool {
        self.taken.is_some()
    }

    /// It is free again.
    pub(super) fn give(&mut self, ns: i64) {
        self.end_hold(ns, End::Seen);
    }

    /// As [`give`](Self::give), for a semaphore, by this task if it is known.
    pub(super) fn give_by(&mut self, ns: i64, task: Option<TaskRef>) {
        if let Some((_, Some(holder))) = self.taken {
            let gives =
                if task == Some(holder) { &mut self.own_gives } else { &mut self.foreign_gives };
            *gives = gives.saturating_add(1);
        }
        self.give(ns);
    }

    /// It is not known any more whether it is taken.
    pub(super) fn forget(&mut self, ns: i64) {
        self.end_hold(ns, End::Cut);
    }

    fn end_hold(&mut self, ns: i64, end: End) {
        self.unseen = None;
        let Some((since, holder)) = self.taken.take() else { return };
        let time = ns.saturating_sub(since).max(0);
        self.held_ns = self.held_ns.saturating_add(time);
        self.held.add_until(time, ns, end);
        let position = self.position(holder);
        if let Some((_, stats)) = self.by_task.get_mut(position) {
            stats.count = stats.count.saturating_add(1);
            stats.held_ns = stats.held_ns.saturating_add(time);
            if time > stats.max_ns || stats.count == 1 {
                (stats.max_ns, stats.max_at_ns) = (time, since);
            }
            match end {
                End::Seen => {}
                End::Open => stats.open_ns = Some(time),
                End::Cut => stats.cut = stats.cut.saturating_add(1),
            }
        }
    }

    fn position(&mut self, holder: Option<TaskRef>) -> usize {
        if let Some(position) = self.by_task.iter().position(|entry| entry.0 == holder) {
            return position;
        }
        self.new_position(holder)
    }

    #[cold]
    #[inline(never)]
    fn new_position(&mut self, holder: Option<TaskRef>) -> usize {
        // The last place is for all further ones.
        if self.by_task.len() >= MAX_HOLDERS {
            return MAX_HOLDERS - 1;
        }
        let holder = holder.filter(|_| self.by_task.len() + 1 < MAX_HOLDERS);
        self.by_task.push((holder, HolderStats::default()));
        self.by_task.len() - 1
    }

    /// The recording ends. The figures of several runs can be joined then.
    pub(super) fn finish(&mut self, end: i64) {
        self.end_hold(end, End::Open);
    }

    /// Adds the figures of the same lock in a later run of the target; `row` is the same for the same task.
    pub(super) fn join(&mut self, later: Self, row: impl Fn(TaskRef) -> usize) {
        self.id = later.id;
        self.takes = self.takes.saturating_add(later.takes);
        self.held_ns = self.held_ns.saturating_add(later.held_ns);
        self.held.join(later.held);
        self.waits.join(later.waits);
        self.contentions = self.contentions.saturating_add(later.contentions);
        self.inversions.join(later.inversions);
        self.is_mutex |= later.is_mutex;
        self.own_gives = self.own_gives.saturating_add(later.own_gives);
        self.foreign_gives = self.foreign_gives.saturating_add(later.foreign_gives);
        self.runs = self.runs.saturating_add(later.runs);
        for (holder, stats) in later.by_task {
            let same = |known: Option<TaskRef>| known.map(&row) == holder.map(&row);
            let known = self.by_task.iter().position(|entry| same(entry.0));
            let position = known.unwrap_or_else(|| self.new_position(holder));
            if let Some((_, known)) = self.by_task.get_mut(position) {
                known.join(&stats);
            }
        }
    }

    /// Sets the names of the holders.
    pub(super) fn name_holders(&mut self, name: impl Fn(TaskRef) -> String) {
        let unknown = || "(not known)".to_owned();
        let named = |(holder, stats): (Option<TaskRef>, HolderStats)| HolderStats {
            task: holder.map_or_else(unknown, &name),
            ..stats
        };
        self.holders = std::mem::take(&mut self.by_task).into_iter().map(named).collect();
        self.holders.sort_by_key(|holder| std::cmp::Reverse(holder.held_ns));
    }
}

impl HolderStats {
    /// Adds the holding times of a later run.
    fn join(&mut self, later: &Self) {
        if later.max_ns > self.max_ns || self.count == 0 {
            (self.max_ns, self.max_at_ns) = (later.max_ns, later.max_at_ns);
        }
        self.count = self.count.saturating_add(later.count);
        self.held_ns = self.held_ns.saturating_add(later.held_ns);
        self.open_ns = later.open_ns.or(self.open_ns);
        self.cut = self.cut.saturating_add(later.cut);
    }
}
