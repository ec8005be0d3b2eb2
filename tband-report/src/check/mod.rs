//! The result of `check`: whether the recording is complete, and its findings.

mod sources;

use std::fmt::Write as _;

use crate::printable::printable;
use serde_json::{Value, json};
use tband_conv::Summary;
use tband_conv::counted;
use tband_conv::diagnostics::{Diagnostic, Problem, Severity};
use tband_conv::model::OwnClock;
use tband_conv::packets::Link;
use tband_conv::sinks::Stats;

use crate::built;
use crate::changes;
use crate::crashes;
use crate::explain::{Explanation, Recorder, explain};
use crate::highlights::{self, highlights};
use crate::left_out;
use crate::shed;

use crate::time_unit::TimeUnit;
use crate::triggers;

/// For people.
#[must_use]
pub fn text(summary: &Summary, stats: &Stats, core_count: Option<u32>) -> String {
    let verdict = match summary.diagnostics.worst() {
        None | Some(Severity::Note) => "whole",
        Some(Severity::Loss) => "usable, with losses",
        Some(Severity::Damage) => "usable, with damage",
    };
    let unit = TimeUnit::of(&summary.diagnostics);
    let mut text = sources::text(summary);
    text += &format!(
        "{}: {verdict}\n{}{}; {}, {}, {}\n",
        printable(&summary.inputs.join(", ")),
        counted(summary.events_of_window(), "event"),
        length(stats, unit),
        cores(summary, stats, core_count),
        counted(stats.tasks().count(), "task"),
        counted(stats.isrs().count(), "interrupt"),
    );
    if let Some(link) = &summary.link {
        text.push_str(&over(link));
    }
    text.push_str(&changes::text(summary));
    text.push_str(&built::text(summary));
    text.push_str(&left_out::text(&summary.left_out, unit));
    text.push_str(&shed::text(&summary.shed, unit));
    text.push_str(&triggers::text(&summary.triggers, unit));
    summary.clocks.iter().for_each(|clock| text.push_str(&own_clock(clock)));
    for diagnostic in summary.diagnostics.iter() {
        text.push('\n');
        // Writing to a string cannot fail.
        let _ = finding(&mut text, summary, diagnostic);
    }
    text.push_str(&highlights::text(&highlights(stats), unit));
    text + &crashes::text(&summary.crashes)
}

/// Returns the same for programs; an unknown value is null.
#[must_use]
pub fn json(summary: &Summary, stats: &Stats, core_count: Option<u32>) -> Value {
    let active = stats.cores().count();
    let reported =
        core_count.or(summary.trace_info.map(|info| info.core_count)).filter(|it| *it > 0);
    let classes = |on| summary.trace_info.and_then(|info| info.classes(on));
    let findings: Vec<Value> = summary
        .diagnostics
        .iter()
        .map(|found| {
            let place = summary.place(found.place);
            let Explanation { means, advice } =
                explain(found.problem, Recorder::of(found, summary));
            json!({
                "finding": found.problem.title(),
                "severity": severity(found.problem),
                "count": found.count,
                "amount": found.amount,
                "file": place.file(),
                "offset": place.offset(),
                "text": found.text,
                "means": means,
                "advice": advice,
            })
        })
        .collect();
    json!({
        "inputs": summary.inputs,
        "sources": sources::json(summary),
        "verdict": match summary.diagnostics.worst() {
            None | Some(Severity::Note) => "whole",
            Some(Severity::Loss) => "losses",
            Some(Severity::Damage) => "damage",
        },
        "events": summary.events_of_window(),
        "time_unit": TimeUnit::of(&summary.diagnostics).name(),
        "length_ns": (active > 0).then(|| stats.length_ns()),
        "cores": reported,
        "cores_with_events": active,
        "tasks": stats.tasks().count(),
        "interrupts": stats.isrs().count(),
        "firmware": built::json(summary),
        "classes_on": classes(true),
        "classes_off": classes(false),
        "not_recorded": left_out::json(&summary.left_out),
        "shed": shed::json(&summary.shed),
        "link": summary.link.as_ref().map(|link| json!({
            "packets": link.packets,
            "unchecked_packets": link.unchecked,
            "lost_packets": link.lost,
            "discarded_events": link.discarded,
            "damaged_bytes": link.damaged_bytes,
            "metadata_bytes": link.metadata_bytes,
            "bytes": link.bytes,
            "events": link.events,
            "bytes_per_event": link.bytes_per_event(),
        })),
        "changes": changes::json(summary),
        "clocks": summary.clocks.iter().map(|clock| json!({
            "clock": clock.name,
            "cores": clock.cores,
            "moments": clock.moments,
            "drift_ppm": clock.drift_ppm,
            "right_within_ns": clock.worst_ns(),
        })).collect::<Vec<Value>>(),
        "findings": findings,
        "triggers": triggers::json(&summary.triggers),
        "crashes": crashes::json(&summary.crashes),
        "highlights": highlights::json(&highlights(stats)),
    })
}

