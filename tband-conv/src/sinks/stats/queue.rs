//! Queues, semaphores and mutexes: levels, traffic, holders.
//!
//! The recording does not tell how many items a queue holds at most. A queue counts as full at its
//! highest level if a task had to wait there for room, if sending failed there, or if it is overwritten.

use super::spread::Spread;
use crate::timeline::{QueueCause, QueueChange, TaskRef};

/// Holders that are told apart for a mutex; further ones are summed up.
const MAX_HOLDERS: usize = 64;

/// The numbers of one queue or semaphore, or of a mutex seen as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct QueueStats {
    /// Queue number that the target gave it.
    pub id: u32,
    /// Name, or kind and id.
    pub name: String,
    /// What it is, if the recording says so.
    pub kind: Option<&'static str>,
    /// Lowest and highest level that was told, if any.
    pub levels: Option<(u32, u32)>,
    /// Its level at the end, if it is known.
    pub level: Option<u32>,
    /// Time for which it was empty, in ns, from the first known level on.
    pub empty_ns: i64,
    /// Time for which it was full, in ns; `None` if it is not known what full is.
    pub full_ns: Option<i64>,
    /// Items sent, overwriting included, or gives.
    pub sends: u64,
    /// Items received, or takes.
    pub receives: u64,
    /// How often a task had to wait for room.
    pub blocked_sends: u64,
    /// How often a task had to wait for an item.
    pub blocked_receives: u64,
    /// Sends or gives that failed, with or without a wait. Older recordings do not tell of them.
    pub failed_sends: u64,
    /// Receives, takes or looks at the first item that failed, as `failed_sends`.
    pub failed_receives: u64,

    /// As `levels`; both 0 if there are none.
    min: u32,
    max: u32,
    since: i64,
    /// Time at the highest level so far.
    at_max_ns: i64,
    max_is_full: bool,
}

impl QueueStats {
    #[inline(always)]
    pub(super) fn set_level(&mut self, ns: i64, level: u32, cause: QueueCause) {
        match self.level {
            Some(before) if self.min <= level && level <= self.max && self.since <= ns => {
                self.advance(ns, before);
                self.level = Some(level);
            }
            _ => self.new_level(ns, level),
        }
        match cause {
            QueueCause::Send => self.sends = self.sends.wrapping_add(1),
            QueueCause::Overwrite => {
                self.sends = self.sends.wrapping_add(1);
                self.max_is_full = true;
            }
            QueueCause::Receive => self.receives = self.receives.wrapping_add(1),
            QueueCause::Reset | QueueCause::Told => {}
        }
    }

    /// Counts the time up to a moment at a level that is known.
    #[inline(always)]
    fn advance(&mut self, ns: i64, level: u32) {
        let time = ns.wrapping_sub(self.since);
        self.since = ns;
        if level == 0 {
            self.empty_ns = self.empty_ns.wrapping_add(time);
        }
        if level == self.max {
            self.at_max_ns = self.at_max_ns.wrapping_add(time);
        }
    }

    fn end_level(&mut self, ns: i64) {
        // Across cores time may step back a little.
        let ns = self.since.max(ns);
        match self.level {
            Some(level) => self.advance(ns, level),
            None => self.since = ns,
        }
    }

    /// A level is told that may be the first, the lowest or the highest one.
    #[inline(never)]
    fn new_level(&mut self, ns: i64, level: u32) {
        self.end_level(ns);
        self.level = Some(level);
        let (min, max) = self.levels.unwrap_or((level, level));
        if level > max {
            (self.at_max_ns, self.max_is_full) = (0, false);
        }
        (self.min, self.max) = (min.min(level), max.max(level));
        self.levels = Some((self.min, self.max));
    }

    /// The level is not known any more.
    pub(super) fn forget(&mut self, ns: i64) {
        self.end_level(ns);
        self.level = None;
    }

    /// A task has to wait for room.
    pub(super) fn no_room(&mut self) {
        self.blocked_sends = self.blocked_sends.saturating_add(1);
        self.is_full();
    }

    /// It has no room at the level that it has.
    fn is_full(&mut self) {
        self.max_is_full |= self.level.is_some() && self.level == self.levels.map(|(_, max)| max);
    }

    /// A task has to wait for an item.
    pub(super) fn no_item(&mut self) {
        self.blocked_receives = self.blocked_receives.saturating_add(1);
    }

