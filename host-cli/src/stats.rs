//! `stats`: what a recording says in numbers, as text, JSON or CSV.

use tband_app::commands::stats::{COMMAND, CSV, JSON, TEXT};
use tband_app::options::Wanted;

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
    let wanted = Wanted { all, every: args.every, ..Wanted::default() };
    let mut text = Vec::new();
    let what = (&COMMAND, output, &wanted);
    let done =
        look(what, (&args.recordings, &args.window.asked(), &args.program), &mut text, report)?;
    report.messages(done.messages);
    print(&text)?;
    Ok(Outcome::of(done.is_clean))
}
