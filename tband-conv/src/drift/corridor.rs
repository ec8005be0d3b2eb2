//! Finds the straight lines between bounds: all rates and offsets of a clock that agree with the known bounds.
//!
//! A line `y = rate * x + offset` is a point (rate, offset). A bound at one x is a half-plane of such points. The intersection
//! of several bounds is a convex polygon, which is stored by its corners. No point between corners is further away than the
//! corners are, so they give the largest error of a line at any x.

/// A line, as rate and offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub rate: f64,
    pub offset: f64,
}

impl Line {
    pub fn at(&self, x: f64) -> f64 {
        self.rate.mul_add(x, self.offset)
    }
}

/// The lines that agree with all bounds so far.
#[derive(Clone, Debug)]
pub(crate) struct Corridor {
    corners: Vec<Line>,
}

impl Corridor {
    /// All lines with a rate and an offset in these ranges.
    pub fn new((slowest, fastest): (f64, f64), (lowest, highest): (f64, f64)) -> Self {
        let corner = |rate, offset| Line { rate, offset };
        let corners = vec![
            corner(slowest, lowest),
            corner(fastest, lowest),
            corner(fastest, highest),
            corner(slowest, highest),
        ];
        Self { corners }
    }

    /// Removes the lines that are below `y` at `x`. Returns false if none would be left; then nothing has changed.
    pub fn cut_below(&mut self, x: f64, y: f64) -> bool {
        self.cut(|line| line.at(x) - y)
    }

    /// Removes the lines that are above `y` at `x`. Returns false if none would be left; then nothing has changed.
    pub fn cut_above(&mut self, x: f64, y: f64) -> bool {
        self.cut(|line| y - line.at(x))
    }

    /// Keeps the part where `inside` is not negative; it is linear.
    fn cut(&mut self, inside: impl Fn(&Line) -> f64) -> bool {
        let sides: Vec<f64> = self.corners.iter().map(inside).collect();
        if sides.iter().all(|side| *side >= 0.0) {
            return true;
        }
        if sides.iter().all(|side| *side < 0.0) {
            return false;
        }
        let mut corners = Vec::with_capacity(self.corners.len() + 1);
        let ahead = self.corners.iter().zip(&sides).cycle().skip(1);
        for ((corner, side), (next, next_side)) in self.corners.iter().zip(&sides).zip(ahead) {
            if *side >= 0.0 {
                corners.push(*corner);
            }
            if (*side >= 0.0) != (*next_side >= 0.0) {
                let share = side / (side - next_side);
                corners.push(Line {
                    rate: share.mul_add(next.rate - corner.rate, corner.rate),
                    offset: share.mul_add(next.offset - corner.offset, corner.offset),
                });
            }
        }
        self.corners = corners;
        true
    }

    /// In the middle between the lowest and the highest line at both ends of a range.
    pub fn middle(&self, from: f64, to: f64) -> Line {
        let middle = |x| {
            let (low, high) = self.range(x);
            (low + high) / 2.0
        };
        let (first, last) = (middle(from), middle(to));
        if to <= from {
            let rate =
                self.corners.iter().map(|line| line.rate).sum::<f64>() / self.corners.len() as f64;
            return Line { rate, offset: rate.mul_add(-from, first) };
        }
        let rate = (last - first) / (to - from);
        Line { rate, offset: rate.mul_add(-from, first) }
    }

    /// How far the true line can be from this one at `x`.
    pub fn uncertainty(&self, line: &Line, x: f64) -> f64 {
        let (low, high) = self.range(x);
        (high - line.at(x)).max(line.at(x) - low)
    }

    /// The lowest and the highest value at `x`.
    fn range(&self, x: f64) -> (f64, f64) {
        let values = self.corners.iter().map(|line| line.at(x));
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide() -> Corridor {
        Corridor::new((0.5, 2.0), (-1e6, 1e6))
    }

    #[test]
    fn bounds_at_two_places_leave_the_lines_between_them() {
        let mut corridor = wide();
        for x in [0.0, 1000.0] {
            assert!(corridor.cut_below(x, x + 10.0));
            assert!(corridor.cut_above(x, x + 14.0));
        }
        let line = corridor.middle(0.0, 1000.0);
        assert!((line.at(0.0) - 12.0).abs() < 1e-6 && (line.rate - 1.0).abs() < 1e-9, "{line:?}");
        assert!((corridor.uncertainty(&line, 500.0) - 2.0).abs() < 1e-6);
        // Beyond the bounds less is known.
        assert!((corridor.uncertainty(&line, 2000.0) - 6.0).abs() < 1e-6);
    }

    #[test]
    fn a_contradicting_bound_is_refused_without_effect() {
        let mut corridor = wide();
        assert!(corridor.cut_below(0.0, 5.0) && corridor.cut_above(0.0, 6.0));
        let before = corridor.range(0.0);
        assert!(!corridor.cut_above(0.0, 4.0));
        assert_eq!(corridor.range(0.0), before);
    }

    #[test]
    fn a_bound_on_one_side_leaves_the_other_open() {
        let mut corridor = wide();
        assert!(corridor.cut_below(0.0, 5.0) && corridor.cut_below(100.0, 105.0));
        let line = corridor.middle(0.0, 100.0);
        assert!(corridor.uncertainty(&line, 50.0) > 1e5);
    }
}
