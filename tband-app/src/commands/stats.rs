//! `stats`: what a recording says in numbers.

use std::io::{self, Write};

use tband_conv::{ConvError, Input, Options};
use tband_report::stats::{self, Measured, Table};

use super::{Command, Output};
use crate::done::{Done, Failure};

/// Its entry in the list.
pub const COMMAND: Command = Command {
    name: "stats",
    about: "Print what tasks, interrupts, queues and markers did, in numbers",
    outputs: &[TEXT, JSON, CSV],
    passes: |_, _| 2,
    memory: 2 << 20,
};

/// For people.
pub const TEXT: Output = Output {
    name: "text",
    ending: ".stats.txt",
    media_type: "text/plain",
    run: |inputs, options, wanted, out| {
        run(inputs, options, out, |tables| Ok(stats::text(tables, wanted.all)))
    },
};

/// One object.
pub const JSON: Output = Output {
    name: "json",
    ending: ".stats.json",
    media_type: "application/json",
    run: |inputs, options, wanted, out| {
        let json = |tables: &[Table]| stats::json(tables, wanted.all).map_err(io::Error::other);
        run(inputs, options, out, json)
    },
};

/// One number a line.
pub const CSV: Output = Output {
    name: "csv",
    ending: ".stats.csv",
    media_type: "text/csv",
    run: |inputs, options, wanted, out| {
        run(inputs, options, out, |tables| stats::csv(tables, wanted.all))
    },
};

fn run(
    inputs: &[Input<'_>],
    options: &Options,
    out: &mut dyn Write,
    shown: impl FnOnce(&[Table]) -> io::Result<String>,
) -> Result<Done, Failure> {
    let Measured { tables, summary, .. } = stats::measure(inputs, options)?;
    let text = shown(&tables).map_err(ConvError::Write)?;
    out.write_all(text.as_bytes()).map_err(ConvError::Write)?;
    Ok(Done::of(summary))
}
