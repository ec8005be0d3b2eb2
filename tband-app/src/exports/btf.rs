//! Traces for timing tools.

use std::io::Write;

use tband_conv::{ConvError, Input, Options};
use tband_export::convert_to_btf;

use super::{Export, ExportSummary, OutputKind, Setting, Settings};

pub const EXPORT: Export = Export {
    name: "btf",
    about: "a BTF trace for Trace Compass and timing tools",
    ending: ".btf",
    media_type: "text/plain",
    begins: b"#version",
    passes: 2,
    // The buffer in which records are sorted.
    memory: 8 << 20,
    takes: &[Setting::Window, Setting::Gzip],
    form: OutputKind::Stream(write),
};

fn write(
    inputs: &[Input<'_>],
    options: &Options,
    _: &Settings,
    out: &mut dyn Write,
) -> Result<ExportSummary, ConvError> {
    convert_to_btf(inputs, options, out).map(ExportSummary::of)
}
