//! `dump`: a recording, one line an event.

use std::io::{self, IsTerminal};

use tband_conv::{DumpFilter, DumpFormat, Options, dump_filtered, dump_merged};
use tband_report::messages;

use crate::Outcome;
use crate::args::DumpArgs;
use crate::input;
use crate::progress::Progress;
use crate::report::Report;

pub fn run(args: DumpArgs, report: &Report) -> anyhow::Result<Outcome> {
    // Whoever looks for a marker reads all of it before.
    let (search, many) = (args.window.passes(), args.inputs.len() > 1);
    let passes = search + if many { 2 } else { 1 };
    // On a terminal the lines themselves show that it goes on.
    let progress = Progress::new(passes, !report.is_quiet() && !io::stdout().is_terminal());
    let inputs = input::open(&args.inputs, args.reading.format.into(), search == 0, &progress)?;
    let format = match (args.json, report.is_verbose()) {
        (true, _) => DumpFormat::Json,
        (false, true) => DumpFormat::TextWithOffsets,
        (false, false) => DumpFormat::Text,
    };
    let mode = args.reading.mode.into();
    let mut options = Options::default();
    options.mode = mode;
    options.tick_rate = args.reading.tick_rate;
    let (from, to) = args.window.ends("dump", &inputs, &options, report)?;
    let DumpArgs { core, event: events, limit, task, queue, .. } = args;
    let wants_any = limit != Some(0);
    let tick_rate = options.tick_rate;
    let filter = DumpFilter { from, to, core, events, task, queue, limit, tick_rate };
    // Lines come in blocks already.
    let stdout = io::stdout().lock();
    let summary = match inputs.as_slice() {
        [input] => dump_filtered(input, mode, format, filter, stdout),
        several => dump_merged(several, mode, format, filter, stdout),
    };
    progress.clear();
    let summary = summary?;
    report.tell(messages::dump(&inputs, &summary, wants_any));
    Ok(Outcome::of(summary.defects == 0 && summary.lost == 0))
}
