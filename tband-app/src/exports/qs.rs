//! Frames of QS.

use std::io::Write;

use tband_conv::{ConvError, Input, Options};
use tband_export::convert_to_qs;

use super::{Export, ExportSummary, OutputKind, Setting, Settings};

pub const EXPORT: Export = Export {
    name: "qs",
    about: "frames of QP/Spy with dictionaries, for QSPY",
    ending: ".qs",
    media_type: "application/octet-stream",
    begins: b"\0\0\xFF\x7E",
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
    convert_to_qs(inputs, options, out).map(ExportSummary::of)
}
