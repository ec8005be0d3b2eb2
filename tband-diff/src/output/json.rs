//! For programs. All rows are in it.

use serde_json::{Value, json};

use super::Results;
use crate::compare::{Row, Size, Verdict};
use crate::figure::Role;

/// The version of the format.
const VERSION: u64 = 1;

/// The comparison as one JSON object.
#[must_use]
pub fn json(results: &Results<'_>) -> Value {
    let comparison = results.comparison;
    let verdicts =
        [Verdict::Worse, Verdict::Better, Verdict::Same, Verdict::Unclear].map(|verdict| {
            let count = comparison.has_verdicts().then(|| comparison.count(verdict));
            (verdict.name().to_owned(), json!(count))
        });
    let unpaired = |is_in_a| {
        let of_group = comparison.unpaired.iter().filter(|it| it.is_in_a == is_in_a);
        of_group.map(|it| json!({ "kind": it.kind, "subject": it.subject })).collect::<Vec<_>>()
    };
    json!({
        "tband_diff": VERSION,
        "a": results.names.0,
        "b": results.names.1,
        "differences": results.differences,
        "threshold": comparison.criteria.threshold,
        "has_verdicts": comparison.has_verdicts(),
        "summary": results.summary(),
        "verdicts": Value::Object(verdicts.into_iter().collect()),
        "only_in_a": unpaired(true),
        "only_in_b": unpaired(false),
        "rows": comparison.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn row(row: &Row) -> Value {
    let figure = &row.figure;
    let (ratio, added, recordings) = match row.size {
        Some(Size::Ratio(shift)) => (Some(shift), None, None),
        Some(Size::Added(shift)) => (None, Some(shift), None),
        Some(Size::Recordings(a, b)) => (None, None, Some([a, b])),
        None => (None, None, None),
    };
    let interval = ratio.or(added).and_then(|shift| shift.interval);
    json!({
        "verdict": row.verdict.name(),
        "kind": figure.kind,
        "subject": figure.subject,
        "figure": figure.name,
        "unit": figure.unit.name(),
        "a": figure.a,
        "b": figure.b,
        "median_a": row.medians.0,
        "median_b": row.medians.1,
        "ratio": ratio.map(|shift| shift.estimate),
        "added": added.map(|shift| shift.estimate),
        "interval": interval.map(|(low, high)| [low, high]),
        "recordings": recordings,
        "p": row.p,
        "q": row.q,
        "a12": row.a12,
        "is_longest": figure.role == Role::Longest,
        "exceeds_all_of_a": row.is_above_all(),
    })
}
