//! Periods and jitter, from the table `periods`.

use crate::metric::{Metric, RuleSubjectKind};
use crate::rule::Conditions;

use super::parts::{condition, pattern, quote};

/// The common table expressions of a metric of periods.
pub fn of(
    (kind, name): (RuleSubjectKind, &str),
    metric: Metric,
    conditions: &Conditions,
) -> String {
    let column = match metric {
        Metric::Jitter => "period_jitter_ns",
        Metric::ReleaseJitter => "release_jitter_ns",
        _ => "period_ns",
    };
    format!(
        "m AS (\n  SELECT recording, task_id AS id, task AS subject, 0 AS n, first_ns AS at_ns, {column} AS value, 1 AS \
         whole\n  FROM periods WHERE kind = {} AND {column} IS NOT NULL AND task GLOB {}{}\n)",
        quote(kind.name()),
        pattern(name),
        condition(conditions),
    )
}

/// Selects the names that have a period.
pub fn names(kind: RuleSubjectKind) -> String {
    format!(
        "SELECT DISTINCT task AS subject FROM periods WHERE kind = {} AND period_ns IS NOT NULL ORDER BY subject",
        quote(kind.name())
    )
}
