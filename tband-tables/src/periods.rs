//! Periods of tasks, interrupts and software timers, as rows: a row for each at the end of the recording.

use std::collections::HashMap;
use std::io;

use tband_conv::activations::{Activation, Release, Subject};
use tband_conv::model::{TaskRef, World};
use tband_conv::periods::Releases;

use crate::row::Rows;

/// Releases of one subject that are kept: the first ones.
const MAX_RELEASES: usize = 1 << 14;
/// Ticks of `delay_until` that make a period.
const MIN_TICKS: usize = 4;
/// The part of the steps that has to agree, in percent.
const AGREE: usize = 90;

/// A release.
#[derive(Clone, Copy, Debug)]
struct TaskRelease {
    ns: i64,
    /// The tick that the task asked to be woken at.
    tick: Option<u32>,
    /// Nothing is missing between the one before it and this one.
    follows: bool,
}

/// Releases of a subject.
#[derive(Debug, Default)]
struct Series {
    releases: Vec<TaskRelease>,
    /// All releases, and those by ticks.
    count: u64,
    by_ticks: u64,
    is_cut: bool,
}

/// The ticks until which a task has delayed itself.
#[derive(Debug, Default)]
struct Ticks {
    last: Option<u32>,
    /// The tick that releases the next activation.
    next: Option<u32>,
    steps: Vec<u32>,
}

/// The period of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Period {
    how: &'static str,
    ns: Option<i64>,
    missed: u64,
    /// Steps that agree with it, in percent.
    agree: Option<usize>,
}

/// Follows releases, if the table is wanted.
pub struct Periods<R> {
    pub table: Option<R>,
    recording: String,
    series: HashMap<Subject, Series>,
    /// Subjects in the order of their first release.
    order: Vec<Subject>,
    ticks: HashMap<TaskRef, Ticks>,
    /// The last tick that a task on a core asked to be woken at.
    asked: HashMap<u32, u32>,
}

impl<R: Rows> Periods<R> {
    pub fn new(recording: &str, table: Option<R>) -> Self {
        Self {
            table,
            recording: recording.to_owned(),
            series: HashMap::new(),
            order: Vec::new(),
            ticks: HashMap::new(),
            asked: HashMap::new(),
        }
    }

    /// An activation has ended.
    pub fn activation(&mut self, it: &Activation) {
        if self.table.is_none() {
            return;
        }
        let tick = match it.subject {
            Subject::Task(task) => self.ticks.get_mut(&task).and_then(|it| it.next.take()),
            _ => None,
        };
        let order = &mut self.order;
        let series = self.series.entry(it.subject).or_insert_with(|| {
            order.push(it.subject);
            Series::default()
        });
        if !it.begin_seen {
            // It is not known how many releases are missing before the next one.
            series.is_cut = true;
            return;
        }
        let tick = tick.filter(|_| it.release == Release::Tick);
        series.count = series.count.saturating_add(1);
        series.by_ticks = series.by_ticks.saturating_add(tick.is_some().into());
        if series.releases.len() < MAX_RELEASES {
            let follows = !std::mem::take(&mut series.is_cut) && !series.releases.is_empty();
            series.releases.push(TaskRelease { ns: it.released_ns, tick, follows });
        }
        series.is_cut = !it.end_seen;
    }

    /// Events are missing: so may releases be.
    pub fn note_missing_events(&mut self) {
        self.series.values_mut().for_each(|series| series.is_cut = true);
    }

    /// A task on a core delays itself until a tick.
    pub fn set_wake_tick(&mut self, core: u32, tick: u32) {
        self.asked.insert(core, tick);
    }

    /// A task waits until the tick that it has asked for.
    pub fn wait(&mut self, core: u32, task: TaskRef) {
        let Some(tick) = self.asked.remove(&core) else { return };
        let ticks = self.ticks.entry(task).or_default();
        ticks.next = Some(tick);
        if let Some(last) = ticks.last.replace(tick)
            && ticks.steps.len() < MAX_RELEASES
        {
            ticks.steps.push(tick.wrapping_sub(last));
        }
    }

