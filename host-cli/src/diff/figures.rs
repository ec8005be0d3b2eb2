//! The figures that are compared, and the statements that compute them.

use anyhow::anyhow;
use tband_diff::{Direction, Figure, Role};
use tband_report::unit::Unit;
use tband_rules::read::read;
use tband_rules::sql::{measure, pattern};

use Direction::{LessIsBetter as Less, MoreIsBetter as More};

/// Default treatment of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DefaultTreatment {
    /// It is tested.
    Tested,
    /// It is listed.
    Listed,
}

/// How a value of the statement becomes a value of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// As it is.
    Plain,
    /// As a share of the recording, in percent. The statement has ns.
    OfRecording,
    /// The value itself, but 0 is not a value: the statement has rows of subjects that a recording does not contain.
    AboveZero,
}

/// A figure that is defined.
struct Definition {
    /// Its name; the first word is its name for `--only`.
    name: &'static str,
    /// The rule with the metric. `$` is the placeholder for the pattern of subjects.
    rule: &'static str,
    /// The better direction, if there is one.
    direction: Option<Direction>,
    usual: DefaultTreatment,
    scale: Scale,
}

const fn tested(name: &'static str, rule: &'static str, direction: Direction) -> Definition {
    Definition {
        name,
        rule,
        direction: Some(direction),
        usual: DefaultTreatment::Tested,
        scale: Scale::Plain,
    }
}

const fn listed(
    name: &'static str,
    rule: &'static str,
    direction: Option<Direction>,
) -> Definition {
    Definition { name, rule, direction, usual: DefaultTreatment::Listed, scale: Scale::Plain }
}

/// The share of the recording that a part of all activations takes.
const fn share(name: &'static str, rule: &'static str, usual: DefaultTreatment) -> Definition {
    Definition { name, rule, direction: Some(Less), usual, scale: Scale::OfRecording }
}

const fn rate(rule: &'static str) -> Definition {
    let (direction, usual, scale) = (None, DefaultTreatment::Listed, Scale::AboveZero);
    Definition { name: "rate", rule, direction, usual, scale }
}

