//! The size of a change: by how much the values of B exceed those of A.

use crate::mann_whitney::outer_differences;

/// Values of a group that are compared with each other at most: more are thinned out to as many quantiles.
const MAX_VALUES: usize = 2048;

/// A shift and its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// The median of all differences of a value of B and a value of A (Hodges and Lehmann).
    pub estimate: f64,
    /// The interval that holds the true shift with a probability of 95 % at least; `None` if there are too few values for any.
    pub interval: Option<(f64, f64)>,
}

/// Computes the shift from A to B; `None` if one of them is empty.
///
/// The interval is the exact one of the test of Mann and Whitney. It needs four values in each group.
#[must_use]
pub fn hodges_lehmann(a: &[f64], b: &[f64]) -> Option<Shift> {
    let (a, b) = (thin(a), thin(b));
    let pairs = a.iter().flat_map(|before| b.iter().map(move |after| after - before));
    let mut differences: Vec<f64> = pairs.collect();
    differences.sort_by(f64::total_cmp);
    let estimate = median(&differences)?;
    let outer = outer_differences(a.len(), b.len());
    let interval = outer.checked_sub(1).and_then(|low| {
        let high = differences.len().checked_sub(outer)?;
        Some((*differences.get(low)?, *differences.get(high)?))
    });
    Some(Shift { estimate, interval })
}

/// The median of sorted values.
pub(crate) fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    Some((sorted.get(middle - 1)? + upper) / 2.0)
}

fn thin(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    if sorted.len() <= MAX_VALUES {
        return sorted;
    }
    let place = |index: usize| (2 * index + 1) * sorted.len() / (2 * MAX_VALUES);
    (0..MAX_VALUES).filter_map(|index| sorted.get(place(index)).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_shift_is_found() {
        let a: Vec<f64> = (0..6).map(|it| f64::from(it * it)).collect();
        let b: Vec<f64> = a.iter().map(|it| it + 3.0).collect();
        let shift = hodges_lehmann(&a, &b).unwrap();
        assert_eq!(shift.estimate, 3.0);
        let (low, high) = shift.interval.unwrap();
        assert!(low < 3.0 && high > 3.0);
        assert_eq!(hodges_lehmann(&a, &[]), None);
    }

    /// Ranks of the interval's ends, as in tables of the Wilcoxon rank sum test.
    #[test]
    fn the_interval_is_that_of_published_tables() {
        let ranks = [(3, 3), (4, 4), (5, 5), (6, 6), (8, 8), (10, 10), (4, 6)];
        let found = ranks.map(|(m, n)| outer_differences(m, n));
        assert_eq!(found, [0, 1, 3, 6, 14, 24, 3]);
    }

    #[test]
    fn few_values_have_no_interval() {
        assert_eq!(hodges_lehmann(&[1.0], &[2.0]).unwrap().interval, None);
        assert_eq!(hodges_lehmann(&[1.0, 2.0, 3.0], &[2.0, 3.0, 4.0]).unwrap().interval, None);
    }

    #[test]
    fn many_values_are_thinned_out() {
        let a: Vec<f64> = (0..10_000).map(f64::from).collect();
        let b: Vec<f64> = a.iter().map(|it| it + 500.0).collect();
        let shift = hodges_lehmann(&a, &b).unwrap();
        assert!((shift.estimate - 500.0).abs() < 5.0, "{shift:?}");
    }
}