    /// What a task does is not known: ticks may be missing.
    pub fn forget(&mut self, task: TaskRef) {
        if let Some(ticks) = self.ticks.get_mut(&task) {
            (ticks.last, ticks.next) = (None, None);
        }
    }

    /// Writes all rows.
    pub fn finish(&mut self, world: &World) -> io::Result<()> {
        let hz = world.tick_rate_hz();
        for subject in &self.order {
            let Some(series) = self.series.get(subject) else { continue };
            let nominal = self.nominal(world, *subject, hz);
            // What else releases a periodic task has no place in its grid.
            let of_ticks = nominal.is_some_and(|it| it.how == "nominal");
            let is_counted = |it: &&TaskRelease| it.tick.is_some() || !of_ticks;
            let releases: Vec<_> = series.releases.iter().filter(is_counted).copied().collect();
            let Some(first) = releases.first().map(|it| it.ns) else { continue };
            let pairs = || releases.windows(2).filter_map(|it| Some((*it.first()?, *it.get(1)?)));
            let step = |(one, next): (TaskRelease, TaskRelease)| next.ns.saturating_sub(one.ns);
            let steps: Vec<i64> = pairs().filter(|(_, next)| next.follows).map(step).collect();
            let (period, jitter, release_jitter) = match nominal {
                None => find_period(&releases),
                Some(period) => {
                    let ns = period.ns.filter(|ns| *ns > 0);
                    let jitter = ns.and_then(|ns| steps.iter().map(|step| (step - ns).abs()).max());
                    let release_jitter = ns.map(|ns| {
                        // By the kernel's ticks, if they are known; else the nearest point of the grid.
                        let grid = |(one, next): (TaskRelease, TaskRelease)| match (
                            one.tick, next.tick, hz,
                        ) {
                            (Some(one), Some(next), Some(hz)) => {
                                ticks_ns(next.wrapping_sub(one), hz)
                            }
                            _ => {
                                let step = step((one, next)).saturating_add(ns / 2);
                                Some(step.div_euclid(ns).saturating_mul(ns))
                            }
                        };
                        let late = |it| step(it).saturating_sub(grid(it).unwrap_or(0));
                        release_jitter(pairs().map(late))
                    });
                    (period, jitter, release_jitter)
                }
            };
            let ns = period.ns.filter(|ns| *ns > 0);
            self.table.row(&[
                (&self.recording).into(),
                subject.id(world).into(),
                (&subject.name(world)).into(),
                subject.kind().into(),
                period.how.into(),
                ns.into(),
                first.into(),
                (if of_ticks { series.by_ticks } else { series.count }).into(),
                jitter.into(),
                release_jitter.filter(|_| releases.len() > 1).into(),
                steps.iter().min().copied().into(),
                period.missed.into(),
                period.agree.into(),
            ])?;
        }
        Ok(())
    }

    /// The period by the kernel's own numbers.
    fn nominal(&self, world: &World, subject: Subject, hz: Option<u32>) -> Option<Period> {
        let ns = |ticks: u32| ticks_ns(ticks, hz?);
        match subject {
            Subject::Task(task) => {
                let (ticks, missed, agree) = nominal(&self.ticks.get(&task)?.steps)?;
                Some(Period { how: "nominal", ns: Some(ns(ticks)?), missed, agree: Some(agree) })
            }
            Subject::Timer(timer) => {
                let timer = world.timers.get(timer)?;
                let ticks = timer.period.filter(|_| timer.auto_reload == Some(true))?;
                Some(Period { how: "declared", ns: Some(ns(ticks)?), missed: 0, agree: None })
            }
            Subject::Isr(..) => None,
        }
    }
}

/// Kernel ticks in ns.
fn ticks_ns(ticks: u32, hz: u32) -> Option<i64> {
    let ns = u64::from(ticks).saturating_mul(1_000_000_000).checked_div(hz.into())?;
    i64::try_from(ns).ok()
}

