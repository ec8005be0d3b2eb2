//! Known facts about a clock whose times are given in another clock.

use super::estimate::Estimate;

/// How a clock runs against the first one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Aligned {
    /// Name of its input.
    pub input: String,
    /// Its core, where each core has its own clock.
    pub core: Option<u32>,
    /// The cores whose events have its times, by number.
    pub cores: Vec<u32>,
    /// Moments that it has in common with the first clock.
    pub moments: usize,
    /// Its deviation from its nominal frequency, relative to the first clock, in parts per million; positive if it runs faster.
    pub drift_ppm: f64,
    /// Maximum error of its times against the first clock, in ns, within the recording, including the tick by which a time may
    /// have been read late. Events of the two clocks that are closer than this may have come in either order.
    pub uncertainty_ns: f64,
    /// Pieces of time in which its rate is taken to be the same.
    pub pieces: usize,
    /// Times and their uncertainty, in ticks of the first clock. Between two points the uncertainty is at most the linear
    /// interpolation.
    pub(crate) points: Vec<(f64, f64)>,
}

impl Aligned {
    /// The same clock in the next run of the target.
    pub(crate) fn continue_with(&mut self, later: Self) {
        for core in later.cores {
            if let Err(at) = self.cores.binary_search(&core) {
                self.cores.insert(at, core);
            }
        }
        // The rate that more moments show counts.
        if later.moments > self.moments {
            self.drift_ppm = later.drift_ppm;
        }
        self.moments = self.moments.saturating_add(later.moments);
        self.pieces = self.pieces.saturating_add(later.pieces);
        self.uncertainty_ns = self.uncertainty_ns.max(later.uncertainty_ns);
        self.points.extend(later.points);
    }
}

/// Number of times at which the uncertainty is computed, in addition to those where the rate changes.
const POINTS: u64 = 64;

impl Estimate {
    /// How far wrong the times of events can be, at times of the clock from the first of these to the last; both in ticks of the
    /// reference, by rising time.
    pub(crate) fn points(&self, (from, to): (u64, u64)) -> Vec<(f64, f64)> {
        let step = (to.saturating_sub(from) / POINTS).max(1);
        let even = (0..POINTS).map(|point| from.saturating_add(point.saturating_mul(step)));
        let mut own: Vec<u64> =
            even.chain(self.turns()).chain([to]).filter(|it| (from..=to).contains(it)).collect();
        own.sort_unstable();
        own.dedup();
        own.into_iter().map(|own| (self.at(own), self.of_event(own))).collect()
    }

    /// How far from [`at`](Self::at), rounded, the other clock can be at an event that has this time: times of both are ticks that
    /// had begun.
    fn of_event(&self, own: u64) -> f64 {
        self.uncertainty(own) + self.rate().max(1.0) + 0.5
    }
}
