//! Tasks: run time, waits, and their causes.

use super::inversion::TaskRun;
use super::notify::NotificationStats;
use super::spread::{End, Spread};
use crate::load::CoreStay;
use crate::model::{EventTime, Life, PriorityCause, QueueRef, TaskRef, TaskState, Wait};
use crate::periods::Releases;

/// Causes that are distinguished for a task; time of further ones is summed up.
const MAX_CAUSES: usize = 64;
/// Name of further causes.
pub(super) const FURTHER: &str = "(further causes)";

/// The numbers of one task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskStats {
    /// Task number that the target gave it.
    pub id: u32,
    /// Name, or `task` and its id.
    pub name: String,
    /// Its last priority that was reported, if one was.
    pub priority: Option<u32>,
    /// It is an idle task.
    pub is_idle: bool,
    /// Its lifetime, as far as the recording contains it: its number may belong to another object before and after that.
    pub life: Life,
    /// Its state at the end of the recording.
    pub state: TaskState,
    /// Time for which it ran, interrupts not counted, in ns, on all cores together.
    pub run_ns: i64,
    /// Time in which it is known whether it ran, in ns; `run_ns` is a part of it. Time in which no core's owner is known does
    /// not count.
    pub known_ns: i64,
    /// Time that interrupts took while it was on a core, in ns.
    pub interrupted_ns: i64,
    /// How often it started to run.
    pub switches: u64,
    /// How often it ran on another core than before, with nothing missing in between.
    pub migrations: u64,
    /// How often it lost the core although it could have run on.
    pub preemptions: u64,
    /// From becoming ready, or losing the core, to running, or to another end, such as suspension.
    pub ready_wait: Spread,
    /// From getting the core to leaving it, interrupts included.
    pub run_burst: Spread,
    /// The reasons of its waits, longest first.
    pub blocked: Vec<BlockedStats>,
    /// Minimum number of bytes of its stack that were never used, if the recording contains it.
    pub stack_high_water_mark: Option<u32>,
    /// When that was reported first, in ns.
    pub stack_high_water_mark_at: i64,
    /// Its notifications, by index.
    pub notifications: Vec<NotificationStats>,
    /// Runs of the target in which the recording has it.
    pub runs: u32,

    /// Time of its last change.
    pub(super) since: i64,
    /// While it is ready for the first time after a wait: the core where it was made ready.
    pub(super) woken_on: WakeCore,
    /// At the first of these times it was in the state that had begun at the second, before the window that is shown.
    pub(super) began: Option<(i64, i64)>,
    pub(super) reported_priority: Option<u32>,
    /// Priority without inheritance.
    pub(super) base_priority: Option<u32>,
    /// It has inherited a priority, and it is not yet known for which mutex.
    pub(super) inherits: bool,
    pub(super) causes: Causes,
    /// Time in which it may have been on a core with unknown owner while other cores are known.
    pub(super) unsure_ns: i64,
    /// As far as that had come when nothing was known any more of the task.
    pub(super) unsure_from: i64,
    /// Since when it has not waited for work, and its CPU time then; [`NOT_AWAKE`] if that is not known.
    pub(super) awake_since: i64,
    pub(super) awake_run: i64,
    /// The queue that it waited for last, and did not fail at since.
    pub(super) waited_on: Option<QueueRef>,
    /// Ends of its waits for work.
    pub(super) releases: Releases,
    /// The clock has released it, and it has not got a core since.
    pub(super) is_released: bool,
}

/// It is not known since when a task has not waited.
pub(super) const NOT_AWAKE: i64 = i64::MAX;

impl TaskStats {
    /// It has waited up to now, or nothing was known of it.
    #[inline]
    pub(super) const fn is_awake_from(&mut self, ns: i64) {
        (self.awake_since, self.awake_run) = (ns, self.run_ns);
    }

    /// For how long it has not waited for work, in ns; below 0 if that is not known.
    #[inline]
    pub(super) const fn is_awake_for(&self, ns: i64) -> i64 {
        ns.saturating_sub(self.awake_since)
    }

    /// Nothing was known of it up to here, where [`OwnedTime::partly_ns`](super::owned_time::OwnedTime::partly_ns) is this.
    pub(super) const fn start_known(&mut self, partly_ns: i64) {
        let time = partly_ns.saturating_sub(self.unsure_from);
        self.unsure_ns = self.unsure_ns.saturating_add(time);
    }

