//! Notifications of tasks: how many came, their senders, and how many were taken.

use tband_format::named::NotifyAction;

use crate::model::{Actor, TaskChange};

/// Indexes that are distinguished for a task; further ones are summed up.
const MAX_INDEXES: usize = 32;

/// The numbers of one of a task's notifications.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotificationStats {
    /// Its index; none for all beyond the first 32.
    pub index: Option<u32>,
    /// How often the task was notified, by interrupts too.
    pub notified: u64,
    /// How often of these an interrupt did it.
    pub by_isrs: u64,
    /// How often an earlier notification was still pending, so that the new one had no effect.
    pub refused: u64,
    /// How often the task took from it, or its wait for it ended with it.
    pub received: u64,
    /// How often it found none when its wait ended.
    pub timeouts: u64,
    /// How often it was discarded or bits of its value were cleared.
    pub cleared: u64,
}

impl NotificationStats {
    /// Adds the figures of a later run to those of earlier ones.
    pub(super) fn join_all(all: &mut Vec<Self>, later: Vec<Self>) {
        for other in later {
            let position = match other.index {
                Some(index) => position(all, index),
                None => position_of_further(all),
            };
            if let Some(stats) = all.get_mut(position) {
                stats.join(&other);
            }
        }
    }

    fn join(&mut self, other: &Self) {
        let add = |own: &mut u64, other: u64| *own = own.saturating_add(other);
        add(&mut self.notified, other.notified);
        add(&mut self.by_isrs, other.by_isrs);
        add(&mut self.refused, other.refused);
        add(&mut self.received, other.received);
        add(&mut self.timeouts, other.timeouts);
        add(&mut self.cleared, other.cleared);
    }
}

/// Counts a change of a task's notifications.
pub(super) fn count(all: &mut Vec<NotificationStats>, change: TaskChange, by: Option<Actor>) {
    let index = match change {
        TaskChange::Notified { index, .. }
        | TaskChange::NotificationTaken { index, .. }
        | TaskChange::NotificationEnds { index, .. }
        | TaskChange::NotificationDiscarded { index }
        | TaskChange::NotificationCleared { index, .. } => index,
        _ => return,
    };
    let position = position(all, index);
    let Some(stats) = all.get_mut(position) else { return };
    let add = |number: &mut u64| *number = number.saturating_add(1);
    match change {
        TaskChange::Notified { action, .. } => {
            add(&mut stats.notified);
            if by.is_some_and(Actor::is_isr) {
                add(&mut stats.by_isrs);
            }
            if action == NotifyAction::WRITE_REFUSED {
                add(&mut stats.refused);
            }
        }
        TaskChange::NotificationTaken { value: 0, .. }
        | TaskChange::NotificationEnds { received: false, .. } => add(&mut stats.timeouts),
        TaskChange::NotificationTaken { .. } | TaskChange::NotificationEnds { .. } => {
            add(&mut stats.received);
        }
        _ => add(&mut stats.cleared),
    }
}

/// Returns the place of an index, which is created if it is new.
fn position(all: &mut Vec<NotificationStats>, index: u32) -> usize {
    if let Some(known) = all.iter().position(|stats| stats.index == Some(index)) {
        return known;
    }
    if all.iter().filter(|stats| stats.index.is_some()).count() >= MAX_INDEXES {
        return position_of_further(all);
    }
    all.push(NotificationStats { index: Some(index), ..NotificationStats::default() });
    all.len() - 1
}

/// Returns the place of all further indices, which is created if there is none.
fn position_of_further(all: &mut Vec<NotificationStats>) -> usize {
    if let Some(known) = all.iter().position(|stats| stats.index.is_none()) {
        return known;
    }
    all.push(NotificationStats::default());
    all.len() - 1
}
