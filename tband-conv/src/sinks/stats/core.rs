//! Cores and interrupts: the use of each core's time.
//!
//! [`CoreTime`] computes the owner of each time, so tasks, idle tasks, interrupts and unknown time add up to the length of the
//! recording. Times are within 0 to [`MAX_NS`](crate::clock::MAX_NS), so differences do not overflow; sums that damage makes too large
//! wrap.

use super::load::Load;
use super::spread::{End, Spread};
use super::watch::bursts::{Burst, Bursts};
use crate::load::{CoreTime, Share};
use crate::model::{Isr, IsrRef, PerRef, TaskRef};
use crate::periods::Releases;

/// The numbers of one core.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CoreStats {
    /// Core number.
    pub core: u32,
    /// Time of tasks that are not idle, in ns.
    pub task_ns: i64,
    /// Time of the idle task, in ns.
    pub idle_ns: i64,
    /// Time of interrupts, in ns.
    pub isr_ns: i64,
    /// Time that neither a task nor an interrupt is known to own, in ns.
    pub unknown_ns: i64,
    /// Time in which it is known which task had the core, in ns, including the interrupts on top. Interrupts at other times do
    /// not show whether the core is idle between them.
    pub known_ns: i64,
    /// The recording names the idle task of this core. Without it the load is not known.
    pub is_idle_task_known: bool,
    /// The recording's length without the places where events of this core are missing, each from its last event
    /// before to its next one, in ns.
    pub recorded_ns: i64,
    /// How often another task got the core.
    pub switches: u64,
    /// Most interrupts that were open inside each other.
    pub max_nesting: usize,
    /// When that was first, in ns.
    pub max_nesting_at: i64,
    /// Busy time, that is, of tasks and interrupts, over time.
    pub load: Load,
}

impl CoreStats {
    /// The part of the known time in which the idle task did not run, in ns.
    #[must_use]
    pub const fn busy_ns(&self) -> i64 {
        self.known_ns.saturating_sub(self.idle_ns)
    }

    /// Returns the load: the busy part of the known time. `None` if nothing is known, or without a known idle task.
    #[must_use]
    pub fn busy_share(&self) -> Option<Share> {
        Share::new(self.busy_ns(), self.known_ns).filter(|_| self.is_idle_task_known)
    }

    /// The load of several cores together: None if that of one of them is not known.
    #[must_use]
    pub fn busy_share_of<'s>(cores: impl IntoIterator<Item = &'s Self>) -> Option<Share> {
        let known = cores.into_iter().filter(|core| core.known_ns > 0);
        known.map(Self::busy_share).sum::<Option<Share>>().filter(|sum| sum.of_ns > 0)
    }

    /// The load of each window of [`load`](Self::load), 0 to 1, in a recording of this length. None where the load is
    /// not known.
    pub fn shares(&self, length: i64) -> impl Iterator<Item = Option<f64>> {
        self.load.shares(length).map(|share| share.filter(|_| self.is_idle_task_known))
    }
}

/// The numbers of one interrupt on one core.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IsrStats {
    /// Number that the firmware gave it.
    pub id: u32,
    /// Name, or `isr` and its id.
    pub name: String,
    /// The core.
    pub core: u32,
    /// How often it began.
    pub count: u64,
    /// Time in it, that of interrupts inside it not counted, in ns.
    pub own_ns: i64,
    /// [`CoreStats::recorded_ns`] of the core, which contains `own_ns`.
    pub recorded_ns: i64,
    /// From enter to exit, interrupts inside it included.
    pub time: Spread,
    /// Greatest nesting depth at which it ran; 1 is not nested.
    pub max_depth: usize,
    /// When that was first, in ns.
    pub max_depth_at: i64,
    /// The 10 ms in which it occurred most often, if that is at least 20 times as often as usual and it had a quarter of the core.
    pub burst: Option<Burst>,

    /// Its begins.
    pub(super) releases: Releases,
    bursts: Bursts,
}

