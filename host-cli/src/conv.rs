//! `conv`: recordings to a trace of Perfetto or other tools.

use std::cell::RefCell;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use tband_conv::{
    Input, Options, Sink, Summary, convert,
    sinks::{Perfetto, RawEvents},
};

use crate::Outcome;
use crate::args::{ConvArgs, CtfNames, OutputFormat, Recordings, wrong_usage};
use crate::gzip::gzipped;
use crate::judge::judge;
use crate::output::{is_terminal, to_file, to_stdout};
use crate::progress::Progress;
use crate::report::Report;
use crate::{ctf, export, input, serve, tables};

impl Recordings {
    /// The inputs, to be read this often.
    pub fn open(
        &self,
        passes: usize,
        report: &Report,
    ) -> anyhow::Result<(Vec<Input<'static>>, Progress)> {
        let progress = Progress::new(passes, !report.is_quiet());
        let format = self.reading.format.into();
        let inputs = input::open(&self.inputs, format, false, &progress)?;
        for joined in inputs.iter().filter(|input| input.names().count() > 1) {
            report.detail(&format!("one recording: {}", joined.name()));
        }
        Ok((inputs, progress))
    }

    /// How to convert them.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        options.mode = self.reading.mode.into();
        options.core_count = self.core_count.0;
        options.tick_rate = self.reading.tick_rate;
        options
    }
}

pub fn run(args: &ConvArgs, report: &Report) -> anyhow::Result<Outcome> {
    let (format, window) = args.window.split();
    let to_stream = args.output.as_deref() == Some(Path::new("-"));
    let show = args.open || args.serve;
    let how = (args.open, args.open && !args.serve);
    if to_stream && show {
        wrong_usage("conv", "-o - cannot be combined with --open or --serve: name a file");
    }
    if args.output.as_deref().is_some_and(is_terminal) {
        wrong_usage(
            "conv",
            "refusing to write binary output to a terminal: name a file with -o, or use a pipe",
        );
    }
    export::refuse(args, format);
    if let Some(version) = format.ctf() {
        return ctf::run(args, version, &window, report);
    }
    if format == OutputFormat::Parquet {
        return tables::run(args, &window, report);
    }
    if args.ctf_names != CtfNames::Tband {
        wrong_usage("conv", "--ctf-names is for traces of CTF: add --output-format ctf1");
    }
    if let Some(output) = args.output.as_deref().filter(|_| !to_stream) {
        input::refuse_to_overwrite(&args.recordings.inputs, output)?;
    }
    let (inputs, progress) =
        args.recordings.open(export::passes(format) + window.passes(), report)?;
    let mut options = args.recordings.options();
    options.flows = args.flows.into();
    (options.from, options.to) = window.ends("conv", &inputs, &options, report)?;
    if args.output.is_none() && !show {
        return dry_run(args, &inputs, &options, &progress, report);
    }
    let zipped = |path: &Path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("gz"));
    let gzip = args.gzip || args.output.as_deref().is_some_and(zipped);

    let losses = RefCell::new(Vec::new());
    let write = |out: &mut dyn Write| -> anyhow::Result<Summary> {
        if format != OutputFormat::Perfetto {
            let summary = export::write(args, format, (&inputs, &options), out);
            return judge(args, summary, &progress, report);
        }
        let mut sink = Perfetto::new(out).with_interrupts(args.interrupts.into());
        let summary;
        if args.raw_events {
            let mut all = RawEvents::new(sink);
            summary = convert::<dyn Sink>(&inputs, &options, &mut all);
            sink = all.into_trace();
        } else {
            summary = convert(&inputs, &options, &mut sink);
        }
        *losses.borrow_mut() = sink.first_losses().to_vec();
        judge(args, summary, &progress, report)
    };
    let write = |out: &mut dyn Write| if gzip { gzipped(out, write) } else { write(out) };

    let summary = match &args.output {
        Some(_) if to_stream => to_stdout(args.strict, write)?,
        Some(path) => {
            let summary = to_file(path, args.strict, write)?;
            tell(report, path, &summary);
            if show {
                serve::file(path, args.port, how, &losses.borrow(), report)?;
            }
            summary
        }
        None => {
            let (dir, path) = serve::temporary("trace.pftrace", gzip)?;
            let summary = to_file(&path, args.strict, write)?;
            serve::file(&path, args.port, how, &losses.borrow(), report)?;
            dir.close().context("cannot remove a temporary folder")?;
            summary
        }
    };
    Ok(Outcome::of(summary.diagnostics.is_clean()))
}

/// Says what there is to convert, and does not.
fn dry_run(
    args: &ConvArgs,
    inputs: &[Input<'_>],
    options: &Options,
    progress: &Progress,
    report: &Report,
) -> anyhow::Result<Outcome> {
    let summary = judge(args, convert::<dyn Sink>(inputs, options, &mut ()), progress, report)?;
    report.line(&format!(
        "{}: {} events would be converted; for a trace add -o FILE, --open or --serve",
        summary.inputs.join(", "),
        summary.events_of_window()
    ));
    Ok(Outcome::of(summary.diagnostics.is_clean()))
}

fn tell(report: &Report, output: &Path, summary: &Summary) {
    report.line(&format!("{}: {} events", output.display(), summary.events_of_window()));
    report.detail(&format!("timestamps count at {}", summary.frequency));
    if let Some(build) = &summary.build_id {
        report.detail(&format!("made by build {build}"));
    }
}
