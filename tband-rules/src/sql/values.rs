//! The values of a metric: `m`, with the columns `recording`, `id`, `subject`, `n`, `at_ns`, `value` and `whole`. If `whole` is 0 a
//! value is a lower bound.

use crate::metric::{Metric, RuleSubjectKind};
use crate::rule::Conditions;

use super::parts::{condition, is_loss, pattern, quote, since};
use super::{load, periods, windows};

/// A table with the columns of its subjects.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    table: &'static str,
    id: &'static str,
    subject: &'static str,
    /// Selects the rows of this kind of subject.
    rows: &'static str,
    at: &'static str,
}

const TASKS: Source = activations("kind = 'task'");
const TIMERS: Source = activations("kind = 'timer'");
const ISR_ACTIVATIONS: Source = activations("kind = 'interrupt'");
const INTERRUPTS: Source =
    Source { table: "interrupts", id: "isr_id", subject: "isr", rows: "1 = 1", at: "begin_ns" };
const LOCKS: Source =
    Source { table: "holds", id: "lock_id", subject: "lock", rows: "1 = 1", at: "begin_ns" };
const SPANS: Source = Source {
    table: "markers",
    id: "marker_id",
    subject: "marker",
    rows: "is_span",
    at: "begin_ns",
};
const MARKERS: Source = Source { rows: "1 = 1", ..SPANS };
const STACKS: Source = levels("object_kind = 'stack never used'");
const COUNTERS: Source = levels("object_kind = 'value marker'");
const QUEUES: Source =
    levels("object_kind NOT IN ('priority', 'stack never used', 'value marker', 'event group')");

const fn activations(rows: &'static str) -> Source {
    Source { table: "activations", id: "task_id", subject: "task", rows, at: "released_ns" }
}

const fn levels(rows: &'static str) -> Source {
    Source { table: "levels", id: "object_id", subject: "object", rows, at: "ns" }
}

/// The table that has a metric.
const fn source(kind: RuleSubjectKind, metric: Metric) -> Source {
    match (kind, metric) {
        (_, Metric::Stack) => STACKS,
        (RuleSubjectKind::Marker, Metric::Level) => COUNTERS,
        (RuleSubjectKind::Marker, Metric::Span) => SPANS,
        (RuleSubjectKind::Interrupt, Metric::Own) => ISR_ACTIVATIONS,
        (RuleSubjectKind::Timer, _) => TIMERS,
        (RuleSubjectKind::Interrupt, _) => INTERRUPTS,
        (RuleSubjectKind::Queue, _) => QUEUES,
        (RuleSubjectKind::Lock, _) => LOCKS,
        (RuleSubjectKind::Marker, _) => MARKERS,
        _ => TASKS,
    }
}

/// Value and wholeness of a metric.
const fn columns(kind: RuleSubjectKind, metric: Metric) -> (&'static str, &'static str) {
    const SEEN: &str = "begin_seen AND end_seen";
    // A cut activation took at least the time without missing events.
    const RESPONSE: &str =
        "ended_ns - released_ns - CASE WHEN begin_seen AND end_seen THEN 0 ELSE unknown_ns END";
    const BUSY: &str =
        "ended_ns - ready_ns - CASE WHEN begin_seen AND end_seen THEN 0 ELSE unknown_ns END";
    let value = match (kind, metric) {
        (_, Metric::Response) => RESPONSE,
        (_, Metric::Busy) => BUSY,
        (_, Metric::Start) => {
            return (
                "coalesce(started_ns, ended_ns - CASE WHEN end_seen THEN 0 ELSE unknown_ns END) - ready_ns",
                "begin_seen AND (started_ns IS NOT NULL OR end_seen)",
            );
        }
        (_, Metric::Own) => "own_ns",
        (_, Metric::Preempted) => "preempted_ns",
        (_, Metric::Locked) => "locked_ns",
        (_, Metric::Inverted) => "inverted_ns",
        (_, Metric::Backlog) => "backlog_ns",
        // Notifications that come later are of the next activation.
        (_, Metric::Merged) => "merged",
        (RuleSubjectKind::Timer, Metric::Duration) => BUSY,
        (_, Metric::Duration) => "end_ns - begin_ns",
        (_, Metric::Span) => {
            return (
                "coalesce(end_ns, (SELECT max(r.end_ns) FROM recordings r WHERE r.recording = markers.recording)) - begin_ns",
                "end_ns IS NOT NULL",
            );
        }
        (RuleSubjectKind::Marker, Metric::Level) => return ("coalesce(real, value)", "1 = 1"),
        _ => return ("value", "1 = 1"),
    };
    (value, SEEN)
}

/// The common table expressions of a metric; the last is `m`.
pub fn of(
    (kind, name): (RuleSubjectKind, &str),
    metric: Metric,
    conditions: &Conditions,
) -> String {
    match metric {
        Metric::Load if kind == RuleSubjectKind::Interrupt => {
            load::interrupts(&filter(&INTERRUPTS, name, conditions), conditions)
        }
        Metric::Load => load::cores((kind, name), conditions),
        Metric::Rate | Metric::Count => {
            let source = source(kind, metric);
            let points = format!(
                "SELECT recording, {} AS subject, {} AS t\n  FROM {} WHERE {}",
                source.subject,
                source.at,
                source.table,
                filter(&source, name, conditions),
            );
            windows::points(&points, metric == Metric::Rate, conditions)
        }
        Metric::Period | Metric::Jitter | Metric::ReleaseJitter => {
            periods::of((kind, name), metric, conditions)
        }
        Metric::Wake => wake(name, conditions),
        Metric::Losses | Metric::Gaps => losses(metric),
        Metric::Findings => findings(name),
        Metric::HeapGrowth => heap(conditions),
        _ => {
            let source = source(kind, metric);
            let (value, whole) = columns(kind, metric);
            let n = if source.table == "activations" { "number" } else { "0" };
            let rows = format!(
                "SELECT recording, {} AS id, {} AS subject, {n} AS n, {} AS at_ns,\n    {value} AS value,\n    CASE WHEN \
                 {whole} THEN 1 ELSE 0 END AS whole\n  FROM {} WHERE {}",
                source.id,
                source.subject,
                source.at,
                source.table,
                filter(&source, name, conditions),
            );
            since(&rows, conditions)
        }
    }
}

