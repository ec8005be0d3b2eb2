//! Reads a file of rules. Each mistake has its line and column, and the correct form.

use std::ops::Range;

use tband_report::dump::closest;
use tband_report::highlights::IDS;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use tband_report::unit::Unit;

use crate::bound::{self, Bound};
use crate::error::{Mistake, position};
use crate::event::Event;
use crate::metric::{Metric, RuleSubjectKind};
use crate::rule::{Check, Conditions, Rule, Rules, Statistic};

/// The version of the grammar.
pub const VERSION: u64 = 1;

/// The implicit rule of each file that has no rule about losses.
const LOSSES: &str = "= 0";
/// How findings are written.
const FINDINGS_FORM: &str = "a bound or a list of findings is needed: findings = \"= 0\", or findings = [\"deadlock\", \"inversion\"]";

/// A rule as an example.
const EXAMPLE: &str = "rule = [ { task = \"control\", response = \"<= 2 ms\" } ]";

const CONDITIONS: [&str; 9] =
    ["allow", "window", "after_start", "where", "at_least", "starts", "severity", "absent", "name"];

type Key<'i> = Spanned<DeString<'i>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// Reads rules. `file` is the name of the file for messages.
///
/// # Errors
/// The first mistake, with its place and the correct form.
pub fn read(file: &str, source: &str) -> Result<Rules, Mistake> {
    let document = DeTable::parse(source).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        Mistake::at(source, &span, error.message())
    })?;
    let reader = Reader { source };
    let mut rules = Vec::new();
    // The version first: the keys of another one may be others.
    let entries = || document.get_ref().iter();
    if let Some((_, value)) = entries().find(|(key, _)| key.get_ref() == "version") {
        reader.version(value)?;
    }
    let mut has_rules = false;
    for (key, value) in entries() {
        match key.get_ref().as_ref() {
            "version" => {}
            "rule" => {
                has_rules = true;
                let DeValue::Array(list) = value.get_ref() else {
                    return Err(reader.at(&value.span(), format!("rule is a list: {EXAMPLE}")));
                };
                for value in list.iter() {
                    let DeValue::Table(table) = value.get_ref() else {
                        return Err(reader.at(
                            &value.span(),
                            "a rule is a table: { task = \"control\", response = \"<= 2 ms\" }",
                        ));
                    };
                    rules.extend(reader.rules(&value.span(), table)?);
                }
            }
            other => {
                return Err(reader.at(
                    &key.span(),
                    format!(
                        "{other:?} is not a key of a file of rules: it has version and rule; {EXAMPLE}"
                    ),
                ));
            }
        }
    }
    if !has_rules {
        return Err(reader.at(&(0..0), format!("the file has no rule: {EXAMPLE}")));
    }
    if !rules.iter().any(is_about_losses) {
        rules.push(losses()?);
    }
    Ok(Rules { file: file.to_owned(), rules })
}

fn is_about_losses(rule: &Rule) -> bool {
    matches!(rule.check, Check::Metric { metric: Metric::Losses | Metric::Gaps, .. })
}

/// Nothing may be lost.
fn losses() -> Result<Rule, Mistake> {
    let bound = Bound::read(LOSSES, Unit::Plain);
    let bound = bound.map_err(|text| Mistake::at(LOSSES, &(0..0), text))?;
    Ok(Rule {
        line: 0,
        name: None,
        check: Check::Metric {
            kind: RuleSubjectKind::Recording,
            name: "*".to_owned(),
            metric: Metric::Losses,
            statistic: Statistic::Every,
            bound,
        },
        conditions: Conditions::default(),
        is_warning: false,
        may_be_absent: false,
    })
}

/// Reads the parts of a file.
struct Reader<'s> {
    source: &'s str,
}

