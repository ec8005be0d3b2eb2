//! The timer task: commands that it has no room for, and callbacks that come a period too late.

use super::grid::Grid;
use super::{Map, ObjectName, Observation, PeriodStats, WatchedTimer};
use crate::model::World;

/// Timers that are followed.
const MAX_TIMERS: usize = 4096;

#[derive(Clone, Copy, Debug, Default)]
struct Calls {
    /// The last callback, and the time from the one before it to that.
    last: Option<i64>,
    since: i64,
    late: Option<(i64, i64, i64)>,
    count: u64,
    releases: Grid,
    point: i64,
}

/// Commands and callbacks.
#[derive(Clone, Debug, Default)]
pub struct Timers {
    calls: Map<WatchedTimer, Calls>,
    refused: Option<(Option<WatchedTimer>, i64)>,
    refused_count: u64,
}

impl Timers {
    pub fn reset(&mut self) {
        for calls in self.calls.values_mut() {
            calls.last = None;
            calls.releases.restart();
        }
    }

    /// A command, or a call if no timer is named, did not fit into the queue.
    pub fn is_refused(&mut self, ns: i64, timer: Option<WatchedTimer>) {
        self.refused.get_or_insert((timer, ns));
        self.refused_count = self.refused_count.saturating_add(1);
    }

    /// It is started or stopped: the next callback is not a repetition.
    pub fn restart(&mut self, timer: WatchedTimer) {
        if let Some(calls) = self.calls.get_mut(&timer) {
            calls.last = None;
            calls.releases.restart();
        }
    }

    /// A callback begins. The kernel makes up for one that is a period late by another one at once.
    pub fn start_callback(&mut self, world: &World, ns: i64, timer: WatchedTimer) {
        let Some(known) = world.timers.get(timer) else { return };
        let hz = world.tick_rate_hz().unwrap_or(0);
        let period = known.period.filter(|_| known.auto_reload == Some(true) && hz > 0);
        let Some(period) =
            period.map(|it| i64::from(it).saturating_mul(1_000_000_000) / i64::from(hz))
        else {
            return;
        };
        if self.calls.len() >= MAX_TIMERS && !self.calls.contains_key(&timer) {
            return;
        }
        let calls = self.calls.entry(timer).or_default();
        calls.point = calls.point.saturating_add(period);
        calls.releases.add(calls.point, ns);
        let Some(last) = calls.last.replace(ns) else {
            calls.since = 0;
            return;
        };
        let since = ns.saturating_sub(last);
        let was_late = calls.since >= period.saturating_mul(2).saturating_sub(period / 8);
        if was_late && since <= period / 2 {
            calls.late.get_or_insert((last, calls.since, period));
            calls.count = calls.count.saturating_add(1);
        }
        calls.since = since;
    }

    pub fn close(self, world: &World, done: &mut Vec<Observation>, periods: &mut Vec<PeriodStats>) {
        let hz = world.tick_rate_hz().unwrap_or(0);
        for (timer, calls) in &self.calls {
            let Some(known) = world.timers.get(*timer) else { continue };
            let Some(ticks) = known.period else { continue };
            let period_ns = i64::from(ticks).saturating_mul(1_000_000_000).checked_div(hz.into());
            periods.push(PeriodStats {
                whose: ObjectName { name: world.timer_name(*timer).to_string(), id: known.id },
                kind: "timer",
                how: "declared",
                ticks: Some(ticks),
                period_ns: period_ns.unwrap_or(0),
                releases: calls.releases.count(),
                missed: 0,
                period_jitter_ns: calls.releases.step(),
                release_jitter_ns: calls.releases.spread(),
                start_jitter_ns: None,
            });
        }
        if let Some((timer, at_ns)) = self.refused {
            let what = timer.map_or_else(
                || "a call of a function".to_owned(),
                |timer| world.timer_name(timer).to_string(),
            );
            done.push(Observation::TimerRefused { what, at_ns, count: self.refused_count });
        }
        let mut late: Vec<_> = self
            .calls
            .iter()
            .filter_map(|(timer, it)| Some((*timer, it.late?, it.count)))
            .collect();
        late.sort_by_key(|(timer, (at, ..), _)| (*at, timer.index()));
        for (timer, (at_ns, since_ns, period_ns), count) in late.into_iter().take(super::MAX_KEPT) {
            let timer = world.timer_name(timer).to_string();
            done.push(Observation::TimerLate { timer, at_ns, since_ns, period_ns, count });
        }
    }
}
