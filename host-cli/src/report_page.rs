//! `report`: a page that shows a recording and needs nothing else.

use std::io::Write;
use std::path::Path;

use tband_app::commands::report::{COMMAND, PAGE};
use tband_app::options::Wanted;

use crate::args::{ReportArgs, wrong_usage};
use crate::look::look;
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
    let wanted = Wanted { max_slices: args.max_slices, ..Wanted::default() };
    let write = |out: &mut dyn Write| {
        let what = (&COMMAND, PAGE, &wanted);
        look(what, (&args.recordings, &args.window.asked()), out, report)
    };
    let done =
        if to_stream { to_stdout(false, write)? } else { to_file(&args.output, false, write)? };
    report.messages(done.messages);
    if !to_stream {
        report.line(&format!("{}: open it in a browser", args.output.display()));
        if args.open
            && let Err(error) = open::that_detached(&args.output)
        {
            report.warn(&format!("cannot open a browser ({error}); open the page yourself"));
        }
    }
    Ok(Outcome::of(done.is_clean))
}
