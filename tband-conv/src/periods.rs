//! Periods of releases, found by their steps, and how regular the releases are.

/// Steps by which a period is chosen. Fewer are enough at the end of a recording.
const CHOOSE: usize = 64;
/// Steps without which nothing has a period.
const MIN_STEPS: u64 = 16;
/// The part of the steps that has to agree, in percent.
const AGREE: u64 = 90;
/// Steps that do not agree, in percent, beyond which the first steps were not those of a period: the rest is only counted.
const HOPELESS: u64 = 25;
/// A step of so many periods at most is one with releases that are missing.
const MAX_PERIODS: i64 = 4;

/// A period that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DetectedPeriod {
    /// The period in ns: the median of the first steps.
    pub ns: i64,
    /// Steps within a tenth of one to four periods, in percent of all steps.
    pub agree: u64,
    /// Periods without a release.
    pub missed: u64,
    /// The greatest difference of a step from its periods, in ns.
    pub step_jitter_ns: i64,
    /// The least J for which a grid of any even period exists such that each release is at most J after its point, in ns.
    pub release_jitter_ns: i64,
}

/// Follows the releases of one subject. Memory does not grow with the recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Releases {
    last: Option<i64>,
    count: u64,
    least: Option<i64>,
    /// The first steps, until a period is chosen; `None` where releases may be missing.
    first: Vec<Option<i64>>,
    steps: usize,
    fit: Option<PeriodFit>,
}

impl Releases {
    /// There is a release, at a time in ns that is not before the last one.
    #[inline]
    pub fn add(&mut self, ns: i64) {
        self.count = self.count.saturating_add(1);
        let Some(last) = self.last.replace(ns) else { return };
        let step = ns.saturating_sub(last);
        self.least = Some(self.least.map_or(step, |least| least.min(step)));
        match &mut self.fit {
            Some(fit) if fit.is_hopeless => {}
            Some(fit) => fit.add(step),
            None => self.gather(step),
        }
    }

    #[inline(never)]
    fn gather(&mut self, step: i64) {
        self.first.push(Some(step));
        self.steps += 1;
        if self.steps >= CHOOSE {
            self.fit = Some(PeriodFit::new(&std::mem::take(&mut self.first)));
        }
    }

    /// Releases may be missing before the next one.
    pub fn restart(&mut self) {
        if self.last.take().is_none() {
            return;
        }
        match &mut self.fit {
            Some(fit) => fit.restart(),
            // Two of them in a row are one.
            None if self.first.last().is_some_and(Option::is_some) => self.first.push(None),
            None => {}
        }
    }

    /// Keeps the releases of the run of the target that has more of them.
    pub fn join(&mut self, later: Self) {
        if later.count > self.count {
            *self = later;
        }
    }

    /// Releases that were seen.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The least step in ns, if there is any.
    #[must_use]
    pub const fn least_ns(&self) -> Option<i64> {
        self.least
    }

    /// The period, if the releases have one.
    #[must_use]
    pub fn period(&self) -> Option<DetectedPeriod> {
        let own;
        let fit = match &self.fit {
            Some(fit) => fit,
            None => {
                own = PeriodFit::new(&self.first);
                &own
            }
        };
        fit.detected()
    }
}

/// Steps compared with a period.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PeriodFit {
    /// Too few steps agree: nothing is followed any more.
    is_hopeless: bool,
    period: i64,
    steps: u64,
    agree: u64,
    missed: u64,
    step_jitter: i64,
    /// The point of the last release, and its time, since the last restart.
    point: i64,
    time: i64,
    strip: Strip,
    release_jitter: i64,
}

