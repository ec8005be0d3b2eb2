//! `conv --output-format ctf1` and `ctf2`: recordings to a folder with a CTF trace.

use std::fs;
use std::io::BufWriter;

use anyhow::Context;
use tband_conv::{CtfVersion, Output, Sink, convert, convert_scheduling_to_ctf, convert_to_ctf};
use tband_report::messages;

use crate::Outcome;
use crate::args::{ConvArgs, CtfNames, Window, wrong_usage};
use crate::folder::Folder;
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
    let folder = Folder::begin(args.output.as_deref(), "a CTF trace")?;
    let (inputs, progress) = args.recordings.open(5, report)?;
    let options = args.recordings.options();
    let summary = judge(args, convert::<dyn Sink>(&inputs, &options, &mut ()), &progress, report)?;
    let cannot = || format!("cannot write {}", folder.path().display());
    let create =
        |name: &str| Ok(Box::new(BufWriter::new(fs::File::create(folder.file(name))?)) as Box<_>);
    let mut output = Output::folder(create);
    let trace = match args.ctf_names {
        CtfNames::Tband => convert_to_ctf(&inputs, &options, version, &mut output),
        CtfNames::Lttng => convert_scheduling_to_ctf(&inputs, &options, &mut output),
    };
    drop(output);
    progress.clear();
    let trace = trace.with_context(cannot)?;
    let shown = folder.path().display().to_string();
    folder.finish()?;
    report.line(&format!("{shown}: {} events", trace.events));
    let named = |(label, text)| (label, format!("{shown}: {text}"));
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