    /// Something fails, if it does.
    pub(super) fn changes(&mut self, change: QueueChange) {
        if change == QueueChange::SendFailed {
            self.is_full();
        }
        let count = match change {
            QueueChange::SendFailed | QueueChange::GiveFailed => &mut self.failed_sends,
            QueueChange::ReceiveFailed | QueueChange::PeekFailed => &mut self.failed_receives,
            // Before a recursive mutex is not taken, its semaphore is not: that is counted.
            QueueChange::TakeFailed
            | QueueChange::Peek
            | QueueChange::Depth(_)
            | QueueChange::Deleted => return,
        };
        *count = count.saturating_add(1);
    }

    pub(super) fn finish(&mut self, end: i64) {
        self.end_level(end);
        self.full_ns = self.max_is_full.then_some(self.at_max_ns);
    }
}

/// The numbers of one mutex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MutexStats {
    /// Queue number that the target gave it.
    pub id: u32,
    /// Name, or kind and id.
    pub name: String,
    /// How often it was taken.
    pub takes: u64,
    /// Time for which it was held, in ns; to the end of the recording if it is not given back.
    pub held_ns: i64,
    /// From take to give.
    pub held: Spread,
    /// How long tasks waited for it; the count is how often one had to.
    pub waits: Spread,
    /// How often a task had to wait for it, waits that go on at the end included.
    pub contentions: u64,
    /// Waits of a task for a less urgent one, that is, episodes of priority inversion.
    pub inversions: Spread,
    /// Who held it, longest first.
    pub holders: Vec<HolderStats>,

    taken: Option<(i64, Option<TaskRef>)>,
    by_task: Vec<(Option<TaskRef>, HolderStats)>,
}

/// How one task held a mutex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HolderStats {
    /// Name of the task.
    pub task: String,
    /// How often it took the mutex.
    pub count: u64,
    /// How long it held it in all, in ns.
    pub held_ns: i64,
    /// How long at most, in ns.
    pub max_ns: i64,
}

impl MutexStats {
    pub(super) fn is_used(&self) -> bool {
        self.takes > 0 || self.contentions > 0
    }

    pub(super) fn take(&mut self, ns: i64, holder: Option<TaskRef>) {
        self.takes = self.takes.saturating_add(1);
        self.taken = Some((ns, holder));
    }

    pub(super) fn give(&mut self, ns: i64) {
        if let Some(time) = self.end_hold(ns) {
            self.held.add(time);
        }
    }

    /// It is not known any more whether it is taken.
    pub(super) fn forget(&mut self, ns: i64) {
        self.end_hold(ns);
    }

    /// The wait of a task for it is over.
    pub(super) fn waited(&mut self, time: i64, inverted: bool) {
        self.waits.add(time);
        if inverted {
            self.inversions.add(time);
        }
    }

    fn end_hold(&mut self, ns: i64) -> Option<i64> {
        let (since, holder) = self.taken.take()?;
        let time = ns.saturating_sub(since).max(0);
        self.held_ns = self.held_ns.saturating_add(time);
        let position = self.holder(holder);
        if let Some((_, stats)) = self.by_task.get_mut(position) {
            stats.count = stats.count.saturating_add(1);
            stats.held_ns = stats.held_ns.saturating_add(time);
            stats.max_ns = stats.max_ns.max(time);
        }
        Some(time)
    }

    fn holder(&mut self, holder: Option<TaskRef>) -> usize {
        if let Some(position) = self.by_task.iter().position(|entry| entry.0 == holder) {
            return position;
        }
        // The last place is for all further ones.
        if self.by_task.len() >= MAX_HOLDERS {
            return MAX_HOLDERS - 1;
        }
        let holder = holder.filter(|_| self.by_task.len() + 1 < MAX_HOLDERS);
        self.by_task.push((holder, HolderStats::default()));
        self.by_task.len() - 1
    }

    pub(super) fn finish(&mut self, end: i64, name: impl Fn(TaskRef) -> String) {
        self.end_hold(end);
        let unknown = || "(not known)".to_owned();
        let named = |(holder, stats): (Option<TaskRef>, HolderStats)| HolderStats {
            task: holder.map_or_else(unknown, &name),
            ..stats
        };
        self.holders = std::mem::take(&mut self.by_task).into_iter().map(named).collect();
        self.holders.sort_by_key(|holder| std::cmp::Reverse(holder.held_ns));
    }
}
