//! Priority inversions: an urgent task waits for a lock that a less urgent one holds, while others run.
//!
//! Whoever runs on any core meanwhile is what delays the holder, and so the waiter. Only while a task
//! waits so does this cost anything.

use crate::model::{QueueRef, TaskRef};

use super::spread::End;

/// Waits that are followed at a time; further ones are not counted.
const MAX_OPEN: usize = 64;
/// Tasks that are distinguished in one wait.
const MAX_RAN: usize = 64;
/// Combinations of lock, waiter and holder that are kept.
const MAX_KINDS: usize = 4096;

/// Waits of one task for one lock that the same less urgent task held.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct InversionStats {
    /// Name of the lock.
    pub lock: String,
    /// Queue number of the lock.
    pub lock_id: u32,
    /// What the lock is, if the recording says so.
    pub lock_kind: Option<&'static str>,
    /// Who waits.
    pub waiter: Party,
    /// Who holds the lock when the wait begins; its priority is the one without what it inherits.
    pub holder: Party,
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
    /// In the longest wait, which other task ran longest; idle tasks do not count.
    pub between: Option<Party>,
    /// In the longest wait, for how long that task ran, in ns.
    pub between_ns: i64,
    /// In the longest wait, for how long all tasks but the holder and idle tasks ran, in ns.
    pub others_ns: i64,
    /// How long the wait that goes on at the end of the recording has lasted so far, in ns, if there is one.
    pub open_ns: Option<i64>,
    /// How many were cut off by gaps.
    pub cut: u64,
}

/// A task that has a part in an inversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Party {
    /// Name of the task.
    pub name: String,
    /// Its number.
    pub id: u32,
    /// Its priority, if known.
    pub priority: Option<u32>,
}

/// Who waits for what, and who has it; with their priorities then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub lock: QueueRef,
    pub waiter: (TaskRef, Option<u32>),
    pub holder: (TaskRef, Option<u32>),
}

/// A wait that goes on.
#[derive(Clone, Debug)]
struct Episode {
    kind: Kind,
    since: i64,
    /// Who ran since, and for how long.
    ran: Vec<(TaskRef, i64)>,
}

/// Numbers of a kind, and who ran in the longest wait.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub kind: Kind,
    pub stats: InversionStats,
    pub ran: Vec<(TaskRef, i64)>,
}

/// All inversions.
#[derive(Clone, Debug, Default)]
pub(super) struct Inversions {
    open: Vec<Episode>,
    pub done: Vec<Done>,
}

impl Inversions {
    /// Some task waits for a less urgent one.
    #[inline]
    pub const fn any_open(&self) -> bool {
        !self.open.is_empty()
    }

    pub fn begin(&mut self, kind: Kind, ns: i64) {
        if self.open.len() < MAX_OPEN {
            self.open.push(Episode { kind, since: ns, ran: Vec::new() });
        }
    }

    /// A task has left a core after this time for itself.
    #[cold]
    pub fn ran(&mut self, task: TaskRef, ns: i64, own: i64) {
        for episode in &mut self.open {
            episode.adds(task, ns, own);
        }
    }

    /// A task does not wait any more, if it did for a less urgent one. `running` are the tasks on the cores and
    /// for how long they have had them for themselves.
    pub fn end(
        &mut self,
        waiter: TaskRef,
        ns: i64,
        end: End,
        running: impl Iterator<Item = (TaskRef, i64)>,
    ) -> bool {
        let position = self.open.iter().position(|it| it.kind.waiter.0 == waiter);
        let Some(position) = position else { return false };
        let mut episode = self.open.swap_remove(position);
        for (task, own) in running {
            episode.adds(task, ns, own);
        }
        let kind = episode.kind;
        let time = ns.saturating_sub(episode.since).max(0);
        let known = self.done.iter().position(|done| done.kind == kind);
        let position = known.unwrap_or(self.done.len());
        if known.is_none() && position < MAX_KINDS {
            let stats = InversionStats::default();
            self.done.push(Done { kind, stats, ran: Vec::new() });
        }
        let Some(done) = self.done.get_mut(position) else { return true };
        let stats = &mut done.stats;
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
    /// A task ran for this time, up to a moment; what was before the wait does not count.
    fn adds(&mut self, task: TaskRef, ns: i64, own: i64) {
        let time = own.min(ns.saturating_sub(self.since));
        if time <= 0 {
            return;
        }
        if let Some((_, sum)) = self.ran.iter_mut().find(|it| it.0 == task) {
            *sum = sum.saturating_add(time);
        } else if self.ran.len() < MAX_RAN {
            self.ran.push((task, time));
        }
    }
}

impl Done {
    /// Says who ran; `party` gives a task and whether it is an idle task.
    pub fn finish(&mut self, party: impl Fn(TaskRef) -> (Party, bool)) {
        let holder = self.kind.holder.0;
        let mut longest: Option<(TaskRef, i64)> = None;
        for &(task, time) in &self.ran {
            if task == holder {
                self.stats.holder_ran_ns = time;
            } else if !party(task).1 {
                self.stats.others_ns = self.stats.others_ns.saturating_add(time);
                if longest.is_none_or(|(_, most)| time > most) {
                    longest = Some((task, time));
                }
            }
        }
        if let Some((task, time)) = longest {
            (self.stats.between, self.stats.between_ns) = (Some(party(task).0), time);
        }
    }
}
