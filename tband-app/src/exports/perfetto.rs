//! Traces of Perfetto.

use std::io::Write;

use tband_conv::sinks::{Perfetto, RawEvents};
use tband_conv::{ConvError, Input, Options, convert, convert_to_perfetto};

use super::{Export, Form, Made, Setting, Settings};

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
        Setting::AllFlows,
    ],
    form: Form::Stream(write),
};

/// Writes the trace.
///
/// # Errors
/// As for [`convert`].
pub fn write(
    inputs: &[Input<'_>],
    options: &Options,
    settings: &Settings,
    out: &mut dyn Write,
) -> Result<Made, ConvError> {
    let mut sink = Perfetto::new(out).with_interrupts(settings.interrupts);
    let summary;
    if settings.raw_events {
        let mut all = RawEvents::new(sink);
        summary = convert(inputs, options, &mut all)?;
        sink = all.into_trace();
    } else {
        summary = convert_to_perfetto(inputs, options, &mut sink)?;
    }
    let losses = sink.first_losses().to_vec();
    Ok(Made { losses, ..Made::of(summary) })
}
