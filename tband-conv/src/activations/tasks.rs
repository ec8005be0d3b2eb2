//! State that is followed for each task: its state, its base priority, its open activation, and causes that it has not served.

use std::collections::VecDeque;

use super::activation::Occupant;
use super::open::OpenActivation;
use crate::model::{QueueRef, TaskState, Waker};

/// Maximum number of kept notification times for one index of one task.
const MAX_PENDING: usize = 256;
/// Indexes of notifications that are followed; the kernel has one, or as many as the firmware configures.
const MAX_INDEXES: usize = 16;

/// A task.
#[derive(Debug, Default)]
pub struct TaskLine {
    pub state: TaskState,
    /// Its priority without an inherited one, if known.
    pub base: Option<u32>,
    /// Its activation, unless it waits for work.
    pub open: Option<Box<OpenActivation>>,
    /// The number of its last activation.
    pub number: u64,
    /// The lock that it waits for and has not taken yet.
    pub waiting_lock: Option<QueueRef>,
    /// The bits that it waits for have sufficed since then, by the request of an interrupt that the timer task has just carried out.
    pub requested: Option<(i64, Waker)>,
    /// The task that suspended it, if it was another one.
    pub suspended_by: Option<Occupant>,
    /// It is known whether its last wait or suspension ended an activation.
    pub is_pause_known: bool,
    /// Cores on which it may run, one bit each, if it is restricted.
    pub affinity: Option<u32>,
    notifications: Vec<Notifications>,
}

/// Causes that a task takes at once: notifications, an item, bytes or bits.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The time of the first, if it is before the take and known.
    pub first_ns: Option<i64>,
    pub count: u32,
}

impl Taken {
    /// One that came at an unknown time.
    pub const ONE: Self = Self { first_ns: None, count: 1 };
}

/// Notifications of one index that the task has not taken.
#[derive(Debug, Default)]
struct Notifications {
    index: u32,
    times: VecDeque<i64>,
    /// Further ones, later than those.
    more: u32,
}

impl TaskLine {
    /// The task may run on this core.
    pub fn may_run_on(&self, core: u32) -> bool {
        self.affinity.is_none_or(|mask| 1_u32.checked_shl(core).is_some_and(|bit| mask & bit != 0))
    }

    /// It is notified at `ns`.
    pub fn notify(&mut self, index: u32, ns: i64) {
        let position = self.notifications.iter().position(|it| it.index == index);
        let position = position.unwrap_or(self.notifications.len());
        if position >= MAX_INDEXES {
            return;
        }
        if position == self.notifications.len() {
            self.notifications.push(Notifications { index, ..Notifications::default() });
        }
        let pending = &mut self.notifications[position];
        if pending.times.len() < MAX_PENDING {
            pending.times.push_back(ns);
        } else {
            pending.more = pending.more.saturating_add(1);
        }
    }

    /// It takes `count` notifications, or all that are pending.
    pub fn take_notifications(&mut self, index: u32, count: Option<u32>) -> Taken {
        let Some(pending) = self.notifications.iter_mut().find(|it| it.index == index) else {
            return Taken { first_ns: None, count: 0 };
        };
        let first_ns = pending.times.front().copied();
        let there = u32::try_from(pending.times.len()).unwrap_or(u32::MAX);
        match count.filter(|count| *count < there) {
            Some(count) => {
                pending.times.drain(..count as usize);
                Taken { first_ns, count }
            }
            None => {
                let all = there.saturating_add(std::mem::take(&mut pending.more));
                pending.times.clear();
                Taken { first_ns, count: count.map_or(all, |count| count.min(all)) }
            }
        }
    }

    /// Discards the pending notifications, because events are missing.
    pub fn forget_notifications(&mut self) {
        self.notifications.clear();
    }
}
