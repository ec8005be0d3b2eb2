//! `check`: whether a recording is whole, and what is wrong with it.

use tband_app::commands::check::{COMMAND, JSON, TEXT};
use tband_app::options::{Wanted, Window};

use crate::Outcome;
use crate::args::CheckArgs;
use crate::look::look;
use crate::output::print;
use crate::report::Report;

pub fn run(args: &CheckArgs, report: &Report) -> anyhow::Result<Outcome> {
    let output = if args.json { JSON } else { TEXT };
    let mut text = Vec::new();
    let what = (&COMMAND, output, &Wanted::default());
    let done =
        look(what, (&args.recordings, &Window::default(), &args.program), &mut text, report)?;
    // Findings are in the text. JSON is what is asked for, so it is printed with --quiet too.
    if args.json || !report.is_quiet() {
        print(&text)?;
    }
    Ok(Outcome::of(done.is_clean))
}