/// The most frequent step, how many periods were missed, and the part of the steps that agree in percent.
fn nominal(steps: &[u32]) -> Option<(u32, u64, usize)> {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    for step in steps {
        *counts.entry(*step).or_default() += 1;
    }
    // Of two that are equally frequent the shorter one.
    let (mode, count) =
        counts.into_iter().max_by_key(|(step, count)| (*count, u32::MAX - *step))?;
    let agree = count.saturating_mul(100) / steps.len().max(1);
    if mode == 0 || steps.len() < MIN_TICKS || agree < AGREE {
        return None;
    }
    // A period is missed between two of its kind. A lasting change to another period is not a miss.
    let missed = steps.windows(3).filter_map(|it| match it {
        [before, step, after] if *before == mode && *after == mode && *step > mode => {
            (step % mode == 0).then(|| u64::from(step / mode) - 1)
        }
        _ => None,
    });
    Some((mode, missed.sum(), agree))
}

/// The period of the steps between releases, and their jitter; sporadic if they have none.
fn find_period(series: &[TaskRelease]) -> (Period, Option<i64>, Option<i64>) {
    let mut releases = Releases::default();
    for release in series {
        if !release.follows {
            releases.restart();
        }
        releases.add(release.ns);
    }
    let Some(found) = releases.period() else {
        return (Period { how: "sporadic", ns: None, missed: 0, agree: None }, None, None);
    };
    let agree = usize::try_from(found.agree).ok();
    let period = Period { how: "found", ns: Some(found.ns), missed: found.missed, agree };
    (period, Some(found.step_jitter_ns), Some(found.release_jitter_ns))
}

/// The least J for which a time t0 exists such that each release is between its point of the grid and J after it: the spread of how
/// late releases are. `late` is by how much each is later than the one before it.
fn release_jitter(late: impl Iterator<Item = i64>) -> i64 {
    let (mut low, mut high, mut sum) = (0_i64, 0_i64, 0_i64);
    for step in late {
        sum = sum.saturating_add(step);
        (low, high) = (low.min(sum), high.max(sum));
    }
    high.saturating_sub(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missed_periods_are_those_between_two_of_their_kind() {
        assert_eq!(nominal(&[5, 5, 5, 5, 10, 5, 5, 5, 5, 5, 5]), Some((5, 1, 90)));
        assert_eq!(nominal(&[5, 5, 5, 5, 5, 5, 5, 5, 5, 15, 5]), Some((5, 2, 90)));
        // The period changes and stays: no miss. Too few, or too different.
        assert_eq!(nominal(&[5, 5, 5, 5, 5, 5, 5, 5, 5, 10]), Some((5, 0, 90)));
        assert_eq!(nominal(&[5, 5, 5, 5, 10, 10, 10, 10]), None);
        assert_eq!(nominal(&[5, 5, 5]), None);
        assert_eq!(nominal(&[5, 5, 5, 5]), Some((5, 0, 100)));
        assert_eq!(nominal(&[0, 0, 0, 0]), None);
    }

    /// Compared with a search over all grids.
    #[test]
    fn release_jitter_is_the_narrowest_strip() {
        let mut state = 1_u64;
        for _ in 0..500 {
            let mut next = |most: i64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                i64::try_from(state >> 33).unwrap() % most
            };
            let times: Vec<i64> = (0..8).map(|n| n * 50 + next(40)).collect();
            let late: Vec<i64> = times.iter().zip(0..).map(|(ns, n)| ns - n * 50).collect();
            let fits = |t0: i64, j: i64| late.iter().all(|late| (t0..=t0 + j).contains(late));
            let least = (0..50).find(|j| (0..50).any(|t0| fits(t0, *j))).unwrap();
            let steps = times.windows(2).map(|pair| pair[1] - pair[0] - 50);
            assert_eq!(release_jitter(steps), least, "{times:?}");
        }
        assert_eq!(release_jitter(std::iter::empty()), 0);
    }
}
