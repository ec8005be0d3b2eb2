//! Pace: estimates how fast timestamps count, from each wait and tick.

use super::Timeline;
use super::memory::pace::{Candidate, LEAP_NS, Pace, SHORT_NS};
use crate::model::{TaskRef, Wait};

impl Timeline {
    /// A task that was in a delay, or waited with a limit, is made ready, apparently by the clock: it waited from `from` on.
    #[inline]
    pub(super) fn woken_by_clock(
        &mut self,
        task: TaskRef,
        wait: Wait,
        ticks: u32,
        core: u32,
        from: i64,
        to: i64,
    ) {
        let length = to.wrapping_sub(from);
        let expected = i64::from(ticks).saturating_mul(self.pace.tick_ns);
        if from >= self.pace.free_from || length >= LEAP_NS || expected - length >= SHORT_NS {
            self.waited(task, wait, core, from, to);
        }
    }

    #[cold]
    fn waited(&mut self, task: TaskRef, wait: Wait, core: u32, from: i64, to: i64) {
        let tick_ns = self.kernel_tick_ns();
        self.pace.tick_ns = tick_ns;
        let Some(entry) = self.world.tasks.get(task) else { return };
        match (wait, self.tasks.entry(task).waiting.delay, entry.terms.ticks) {
            // It may be longer: more ticks than 32 bits hold.
            (Wait::Delay, u32::MAX, _) => {}
            (Wait::Delay, ticks, _) => {
                if self.is_short_by_clock(core, from, to, ticks) {
                    self.pace.short(from, to, ticks - 1);
                }
                self.pace.wait(from, to, ticks, tick_ns);
            }
            (Wait::DelayUntil, ticks, _) => self.pace.tick_count(ticks, to, tick_ns),
            (.., 0 | u32::MAX) => {}
            (.., ticks) => {
                let is_short = self.is_short_by_clock(core, from, to, ticks);
                self.pace.candidate = Some(Candidate { task, from, to, ticks, is_short });
            }
        }
    }

    /// Whether a finished wait has lasted less than its ticks, and only the clock can have ended it: `xTaskAbortDelay()` would
    /// be recorded, or the idle task runs, which does not call it.
    fn is_short_by_clock(&mut self, core: u32, from: i64, to: i64, ticks: u32) -> bool {
        if ticks == 0 || to < from || !self.pace.is_short(from, to, ticks - 1) {
            return false;
        }
        let without = self.world.trace_info.as_ref().and_then(|info| info.classes(false));
        let has_aborts = without.is_none_or(|classes| !classes.contains(&"TASK_EXTRA"));
        let running = self.core(core).running;
        has_aborts || running.is_some_and(|task| self.is_idle(task))
    }

    /// The first task gets a core. Just before, the kernel creates its own tasks, and sets up the timer of run-time statistics:
    /// some ports then reset the counter of the timestamps to 0.
    #[cold]
    pub(super) fn start_scheduler(&mut self, now: i64) {
        let created = self.tasks.iter().map(|task| task.settled).max().unwrap_or(0);
        let tick_ns = self.kernel_tick_ns();
        if created > 0 {
            self.pace.add_leap(created, now, 1, tick_ns);
        }
    }

    /// The wait of this task turns out to have timed out.
    #[inline]
    pub(super) fn timed_out(&mut self, task: TaskRef) {
        let candidate = self.pace.candidate.filter(|it| it.task == task);
        if let Some(Candidate { from, to, ticks, is_short, .. }) = candidate {
            self.pace.candidate = None;
            let tick_ns = self.kernel_tick_ns();
            if is_short {
                self.pace.short(from, to, ticks - 1);
            }
            self.pace.wait(from, to, ticks, tick_ns);
        }
    }

    /// The tick count is this now.
    pub(super) fn tick_count_is(&mut self, ticks: u32, now: i64) {
        let tick_ns = self.kernel_tick_ns();
        self.pace.tick_ns = tick_ns;
        self.pace.tick_count(ticks, now, tick_ns);
    }

    /// Returns the kernel's tick period by its own report, rounded down; 0 if it is unknown.
    pub(super) fn kernel_tick_ns(&self) -> i64 {
        let rate = self.world.tick_rate_hz();
        rate.and_then(|hz| 1_000_000_000_u32.checked_div(hz)).map_or(0, i64::from)
    }

    /// The timestamps against the kernel's ticks.
    pub(crate) const fn pace(&self) -> &Pace {
        &self.pace
    }
}
