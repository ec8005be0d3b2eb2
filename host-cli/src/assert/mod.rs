//! `assert`: recordings are judged by rules.

#[cfg(feature = "query")]
mod evaluate;
#[cfg(feature = "query")]
mod explain;
#[cfg(feature = "query")]
mod measured;
#[cfg(feature = "query")]
mod write;

#[cfg(feature = "query")]
pub use self::evaluate::read_rules;
use crate::Outcome;
use crate::args::AssertArgs;
use crate::report::Report;

/// Judges them.
#[cfg(feature = "query")]
pub fn run(args: &AssertArgs, report: &Report) -> anyhow::Result<Outcome> {
    if args.learn {
        let inputs = [&[args.rules.clone()][..], &args.recordings.inputs].concat();
        return measured::learn(args, &inputs, report);
    }
    let rules = read_rules(std::path::Path::new(&args.rules), report)?;
    judge(&rules, args, report)
}

/// Judges them by these rules, or explains the rules.
#[cfg(feature = "query")]
pub fn judge(
    rules: &tband_rules::rule::Rules,
    args: &AssertArgs,
    report: &Report,
) -> anyhow::Result<Outcome> {
    use std::ffi::OsString;

    use tband_rules::output::Results;

    use crate::args::wrong_usage;

    let baseline = measured::baseline(args, rules, report)?;
    if args.explain {
        return evaluate::explain(rules, baseline.as_ref());
    }
    if args.recordings.inputs.is_empty() {
        wrong_usage("assert", "a recording is needed: tband-cli assert RULES INPUT");
    }
    let mut evaluation = evaluate::Evaluation::prepare(rules, baseline.as_ref(), report)?;
    let filled = evaluation.fill(args, report)?;
    let mut judged = evaluation.judge()?;
    if let Some(path) = &args.write_baseline {
        evaluation.write_baseline(path)?;
        report.detail(&format!("{}: written", path.display()));
    }
    explain::add_splits(args, &filled, &mut judged, report)?;
    let name = |input: &OsString| input.to_string_lossy().into_owned();
    let inputs: Vec<_> = args.recordings.inputs.iter().map(name).collect();
    let results = Results { file: &rules.file, inputs: &inputs, judged: &judged };
    write::all(args, &results, report)?;
    Ok(match results.code() {
        0 => Outcome::Clean,
        1 => Outcome::Damaged,
        _ => Outcome::Open,
    })
}

/// Reports how to get it.
#[cfg(not(feature = "query"))]
pub fn run(_: &AssertArgs, _: &Report) -> anyhow::Result<Outcome> {
    anyhow::bail!(crate::tables::query::WITHOUT_SQL)
}
