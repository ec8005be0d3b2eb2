//! Rules as SQL. Each is one SELECT, in the part of SQL that SQLite and DuckDB share.

mod events;
mod load;
mod parts;
mod periods;
mod tail;
mod values;
mod windows;

use tband_report::time_unit::UNKNOWN_FREQUENCY;
use tband_report::unit::Unit;

use crate::baseline::Baseline;
use crate::event::Event;
use crate::metric::{Metric, RuleSubjectKind};
use crate::rule::{Check, Rule, Statistic};

pub use self::parts::pattern;
use self::parts::{is_loss, quote};
use self::tail::Bounds;

/// The SELECT of a row for each recording: its name, its file, how much of it is missing, and whether times are in ticks.
#[must_use]
pub fn coverage_query() -> String {
    let rows = "SELECT count(*) FROM losses l WHERE l.recording = r.recording AND";
    let unknown = quote(UNKNOWN_FREQUENCY);
    format!(
        "SELECT r.recording, r.file, r.events, r.lost_events, r.is_clean,\n  ({rows} {is_loss}) AS gaps,\n  ({rows} \
         l.problem = {unknown}) AS untimed\nFROM recordings r ORDER BY r.file, r.recording",
        is_loss = is_loss(),
    )
}

/// A rule as SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The SELECT. For a query of the file it is that query; otherwise it returns a row for each subject with the columns
    /// `subject`, `recording`, `at_ns`, `value`, `whole`, `judged`, `cut`, `broken` and `close`.
    pub sql: String,
    /// The subjects that the rule names.
    pub subjects: Vec<NamedSubject>,
}

/// A subject that a rule names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSubject {
    /// Its kind and its name, for messages.
    pub text: String,
    /// The word for those that exist.
    pub kind: &'static str,
    /// The name, as a pattern.
    pub name: String,
    /// Selects the subject, if it exists.
    pub exists: String,
    /// Selects the names that exist.
    pub names: String,
}

/// A metric as SQL, for baselines and comparisons: a row for each recording and subject that has whole values, with the columns `recording`,
/// `subject`, `judged`, `low`, `high` and `least`. The first three are of whole values; `least` is the greatest lower bound of the others, or
/// `NULL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricQuery {
    /// The key of the metric in a baseline.
    pub key: String,
    /// The word for its subjects, such as "task".
    pub kind: &'static str,
    /// The unit of the values.
    pub unit: Unit,
    /// The SELECT.
    pub sql: String,
}

/// Compiles a rule. Relative bounds refer to the baseline.
#[must_use]
pub fn compile(rule: &Rule, baseline: Option<&Baseline>) -> Statement {
    match &rule.check {
        Check::Metric { kind, name, metric, statistic, bound } => {
            let key = key(rule).unwrap_or_default();
            let limit = |limit: crate::bound::Limit, is_high| {
                if !limit.is_relative() {
                    return limit.sql(metric.unit(), None);
                }
                let known = baseline.map(|baseline| baseline.of(&key)).unwrap_or_default();
                let cases = known.into_iter().map(|(subject, value)| {
                    let value =
                        limit.sql(metric.unit(), Some(if is_high { value.1 } else { value.0 }));
                    format!(" WHEN {} THEN {value}", quote(&subject))
                });
                let cases: String = cases.collect();
                if cases.is_empty() {
                    "NULL".to_owned()
                } else {
                    format!("CASE subject{cases} END")
                }
            };
            let bounds = Bounds {
                low: bound.low.map(|(low, is_open)| (limit(low, false), is_open)),
                high: bound.high.map(|(high, is_open)| (limit(high, true), is_open)),
            };
            let values = values::of((*kind, name), *metric, &rule.conditions);
            let (values, is_monotone) = tail::aggregate(values, statistic, &rule.conditions);
            let sql = tail::judged(
                (&values, tail::last(statistic)),
                &bounds,
                is_monotone,
                rule.conditions.allow,
            );
            let named = from_names(*kind, name, values::names(*kind, *metric));
            let subjects =
                if *kind == RuleSubjectKind::Recording { Vec::new() } else { vec![named] };
            Statement { sql, subjects }
        }
        Check::Reaction { after, expect, within } => Statement {
            sql: events::reaction(after, expect, *within, &rule.conditions, &rule.describe(None)),
            subjects: vec![named(after), named(expect)],
        },
        Check::Never { before, never } => Statement {
            sql: events::never(before.as_ref(), never, &rule.conditions, &rule.describe(None)),
            subjects: before.iter().chain([never]).map(named).collect(),
        },
        Check::Sql(sql) => Statement { sql: sql.clone(), subjects: Vec::new() },
    }
}

fn named(event: &Event) -> NamedSubject {
    from_names(event.kind, &event.name, events::names(event))
}

fn from_names(kind: RuleSubjectKind, name: &str, names: String) -> NamedSubject {
    NamedSubject {
        text: format!("{} {name}", kind.name()),
        kind: kind.name(),
        name: name.to_owned(),
        exists: format!(
            "SELECT subject FROM ({names}) AS x WHERE subject GLOB {} LIMIT 1",
            pattern(name)
        ),
        names,
    }
}

/// The key of a rule's metric in a baseline.
pub(crate) fn key(rule: &Rule) -> Option<String> {
    let Check::Metric { kind, metric, statistic, .. } = &rule.check else { return None };
    let mut key = format!("{} {}", kind.name(), metric.name());
    let conditions = &rule.conditions;
    if let Some(name) = statistic.name().filter(|_| *statistic != Statistic::Max) {
        key.push_str(&format!(" {name}"));
    }
    for (word, value) in [
        ("window", conditions.window.map(|it| format!("{it} ns"))),
        ("after_start", conditions.after_start.map(|it| format!("{it} ns"))),
        ("where", conditions.condition.clone()),
        ("starts", conditions.starts.clone()),
    ] {
        if let Some(value) = value {
            key.push_str(&format!(", {word} {value}"));
        }
    }
    Some(key)
}

/// A rule's metric as SQL; none if it has none.
#[must_use]
pub fn measure(rule: &Rule) -> Option<MetricQuery> {
    let Check::Metric { kind, name, metric, statistic, .. } = &rule.check else { return None };
    let values = values::of((*kind, name), *metric, &rule.conditions);
    let (values, is_monotone) = tail::aggregate(values, statistic, &rule.conditions);
    let sql = tail::measured((&values, tail::last(statistic)), is_monotone);
    Some(MetricQuery { key: key(rule)?, kind: kind.name(), unit: metric.unit(), sql })
}

/// Whether `why` explains the values of a metric, for callers without a rule.
pub(crate) const fn is_explained(kind: RuleSubjectKind, metric: Metric) -> bool {
    match kind {
        RuleSubjectKind::Task | RuleSubjectKind::Timer => {
            metric.is_of_activations() || matches!(metric, Metric::Duration)
        }
        RuleSubjectKind::Interrupt => matches!(metric, Metric::Duration | Metric::Own),
        _ => false,
    }
}