impl Reader<'_> {
    fn at(&self, span: &Range<usize>, text: impl Into<String>) -> Mistake {
        Mistake::at(self.source, span, text)
    }

    fn version(&self, value: &Value<'_>) -> Result<(), Mistake> {
        let number = match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        match number {
            Some(VERSION) => Ok(()),
            Some(other) => Err(self.at(
                &value.span(),
                format!(
                    "these rules are of version {other}, and this program reads version {VERSION}: use a program that \
                     reads it, or write the rules as version {VERSION}"
                ),
            )),
            None => Err(self.at(&value.span(), format!("the version is a number: version = {VERSION}"))),
        }
    }

    /// The rules of one table: one for each metric.
    fn rules(&self, span: &Range<usize>, table: &DeTable<'_>) -> Result<Vec<Rule>, Mistake> {
        let mut entries: Vec<(&Key<'_>, &Value<'_>)> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let get = |name: &str| entries.iter().find(|(key, _)| key.get_ref() == name).copied();
        let mut conditions = Conditions::default();
        let (mut name, mut is_warning, mut may_be_absent) = (None, false, false);
        for (key, value) in &entries {
            match key.get_ref().as_ref() {
                "allow" => conditions.allow = Some(self.allow(value)?),
                "window" => conditions.window = Some(self.time(value)?),
                "after_start" => conditions.after_start = Some(self.time(value)?),
                "where" => conditions.condition = Some(self.text(value)?),
                "at_least" => conditions.at_least = Some(self.count(value)?),
                "starts" => conditions.starts = Some(self.starts(value)?),
                "name" => name = Some(self.text(value)?),
                "severity" => {
                    let word = self.text(value)?;
                    is_warning = self.word(value, &word, ("error", "warning"))?;
                }
                "absent" => {
                    let word = self.text(value)?;
                    may_be_absent = self.word(value, &word, ("error", "ok"))?;
                }
                _ => {}
            }
        }
        let line = position(self.source, span.start).0;
        let rule = |check: Check| Rule {
            line,
            name: name.clone(),
            check,
            conditions: conditions.clone(),
            is_warning,
            may_be_absent,
        };
        let kinds: Vec<_> = RuleSubjectKind::ALL
            .into_iter()
            .filter(|kind| *kind != RuleSubjectKind::Recording)
            .filter_map(|kind| Some((kind, get(kind.name())?)))
            .collect();
        let known = |allowed: &[&str]| self.only(&entries, allowed);
        if let Some((_, value)) = get("sql") {
            known(&["sql", "severity", "name"])?;
            return Ok(vec![rule(Check::Sql(self.text(value)?))]);
        }
        if let Some((_, after)) = get("after") {
            known(&[
                "after",
                "expect",
                "within",
                "severity",
                "name",
                "absent",
                "after_start",
                "allow",
            ])?;
            let form = "{ after = \"interrupt ADC begins\", expect = \"task filter runs\", within = \"500 us\" }";
            let part = |name: &str| {
                get(name).ok_or_else(|| self.at(span, format!("{name} is missing: {form}")))
            };
            let (after, expect) = (self.event(after)?, self.event(part("expect")?.1)?);
            let within = self.time(part("within")?.1)?;
            return Ok(vec![rule(Check::Reaction { after, expect, within })]);
        }
        if let Some((_, never)) = get("never") {
            known(&["before", "never", "severity", "name", "absent", "after_start"])?;
            let before = get("before").map(|(_, before)| self.event(before)).transpose()?;
            return Ok(vec![rule(Check::Never { before, never: self.event(never)? })]);
        }
        if let [_, (_, (key, _)), ..] = kinds.as_slice() {
            return Err(self.at(&key.span(), "a rule has one subject: write a second rule"));
        }
        let (kind, subject) = match kinds.first() {
            Some((RuleSubjectKind::Core, (_, value))) => (RuleSubjectKind::Core, self.core(value)?),
            Some((kind, (_, value))) => (*kind, self.pattern(value)?),
            None => (RuleSubjectKind::Recording, "*".to_owned()),
        };
        self.metrics(span, &entries, (kind, &subject), &conditions, &rule)
    }

    fn metrics(
        &self,
        span: &Range<usize>,
        entries: &[(&Key<'_>, &Value<'_>)],
        (kind, subject): (RuleSubjectKind, &str),
        conditions: &Conditions,
        rule: &dyn Fn(Check) -> Rule,
    ) -> Result<Vec<Rule>, Mistake> {
        let mut rules = Vec::new();
        for (key, value) in entries {
            let word = key.get_ref().as_ref();
            if word == kind.name() || CONDITIONS.contains(&word) {
                continue;
            }
            let metric = self.metric(key, kind)?;
            if let (Metric::Findings, DeValue::Array(ids)) = (metric, value.get_ref()) {
                let bound = Bound::read(LOSSES, Unit::Plain).map_err(|text| self.at(span, text))?;
                if ids.is_empty() {
                    return Err(self.at(&value.span(), FINDINGS_FORM));
                }
                for id in ids {
                    rules.push(rule(Check::Metric {
                        kind,
                        name: self.finding(id)?,
                        metric,
                        statistic: Statistic::Every,
                        bound: bound.clone(),
                    }));
                }
                continue;
            }
            for (statistic, bound) in self.bounds(value, metric.unit())? {
                if conditions.window.is_some() && !metric.has_windows() {
                    return Err(self.at(
                        &key.span(),
                        format!("{word} has no windows: load, rate and count have"),
                    ));
                }
                if conditions.starts.is_some() && !metric.is_of_activations() {
                    return Err(self.at(
                        &key.span(),
                        format!("starts is a condition of activations, and {word} is none of their metrics"),
                    ));
                }
                let name = subject.to_owned();
                rules.push(rule(Check::Metric { kind, name, metric, statistic, bound }));
            }
        }
        if rules.is_empty() {
            return Err(self.at(
                span,
                format!(
                    "the rule has no metric: {} has {}; the correct form is {{ {} }}",
                    kind.name(),
                    names(kind),
                    example(kind),
                ),
            ));
        }
        Ok(rules)
    }

    /// The id of a finding.
    fn finding(&self, value: &Value<'_>) -> Result<String, Mistake> {
        let id = self.text(value)?;
        if IDS.contains(&id.as_str()) {
            return Ok(id);
        }
        let meant = closest(&id, IDS.iter().copied());
        let meant = meant.map_or_else(String::new, |it| format!("did you mean {it}? "));
        let cause = format!("{id:?} is not a finding; {meant}there are {}", IDS.join(", "));
        Err(self.at(&value.span(), cause))
    }

    fn metric(&self, key: &Key<'_>, kind: RuleSubjectKind) -> Result<Metric, Mistake> {
        let word = key.get_ref().as_ref();
        let of_kind = Metric::of(kind);
        let found = Metric::ALL.iter().find(|(name, _)| *name == word).map(|(_, metric)| *metric);
        if let Some(metric) = found.filter(|metric| of_kind.contains(metric)) {
            return Ok(metric);
        }
        let kinds = RuleSubjectKind::ALL
            .into_iter()
            .filter(|kind| *kind != RuleSubjectKind::Recording)
            .map(RuleSubjectKind::name);
        let others = kinds.chain(CONDITIONS).chain(["after", "expect", "before", "never", "sql"]);
        let known = of_kind.iter().map(|metric| metric.name()).chain(others);
        let meant = closest(word, known).filter(|_| found.is_none());
        let meant = meant.map_or_else(String::new, |it| format!("did you mean {it}? "));
        let cause = match found {
            Some(metric) => {
                let has = |kind: &RuleSubjectKind| Metric::of(*kind).contains(&metric);
                let kinds: Vec<_> = RuleSubjectKind::ALL
                    .into_iter()
                    .filter(has)
                    .map(RuleSubjectKind::name)
                    .collect();
                format!("{} has no {word}, which is of {}", kind.name(), kinds.join(", "))
            }
            None => format!("{word:?} is not a metric"),
        };
        Err(self.at(
            &key.span(),
            format!(
                "{cause}; {meant}{} has {}; conditions: {}",
                kind.name(),
                names(kind),
                CONDITIONS.join(", ")
            ),
        ))
    }

    /// The bounds of a metric: one, or one for each statistic.
    fn bounds(&self, value: &Value<'_>, unit: Unit) -> Result<Vec<(Statistic, Bound)>, Mistake> {
        let bound = |value: &Value<'_>| match value.get_ref() {
            DeValue::String(text) => {
                Bound::read(text, unit).map_err(|error| self.at(&value.span(), error))
            }
            _ => Err(self.at(
                &value.span(),
                format!("a bound is a text; the correct form is {}", bound::example(unit)),
            )),
        };
        let DeValue::Table(table) = value.get_ref() else {
            return Ok(vec![(Statistic::Every, bound(value)?)]);
        };
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        if entries.is_empty() {
            return Err(
                self.at(&value.span(), format!("no bound: {{ p99 = {} }}", bound::example(unit)))
            );
        }
        let read = |(key, value): &(&Key<'_>, &Value<'_>)| {
            let statistic = statistic(key.get_ref()).ok_or_else(|| {
                let cause = format!(
                    "{:?} is not a statistic: p1 to p99, \"p99.9\", median, max or total; the correct form is {{ p99 = {} }}",
                    key.get_ref(),
                    bound::example(unit)
                );
                self.at(&key.span(), cause)
            })?;
            Ok((statistic, bound(value)?))
        };
        entries.iter().map(read).collect()
    }

    fn text(&self, value: &Value<'_>) -> Result<String, Mistake> {
        match value.get_ref() {
            DeValue::String(text) if !text.contains('\0') => Ok(text.clone().into_owned()),
            _ => Err(self.at(&value.span(), "a text is needed, in quotes")),
        }
    }

    /// A pattern for names.
    fn pattern(&self, value: &Value<'_>) -> Result<String, Mistake> {
        let text = self.text(value)?;
        if text.is_empty() {
            return Err(self.at(&value.span(), "a name is needed: \"control\", or \"*\" for all"));
        }
        Ok(text)
    }

    fn core(&self, value: &Value<'_>) -> Result<String, Mistake> {
        match value.get_ref() {
            DeValue::Integer(number) => {
                let number = u32::from_str_radix(number.as_str(), number.radix()).ok();
                number.map(|number| number.to_string())
            }
            DeValue::String(text) if text == "*" => Some("*".to_owned()),
            _ => None,
        }
        .ok_or_else(|| self.at(&value.span(), "a core is a number, or \"*\" for all: core = 0"))
    }

    fn count(&self, value: &Value<'_>) -> Result<u64, Mistake> {
        match value.get_ref() {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        }
        .ok_or_else(|| self.at(&value.span(), "a number is needed: at_least = 30"))
    }

    fn time(&self, value: &Value<'_>) -> Result<i64, Mistake> {
        let text = self.text(value)?;
        bound::time(&text).map_err(|error| self.at(&value.span(), error))
    }

    fn event(&self, value: &Value<'_>) -> Result<Event, Mistake> {
        let text = self.text(value)?;
        Event::read(&text).map_err(|error| self.at(&value.span(), error))
    }

    fn allow(&self, value: &Value<'_>) -> Result<(u32, u32), Mistake> {
        let text = self.text(value)?;
        let pair = text.split_once(" of ").and_then(|(some, of)| {
            let (some, of) = (some.trim().parse().ok()?, of.trim().parse().ok()?);
            (some < of && of <= 1_000_000).then_some((some, of))
        });
        pair.ok_or_else(|| {
            self.at(
                &value.span(),
                format!("{text:?} is not a share; the correct form is \"1 of 50\""),
            )
        })
    }

    fn starts(&self, value: &Value<'_>) -> Result<String, Mistake> {
        let text = self.text(value)?;
        let name =
            text.split_once(' ').map(|(_, name)| name.trim()).filter(|name| !name.is_empty());
        name.map(str::to_owned).ok_or_else(|| {
            self.at(
                &value.span(),
                format!("{text:?} names no object; the correct form is \"queue commands\""),
            )
        })
    }

    /// Whether it is the second of two words.
    fn word(&self, value: &Value<'_>, word: &str, words: (&str, &str)) -> Result<bool, Mistake> {
        match word {
            _ if word == words.0 => Ok(false),
            _ if word == words.1 => Ok(true),
            _ => Err(self
                .at(&value.span(), format!("{word:?} is neither {:?} nor {:?}", words.0, words.1))),
        }
    }

    /// No other keys than these.
    fn only(&self, entries: &[(&Key<'_>, &Value<'_>)], allowed: &[&str]) -> Result<(), Mistake> {
        match entries.iter().find(|(key, _)| !allowed.contains(&key.get_ref().as_ref())) {
            None => Ok(()),
            Some((key, _)) => Err(self.at(
                &key.span(),
                format!(
                    "{:?} has no meaning in this rule: it has {}",
                    key.get_ref(),
                    allowed.join(", ")
                ),
            )),
        }
    }
}

