//! `conv --output-format ctf1` and `ctf2`: recordings to a folder with a CTF trace.

use std::fs;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, bail};
use tband_conv::{CtfVersion, Output, Sink, convert, convert_scheduling_to_ctf, convert_to_ctf};
use tband_report::messages;

use crate::Outcome;
use crate::args::{ConvArgs, CtfNames, Window, wrong_usage};
use crate::judge::judge;
use crate::report::Report;

/// Converts, or says what there is to convert.
pub fn run(
    args: &ConvArgs,
    version: CtfVersion,
    window: &Window,
    report: &Report,
) -> anyhow::Result<Outcome> {
    if !window.is_all() {
        wrong_usage("conv", "a CTF trace has all of the recording: leave out the window");
    }
    if args.open || args.serve || args.gzip || args.raw_events {
        wrong_usage("conv", "--open, --serve, --gzip and --raw-events are for Perfetto's traces");
    }
    if args.ctf_names == CtfNames::Lttng && version != CtfVersion::One {
        wrong_usage(
            "conv",
            "a trace with --ctf-names lttng is of CTF 1.8: add --output-format ctf1",
        );
    }
    let Some(folder) = &args.output else {
        wrong_usage("conv", "a CTF trace is a folder: name it with -o");
    };
    refuse(folder)?;
    let (inputs, progress) = args.recordings.open(5, report)?;
    let options = args.recordings.options();
    let summary = judge(args, convert::<dyn Sink>(&inputs, &options, &mut ()), &progress, report)?;
    let parent = match folder.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let cannot = || format!("cannot write {}", folder.display());
    // It is there when it is whole.
    let part =
        tempfile::Builder::new().prefix(".tband-").tempdir_in(parent).with_context(cannot)?;
    let create = |name: &str| {
        Ok(Box::new(BufWriter::new(fs::File::create(part.path().join(name))?)) as Box<_>)
    };
    let mut output = Output::folder(create);
    let trace = match args.ctf_names {
        CtfNames::Tband => convert_to_ctf(&inputs, &options, version, &mut output),
        CtfNames::Lttng => convert_scheduling_to_ctf(&inputs, &options, &mut output),
    };
    drop(output);
    progress.clear();
    let trace = trace.with_context(cannot)?;
    if folder.is_dir() {
        fs::remove_dir(folder).with_context(cannot)?;
    }
    set_usual_permissions(part.path()).with_context(cannot)?;
    fs::rename(part.keep(), folder).with_context(cannot)?;
    report.line(&format!("{}: {} events", folder.display(), trace.events));
    let named = |(label, text)| (label, format!("{}: {text}", folder.display()));
    report.tell(messages::of_trace(&trace).into_iter().map(named));
    if trace.unchanged > 0 {
        report.detail(&format!("{} packets as they were", trace.unchanged));
    }
    if args.ctf_names == CtfNames::Lttng {
        return Ok(Outcome::of(summary.diagnostics.is_clean()));
    }
    report.detail(&format!(
        "its clock counts at {} Hz, the timer at {}",
        trace.hz, summary.frequency
    ));
    Ok(Outcome::of(summary.diagnostics.is_clean()))
}

/// Nothing that is there already is lost.
fn refuse(folder: &Path) -> anyhow::Result<()> {
    if folder == Path::new("-") {
        wrong_usage("conv", "a CTF trace is a folder, which cannot go to stdout");
    }
    let Ok(mut entries) = fs::read_dir(folder) else {
        if folder.exists() {
            bail!("{} is no folder: name a new one for the trace", folder.display());
        }
        return Ok(());
    };
    if entries.next().is_some() {
        bail!("{} is not empty: name a new folder for the trace", folder.display());
    }
    Ok(())
}

/// Temporary folders are for their owner only.
#[cfg(unix)]
fn set_usual_permissions(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    // As a new file beside them has, with the right to enter.
    let probe = tempfile::Builder::new()
        .permissions(fs::Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    let mode = probe.as_file().metadata()?.permissions().mode();
    fs::set_permissions(folder, fs::Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

/// Temporary folders have the usual permissions.
#[cfg(not(unix))]
fn set_usual_permissions(_: &Path) -> std::io::Result<()> {
    Ok(())
}
