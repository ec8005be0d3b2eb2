//! The correction for many tests.

/// Replaces p-values by the least false discovery rates at which each of them counts (Benjamini and Hochberg, 1995). The result has the
/// order of the input; every value is between 0 and 1.
#[must_use]
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    let value = |index: usize| p.get(index).copied().unwrap_or(1.0);
    order.sort_by(|left, right| value(*left).total_cmp(&value(*right)));
    let mut q = vec![1.0; p.len()];
    let mut least = 1.0_f64;
    for (rank, index) in order.iter().enumerate().rev() {
        let scaled = value(*index) * p.len() as f64 / (rank + 1) as f64;
        least = least.min(scaled);
        if let Some(place) = q.get_mut(*index) {
            *place = least;
        }
    }
    q
}

#[cfg(test)]
mod tests {
    use super::benjamini_hochberg;

    #[test]
    fn q_values_are_monotone_and_bounded() {
        assert!(benjamini_hochberg(&[]).is_empty());
        assert_eq!(benjamini_hochberg(&[0.5]), [0.5]);
        assert_eq!(benjamini_hochberg(&[0.04, 0.01, 0.03, 0.02]), [0.04; 4]);
        let q = benjamini_hochberg(&[1.0, 0.001, 0.9]);
        assert_eq!((q[0], q[2]), (1.0, 1.0));
        assert!((q[1] - 0.003).abs() < 1e-12);
    }
}
