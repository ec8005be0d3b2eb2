//! The answer as text.

use std::fmt::Write as _;

use super::advice::advice;
use super::collect::NamedActivation;
use super::split::Row;
use super::{Answer, Length};
use crate::time_unit::TimeUnit;
use tband_conv::counted;

/// The answer as text for people. `files` are the inputs as they are named on the command line.
#[must_use]
pub fn text(answer: &Answer, files: &[String]) -> String {
    let mut out = String::new();
    // Text takes everything.
    let _ = write_all(&mut out, answer, files);
    out
}

fn write_all(out: &mut String, answer: &Answer, files: &[String]) -> std::fmt::Result {
    let Answer { question, count: (count, whole), lengths, worst, .. } = answer;
    let unit = TimeUnit::of(&answer.summary.diagnostics);
    let name = worst.first().map_or(question.subject.as_str(), |found| found.name.as_str());
    write!(out, "{name}: {}, {whole} whole", counted(*count, "activation"))?;
    let about = if lengths.is_sample() { "about " } else { "" };
    if let (Some(median), Some(p99), Some(max)) =
        (lengths.percentile(50), lengths.percentile(99), lengths.max())
    {
        let by = question.by.name();
        let (median, p99, max) = (unit.duration(median), unit.duration(p99), unit.duration(max));
        write!(out, "; {by} median {about}{median}, p99 {about}{p99}, longest {max}")?;
    }
    writeln!(out)?;
    if worst.is_empty() {
        return writeln!(out, "no activation matches");
    }
    for (index, found) in worst.iter().enumerate() {
        writeln!(out)?;
        write_activation(out, answer, (index, found))?;
        if index == 0 {
            write_first(out, answer, found, files)?;
        }
    }
    Ok(())
}

fn write_activation(
    out: &mut String,
    answer: &Answer,
    (index, found): (usize, &NamedActivation),
) -> std::fmt::Result {
    let unit = TimeUnit::of(&answer.summary.diagnostics);
    let response = found.response_ns();
    let least = if found.begin_seen && found.end_seen { "" } else { "at least " };
    let number = index.saturating_add(1);
    write!(
        out,
        "{number}. {} to {}: {least}{}",
        unit.exact(found.released_ns),
        unit.exact(found.ended_ns),
        unit.exact(response)
    )?;
    let median = answer.lengths.percentile(50).filter(|median| *median > 0);
    if answer.question.by == Length::Response
        && let Some(median) = median
        && response / median >= 2
    {
        write!(out, ", {} times the median", response / median)?;
    }
    write!(out, "; released by {}", found.release)?;
    for (word, name) in [("of", &found.object), ("from", &found.woken_by)] {
        if let Some(name) = name {
            write!(out, " {word} {name}")?;
        }
    }
    if found.merged > 1 {
        write!(out, ", {} merged", found.merged)?;
    }
    if !found.end_seen {
        write!(out, "; cut: its end is not recorded, or events are missing in it")?;
    }
    writeln!(out)?;
    for line in lines(found, unit) {
        writeln!(out, "   {line}")?;
    }
    if found.inverted_ns > 0 {
        writeln!(out, "          priority inversion: {}", unit.exact(found.inverted_ns))?;
    }
    Ok(())
}

/// The rows of a split.
pub fn lines(found: &NamedActivation, unit: TimeUnit) -> Vec<String> {
    let response = found.response_ns();
    let line = |row: &Row| {
        let mark = if row.is_detail && row.is_inverted { "   <- priority inversion" } else { "" };
        if row.is_detail {
            return format!("      {:>16}    {}{mark}", unit.exact(row.ns), row.text);
        }
        format!("{:>4.0} % {:>14}  {}{mark}", share(row, response), unit.exact(row.ns), row.text)
    };
    found.rows.iter().map(line).collect()
}

/// The part of the response time that a row has, in percent.
pub fn share(row: &Row, response_ns: i64) -> f64 {
    if response_ns > 0 { row.ns as f64 * 100.0 / response_ns as f64 } else { 0.0 }
}

/// Writes the parts that only the first one has: timeline, advice, where to look.
fn write_first(
    out: &mut String,
    answer: &Answer,
    found: &NamedActivation,
    files: &[String],
) -> std::fmt::Result {
    let width = answer.lanes.iter().map(|lane| lane.name.chars().count()).max().unwrap_or(0);
    for lane in &answer.lanes {
        writeln!(out, "   {:width$} ▕{}▏", lane.name, lane.bars)?;
    }
    if let Some(advice) = advice(found) {
        writeln!(out, "   do: {advice}")?;
    }
    let (from, to) = match TimeUnit::of(&answer.summary.diagnostics) {
        // Complete microseconds around it.
        TimeUnit::Ns => (
            format!("{}us", found.released_ns.div_euclid(1_000)),
            format!("{}us", found.ended_ns.saturating_add(999).div_euclid(1_000)),
        ),
        TimeUnit::Ticks => (found.released_ns.to_string(), found.ended_ns.to_string()),
    };
    let files = files.join(" ");
    writeln!(out, "   see: tband-cli report --from {from} --to {to} -o why.html {files}")
}
