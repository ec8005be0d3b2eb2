//! Traces of flux.

use std::io::Write;

use tband_conv::{ConvError, Input, Options};
use tband_export::convert_to_flux;

use super::{Export, Form, Made, Setting, Settings};

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
    form: Form::Stream(write),
};

fn write(
    inputs: &[Input<'_>],
    options: &Options,
    settings: &Settings,
    out: &mut dyn Write,
) -> Result<Made, ConvError> {
    convert_to_flux(inputs, options, settings.flux, out).map(Made::of)
}
