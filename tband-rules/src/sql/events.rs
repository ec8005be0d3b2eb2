//! Order and reactions: moments as rows, in the order of time.

use crate::event::{Event, Verb};
use crate::metric::{Metric, RuleSubjectKind};
use crate::rule::Conditions;

use super::parts::{pattern, quote, since};
use super::tail::{self, Bounds};
use super::values;

/// Selects the moments of an event: `recording` and `t`.
fn moments(event: &Event) -> String {
    let (table, subject, at, rows) = table(event);
    format!(
        "SELECT recording, {at} AS t FROM {table} WHERE {rows} AND {subject} GLOB {}",
        pattern(&event.name)
    )
}

/// Table, subject, time and condition.
const fn table(event: &Event) -> (&'static str, &'static str, &'static str, &'static str) {
    match (event.kind, event.verb) {
        (RuleSubjectKind::Task, Verb::Runs) => {
            ("states", "task", "begin_ns", "state = 'running' AND begin_seen")
        }
        (RuleSubjectKind::Task, Verb::Wakes) => {
            ("activations", "task", "ready_ns", "kind = 'task' AND begin_seen")
        }
        (RuleSubjectKind::Task, Verb::Released) => {
            ("activations", "task", "released_ns", "kind = 'task' AND begin_seen")
        }
        (RuleSubjectKind::Task, _) => {
            ("activations", "task", "ended_ns", "kind = 'task' AND end_seen")
        }
        (RuleSubjectKind::Timer, Verb::Begins) => {
            ("activations", "task", "ready_ns", "kind = 'timer' AND begin_seen")
        }
        (RuleSubjectKind::Timer, _) => {
            ("activations", "task", "ended_ns", "kind = 'timer' AND end_seen")
        }
        // No other levels have these causes.
        (RuleSubjectKind::Queue, Verb::Sends) => {
            ("levels", "object", "ns", "cause IN ('send', 'overwrite')")
        }
        (RuleSubjectKind::Queue, _) => ("levels", "object", "ns", "cause = 'receive'"),
        (RuleSubjectKind::Lock, Verb::Taken) => ("holds", "lock", "begin_ns", "begin_seen"),
        (RuleSubjectKind::Lock, _) => ("holds", "lock", "end_ns", "end_seen"),
        (RuleSubjectKind::Marker, Verb::Occurs) => ("markers", "marker", "begin_ns", "1 = 1"),
        (RuleSubjectKind::Marker, Verb::Begins) => ("markers", "marker", "begin_ns", "is_span"),
        (RuleSubjectKind::Marker, _) => {
            ("markers", "marker", "end_ns", "is_span AND end_ns IS NOT NULL")
        }
        (_, Verb::Begins) => ("interrupts", "isr", "begin_ns", "begin_seen"),
        _ => ("interrupts", "isr", "end_ns", "end_seen"),
    }
}

/// Selects the names of the kind that exist.
pub fn names(event: &Event) -> String {
    match (event.kind, event.verb) {
        (RuleSubjectKind::Task, Verb::Runs) => values::names(RuleSubjectKind::Task, Metric::Load),
        (RuleSubjectKind::Marker, _) => values::names(RuleSubjectKind::Marker, Metric::Count),
        (RuleSubjectKind::Queue, _) => values::names(RuleSubjectKind::Queue, Metric::Level),
        (kind, _) => values::names(kind, Metric::Count),
    }
}

/// The time from each stimulus to the first response after it. Without a response it is the time to the end of the recording, as
/// a lower bound.
pub fn reaction(
    after: &Event,
    expect: &Event,
    within: i64,
    conditions: &Conditions,
    subject: &str,
) -> String {
    let rows = format!(
        "SELECT z.recording, 0 AS id, {subject} AS subject, 0 AS n, z.t AS at_ns,
    coalesce(z.next, r.end_ns) - z.t AS value, CASE WHEN z.next IS NULL THEN 0 ELSE 1 END AS whole
  FROM (
    SELECT recording, t, place, min(CASE WHEN place = 1 THEN t END) OVER (
      PARTITION BY recording ORDER BY t DESC, place DESC ROWS UNBOUNDED PRECEDING) AS next
    FROM (
      SELECT recording, t, 0 AS place FROM ({after}) AS a
      UNION ALL SELECT recording, t, 1 FROM ({expect}) AS e
    ) AS x
  ) AS z JOIN recordings r ON r.recording = z.recording WHERE z.place = 0",
        subject = quote(subject),
        after = moments(after),
        expect = moments(expect),
    );
    let bounds = Bounds { low: None, high: Some((within.to_string(), false)) };
    tail::judged((&since(&rows, conditions), "m"), &bounds, true, conditions.allow)
}

/// A row for each recording, and one for each moment that is not allowed.
pub fn never(
    before: Option<&Event>,
    never: &Event,
    conditions: &Conditions,
    subject: &str,
) -> String {
    let subject = quote(subject);
    let moments_not_allowed = moments(never);
    let later = conditions
        .after_start
        .map_or_else(String::new, |ns| format!(" AND v.t - r.begin_ns >= {ns}"));
    let (first, t, is_early) = match before {
        Some(event) => (moments(event), "f.t", "v.t < f.t"),
        None => ("SELECT recording, end_ns AS t FROM recordings".to_owned(), "r.end_ns", "1 = 1"),
    };
    // The value is 1 for a violation, 0 for a recording.
    let rows = format!(
        "f AS (
  SELECT recording, min(t) AS t FROM ({first}) AS b GROUP BY recording
), m AS (
  SELECT r.recording, 0 AS id, {subject} AS subject, 0 AS n, f.t AS at_ns, 0 AS value,
    CASE WHEN {t} IS NULL THEN 0 ELSE 1 END AS whole
  FROM recordings r LEFT JOIN f ON f.recording = r.recording
  UNION ALL SELECT r.recording, 0, {subject}, 0, v.t, 1, 1
  FROM ({moments_not_allowed}) AS v JOIN recordings r ON r.recording = v.recording
  JOIN f ON f.recording = v.recording WHERE {is_early}{later}
)"
    );
    let bounds = Bounds { low: None, high: Some(("0".to_owned(), false)) };
    tail::judged((&rows, "m"), &bounds, true, None)
}
