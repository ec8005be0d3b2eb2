//! For people.

use std::fmt::Write as _;

use super::{Results, place, summary};
use crate::judge::{RuleResult, Verdict};

/// The results as text. Those that hold are counted, and the narrowest is shown, unless `is_all`.
#[must_use]
pub fn text(results: &Results<'_>, is_all: bool) -> String {
    let mut out = String::new();
    let shown: Vec<_> =
        results.judged.iter().filter(|it| is_all || it.verdict != Verdict::Holds).collect();
    let places: Vec<_> = shown.iter().map(|it| place(results.file, it)).collect();
    let width =
        |texts: &mut dyn Iterator<Item = usize>, most: usize| texts.max().unwrap_or(0).min(most);
    let place_width = width(&mut places.iter().map(|it| it.chars().count()), 40);
    let rule_width = width(&mut shown.iter().map(|it| it.rule.chars().count()), 44);
    for (it, place) in shown.iter().zip(&places) {
        let word = match it.verdict {
            Verdict::Broken if it.is_warning => "WARN",
            Verdict::Broken => "FAIL",
            Verdict::Holds => "ok",
            Verdict::NotJudged(_) => "?",
        };
        // Text takes everything.
        let _ = writeln!(
            out,
            "{word:4}  {place:place_width$}  {:rule_width$}  {}",
            it.rule,
            summary(it)
        );
        if let Some(advice) = it.split.as_ref().and_then(|split| split.advice.as_ref())
            && it.verdict == Verdict::Broken
        {
            let _ = writeln!(out, "      {:place_width$}  do: {advice}", "");
        }
    }
    let hold = results.count(|it| *it == Verdict::Holds);
    let broken = results.count(|it| *it == Verdict::Broken);
    let open = results.count(|it| matches!(it, Verdict::NotJudged(_)));
    let _ = write!(out, "{hold} {}", if hold == 1 { "holds" } else { "hold" });
    if let Some(narrowest) = narrowest(results.judged) {
        let _ = write!(out, ", the narrowest: {narrowest}");
    }
    let code = results.code();
    let _ = writeln!(out, "; {broken} broken, {open} not judged: exit code {code}");
    out
}

/// Returns the rule that holds and uses most of its bound.
fn narrowest(judged: &[RuleResult]) -> Option<String> {
    let holds = judged.iter().filter(|it| it.verdict == Verdict::Holds);
    // Violations that are allowed use more.
    let used = holds.filter_map(|it| Some((it.used.filter(|used| *used <= 1.0)?, it)));
    let (_, it) = used.max_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(format!("{} ({})", it.rule, it.worst.as_deref().unwrap_or_default()))
}