/// A clock that is not the first one.
fn own_clock(clock: &OwnClock) -> String {
    format!(
        "{}: a separate clock, {:+.3} ppm, right within {:.3} us; events that are closer together than that may have come in either \
         order\n",
        printable(&clock.name),
        clock.drift_ppm,
        clock.worst_ns() as f64 / 1e3
    )
}

const fn severity(problem: Problem) -> &'static str {
    match problem.severity() {
        Severity::Note => "note",
        Severity::Loss => "loss",
        Severity::Damage => "damage",
    }
}

/// Returns the statistics of the link.
fn over(link: &Link) -> String {
    let mut text = counted(link.packets, "packet");
    let sent = link.packets.saturating_add(link.lost);
    if link.lost > 0 {
        let _ = write!(text, ", {} lost of {sent}", link.lost);
    }
    if link.discarded > 0 {
        let _ = write!(text, ", {} discarded by the target", counted(link.discarded, "event"));
    }
    if link.damaged_bytes > 0 {
        let _ = write!(text, ", {} damaged", counted(link.damaged_bytes, "byte"));
    }
    if let Some(bytes) = link.bytes_per_event() {
        let _ = write!(text, "; {bytes:.2} bytes an event");
    }
    text.push('\n');
    if link.unchecked > 0 {
        let which = match (link.unchecked, link.packets) {
            (1, 1) => "the packet has".to_owned(),
            (1, packets) => format!("1 of {packets} packets has"),
            (some, packets) => format!("{some} of {packets} packets have"),
        };
        let _ = writeln!(
            text,
            "note: {which} no checksum, as in the target's memory: a bit that changed there since cannot be noticed",
        );
    }
    text
}

/// Metadata has no own time.
fn length(stats: &Stats, unit: TimeUnit) -> String {
    match stats.cores().next() {
        Some(_) => format!(" in {}", unit.duration(stats.length_ns())),
        None => ", metadata only".to_owned(),
    }
}

/// Returns the number of cores that the target is reported to have, or otherwise the number of cores with events. A core
/// without events may be one whose file is missing.
fn cores(summary: &Summary, stats: &Stats, core_count: Option<u32>) -> String {
    let reported = core_count.or(summary.trace_info.map(|info| info.core_count)).unwrap_or(0);
    let (reported, active) = (u64::from(reported), stats.cores().count() as u64);
    match reported.checked_sub(active) {
        _ if reported == 0 && active == 0 => "cores unknown".to_owned(),
        Some(silent @ 1..) if active > 0 => {
            format!("{} ({silent} without events)", counted(reported, "core"))
        }
        _ => counted(reported.max(active), "core"),
    }
}

fn finding(text: &mut String, summary: &Summary, found: &Diagnostic) -> std::fmt::Result {
    let severity = severity(found.problem);
    write!(text, "{severity}: {}", found.problem.title())?;
    if found.count > 1 {
        write!(text, ", {} times", found.count)?;
    }
    let is_counted =
        !matches!(found.problem, Problem::NoResolution | Problem::SourceGap | Problem::ForeignLoss);
    if found.problem.severity() == Severity::Loss && is_counted {
        write!(text, ", {} lost in all", found.amount)?;
    }
    let first = format!("{}: {}", summary.place(found.place), found.text);
    writeln!(text, "\n  first  {}", printable(&first))?;
    let explanation = explain(found.problem, Recorder::of(found, summary));
    if !explanation.means.is_empty() {
        writeln!(text, "  means  {}", explanation.means)?;
    }
    if !explanation.advice.is_empty() {
        writeln!(text, "  do     {}", explanation.advice)?;
    }
    Ok(())
}
