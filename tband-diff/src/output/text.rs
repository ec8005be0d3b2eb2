//! For people.

use std::fmt::Write as _;

use tband_report::printable::printable;
use unicode_width::UnicodeWidthStr;

use super::{Results, remark, size, subject, unpaired, values};
use crate::compare::Verdict;

/// The comparison as text: what differs beside the figures, a line for each row, and the summary.
#[must_use]
pub fn text(results: &Results<'_>) -> String {
    let comparison = results.comparison;
    let mut out = String::new();
    for difference in results.differences {
        // Text takes everything.
        let _ = writeln!(out, "{}", printable(difference));
    }
    for line in unpaired(comparison) {
        let _ = writeln!(out, "{line}");
    }
    let shown = results.shown_rows();
    let lines: Vec<[String; 6]> = shown
        .iter()
        .map(|row| {
            let verdict = match row.verdict {
                Verdict::Worse | Verdict::Better => row.verdict.name().to_uppercase(),
                _ => row.shown_verdict(comparison).to_owned(),
            };
            [
                verdict,
                subject(row.figure.kind, &row.figure.subject),
                row.figure.name.clone(),
                values(row),
                size(row, comparison.recordings),
                remark(row, comparison),
            ]
        })
        .collect();
    let mut widths = [0; 6];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.width().max(*width);
        }
    }
    for line in &lines {
        let mut text = String::new();
        for (width, cell) in widths.iter().zip(line).filter(|(width, _)| **width > 0) {
            let space = width - cell.width().min(*width) + 2;
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', space));
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
    if let Some(line) = results.left_out(shown.len()) {
        let _ = writeln!(out, "{line}");
    }
    out + &results.summary() + "\n"
}
