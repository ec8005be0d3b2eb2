//! For pull requests: a table.

use std::fmt::Write as _;

use tband_report::printable::markdown_cell as cell;

use super::{Results, place, summary};
use crate::judge::Verdict;

/// The results as a table in Markdown.
#[must_use]
pub fn markdown(results: &Results<'_>) -> String {
    let hold = results.count(|it| *it == Verdict::Holds);
    let broken = results.count(|it| *it == Verdict::Broken);
    let open = results.count(|it| matches!(it, Verdict::NotJudged(_)));
    let mut out =
        format!("**tband-cli assert**: {hold} hold, {broken} broken, {open} not judged\n");
    let shown: Vec<_> = results.judged.iter().filter(|it| it.verdict != Verdict::Holds).collect();
    if shown.is_empty() {
        return out;
    }
    out.push_str("\n| | rule | result | where |\n|---|---|---|---|\n");
    for it in shown {
        let word = match it.verdict {
            Verdict::NotJudged(_) => "not judged",
            _ if it.is_warning => "warning",
            _ => "**broken**",
        };
        let advice = it.split.as_ref().and_then(|split| split.advice.as_ref());
        let advice = advice.map_or_else(String::new, |advice| format!("<br>do: {}", cell(advice)));
        // Text takes everything.
        let _ = writeln!(
            out,
            "| {word} | {} | {}{advice} | {} |",
            cell(&it.rule),
            cell(&summary(it)),
            cell(&place(results.file, it))
        );
    }
    out
}
