//! `stats`: the numbers of a recording, as text, JSON or CSV.

use tband_app::commands::stats::{COMMAND, CSV, JSON, TEXT};
use tband_app::options::CommandSettings;

use crate::Outcome;
use crate::args::StatsArgs;
use crate::look::look;
use crate::output::print;
use crate::report::Report;

pub fn run(args: &StatsArgs, report: &Report) -> anyhow::Result<Outcome> {
    let output = match (args.json, args.csv) {
        (true, _) => JSON,
        (_, true) => CSV,
        _ => TEXT,
    };
    let all = args.all || report.is_verbose();
    let (every, response_times) = (args.every, args.response_times);
    let wanted = CommandSettings { all, every, response_times, ..CommandSettings::default() };
    let mut text = Vec::new();
    let what = (&COMMAND, output, &wanted);
    let done =
        look(what, (&args.recordings, &args.window.window(), &args.program), &mut text, report)?;
    report.messages(done.messages);
    print(&text)?;
    Ok(Outcome::of(done.is_clean))
}
