//! Waveforms, compressed.

use tband_conv::{ConvError, Input, Options};
use tband_export::convert_to_fst;

use super::{Export, ExportSummary, OutputKind, Setting, Settings, WriteSeek};

pub const EXPORT: Export = Export {
    name: "fst",
    about: "waveforms, compressed, for GTKWave and Surfer",
    ending: ".fst",
    media_type: "application/octet-stream",
    begins: b"\0\0\0\0\0\0\0\x01\x49",
    passes: 2,
    // The data gathered before compression, and the memory for the compression.
    memory: 8 << 20,
    takes: &[Setting::Window, Setting::Gzip],
    form: OutputKind::File(write),
};

fn write(
    inputs: &[Input<'_>],
    options: &Options,
    _: &Settings,
    out: &mut dyn WriteSeek,
) -> Result<ExportSummary, ConvError> {
    convert_to_fst(inputs, options, out).map(ExportSummary::of)
}
