//! Changes in the order of time.
//!
//! Changes of several cores come nearly in order: a loss is reported when it is found, and concerns what was before it.

use std::collections::VecDeque;

/// Changes that are held back so that earlier ones can come before them.
const HELD: usize = 1 << 12;

/// Holds changes back until no earlier one is to be expected.
#[derive(Debug)]
pub struct Ordered<T> {
    held: VecDeque<(i64, T)>,
    /// Time of the last one that was given out.
    given_ns: i64,
}

impl<T> Default for Ordered<T> {
    fn default() -> Self {
        Self { held: VecDeque::new(), given_ns: i64::MIN }
    }
}

impl<T> Ordered<T> {
    /// When a change of this time can be reported: then, or at the time of what was given out already.
    pub fn at(&self, ns: i64) -> i64 {
        ns.max(self.given_ns)
    }

    /// Takes a change; gives the first one if there are enough.
    pub fn push(&mut self, ns: i64, change: T) -> Option<(i64, T)> {
        let ns = self.at(ns);
        match self.held.back() {
            Some((last, _)) if *last > ns => {
                let place = self.held.partition_point(|(held, _)| *held <= ns);
                self.held.insert(place, (ns, change));
            }
            _ => self.held.push_back((ns, change)),
        }
        if self.held.len() > HELD { self.pop() } else { None }
    }

    /// Gives the first one.
    pub fn pop(&mut self) -> Option<(i64, T)> {
        let first = self.held.pop_front();
        if let Some((ns, _)) = first {
            self.given_ns = ns;
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_late_comes_first_and_what_comes_too_late_at_once() {
        let mut ordered = Ordered::default();
        for ns in [5, 3, 5, 4] {
            assert_eq!(ordered.push(ns, ns), None);
        }
        assert_eq!([ordered.pop(), ordered.pop()], [Some((3, 3)), Some((4, 4))]);
        assert_eq!(ordered.push(1, 1), None);
        assert_eq!([ordered.pop(), ordered.pop()], [Some((4, 1)), Some((5, 5))]);
        let given: Vec<_> = (0..10_000).filter_map(|ns| ordered.push(ns, ns)).collect();
        assert_eq!(given.len(), 10_001 - HELD);
    }
}
