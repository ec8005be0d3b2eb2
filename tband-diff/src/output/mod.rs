//! A comparison as text, JSON and Markdown.

mod json;
mod markdown;
mod page;
mod text;

pub use json::json;
pub use markdown::markdown;
pub use page::page;
pub use text::text;

use tband_report::printable::printable;

use crate::compare::{Comparison, MIN_RECORDINGS, Row, Size, Verdict};
use crate::figure::Role;
use crate::shift::Shift;

/// Rows of a list without verdicts that are shown unless all are wanted.
const MOST_LISTED: usize = 10;

/// A comparison and the facts about its recordings.
#[derive(Clone, Copy, Debug)]
pub struct Results<'a> {
    /// The rows.
    pub comparison: &'a Comparison,
    /// Names of the recordings of A and of B.
    pub names: (&'a [String], &'a [String]),
    /// How the groups differ beside their figures: builds, tick rates, classes, losses. A sentence each.
    pub differences: &'a [String],
    /// Rows without a finding are shown too.
    pub is_all: bool,
}

impl Results<'_> {
    /// The rows that are shown.
    fn shown_rows(&self) -> Vec<&Row> {
        let rows = &self.comparison.rows;
        let mut listed = 0;
        let is_shown = |row: &&Row| {
            if self.is_all {
                return true;
            }
            match row.verdict {
                Verdict::Worse | Verdict::Better => true,
                Verdict::Same => false,
                _ if row.figure.role == Role::Longest => row.is_above_all(),
                // Sorted by size: the greatest changes.
                _ => {
                    listed += 1;
                    listed <= MOST_LISTED
                }
            }
        };
        rows.iter().filter(is_shown).collect()
    }

    /// The last line.
    fn summary(&self) -> String {
        let comparison = self.comparison;
        let (a, b) = comparison.recordings;
        if !comparison.has_verdicts() {
            return format!(
                "no verdict: {}; differences between runs of the same program are not known. Record {MIN_RECORDINGS} or more on each \
                 side, better 6 to 10",
                match (a, b) {
                    (1, 1) => "one recording on each side".to_owned(),
                    _ => format!("{a} against {b} recordings"),
                }
            );
        }
        let [worse, better, same, unclear, few] =
            [Verdict::Worse, Verdict::Better, Verdict::Same, Verdict::Unclear, Verdict::TooFew]
                .map(|verdict| comparison.count(verdict));
        let tested = comparison.tested();
        if tested == 0 {
            return "no verdict: no figure has values of enough recordings on both sides"
                .to_owned();
        }
        let mut text = format!(
            "{worse} worse, {better} better, {same} the same within {:.4} %, {unclear} unclear of {tested}",
            Percent(comparison.criteria.threshold)
        );
        if few > 0 {
            text += &format!("; {few} with too few values");
        }
        if unclear > 0 {
            text += "; for the unclear ones, record more on each side";
        }
        text
    }

    /// Rows that are not shown.
    fn left_out(&self, shown: usize) -> Option<String> {
        let left = self.comparison.rows.len() - shown;
        (left > 0).then(|| format!("{left} more rows: --all"))
    }
}

/// A share as a percentage without trailing zeros.
struct Percent(f64);

impl std::fmt::Display for Percent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = f.precision().unwrap_or(1);
        let text = format!("{:.digits$}", self.0 * 100.0);
        let text = if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.')
        } else {
            &text
        };
        f.write_str(text)
    }
}

/// A relative change as "+24.8 %".
fn change(ratio: f64) -> String {
    let percent = (ratio - 1.0) * 100.0;
    if percent >= 1000.0 { format!("x {ratio:.1}") } else { format!("{percent:+.1} %") }
}

/// The change from A to B, and its interval.
fn size(row: &Row, recordings: (usize, usize)) -> String {
    let unit = row.figure.unit;
    let signed = |value: f64| {
        let sign = if value < 0.0 { "" } else { "+" };
        format!("{sign}{}", unit.show(value))
    };
    let with = |shift: Shift, show: &dyn Fn(f64) -> String| match shift.interval {
        Some((low, high)) => {
            format!("{} [{}, {}]", show(shift.estimate), show(low), show(high))
        }
        None => show(shift.estimate),
    };
    match row.size {
        None => String::new(),
        Some(Size::Ratio(shift)) => with(shift, &change),
        Some(Size::Added(shift)) => with(shift, &signed),
        Some(Size::Recordings(a, b)) => {
            format!("in {a} of {} and {b} of {} recordings", recordings.0, recordings.1)
        }
    }
}

/// Medians of A and B; the longest values where these are compared.
fn values(row: &Row) -> String {
    let unit = row.figure.unit;
    let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |it| unit.show(it));
    let (a, b) = match row.figure.role {
        Role::Occurrence => return String::new(),
        Role::Longest => (row.figure.a.last().copied(), row.figure.b.last().copied()),
        _ => row.medians,
    };
    format!("{} -> {}", shown(a), shown(b))
}

/// What else is known about a row.
fn remark(row: &Row, comparison: &Comparison) -> String {
    let mut parts = Vec::new();
    if let Some(q) = row.q {
        parts.push(if q < 0.001 { "q < 0.001".to_owned() } else { format!("q {q:.3}") });
    }
    match row.verdict {
        Verdict::TooFew if comparison.has_verdicts() => parts.push(format!(
            "{} and {} values; a test needs {MIN_RECORDINGS} of each",
            row.figure.a.len(),
            row.figure.b.len()
        )),
        Verdict::OneSided => {
            let missing = if row.figure.a.is_empty() { "A" } else { "B" };
            parts.push(format!("no recording of {missing} has it"));
        }
        _ => {}
    }
    if row.is_above_all() {
        parts.push(format!(
            "longer than all of A, by chance in {:.0} % of comparisons",
            Percent(comparison.chance_of_longest())
        ));
    }
    parts.join("; ")
}

/// A subject with its kind, unless the name shows it. Names come from recordings.
fn subject(kind: &str, name: &str) -> String {
    match kind {
        "task" | "core" | "recording" => printable(name).into_owned(),
        kind => format!("{kind} {}", printable(name)),
    }
}

/// A line for each subject that only one group has.
fn unpaired(comparison: &Comparison) -> impl Iterator<Item = String> {
    comparison.unpaired.iter().map(|it| {
        let group = if it.is_in_a { "A" } else { "B" };
        format!("only in {group}: {} {}", it.kind, printable(&it.subject))
    })
}