impl PeriodFit {
    fn new(first: &[Option<i64>]) -> Self {
        let mut sorted: Vec<i64> = first.iter().copied().flatten().collect();
        sorted.sort_unstable();
        let period = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0);
        let mut fit = Self {
            is_hopeless: false,
            period,
            steps: 0,
            agree: 0,
            missed: 0,
            step_jitter: 0,
            point: 0,
            time: 0,
            strip: Strip::default(),
            release_jitter: 0,
        };
        for step in first {
            match step {
                Some(step) => fit.add(*step),
                None => fit.restart(),
            }
        }
        fit
    }

    fn add(&mut self, step: i64) {
        self.steps = self.steps.saturating_add(1);
        // Most of them are one period.
        let is_one = step.saturating_add(self.period / 2) >= self.period
            && step.saturating_sub(self.period) < self.period / 2;
        let periods = match is_one {
            true => 1,
            false => step.saturating_add(self.period / 2).checked_div(self.period).unwrap_or(0),
        };
        let away = step.saturating_sub(periods.saturating_mul(self.period)).saturating_abs();
        let is_near = away.saturating_mul(10) <= periods.saturating_mul(self.period);
        if !is_near || !(1..=MAX_PERIODS).contains(&periods) {
            // No point of the grid belongs to this release.
            let disagree = self.steps - self.agree;
            self.is_hopeless = disagree > CHOOSE as u64 / 4
                && disagree.saturating_mul(100) > self.steps.saturating_mul(HOPELESS);
            self.restart();
            return;
        }
        self.agree = self.agree.saturating_add(1);
        self.missed = self.missed.saturating_add(periods.unsigned_abs() - 1);
        self.step_jitter = self.step_jitter.max(away);
        if self.strip.is_empty() {
            (self.point, self.time) = (0, 0);
            self.strip.add(0, 0);
        }
        self.point = self.point.saturating_add(periods);
        self.time = self.time.saturating_add(step);
        self.strip.add(self.point, self.time);
    }

    fn restart(&mut self) {
        self.release_jitter = self.release_jitter.max(self.strip.width());
        self.strip = Strip::default();
    }

    fn detected(&self) -> Option<DetectedPeriod> {
        let agree = self.agree.saturating_mul(100).checked_div(self.steps)?;
        (self.period > 0 && !self.is_hopeless && self.steps >= MIN_STEPS && agree >= AGREE).then(
            || DetectedPeriod {
                ns: self.period,
                agree,
                missed: self.missed,
                step_jitter_ns: self.step_jitter,
                release_jitter_ns: self.release_jitter.max(self.strip.width()),
            },
        )
    }
}

/// The narrowest strip between two parallel lines that holds all points, measured along the time axis: found from the upper and the
/// lower hull of the points, which take constant time for each point on average.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Strip {
    upper: Vec<(i64, i64)>,
    lower: Vec<(i64, i64)>,
}

impl Strip {
    const fn is_empty(&self) -> bool {
        self.upper.is_empty()
    }

    /// Adds a point right of all others.
    fn add(&mut self, x: i64, y: i64) {
        push(&mut self.upper, (x, y), |turn| turn >= 0);
        push(&mut self.lower, (x, y), |turn| turn <= 0);
    }

