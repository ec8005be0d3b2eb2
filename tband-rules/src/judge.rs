//! Verdicts: broken, holds, or not judged.

use tband_report::dump::closest;
use tband_report::why::ActivationSplit;

use crate::baseline::Baseline;
use crate::metric::{Metric, RuleSubjectKind};
use crate::rule::{Check, Rule, Statistic};
use crate::sql::{NamedSubject, is_explained, key};
use tband_report::counted;

/// Names that a message lists.
const MAX_NAMES: usize = 30;

/// A result for one subject of a rule, from its SELECT.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// The subject; of a query of the file none if it has no such column.
    pub subject: Option<String>,
    /// The recording of the worst value.
    pub recording: Option<String>,
    /// The time of the worst value, in ns.
    pub at_ns: Option<i64>,
    /// The worst value.
    pub value: Option<f64>,
    /// The worst value is exact; otherwise it is a lower bound.
    pub is_whole: bool,
    /// Values that were judged.
    pub judged: u64,
    /// Values that were not, because a part of them is missing.
    pub cut: u64,
    /// Violations.
    pub broken: u64,
    /// The greatest number of violations among consecutive values.
    pub close: u64,
}

/// How much of the recordings is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Recordings that were read.
    pub recordings: u64,
    /// Recordings in which something is lost or damaged.
    pub lossy: u64,
    /// Events that were recorded.
    pub events: u64,
    /// Events that are lost.
    pub lost: u64,
    /// Places at which something is lost or damaged.
    pub gaps: u64,
    /// Why times cannot be compared, if they cannot.
    pub untimed: Option<String>,
}

impl Coverage {
    /// Returns the losses, for messages; `None` if there are none.
    #[must_use]
    pub fn describe(&self) -> Option<String> {
        if self.lossy == 0 {
            return None;
        }
        let Self { recordings, lossy, events, lost, gaps, .. } = self;
        let places = counted(*gaps, "place");
        let what = match lost {
            0 => format!("something is lost or damaged in {places}"),
            _ => format!("{lost} of {} events are lost, in {places}", events.saturating_add(*lost)),
        };
        Some(if *recordings > 1 {
            format!("{what} of {lossy} of {recordings} recordings")
        } else {
            what
        })
    }
}

/// The result of a rule for one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A violation was seen.
    Broken,
    /// No violation was seen, and all of it is known.
    Holds,
    /// There was nothing to judge, or a part is missing. The text is the reason.
    NotJudged(String),
}

/// The result of a rule for one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleResult {
    /// The line of the rule; 0 if the file does not contain it.
    pub line: usize,
    /// The rule about this subject.
    pub rule: String,
    /// The subject.
    pub subject: String,
    /// The result.
    pub verdict: Verdict,
    /// A violation is a warning.
    pub is_warning: bool,
    /// Counts and the worst value, if there is one.
    pub finding: Option<Finding>,
    /// The worst value in words.
    pub worst: Option<String>,
    /// The used part of the bound, where 1 is all of it.
    pub used: Option<f64>,
    /// The kind of subject that `why` explains at `finding.at_ns`.
    pub explained: Option<&'static str>,
    /// The use of the time in the worst activation.
    pub split: Option<ActivationSplit>,
}

