//! Pace: what of each wait and tick says how fast timestamps count.

use super::Timeline;
use super::memory::{Candidate, LEAP_NS, Pace};
use crate::model::{TaskRef, Wait};

impl Timeline {
    /// A task that was in a delay, or waited with a limit, is made ready, as it seems by the clock: it waited
    /// from `from` on.
    #[inline]
    pub(super) fn woken_by_clock(&mut self, task: TaskRef, wait: Wait, from: i64, to: i64) {
        if from >= self.pace.free_from || to.wrapping_sub(from) >= LEAP_NS {
            self.waited(task, wait, from, to);
        }
    }

    #[cold]
    fn waited(&mut self, task: TaskRef, wait: Wait, from: i64, to: i64) {
        let tick_ns = self.kernel_tick_ns();
        let Some(entry) = self.world.tasks.get(task) else { return };
        match (wait, self.tasks.entry(task).waiting.delay, entry.terms.ticks) {
            (Wait::Delay, ticks, _) => self.pace.wait(from, to, ticks, tick_ns),
            (Wait::DelayUntil, ticks, _) => self.pace.tick_count(ticks, to, tick_ns),
            (.., 0 | u32::MAX) => {}
            (.., ticks) => self.pace.candidate = Some(Candidate { task, from, to, ticks }),
        }
    }

    /// The wait of this task turns out to have timed out.
    #[inline]
    pub(super) fn timed_out(&mut self, task: TaskRef) {
        let candidate = self.pace.candidate.filter(|it| it.task == task);
        if let Some(Candidate { from, to, ticks, .. }) = candidate {
            self.pace.candidate = None;
            let tick_ns = self.kernel_tick_ns();
            self.pace.wait(from, to, ticks, tick_ns);
        }
    }

    /// The tick count is this now.
    pub(super) fn tick_count_is(&mut self, ticks: u32, now: i64) {
        let tick_ns = self.kernel_tick_ns();
        self.pace.tick_count(ticks, now, tick_ns);
    }

    /// How long the kernel says its tick is, rounded down; 0 if that is not known.
    fn kernel_tick_ns(&self) -> i64 {
        let rate = self.world.trace_info.and_then(|info| info.tick_rate_hz);
        rate.and_then(|hz| 1_000_000_000_u32.checked_div(hz)).map_or(0, i64::from)
    }

    /// The timestamps against the kernel's ticks.
    pub(crate) const fn pace(&self) -> &Pace {
        &self.pace
    }
}
