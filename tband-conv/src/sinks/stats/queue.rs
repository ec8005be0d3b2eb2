//! Queues, semaphores and mutexes: levels and traffic.
//!
//! The recording does not contain the capacity of a queue. A queue counts as full at its highest level if a task had to wait
//! there for room, if sending failed there, or if it is overwritten.

use std::cmp::Ordering;

use crate::model::{Life, QueueCause, QueueChange};

/// The numbers of one queue or semaphore, or of a mutex seen as one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct QueueStats {
    /// Queue number that the target gave it.
    pub id: u32,
    /// Name, or kind and id.
    pub name: String,
    /// Its kind, if the recording contains it.
    pub kind: Option<&'static str>,
    /// Its lifetime, as far as the recording contains it: its number may belong to another object before and after that.
    pub life: Life,
    /// Lowest and highest level that was reported, if any.
    pub levels: Option<(u32, u32)>,
    /// When it had its highest level first, in ns.
    pub max_level_at: i64,
    /// Its level at the end, if it is known.
    pub level: Option<u32>,
    /// Time for which it was empty, in ns, from the first known level on.
    pub empty_ns: i64,
    /// Time for which it was full, in ns; `None` if its capacity is not known.
    pub full_ns: Option<i64>,
    /// Items sent, overwriting included, or gives.
    pub sends: u64,
    /// Items received, or takes.
    pub receives: u64,
    /// How often a task had to wait for room.
    pub blocked_sends: u64,
    /// How often a task had to wait for an item.
    pub blocked_receives: u64,
    /// Sends or gives that failed, with or without a wait. Older recordings do not report them.
    pub failed_sends: u64,
    /// Receives, takes or peeks that failed, as `failed_sends`.
    pub failed_receives: u64,
    /// Runs of the target in which the recording has it.
    pub runs: u32,

    pub(super) is_mutex: bool,
    /// A binary semaphore, which may be used as a lock.
    pub(super) may_be_lock: bool,
    /// As `levels`; both 0 if there are none.
    min: u32,
    max: u32,
    since: i64,
    /// Time at the highest level so far.
    at_max_ns: i64,
    max_is_full: bool,
}

impl QueueStats {
    #[inline]
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
            QueueCause::Receive => self.receives = self.receives.wrapping_add(1),
            _ => self.rare_cause(cause),
        }
    }

    #[cold]
    fn rare_cause(&mut self, cause: QueueCause) {
        if cause == QueueCause::Overwrite {
            self.sends = self.sends.wrapping_add(1);
            self.max_is_full = true;
        }
    }

    /// Counts the time up to a moment at a level that is known.
    #[inline]
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

    /// A level is reported that may be the first, the lowest or the highest one.
    #[inline(never)]
    fn new_level(&mut self, ns: i64, level: u32) {
        self.end_level(ns);
        self.level = Some(level);
        let (min, max) = self.levels.unwrap_or((level, level));
        if level > max {
            (self.at_max_ns, self.max_is_full) = (0, false);
        }
        if level > max || self.levels.is_none() {
            self.max_level_at = ns;
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
    pub(super) fn count_failure(&mut self, change: QueueChange) {
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

    /// Adds the figures of the same queue in a later run of the target.
    pub(super) fn join(&mut self, later: Self) {
        (self.id, self.level) = (later.id, later.level);
        self.life = self.life.until(later.life);
        if let Some((min, max)) = later.levels {
            let known = self.levels.map(|(_, max)| max);
            match known.map(|known| max.cmp(&known)) {
                Some(Ordering::Less) => {}
                Some(Ordering::Equal) => {
                    self.at_max_ns = self.at_max_ns.wrapping_add(later.at_max_ns);
                    self.max_is_full |= later.max_is_full;
                }
                Some(Ordering::Greater) | None => {
                    (self.max, self.max_level_at) = (max, later.max_level_at);
                    (self.at_max_ns, self.max_is_full) = (later.at_max_ns, later.max_is_full);
                }
            }
            self.min = known.map_or(min, |_| self.min.min(min));
            self.levels = Some((self.min, self.max));
        }
        self.full_ns = self.max_is_full.then_some(self.at_max_ns);
        self.empty_ns = self.empty_ns.wrapping_add(later.empty_ns);
        let add = |own: &mut u64, later: u64| *own = own.saturating_add(later);
        add(&mut self.sends, later.sends);
        add(&mut self.receives, later.receives);
        add(&mut self.blocked_sends, later.blocked_sends);
        add(&mut self.blocked_receives, later.blocked_receives);
        add(&mut self.failed_sends, later.failed_sends);
        add(&mut self.failed_receives, later.failed_receives);
        self.runs = self.runs.saturating_add(later.runs);
    }
}