/// Judges a rule. `findings` are the rows of its SELECT, `missing` the subjects that do not exist, with the names that do.
#[must_use]
pub fn judge(
    rule: &Rule,
    findings: Vec<Finding>,
    missing: &[(NamedSubject, Vec<String>)],
    coverage: &Coverage,
    baseline: Option<&Baseline>,
) -> Vec<RuleResult> {
    let result = |subject: &str, verdict| RuleResult {
        line: rule.line,
        rule: rule.describe(Some(subject).filter(|it| !it.is_empty())),
        subject: subject.to_owned(),
        verdict,
        is_warning: rule.is_warning,
        finding: None,
        worst: None,
        used: None,
        explained: None,
        split: None,
    };
    let own_name = match &rule.check {
        Check::Metric { name, .. } => name.as_str(),
        _ => "",
    };
    if let Some(cause) = coverage.untimed.as_ref().filter(|_| rule.compares_times()) {
        return vec![result(own_name, Verdict::NotJudged(cause.clone()))];
    }
    if let Some((named, names)) = missing.first() {
        let verdict = if rule.may_be_absent {
            Verdict::Holds
        } else {
            Verdict::NotJudged(no_such(named, names))
        };
        return vec![result(own_name, verdict)];
    }
    let is_relative = rule.check.bound().is_some_and(crate::bound::Bound::is_relative);
    if is_relative && baseline.is_none() {
        let reason = "the bound is relative, and there is no --baseline".to_owned();
        return vec![result(own_name, Verdict::NotJudged(reason))];
    }
    if findings.is_empty() {
        let verdict = match (&rule.check, coverage.describe()) {
            (Check::Sql(_), None) => Verdict::Holds,
            (Check::Sql(_), Some(missing)) => Verdict::NotJudged(format!("no rows, but {missing}")),
            (_, _) if rule.may_be_absent => Verdict::Holds,
            (_, None) => Verdict::NotJudged("there is nothing to judge".to_owned()),
            (_, Some(missing)) => {
                Verdict::NotJudged(format!("there is nothing to judge: {missing}"))
            }
        };
        return vec![result(own_name, verdict)];
    }
    let mut results = Vec::new();
    for mut finding in findings {
        // A number of ticks is no time.
        finding.at_ns = finding.at_ns.filter(|_| coverage.untimed.is_none());
        let subject = finding.subject.clone().unwrap_or_default();
        let shown = match rule.check {
            Check::Metric { .. } => subject.as_str(),
            _ => "",
        };
        let verdict = verdict(rule, &finding, coverage, baseline);
        let mut judged = result(shown, verdict);
        judged.subject = subject;
        judged.worst = worst(rule, &finding, coverage);
        judged.used = used(rule, &finding);
        judged.explained = explained(rule);
        judged.finding = Some(finding);
        results.push(judged);
    }
    results
}

fn verdict(
    rule: &Rule,
    finding: &Finding,
    coverage: &Coverage,
    baseline: Option<&Baseline>,
) -> Verdict {
    let Finding { judged, cut, broken, close, .. } = *finding;
    let is_broken = match rule.conditions.allow {
        Some((some, _)) => close > u64::from(some),
        None => broken > 0,
    };
    if is_broken {
        return Verdict::Broken;
    }
    let subject = finding.subject.as_deref().unwrap_or_default();
    if rule.check.bound().is_some_and(crate::bound::Bound::is_relative)
        && !key(rule).zip(baseline).is_some_and(|(key, baseline)| baseline.has(&key, subject))
    {
        return Verdict::NotJudged(format!("the baseline has no value of {subject}"));
    }
    let whole = format!("{judged} of {} are whole", judged.saturating_add(cut));
    if judged == 0 {
        return Verdict::NotJudged(match coverage.describe() {
            Some(missing) => format!("{whole}: {missing}"),
            None => {
                format!("{whole}: their begin or end is not recorded, or there are too few values")
            }
        });
    }
    let is_statistic = matches!(
        rule.check,
        Check::Metric { statistic: Statistic::Percentile(_) | Statistic::Total, .. }
    );
    match rule.conditions.at_least {
        Some(least) if !is_statistic && judged < least => {
            return Verdict::NotJudged(format!(
                "{}, and at_least is {least}",
                counted(judged, "value")
            ));
        }
        _ => {}
    }
    if is_statistic && cut > 0 {
        return Verdict::NotJudged(format!("{whole}: too few values, or some are cut"));
    }
    match coverage.describe() {
        Some(missing) if !is_valid_with_losses(rule) => {
            Verdict::NotJudged(format!("no violation is seen, {whole}, but {missing}"))
        }
        _ => Verdict::Holds,
    }
}

