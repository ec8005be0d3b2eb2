//! From figures to rows with sizes, tests and verdicts.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use tband_report::unit::Unit;

use crate::adjust::benjamini_hochberg;
use crate::figure::{Direction, Figure, Role};
use crate::mann_whitney::mann_whitney;
use crate::occurrence::fisher_exact;
use crate::shift::{Shift, hodges_lehmann, median};

/// Recordings of a group below which nothing is tested. With three in each group no difference reaches p = 0.05.
pub const MIN_RECORDINGS: usize = 4;
/// The false discovery rate up to which a change counts.
const MAX_Q: f64 = 0.05;
/// Ticks of the timestamps by which a time has to change: less can be an effect of rounding.
const NOISE_TICKS: f64 = 2.0;

/// What makes a change count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Criteria {
    /// The relative change that matters, such as 0.05.
    pub threshold: f64,
    /// The change has to exceed the differences between the recordings of A too.
    pub beyond_spread: bool,
    /// The longest tick of the timestamps of all recordings, in ns.
    pub tick_ns: f64,
}

/// The size of a change from A to B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// B is A times this.
    Ratio(Shift),
    /// B is A plus this, in the unit of the figure. Used where a value is not above 0.
    Added(Shift),
    /// Recordings of A and of B in which a mistake occurs.
    Recordings(usize, usize),
}

/// The result of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// B is worse: the change is not by chance, and is large enough.
    Worse,
    /// B is better.
    Better,
    /// The change is smaller than the threshold.
    Same,
    /// The recordings do not decide it.
    Unclear,
    /// There are too few values for a test.
    TooFew,
    /// Only the recordings of one group have the figure.
    OneSided,
    /// It is not tested.
    Listed,
}

impl Verdict {
    /// Its name in all outputs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Better => "better",
            Self::Same => "same",
            Self::Unclear => "unclear",
            Self::TooFew => "too few",
            Self::OneSided => "one-sided",
            Self::Listed => "listed",
        }
    }
}

/// The comparison of one figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The figure, with its values in ascending order.
    pub figure: Figure,
    /// The medians of A and of B.
    pub medians: (Option<f64>, Option<f64>),
    /// The size of the change, if both groups have values.
    pub size: Option<Size>,
    /// The p-value of the test.
    pub p: Option<f64>,
    /// The least false discovery rate at which the change counts, among all tested figures.
    pub q: Option<f64>,
    /// The share of pairs in which B is greater.
    pub a12: Option<f64>,
    /// The result.
    pub verdict: Verdict,
}

impl Row {
    /// The relative change, if the size has one.
    #[must_use]
    pub fn change(&self) -> Option<f64> {
        match self.size? {
            Size::Ratio(shift) => Some(shift.estimate - 1.0),
            _ => None,
        }
    }

    /// The name of the verdict, or nothing where there is none to show.
    pub(crate) const fn shown_verdict(&self, comparison: &Comparison) -> &'static str {
        match self.verdict {
            Verdict::Listed => "",
            Verdict::TooFew if !comparison.has_verdicts() => "",
            other => other.name(),
        }
    }

    /// The longest value of B exceeds all of A.
    #[must_use]
    pub fn is_above_all(&self) -> bool {
        match (self.figure.a.last(), self.figure.b.last()) {
            (Some(a), Some(b)) => self.figure.role == Role::Longest && b > a,
            _ => false,
        }
    }
}

/// A subject that only one group has: a task that is new, or gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnpairedSubject {
    /// Only A has it; else only B.
    pub is_in_a: bool,
    /// The kind of the subject.
    pub kind: &'static str,
    /// Its name.
    pub subject: String,
}

/// The comparison of two groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Recordings of A and of B.
    pub recordings: (usize, usize),
    /// What made a change count.
    pub criteria: Criteria,
    /// A row for each figure of the subjects that both groups have: those that are worse first, then by the size of the change.
    pub rows: Vec<Row>,
    /// The subjects that only one group has: those of A first, then by kind and name.
    pub unpaired: Vec<UnpairedSubject>,
}

