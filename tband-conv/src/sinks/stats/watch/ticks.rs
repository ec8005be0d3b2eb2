//! Ticks of the kernel: those that tasks delay themselves until, and how many it has counted.

use super::grid::Grid;
use super::locks::named;
use super::{MAX_KEPT, Map, Observation, PeriodStats};
use crate::model::{TaskRef, World};

/// Tasks that are followed.
const MAX_TASKS: usize = 4096;
/// Steps without which a task has no period, and the part of them that has to agree, in percent.
const LEAST_STEPS: u64 = 4;
const AGREE: u64 = 90;
/// Different steps of a task that are counted.
const MAX_STEPS: usize = 64;
/// Minimum number of counted ticks for a report.
const LEAST_TICKS: u64 = 50;
/// From this difference on, in percent, the ticks are late.
const LATE_PERCENT: i64 = 2;
/// Where a tick seems to last longer than this, in ns, the target was halted.
const HALT_NS: i64 = 500_000_000;

/// The ticks until which a task has delayed itself.
#[derive(Clone, Debug, Default)]
struct Series {
    last: Option<u32>,
    /// The two steps before the next one.
    before: [u32; 2],
    before_at: i64,
    counts: Vec<(u32, u64)>,
    steps: u64,
    /// Steps between two equal ones: the step, those around it, and when it ended.
    between: Vec<(u32, u32, i64)>,
    releases: Grid,
    starts: Grid,
    /// Ticks since the first release, and its last tick.
    elapsed: u64,
    last_release: Option<u32>,
    /// The point of the release that has not started yet, in ns.
    point: Option<i64>,
}

/// Ticks of each task, and of the kernel.
#[derive(Clone, Debug, Default)]
pub struct Ticks {
    tasks: Map<TaskRef, Series>,
    /// Calls of `xTaskDelayUntil` that returned at once, since the time had passed.
    overdue: Map<TaskRef, (u64, i64)>,
    /// The tick count, and when it was that.
    known: Option<(u32, i64)>,
    counted: u64,
    length: i64,
}

impl Ticks {
    pub fn reset(&mut self) {
        self.tasks.values_mut().for_each(|series| series.last = None);
        self.known = None;
    }

    /// Events are missing, or the time does not count ticks.
    pub const fn forget(&mut self) {
        self.known = None;
    }

    /// The activity of the task is unknown.
    pub fn forget_task(&mut self, task: TaskRef) {
        if let Some(series) = self.tasks.get_mut(&task) {
            (series.last, series.before) = (None, [0; 2]);
        }
    }

    /// A task waits until a tick.
    pub fn delay(&mut self, ns: i64, task: TaskRef, tick: u32) {
        if self.tasks.len() >= MAX_TASKS && !self.tasks.contains_key(&task) {
            return;
        }
        let series = self.tasks.entry(task).or_default();
        let Some(last) = series.last.replace(tick) else { return };
        let step = tick.wrapping_sub(last);
        series.steps = series.steps.saturating_add(1);
        let has_room = series.counts.len() < MAX_STEPS;
        match series.counts.iter_mut().find(|(known, _)| *known == step) {
            Some((_, count)) => *count = count.saturating_add(1),
            None if has_room => series.counts.push((step, 1)),
            None => {}
        }
        let [first, middle] = series.before;
        if first == step && middle > step && series.between.len() < MAX_KEPT {
            series.between.push((middle, step, series.before_at));
        }
        series.before = [middle, step];
        series.before_at = ns;
    }

    /// The grids become unknown: events are missing, or the target was halted.
    pub fn restart_grids(&mut self) {
        for series in self.tasks.values_mut() {
            series.releases.restart();
            series.starts.restart();
            (series.last_release, series.point) = (None, None);
        }
    }

    /// The clock releases a task at a tick; the kernel counts `hz` ticks a second.
    pub fn release(&mut self, (ns, hz): (i64, u32), task: TaskRef, tick: u32) {
        let Some(series) = self.tasks.get_mut(&task) else { return };
        if let Some(last) = series.last_release.replace(tick) {
            series.elapsed = series.elapsed.saturating_add(tick.wrapping_sub(last).into());
        }
        let point = u128::from(series.elapsed) * 1_000_000_000 / u128::from(hz.max(1));
        let point = i64::try_from(point).unwrap_or(i64::MAX);
        series.releases.add(point, ns);
        series.point = Some(point);
    }