fn names(kind: RuleSubjectKind) -> String {
    Metric::of(kind).iter().map(|metric| metric.name()).collect::<Vec<_>>().join(", ")
}

/// A rule of a kind, as an example.
fn example(kind: RuleSubjectKind) -> String {
    let metric = Metric::of(kind).first().copied().unwrap_or(Metric::Losses);
    let bound = format!("{} = {}", metric.name(), bound::example(metric.unit()));
    match kind {
        RuleSubjectKind::Recording => bound,
        RuleSubjectKind::Core => format!("core = 0, {bound}"),
        _ => format!("{} = \"NAME\", {bound}", kind.name()),
    }
}

fn statistic(word: &str) -> Option<Statistic> {
    match word {
        "median" => return Some(Statistic::Percentile(500)),
        "max" => return Some(Statistic::Max),
        "total" => return Some(Statistic::Total),
        _ => {}
    }
    let (whole, part) = word.strip_prefix('p').map(|it| it.split_once('.').unwrap_or((it, "0")))?;
    let is_number = |it: &str, most: usize| {
        (1..=most).contains(&it.len()) && it.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !is_number(whole, 2) || !is_number(part, 1) {
        return None;
    }
    let share = format!("{whole}{part}").parse().ok()?;
    (1..1000).contains(&share).then_some(Statistic::Percentile(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules of the design's example.
    const ALL: &str = r#"version = 1
rule = [
  { task = "control", response = "<= 2 ms" },
  { task = "control", period = "5 ms .. 5 ms", release_jitter = "<= 200 us" },
  { task = "filter", response = "<= 3 ms", allow = "1 of 50" },
  { task = "*", inverted = "<= 1 ms" },
  { core = 0, load = "<= 90 %", window = "100 ms" },
  { task = "*", stack = ">= 128 B" },  { queue = "samples", level = "<= 6" },
  { interrupt = "*", duration = "<= 20 us", rate = "<= 2000 /s" },
  { after = "interrupt ADC begins", expect = "task filter runs", within = "500 us" },
  { before = "marker init ends", never = "task control runs" },
  { task = "*", response = { p99 = "<= +10 %" } },
  { sql = "SELECT task AS subject FROM states WHERE false", severity = "warning", name = "mine" },
]
"#;

    #[test]
    fn rules_have_their_lines_and_one_metric_each() {
        let rules = read("rules.toml", ALL).unwrap();
        let lines: Vec<_> =
            rules.rules.iter().map(|rule| (rule.line, rule.describe(None))).collect();
        let expected = [
            (3, "control: response <= 2 ms"),
            (4, "control: period 5 ms .. 5 ms"),
            (4, "control: release_jitter <= 200 us"),
            (5, "filter: response <= 3 ms, 1 of any 50"),
            (6, "*: inverted <= 1 ms"),
            (7, "core 0: load <= 90 %, in each 100.0 ms"),
            (8, "*: stack >= 128 B"),
            (8, "samples: level <= 6"),
            (9, "*: duration <= 20 us"),
            (9, "*: rate <= 2000 /s"),
            (10, "interrupt ADC begins -> task filter runs within 500.0 us"),
            (11, "no task control runs before marker init ends"),
            (12, "*: response p99 <= +10 %"),
            (13, "mine (query without rows)"),
            (0, "losses = 0"),
        ];
        assert_eq!(lines, expected.map(|(line, text)| (line, text.to_owned())));
        assert!(rules.is_relative() && rules.rules[13].is_warning);
        // Separate tables are equivalent, and a rule about losses replaces the implicit one.
        let own =
            "[[rule]]\ntask = \"control\"\nresponse = \"<= 2 ms\"\n[[rule]]\nlosses = \"<= 5\"\n";
        let rules = read("rules.toml", own).unwrap();
        assert_eq!(rules.rules.len(), 2);
        assert_eq!(rules.rules[1].line, 4);
    }

    #[test]
    fn accepts_or_rejects_any_text() {
        // Every prefix of a file, and the file with each byte replaced.
        for end in 0..ALL.len() {
            let _ = read("", ALL.get(..end).unwrap_or_default());
            let mut bytes = ALL.as_bytes().to_vec();
            bytes[end] = b'"';
            let _ = read("", &String::from_utf8(bytes).unwrap());
        }
    }
}
