//! `check`: whether a recording is whole, and what is wrong with it.

use tband_conv::{convert, sinks::Stats};
use tband_report::{check, printable_json};

use crate::Outcome;
use crate::args::CheckArgs;
use crate::output::print;
use crate::report::Report;

pub fn run(args: &CheckArgs, report: &Report) -> anyhow::Result<Outcome> {
    let (inputs, progress) = args.recordings.open(2, report)?;
    let mut stats = Stats::default();
    let options = args.recordings.options();
    let summary = convert(&inputs, &options, &mut stats);
    progress.clear();
    let summary = summary?;
    if args.json {
        // This is what is asked for, so it is printed with --quiet too.
        let json = check::json(&summary, &stats, options.core_count);
        let json = printable_json(serde_json::to_string_pretty(&json)?);
        print(format!("{json}\n").as_bytes())?;
    } else if !report.is_quiet() {
        print(check::text(&summary, &stats, options.core_count).as_bytes())?;
    }
    Ok(Outcome::of(summary.diagnostics.is_clean()))
}