impl IsrStats {
    /// Adds the figures of the same interrupt in a later run of the target.
    pub(super) fn join(&mut self, later: Self) {
        self.count = self.count.wrapping_add(later.count);
        self.own_ns = self.own_ns.wrapping_add(later.own_ns);
        self.time.join(later.time);
        self.burst = self.burst.or(later.burst);
        self.releases.join(later.releases);
        if later.max_depth > self.max_depth {
            (self.max_depth, self.max_depth_at) = (later.max_depth, later.max_depth_at);
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct OpenIsr {
    isr: IsrRef,
    since: i64,
    /// Time of interrupts inside it.
    inner: i64,
}

/// A core while the recording is read.
#[derive(Clone, Debug)]
pub(super) struct CoreClock {
    pub stats: CoreStats,
    open: Vec<OpenIsr>,
    pub isrs: PerRef<Isr, IsrStats>,
    /// The owner of its time.
    pub time: CoreTime,
    /// The task that has it, if that is known.
    pub running: Option<TaskRef>,
    /// The task that left it last, and when, if none has come since.
    pub left_by: Option<(TaskRef, i64)>,
    /// A task that is not idle runs.
    runs: bool,
    /// Since when tasks or interrupts have had the core without a break.
    busy_since: Option<i64>,
    /// Time at which a task left the core, or from which events are missing, if no task has come since; otherwise below 0.
    left: i64,
    /// Since when it is not known which task has it, if it is not.
    unknown_since: Option<i64>,
    /// Since when events are missing, if none has come since, and the total of such times before.
    missing_since: Option<i64>,
    missing_ns: i64,
    /// See [`Stats`](super::Stats::brief).
    pub is_brief: bool,
}

/// No task has left.
const STAYS: i64 = -1;

impl Default for CoreClock {
    fn default() -> Self {
        Self {
            stats: CoreStats::default(),
            open: Vec::new(),
            isrs: PerRef::default(),
            time: CoreTime::default(),
            running: None,
            left_by: None,
            runs: false,
            busy_since: None,
            left: STAYS,
            // Before the start, which is known later.
            unknown_since: Some(0),
            missing_since: None,
            missing_ns: 0,
            is_brief: false,
        }
    }
}

impl CoreClock {
    /// The recording, which was thought to start then, starts earlier.
    #[cold]
    pub fn start_earlier(&mut self, start: i64, earlier: i64) {
        self.stats.load.start_earlier(earlier);
        // Time that was unknown at the start is from before, and is counted if it is over.
        if self.unknown_since.is_none_or(|since| since > start) {
            self.stats.load.add_unknown(0, earlier);
        }
    }

    /// Follows whether the core is busy, which changes less often than its work.
    #[inline]
    fn follow(&mut self, ns: i64, origin: i64) {
        let busy = self.runs || (!self.open.is_empty() && self.unknown_since.is_none());
        match self.busy_since {
            None if busy => self.busy_since = Some(ns),
            Some(since) if !busy => {
                self.busy_since = None;
                self.stats.load.add(since.wrapping_sub(origin), ns.wrapping_sub(origin));
            }
            _ => {}
        }
    }

    /// If a task has left and none has come, the owner of the core since then is unknown.
    #[inline]
    fn settle(&mut self, ns: i64, origin: i64) {
        if self.left >= 0 {
            self.settle_now(ns, origin);
        }
    }

    #[inline(never)]
    fn settle_now(&mut self, ns: i64, origin: i64) {
        let left = std::mem::replace(&mut self.left, STAYS);
        self.is_recorded(ns);
        // Without an RTOS the program runs on.
        if self.running.is_none() {
            self.runs = false;
            self.unknown_since.get_or_insert(left);
            self.follow(left, origin);
        }
    }

    /// Events are missing from here on. Returns true if the owner of the core becomes unknown.
    pub fn note_missing_events(&mut self, ns: i64, origin: i64) -> bool {
        self.settle(ns, origin);
        self.missing_since.get_or_insert(ns);
        // The next change here ends it.
        self.left = ns;
        self.running.is_none()
    }

    /// An event of this core shows that it is recorded again, if it was not.
    pub fn is_recorded(&mut self, ns: i64) {
        if let Some(since) = self.missing_since.take_if(|since| *since < ns) {
            self.missing_ns = self.missing_ns.saturating_add(ns.saturating_sub(since));
        }
    }

    /// Whether events are missing, and none has come since.
    pub const fn is_missing(&self) -> bool {
        self.missing_since.is_some()
    }

    /// A task begins to run. Returns true if the owner of the core was unknown.
    #[inline]
    pub fn enter(&mut self, ns: i64, origin: i64, idle: bool) -> bool {
        let was_unknown = self.is_known(ns, origin);
        self.set_idle(ns, origin, idle);
        self.stats.switches = self.stats.switches.wrapping_add(1);
        was_unknown
    }

    /// The owner of the core is known from now on. Returns true if it was not.
    #[inline(never)]
    fn is_known(&mut self, ns: i64, origin: i64) -> bool {
        if self.left != ns {
            self.settle(ns, origin);
        }
        self.is_recorded(ns);
        let Some(since) = self.unknown_since.take() else { return false };
        let since = since.max(origin);
        self.stats.load.add_unknown(since.saturating_sub(origin), ns.saturating_sub(origin));
        true
    }

    /// A task that begins to run makes a core busy, or idle.
    #[inline(never)]
    pub fn set_idle(&mut self, ns: i64, origin: i64, idle: bool) {
        // Usually another task leaves at the same time.
        if self.left != ns {
            self.settle(ns, origin);
        }
        (self.left, self.runs) = (STAYS, !idle);
        self.follow(ns, origin);
    }

    /// A task has left. Whether the core is idle now, the next change reports.
    pub const fn leave(&mut self, ns: i64) {
        self.left = ns;
    }

    /// An interrupt begins. True if it may be the first event of the core since events are missing.
    #[inline]
    pub fn isr_enter(&mut self, ns: i64, origin: i64, isr: IsrRef) -> bool {
        let is_first = self.left >= 0;
        self.settle(ns, origin);
        self.time.isr_enters(ns);
        self.open.push(OpenIsr { isr, since: ns, inner: 0 });
        self.follow(ns, origin);
        let depth = self.open.len();
        let stats = self.isrs.entry(isr);
        stats.count = stats.count.wrapping_add(1);
        if depth > stats.max_depth {
            (stats.max_depth, stats.max_depth_at) = (depth, ns);
        }
        is_first
    }

    #[inline]
    pub fn isr_exit(&mut self, ns: i64, origin: i64, isr: IsrRef) {
        match self.open.last() {
            Some(open) if open.isr == isr && self.left < 0 => {
                if let Some(open) = self.open.pop() {
                    self.close(open, ns, End::Seen);
                }
                self.follow(ns, origin);
            }
            _ => self.end_isr(ns, origin, isr, End::Seen),
        }
    }

    /// It may have ended at any time.
    pub fn isr_forgotten(&mut self, ns: i64, origin: i64, isr: IsrRef) {
        self.end_isr(ns, origin, isr, End::Cut);
    }

    #[inline(never)]
    fn end_isr(&mut self, ns: i64, origin: i64, isr: IsrRef, end: End) {
        if !self.open.iter().any(|open| open.isr == isr) {
            return;
        }
        self.settle(ns, origin);
        while let Some(open) = self.open.pop() {
            let meant = open.isr == isr;
            self.close(open, ns, if meant { end } else { End::Cut });
            if meant {
                break;
            }
        }
        self.follow(ns, origin);
    }

    #[inline]
    fn close(&mut self, open: OpenIsr, ns: i64, end: End) {
        self.time.isr_exits(ns);
        let time = ns.wrapping_sub(open.since).max(0);
        if let Some(outer) = self.open.last_mut() {
            outer.inner = outer.inner.wrapping_add(time);
        }
        let stats = self.isrs.entry(open.isr);
        let own = if open.inner == 0 { time } else { time.wrapping_sub(open.inner).max(0) };
        stats.own_ns = stats.own_ns.wrapping_add(own);
        stats.bursts.add(ns, own);
        match end {
            _ if self.is_brief => {}
            End::Seen => {
                stats.time.add(time, ns);
                stats.releases.add(open.since);
            }
            _ => {
                stats.time.add_until(time, ns, end);
                stats.releases.restart();
            }
        }
    }

    /// Closes the books at the end of the recording.
    pub fn finish(&mut self, origin: i64, end: i64) {
        self.settle(end, origin);
        self.is_recorded(end);
        while let Some(open) = self.open.pop() {
            self.close(open, end, End::Open);
        }
        self.runs = false;
        self.follow(end, origin);
        self.is_known(end, origin);
        let length = end.saturating_sub(origin);
        let (times, stats) = (self.time.times(end), &mut self.stats);
        (stats.task_ns, stats.idle_ns) = (times.task_ns, times.idle_ns);
        (stats.isr_ns, stats.known_ns) = (times.all_isr_ns(), times.known_ns());
        stats.unknown_ns = times.unknown_ns(length);
        for isr in self.isrs.iter_mut() {
            isr.burst = isr.bursts.finish();
            if isr.max_depth > stats.max_nesting
                || (isr.max_depth == stats.max_nesting && isr.max_depth_at < stats.max_nesting_at)
            {
                (stats.max_nesting, stats.max_nesting_at) = (isr.max_depth, isr.max_depth_at);
            }
        }
        stats.load.finish(length);
        stats.recorded_ns = length.saturating_sub(self.missing_ns).max(0);
    }
}
