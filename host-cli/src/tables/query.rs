//! `query`: a question in SQL to recordings, or to folders of tables.

use crate::Outcome;
use crate::args::QueryArgs;
use crate::report::Report;

/// Answers it.
#[cfg(feature = "query")]
pub fn run(args: &QueryArgs, report: &Report) -> anyhow::Result<Outcome> {
    use std::io::{BufWriter, Write};
    use std::path::Path;

    use tband_query::{Layout, Query};

    use crate::args::wrong_usage;
    use crate::output::{to_file, to_stdout};

    let mut query = Query::prepare(&args.sql).map_err(|error| shown(error, report))?;
    let folders = args.recordings.inputs.iter().filter(|input| Path::new(input).is_dir()).count();
    let outcome = match folders {
        0 => recordings(&query, args, report)?,
        some if some < args.recordings.inputs.len() => {
            wrong_usage("query", "recordings and folders of tables cannot be read together")
        }
        _ if !args.window.asked().is_all() => {
            wrong_usage("query", "a window is of recordings: use WHERE for tables")
        }
        _ if args.program.elf.is_some() => {
            wrong_usage("query", "a program explains recordings: give it to ingest for tables")
        }
        _ => tables(&query, args, report)?,
    };
    let layout = match (args.json, args.csv) {
        (true, _) => Layout::Json,
        (_, true) => Layout::Csv,
        _ => Layout::Text,
    };
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let write = |out: &mut dyn Write| {
        let mut out = BufWriter::new(out);
        let rows = query.ask(layout, &mut out).map_err(|error| shown(error, report))?;
        out.flush()?;
        Ok(rows)
    };
    let rows = match output {
        Some(path) => {
            crate::input::refuse_to_overwrite(&args.recordings.inputs, path, "txt")?;
            to_file(path, true, write)?
        }
        None => to_stdout(false, write)?,
    };
    if rows == 0 {
        report.line("no rows");
    }
    Ok(outcome)
}

/// Shows the place of a mistake; what it is comes with the error.
#[cfg(feature = "query")]
fn shown(error: tband_query::QueryError, report: &Report) -> anyhow::Error {
    if let tband_query::QueryError::Mistake(mistake) = &error {
        mistake.place.iter().flatten().for_each(|line| report.line(line));
    }
    error.into()
}

/// Reads recordings.
#[cfg(feature = "query")]
fn recordings(
    query: &tband_query::Query,
    args: &QueryArgs,
    report: &Report,
) -> anyhow::Result<Outcome> {
    use tband_conv::Input;
    use tband_tables::About;

    use crate::args::ends;
    use crate::failed::named;

    /// For each table an event may have rows in.
    const PASSES: usize = 3;

    let window = args.window.asked();
    let known = args.program.formats()?;
    let inputs = &args.recordings.inputs;
    let size = if args.each { 1 } else { inputs.len().max(1) };
    let mut outcome = Outcome::Clean;
    for inputs in inputs.chunks(size) {
        let passes = window.passes() + PASSES;
        let (inputs, progress) = args.recordings.open_these(inputs, passes, report)?;
        let mut options = args.recordings.options();
        known.clone().tell(&mut options);
        (options.from, options.to) = ends(&window, "query", (&inputs, &options), report)?;
        let names: Vec<&str> = inputs.iter().flat_map(Input::names).collect();
        let about = About { recording: names.join(" "), file: names.join(" "), bytes: None };
        let summary = query.add(&inputs, &options, &about);
        progress.clear();
        let summary = summary.map_err(named)?;
        report.messages(tband_app::found(&summary));
        outcome = outcome.and(Outcome::of(summary.diagnostics.is_clean()));
    }
    Ok(outcome)
}

/// Reads folders.
#[cfg(all(feature = "query", feature = "parquet"))]
fn tables(
    query: &tband_query::Query,
    args: &QueryArgs,
    report: &Report,
) -> anyhow::Result<Outcome> {
    for folder in &args.recordings.inputs {
        let recordings = query.add_folder(std::path::Path::new(folder))?;
        report.detail(&format!("{}: {recordings} recordings", folder.display()));
    }
    Ok(Outcome::Clean)
}

/// Says how to get it.
#[cfg(all(feature = "query", not(feature = "parquet")))]
fn tables(_: &tband_query::Query, _: &QueryArgs, _: &Report) -> anyhow::Result<Outcome> {
    anyhow::bail!(tband_app::exports::WITHOUT_TABLES)
}

/// Says how to get it.
#[cfg(not(feature = "query"))]
pub fn run(args: &QueryArgs, _: &Report) -> anyhow::Result<Outcome> {
    // What would be asked.
    let QueryArgs {
        sql: _,
        recordings: _,
        program: _,
        window: _,
        each: _,
        output: _,
        json: _,
        csv: _,
    } = args;
    anyhow::bail!(
        "this tband-cli was built without SQL; with it: cargo install --locked --path host-cli --features query"
    )
}
