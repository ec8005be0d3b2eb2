//! What is said of a recording: errors with their causes, findings one line a kind, notes.

use std::error::Error;
use std::fmt::Write as _;

use tband_conv::{CtfSummary, DumpSummary, Input, Place, Severity, Summary};

use crate::picture::Picture;
use crate::time_unit::TimeUnit;

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// It ends what was asked for.
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

/// What a conversion found, one line a kind with the first place.
#[must_use]
pub fn findings(summary: &Summary) -> Vec<Message> {
    let line = |diagnostic: &tband_conv::Diagnostic| {
        let label = match diagnostic.problem.severity() {
            Severity::Note => Label::Note,
            Severity::Loss | Severity::Damage => Label::Warning,
        };
        (label, format!("{}: {diagnostic}", summary.place(diagnostic.place)))
    };
    summary.diagnostics.iter().map(line).collect()
}

/// What is not in a trace of CTF as it was recorded.
#[must_use]
pub fn of_trace(trace: &CtfSummary) -> Vec<Message> {
    let &CtfSummary { left_out, beyond, first_ticks, .. } = trace;
    let mut said = Vec::new();
    if left_out > 0 {
        let text = format!(
            "{left_out} events are left out: a string in them has a zero byte, or does not fit a packet"
        );
        said.push((Label::Warning, text));
    }
    if first_ticks > 0 {
        let text = format!(
            "its times begin with tick {first_ticks} of the timer, since readers count to 292 years"
        );
        said.push((Label::Note, text));
    }
    if beyond > 0 {
        let events = if beyond == 1 { "event lies" } else { "events lie" };
        let text = format!(
            "{beyond} {events} beyond 292 years, to which readers count, and are shown there"
        );
        said.push((Label::Warning, text));
    }
    said
}

/// What the timeline of a report does not have one by one, if there is something.
#[must_use]
pub fn left_out_of_report(picture: &Picture, summary: &Summary) -> Option<Message> {
    let remedy =
        "--from and --to make a page of a part of it, with all slices; --max-slices one with more";
    picture
        .left_out()
        .text(remedy, TimeUnit::of(&summary.diagnostics))
        .map(|text| (Label::Note, text))
}

/// The same, of a timeline that reads again what is looked at.
#[must_use]
pub fn left_out_of_view(picture: &Picture, summary: &Summary) -> Option<Message> {
    let remedy = "a part that you zoom into is read again, with all slices";
    picture
        .left_out()
        .text(remedy, TimeUnit::of(&summary.diagnostics))
        .map(|text| (Label::Note, text))
}

/// That there is nothing in a window, if so.
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
pub fn nothing_passes(inputs: &[Input<'_>], summary: &DumpSummary) -> Option<Message> {
    let names: Vec<&str> = inputs.iter().flat_map(Input::names).collect();
    let text = format!("{}: none of {} events passes the filter", names.join(", "), summary.events);
    (summary.shown == 0 && summary.events > 0).then_some((Label::Note, text))
}

/// What a dump found. `wants_any`: more than no line was asked for.
#[must_use]
pub fn dump(inputs: &[Input<'_>], summary: &DumpSummary, wants_any: bool) -> Vec<Message> {
    let names: Vec<&str> = inputs.iter().flat_map(Input::names).collect();
    let names = names.join(", ");
    let mut said = Vec::new();
    said.extend(nothing_passes(inputs, summary).filter(|_| wants_any));
    for (Place { input, offset }, text) in &summary.empty {
        let name = inputs.get(*input).map_or("?", |input| input.find(*offset).0);
        said.push((Label::Note, format!("{name}: {text}")));
    }
    if let Some((Place { input, offset }, text)) = &summary.first_defect {
        let (name, offset) = inputs.get(*input).map_or(("?", *offset), |input| input.find(*offset));
        let mut text = format!("{name}: byte {offset}: {text}");
        let more = summary.defects.saturating_sub(1);
        if more > 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, " (and {more} more like it)");
        }
        said.push((Label::Warning, text));
    }
    if summary.lost > 0 {
        let text = format!("{names}: {} events lost on the target", summary.lost);
        said.push((Label::Warning, text));
    }
    said
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
