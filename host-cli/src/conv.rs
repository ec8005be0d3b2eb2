//! `conv`: recordings to a trace of Perfetto or other tools.

use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;

use anyhow::{Context, bail};
use tband_app::exports::{
    CtfNames, Export, ExportSummary, OutputKind, Setting, Settings, WriteSeek,
};
use tband_app::options::Window;
use tband_conv::counted;
use tband_conv::model::Flows;
use tband_conv::sinks::Interrupts;
use tband_conv::{ConvError, Input, Options, convert};
use tband_export::{Compression, FluxOptions, FluxVersion, Spool};

use crate::Outcome;
use crate::acceptance::judge;
use crate::args::{ConvArgs, ends, wrong_usage};
use crate::folder::Folder;
use crate::gzip::gzipped;
use crate::output::{is_terminal, to_file, to_stdout};
use crate::progress::Progress;
use crate::report::Report;
use crate::{input, serve};

/// Whether something is set that not every export takes.
fn is_set(setting: Setting, args: &ConvArgs, window: &Window) -> bool {
    match setting {
        Setting::Window => !window.is_all(),
        Setting::Gzip => args.gzip,
        Setting::Shown => args.open || args.serve,
        Setting::Interrupts => args.interrupts != Interrupts::default(),
        Setting::RawEvents => args.raw_events,
        Setting::Activations => args.activations,
        Setting::TaskLoad => args.task_load,
        Setting::Parts => args.parts,
        Setting::AllFlows => args.flows == Flows::All,
        Setting::CtfNames => args.ctf_names != CtfNames::default(),
        Setting::FluxVersion => args.flux_version != FluxVersion::default(),
        Setting::FluxCompression => args.flux_compression != Compression::default(),
    }
}

pub fn run(args: &ConvArgs, report: &Report) -> anyhow::Result<Outcome> {
    let (export, window) = args.window.split();
    let to_stream = args.output.as_deref() == Some(Path::new("-"));
    if to_stream && (args.open || args.serve) {
        wrong_usage("conv", "-o - cannot be combined with --open or --serve: name a file");
    }
    if args.output.as_deref().is_some_and(is_terminal) {
        wrong_usage(
            "conv",
            "refusing to write binary output to a terminal: name a file with -o, or use a pipe",
        );
    }
    for setting in Setting::ALL.iter().filter(|it| is_set(**it, args, &window)) {
        if let Some(refusal) = export.refusal(*setting) {
            wrong_usage("conv", &refusal);
        }
    }
    if args.flux_version == FluxVersion::Four && args.flux_compression == Compression::Zlib {
        wrong_usage("conv", "--flux-compression zlib is of version 6: leave out --flux-version");
    }
    let settings = Settings {
        interrupts: args.interrupts,
        raw_events: args.raw_events,
        activations: args.activations,
        task_load: args.task_load,
        parts: args.parts,
        ctf_names: args.ctf_names,
        flux: FluxOptions { version: args.flux_version, compression: args.flux_compression },
    };
    match export.form {
        OutputKind::Missing(how) => bail!("{how}"),
        OutputKind::Folder(write) => {
            folder(args, export, &window, report, |inputs, options, folder| {
                write(inputs, options, &settings, &mut |name| Ok(Box::new(folder.create(name)?)))
            })
        }
        OutputKind::SendFolder(write) => {
            folder(args, export, &window, report, |inputs, options, folder| {
                write(inputs, options, &settings, &mut |name| Ok(Box::new(folder.create(name)?)))
            })
        }
        OutputKind::Stream(write) => file(args, export, &window, report, |inputs, options, out| {
            write(inputs, options, &settings, out)
        }),
        OutputKind::File(write) => file(args, export, &window, report, |inputs, options, out| {
            through_a_file(out, |file| write(inputs, options, &settings, file))
        }),
    }
}

/// Opens the inputs, and finds out how to convert them.
fn begin(
    args: &ConvArgs,
    export: &Export,
    window: &Window,
    report: &Report,
) -> anyhow::Result<(Vec<Input<'static>>, Options, Progress)> {
    let passes = export.passes + window.pass_count() + args.program.passes();
    let (inputs, progress) = args.recordings.open(passes, report)?;
    let mut options = args.recordings.options();
    args.program.explain(&inputs, &mut options)?;
    options.flows = args.flows;
    (options.from, options.to) = ends(window, "conv", (&inputs, &options), report)?;
    Ok((inputs, options, progress))
}

