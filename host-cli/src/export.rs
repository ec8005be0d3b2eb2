//! `conv --output-format`: formats of other tools, one file each.

use std::io::{self, BufReader, BufWriter, Seek, Write};

use tband_conv::{ConvError, Input, Options, Summary};
use tband_export::{
    FluxOptions, convert_to_chrome, convert_to_flux, convert_to_fst, convert_to_speedscope,
    convert_to_vcd,
};

use crate::args::{
    ConvArgs, Flows, FluxCompression, FluxVersion, Interrupts, OutputFormat, wrong_usage,
};

/// Ends the program at options of other formats.
pub fn refuse(args: &ConvArgs, format: OutputFormat) {
    let is_usual =
        args.flux_version == FluxVersion::Six && args.flux_compression == FluxCompression::Lz4;
    if format != OutputFormat::Flux && !is_usual {
        wrong_usage(
            "conv",
            "--flux-version and --flux-compression are for flux: add --output-format flux",
        );
    }
    if args.flux_version == FluxVersion::Four && args.flux_compression == FluxCompression::Zlib {
        wrong_usage("conv", "--flux-compression zlib is of version 6: leave out --flux-version");
    }
    // A CTF trace has rules of its own.
    if format == OutputFormat::Perfetto || format.ctf().is_some() {
        return;
    }
    if args.open || args.serve || args.raw_events || args.interrupts != Interrupts::Cpu {
        wrong_usage(
            "conv",
            "--open, --serve, --raw-events and --interrupts are for Perfetto's traces",
        );
    }
    if args.flows == Flows::All && format != OutputFormat::Flux {
        wrong_usage(
            "conv",
            "--flows all is for traces of Perfetto and flux: this format has no arrows",
        );
    }
}

/// How often inputs are read, as far as that is known before.
pub const fn passes(format: OutputFormat) -> usize {
    match format {
        OutputFormat::Vcd | OutputFormat::Fst | OutputFormat::Flux | OutputFormat::Speedscope => 4,
        _ => 2,
    }
}

/// Converts to one of the formats that are a single file.
pub fn write(
    args: &ConvArgs,
    format: OutputFormat,
    (inputs, options): (&[Input<'_>], &Options),
    out: &mut dyn Write,
) -> Result<Summary, ConvError> {
    match format {
        OutputFormat::Vcd => convert_to_vcd(inputs, options, out),
        OutputFormat::Fst => through_a_file(out, |file| convert_to_fst(inputs, options, file)),
        OutputFormat::Flux => {
            let how = FluxOptions {
                version: args.flux_version.into(),
                compression: args.flux_compression.into(),
            };
            convert_to_flux(inputs, options, how, out)
        }
        OutputFormat::Speedscope => convert_to_speedscope(inputs, options, out),
        _ => convert_to_chrome(inputs, options, out),
    }
}

/// Writes what goes back to its start into a temporary file first: `out` may be a pipe.
fn through_a_file(
    out: &mut dyn Write,
    write: impl FnOnce(&mut BufWriter<std::fs::File>) -> Result<Summary, ConvError>,
) -> Result<Summary, ConvError> {
    let mut file = BufWriter::new(tempfile::tempfile().map_err(ConvError::Write)?);
    let summary = write(&mut file)?;
    file.rewind().map_err(ConvError::Write)?;
    let file = file.into_inner().map_err(|error| ConvError::Write(error.into_error()))?;
    io::copy(&mut BufReader::new(file), out).map_err(ConvError::Write)?;
    Ok(summary)
}
