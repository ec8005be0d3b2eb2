//! Cores and interrupts: where the time of each core goes.
//!
//! Every moment of a core belongs to an interrupt, a task, its idle task, or nobody that is known;
//! an interrupt's time is not the interrupted task's. So the four add up to the recording's length.
//! Times are within 0 to [`MAX_NS`](crate::MAX_NS), so differences do not overflow; sums that damage
//! drives too far wrap.

use super::load::Load;
use super::spread::{End, Spread};
use crate::model::{Isr, IsrRef, PerRef, TaskRef};

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
    /// Time of which the recording does not tell who had it, in ns.
    pub unknown_ns: i64,
    /// How often another task got the core.
    pub switches: u64,
    /// Most interrupts that were open inside each other.
    pub max_nesting: usize,
    /// When that was first, in ns.
    pub max_nesting_at: i64,
    /// Busy time, that is, of tasks and interrupts, over time.
    pub load: Load,
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
    /// From enter to exit, interrupts inside it included.
    pub time: Spread,
    /// Greatest nesting depth at which it ran; 1 is not nested.
    pub max_depth: usize,
    /// When that was first, in ns.
    pub max_depth_at: i64,
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
    /// The task that has it, if that is known.
    pub running: Option<TaskRef>,
    /// A task that is not idle runs.
    runs: bool,
    /// Since when tasks or interrupts have had the core without a break.
    busy_since: Option<i64>,
    /// A task left the core at this time, and none has come since; below 0 if that is not so.
    left: i64,
    /// Time of tasks, and of those that are idle.
    own_ns: [i64; 2],
}

/// No task has left.
const STAYS: i64 = -1;

impl Default for CoreClock {
    fn default() -> Self {
        Self {
            stats: CoreStats::default(),
            open: Vec::new(),
            isrs: PerRef::default(),
            running: None,
            runs: false,
            busy_since: None,
            left: STAYS,
            own_ns: [0; 2],
        }
    }
}

impl CoreClock {
    /// Time of interrupts so far.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn isr_ns(&self, ns: i64) -> i64 {
        let open = self.open.first().map_or(0, |first| ns.wrapping_sub(first.since).max(0));
        self.stats.isr_ns.wrapping_add(open)
    }

    /// Follows whether the core is busy, which changes less often than what it is busy with.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn follow(&mut self, ns: i64, origin: i64) {
        let busy = self.runs || !self.open.is_empty();
        match self.busy_since {
            None if busy => self.busy_since = Some(ns),
            Some(since) if !busy => {
                self.busy_since = None;
                self.stats.load.add(since.wrapping_sub(origin), ns.wrapping_sub(origin));
            }
            _ => {}
        }
    }

    /// If a task has left and none has come, the core was not busy with one since.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn settle(&mut self, origin: i64) {
        if self.left >= 0 {
            self.settle_now(origin);
        }
    }

    #[inline(never)]
    fn settle_now(&mut self, origin: i64) {
        let left = std::mem::replace(&mut self.left, STAYS);
        self.runs = false;
        self.follow(left, origin);
    }

    /// A task begins to run.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn enters(&mut self, ns: i64, origin: i64, idle: bool) {
        self.turns(ns, origin, idle);
        self.stats.switches = self.stats.switches.wrapping_add(1);
    }

    /// A task that begins to run makes a core busy, or idle.
    #[inline(never)]
    pub fn turns(&mut self, ns: i64, origin: i64, idle: bool) {
        // Usually another task leaves at the same time.
        if self.left != ns {
            self.settle(origin);
        }
        (self.left, self.runs) = (STAYS, !idle);
        self.follow(ns, origin);
    }

    /// A task has left. Whether the core is idle now, the next change tells.
    pub const fn left_at(&mut self, ns: i64) {
        self.left = ns;
    }

    /// A task had the core for so long.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn spends(&mut self, idle: bool, own: i64) {
        let sum = &mut self.own_ns[usize::from(idle)];
        *sum = sum.wrapping_add(own);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn isr_enter(&mut self, ns: i64, origin: i64, isr: IsrRef) {
        self.settle(origin);
        self.open.push(OpenIsr { isr, since: ns, inner: 0 });
        self.follow(ns, origin);
        let depth = self.open.len();
        let stats = self.isrs.entry(isr);
        stats.count = stats.count.wrapping_add(1);
        if depth > stats.max_depth {
            (stats.max_depth, stats.max_depth_at) = (depth, ns);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn isr_exit(&mut self, ns: i64, origin: i64, isr: IsrRef) {
        match self.open.last() {
            Some(open) if open.isr == isr && self.left < 0 => {
                if let Some(open) = self.open.pop() {
                    self.close(open, ns, End::Seen);
                }
                self.follow(ns, origin);
            }
            _ => self.isr_ends(ns, origin, isr, End::Seen),
        }
    }

    /// It may have ended at any time.
    pub fn isr_forgotten(&mut self, ns: i64, origin: i64, isr: IsrRef) {
        self.isr_ends(ns, origin, isr, End::Cut);
    }

    #[inline(never)]
    fn isr_ends(&mut self, ns: i64, origin: i64, isr: IsrRef, end: End) {
        if !self.open.iter().any(|open| open.isr == isr) {
            return;
        }
        self.settle(origin);
        while let Some(open) = self.open.pop() {
            let meant = open.isr == isr;
            self.close(open, ns, if meant { end } else { End::Cut });
            if meant {
                break;
            }
        }
        self.follow(ns, origin);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn close(&mut self, open: OpenIsr, ns: i64, end: End) {
        let time = ns.wrapping_sub(open.since).max(0);
        match self.open.last_mut() {
            Some(outer) => outer.inner = outer.inner.wrapping_add(time),
            None => self.stats.isr_ns = self.stats.isr_ns.wrapping_add(time),
        }
        let stats = self.isrs.entry(open.isr);
        let own = if open.inner == 0 { time } else { time.wrapping_sub(open.inner).max(0) };
        stats.own_ns = stats.own_ns.wrapping_add(own);
        match end {
            End::Seen => stats.time.add(time, ns),
            _ => stats.time.add_until(time, ns, end),
        }
    }

    /// Closes the books at the end of the recording.
    pub fn finish(&mut self, origin: i64, end: i64) {
        self.settle(origin);
        while let Some(open) = self.open.pop() {
            self.close(open, end, End::Open);
        }
        self.runs = false;
        self.follow(end, origin);
        let length = end.saturating_sub(origin);
        let stats = &mut self.stats;
        [stats.task_ns, stats.idle_ns] = self.own_ns;
        for isr in self.isrs.iter() {
            if isr.max_depth > stats.max_nesting
                || (isr.max_depth == stats.max_nesting && isr.max_depth_at < stats.max_nesting_at)
            {
                (stats.max_nesting, stats.max_nesting_at) = (isr.max_depth, isr.max_depth_at);
            }
        }
        stats.load.finish(length);
        let known = stats.task_ns.saturating_add(stats.idle_ns).saturating_add(stats.isr_ns);
        stats.unknown_ns = length.saturating_sub(known);
    }
}
