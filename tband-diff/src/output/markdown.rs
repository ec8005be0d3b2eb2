//! For pull requests: a table.

use std::fmt::Write as _;

use tband_report::printable::markdown_cell as cell;

use super::{Results, remark, size, subject, unpaired, values};
use crate::compare::Verdict;

/// The comparison as Markdown: the summary, what differs beside the figures, and a table of the rows.
#[must_use]
pub fn markdown(results: &Results<'_>) -> String {
    let comparison = results.comparison;
    let mut out = format!("**tband-cli diff**: {}\n", cell(&results.summary()));
    for line in results.differences.iter().cloned().chain(unpaired(comparison)) {
        // Text takes everything.
        let _ = write!(out, "\n- {}", cell(&line));
    }
    out.push('\n');
    let shown = results.shown_rows();
    if shown.is_empty() {
        return out;
    }
    out.push_str(
        "\n| | subject | figure | A -> B | change [95 %] | |\n|---|---|---|---|---|---|\n",
    );
    for row in &shown {
        let verdict = match row.verdict {
            Verdict::Worse => "**worse**",
            _ => row.shown_verdict(comparison),
        };
        let _ = writeln!(
            out,
            "| {verdict} | {} | {} | {} | {} | {} |",
            cell(&subject(row.figure.kind, &row.figure.subject)),
            cell(&row.figure.name),
            cell(&values(row)),
            cell(&size(row, comparison.recordings)),
            cell(&remark(row, comparison))
        );
    }
    if let Some(line) = results.left_out(shown.len()) {
        let _ = write!(out, "\n{line}\n");
    }
    out
}
