//! The test of Mann and Whitney: whether the values of one group tend to be greater than those of the other.

use statrs::distribution::{ContinuousCDF, Normal};

/// Values of both groups up to which the distribution is exact. Beyond, the normal approximation differs by less than 0.001.
const MAX_EXACT: usize = 60;

/// The result of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// Pairs in which the value of B is greater; ties count as half.
    pub u: f64,
    /// The two-sided p-value.
    pub p: f64,
    /// The share of pairs in which the value of B is greater: 0.5 if the groups do not differ (Vargha and Delaney's A12).
    pub a12: f64,
}

/// Tests two groups; `None` if one of them is empty.
///
/// With up to 60 values the p-value is exact also if values are equal: it is twice the smaller tail over all divisions of the values
/// into groups of these sizes.
#[must_use]
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Option<MannWhitney> {
    let pairs = a.len().checked_mul(b.len()).filter(|pairs| *pairs > 0)? as f64;
    let ranks = doubled_ranks(a, b);
    let (of_a, of_b) = ranks.split_at(a.len().min(ranks.len()));
    let sum_b: u64 = of_b.iter().sum();
    let least_b = (b.len() * (b.len() + 1)) as f64;
    let u = (sum_b as f64 - least_b) / 2.0;
    let p = if ranks.len() <= MAX_EXACT {
        let (smaller, size) =
            if a.len() <= b.len() { (of_a.iter().sum(), a.len()) } else { (sum_b, b.len()) };
        exact(&ranks, size, smaller)
    } else {
        approximate(&ranks, (a.len(), b.len()), u)
    };
    Some(MannWhitney { u, p, a12: u / pairs })
}

/// Twice the rank of each value of A, then of B, among all. Equal values share the mean of their ranks.
fn doubled_ranks(a: &[f64], b: &[f64]) -> Vec<u64> {
    let all: Vec<f64> = a.iter().chain(b).copied().collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    let value = |index: &usize| all.get(*index).copied().unwrap_or(f64::NAN);
    order.sort_by(|left, right| value(left).total_cmp(&value(right)));
    let mut ranks = vec![0; all.len()];
    let mut first = 0_usize;
    for equal in order.chunk_by(|left, right| value(left) == value(right)) {
        let last = first + equal.len();
        for index in equal {
            if let Some(rank) = ranks.get_mut(*index) {
                *rank = (first + 1 + last) as u64;
            }
        }
        first = last;
    }
    ranks
}

/// The number of ways to choose `size` of the ranks, by their sum.
fn count_ways(ranks: &[u64], size: usize) -> Vec<f64> {
    let total: u64 = ranks.iter().sum();
    let width = usize::try_from(total).unwrap_or(0) + 1;
    let mut ways = vec![vec![0.0; width]; size + 1];
    if let Some(none) = ways.first_mut().and_then(|row| row.first_mut()) {
        *none = 1.0;
    }
    for rank in ranks {
        let rank = usize::try_from(*rank).unwrap_or(usize::MAX);
        // Each rank is chosen once at most: larger choices first.
        for count in (1..=size).rev() {
            let (fewer, more) = ways.split_at_mut(count);
            let (Some(fewer), Some(more)) = (fewer.last(), more.first_mut()) else { continue };
            for (sum, before) in more.iter_mut().skip(rank).zip(fewer) {
                *sum += before;
            }
        }
    }
    ways.pop().unwrap_or_default()
}

fn exact(ranks: &[u64], size: usize, sum: u64) -> f64 {
    // Without ties all doubled ranks are even: half of them need half of the sums.
    let step = if ranks.iter().all(|rank| rank % 2 == 0) { 2 } else { 1 };
    let ranks: Vec<u64> = ranks.iter().map(|rank| rank / step).collect();
    let (ways, sum) = (count_ways(&ranks, size), sum / step);
    let all: f64 = ways.iter().sum();
    let sum = usize::try_from(sum).unwrap_or(usize::MAX);
    let below: f64 = ways.iter().take(sum.saturating_add(1)).sum();
    let above: f64 = ways.iter().skip(sum).sum();
    (2.0 * below.min(above) / all).min(1.0)
}

/// By the normal distribution, with the corrections for ties and for continuity.
fn approximate(ranks: &[u64], (m, n): (usize, usize), u: f64) -> f64 {
    let (m, n, all) = (m as f64, n as f64, ranks.len() as f64);
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let cubes = sorted.chunk_by(|left, right| left == right).map(|equal| {
        let count = equal.len() as f64;
        count.powi(3) - count
    });
    let ties: f64 = cubes.sum::<f64>() / (all * (all - 1.0));
    let deviation = (m * n / 12.0 * (all + 1.0 - ties)).sqrt();
    let distance = ((u - m * n / 2.0).abs() - 0.5).max(0.0);
    if deviation <= 0.0 {
        return 1.0;
    }
    (2.0 * Normal::standard().sf(distance / deviation)).min(1.0)
}