    /// The width of the narrowest strip, in whole ns.
    fn width(&self) -> i64 {
        // It is a convex function of the slope, least at the slope of an edge.
        let edges = self.upper.windows(2).chain(self.lower.windows(2));
        let slopes = edges.filter_map(|edge| {
            let [from, to] = edge else { return None };
            Some((i128::from(to.1) - i128::from(from.1), i128::from(to.0) - i128::from(from.0)))
        });
        let mut slopes: Vec<(i128, i128)> = slopes.collect();
        slopes.sort_by(|(rise, run), (other_rise, other_run)| {
            (rise * other_run).cmp(&(other_rise * run))
        });
        let (mut low, mut high) = (0, slopes.len().saturating_sub(1));
        while low < high {
            let middle = low + (high - low) / 2;
            let (Some(here), Some(next)) = (slopes.get(middle), slopes.get(middle + 1)) else {
                break;
            };
            let ((width, run), (next_width, next_run)) = (self.at(*here), self.at(*next));
            // Exact: rounded widths of two slopes can be equal before the least one.
            if width.saturating_mul(next_run) <= next_width.saturating_mul(run) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let Some((width, run)) = slopes.get(low).map(|slope| self.at(*slope)) else { return 0 };
        let width = width.saturating_add(run - 1).checked_div(run).unwrap_or(0);
        i64::try_from(width).unwrap_or(i64::MAX)
    }

    /// The width of the strip with a slope, as rise and run, times the run.
    fn at(&self, (rise, run): (i128, i128)) -> (i128, i128) {
        let distance = |(x, y): &(i64, i64)| {
            i128::from(*y).saturating_mul(run).saturating_sub(i128::from(*x).saturating_mul(rise))
        };
        let high = self.upper.iter().map(distance).max().unwrap_or(0);
        let low = self.lower.iter().map(distance).min().unwrap_or(0);
        (high.saturating_sub(low), run)
    }
}

/// Adds a point to a hull: points that it makes inner ones are removed.
fn push(hull: &mut Vec<(i64, i64)>, point: (i64, i64), is_inner: impl Fn(i128) -> bool) {
    while let [.., from, middle] = hull[..] {
        let (dx, dy) = (i128::from(middle.0 - from.0), i128::from(middle.1 - from.1));
        let (ex, ey) = (i128::from(point.0 - from.0), i128::from(point.1 - from.1));
        if !is_inner(dx * ey - dy * ex) {
            break;
        }
        hull.pop();
    }
    hull.push(point);
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self, most: i64) -> i64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            i64::try_from(self.0 >> 33).unwrap() % most
        }
    }

    fn releases(times: &[i64]) -> Releases {
        let mut releases = Releases::default();
        times.iter().for_each(|ns| releases.add(*ns));
        releases
    }

    fn from_steps(steps: &[i64]) -> Option<DetectedPeriod> {
        let mut now = 0;
        let times = steps.iter().map(|step| {
            now += step;
            now
        });
        let times: Vec<i64> = [0].into_iter().chain(times).collect();
        releases(&times).period()
    }

    #[test]
    fn a_period_is_found_within_a_tenth() {
        let mut steps = vec![100_i64; 18];
        steps.extend([90, 110]);
        let found = from_steps(&steps).unwrap();
        assert_eq!((found.ns, found.missed, found.agree, found.step_jitter_ns), (100, 0, 100, 10));
        steps[18] = 89;
        steps[19] = 111;
        assert_eq!(from_steps(&steps).unwrap().agree, 90);
        steps[17] = 111;
        assert_eq!(from_steps(&steps), None);
        steps.truncate(16);
        steps[15] = 300;
        assert_eq!(from_steps(&steps).map(|it| (it.ns, it.missed)), Some((100, 2)));
        assert_eq!(from_steps(&steps[..15]), None);
        assert_eq!(from_steps(&[0; 20]), None);
        // 500 is more than four periods.
        let mut steps = vec![100_i64; 20];
        steps[10] = 500;
        assert_eq!(from_steps(&steps).map(|it| (it.agree, it.missed)), Some((95, 0)));
    }

    /// A long recording agrees with a short one of the same kind.
    #[test]
    fn later_steps_are_compared_with_the_first_ones() {
        let mut numbers = Numbers(3);
        for (count, is_periodic) in [(1000, true), (1000, false)] {
            let mut now = 0;
            let times: Vec<i64> = (0..count)
                .map(|n| {
                    let late = !is_periodic && n > 100 && n % 3 == 0;
                    now += 1000 + if late { 450 } else { 0 };
                    now + numbers.next(40)
                })
                .collect();
            assert_eq!(releases(&times).period().is_some(), is_periodic);
        }
    }

    /// Compared with a search over all slopes between two points.
    #[test]
    fn the_strip_is_the_narrowest() {
        let mut numbers = Numbers(1);
        for round in 0..200 {
            let count = 2 + round % 30;
            let mut strip = Strip::default();
            let mut x = 0;
            let points: Vec<(i64, i64)> = (0..count)
                .map(|_| {
                    x += 1 + numbers.next(3);
                    (x, x * 50 + numbers.next(45))
                })
                .collect();
            points.iter().for_each(|(x, y)| strip.add(*x, *y));
            let mut least = i64::MAX;
            for (index, from) in points.iter().enumerate() {
                for to in &points[index + 1..] {
                    let (run, rise) = (to.0 - from.0, to.1 - from.1);
                    let all = points.iter().map(|(x, y)| y * run - x * rise);
                    let width = all.clone().max().unwrap() - all.min().unwrap();
                    least = least.min((width + run - 1) / run);
                }
            }
            assert_eq!(strip.width(), least, "{points:?}");
        }
    }

    /// An even grid with another period than the median has a strip without width; a drift is not jitter.
    #[test]
    fn jitter_is_measured_against_any_even_grid() {
        // Timestamps of 3 steps are 1000 long, so steps are 333, 333, 334.
        let times: Vec<i64> = (0..1000).map(|n| n * 1000 / 3).collect();
        let found = releases(&times).period().unwrap();
        assert_eq!((found.ns, found.release_jitter_ns), (333, 1));
        let mut numbers = Numbers(9);
        let times: Vec<i64> = (0..1000).map(|n| n * 1000 + numbers.next(101)).collect();
        let jitter = releases(&times).period().unwrap().release_jitter_ns;
        assert!((95..=100).contains(&jitter), "{jitter}");
    }

    #[test]
    fn gaps_begin_another_grid() {
        let mut all = Releases::default();
        for part in 0..4 {
            for n in 0..20 {
                all.add(part * 1_000_003 + n * 100);
            }
            all.restart();
            all.restart();
        }
        let found = all.period().unwrap();
        assert_eq!((found.ns, found.agree, found.release_jitter_ns), (100, 100, 0));
        assert_eq!((all.count(), all.least_ns()), (80, Some(100)));
    }
}
