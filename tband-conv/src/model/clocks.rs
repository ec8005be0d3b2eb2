//! Several clocks: the possible error of each one's times against those of the first. A single clock has no such error.

use super::change::EventTime;

/// A clock whose times are given as those of the first one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OwnClock {
    /// Its input's name, or its core.
    pub name: String,
    /// The cores whose events have its times, by number.
    pub cores: Vec<u32>,
    /// Moments that it has in common with the first clock.
    pub moments: usize,
    /// Its deviation from its nominal frequency, relative to the first clock, in parts per million; positive if it runs faster.
    pub drift_ppm: f64,
    /// Pieces of time in which its rate is taken to be the same.
    pub pieces: usize,
    /// How far wrong its times can be at times in ns, which rise.
    pub(crate) points: Vec<(i64, i64)>,
}

impl OwnClock {
    /// Returns the maximum error of its times in the recording, in ns.
    #[must_use]
    pub fn worst_ns(&self) -> i64 {
        self.points.iter().map(|(_, wrong)| *wrong).max().unwrap_or(0)
    }

    /// How far wrong a time of it can be, in ns.
    #[must_use]
    pub fn uncertainty_ns(&self, ns: i64) -> i64 {
        let later = self.points.partition_point(|(time, _)| *time < ns);
        let before = later.checked_sub(1).and_then(|before| self.points.get(before));
        match (before, self.points.get(later)) {
            (Some(&(from, start)), Some(&(to, end))) if to > from => {
                let share = |time: i64| i128::from(time.saturating_sub(from));
                let change = i128::from(end) - i128::from(start);
                let since = change * share(ns) / share(to).max(1);
                start.saturating_add(i64::try_from(since).unwrap_or(0)).saturating_add(1)
            }
            (Some((_, wrong)), _) | (None, Some((_, wrong))) => *wrong,
            (None, None) => 0,
        }
    }

    /// Times at which it is known how far wrong they can be, and that, in ns.
    pub fn points(&self) -> impl Iterator<Item = (i64, i64)> {
        self.points.iter().copied()
    }
}

/// The clocks of a recording, where they are not one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clocks {
    /// All but the first one.
    pub(crate) own: Vec<OwnClock>,
}

impl Clocks {
    /// Whether there is one clock, or nothing is known of others.
    #[must_use]
    pub const fn is_single(&self) -> bool {
        self.own.is_empty()
    }

    /// All but the first one.
    pub fn iter(&self) -> impl Iterator<Item = &OwnClock> {
        self.own.iter()
    }

    /// Returns the possible error, in ns, between the times of two cores' events: events that are closer than this may have
    /// come in either order. 0 if they have one clock.
    #[must_use]
    #[inline]
    pub fn between(&self, one: EventTime, other: EventTime) -> i64 {
        if self.is_single() { 0 } else { self.between_own(one, other) }
    }

    #[cold]
    fn between_own(&self, one: EventTime, other: EventTime) -> i64 {
        self.sum((one.core, other.core), |clock, core| {
            clock.uncertainty_ns(if core == one.core { one.ns } else { other.ns })
        })
    }

    /// Returns the maximum of [`between`](Self::between) in the recording.
    #[must_use]
    pub fn worst_between(&self, one: u32, other: u32) -> i64 {
        self.sum((one, other), |clock, _| clock.worst_ns())
    }

    fn sum(&self, (one, other): (u32, u32), wrong: impl Fn(&OwnClock, u32) -> i64) -> i64 {
        if one == other {
            return 0;
        }
        // Two inputs may have one core.
        let of = |core: u32| self.own.iter().filter(move |clock| clock.cores.contains(&core));
        if of(one).count() == 1 && of(one).eq(of(other)) {
            return 0;
        }
        let worst = |core: u32| of(core).map(|clock| wrong(clock, core)).max().unwrap_or(0);
        worst(one).saturating_add(worst(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(cores: &[u32], points: &[(i64, i64)]) -> OwnClock {
        OwnClock {
            name: String::new(),
            cores: cores.to_vec(),
            moments: 2,
            drift_ppm: 0.0,
            pieces: 1,
            points: points.to_vec(),
        }
    }

    #[test]
    fn between_points_it_is_on_the_line_and_a_ns_more() {
        let clock = clock(&[1], &[(100, 50), (200, 10), (300, 30)]);
        let at = [0, 100, 150, 200, 250, 300, 400].map(|ns| clock.uncertainty_ns(ns));
        assert_eq!(at, [50, 50, 31, 11, 21, 31, 30]);
        assert_eq!(clock.worst_ns(), 50);
    }

    #[test]
    fn cores_of_one_clock_are_certain_and_others_add_up() {
        let clocks = Clocks { own: vec![clock(&[1, 2], &[(0, 5)]), clock(&[3], &[(0, 7)])] };
        let between = |one, other| {
            clocks.between(EventTime { ns: 9, core: one }, EventTime { ns: 9, core: other })
        };
        assert_eq!([between(0, 4), between(1, 1), between(1, 2)], [0; 3]);
        assert_eq!([between(0, 1), between(2, 0), between(1, 3), between(3, 2)], [5, 5, 12, 12]);
        assert_eq!(
            Clocks::default().between(EventTime { ns: 0, core: 0 }, EventTime { ns: 0, core: 1 }),
            0
        );
    }
}
