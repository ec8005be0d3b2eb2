//! Pace: what of each wait and tick says how fast timestamps count.

use super::Timeline;
use super::memory::{Candidate, OffPace};
use crate::model::{TaskRef, Wait};

impl Timeline {
    /// A task that was in a delay, or waited with a limit, is made ready, as it seems by the clock: it waited
    /// from `from` on.
    #[inline]
    pub(super) fn woken_by_clock(&mut self, task: TaskRef, wait: Wait, from: i64, to: i64) {
        if from >= self.pace.free_from {
            self.waited(task, wait, from, to);
        }
    }

    #[cold]
    fn waited(&mut self, task: TaskRef, wait: Wait, from: i64, to: i64) {
        let Some(entry) = self.world.tasks.get(task) else { return };
        match (wait, self.tasks.entry(task).waiting.delay, entry.terms.ticks) {
            // Of one tick it is only known that it does not last longer, which is too little.
            (Wait::Delay, ticks @ 2.., _) => self.pace.take(from, to, ticks - 1, ticks),
            (Wait::DelayUntil, ticks, _) => self.pace.tick_count(ticks, to),
            (Wait::Delay, ..) | (.., 0 | 1 | u32::MAX) => {}
            (.., ticks) => self.pace.candidate = Some(Candidate { task, from, to, ticks }),
        }
    }

    /// The wait of this task turns out to have timed out.
    #[inline]
    pub(super) fn timed_out(&mut self, task: TaskRef) {
        let candidate = self.pace.candidate.filter(|it| it.task == task);
        if let Some(Candidate { from, to, ticks, .. }) = candidate {
            self.pace.candidate = None;
            self.pace.take(from, to, ticks - 1, ticks);
        }
    }

    /// How far times are from the kernel's ticks, if they are.
    pub(crate) fn off_pace(&self) -> Option<OffPace> {
        let tick_rate_hz = self.world.trace_info?.tick_rate_hz?;
        self.pace.judge(tick_rate_hz)
    }
}
