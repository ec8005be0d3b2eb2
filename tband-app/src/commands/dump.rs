//! `dump`: a recording, one line an event. What can be read once only is judged as it is read.

use std::io::Write;

use tband_conv::dump::{DumpFormat, DumpOptions, DumpSummary};
use tband_conv::{ConvError, Input, Options};
use tband_report::dump::{self, DumpFacts};

use super::side_conversion::SideConversion;
use super::{Command, Output};
use crate::command_result::{CommandResult, Failure};
use crate::options::CommandSettings;

/// Its entry in the list.
pub const COMMAND: Command = Command {
    name: "dump",
    about: "Print a recording, one line an event",
    outputs: &[TEXT, JSON, OFFSETS],
    passes: |inputs, _| if inputs > 1 { 4 } else { 3 },
    memory: 2 << 20,
};

/// For people.
pub const TEXT: Output = Output {
    name: "text",
    ending: ".dump.txt",
    media_type: "text/plain",
    run: |inputs, options, wanted, out| run(inputs, options, wanted, DumpFormat::Text, out),
};

/// An object a line.
pub const JSON: Output = Output {
    name: "json",
    ending: ".dump.jsonl",
    media_type: "application/json",
    run: |inputs, options, wanted, out| run(inputs, options, wanted, DumpFormat::Json, out),
};

/// For people, with where each event is in its file.
pub const OFFSETS: Output = Output {
    name: "offsets",
    ending: ".dump.txt",
    media_type: "text/plain",
    run: |inputs, options, wanted, out| {
        run(inputs, options, wanted, DumpFormat::TextWithOffsets, out)
    },
};

fn run(
    inputs: &[Input<'_>],
    options: &Options,
    wanted: &CommandSettings,
    format: DumpFormat,
    out: &mut dyn Write,
) -> Result<CommandResult, Failure> {
    let Options { from, to, tick_rate, mode, .. } = *options;
    let wanted = DumpOptions { from, to, tick_rate, mode, format, ..wanted.dump.clone() };
    let (dumped, whole) = match inputs {
        [input] if input.is_read_once() => once(input, options, &wanted, out)?,
        _ => dump_and_check(inputs, options, &wanted, out)?,
    };
    let (messages, is_clean) =
        dump::reported(inputs, &wanted, &dumped, whole.as_ref()).map_err(Failure::NoSuch)?;
    let summary = whole.map(|(summary, _)| summary);
    Ok(CommandResult { messages, is_clean, events: dumped.shown, summary, verdict: None })
}

type DumpResult = (DumpSummary, Option<DumpFacts>);

/// Judges the recording while it is dumped.
fn once(
    input: &Input<'_>,
    options: &Options,
    wanted: &DumpOptions,
    out: &mut dyn Write,
) -> Result<DumpResult, ConvError> {
    let mut whole = options.clone();
    (whole.from, whole.to) = (None, None);
    let (along, input) = SideConversion::of(input, &whole)?;
    let dumped = tband_conv::dump::dump(&[input], wanted.clone(), out)?;
    let ended = dump::has_ended_early(wanted, &dumped);
    Ok((dumped, if ended { None } else { Some(along.finish()?) }))
}

/// Dumps the recordings, then reads them again to judge them.
fn dump_and_check(
    inputs: &[Input<'_>],
    options: &Options,
    wanted: &DumpOptions,
    out: &mut dyn Write,
) -> Result<DumpResult, ConvError> {
    let dumped = tband_conv::dump::dump(inputs, wanted.clone(), out)?;
    let ended = dump::has_ended_early(wanted, &dumped);
    Ok((dumped, if ended { None } else { Some(dump::judge(inputs, options)?) }))
}
