//! Pulses that several clocks have seen, which have no number: the times between them tell which is which.

use super::AlignError;

/// Number of a clock's pulses that are compared to identify them.
const LOOKED_AT: usize = 4096;

/// Fewer pulses in a row tell nothing.
const FEWEST: usize = 3;

/// Largest deviation from the expected rate: no oscillator is further off.
const LARGEST_DRIFT: f64 = 1e-3;

/// Returns the times of pulses that both clocks have, of the first clock and of the other: `None` if they do not match.
/// `expected`: ticks of the first clock for one of the other. `within`: by how many ticks of the first clock a pulse may be
/// recorded too late.
///
/// # Errors
/// [`AlignError::Ambiguous`], if they match in several ways.
pub(super) fn pairs(
    (first, own): (&[u64], &[u64]),
    expected: f64,
    within: Option<f64>,
) -> Result<Vec<(u64, u64)>, AlignError> {
    let fits = find_matches((first, own), expected, within);
    let Some(best) = fits.iter().min_by(|one, other| one.misfit.total_cmp(&other.misfit)) else {
        return Ok(Vec::new());
    };
    // A match that is almost as good is as likely.
    let limit = within.map_or_else(|| best.misfit.mul_add(4.0, 2.0), |within| 2.0 * within);
    if fits.iter().filter(|fit| fit.misfit <= limit).count() > 1 {
        return Err(AlignError::Ambiguous);
    }
    Ok(best.of(first).iter().copied().zip(best.of_other(own).iter().copied()).collect())
}

/// How the pulses of two clocks may belong together.
#[derive(Clone, Copy, Debug)]
struct PulseMatch {
    /// Number of pulses of each before the first that both have.
    skipped: (usize, usize),
    /// By how much times between pulses differ at most, in ticks of the first clock, more than rates can.
    misfit: f64,
}

impl PulseMatch {
    fn of<'p>(&self, first: &'p [u64]) -> &'p [u64] {
        first.get(self.skipped.0..).unwrap_or_default()
    }

    fn of_other<'p>(&self, own: &'p [u64]) -> &'p [u64] {
        own.get(self.skipped.1..).unwrap_or_default()
    }
}

fn find_matches(
    (first, own): (&[u64], &[u64]),
    expected: f64,
    within: Option<f64>,
) -> Vec<PulseMatch> {
    let looked_at = |all: &[u64]| all.len().min(LOOKED_AT);
    let (of_first, of_own) = (looked_at(first), looked_at(own));
    let fewest = FEWEST.max(of_first.min(of_own) / 2);
    let of_first = (0..=of_first.saturating_sub(fewest)).map(|skipped| (skipped, 0));
    let of_own = (1..=of_own.saturating_sub(fewest)).map(|skipped| (0, skipped));
    let fit = |skipped| {
        let fit = PulseMatch { skipped, misfit: 0.0 };
        let (first, own) = (fit.of(first), fit.of_other(own));
        let shortest = || first.windows(2).map(between).min().unwrap_or(0) as f64;
        let limit = within.map_or_else(|| shortest() / 4.0, |within| 2.0 * within);
        let misfit = largest_difference((first, own), expected, limit)?;
        (first.len().min(own.len()) >= FEWEST).then_some(PulseMatch { misfit, ..fit })
    };
    of_first.chain(of_own).filter_map(fit).collect()
}

/// By how much times between pulses differ at most, more than rates can; `None` if that is beyond the limit.
fn largest_difference((first, own): (&[u64], &[u64]), expected: f64, limit: f64) -> Option<f64> {
    let mut worst = 0.0_f64;
    for (first, own) in first.windows(2).zip(own.windows(2)).take(LOOKED_AT) {
        let (first, own) = (between(first) as f64, between(own) as f64 * expected);
        worst = worst.max((first - own).abs() - first.max(own) * LARGEST_DRIFT);
        if worst > limit {
            return None;
        }
    }
    Some(worst)
}

/// The time between two pulses that follow each other.
fn between(pair: &[u64]) -> u64 {
    match *pair {
        [one, next] => next.saturating_sub(one),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pulses at times between which nothing repeats.
    fn uneven(count: u64) -> Vec<u64> {
        (0..count).map(|it| it * 100_000 + it * it * 137 % 40_000).collect()
    }

    #[test]
    fn uneven_pulses_are_found_wherever_a_recording_begins() {
        let first = uneven(40);
        // The other began five pulses later, and missed the last two.
        let own: Vec<u64> = uneven(38)[5..].iter().map(|it| (it - 400_000) * 3 + it % 7).collect();
        for within in [None, Some(20.0)] {
            let pairs = pairs((&first, &own), 1.0 / 3.0, within).unwrap();
            assert_eq!(pairs.len(), 33);
            assert_eq!((pairs[0].0, pairs[0].1), (first[5], own[0]));
            let back = super::pairs((&own, &first), 3.0, within.map(|it| it * 3.0)).unwrap();
            assert_eq!((back[0].0, back[0].1), (own[0], first[5]));
        }
    }

    #[test]
    fn even_pulses_may_be_any_and_others_none() {
        let even: Vec<u64> = (0..40).map(|it| it * 1000).collect();
        let both = (&even[..], &even[3..]);
        for within in [None, Some(20.0)] {
            assert!(matches!(pairs(both, 1.0, within), Err(AlignError::Ambiguous)));
        }
        let uneven = uneven(40);
        assert_eq!(pairs((&even, &uneven), 1.0, Some(20.0)).unwrap(), []);
        assert_eq!(pairs((&even[..2], &even[..2]), 1.0, None).unwrap(), []);
        assert_eq!(pairs((&[], &even), 1.0, None).unwrap(), []);
    }
}