/// Writes the files of a folder, which appears when it is complete.
fn folder(
    args: &ConvArgs,
    export: &Export,
    window: &Window,
    report: &Report,
    write: impl FnOnce(&[Input<'_>], &Options, &Folder) -> Result<ExportSummary, ConvError>,
) -> anyhow::Result<Outcome> {
    let Some(output) = args.output.as_deref() else {
        wrong_usage("conv", &format!("{} is a folder: name it with -o", export.name));
    };
    let folder = Folder::begin(output, export.name, "conv")?;
    let (inputs, options, progress) = begin(args, export, window, report)?;
    let made = match write(&inputs, &options, &folder) {
        Err(ConvError::Write(error)) => {
            progress.clear();
            return Err(error).with_context(|| format!("cannot write {}", folder.path().display()));
        }
        made => judge(args, made, &progress, report)?,
    };
    let shown = folder.path().display().to_string();
    folder.finish()?;
    report_output(report, &shown, &made);
    Ok(Outcome::of(made.summary.diagnostics.is_clean()))
}

/// Writes one file or stream, and shows it if that is wanted.
fn file(
    args: &ConvArgs,
    export: &Export,
    window: &Window,
    report: &Report,
    write: impl FnOnce(&[Input<'_>], &Options, &mut dyn Write) -> Result<ExportSummary, ConvError>,
) -> anyhow::Result<Outcome> {
    let to_stream = args.output.as_deref() == Some(Path::new("-"));
    let show = args.open || args.serve;
    let how = (args.open, args.open && !args.serve);
    if let Some(output) = args.output.as_deref().filter(|_| !to_stream) {
        input::refuse_to_overwrite(&args.recordings.inputs, output, "pftrace")?;
    }
    let (inputs, options, progress) = begin(args, export, window, report)?;
    if args.output.is_none() && !show {
        return dry_run(args, &inputs, &options, &progress, report);
    }
    let zipped = |path: &Path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("gz"));
    let gzip = args.gzip || args.output.as_deref().is_some_and(zipped);
    let write = |out: &mut dyn Write| judge(args, write(&inputs, &options, out), &progress, report);
    let write = |out: &mut dyn Write| if gzip { gzipped(out, write) } else { write(out) };
    let made = match &args.output {
        Some(_) if to_stream => to_stdout(args.strict, write)?,
        Some(path) => {
            let made = to_file(path, args.strict, write)?;
            report_output(report, &path.display().to_string(), &made);
            if show {
                serve::file(path, (args.address, args.port), how, &made.losses, report)?;
            }
            made
        }
        None => {
            let (dir, path) = serve::temporary("trace.pftrace", gzip)?;
            let made = to_file(&path, args.strict, write)?;
            serve::file(&path, (args.address, args.port), how, &made.losses, report)?;
            dir.close().context("cannot remove a temporary folder")?;
            made
        }
    };
    Ok(Outcome::of(made.summary.diagnostics.is_clean()))
}

/// Writes a format that seeks to its start into a temporary file first: `out` may be a pipe.
fn through_a_file(
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn WriteSeek) -> Result<ExportSummary, ConvError>,
) -> Result<ExportSummary, ConvError> {
    let mut file = BufWriter::new(Spool::default());
    let made = write(&mut file)?;
    file.rewind().map_err(ConvError::Write)?;
    let file = file.into_inner().map_err(|error| ConvError::Write(error.into_error()))?;
    io::copy(&mut BufReader::new(file), out).map_err(ConvError::Write)?;
    Ok(made)
}

/// Reports the inputs to convert, without converting them.
fn dry_run(
    args: &ConvArgs,
    inputs: &[Input<'_>],
    options: &Options,
    progress: &Progress,
    report: &Report,
) -> anyhow::Result<Outcome> {
    let summary = convert(inputs, options, &mut ());
    let ExportSummary { summary, .. } =
        judge(args, summary.map(ExportSummary::of), progress, report)?;
    report.line(&format!(
        "{}: {} would be converted; for a trace add -o FILE, --open or --serve",
        summary.inputs.join(", "),
        counted(summary.events_of_window(), "event")
    ));
    Ok(Outcome::of(summary.diagnostics.is_clean()))
}

/// Reports the written output.
fn report_output(report: &Report, shown: &str, made: &ExportSummary) {
    report.line(&format!("{shown}: {}", made.amount));
    report.messages(made.messages.iter().map(|(label, text)| (*label, format!("{shown}: {text}"))));
    made.details.iter().for_each(|line| report.detail(line));
}
