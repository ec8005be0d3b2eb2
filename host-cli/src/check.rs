//! `check`: reports whether a recording is complete, and its findings.

use tband_app::commands::check::{COMMAND, JSON, TEXT};
use tband_app::options::{CommandSettings, Window};

use crate::Outcome;
use crate::args::CheckArgs;
use crate::look::look;
use crate::output::print;
use crate::report::Report;

pub fn run(args: &CheckArgs, report: &Report) -> anyhow::Result<Outcome> {
    let output = if args.json { JSON } else { TEXT };
    let mut text = Vec::new();
    let what = (&COMMAND, output, &CommandSettings::default());
    let done =
        look(what, (&args.recordings, &Window::default(), &args.program), &mut text, report)?;
    // Findings are in the text. JSON is the requested output, so it is printed with --quiet too.
    if args.json || !report.is_quiet() {
        print(&text)?;
    }
    Ok(Outcome::of(done.is_clean))
}
