//! `conv --output-format parquet`: a recording as a folder of tables.

use crate::Outcome;
use crate::args::{ConvArgs, Window};
use crate::report::Report;

/// Converts.
#[cfg(feature = "parquet")]
pub fn run(args: &ConvArgs, window: &Window, report: &Report) -> anyhow::Result<Outcome> {
    use std::fs::File;
    use std::io::BufWriter;

    use anyhow::Context as _;
    use tband_tables::{About, TABLES, convert_to_tables};

    use crate::folder::Folder;
    use crate::judge::judge;

    if args.gzip {
        crate::args::wrong_usage("conv", "tables are compressed already: leave out --gzip");
    }
    let folder = Folder::begin(args.output.as_deref(), "a set of tables")?;
    let (inputs, progress) = args.recordings.open(3 + window.passes(), report)?;
    let mut options = args.recordings.options();
    (options.from, options.to) = window.ends("conv", &inputs, &options, report)?;
    let names: Vec<&str> = inputs.iter().flat_map(tband_conv::Input::names).collect();
    let about = About { recording: names.join(" "), file: names.join(" "), bytes: None };
    let made = convert_to_tables(&inputs, &options, &about, &mut |table| {
        let file = File::create(folder.file(&format!("{table}.parquet")))?;
        Ok(Box::new(BufWriter::new(file)))
    });
    let summary = judge(args, made, &progress, report)?;
    let shown = folder.path().display().to_string();
    folder.finish().with_context(|| format!("cannot write {shown}"))?;
    let (events, tables) = (summary.events_of_window(), TABLES.len());
    report.line(&format!("{shown}: {events} events, {tables} tables"));
    Ok(Outcome::of(summary.diagnostics.is_clean()))
}

/// Says how to get it.
#[cfg(not(feature = "parquet"))]
pub fn run(_: &ConvArgs, _: &Window, _: &Report) -> anyhow::Result<Outcome> {
    Err(missing())
}

/// This program has no tables.
#[cfg(not(feature = "parquet"))]
pub fn missing() -> anyhow::Error {
    anyhow::anyhow!(
        "this tband-cli was built without tables, whose packages take long to build; with them: \
         cargo install --locked --path host-cli --features parquet"
    )
}