impl Comparison {
    /// Both groups have enough recordings for verdicts.
    #[must_use]
    pub const fn has_verdicts(&self) -> bool {
        self.recordings.0 >= MIN_RECORDINGS && self.recordings.1 >= MIN_RECORDINGS
    }

    /// Rows with a verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }

    /// Figures that were tested.
    #[must_use]
    pub fn tested(&self) -> usize {
        self.rows.iter().filter(|row| row.p.is_some()).count()
    }

    /// The share of comparisons of equal groups in which the longest value of B exceeds all of A.
    #[must_use]
    pub fn chance_of_longest(&self) -> f64 {
        let (a, b) = self.recordings;
        b as f64 / (a + b).max(1) as f64
    }
}

/// Compares groups with so many recordings.
#[must_use]
pub fn compare(figures: Vec<Figure>, recordings: (usize, usize), criteria: Criteria) -> Comparison {
    let unpaired = unpaired(&figures);
    let mut comparison = Comparison { recordings, criteria, rows: Vec::new(), unpaired };
    let has_verdicts = comparison.has_verdicts();
    let is_paired = |figure: &Figure| {
        let is_same =
            |it: &UnpairedSubject| (it.kind, &it.subject) == (figure.kind, &figure.subject);
        !comparison.unpaired.iter().any(is_same)
    };
    let paired = figures.into_iter().filter(is_paired);
    comparison.rows = paired.filter_map(|it| measure(it, recordings, has_verdicts)).collect();
    let tested: Vec<usize> = (0..comparison.rows.len())
        .filter(|place| comparison.rows.get(*place).is_some_and(|row| row.p.is_some()))
        .collect();
    let p: Vec<f64> = tested.iter().filter_map(|place| comparison.rows.get(*place)?.p).collect();
    for (place, q) in tested.into_iter().zip(benjamini_hochberg(&p)) {
        if let Some(row) = comparison.rows.get_mut(place) {
            row.q = Some(q);
            row.verdict = verdict(row, q, recordings, &criteria);
        }
    }
    comparison.rows.sort_by(order);
    comparison
}

/// Finds the subjects that only one group has. A mistake that only one group makes is a result, no missing subject.
fn unpaired(figures: &[Figure]) -> Vec<UnpairedSubject> {
    let mut known: BTreeMap<(&'static str, &str), (bool, bool)> = BTreeMap::new();
    for figure in figures.iter().filter(|it| it.role != Role::Occurrence) {
        let (a, b) = known.entry((figure.kind, &figure.subject)).or_default();
        *a |= !figure.a.is_empty();
        *b |= !figure.b.is_empty();
    }
    let one_sided = known.into_iter().filter(|(_, (a, b))| a != b);
    let all = one_sided.map(|((kind, subject), (is_in_a, _))| UnpairedSubject {
        is_in_a,
        kind,
        subject: subject.to_owned(),
    });
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|it| !it.is_in_a);
    all
}

/// Computes size and p-value. `None` if neither group has anything.
fn measure(mut figure: Figure, recordings: (usize, usize), has_verdicts: bool) -> Option<Row> {
    figure.a.sort_by(f64::total_cmp);
    figure.b.sort_by(f64::total_cmp);
    let medians = (median(&figure.a), median(&figure.b));
    let row =
        |figure, verdict| Row { figure, medians, size: None, p: None, q: None, a12: None, verdict };
    if figure.role == Role::Occurrence {
        let occurs = |values: &[f64]| values.iter().filter(|value| **value > 0.0).count();
        let (a, b) = (occurs(&figure.a), occurs(&figure.b));
        if a + b == 0 {
            return None;
        }
        let count = |count: usize| count as u64;
        let p = fisher_exact((count(a), count(recordings.0)), (count(b), count(recordings.1)));
        let size = Some(Size::Recordings(a, b));
        let verdict = if has_verdicts { Verdict::Unclear } else { Verdict::TooFew };
        return Some(Row { size, p: has_verdicts.then_some(p), ..row(figure, verdict) });
    }
    let verdict = match medians {
        (None, None) => return None,
        (Some(_), None) | (None, Some(_)) => Verdict::OneSided,
        _ if !matches!(figure.role, Role::Tested(_)) => Verdict::Listed,
        _ => Verdict::TooFew,
    };
    let size = size(&figure.a, &figure.b);
    let is_enough =
        has_verdicts && [&figure.a, &figure.b].iter().all(|it| it.len() >= MIN_RECORDINGS);
    let test =
        mann_whitney(&figure.a, &figure.b).filter(|_| is_enough && verdict == Verdict::TooFew);
    Some(Row { size, p: test.map(|it| it.p), a12: test.map(|it| it.a12), ..row(figure, verdict) })
}