    /// It gets a core. If it was woken on another one: on which, and how long it has been ready.
    #[inline]
    pub(super) fn enter_core(
        &mut self,
        EventTime { ns, core }: EventTime,
        was_ready: bool,
    ) -> Option<(u32, i64)> {
        let waited = ns.wrapping_sub(self.since);
        if was_ready {
            self.ready_wait.add(waited, ns);
        }
        self.switches = self.switches.wrapping_add(1);
        self.since = ns;
        let woken_on = std::mem::take(&mut self.woken_on);
        if woken_on == WakeCore::core(core) || !was_ready {
            return None;
        }
        woken_on.number().map(|woken_on| (woken_on, waited))
    }

    /// It leaves the core, where it had this. Returns the CPU time of it.
    #[inline]
    pub(super) fn leave_core(&mut self, spent: CoreStay) -> i64 {
        let own = spent.own_ns();
        self.run_ns = self.run_ns.wrapping_add(own);
        self.interrupted_ns = self.interrupted_ns.wrapping_add(spent.interrupted_ns);
        own
    }

    /// It has left the core after this time, for this state.
    #[inline]
    pub(super) fn end_burst(&mut self, ns: i64, burst: i64, to: TaskState) {
        if matches!(to, TaskState::Unknown) {
            self.run_burst.add_until(burst, ns, End::Cut);
        } else {
            self.run_burst.add(burst, ns);
            if matches!(to, TaskState::Ready) {
                self.preemptions = self.preemptions.wrapping_add(1);
            }
        }
        self.since = ns;
    }

    /// It did not run for this reason up to this moment; returns for how long.
    #[inline]
    pub(super) fn add_absence(&mut self, ns: i64, cause: Cause, end: End) -> i64 {
        let time = ns.wrapping_sub(self.since).max(0);
        self.causes.add(cause, (time, ns), end);
        time
    }

    /// It was ready and did not get a core up to this moment.
    #[inline(never)]
    pub(super) fn add_ready(&mut self, ns: i64, end: End) {
        self.ready_wait.add_until(ns.wrapping_sub(self.since), ns, end);
    }

    pub(super) fn set_stack_high_water_mark(&mut self, ns: i64, bytes: u32) {
        if self.stack_high_water_mark.is_none_or(|least| bytes < least) {
            (self.stack_high_water_mark, self.stack_high_water_mark_at) = (Some(bytes), ns);
        }
    }

    /// It never had a core and never waited for anything.
    #[must_use]
    pub fn is_unused(&self) -> bool {
        self.switches == 0 && self.ready_wait.count() == 0 && self.blocked.is_empty()
    }

    /// It was deleted before the end of the recording.
    #[must_use]
    pub const fn is_deleted(&self) -> bool {
        matches!(self.state, TaskState::Deleted)
    }

    pub(super) fn set_priority(&mut self, priority: u32, base: Option<u32>, cause: PriorityCause) {
        let still_inherits = self.inherits && base != Some(priority);
        self.inherits = match cause {
            PriorityCause::Inherit => true,
            PriorityCause::Set => still_inherits,
            PriorityCause::Disinherit => false,
        };
        (self.priority, self.base_priority) = (Some(priority), base);
        self.reported_priority = Some(priority);
    }

    /// Adds the figures of the same task in a later run of the target.
    pub(super) fn join(&mut self, later: Self) {
        (self.id, self.state) = (later.id, later.state);
        self.life = self.life.until(later.life);
        self.priority = later.priority.or(self.priority);
        self.run_ns = self.run_ns.wrapping_add(later.run_ns);
        self.interrupted_ns = self.interrupted_ns.wrapping_add(later.interrupted_ns);
        self.switches = self.switches.wrapping_add(later.switches);
        self.migrations = self.migrations.saturating_add(later.migrations);
        self.preemptions = self.preemptions.wrapping_add(later.preemptions);
        self.ready_wait.join(later.ready_wait);
        self.run_burst.join(later.run_burst);
        self.releases.join(later.releases);
        BlockedStats::join_all(&mut self.blocked, later.blocked);
        if let Some(bytes) = later.stack_high_water_mark {
            self.set_stack_high_water_mark(later.stack_high_water_mark_at, bytes);
        }
        NotificationStats::join_all(&mut self.notifications, later.notifications);
        self.unsure_ns = self.unsure_ns.saturating_add(later.unsure_ns);
        self.runs = self.runs.saturating_add(later.runs);
    }

    /// Returns its priority without inheritance.
    pub(super) fn own_priority(&self) -> Option<u32> {
        self.base_priority.or(self.priority)
    }

    /// It was on a core for this time.
    pub(super) fn ran(&self, task: TaskRef, ns: i64) -> TaskRun {
        TaskRun { task, priority: self.own_priority(), ns, is_idle: self.is_idle }
    }

    /// Events are missing that may have changed it.
    pub(super) fn forget_priority(&mut self) {
        (self.priority, self.base_priority, self.inherits) = (None, None, false);
    }
}

