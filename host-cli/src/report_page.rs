//! `report`: a page that shows a recording and needs nothing else.

use std::io::Write;
use std::path::Path;

use tband_conv::ConvError;
use tband_report::stats::{self, Measured};
use tband_report::{Picture, messages, report as write_report};

use crate::args::{ReportArgs, named, report_if_empty, wrong_usage};
use crate::output::{is_terminal, to_file, to_stdout};
use crate::report::Report;
use crate::{Outcome, input};

pub fn run(args: &ReportArgs, report: &Report) -> anyhow::Result<Outcome> {
    let to_stream = args.output == Path::new("-");
    if to_stream && args.open {
        wrong_usage("report", "-o - cannot be combined with --open: name a file");
    }
    if is_terminal(&args.output) {
        wrong_usage(
            "report",
            "refusing to write a page to a terminal: name a file with -o, or use a pipe",
        );
    }
    if !to_stream {
        input::refuse_to_overwrite(&args.recordings.inputs, &args.output)?;
    }
    let passes = args.window.passes() + if args.window.is_all() { 3 } else { 2 };
    let (inputs, progress) = args.recordings.open(passes, report)?;
    let mut options = args.recordings.options();
    (options.from, options.to) = args.window.ends("report", &inputs, &options, report)?;
    let mut picture = Picture::with_at_most(args.max_slices);
    let measured = stats::measure_with(&inputs, &options, &mut picture);
    progress.clear();
    let measured = measured.map_err(named)?;
    report.findings(&measured.summary);
    report_if_empty(measured.summary.part.as_ref(), report);
    report.tell(messages::left_out_of_report(&picture));
    let write = |out: &mut dyn Write| -> anyhow::Result<()> {
        Ok(write_report(&measured, &picture, options.core_count, out).map_err(ConvError::Write)?)
    };
    if to_stream {
        to_stdout(false, write)?;
    } else {
        to_file(&args.output, false, write)?;
        report.line(&format!("{}: open it in a browser", args.output.display()));
        if args.open
            && let Err(error) = open::that_detached(&args.output)
        {
            report.warn(&format!("cannot open a browser ({error}); open the page yourself"));
        }
    }
    let Measured { summary, .. } = measured;
    Ok(Outcome::of(summary.diagnostics.is_clean()))
}
