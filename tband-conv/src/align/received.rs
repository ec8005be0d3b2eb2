//! Times at which a computer received the recorded bytes. An event happened before that. The transmission time is unknown, but
//! the fastest bytes of one interval took about as long as the fastest ones of another.

use super::least;
use super::marks::ClockMarks;
use crate::drift::estimate::{Bound, Estimate};

/// Number of intervals that are searched for the quickest bytes.
const WHILES: usize = 32;

/// Makes all times of reception relative to the first one, so that numbers have room for fractions of a ns.
pub(super) fn make_relative<'c>(clocks: impl Iterator<Item = &'c mut ClockMarks>) {
    let mut clocks: Vec<_> = clocks.collect();
    let first = clocks.iter().flat_map(|clock| clock.received.iter().map(|(ns, _)| *ns)).min();
    for (ns, _) in clocks.iter_mut().flat_map(|clock| clock.received.iter_mut()) {
        *ns = ns.saturating_sub(first.unwrap_or(0));
    }
}

/// Returns how a clock runs against that of the computer, and the number of times used. `within`: maximum transmission time of
/// the quickest bytes, in ns.
pub(super) fn estimate(
    clock: &ClockMarks,
    expected: f64,
    within: Option<u64>,
) -> (Option<Estimate>, usize) {
    let quickest = quickest(&clock.received, expected);
    let with = |apart: u64| {
        let earlier = clock.received.iter().map(|&(ns, own)| Bound {
            own,
            at_least: None,
            at_most: Some(ns),
        });
        let about = quickest.iter().map(|&(ns, own)| Bound {
            own,
            at_least: Some(ns.saturating_sub(apart)),
            at_most: None,
        });
        Estimate::new(&earlier.chain(about).collect::<Vec<_>>(), expected)
    };
    let moments = clock.received.len();
    match within {
        _ if quickest.len() < 2 => (None, moments),
        Some(ns) => (with(ns), moments),
        None => (least(with), moments),
    }
}

/// Returns the entry with the shortest transmission time in each interval.
fn quickest(received: &[(u64, u64)], expected: f64) -> Vec<(u64, u64)> {
    let Some(&(_, start)) = received.first() else { return Vec::new() };
    let way = |&(ns, own): &(u64, u64)| {
        let since = own.saturating_sub(start) as f64 * expected;
        ns as f64 - since
    };
    let size = received.len().div_ceil(WHILES).max(1);
    let of = |some: &[(u64, u64)]| {
        some.iter().min_by(|one, other| way(one).total_cmp(&way(other))).copied()
    };
    received.chunks(size).filter_map(of).collect()
}
