//! Waveforms as text.

use std::io::Write;

use tband_conv::{ConvError, Input, Options};
use tband_export::convert_to_vcd;

use super::{Export, ExportSummary, OutputKind, Setting, Settings};

pub const EXPORT: Export = Export {
    name: "vcd",
    about: "waveforms as text, for GTKWave, Surfer and others",
    ending: ".vcd",
    media_type: "text/plain",
    begins: b"$version",
    passes: 2,
    memory: 2 << 20,
    takes: &[Setting::Window, Setting::Gzip],
    form: OutputKind::Stream(write),
};

fn write(
    inputs: &[Input<'_>],
    options: &Options,
    _: &Settings,
    out: &mut dyn Write,
) -> Result<ExportSummary, ConvError> {
    convert_to_vcd(inputs, options, out).map(ExportSummary::of)
}