/// Selects the rows of a pattern, with the rule's own condition.
fn filter(source: &Source, name: &str, conditions: &Conditions) -> String {
    let mut text = format!("{} AND {} GLOB {}", source.rows, source.subject, pattern(name));
    if let Some(object) = &conditions.starts {
        text.push_str(&format!(" AND object GLOB {}", pattern(object)));
    }
    text + &condition(conditions)
}

/// From the begin of an interrupt to the first instant of the task that it woke. The last interrupt of that name before the task
/// became ready is the one that woke it.
fn wake(name: &str, conditions: &Conditions) -> String {
    let isrs = filter(&INTERRUPTS, name, conditions);
    let woken_by = pattern(name);
    let rows = format!(
        "SELECT recording, 0 AS id, subject, 0 AS n, at_ns, coalesce(started, ended) - at_ns AS value, whole FROM (
    SELECT recording, subject, started, ended, whole,
      max(begin_ns) OVER (PARTITION BY recording, subject ORDER BY t, place ROWS UNBOUNDED PRECEDING) AS at_ns
    FROM (
      SELECT recording, isr AS subject, begin_ns AS t, begin_ns, 0 AS place,
        NULL AS started, NULL AS ended, 0 AS whole
      FROM interrupts WHERE {isrs}
      UNION ALL
      SELECT recording, woken_by, ready_ns, NULL, 1, started_ns, ended_ns,
        CASE WHEN started_ns IS NOT NULL OR end_seen THEN 1 ELSE 0 END
      FROM activations WHERE kind = 'task' AND begin_seen AND woken_by GLOB {woken_by}
    ) AS x
  ) AS y WHERE ended IS NOT NULL AND at_ns IS NOT NULL"
    );
    since(&rows, conditions)
}

/// A row for each recording.
fn losses(metric: Metric) -> String {
    let value = if metric == Metric::Gaps {
        "count(l.amount)"
    } else {
        "coalesce(sum(CASE WHEN l.amount < 1 THEN 1 ELSE l.amount END), 0)"
    };
    format!(
        "m AS (\n  SELECT r.recording, 0 AS id, 'recording' AS subject, 0 AS n, min(l.ns) AS at_ns, {value} AS value, 1 AS \
         whole\n  FROM recordings r LEFT JOIN losses l ON l.recording = r.recording AND {}\n  GROUP BY r.recording\n)",
        is_loss()
    )
}

/// A row for each recording; of one kind of finding, or of all.
fn findings(id: &str) -> String {
    let (subject, only) = match id {
        "*" => ("recording", String::new()),
        id => (id, format!(" AND f.finding = {}", quote(id))),
    };
    format!(
        "m AS (\n  SELECT r.recording, 0 AS id, {} AS subject, 0 AS n, min(f.ns) AS at_ns, count(f.finding) AS value, 1 AS \
         whole\n  FROM recordings r LEFT JOIN findings f ON f.recording = r.recording{only}\n  GROUP BY r.recording\n)",
        quote(subject)
    )
}

/// A row for each recording that reports the heap.
fn heap(conditions: &Conditions) -> String {
    let rows = "SELECT recording, 0 AS id, 'recording' AS subject, 0 AS n, ns AS at_ns, free AS value, 1 AS whole\n  FROM heap \
                WHERE free IS NOT NULL";
    let own = condition(conditions);
    let all = since(&format!("{rows}{own}"), conditions).replace("m AS (", "h AS (");
    format!(
        "{all}, o AS (\n  SELECT recording, at_ns, value,\n    row_number() OVER (PARTITION BY recording ORDER BY at_ns) AS \
         first,\n    row_number() OVER (PARTITION BY recording ORDER BY at_ns DESC) AS last\n  FROM h\n), m AS (\n  SELECT \
         recording, 0 AS id, 'recording' AS subject, 0 AS n, max(at_ns) AS at_ns,\n    sum(CASE WHEN first = 1 THEN value ELSE 0 \
         END) - sum(CASE WHEN last = 1 THEN value ELSE 0 END) AS value, 1 AS whole\n  FROM o GROUP BY recording\n)"
    )
}

/// Selects the names of a kind of subject that have a metric.
pub fn names(kind: RuleSubjectKind, metric: Metric) -> String {
    match (kind, metric) {
        (RuleSubjectKind::Recording, _) => {
            return "SELECT 'recording' AS subject FROM recordings".to_owned();
        }
        (RuleSubjectKind::Core, _) => {
            return "SELECT DISTINCT CAST(core AS VARCHAR) AS subject FROM states WHERE state = 'running' AND core IS NOT NULL \
                    ORDER BY subject"
                .to_owned();
        }
        (RuleSubjectKind::Task, Metric::Load) => {
            return "SELECT DISTINCT task AS subject FROM states WHERE state = 'running' ORDER BY subject".to_owned();
        }
        (_, Metric::Period | Metric::Jitter | Metric::ReleaseJitter) => {
            return periods::names(kind);
        }
        _ => {}
    }
    let Source { table, subject, rows, .. } = source(kind, metric);
    format!("SELECT DISTINCT {subject} AS subject FROM {table} WHERE {rows} ORDER BY subject")
}
