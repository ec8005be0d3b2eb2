//! How a clock runs against another one, from bounds at single times: offset, rate, and their uncertainty.
//!
//! Times are ticks of either clock. A clock is assumed to run evenly for as long as that agrees with all bounds. Where it does
//! not, another piece begins, so a rate that changes with the temperature is followed.

use super::corridor::{Corridor, Line};

/// At `own` on a clock the reference was between these two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Ticks of the clock.
    pub own: u64,
    /// The reference had reached this.
    pub at_least: Option<u64>,
    /// The reference had not passed this.
    pub at_most: Option<u64>,
}

/// A piece of time in which a clock runs evenly.
#[derive(Clone, Debug)]
struct Piece {
    /// Ticks of the clock at which it begins; the first one also applies before.
    from: u64,
    /// Where x and y are 0: ticks of both clocks.
    origin: (u64, u64),
    line: Line,
    corridor: Corridor,
    /// In ticks of the reference: nothing in it is earlier, so that time does not step back where it begins.
    floor: f64,
}

/// How a clock runs against the reference.
#[derive(Clone, Debug)]
pub struct Estimate {
    pieces: Vec<Piece>,
}

/// Largest deviation from the expected rate: no oscillator is further off.
const LARGEST_DRIFT: f64 = 1e-3;

/// Bounds before a piece that it agrees with as well, so that its rate is known from its begin on.
const OVERLAP: usize = 4;

impl Estimate {
    /// From bounds, in any order. `expected`: ticks of the reference for one of the clock, as far as frequencies are known.
    /// `None` if the bounds of one side are missing, or no piece of two agrees.
    #[must_use]
    pub fn new(bounds: &[Bound], expected: f64) -> Option<Self> {
        let has =
            |side: fn(&Bound) -> Option<u64>| bounds.iter().any(|bound| side(bound).is_some());
        if !has(|bound| bound.at_least) || !has(|bound| bound.at_most) || expected <= 0.0 {
            return None;
        }
        let mut bounds = bounds.to_vec();
        bounds.sort_unstable_by_key(|bound| bound.own);
        let reach = reach(&bounds, expected);
        let mut pieces: Vec<Piece> = Vec::new();
        let (mut rest, mut from) = (bounds.as_slice(), 0);
        while !rest.is_empty() {
            let LineFit { mut piece, taken, is_bounded } = fit(rest, (expected, reach), from)?;
            // Bounds on one side only, at the end: the previous piece continues.
            if is_bounded || pieces.is_empty() {
                if let Some(before) = pieces.last() {
                    piece.floor = before.at(piece.from);
                }
                pieces.push(piece);
            }
            let Some(last) = rest.get(taken.saturating_sub(1)) else { break };
            if taken == rest.len() {
                break;
            }
            // The next one applies from the last bound of this one on, and also agrees with some earlier bounds.
            from = last.own;
            rest = rest.get(taken.saturating_sub(OVERLAP).max(1)..).unwrap_or_default();
        }
        Some(Self { pieces })
    }

    fn piece(&self, own: u64) -> Option<&Piece> {
        let later = self.pieces.partition_point(|piece| piece.from <= own);
        self.pieces.get(later.saturating_sub(1))
    }

    /// Ticks of the reference, which may be below 0, at a time of the clock.
    #[must_use]
    pub fn at(&self, own: u64) -> f64 {
        self.piece(own).map_or(0.0, |piece| piece.at(own).max(piece.floor))
    }

    /// How far from [`at`](Self::at) the reference can have been, in its ticks.
    #[must_use]
    pub fn uncertainty(&self, own: u64) -> f64 {
        let Some(piece) = self.piece(own) else { return f64::INFINITY };
        // Lifting by the floor increases the error by the same amount.
        let lifted = (piece.floor - piece.at(own)).max(0.0);
        piece.corridor.uncertainty(&piece.line, piece.x(own)) + lifted
    }

    /// Where a piece begins, and the tick before: between these the uncertainty is a convex function of time.
    pub(crate) fn turns(&self) -> impl Iterator<Item = u64> {
        self.pieces.iter().flat_map(|piece| [piece.from.saturating_sub(1), piece.from])
    }

