//! `report`: a page that shows a recording and needs no other file.

use std::io::Write;
use std::path::Path;

use tband_app::command_result::CommandResult;
use tband_app::commands::report::{COMMAND, PAGE, page_of};
use tband_app::options::CommandSettings;

use crate::args::{ReportArgs, ends, wrong_usage};
use crate::failed::failed;
use crate::look::look;
use crate::output::{is_terminal, to_file, to_stdout};
use crate::recordings::keep_own_frequency;
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
    let inputs = &args.recordings.inputs;
    if [inputs, &args.compare].iter().all(|all| all.iter().any(|it| it == "-")) {
        wrong_usage("report", "- (stdin) can be one of the two recordings only");
    }
    if !to_stream {
        input::refuse_to_overwrite(inputs, &args.output, "html")?;
        input::refuse_to_overwrite(&args.compare, &args.output, "html")?;
    }
    let wanted = CommandSettings { max_slices: args.max_slices, ..CommandSettings::default() };
    let write = |out: &mut dyn Write| {
        if args.compare.is_empty() {
            let what = (&COMMAND, PAGE, &wanted);
            return look(
                what,
                (&args.recordings, &args.window.window(), &args.program),
                out,
                report,
            );
        }
        both(args, &wanted, out, report)
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

/// Writes the page of a recording and of the one that it is compared with.
fn both(
    args: &ReportArgs,
    wanted: &CommandSettings,
    out: &mut dyn Write,
    report: &Report,
) -> anyhow::Result<CommandResult> {
    let window = args.window.window();
    let compared = crate::diff::of_report(args, report)?;
    let mut opened = Vec::new();
    for all in [&args.recordings.inputs, &args.compare] {
        let passes = window.pass_count() + (COMMAND.passes)(all.len(), !window.is_all());
        let passes = passes + args.program.passes();
        let (inputs, progress) = args.recordings.open_these(all, passes, report)?;
        let mut options = args.recordings.options();
        keep_own_frequency(&inputs, &mut options, report)?;
        args.program.explain(&inputs, &mut options)?;
        (options.from, options.to) = ends(&window, COMMAND.name, (&inputs, &options), report)?;
        opened.push((inputs, options, progress));
    }
    let recordings: Vec<_> =
        opened.iter().map(|(inputs, options, _)| (&inputs[..], options)).collect();
    let done = page_of(&recordings, compared.as_ref(), wanted, out);
    opened.iter().for_each(|(_, _, progress)| progress.clear());
    done.map_err(failed)
}
