//! Crashes and records in a recording, explained by the program that made it.

use std::fmt;
use std::path::Path;

use tband_conv::{ConvError, Input, Options, convert};

use crate::code::Code;
use crate::formats::formats;
use crate::places::places;

/// Why a recording cannot be explained.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExplainError {
    /// The program cannot be read; the text has its file.
    Program(anyhow::Error),
    /// The recording cannot be read.
    Recording(ConvError),
}

impl fmt::Display for ExplainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(error) => write!(f, "{error:#}"),
            Self::Recording(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExplainError {}

/// Adds the program's facts in this ELF file to the options of a conversion: places of crashes, formats of records, names. It
/// reads the recording twice, for its crashes; a caller that shows no crashes needs only [`formats`].
///
/// # Errors
/// The program, or the recording, cannot be read.
pub fn explain(
    elf: &Path,
    inputs: &[Input<'_>],
    options: &mut Options,
) -> Result<(), ExplainError> {
    let code = Code::read(elf).map_err(ExplainError::Program)?;
    let known = formats(elf).map_err(ExplainError::Program)?;
    let summary = convert(inputs, options, &mut ()).map_err(ExplainError::Recording)?;
    let found =
        summary.crashes.iter().filter_map(|it| Some((it.pc()?, places(&code, it, None).lines())));
    options.crash_places = found.collect();
    known.apply_to(options);
    Ok(())
}
