//! `--elf`: the program that made a recording, which explains its crashes and records.

use tband_conv::{Input, Options};
use tband_program::{ExplainError, RecordFacts, explain, formats};

use crate::args::ProgramArgs;
use crate::failed::named;

impl ProgramArgs {
    /// How often it reads the inputs.
    pub const fn passes(&self) -> usize {
        if self.elf.is_some() { 2 } else { 0 }
    }

    /// Returns the formats of the application's log records, and names, if a program is given.
    ///
    /// # Errors
    /// The program cannot be read.
    pub fn formats(&self) -> anyhow::Result<RecordFacts> {
        self.elf.as_deref().map_or_else(|| Ok(RecordFacts::default()), formats)
    }

    /// Adds where crashes are, and formats of records, to how a recording is converted, if a program is given.
    ///
    /// # Errors
    /// The recording, or the program, cannot be read.
    pub fn explain(&self, inputs: &[Input<'_>], options: &mut Options) -> anyhow::Result<()> {
        let Some(elf) = &self.elf else { return Ok(()) };
        explain(elf, inputs, options).map_err(|error| match error {
            ExplainError::Program(error) => error,
            ExplainError::Recording(error) => named(error),
            other => other.into(),
        })
    }
}
