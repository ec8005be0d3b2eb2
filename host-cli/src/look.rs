//! What the commands share that read recordings and write one text or page.

use std::io::Write;

use tband_app::Done;
use tband_app::commands::{Command, Output};
use tband_app::options::{Wanted, Window};

use crate::args::{OfProgram, Recordings, ends};
use crate::failed::failed;
use crate::report::Report;

/// Reads recordings, and writes what was asked for.
pub fn look(
    (command, output, wanted): (&Command, Output, &Wanted),
    (recordings, window, program): (&Recordings, &Window, &OfProgram),
    out: &mut dyn Write,
    report: &Report,
) -> anyhow::Result<Done> {
    let passes = (command.passes)(recordings.inputs.len(), !window.is_all());
    let (inputs, progress) =
        recordings.open(window.passes() + passes + program.passes(), report)?;
    let mut options = recordings.options();
    program.explain(&inputs, &mut options)?;
    (options.from, options.to) = ends(window, command.name, (&inputs, &options), report)?;
    let done = (output.run)(&inputs, &options, wanted, out);
    progress.clear();
    done.map_err(failed)
}
