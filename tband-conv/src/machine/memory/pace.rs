//! Pace: samples of the timestamps against the kernel's ticks.
//!
//! The kernel counts time, too. Delays, and waits that time out, end with a tick. A delay of N ticks lasts more than N - 1
//! ticks and at most N; if it begins in the tick that has ended another wait, it ends exactly N ticks after that.
//! `curtask_delay_until` and `tick` contain the tick count. `verdict/pace` judges the samples.
//!
//! A delay may last longer than it should (a debugger halts the target, interrupts are masked for long, ticks are lost), and
//! another may be cut short unseen. So samples do not overlap, and one halt affects only one of them.

use crate::model::TaskRef;

/// Samples so far from which on they come in bursts, ever further apart.
const MANY: usize = 64;
/// Samples of a burst: some to be exact, since each but the first begins with a tick that is known.
const BURST: usize = 16;
/// Ticks between two readings of the tick count that make a sample.
const LEAST_TICKS: u32 = 8;
/// Ticks that are remembered, by their times.
const EDGES: usize = 8;
/// If a wait lasts longer than it should by this, in ns, the target was halted, or the timer has leapt.
pub const LEAP_NS: i64 = 1_000_000_000;
/// If a wait is shorter than it should be by this, in ns, it contradicts the timestamps: late ticks that were made up for
/// explain less.
pub const SHORT_NS: i64 = 100_000_000;
/// The missing time must also be at least one part in this many of the wait, because clocks without a crystal are off by some
/// per cent.
const SHORT_SHARE: i64 = 16;
/// Maximum number of kept leaps, and of waits that are too short.
const LEAPS: usize = 32;
/// Ends of waits that are this far, in ns, from where the tick would be of which they began are in the same place of
/// it. The timeline moves times by a few.
const SAME_NS: i64 = 100;

/// A slice of time: in the recording, and in ticks of the kernel.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub ns: i64,
    pub least_ticks: u32,
    pub most_ticks: u32,
}

/// A task's wait that may turn out to have timed out.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub task: TaskRef,
    pub from: i64,
    pub to: i64,
    pub ticks: u32,
    /// It was too short, if the clock ended it.
    pub is_short: bool,
}

/// A wait of this many ticks whose time is wrong by the timestamps: far too long, or too short.
#[derive(Clone, Copy, Debug)]
pub struct Leap {
    pub from: i64,
    pub to: i64,
    pub ticks: u32,
}

/// Waits that last less than their ticks, by the timestamps.
#[derive(Clone, Debug, Default)]
pub struct ShortWaits {
    /// The first of them.
    pub list: Vec<Leap>,
    /// All of them.
    pub count: u64,
    /// Total missing time of all of them, in ns.
    pub missing_ns: i64,
    /// The last one ended then.
    to: i64,
}

/// Samples, and the beginning of the next ones.
#[derive(Debug, Default)]
pub struct Pace {
    samples: Vec<Sample>,
    leaps: Vec<Leap>,
    shorts: ShortWaits,
    /// Length of a tick, in ns, once a wait was examined.
    pub tick_ns: i64,
    /// Number of examined waits that the clock ended, and of those that began in the same place of a tick as they ended.
    waits: u64,
    on_ticks: u64,
    first: Option<i64>,
    /// The next sample begins at this time or later.
    pub free_from: i64,
    /// Samples that are left of a burst.
    left: usize,
    /// Times of ticks, in any order, and the place of the next one.
    edges: [Option<i64>; EDGES],
    next_edge: usize,
    /// The tick count, and when it was that.
    tick: Option<(u32, i64)>,
    pub candidate: Option<Candidate>,
}

impl Pace {
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The first of them.
    pub fn leaps(&self) -> &[Leap] {
        &self.leaps
    }

    pub const fn shorts(&self) -> &ShortWaits {
        &self.shorts
    }

    /// Whether a wait of at least this many ticks is too short.
    pub fn is_short(&self, from: i64, to: i64, least_ticks: u32) -> bool {
        let expected = i64::from(least_ticks).saturating_mul(self.tick_ns);
        let missing = expected.saturating_sub(to.saturating_sub(from));
        missing >= SHORT_NS && missing >= expected / SHORT_SHARE
    }

