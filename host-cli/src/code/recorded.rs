//! Crashes and records in a recording, explained by the program that made it.

use tband_conv::{Input, Options, convert};

use super::formats::{Known, formats};
use super::places::places;
use super::program::Code;
use crate::args::OfProgram;
use crate::failed::named;

impl OfProgram {
    /// How often it reads the inputs.
    pub const fn passes(&self) -> usize {
        if self.elf.is_some() { 2 } else { 0 }
    }

    /// Formats of the application's own records, and names, if a program is given.
    ///
    /// # Errors
    /// The program cannot be read.
    pub fn formats(&self) -> anyhow::Result<Known> {
        self.elf.as_deref().map_or_else(|| Ok(Known::default()), formats)
    }

    /// Adds where crashes are, and formats of records, to how a recording is converted, if a program is given.
    ///
    /// # Errors
    /// The recording, or the program, cannot be read.
    pub fn explain(&self, inputs: &[Input<'_>], options: &mut Options) -> anyhow::Result<()> {
        let Some(elf) = &self.elf else { return Ok(()) };
        let code = Code::read(elf)?;
        let summary = convert(inputs, options, &mut ()).map_err(named)?;
        let found =
            summary.crashes.iter().filter_map(|it| Some((it.pc()?, places(&code, it, None))));
        options.crash_places = found.collect();
        let Known { program, formats, symbols } = self.formats()?;
        (options.program, options.record_formats, options.symbols) = (program, formats, symbols);
        Ok(())
    }
}
