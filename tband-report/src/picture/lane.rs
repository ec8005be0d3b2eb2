//! Lanes: stretches of time one behind the other.

/// What lies on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Stretches with a text.
    Stretches,
    /// Moments with a text; their ends are their starts.
    Moments,
    /// Stretches with a number.
    Levels,
}

/// A stretch of time, in ns, with the number of its text, or a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub start: i64,
    pub end: i64,
    pub value: i64,
}

/// Stretches that do not overlap, in the order of time.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub kind: Kind,
    pub done: Vec<Stretch>,
    /// Since when what goes on, and what that is.
    open: Option<(i64, i64)>,
}

impl Lane {
    pub const fn new(kind: Kind) -> Self {
        Self { kind, done: Vec::new(), open: None }
    }

    /// What goes on.
    pub fn value(&self) -> Option<i64> {
        self.open.map(|(_, value)| value)
    }

    /// Ends what goes on and begins something else, if there is something. The number of stretches that are new.
    pub fn set(&mut self, ns: i64, value: Option<i64>) -> usize {
        let ns = ns.max(self.last());
        let mut more = 0;
        if let Some((start, before)) = self.open {
            if self.kind == Kind::Levels && Some(before) == value {
                return 0;
            }
            if ns > start {
                self.done.push(Stretch { start, end: ns, value: before });
                more = 1;
            }
        }
        self.open = value.map(|value| (ns, value));
        more
    }

    /// A moment. Time may step back a little between cores.
    pub fn moment(&mut self, ns: i64, value: i64) -> usize {
        let ns = ns.max(self.last());
        self.done.push(Stretch { start: ns, end: ns, value });
        1
    }

    /// A stretch of which both ends are known.
    pub fn stretch(&mut self, (from, to): (i64, i64), value: i64) -> usize {
        let start = from.max(self.last());
        self.done.push(Stretch { start, end: to.max(start), value });
        1
    }

    /// The last moment that is taken.
    fn last(&self) -> i64 {
        let done = self.done.last().map_or(i64::MIN, |last| last.end);
        done.max(self.open.map_or(i64::MIN, |(start, _)| start))
    }

    /// Makes one of neighbours that are shorter than `ns` and begin in the same stretch of `ns`: several, of which
    /// the text is `many`; of levels the last is kept.
    pub fn merge(&mut self, ns: i64, many: i64) {
        let kind = self.kind;
        let mut kept: Vec<Stretch> = Vec::new();
        let is_short = |it: &Stretch| it.end.saturating_sub(it.start) < ns;
        let bin = |it: &Stretch| it.start.div_euclid(ns);
        for stretch in self.done.drain(..) {
            match kept.last_mut() {
                Some(last)
                    if is_short(last)
                        && is_short(&stretch)
                        && bin(last) == bin(&stretch)
                        && last.end.saturating_add(ns) > stretch.start =>
                {
                    last.end = if kind == Kind::Moments { last.start } else { stretch.end };
                    last.value = if kind == Kind::Levels { stretch.value } else { many };
                }
                _ => kept.push(stretch),
            }
        }
        kept.shrink_to_fit();
        self.done = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_ends_where_something_else_begins() {
        let mut lane = Lane::new(Kind::Stretches);
        lane.set(5, Some(1));
        lane.set(9, Some(2));
        // Nothing lasts no time, and time does not go back.
        lane.set(9, Some(3));
        lane.set(7, None);
        assert_eq!(lane.done, [Stretch { start: 5, end: 9, value: 1 }]);
        lane.set(20, Some(4));
        lane.set(21, None);
        assert_eq!(lane.done.last(), Some(&Stretch { start: 20, end: 21, value: 4 }));
    }

    #[test]
    fn short_neighbours_become_one() {
        let mut lane = Lane::new(Kind::Stretches);
        for ns in [0, 1, 3, 100, 250] {
            lane.set(ns, Some(ns));
        }
        lane.set(260, None);
        lane.merge(100, -1);
        let of = |start, end, value| Stretch { start, end, value };
        // The third is part of the first bin, and as long as all of it nearly.
        assert_eq!(lane.done, [of(0, 100, -1), of(100, 250, 100), of(250, 260, 250)]);
    }
}
