//! `dump`: a recording, one line an event.

use std::io::{self, IsTerminal};

use tband_app::commands::dump::{COMMAND, JSON, OFFSETS, TEXT};
use tband_app::options::CommandSettings;
use tband_conv::dump::DumpOptions;
use tband_program::RecordFacts;

use crate::args::{DumpArgs, ends};
use crate::failed::failed;
use crate::progress::Progress;
use crate::report::Report;
use crate::{Outcome, input};

pub fn run(args: DumpArgs, report: &Report) -> anyhow::Result<Outcome> {
    let window = args.window.window();
    let output = match (args.json, report.is_verbose()) {
        (true, _) => JSON,
        (false, true) => OFFSETS,
        (false, false) => TEXT,
    };
    // A search for a marker reads all of it first. An input that can be read only once is judged while it is read.
    let recordings = &args.recordings;
    let reads_once = window.pass_count() == 0
        && recordings.align.is_none()
        && input::is_stream(&recordings.inputs)?;
    let passes = if reads_once { 1 } else { (COMMAND.passes)(recordings.inputs.len(), true) };
    let passes = passes + recordings.count_alignment_passes();
    // On a terminal the lines themselves show the progress.
    let shown = !report.is_quiet() && !io::stdout().is_terminal();
    let progress = Progress::new(window.pass_count() + passes, shown);
    let how = recordings.reading.input_settings();
    let inputs = input::open(&recordings.inputs, how, reads_once, &progress)?;
    let inputs = recordings.align(inputs, report)?;
    let mut options = recordings.options();
    (options.from, options.to) = ends(&window, COMMAND.name, (&inputs, &options), report)?;
    let RecordFacts { program, formats: record_formats, symbols } = args.program.formats()?;
    options.program = program.clone();
    let DumpArgs { core, event: events, limit, task, queue, .. } = args;
    let dump = DumpOptions {
        core,
        events,
        limit,
        task,
        queue,
        program,
        record_formats,
        symbols,
        ..DumpOptions::default()
    };
    let wanted = CommandSettings { dump, ..CommandSettings::default() };
    // Lines come in blocks already.
    let done =
        (output.run)(&inputs, &options, &wanted, &mut io::stdout().lock()).map_err(failed)?;
    progress.clear();
    report.messages(done.messages);
    Ok(Outcome::of(done.is_clean))
}
