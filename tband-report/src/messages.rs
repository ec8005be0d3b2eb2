//! Messages about a recording: errors with their causes, findings with one line per kind, notes.

use std::error::Error;
use std::fmt::Write as _;

use tband_conv::counted;
use tband_conv::ctf::CtfSummary;
use tband_conv::diagnostics::{Place, Severity};
use tband_conv::dump::DumpSummary;
use tband_conv::{Input, Summary};

use crate::time_unit::TimeUnit;
use crate::timeline::ReportTimeline;

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// The request failed.
    Error,
    /// Something is wrong, but not the end.
    Warning,
    /// Something worth knowing.
    Note,
}

impl Label {
    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A line.
pub type Message = (Label, String);

/// Returns the findings of a conversion, with one line per kind and the first place.
#[must_use]
pub fn findings(summary: &Summary) -> Vec<Message> {
    let line = |diagnostic: &tband_conv::diagnostics::Diagnostic| {
        let label = match diagnostic.problem.severity() {
            Severity::Note => Label::Note,
            Severity::Loss | Severity::Damage => Label::Warning,
        };
        (label, format!("{}: {diagnostic}", summary.place(diagnostic.place)))
    };
    summary.diagnostics.iter().map(line).collect()
}

/// Returns the messages about everything that a CTF trace does not contain as it was recorded.
#[must_use]
pub fn of_trace(trace: &CtfSummary) -> Vec<Message> {
    let &CtfSummary { left_out, beyond, first_ticks, .. } = trace;
    let mut found = Vec::new();
    if left_out > 0 {
        let events = if left_out == 1 { "event is" } else { "events are" };
        let text = format!(
            "{left_out} {events} left out: a string in them has a zero byte, or does not fit a packet"
        );
        found.push((Label::Warning, text));
    }
    if first_ticks > 0 {
        let text = format!(
            "its times begin with tick {first_ticks} of the timer, since readers count to 292 years"
        );
        found.push((Label::Note, text));
    }
    if beyond > 0 {
        let events = if beyond == 1 { "event is" } else { "events are" };
        let text =
            format!("{beyond} {events} beyond 292 years, the limit of readers, and shown there");
        found.push((Label::Warning, text));
    }
    found
}

/// Returns a message about the items that a report's timeline does not have one by one, if there are any.
#[must_use]
pub fn report_omissions(picture: &ReportTimeline, summary: &Summary) -> Option<Message> {
    let remedy =
        "--from and --to make a page of a part of it, with all slices; --max-slices one with more";
    picture
        .left_out()
        .text(remedy, TimeUnit::of(&summary.diagnostics))
        .map(|text| (Label::Note, text))
}

/// Returns the same message for a timeline that reads the viewed part again.
#[must_use]
pub fn view_omissions(picture: &ReportTimeline, summary: &Summary) -> Option<Message> {
    let remedy = "a part that you zoom into is read again, with all slices";
    picture
        .left_out()
        .text(remedy, TimeUnit::of(&summary.diagnostics))
        .map(|text| (Label::Note, text))
}

/// Returns a message if a window is empty.
#[must_use]
pub fn empty_window(summary: &Summary) -> Option<Message> {
    let part = summary.part.as_ref().filter(|part| part.census.events() == 0)?;
    let unit = TimeUnit::of(&summary.diagnostics);
    let duration = |ns| unit.duration(ns);
    let text = match (part.begins_ns, part.ends_ns) {
        (Some(begins), _) if part.to_ns < begins => {
            format!("the recording begins after it, at {}", duration(begins))
        }
        (_, Some(ends)) if part.from_ns > ends => {
            format!("the recording ends before it, at {}", duration(ends))
        }
        _ => format!("none from {} to {}", duration(part.from_ns), duration(part.to_ns)),
    };
    Some((Label::Warning, format!("no event is in the window: {text}")))
}

/// That no event of a dump passes its filter, if there are any.
#[must_use]
pub fn no_match_message(inputs: &[Input<'_>], summary: &DumpSummary) -> Option<Message> {
    let names: Vec<&str> = inputs.iter().flat_map(Input::names).collect();
    let text = format!(
        "{}: none of {} passes the filter",
        names.join(", "),
        counted(summary.events, "event")
    );
    (summary.shown == 0 && summary.events > 0).then_some((Label::Note, text))
}

/// Returns the findings of a dump. `wants_any`: more than no line was requested.
#[must_use]
pub fn dump(inputs: &[Input<'_>], summary: &DumpSummary, wants_any: bool) -> Vec<Message> {
    let names: Vec<&str> = inputs.iter().flat_map(Input::names).collect();
    let names = names.join(", ");
    let mut found = Vec::new();
    found.extend(no_match_message(inputs, summary).filter(|_| wants_any));
    for (Place { input, offset }, text) in &summary.empty {
        let name = inputs.get(*input).map_or("?", |input| input.find(*offset).0);
        found.push((Label::Note, format!("{name}: {text}")));
    }
    if let Some((Place { input, offset }, text)) = &summary.first_defect {
        let (name, offset) = inputs.get(*input).map_or(("?", *offset), |input| input.find(*offset));
        let mut text = format!("{name}: byte {offset}: {text}");
        let more = summary.defects.saturating_sub(1);
        if more > 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, " (and {more} more like it)");
        }
        found.push((Label::Warning, text));
    }
    if summary.lost > 0 {
        let text = format!("{names}: {} lost on the target", counted(summary.lost, "event"));
        found.push((Label::Warning, text));
    }
    found
}

/// An error with its causes.
#[must_use]
pub fn error(error: &dyn Error) -> Message {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // Writing to a string cannot fail.
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    (Label::Error, text)
}