    /// Keeps a wait that is too short, unless it overlaps the one before, as another task saw it. It lasts at least this many
    /// ticks.
    pub fn short(&mut self, from: i64, to: i64, least_ticks: u32) {
        let shorts = &mut self.shorts;
        if from < shorts.to {
            return;
        }
        let expected = i64::from(least_ticks).saturating_mul(self.tick_ns);
        shorts.missing_ns = shorts.missing_ns.saturating_add(expected.saturating_sub(to - from));
        shorts.count += 1;
        shorts.to = to;
        if shorts.list.len() < LEAPS {
            shorts.list.push(Leap { from, to, ticks: least_ticks });
        }
    }

    /// Returns the number of waits that begin and end with ticks, if they indicate that times are only those of ticks.
    pub fn waits_on_ticks(&self) -> Option<u64> {
        (self.on_ticks.saturating_mul(20) >= self.waits.saturating_mul(19)).then_some(self.on_ticks)
    }

    /// A wait of this many ticks has ended with the last of them. `tick_ns`: length of a tick, 0 if it is unknown.
    pub fn wait(&mut self, from: i64, to: i64, ticks: u32, tick_ns: i64) {
        if to < from {
            return;
        }
        let edge = self.edge_before(from, tick_ns / 2);
        self.add_edge(to);
        self.add_leap(from, to, ticks, tick_ns);
        if tick_ns > SAME_NS * 4 {
            self.waits = self.waits.saturating_add(1);
            let beside = (to - from) % tick_ns;
            let is_same = beside <= SAME_NS || beside >= tick_ns - SAME_NS;
            self.on_ticks = self.on_ticks.saturating_add(u64::from(is_same));
        }
        match edge {
            // A single tick only gives an upper bound of its length, which is too little.
            _ if ticks < 2 => {}
            Some(edge) if edge >= self.free_from => self.take(edge, to, ticks, ticks),
            _ => self.take(from, to, ticks - 1, ticks),
        }
    }

    fn take(&mut self, from: i64, to: i64, least_ticks: u32, most_ticks: u32) {
        if from < self.free_from || to < from {
            return;
        }
        let first = *self.first.get_or_insert(from);
        self.samples.push(Sample { ns: to - from, least_ticks, most_ticks });
        self.free_from = to;
        if self.samples.len() >= MANY {
            if self.left == 0 {
                self.left = BURST;
                self.free_from = to.saturating_add((to - first) / 8);
            }
            self.left -= 1;
        }
    }

    /// The tick count is this now.
    pub fn tick_count(&mut self, ticks: u32, now: i64, tick_ns: i64) {
        let Some((before, then)) = self.tick else {
            self.tick = Some((ticks, now));
            return;
        };
        // A tick that the kernel puts off has the count of the one before.
        let passed = ticks.wrapping_sub(before);
        match passed.cast_signed() {
            // The kernel started again.
            ..0 => self.tick = Some((ticks, now)),
            _ if passed < LEAST_TICKS => {}
            _ => {
                self.tick = Some((ticks, now));
                self.add_leap(then, now, passed, tick_ns);
                if self.is_short(then, now, passed - 1) {
                    self.short(then, now, passed - 1);
                }
                self.take(then, now, passed, passed);
            }
        }
    }

    /// Keeps a wait or a pause that is a leap, unless it contains the one before.
    pub fn add_leap(&mut self, from: i64, to: i64, ticks: u32, tick_ns: i64) {
        let expected = i64::from(ticks).saturating_mul(tick_ns);
        let is_leap = tick_ns > 0 && to.saturating_sub(from).saturating_sub(expected) >= LEAP_NS;
        let is_new = self.leaps.last().is_none_or(|last| from >= last.to);
        if is_leap && is_new && self.leaps.len() < LEAPS {
            self.leaps.push(Leap { from, to, ticks });
        }
    }

    /// The last tick up to this time that is known, if it is not longer ago than this.
    fn edge_before(&self, now: i64, most_ns: i64) -> Option<i64> {
        let known = self.edges.iter().flatten();
        known.copied().filter(|edge| *edge <= now && now - edge < most_ns).max()
    }

    fn add_edge(&mut self, at: i64) {
        if let Some(edge) = self.edges.get_mut(self.next_edge) {
            *edge = Some(at);
        }
        self.next_edge = (self.next_edge + 1) % EDGES;
    }

    /// Events are missing here.
    pub fn forget(&mut self) {
        (self.tick, self.candidate) = (None, None);
    }
}
