//! `stats`: what a recording says in numbers, as text, JSON or CSV.

use tband_report::stats::{self, Measured};

use crate::Outcome;
use crate::args::{StatsArgs, named, report_if_empty};
use crate::output::print;
use crate::report::Report;

pub fn run(args: &StatsArgs, report: &Report) -> anyhow::Result<Outcome> {
    let passes = args.window.passes() + if args.window.is_all() { 3 } else { 2 };
    let (inputs, progress) = args.recordings.open(passes, report)?;
    let mut options = args.recordings.options();
    (options.from, options.to) = args.window.ends("stats", &inputs, &options, report)?;
    let measured = stats::measure(&inputs, &options);
    progress.clear();
    let Measured { tables, summary, .. } = measured.map_err(named)?;
    report.findings(&summary);
    report_if_empty(summary.part.as_ref(), report);
    let text = match (args.json, args.csv) {
        (true, _) => stats::json(&tables)?,
        (_, true) => stats::csv(&tables)?,
        _ => stats::text(&tables, args.all || report.is_verbose()),
    };
    print(text.as_bytes())?;
    Ok(Outcome::of(summary.diagnostics.is_clean()))
}
