//! Times against a grid of periods: how far each is from its point, in constant memory.

/// Times of one kind, such as releases, against points of a grid.
#[derive(Clone, Copy, Debug, Default)]
pub struct Grid {
    /// The point and the time that the grid begins with.
    base: Option<(i64, i64)>,
    /// Least and greatest residual since then, and the last one.
    low: i64,
    high: i64,
    last: i64,
    /// The greatest difference of two residuals of one grid, and of two that follow each other.
    spread: i64,
    step: i64,
    count: u64,
    steps: u64,
}

impl Grid {
    /// Something is missing: the next time begins another grid.
    pub const fn restart(&mut self) {
        self.base = None;
    }

    /// A time in ns, and its point in ns, of any origin.
    pub fn add(&mut self, point: i64, ns: i64) {
        self.count = self.count.saturating_add(1);
        let Some((point_of_base, ns_of_base)) = self.base else {
            self.base = Some((point, ns));
            (self.low, self.high, self.last) = (0, 0, 0);
            return;
        };
        let residual =
            ns.saturating_sub(ns_of_base).saturating_sub(point.saturating_sub(point_of_base));
        (self.low, self.high) = (self.low.min(residual), self.high.max(residual));
        self.spread = self.spread.max(self.high.saturating_sub(self.low));
        self.step = self.step.max(residual.saturating_sub(self.last).saturating_abs());
        self.last = residual;
        self.steps = self.steps.saturating_add(1);
    }

    /// How many times there are.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The least J for which a grid exists such that each time is at most J after its point, in ns.
    pub fn spread(&self) -> Option<i64> {
        (self.steps > 0).then_some(self.spread)
    }

    /// The greatest difference of a step from that of its points, in ns.
    pub fn step(&self) -> Option<i64> {
        (self.steps > 0).then_some(self.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with a search over all grids.
    #[test]
    fn the_spread_is_the_narrowest_strip() {
        let mut state = 7_u64;
        for _ in 0..300 {
            let mut next = |most: i64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                i64::try_from(state >> 33).unwrap() % most
            };
            let times: Vec<i64> = (0..9).map(|n| 1000 + n * 50 + next(40)).collect();
            let mut grid = Grid::default();
            times.iter().zip(0..).for_each(|(ns, n)| grid.add(n * 50, *ns));
            let fits = |t0: i64, j: i64| {
                times.iter().zip(0..).all(|(ns, n)| (t0 + n * 50..=t0 + n * 50 + j).contains(ns))
            };
            let least = (0..50).find(|j| (1000..1050).any(|t0| fits(t0, *j)));
            assert_eq!(grid.spread(), least, "{times:?}");
            let steps = times.windows(2).map(|pair| (pair[1] - pair[0] - 50).abs());
            assert_eq!(grid.step(), steps.max());
        }
        let mut grid = Grid::default();
        assert_eq!((grid.spread(), grid.step()), (None, None));
        grid.add(0, 5);
        grid.restart();
        grid.add(50, 900);
        assert_eq!((grid.spread(), grid.count()), (None, 2));
    }
}
