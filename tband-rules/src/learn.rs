//! Rules that are learned from good recordings: the longest value seen, and a fifth more.

use std::fmt::Write as _;

use crate::judge::metric_of;
use crate::metric::RuleSubjectKind;
use crate::read::VERSION;
use crate::rule::Rules;
use tband_report::counted;
use tband_report::unit::Unit;

/// The metrics that are learned, as rules; their bounds mean nothing.
pub const LEARNED: &str = r#"rule = [
  { task = "*", response = "<= 0 ns" },
  { interrupt = "*", duration = "<= 0 ns" },
  { core = "*", load = "<= 0 %", window = "100 ms" },
  { task = "*", stack = ">= 0 B" },
]"#;

/// The observations about one subject in one recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Observations {
    /// The place of the metric's rule in [`LEARNED`].
    pub rule: usize,
    /// The subject.
    pub subject: String,
    /// Whole values.
    pub judged: u64,
    /// The least of them.
    pub low: f64,
    /// The greatest of them.
    pub high: f64,
    /// The greatest of the others, which are lower bounds: a part of the time is not recorded. Negative infinity if there are none.
    pub least: f64,
}

/// Returns a file of rules from the observations. `rules` are those of [`LEARNED`].
#[must_use]
pub fn learn(rules: &Rules, seen: &[Observations]) -> String {
    let mut out = format!("version = {VERSION}\nrule = [\n");
    for (place, rule) in rules.rules.iter().enumerate() {
        let Some((kind, metric)) = metric_of(rule) else { continue };
        let mut subjects: Vec<&str> =
            seen.iter().filter(|it| it.rule == place).map(|it| it.subject.as_str()).collect();
        subjects.sort_unstable();
        subjects.dedup();
        for subject in subjects {
            let of_it = || seen.iter().filter(|it| it.rule == place && it.subject == subject);
            let count: u64 = of_it().map(|it| it.judged).sum();
            let low = of_it().map(|it| it.low).fold(f64::INFINITY, f64::min);
            let high = of_it().map(|it| it.high).fold(f64::NEG_INFINITY, f64::max);
            let least = of_it().map(|it| it.least).fold(f64::NEG_INFINITY, f64::max);
            let is_least = rule.check.bound().is_some_and(|bound| bound.high.is_none());
            // A lower bound above all whole values was seen, too.
            let (seen, at_least) = match is_least {
                true => (low, ""),
                false if least > high => (least, " at least"),
                false => (high, ""),
            };
            let word = match metric.unit() {
                _ if is_least => "least",
                Unit::Time => "longest",
                _ => "greatest",
            };
            let Some(bound) = bound(metric.unit(), seen, is_least) else { continue };
            let subject = match kind {
                RuleSubjectKind::Core => subject.trim_start_matches("core ").to_owned(),
                _ => text(&escape(subject)),
            };
            let window = match rule.conditions.window {
                Some(ns) => format!(", window = \"{} ms\"", ns / 1_000_000),
                None => String::new(),
            };
            // Text takes everything.
            let _ = writeln!(
                out,
                "  # {count} in {}, {word}{at_least} {}; with no change, the next one exceeds all of these once in {}\n  {{ {} = \
                 {subject}, {} = \"{bound}\"{window} }},",
                counted(of_it().count(), "recording"),
                metric.unit().show(seen),
                count.saturating_add(1),
                kind.name(),
                metric.name(),
            );
        }
    }
    out.push_str("]\n");
    out
}

/// The bound for a value that was seen.
fn bound(unit: Unit, seen: f64, is_least: bool) -> Option<String> {
    if !seen.is_finite() || seen <= 0.0 {
        return None;
    }
    if is_least {
        return Some(format!(">= {} B", (seen * 0.8).floor()));
    }
    match unit {
        Unit::Time => {
            // Three digits are enough; upwards, so that the bound is a fifth more at least.
            let ns = (seen * 1.2).ceil() as i64;
            let mut step = 1_i64;
            while ns / step >= 1000 {
                step = step.saturating_mul(10);
            }
            let ns = ns.saturating_add(step - 1) / step * step;
            let (size, name, digits) = match ns {
                0..1_000 => (1, "ns", 0),
                1_000..1_000_000 => (1_000, "us", 3),
                _ => (1_000_000, "ms", 6),
            };
            let text = format!("{}.{:0digits$}", ns / size, ns % size);
            let text = if digits == 0 { format!("{ns}") } else { text };
            let text = if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.')
            } else {
                &text
            };
            Some(format!("<= {text} {name}"))
        }
        Unit::Percent => Some(format!("<= {} %", ((seen * 12.0).ceil() / 10.0).min(100.0))),
        _ => Some(format!("<= {}", (seen * 1.2).ceil())),
    }
}

/// Returns a name as a pattern that only matches this name.
fn escape(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        match letter {
            '*' | '?' | '[' => {
                out.push('[');
                out.push(letter);
                out.push(']');
            }
            _ => out.push(letter),
        }
    }
    out
}

/// Returns a text of TOML. JSON escapes the same characters, except for one.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;

    #[test]
    fn learned_rules_are_rules() {
        let rules = read("", LEARNED).unwrap();
        let partial = |rule, subject: &str, judged, (low, high, least)| {
            let subject = subject.to_owned();
            Observations { rule, subject, judged, low, high, least }
        };
        let seen = |rule, subject: &str, judged, low, high| {
            partial(rule, subject, judged, (low, high, f64::NEG_INFINITY))
        };
        let text = learn(
            &rules,
            &[
                seen(0, "control", 132, 400_000.0, 4_591_390.0),
                seen(0, "control", 130, 400_000.0, 600_000.0),
                seen(0, "odd \"*\u{7f}\n", 1, 5.0, 7.0),
                seen(0, "never long", 1, 0.0, 0.0),
                seen(1, "ADC", 300, 100.0, 999.0),
                partial(1, "UART", 1, (100.0, 400.0, 500.0)),
                partial(2, "core 0", 8, (20.0, 30.0, 40.0)),
                seen(3, "control", 8, 72.0, 200.0),
            ],
        );
        let expected = "version = 1\nrule = [\n  # 262 in 2 recordings, longest 4.591 ms; with no change, the next one exceeds all \
                        of these once in 263\n  { task = \"control\", response = \"<= 5.51 ms\" },\n";
        assert!(text.starts_with(expected), "{text}");
        for line in [
            "# 1 in 1 recording, longest at least 500 ns;",
            "# 8 in 1 recording, greatest at least 40 %;",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        let learned = read("learned.toml", &text).unwrap();
        let shown: Vec<_> = learned.rules.iter().map(|rule| rule.describe(None)).collect();
        assert_eq!(
            shown,
            [
                "control: response <= 5.51 ms",
                "odd \"[*]\u{7f}\n: response <= 9 ns",
                "ADC: duration <= 1.2 us",
                "UART: duration <= 600 ns",
                "core 0: load <= 48 %, in each 100.0 ms",
                "control: stack >= 57 B",
                "losses = 0"
            ]
        );
    }
}