    /// Returns the average ticks of the reference for one of the clock.
    #[must_use]
    pub fn rate(&self) -> f64 {
        match (self.pieces.first(), self.pieces.last()) {
            (Some(first), Some(last)) if last.from > first.from => {
                (self.at(last.from) - self.at(first.from)) / (last.from - first.from) as f64
            }
            (Some(first), _) => first.line.rate,
            _ => 1.0,
        }
    }

    /// Pieces in each of which the clock runs evenly.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }
}

impl Piece {
    fn x(&self, own: u64) -> f64 {
        difference(own, self.origin.0)
    }

    fn at(&self, own: u64) -> f64 {
        self.origin.1 as f64 + self.line.at(self.x(own))
    }
}

fn difference(of: u64, from: u64) -> f64 {
    if of >= from { (of - from) as f64 } else { -((from - of) as f64) }
}

impl Bound {
    fn sides(&self) -> impl Iterator<Item = u64> {
        [self.at_least, self.at_most].into_iter().flatten()
    }
}

/// Returns the maximum distance of the reference's value at the begin of a piece from any bound.
fn reach(bounds: &[Bound], expected: f64) -> f64 {
    let sides = || bounds.iter().flat_map(Bound::sides);
    let (low, high) = (sides().min().unwrap_or(0), sides().max().unwrap_or(0));
    let own = bounds.first().zip(bounds.last());
    let far = own.map_or(0.0, |(first, last)| difference(last.own, first.own));
    difference(high, low) + (expected * far).mul_add(2.0, 1e3)
}

/// The first bounds that one line agrees with.
struct LineFit {
    piece: Piece,
    /// How many they are.
    taken: usize,
    /// They are bounds on both sides.
    is_bounded: bool,
}

