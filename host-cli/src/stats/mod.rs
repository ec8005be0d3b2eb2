//! `stats`: what a recording says in numbers, as text, JSON or CSV.

mod objects;
mod render;
mod table;
mod tables;

use tband_conv::{Census, convert, sinks::Stats};

use crate::Outcome;
use crate::args::StatsArgs;
use crate::output::print;
use crate::report::Report;

pub use table::duration;

pub fn run(args: &StatsArgs, report: &Report) -> anyhow::Result<Outcome> {
    let (inputs, progress) = args.recordings.open(3, report)?;
    let options = args.recordings.options();
    let mut stats = Stats::default();
    let converted = convert(&inputs, &options, &mut stats).and_then(|summary| {
        let census = Census::run(&inputs, options.mode, summary.diagnostics.is_clean())?;
        Ok((summary, census))
    });
    progress.clear();
    let (summary, census) = converted?;
    report.findings(&summary);
    let tables = tables::all(&stats, &summary, &census);
    let text = match (args.json, args.csv) {
        (true, _) => render::json(&tables)?,
        (_, true) => render::csv(&tables)?,
        _ => render::text(&tables, report.is_verbose()),
    };
    print(text.as_bytes())?;
    Ok(Outcome::of(summary.diagnostics.is_clean()))
}
