//! `query`: a question in SQL to recordings, or to folders of tables.

use crate::Outcome;
use crate::args::QueryArgs;
use crate::report::Report;

/// How to get a program with SQL.
#[cfg(not(feature = "query"))]
pub const WITHOUT_SQL: &str = "this tband-cli was built without SQL; with it: cargo install --locked --path host-cli --features query";

/// Answers it.
#[cfg(feature = "query")]
pub fn run(args: &QueryArgs, report: &Report) -> anyhow::Result<Outcome> {
    use std::io::{BufWriter, Write};
    use std::path::Path;

    use tband_query::{Layout, Query};

    use crate::output::{to_file, to_stdout};
    use crate::tables::fill::{InputGrouping, ReadRequest};

    let mut query = Query::prepare(&args.sql).map_err(|error| print_error_place(error, report))?;
    let reading = ReadRequest {
        command: "query",
        recordings: &args.recordings,
        inputs: &args.recordings.inputs,
        program: &args.program,
        window: &args.window,
        load_window_ns: Some(args.every),
        together: InputGrouping::of(args.each),
        compares_times: false,
        is_compared: false,
    };
    let filling = reading.fill(&query, report)?;
    let layout = match (args.json, args.csv) {
        (true, _) => Layout::Json,
        (_, true) => Layout::Csv,
        _ => Layout::Text,
    };
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let write = |out: &mut dyn Write| {
        let mut out = BufWriter::new(out);
        let rows = query.ask(layout, &mut out).map_err(|error| print_error_place(error, report))?;
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
    Ok(Outcome::of(filling.is_clean))
}

/// Prints the place of a mistake; its description comes with the error.
#[cfg(feature = "query")]
fn print_error_place(error: tband_query::QueryError, report: &Report) -> anyhow::Error {
    if let tband_query::QueryError::Mistake(mistake) = &error {
        mistake.place.iter().flatten().for_each(|line| report.line(line));
    }
    error.into()
}

/// Reports how to get it.
#[cfg(not(feature = "query"))]
pub fn run(_: &QueryArgs, _: &Report) -> anyhow::Result<Outcome> {
    anyhow::bail!(WITHOUT_SQL)
}