/// Fits one line to as many bounds as possible, for a piece that applies from a time of the clock on.
fn fit(bounds: &[Bound], (expected, reach): (f64, f64), from: u64) -> Option<LineFit> {
    let first = bounds.first()?;
    let near = bounds.iter().flat_map(Bound::sides).next()?;
    let origin = (first.own, near);
    let rates = (expected * (1.0 - LARGEST_DRIFT), expected * (1.0 + LARGEST_DRIFT));
    let mut corridor = Corridor::new(rates, (-reach, reach));
    let mut taken = 0;
    for bound in bounds {
        let mut next = corridor.clone();
        let x = difference(bound.own, origin.0);
        let low = bound.at_least.is_none_or(|y| next.cut_below(x, difference(y, near)));
        let high = bound.at_most.is_none_or(|y| next.cut_above(x, difference(y, near)));
        if !(low && high) {
            break;
        }
        corridor = next;
        taken += 1;
    }
    let used = bounds.get(..taken)?;
    let is_bounded = used.iter().any(|bound| bound.at_least.is_some())
        && used.iter().any(|bound| bound.at_most.is_some());
    let to = difference(used.last()?.own, origin.0);
    let line = corridor.middle(0.0, to);
    let from = from.max(first.own);
    let piece = Piece { from, origin, line, corridor, floor: f64::NEG_INFINITY };
    Some(LineFit { piece, taken, is_bounded })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock that has run `ppm` fast since it began at `begin` of the reference.
    #[derive(Clone, Copy)]
    struct Synthetic {
        begin: f64,
        ppm: f64,
        /// Reference ticks in which the rate changes by a ppm.
        warms: f64,
    }

    impl Synthetic {
        fn own(&self, reference: f64) -> f64 {
            let t = reference - self.begin;
            let warmth = if self.warms > 0.0 { t * t / (2.0 * self.warms) * 1e-6 } else { 0.0 };
            t * (1.0 + self.ppm * 1e-6) + warmth
        }
    }

    /// Pseudorandom numbers with a fixed seed.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    /// Both clocks send and receive: a transmission takes `least` ticks and up to `jitter` more.
    fn exchange(
        clock: Synthetic,
        count: u64,
        every: u64,
        (least, jitter): (u64, u64),
        seed: u64,
    ) -> Vec<Bound> {
        let mut numbers = Numbers(seed);
        let mut bounds = Vec::new();
        for round in 0..count {
            let there = 1_000_000 + round * every;
            let arrives = there + least + numbers.below(jitter + 1);
            let own = clock.own(arrives as f64).floor() as u64;
            bounds.push(Bound { own, at_least: Some(there), at_most: None });
            let back = arrives + 100;
            let returns = back + least + numbers.below(jitter + 1);
            let own = clock.own(back as f64).ceil() as u64;
            bounds.push(Bound { own, at_least: None, at_most: Some(returns) });
        }
        bounds
    }

    fn assert_within(estimate: &Estimate, clock: Synthetic, (from, to): (u64, u64), limit: f64) {
        for step in 0..=1000 {
            let reference = from + (to - from) / 1000 * step;
            let own = clock.own(reference as f64).round() as u64;
            let (found, bound) = (estimate.at(own), estimate.uncertainty(own));
            let error = (found - reference as f64).abs();
            assert!(error <= bound + 2.0, "at {reference}: {error} > {bound}");
            assert!(bound <= limit, "at {reference}: {bound} > {limit}");
        }
    }

    #[test]
    fn offset_and_drift_are_recovered_within_the_stated_bound() {
        for (seed, (begin, ppm)) in
            [(0.0, 0.0), (300_000.0, 37.5), (-5e9, -120.0), (999_000.0, 450.0)]
                .into_iter()
                .enumerate()
        {
            let clock = Synthetic { begin, ppm, warms: 0.0 };
            let bounds = exchange(clock, 200, 10_000_000, (20, 400), seed as u64 + 1);
            let estimate = Estimate::new(&bounds, 1.0).expect("an estimate");
            assert_eq!(estimate.pieces(), 1);
            // The bound is better than one exchange, which gives 220 on average.
            assert_within(&estimate, clock, (1_000_000, 1_000_000 + 200 * 10_000_000), 120.0);
            assert!((estimate.rate() * (1.0 + ppm * 1e-6) - 1.0).abs() < 1e-6, "{ppm}");
        }
    }

    #[test]
    fn a_rate_that_changes_is_followed_in_pieces() {
        // 20 ppm in 20 s of 10 MHz.
        let clock = Synthetic { begin: 0.0, ppm: 10.0, warms: 1e7 };
        let bounds = exchange(clock, 400, 500_000, (5, 20), 7);
        let estimate = Estimate::new(&bounds, 1.0).expect("an estimate");
        assert!(estimate.pieces() > 1, "{}", estimate.pieces());
        let mut last = f64::NEG_INFINITY;
        for own in (1_000_000..200_000_000).step_by(10_007) {
            let at = estimate.at(own);
            assert!(at >= last, "time steps back at {own}: {at} after {last}");
            last = at;
            let error = (clock.own(at) - own as f64).abs();
            assert!(error < 60.0, "at {own}: {error}");
        }
    }

    #[test]
    fn another_frequency_is_a_rate() {
        let clock = Synthetic { begin: 0.0, ppm: 0.0, warms: 0.0 };
        let bounds: Vec<_> = exchange(clock, 50, 1_000_000, (10, 50), 3)
            .into_iter()
            .map(|bound| Bound { own: bound.own * 3, ..bound })
            .collect();
        let estimate = Estimate::new(&bounds, 1.0 / 3.0).expect("an estimate");
        assert!((estimate.rate() - 1.0 / 3.0).abs() < 1e-6);
        assert!(Estimate::new(&bounds, 1.0).is_none_or(|it| it.pieces() > 10), "no oscillator");
    }

    #[test]
    fn one_direction_alone_gives_no_estimate() {
        let clock = Synthetic { begin: 0.0, ppm: 0.0, warms: 0.0 };
        let mut bounds = exchange(clock, 50, 1_000_000, (10, 50), 3);
        bounds.retain(|bound| bound.at_most.is_none());
        assert!(Estimate::new(&bounds, 1.0).is_none());
        assert!(Estimate::new(&[], 1.0).is_none());
    }

    #[test]
    fn beyond_what_is_known_the_uncertainty_grows() {
        let clock = Synthetic { begin: 0.0, ppm: 25.0, warms: 0.0 };
        let estimate =
            Estimate::new(&exchange(clock, 20, 1_000_000, (10, 100), 9), 1.0).expect("one");
        let inside = estimate.uncertainty(10_000_000);
        let outside = estimate.uncertainty(1_000_000_000);
        assert!(outside > 10.0 * inside, "{inside} {outside}");
        let own = clock.own(1e9).round() as u64;
        assert!((estimate.at(own) - 1e9).abs() <= estimate.uncertainty(own) + 2.0);
    }
}
