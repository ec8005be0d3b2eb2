//! Traces of Perfetto.

use std::io::Write;

use tband_conv::model::Flows;
use tband_conv::sinks::{
    Perfetto, PerfettoWithActivations, PerfettoWithTaskLoad, RawEvents, TraceSink,
};
use tband_conv::{ConvError, Input, Options, Summary, convert};

use super::{Export, ExportSummary, OutputKind, Setting, Settings};

/// Its entry in the list.
pub const EXPORT: Export = Export {
    name: "perfetto",
    about: "a trace for ui.perfetto.dev",
    ending: ".pftrace",
    media_type: "application/octet-stream",
    begins: b"\x0A",
    passes: 2,
    memory: 2 << 20,
    takes: &[
        Setting::Window,
        Setting::Gzip,
        Setting::Shown,
        Setting::Interrupts,
        Setting::RawEvents,
        Setting::Activations,
        Setting::TaskLoad,
        Setting::AllFlows,
    ],
    form: OutputKind::Stream(write),
};

/// Writes the trace.
///
/// # Errors
/// As for [`convert()`].
pub fn write(
    inputs: &[Input<'_>],
    options: &Options,
    settings: &Settings,
    out: &mut dyn Write,
) -> Result<ExportSummary, ConvError> {
    let sink = Perfetto::new(out).with_interrupts(settings.interrupts);
    let (summary, sink) = match settings.raw_events {
        false => with_more(inputs, options, settings, sink)?,
        true => {
            let (summary, all) = with_more(inputs, options, settings, RawEvents::new(sink))?;
            (summary, all.into_trace())
        }
    };
    let losses = sink.first_losses().to_vec();
    Ok(ExportSummary { losses, ..ExportSummary::of(summary) })
}

/// Converts, and adds the activations of tasks and their load over time, if the settings have them.
fn with_more<S: TraceSink>(
    inputs: &[Input<'_>],
    options: &Options,
    settings: &Settings,
    mut sink: S,
) -> Result<(Summary, S), ConvError> {
    match (settings.activations, settings.task_load) {
        (false, false) => Ok((convert(inputs, options, &mut sink)?, sink)),
        (true, false) => with_activations(inputs, options, sink),
        (false, true) => {
            let mut all = PerfettoWithTaskLoad::new(sink);
            Ok((convert(inputs, options, &mut all)?, all.into_inner()))
        }
        (true, true) => {
            let (summary, all) =
                with_activations(inputs, options, PerfettoWithTaskLoad::new(sink))?;
            Ok((summary, all.into_inner()))
        }
    }
}

/// Converts, and adds the activations of tasks.
fn with_activations<S: TraceSink>(
    inputs: &[Input<'_>],
    options: &Options,
    sink: S,
) -> Result<(Summary, S), ConvError> {
    let mut sink = PerfettoWithActivations::new(sink, options.flows);
    let mut options = options.clone();
    // The release of an item is in its flow.
    options.flows = Flows::All;
    let summary = convert(inputs, &options, &mut sink)?;
    Ok((summary, sink.into_inner()))
}