/// The greatest number `c` such that the `c` least and the `c` greatest of all `m` times `n` differences together hold the true shift
/// with a probability of 5 % at most; 0 if there are too few values for any.
pub(crate) fn outer_differences(m: usize, n: usize) -> usize {
    const TAIL: f64 = 0.025;
    let all = m.saturating_add(n);
    let pairs = m.saturating_mul(n);
    if all <= MAX_EXACT {
        let ranks: Vec<u64> = (1..=all as u64).collect();
        let size = m.min(n);
        let ways = count_ways(&ranks, size);
        let total: f64 = ways.iter().sum();
        let mut sum = 0.0;
        let tail = ways.iter().skip(size * (size + 1) / 2).take_while(|ways| {
            sum += **ways;
            sum <= TAIL * total
        });
        return tail.count().min(pairs / 2);
    }
    let (mean, count) = (pairs as f64 / 2.0, all as f64);
    let deviation = (pairs as f64 / 12.0 * (count + 1.0)).sqrt();
    let rank = mean - 0.5 - Normal::standard().inverse_cdf(1.0 - TAIL) * deviation;
    (rank.max(0.0) as usize).min(pairs / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All divisions of the values into groups of these sizes.
    fn by_enumeration(a: &[f64], b: &[f64]) -> f64 {
        let all: Vec<f64> = a.iter().chain(b).copied().collect();
        let u_of = |in_b: &dyn Fn(usize) -> bool| -> f64 {
            let mut u = 0.0;
            for (i, left) in all.iter().enumerate().filter(|(i, _)| !in_b(*i)) {
                for (_, right) in all.iter().enumerate().filter(|(k, _)| in_b(*k) && *k != i) {
                    u += if right > left { 1.0 } else { f64::from(right == left) / 2.0 };
                }
            }
            u
        };
        let seen = u_of(&|index| index >= a.len());
        let (mut below, mut above, mut count) = (0, 0, 0);
        for mask in 0_u32..1 << all.len() {
            if mask.count_ones() as usize != b.len() {
                continue;
            }
            let u = u_of(&|index| mask >> index & 1 == 1);
            below += u32::from(u <= seen);
            above += u32::from(u >= seen);
            count += 1;
        }
        (2.0 * f64::from(below.min(above)) / f64::from(count)).min(1.0)
    }

    #[test]
    fn p_values_are_those_of_all_divisions() {
        let mut state = 7_u64;
        let mut next = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % most
        };
        for round in 0..60 {
            // Few different values: most of them are equal to others.
            let values = if round % 2 == 0 { 4 } else { 1000 };
            let (m, n) = (1 + next(5) as usize, 1 + next(5) as usize);
            let mut draw = |count| (0..count).map(|_| next(values) as f64).collect::<Vec<_>>();
            let (a, b) = (draw(m), draw(n));
            let found = mann_whitney(&a, &b).unwrap();
            assert!((found.p - by_enumeration(&a, &b)).abs() < 1e-12, "{a:?} {b:?} {found:?}");
            let back = mann_whitney(&b, &a).unwrap();
            assert!((found.p - back.p).abs() < 1e-12);
            assert!((found.a12 + back.a12 - 1.0).abs() < 1e-12);
        }
        assert_eq!(mann_whitney(&[], &[1.0]), None);
    }

    #[test]
    fn the_least_p_value_is_two_of_all_divisions() {
        let a: Vec<f64> = (0..6).map(f64::from).collect();
        let b: Vec<f64> = (10..16).map(f64::from).collect();
        let found = mann_whitney(&a, &b).unwrap();
        assert!((found.p - 2.0 / 924.0).abs() < 1e-12);
        assert_eq!((found.u, found.a12), (36.0, 1.0));
        let same = mann_whitney(&[1.0; 6], &[1.0; 6]).unwrap();
        assert_eq!((same.p, same.a12), (1.0, 0.5));
    }

    #[test]
    fn the_approximation_continues_the_exact_test() {
        let a: Vec<f64> = (0..30).map(f64::from).collect();
        let b: Vec<f64> = (0..30).map(|it| f64::from(it) + 7.5).collect();
        let exact = mann_whitney(&a, &b).unwrap();
        let ranks = doubled_ranks(&a, &b);
        let near = approximate(&ranks, (30, 30), exact.u);
        assert!((exact.p - near).abs() < 1e-3, "{} {near}", exact.p);
    }
}