/// Missing events cannot break it.
fn is_valid_with_losses(rule: &Rule) -> bool {
    match &rule.check {
        Check::Metric { metric: Metric::Losses | Metric::Gaps, .. } => true,
        Check::Metric { metric: Metric::Count | Metric::Rate, bound, .. } => bound.high.is_none(),
        _ => false,
    }
}

/// Returns the kind of subject for which `why` explains a rule; `None` if it does not.
const fn explained(rule: &Rule) -> Option<&'static str> {
    match &rule.check {
        Check::Metric { kind, metric, statistic: Statistic::Every | Statistic::Max, .. }
            if is_explained(*kind, *metric) =>
        {
            Some(kind.name())
        }
        _ => None,
    }
}

/// Counts, value and time of the worst.
fn worst(rule: &Rule, finding: &Finding, coverage: &Coverage) -> Option<String> {
    let Finding { judged, broken, close, .. } = *finding;
    let at = |finding: &Finding| {
        let at = finding.at_ns.map_or_else(String::new, |ns| format!(" at {}", moment(ns)));
        match &finding.recording {
            Some(recording) if coverage.recordings > 1 => format!("{at} of {recording}"),
            _ => at,
        }
    };
    let unit = match &rule.check {
        Check::Metric { metric, .. } => metric.unit(),
        Check::Reaction { .. } => tband_report::unit::Unit::Time,
        Check::Never { .. } => {
            return (broken > 0).then(|| format!("{broken} times, first{}", at(finding)));
        }
        Check::Sql(_) => {
            let subject = finding.subject.as_ref().map_or_else(String::new, |it| format!("{it}: "));
            let value = finding.value.map_or_else(String::new, |value| format!(": {value}"));
            return Some(format!("{subject}{}{value}{}", counted(broken, "row"), at(finding)));
        }
    };
    let value = finding.value?;
    let least = if finding.is_whole { "" } else { "at least " };
    let value = format!("{least}{}", unit.show(value));
    let count = match rule.conditions.allow {
        Some((_, of)) if broken > 0 => format!("{close} in {of}: "),
        _ if judged > 1 => format!("{broken} of {judged}: "),
        _ => String::new(),
    };
    Some(format!("{count}{value}{}", at(finding)))
}

/// How much of the bound the worst value uses.
fn used(rule: &Rule, finding: &Finding) -> Option<f64> {
    let value = finding.value?;
    let fixed = |end: Option<(crate::bound::Limit, bool)>| match end {
        Some((crate::bound::Limit::Fixed(amount), _)) => Some(amount.real()),
        _ => None,
    };
    let (low, high) = match &rule.check {
        Check::Metric { bound, .. } => (fixed(bound.low), fixed(bound.high)),
        Check::Reaction { within, .. } => (None, Some(*within as f64)),
        _ => return None,
    };
    let of_high = high.filter(|high| *high > 0.0).map(|high| value / high);
    let of_low = low.filter(|_| value > 0.0).map(|low| low / value);
    of_high.into_iter().chain(of_low).reduce(f64::max)
}

/// A time of the recording in ms.
pub(crate) fn moment(ns: i64) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    let ns = ns.unsigned_abs();
    format!("{sign}{}.{:06}ms", ns / 1_000_000, ns % 1_000_000)
}

fn no_such(named: &NamedSubject, names: &[String]) -> String {
    let NamedSubject { text, kind, name, .. } = named;
    if names.is_empty() {
        return format!("there is no {text}, and no other {kind} that could be judged");
    }
    let meant = closest(name, names.iter().map(String::as_str)).filter(|it| it != name);
    let meant = meant.map_or_else(String::new, |it| format!("did you mean {it}? "));
    let more = names.len().saturating_sub(MAX_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let names: Vec<_> = names.iter().take(MAX_NAMES).map(String::as_str).collect();
    format!("there is no {text}; {meant}these exist: {}{more}", names.join(", "))
}

/// The metric and its kind of a rule, for learning.
pub(crate) const fn metric_of(rule: &Rule) -> Option<(RuleSubjectKind, Metric)> {
    match &rule.check {
        Check::Metric { kind, metric, .. } => Some((*kind, *metric)),
        _ => None,
    }
}
