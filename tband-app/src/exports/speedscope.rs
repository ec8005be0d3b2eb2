//! Profiles for speedscope.

use std::io::Write;

use tband_conv::{ConvError, Input, Options};
use tband_export::convert_to_speedscope;

use super::{Export, ExportSummary, OutputKind, Setting, Settings};

pub const EXPORT: Export = Export {
    name: "speedscope",
    about: "a profile of each core for speedscope.app",
    ending: ".speedscope.json",
    media_type: "application/json",
    begins: b"{\"$schema\"",
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
    convert_to_speedscope(inputs, options, out).map(ExportSummary::of)
}
