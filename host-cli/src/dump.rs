//! `dump`: a recording, one line an event.

use std::io::{self, IsTerminal};

use tband_conv::{DumpFilter, DumpFormat, Options, dump_filtered, dump_merged};
use tband_report::dump;

use crate::Outcome;
use crate::along::Along;
use crate::args::DumpArgs;
use crate::input;
use crate::progress::Progress;
use crate::report::Report;

pub fn run(args: DumpArgs, report: &Report) -> anyhow::Result<Outcome> {
    // Whoever looks for a marker reads all of it before.
    let (search, many) = (args.window.passes(), args.inputs.len() > 1);
    // What can be read once only is judged as it comes.
    let reads_once = search == 0 && input::is_stream(&args.inputs)?;
    let passes = search + if many { 2 } else { 1 } + if reads_once { 0 } else { 2 };
    // On a terminal the lines themselves show that it goes on.
    let progress = Progress::new(passes, !report.is_quiet() && !io::stdout().is_terminal());
    let inputs = input::open(&args.inputs, args.reading.format, reads_once, &progress)?;
    let format = match (args.json, report.is_verbose()) {
        (true, _) => DumpFormat::Json,
        (false, true) => DumpFormat::TextWithOffsets,
        (false, false) => DumpFormat::Text,
    };
    let mode = args.reading.mode;
    let mut options = Options::default();
    options.mode = mode;
    options.tick_rate = args.reading.tick_rate;
    let (from, to) = args.window.ends("dump", &inputs, &options, report)?;
    let DumpArgs { core, event: events, limit, task, queue, .. } = args;
    let tick_rate = options.tick_rate;
    let filter = DumpFilter { from, to, core, events, task, queue, limit, tick_rate };
    // Lines come in blocks already.
    let stdout = io::stdout().lock();
    let wanted = filter.clone();
    let (summary, whole) = match inputs.as_slice() {
        [input] if reads_once => {
            let (along, input) = Along::of(input, &options)?;
            let summary = dump_filtered(&input, mode, format, wanted, stdout)?;
            let ended = dump::has_ended_early(&filter, &summary);
            (summary, if ended { None } else { Some(along.finish()?) })
        }
        inputs => {
            let summary = match inputs {
                [input] => dump_filtered(input, mode, format, wanted, stdout),
                several => dump_merged(several, mode, format, wanted, stdout),
            }?;
            (options.from, options.to) = (from, to);
            let ended = dump::has_ended_early(&filter, &summary);
            (summary, if ended { None } else { Some(dump::judge(inputs, &options)?) })
        }
    };
    progress.clear();
    let reported = dump::reported(&inputs, &filter, &summary, whole.as_ref());
    let (messages, is_clean) = reported.map_err(anyhow::Error::msg)?;
    report.tell(messages);
    Ok(Outcome::of(is_clean))
}
