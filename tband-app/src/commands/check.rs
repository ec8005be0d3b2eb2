//! `check`: whether a recording is whole, and its problems. The verdict is on the whole recording, whatever window the
//! options name.

use std::io::{self, Write};

use serde_json::Value;
use tband_conv::sinks::Stats;
use tband_conv::{ConvError, Input, Options, Summary, convert};
use tband_report::check;
use tband_report::printable::printable_json;

use super::{Command, Output};
use crate::command_result::{CommandResult, Failure};

/// Its entry in the list.
pub const COMMAND: Command = Command {
    name: "check",
    about: "Check whether a recording is complete, and report its faults",
    outputs: &[TEXT, JSON],
    passes: |_, _| 2,
    memory: 2 << 20,
};

/// For people.
pub const TEXT: Output = Output {
    name: "text",
    ending: ".check.txt",
    media_type: "text/plain",
    run: |inputs, options, _, out| {
        run(inputs, options, out, |summary, stats, _| {
            Ok(check::text(summary, stats, options.core_count))
        })
    },
};

/// One object.
pub const JSON: Output = Output {
    name: "json",
    ending: ".check.json",
    media_type: "application/json",
    run: |inputs, options, _, out| {
        run(inputs, options, out, |_, _, verdict| {
            let text = serde_json::to_string_pretty(verdict).map_err(io::Error::other)?;
            Ok(printable_json(text) + "\n")
        })
    },
};

fn run(
    inputs: &[Input<'_>],
    options: &Options,
    out: &mut dyn Write,
    shown: impl FnOnce(&Summary, &Stats, &Value) -> io::Result<String>,
) -> Result<CommandResult, Failure> {
    let mut whole = options.clone();
    (whole.from, whole.to) = (None, None);
    let mut stats = Stats::brief();
    let summary = convert(inputs, &whole, &mut stats)?;
    let verdict = check::json(&summary, &stats, options.core_count);
    let text = shown(&summary, &stats, &verdict).map_err(ConvError::Write)?;
    out.write_all(text.as_bytes()).map_err(ConvError::Write)?;
    Ok(CommandResult { verdict: Some(verdict), ..CommandResult::of(summary) })
}
