//! Values of good recordings: baselines, and rules that are learned.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use tband_rules::baseline::Baseline;
use tband_rules::learn::{LEARNED, learn as write_rules};
use tband_rules::read::read;
use tband_rules::rule::Rules;

use super::evaluate::Evaluation;
use crate::Outcome;
use crate::args::AssertArgs;
use crate::output::print;
use crate::report::Report;
use crate::tables::fill::{InputGrouping, ReadRequest};

/// The values that relative bounds refer to, of all files that the user names.
pub fn baseline(
    args: &AssertArgs,
    rules: &Rules,
    report: &Report,
) -> anyhow::Result<Option<Baseline>> {
    if args.baseline.is_empty() {
        return Ok(None);
    }
    let mut all = Baseline::default();
    let mut recordings = Vec::new();
    for file in &args.baseline {
        match stored(Path::new(file))? {
            Some(baseline) => all.extend(baseline),
            None => recordings.push(file.clone()),
        }
    }
    if !recordings.is_empty() {
        all.extend(evaluated(args, rules, &recordings, report)?.baseline()?);
    }
    Ok(Some(all))
}

/// A baseline that was written; none if the file is a recording or a folder.
fn stored(path: &Path) -> anyhow::Result<Option<Baseline>> {
    if path.is_dir() || path.extension().is_none_or(|it| !it.eq_ignore_ascii_case("json")) {
        return Ok(None);
    }
    let shown = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    Baseline::read(&text).map(Some).map_err(|error| anyhow!("{shown}: {error}"))
}

/// Evaluates the rules for these recordings, each separately.
fn evaluated<'r>(
    args: &AssertArgs,
    rules: &'r Rules,
    inputs: &[OsString],
    report: &Report,
) -> anyhow::Result<Evaluation<'r>> {
    let mut evaluation = Evaluation::prepare(rules, None, report)?;
    let reading = ReadRequest {
        command: "assert",
        recordings: &args.recordings,
        inputs,
        program: &args.program,
        window: &args.window,
        load_window_ns: None,
        together: InputGrouping::Each,
        compares_times: false,
        is_compared: !args.baseline.is_empty(),
    };
    evaluation.read(&reading, report)?;
    Ok(evaluation)
}

/// Prints rules that these recordings keep.
pub fn learn(args: &AssertArgs, inputs: &[OsString], report: &Report) -> anyhow::Result<Outcome> {
    let rules = read("", LEARNED).map_err(|mistake| anyhow!("{mistake}"))?;
    let mut evaluation = evaluated(args, &rules, inputs, report)?;
    let learned = evaluation.measured()?;
    if let Some(cause) = evaluation.untimed() {
        report.warn(&format!("only rules without times are learned: {cause}"));
    }
    anyhow::ensure!(
        !learned.is_empty(),
        "nothing can be learned: the recordings have no task or interrupt"
    );
    print(write_rules(&rules, &learned).as_bytes())?;
    Ok(Outcome::Clean)
}
