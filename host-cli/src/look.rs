//! Common functions of the commands that read recordings and write one text or page.

use std::io::Write;

use tband_app::command_result::CommandResult;
use tband_app::commands::{Command, Output};
use tband_app::options::{CommandSettings, Window};

use crate::args::{ProgramArgs, Recordings, ends};
use crate::failed::failed;
use crate::report::Report;

/// Reads recordings, and writes the requested output.
pub fn look(
    (command, output, wanted): (&Command, Output, &CommandSettings),
    (recordings, window, program): (&Recordings, &Window, &ProgramArgs),
    out: &mut dyn Write,
    report: &Report,
) -> anyhow::Result<CommandResult> {
    let passes = (command.passes)(recordings.inputs.len(), !window.is_all());
    let (inputs, progress) =
        recordings.open(window.pass_count() + passes + program.passes(), report)?;
    let mut options = recordings.options();
    program.explain(&inputs, &mut options)?;
    (options.from, options.to) = ends(window, command.name, (&inputs, &options), report)?;
    let done = (output.run)(&inputs, &options, wanted, out);
    progress.clear();
    done.map_err(failed)
}
