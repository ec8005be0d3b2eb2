//! Rules, as they are read.

use tband_report::unit::Unit;

use crate::bound::Bound;
use crate::event::Event;
use crate::metric::{Metric, RuleSubjectKind};

/// A file of rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// The name of the file, for messages.
    pub file: String,
    /// The rules, in their order.
    pub rules: Vec<Rule>,
}

impl Rules {
    /// A rule depends on a baseline.
    #[must_use]
    pub fn is_relative(&self) -> bool {
        self.rules.iter().any(|rule| rule.check.bound().is_some_and(Bound::is_relative))
    }
}

/// A rule with one verdict for each subject. A rule of the file with several metrics becomes several of these.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Its line in the file; 0 if the file does not contain it.
    pub line: usize,
    /// Its name in the file.
    pub name: Option<String>,
    /// The compared value.
    pub check: Check,
    /// Further conditions.
    pub conditions: Conditions,
    /// Violations are warnings.
    pub is_warning: bool,
    /// A subject that does not exist is in order.
    pub may_be_absent: bool,
}

impl Rule {
    /// It compares times, or has conditions with times: of a recording whose timer's frequency is unknown it cannot be judged.
    #[must_use]
    pub fn compares_times(&self) -> bool {
        let Conditions { window, after_start, condition, .. } = &self.conditions;
        let has_times = |sql: &str| sql.to_ascii_lowercase().contains("_ns");
        let is_of_times = match &self.check {
            Check::Metric { metric, .. } => matches!(metric.unit(), Unit::Time | Unit::PerSecond),
            Check::Reaction { .. } => true,
            Check::Never { .. } => false,
            Check::Sql(sql) => has_times(sql),
        };
        is_of_times
            || window.is_some()
            || after_start.is_some()
            || condition.as_deref().is_some_and(has_times)
    }
}

/// The subject of a rule's comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// A metric of subjects with a bound.
    Metric {
        /// The kind of the subjects.
        kind: RuleSubjectKind,
        /// Their name, as a pattern; the number of a core.
        name: String,
        /// The metric.
        metric: Metric,
        /// The statistic of its values.
        statistic: Statistic,
        /// The values that are allowed.
        bound: Bound,
    },
    /// After each moment follows another one within a time, in ns.
    Reaction {
        /// The stimulus.
        after: Event,
        /// The response.
        expect: Event,
        /// The time, in ns.
        within: i64,
    },
    /// A moment does not come before another one, or not at all.
    Never {
        /// The moment that ends it.
        before: Option<Event>,
        /// The moment that is not allowed.
        never: Event,
    },
    /// A query; its rows are violations.
    Sql(String),
}

/// Which values of a metric are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// Each of them.
    Every,
    /// The value that this share of them, of 1000, does not exceed.
    Percentile(u32),
    /// The longest.
    Max,
    /// Their sum.
    Total,
}

impl Statistic {
    /// The word of files and messages; none for each value.
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Every => None,
            Self::Percentile(500) => Some("median".to_owned()),
            Self::Percentile(share) if share % 10 == 0 => Some(format!("p{}", share / 10)),
            Self::Percentile(share) => Some(format!("p{}.{}", share / 10, share % 10)),
            Self::Max => Some("max".to_owned()),
            Self::Total => Some("total".to_owned()),
        }
    }
}

/// Further conditions of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The first number of violations is allowed among the second number of consecutive values.
    pub allow: Option<(u32, u32)>,
    /// Length of the windows, in ns.
    pub window: Option<i64>,
    /// Values that begin earlier than this after the begin of the recording do not count, in ns.
    pub after_start: Option<i64>,
    /// A condition in SQL.
    pub condition: Option<String>,
    /// The least number of values.
    pub at_least: Option<u64>,
    /// The object that releases the activations.
    pub starts: Option<String>,
}

impl Check {
    /// The bound, if there is one.
    #[must_use]
    pub const fn bound(&self) -> Option<&Bound> {
        if let Self::Metric { bound, .. } = self { Some(bound) } else { None }
    }
}

impl Rule {
    /// The rule in one line, about a subject if it is of one.
    #[must_use]
    pub fn describe(&self, subject: Option<&str>) -> String {
        let Conditions { allow, window, .. } = &self.conditions;
        let mut text = match &self.check {
            Check::Metric { kind, name, metric, statistic, bound } => {
                let metric = metric.name();
                let statistic =
                    statistic.name().map_or_else(String::new, |name| format!(" {name}"));
                match (kind, subject.unwrap_or(name)) {
                    (RuleSubjectKind::Recording, _) if name == "*" => {
                        format!("{metric}{statistic} {bound}")
                    }
                    (RuleSubjectKind::Core, name) if !name.starts_with("core") => {
                        format!("core {name}: {metric}{statistic} {bound}")
                    }
                    (_, name) => format!("{name}: {metric}{statistic} {bound}"),
                }
            }
            Check::Reaction { after, expect, within } => {
                format!("{after} -> {expect} within {}", tband_report::duration::duration(*within))
            }
            Check::Never { before: Some(before), never } => format!("no {never} before {before}"),
            Check::Never { before: None, never } => format!("never {never}"),
            Check::Sql(_) => "query without rows".to_owned(),
        };
        if let Some((some, of)) = allow {
            text.push_str(&format!(", {some} of any {of}"));
        }
        if let Some(window) = window {
            text.push_str(&format!(", in each {}", tband_report::duration::duration(*window)));
        }
        match &self.name {
            Some(name) => format!("{name} ({text})"),
            None => text,
        }
    }
}