    /// A task gets a core, for the first time since its release.
    pub fn start(&mut self, ns: i64, task: TaskRef) {
        if let Some(series) = self.tasks.get_mut(&task)
            && let Some(point) = series.point.take()
        {
            series.starts.add(point, ns);
        }
    }

    /// A call of a task was to wait for a tick that has passed.
    pub fn is_overdue(&mut self, ns: i64, task: TaskRef) {
        if self.overdue.len() < MAX_TASKS || self.overdue.contains_key(&task) {
            let (count, _) = self.overdue.entry(task).or_insert((0, ns));
            *count = count.saturating_add(1);
        }
    }

    /// The tick count is this now.
    pub fn count(&mut self, ns: i64, tick: u32) {
        if let Some((before, since)) = self.known {
            let ticks = tick.wrapping_sub(before);
            let length = ns.saturating_sub(since);
            if ticks == 0 {
                return;
            }
            let is_forward = ticks < u32::MAX / 2 && length > 0;
            if is_forward && length / i64::from(ticks) < HALT_NS {
                self.counted = self.counted.saturating_add(ticks.into());
                self.length = self.length.saturating_add(length);
            }
        }
        self.known = Some((tick, ns));
    }

    pub fn close(self, world: &World, done: &mut Vec<Observation>, periods: &mut Vec<PeriodStats>) {
        let mut missed = Vec::new();
        let hz = world.tick_rate_hz().unwrap_or(0);
        for (task, series) in &self.tasks {
            let (overdue, overdue_at) = self.overdue.get(task).copied().unwrap_or((0, i64::MAX));
            let mode = series.counts.iter().max_by_key(|(step, count)| (*count, u32::MAX - *step));
            let Some((period, steps)) = mode.filter(|(period, steps)| {
                *period > 0
                    && series.steps >= LEAST_STEPS
                    && steps.saturating_mul(100) >= series.steps.saturating_mul(AGREE)
            }) else {
                continue;
            };
            let between = series
                .between
                .iter()
                .filter(|(step, around, _)| around == period && step.is_multiple_of(*period));
            let by_steps: u64 =
                between.clone().map(|(step, ..)| u64::from(step / period).saturating_sub(1)).sum();
            let at = between.map(|(.., at)| *at).min().unwrap_or(i64::MAX).min(overdue_at);
            if let Some(period_ns) = (i64::from(*period) * 1_000_000_000).checked_div(hz.into()) {
                periods.push(PeriodStats {
                    whose: named(world, *task),
                    kind: "task",
                    how: "nominal",
                    ticks: Some(*period),
                    period_ns,
                    releases: series.releases.count(),
                    missed: by_steps.max(overdue),
                    period_jitter_ns: series.releases.step(),
                    release_jitter_ns: series.releases.spread(),
                    start_jitter_ns: series.starts.spread(),
                });
            }
            if by_steps.max(overdue) > 0 {
                missed.push(Observation::MissedPeriod {
                    task: named(world, *task),
                    at_ns: at,
                    missed: by_steps.max(overdue),
                    period_ticks: *period,
                    steps: *steps,
                });
            }
        }
        // A task that is always late never waits.
        for (task, (count, at)) in &self.overdue {
            if !self.tasks.contains_key(task) {
                missed.push(Observation::MissedPeriod {
                    task: named(world, *task),
                    at_ns: *at,
                    missed: *count,
                    period_ticks: 0,
                    steps: 0,
                });
            }
        }
        missed.sort_by_key(|it| match it {
            Observation::MissedPeriod { at_ns, task, .. } => (*at_ns, task.id),
            _ => (i64::MAX, 0),
        });
        done.extend(missed.into_iter().take(MAX_KEPT));
        let expected = i128::from(self.counted) * 1_000_000_000;
        let recorded = i128::from(self.length) * i128::from(hz);
        let is_late = (recorded - expected).abs() * 100 >= expected * i128::from(LATE_PERCENT);
        if hz > 0 && self.counted >= LEAST_TICKS && is_late {
            done.push(Observation::LateTicks {
                counted: self.counted,
                length_ns: self.length,
                tick_rate_hz: hz,
            });
        }
    }
}
