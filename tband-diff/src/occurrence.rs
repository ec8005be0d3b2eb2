//! Figures that count recordings in which something occurs.

use statrs::stats_tests::Alternative;
use statrs::stats_tests::fisher::fishers_exact_with_odds_ratio;

/// The two-sided p-value of Fisher's exact test: something occurs in `a` of `all_a` recordings of A, and in `b` of `all_b` of B. It is 1
/// if the numbers do not fit each other.
#[must_use]
pub fn fisher_exact((a, all_a): (u64, u64), (b, all_b): (u64, u64)) -> f64 {
    let (Some(rest_a), Some(rest_b)) = (all_a.checked_sub(a), all_b.checked_sub(b)) else {
        return 1.0;
    };
    let table = [a, rest_a, b, rest_b];
    let result = fishers_exact_with_odds_ratio(&table, Alternative::TwoSided);
    result.map_or(1.0, |(_, p)| p.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::fisher_exact;

    #[test]
    fn p_values_of_small_tables() {
        assert!((fisher_exact((0, 6), (6, 6)) - 2.0 / 924.0).abs() < 1e-9);
        assert!((fisher_exact((1, 10), (8, 10)) - 0.005_477).abs() < 1e-5);
        assert_eq!(fisher_exact((0, 6), (0, 6)), 1.0);
        assert_eq!(fisher_exact((7, 6), (0, 6)), 1.0);
    }
}
