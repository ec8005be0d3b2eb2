//! `dump`: a recording, one line an event.

use std::io::{self, IsTerminal};

use tband_conv::{DumpFilter, DumpFormat, dump_filtered};

use crate::Outcome;
use crate::args::DumpArgs;
use crate::input::Named;
use crate::progress::Progress;
use crate::report::Report;

pub fn run(args: DumpArgs, report: &Report) -> anyhow::Result<Outcome> {
    // On a terminal the lines themselves show that it goes on.
    let progress = Progress::new(1, !report.is_quiet() && !io::stdout().is_terminal());
    let input = Named::parse(&args.input)?.stream(args.reading.format.into(), &progress);
    let format = match (args.json, report.is_verbose()) {
        (true, _) => DumpFormat::Json,
        (false, true) => DumpFormat::TextWithOffsets,
        (false, false) => DumpFormat::Text,
    };
    let DumpArgs { from, to, core, event: events, limit, .. } = args;
    let filter = DumpFilter { from, to, core, events, limit };
    // Lines come in blocks already.
    let stdout = io::stdout().lock();
    let summary = dump_filtered(&input, args.reading.mode.into(), format, filter, stdout);
    progress.clear();
    let summary = summary?;
    let name = input.name();
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
