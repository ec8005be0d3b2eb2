//! When a computer has received what was recorded. An event was before that; how long its bytes were under way nobody tells, but
//! the quickest ones of a while were about as quick as those of another.

use super::least;
use super::marks::OfClock;
use crate::drift::{Bound, Estimate};

/// Times at which the quickest bytes are looked for.
const WHILES: usize = 32;

/// Gives all times of receiving from the first one on: then numbers have room for fractions of a ns.
pub(super) fn from_the_first<'c>(clocks: impl Iterator<Item = &'c mut OfClock>) {
    let mut clocks: Vec<_> = clocks.collect();
    let first = clocks.iter().flat_map(|clock| clock.received.iter().map(|(ns, _)| *ns)).min();
    for (ns, _) in clocks.iter_mut().flat_map(|clock| clock.received.iter_mut()) {
        *ns = ns.saturating_sub(first.unwrap_or(0));
    }
}

/// How a clock runs against that of the computer, and from how many times. `within`: for how many ns the quickest bytes were under
/// way at most.
pub(super) fn estimate(
    clock: &OfClock,
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

/// Of each while the time that was the shortest one under way.
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