/// All of them, but the occurrences. Their bounds mean nothing.
#[rustfmt::skip]
const DEFINITIONS: &[Definition] = &[
    tested("response median", r#"task = $, response = { median = "<= 0 ns" }"#, Less),
    tested("response p99", r#"task = $, response = { p99 = "<= 0 ns" }"#, Less),
    tested("own median", r#"task = $, own = { median = "<= 0 ns" }"#, Less),
    tested("start median", r#"task = $, start = { median = "<= 0 ns" }"#, Less),
    share("lock wait", r#"task = $, locked = { total = "<= 0 ns" }"#, DefaultTreatment::Tested),
    tested("load", r#"task = $, load = "<= 0 %", where = "NOT is_idle""#, Less),
    tested("load", r#"core = "*", load = "<= 0 %""#, Less),
    tested("load", r#"interrupt = $, load = "<= 0 %""#, Less),
    tested("duration median", r#"interrupt = $, duration = { median = "<= 0 ns" }"#, Less),
    tested("duration p99", r#"interrupt = $, duration = { p99 = "<= 0 ns" }"#, Less),
    tested("heap growth", r#"heap_growth = "<= 0 B""#, Less),
    tested("stack never used", r#"task = $, stack = ">= 0 B""#, More),
    listed("busy median", r#"task = $, busy = { median = "<= 0 ns" }"#, Some(Less)),
    share("preempted", r#"task = $, preempted = { total = "<= 0 ns" }"#, DefaultTreatment::Listed),
    share("inverted", r#"task = $, inverted = { total = "<= 0 ns" }"#, DefaultTreatment::Listed),
    share("backlog", r#"task = $, backlog = { total = "<= 0 ns" }"#, DefaultTreatment::Listed),
    listed("release jitter", r#"task = $, release_jitter = "<= 0 ns""#, Some(Less)),
    listed("period", r#"task = $, period = "<= 0 ns""#, None),
    rate(r#"task = $, rate = "<= 0 /s""#),
    rate(r#"interrupt = $, rate = "<= 0 /s""#),
    listed("wake median", r#"interrupt = $, wake = { median = "<= 0 ns" }"#, Some(Less)),
    listed("response median", r#"timer = $, response = { median = "<= 0 ns" }"#, Some(Less)),
    listed("own median", r#"timer = $, own = { median = "<= 0 ns" }"#, Some(Less)),
    listed("held median", r#"lock = $, duration = { median = "<= 0 ns" }"#, Some(Less)),
    listed("span median", r#"marker = $, span = { median = "<= 0 ns" }"#, Some(Less)),
    listed("level highest", r#"queue = $, level = { max = "<= 0" }"#, None),
];

/// Figures that are the longest value of each recording.
const LONGEST: &[(&str, &str)] = &[
    ("response longest", r#"task = $, response = { max = "<= 0 ns" }"#),
    ("response longest", r#"timer = $, response = { max = "<= 0 ns" }"#),
    ("duration longest", r#"interrupt = $, duration = { max = "<= 0 ns" }"#),
    ("held longest", r#"lock = $, duration = { max = "<= 0 ns" }"#),
    ("span longest", r#"marker = $, span = { max = "<= 0 ns" }"#),
];

/// Mistakes that either occur in a recording or do not, with their names for `--only`, the kind of the subject and the SELECT
/// of `recording`, `subject`, `judged`, `low` and `high`. `$` is the placeholder for the pattern of subjects.
const OCCURRENCES: &[(&str, &str, &str)] = &[
    (
        "missed periods",
        "task",
        "SELECT recording, task AS subject, 1 AS judged, min(missed) AS low, max(missed) AS high FROM periods WHERE kind = 'task' AND \
         task GLOB $ GROUP BY recording, task",
    ),
    (
        "findings",
        "finding",
        "SELECT recording, finding AS subject, 1 AS judged, count(*) AS low, count(*) AS high FROM findings WHERE finding GLOB $ GROUP BY \
         recording, finding",
    ),
];

/// A figure of all subjects, as a statement.
pub struct Statement {
    /// The kind of the subjects.
    pub kind: &'static str,
    /// The name of the figure.
    pub name: &'static str,
    /// The unit of the values.
    pub unit: Unit,
    /// The use of the figure.
    pub role: Role,
    /// The conversion of a value.
    pub scale: Scale,
    /// The greatest value of a recording is used, or the least.
    pub takes_least: bool,
    /// The SELECT with the columns `recording`, `subject`, `judged`, `low` and `high`.
    pub sql: String,
}

impl Statement {
    /// The figure of a subject, still without values.
    pub fn figure(&self, subject: &str) -> Figure {
        let (kind, name, role) = (self.kind, self.name.to_owned(), self.role);
        let unit = match self.scale {
            Scale::Plain | Scale::AboveZero => self.unit,
            Scale::OfRecording => Unit::Percent,
        };
        Figure { kind, subject: subject.to_owned(), name, unit, role, a: Vec::new(), b: Vec::new() }
    }
}

/// Whether a figure is one that `--only` names: by its first word, or by its whole name.
fn is_named(name: &str, asked: &str) -> bool {
    asked == name || name.split(' ').next() == Some(asked)
}

/// The names of the figures that can be tested.
fn names() -> impl Iterator<Item = &'static str> {
    let tested = DEFINITIONS.iter().filter(|it| it.direction.is_some()).map(|it| it.name);
    tested.chain(OCCURRENCES.iter().map(|(name, ..)| *name))
}

/// Whether `--only` can name a figure so.
pub fn is_figure(asked: &str) -> bool {
    names().any(|name| is_named(name, asked))
}

/// The words that `--only` accepts, in alphabetic order.
pub fn words() -> Vec<&'static str> {
    let mut words: Vec<_> = names().filter_map(|name| name.split(' ').next()).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The statements of all figures. If `only` has words, these figures are tested, and all others are listed. `subject` is a pattern of
/// names.
pub fn statements(only: &[String], subject: &str) -> anyhow::Result<Vec<Statement>> {
    let is_asked = |name: &str| only.iter().any(|asked| is_named(name, asked));
    let toml = serde_json::Value::from(subject).to_string().replace('\u{7f}', "\\u007F");
    let sql = pattern(subject);
    let has_subjects = |rule: &str| rule.contains('$') || subject == "*";
    let of_rule = |rule: &str| {
        let text = format!("rule = [ {{ {} }} ]", rule.replace('$', &toml));
        let rules = read("", &text).map_err(|mistake| anyhow!("{mistake}"))?;
        let rule = rules.rules.first().ok_or_else(|| anyhow!("there is no rule in {text}"))?;
        measure(rule).ok_or_else(|| anyhow!("{text} has no metric"))
    };
    let mut all = Vec::new();
    for definition in DEFINITIONS.iter().filter(|it| has_subjects(it.rule)) {
        let measure = of_rule(definition.rule)?;
        let is_tested = match only {
            [] => definition.usual == DefaultTreatment::Tested,
            _ => is_asked(definition.name),
        };
        let role = definition.direction.filter(|_| is_tested).map_or(Role::Listed, Role::Tested);
        all.push(Statement {
            kind: measure.kind,
            name: definition.name,
            unit: measure.unit,
            role,
            scale: definition.scale,
            takes_least: definition.direction == Some(More),
            sql: measure.sql,
        });
    }
    for (name, rule) in LONGEST {
        let measure = of_rule(rule)?;
        let (kind, unit, scale) = (measure.kind, measure.unit, Scale::Plain);
        let role = Role::Longest;
        all.push(Statement { kind, name, unit, role, scale, takes_least: false, sql: measure.sql });
    }
    for (name, kind, select) in OCCURRENCES {
        if !only.is_empty() && !is_asked(name) {
            continue;
        }
        all.push(Statement {
            kind,
            name,
            unit: Unit::Plain,
            role: Role::Occurrence,
            scale: Scale::Plain,
            takes_least: false,
            sql: select.replace('$', &sql),
        });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_definitions_are_rules() {
        let all = statements(&[], "*").unwrap();
        assert_eq!(all.len(), DEFINITIONS.len() + LONGEST.len() + OCCURRENCES.len());
        let tested = all.iter().filter(|it| matches!(it.role, Role::Tested(_))).count();
        assert_eq!(tested, 12);
        let odd = statements(&["own".to_owned()], "it's \"a\u{7f}*").unwrap();
        assert!(odd.iter().all(|it| it.kind != "core" && it.kind != "recording"));
        let tested: Vec<_> = odd.iter().filter(|it| matches!(it.role, Role::Tested(_))).collect();
        assert!(tested.iter().all(|it| it.name == "own median") && tested.len() == 2);
    }

    #[test]
    fn each_word_selects_a_figure() {
        for word in words() {
            let all = statements(&[word.to_owned()], "*").unwrap();
            let is_tested = |role| matches!(role, Role::Tested(_) | Role::Occurrence);
            assert!(all.iter().any(|it| is_tested(it.role)), "{word}");
        }
    }
}
