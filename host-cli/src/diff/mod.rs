//! `diff`: two groups of recordings are compared.

#[cfg(feature = "query")]
mod differences;
#[cfg(feature = "query")]
mod figures;
#[cfg(feature = "query")]
mod result;

use tband_report::page::PageComparison;

use crate::Outcome;
use crate::args::{DiffArgs, ReportArgs};
use crate::report::Report;

/// The rows above the two recordings of a report. `None`: an input can be read only once.
#[cfg(feature = "query")]
pub fn of_report(args: &ReportArgs, report: &Report) -> anyhow::Result<Option<PageComparison>> {
    result::of_report(args, report)
}

/// A program without SQL computes no figures.
#[cfg(not(feature = "query"))]
pub fn of_report(_: &ReportArgs, _: &Report) -> anyhow::Result<Option<PageComparison>> {
    Ok(None)
}

/// Compares them.
#[cfg(feature = "query")]
pub fn run(args: DiffArgs, report: &Report) -> anyhow::Result<Outcome> {
    result::run(args, report)
}

/// Reports how to get it.
#[cfg(not(feature = "query"))]
pub fn run(_: DiffArgs, _: &Report) -> anyhow::Result<Outcome> {
    anyhow::bail!(crate::tables::query::WITHOUT_SQL)
}
