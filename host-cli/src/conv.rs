//! `conv`: recordings to a Perfetto trace.
//!
//! The trace is written under a temporary name and renamed when it is whole, so that a truncated
//! one never passes for a whole one.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, bail};
use clap::{CommandFactory, error::ErrorKind};
use tband_conv::{Options, Summary, convert, sinks::Perfetto};

use crate::Outcome;
use crate::args::{Cli, ConvArgs};
use crate::report::Report;
use crate::{input, serve};

pub fn run(args: &ConvArgs, report: &Report) -> anyhow::Result<Outcome> {
    if args.output.is_none() && !args.open && !args.serve {
        let text = "conv needs something to do with the trace: add -o FILE, --open or --serve";
        Cli::command().error(ErrorKind::MissingRequiredArgument, text).exit();
    }
    let inputs = input::reopenable(&args.inputs, args.format.into())?;
    let mut options = Options::default();
    options.mode = args.mode.into();
    options.core_count = args.core_count.0;

    let mut write = |out: &mut dyn Write| -> anyhow::Result<Summary> {
        let mut perfetto = Perfetto::new(out);
        let summary = convert(&inputs, &options, &mut perfetto)?;
        report.findings(&summary);
        if args.strict && !summary.diagnostics.is_clean() {
            bail!("the recording is not clean and --strict was given: nothing is written");
        }
        Ok(summary)
    };

    let show = args.open || args.serve;
    let summary = match &args.output {
        Some(path) if path == Path::new("-") => {
            if show {
                bail!("-o - cannot be combined with --open or --serve: name a file");
            }
            to_stdout(args.strict, &mut write)?
        }
        Some(path) => {
            let summary = to_file(path, &mut write)?;
            tell(report, &path.display().to_string(), &summary);
            if show {
                serve::file(path, args.port, args.open, args.open && !args.serve, report)?;
            }
            summary
        }
        None => {
            let dir = tempfile::tempdir().context("cannot make a temporary folder")?;
            let path = dir.path().join("trace.pftrace");
            let summary = to_file(&path, &mut write)?;
            serve::file(&path, args.port, args.open, args.open && !args.serve, report)?;
            summary
        }
    };
    let clean = summary.diagnostics.is_clean();
    Ok(if clean { Outcome::Clean } else { Outcome::Damaged })
}

fn tell(report: &Report, output: &str, summary: &Summary) {
    report.line(&format!("{output}: {} events", summary.events));
    report.detail(&format!("{} ns per tick of the timestamps", summary.ns_per_tick));
    if let Some(build) = &summary.build_id {
        report.detail(&format!("made by build {build}"));
    }
}

type Convert<'c> = dyn FnMut(&mut dyn Write) -> anyhow::Result<Summary> + 'c;

fn to_stdout(strict: bool, convert: &mut Convert<'_>) -> anyhow::Result<Summary> {
    let mut stdout = io::stdout().lock();
    if !strict {
        return convert(&mut stdout);
    }
    // Whether there may be output at all is known at the end only.
    let mut spool = tempfile::tempfile().context("cannot make a temporary file")?;
    let summary = convert(&mut spool)?;
    io::Seek::rewind(&mut spool)?;
    io::copy(&mut spool, &mut stdout)?;
    Ok(summary)
}

fn to_file(path: &Path, convert: &mut Convert<'_>) -> anyhow::Result<Summary> {
    let cannot = || format!("cannot write {}", path.display());
    // A device or pipe must not be replaced by a file.
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        let mut file = fs::OpenOptions::new().write(true).open(path).with_context(cannot)?;
        return convert(&mut file);
    }
    let dir = match path.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tband-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut part = builder.tempfile_in(dir).with_context(cannot)?;
    let mut out = BufWriter::new(part.as_file_mut());
    let summary = convert(&mut out)?;
    out.flush().with_context(cannot)?;
    drop(out);
    part.persist(path).map_err(|error| error.error).with_context(cannot)?;
    Ok(summary)
}
