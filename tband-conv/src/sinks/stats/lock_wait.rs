//! Waits for a lock: each from when its task blocks on the lock until it takes it.
//!
//! A task that is woken since the lock was given does not have it yet: another task may take it first, and
//! then it blocks again and waits on. One that the clock has woken has waited until then, unless it finds the
//! lock free all the same.

use super::lock::{LockStats, WokenWaiter};
use super::spread::End;
use crate::model::TaskRef;

/// Tasks of a lock that are woken and have not taken it yet; those of further ones end when they are woken.
const MAX_WOKEN: usize = 64;

impl LockStats {
    fn woken_of(&mut self, task: TaskRef) -> Option<WokenWaiter> {
        let position = self.woken.iter().position(|woken| woken.task == task)?;
        Some(self.woken.swap_remove(position))
    }

    /// A task has to wait for it.
    pub(super) fn block(&mut self, task: TaskRef) {
        match self.woken_of(task) {
            // Another one took it first.
            Some(woken) if woken.given => self.woken.push(woken),
            woken => {
                woken.into_iter().for_each(|woken| self.give_up(woken));
                self.contentions = self.contentions.saturating_add(1);
            }
        }
    }

    /// A task has blocked on it for this time up to now, and does not any more.
    pub(super) fn wake(&mut self, task: TaskRef, (ns, time): (i64, i64), end: End) {
        let since = self.woken_of(task).map_or(ns.saturating_sub(time), |woken| woken.since);
        if end == End::Seen && self.woken.len() < MAX_WOKEN {
            self.woken.push(WokenWaiter { task, since, ns, given: !self.is_taken() });
        } else {
            self.waits.add_until(ns.saturating_sub(since), ns, end);
        }
    }

    /// A task has it now.
    pub(super) fn acquire(&mut self, task: TaskRef, ns: i64) {
        if let Some(WokenWaiter { since, .. }) = self.woken_of(task) {
            self.waits.add_until(ns.saturating_sub(since), ns, End::Seen);
        }
    }

    /// A task reports that it did not get the lock.
    pub(super) fn fail(&mut self, task: TaskRef) {
        self.woken_of(task).into_iter().for_each(|woken| self.give_up(woken));
    }

    fn give_up(&mut self, WokenWaiter { since, ns, .. }: WokenWaiter) {
        self.waits.add_until(ns.saturating_sub(since), ns, End::Seen);
    }

    /// The activities of tasks since they were woken are unknown from here on.
    pub(super) fn cut_waits(&mut self, ns: i64) {
        self.end_waits(ns, End::Cut, |_| None);
    }

    /// Nothing more is seen of waits. A task that died waited until then.
    pub(super) fn end_waits(&mut self, ns: i64, end: End, died: impl Fn(TaskRef) -> Option<i64>) {
        while let Some(woken) = self.woken.pop() {
            let WokenWaiter { task, since, given, .. } = woken;
            match died(task) {
                _ if !given => self.give_up(woken),
                Some(died) => self.waits.add_until(died.saturating_sub(since), died, End::Seen),
                None => self.waits.add_until(ns.saturating_sub(since), ns, end),
            }
        }
    }
}