/// The core on which a task was made ready: one more than its number, or 0 if it was not, or lost the core since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WakeCore(u32);

impl WakeCore {
    pub const fn core(number: u32) -> Self {
        Self(number.wrapping_add(1))
    }

    /// Returns its number, if there is one.
    const fn number(self) -> Option<u32> {
        self.0.checked_sub(1)
    }
}

/// Waiting time of a task for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockedStats {
    /// The reason.
    pub cause: String,
    /// Number of waits, including those that are open at the end or cut off by a gap.
    pub count: u64,
    /// Total duration, in ns; a wait that is open at the end counts up to there, one that a gap cuts off up to the last event
    /// before the gap.
    pub total_ns: i64,
    /// How long at most, in ns.
    pub max_ns: i64,
    /// When the longest began, in ns.
    pub max_at_ns: i64,
    /// How long the open wait at the end has lasted so far, in ns, if there is one.
    pub open_ns: Option<i64>,
    /// How many were cut off by gaps.
    pub cut: u64,
}

impl BlockedStats {
    #[inline]
    fn add(&mut self, (time, ns): (i64, i64), end: End) {
        self.count = self.count.wrapping_add(1);
        self.total_ns = self.total_ns.wrapping_add(time);
        if time > self.max_ns || self.count == 1 {
            (self.max_ns, self.max_at_ns) = (time, ns.wrapping_sub(time));
        }
        match end {
            End::Seen => {}
            End::Open => self.open_ns = Some(time),
            End::Cut => self.cut = self.cut.wrapping_add(1),
        }
    }
}

impl BlockedStats {
    /// Adds the waits of another cause.
    fn join(&mut self, other: Self) {
        self.count = self.count.wrapping_add(other.count);
        self.total_ns = self.total_ns.wrapping_add(other.total_ns);
        let longest = |stats: &Self| (stats.max_ns, std::cmp::Reverse(stats.max_at_ns));
        if longest(&other) > longest(self) {
            (self.max_ns, self.max_at_ns) = (other.max_ns, other.max_at_ns);
        }
        self.open_ns = self.open_ns.or(other.open_ns);
        self.cut = self.cut.wrapping_add(other.cut);
    }

    /// Adds waits of a later run to those of earlier ones, both longest first.
    fn join_all(all: &mut Vec<Self>, later: Vec<Self>) {
        for stats in later {
            let has_room = all.len() < MAX_CAUSES || all.iter().any(|it| it.cause == stats.cause);
            let stats = if has_room { stats } else { Self { cause: FURTHER.to_owned(), ..stats } };
            match all.iter_mut().find(|known| known.cause == stats.cause) {
                Some(known) => known.join(stats),
                None => all.push(stats),
            }
        }
        all.sort_by_key(|stats| std::cmp::Reverse(stats.total_ns));
    }
}

/// Why a task does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Cause {
    Wait(Wait),
    Suspended,
    /// Anything beyond [`MAX_CAUSES`].
    Further,
}

/// Time by cause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Causes {
    list: Vec<(Cause, BlockedStats)>,
    last: usize,
}

impl Causes {
    /// Counts a wait: for how long it was, and when it ended.
    #[inline]
    pub fn add(&mut self, cause: Cause, time: (i64, i64), end: End) {
        match self.list.get_mut(self.last) {
            Some((last, stats)) if *last == cause => stats.add(time, end),
            _ => self.add_other(cause, time, end),
        }
    }

    #[inline(never)]
    fn add_other(&mut self, cause: Cause, time: (i64, i64), end: End) {
        self.last = self.find_or_insert(cause);
        if let Some((_, stats)) = self.list.get_mut(self.last) {
            stats.add(time, end);
        }
    }

    fn find_or_insert(&mut self, cause: Cause) -> usize {
        if let Some(position) = self.list.iter().position(|entry| entry.0 == cause) {
            return position;
        }
        if self.list.len() > MAX_CAUSES {
            return MAX_CAUSES;
        }
        let cause = if self.list.len() == MAX_CAUSES { Cause::Further } else { cause };
        self.list.push((cause, BlockedStats::default()));
        self.list.len() - 1
    }

    /// The times, longest first.
    pub fn into_stats(self, describe: impl Fn(Cause) -> String) -> Vec<BlockedStats> {
        let mut all: Vec<BlockedStats> = Vec::new();
        for (cause, stats) in self.list {
            let cause = describe(cause);
            // Waits to take a semaphore and to peek it have the same text.
            match all.iter_mut().find(|other| other.cause == cause) {
                Some(other) => other.join(stats),
                None => all.push(BlockedStats { cause, ..stats }),
            }
        }
        all.sort_by_key(|stats| std::cmp::Reverse(stats.total_ns));
        all
    }
}
