//! Traces of flux.

use std::io::Write;

use tband_conv::{ConvError, Input, Options};
use tband_export::convert_to_flux;

use super::{Export, ExportSummary, OutputKind, Setting, Settings};

pub const EXPORT: Export = Export {
    name: "flux",
    about: "a trace for toem's impulse",
    ending: ".recTr",
    media_type: "application/octet-stream",
    begins: b"\0\x01flux",
    passes: 2,
    memory: 2 << 20,
    takes: &[
        Setting::Window,
        Setting::Gzip,
        Setting::AllFlows,
        Setting::FluxVersion,
        Setting::FluxCompression,
    ],
    form: OutputKind::Stream(write),
};

fn write(
    inputs: &[Input<'_>],
    options: &Options,
    settings: &Settings,
    out: &mut dyn Write,
) -> Result<ExportSummary, ConvError> {
    convert_to_flux(inputs, options, settings.flux, out).map(ExportSummary::of)
}