/// As a ratio if all values are above 0.
fn size(a: &[f64], b: &[f64]) -> Option<Size> {
    if a.iter().chain(b).any(|value| *value <= 0.0) {
        return hodges_lehmann(a, b).map(Size::Added);
    }
    let logarithms = |values: &[f64]| values.iter().map(|it| it.ln()).collect::<Vec<_>>();
    let shift = hodges_lehmann(&logarithms(a), &logarithms(b))?;
    let interval = shift.interval.map(|(low, high)| (low.exp(), high.exp()));
    Some(Size::Ratio(Shift { estimate: shift.estimate.exp(), interval }))
}

fn verdict(row: &Row, q: f64, recordings: (usize, usize), criteria: &Criteria) -> Verdict {
    let Some(size) = row.size else { return Verdict::Unclear };
    let is_certain = q <= MAX_Q;
    let before = row.medians.0.unwrap_or(0.0);
    let floor = match row.figure.unit {
        Unit::Time => NOISE_TICKS * criteria.tick_ns,
        _ => 0.0,
    };
    // In the unit of the figure. A change from nothing has no relative size.
    let shift = match size {
        Size::Recordings(a, b) => {
            // The number of occurrences does not count: the share of recordings decides.
            let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
            return match share(b, recordings.1).total_cmp(&share(a, recordings.0)) {
                Ordering::Greater if is_certain => Verdict::Worse,
                Ordering::Less if is_certain => Verdict::Better,
                _ => Verdict::Unclear,
            };
        }
        Size::Added(shift) => shift,
        Size::Ratio(shift) => {
            let added = |ratio: f64| before * (ratio - 1.0);
            let interval = shift.interval.map(|(low, high)| (added(low), added(high)));
            Shift { estimate: added(shift.estimate), interval }
        }
    };
    let threshold = (before.abs() * criteria.threshold).max(floor);
    let spread = match (row.figure.a.first(), row.figure.a.last()) {
        (Some(least), Some(greatest)) if criteria.beyond_spread => greatest - least,
        _ => 0.0,
    };
    let is_large = shift.estimate.abs() >= threshold.max(spread) && shift.estimate != 0.0;
    if is_certain && is_large {
        let is_less_better = row.figure.role == Role::Tested(Direction::LessIsBetter);
        return if (shift.estimate > 0.0) == is_less_better {
            Verdict::Worse
        } else {
            Verdict::Better
        };
    }
    let is_within = |(low, high): (f64, f64)| -threshold <= low && high <= threshold;
    if shift.interval.is_some_and(is_within) { Verdict::Same } else { Verdict::Unclear }
}

/// Worse rows first, then the other verdicts, then by the size of the change; ties by kind, subject and name.
fn order(left: &Row, right: &Row) -> Ordering {
    let rank = |row: &Row| match row.verdict {
        Verdict::Worse => 0,
        Verdict::Better => 1,
        Verdict::Unclear | Verdict::TooFew => 2,
        Verdict::Same => 3,
        Verdict::Listed => 4,
        Verdict::OneSided => 5,
    };
    let size = |row: &Row| match row.size {
        Some(Size::Ratio(shift)) => shift.estimate.ln().abs(),
        // A change from or to nothing.
        Some(Size::Added(shift)) if shift.estimate != 0.0 => f64::INFINITY,
        Some(Size::Recordings(a, b)) => a.abs_diff(b) as f64,
        _ => 0.0,
    };
    let name = |row: &Row| (row.figure.kind, row.figure.subject.clone(), row.figure.name.clone());
    rank(left)
        .cmp(&rank(right))
        .then_with(|| size(right).total_cmp(&size(left)))
        .then_with(|| name(left).cmp(&name(right)))
}
