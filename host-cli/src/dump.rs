//! `dump`: a recording, one line an event.

use std::io::{self, IsTerminal};
use std::slice;

use anyhow::bail;
use tband_conv::{DumpFilter, DumpFormat, Moment, dump_filtered};

use crate::Outcome;
use crate::args::DumpArgs;
use crate::input;
use crate::progress::Progress;
use crate::report::Report;

pub fn run(args: DumpArgs, report: &Report) -> anyhow::Result<Outcome> {
    // On a terminal the lines themselves show that it goes on.
    let progress = Progress::new(1, !report.is_quiet() && !io::stdout().is_terminal());
    let inputs = slice::from_ref(&args.input);
    let inputs = input::open(inputs, args.reading.format.into(), true, &progress)?;
    let [input] = inputs.as_slice() else { bail!("no input") };
    let format = match (args.json, report.is_verbose()) {
        (true, _) => DumpFormat::Json,
        (false, true) => DumpFormat::TextWithOffsets,
        (false, false) => DumpFormat::Text,
    };
    let DumpArgs { from, to, core, event: events, limit, .. } = args;
    if is_empty(from, to) {
        bail!("--from lies after --to");
    }
    let wants_any = limit != Some(0);
    let filter = DumpFilter { from, to, core, events, limit, tick_rate: args.reading.tick_rate };
    // Lines come in blocks already.
    let stdout = io::stdout().lock();
    let summary = dump_filtered(input, args.reading.mode.into(), format, filter, stdout);
    progress.clear();
    let summary = summary?;
    let name = input.name();
    if summary.shown == 0 && wants_any && summary.events > 0 {
        report.note(&format!("{name}: none of {} events passes the filter", summary.events));
    }
    if let Some((offset, text)) = &summary.first_defect {
        let text = format!("{name}: byte {offset}: {text}");
        match summary.defects.saturating_sub(1) {
            0 => report.warn(&text),
            more => report.warn(&format!("{text} (and {more} more frames that do not decode)")),
        }
    }
    if summary.lost > 0 {
        report.warn(&format!("{name}: {} events lost on the target", summary.lost));
    }
    Ok(Outcome::of(summary.defects == 0 && summary.lost == 0))
}

/// There is nothing between the two. Ticks and time cannot be compared without the recording.
fn is_empty(from: Option<Moment>, to: Option<Moment>) -> bool {
    match (from, to) {
        (Some(Moment::Ticks(from)), Some(Moment::Ticks(to)))
        | (Some(Moment::Ns(from)), Some(Moment::Ns(to))) => from > to,
        _ => false,
    }
}
