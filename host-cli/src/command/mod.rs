//! `command`: sends a command to the firmware, and waits for its answer in the firmware's bytes.

mod command_target;
mod silence;

use std::time::Duration;

use anyhow::bail;
use tband_format::packet::command::CommandKind;

use self::command_target::CommandTarget;
use self::silence::Silence;
use crate::args::{CommandArgs, TargetArgs};
use crate::output::print;
use crate::record::source::{Source, StopFlag};
use crate::record::store::output_file::OutputFile;
use crate::record::{kinds, memory};
use crate::report::Report;
use crate::target_commands::{
    NamedObject, Numbers, RequestContent, format_answer, is_repeatable, parse_request, plain,
    usages,
};
use crate::{Outcome, interrupt};

/// The target's answer if the named object does not exist.
const NO_SUCH: i64 = -4;

pub fn run(args: &CommandArgs, report: &Report) -> anyhow::Result<Outcome> {
    let (Some(source), Some(name)) = (&args.source, &args.name) else { return list() };
    let wish = parse_request(name, &args.words, args.of_target.elf.as_deref())?;
    let kind = wish.kind;
    // Of other sources too, for names of variables.
    let of_target = match memory::is_memory_source(source) {
        true => args.of_target.clone(),
        false => TargetArgs { elf: None, ..args.of_target.clone() },
    };
    let mut source = kinds::named(source, &of_target, None)?;
    let mut output = args.output.as_deref().map(OutputFile::open).transpose()?;
    let stop = StopFlag::default();
    let pressed = stop.clone();
    interrupt::call_on_interrupt(move || pressed.set());
    let name = source.name();
    let answer = answer(&mut *source, (&wish.asks, kind), &stop, output.as_mut(), args.wait);
    drop(source);
    if let Some(output) = output {
        output.close();
    }
    let answer = answer?;
    interrupt::end_program_on_interrupt();
    match answer {
        Ok(is) if is >= 0 => {
            print(format!("{}\n", format_answer(kind, is)).as_bytes())?;
            Ok(Outcome::Clean)
        }
        Ok(is) => {
            report.warn(&format!("{}: {}", kind.name, format_answer(kind, is)));
            Ok(Outcome::Damaged)
        }
        Err(silence) => bail!("{name}: {}", silence.text(kind, args.of_target.elf.as_deref())),
    }
}

/// Sends this command over a new connection. Returns the answer, or why there is none.
fn answer(
    source: &mut dyn Source,
    (asks, kind): (&RequestContent, &CommandKind),
    stop: &StopFlag,
    output: Option<&mut OutputFile>,
    wait: Option<Duration>,
) -> anyhow::Result<Result<i64, Silence>> {
    let name = source.name();
    let Some(link) = source.open(stop)? else { bail!("{name}: the target did not connect") };
    let mut asked = CommandTarget::new(link, (name, stop.clone()), wait, output);
    let mut numbers = Numbers::new();
    let answer = match asks {
        RequestContent::Command(command) => {
            asked.answer(&numbers.with(*command), is_repeatable(kind))?
        }
        RequestContent::Filter(named) => filter(&mut asked, &mut numbers, named)?,
    };
    Ok(answer.ok_or_else(|| Silence::of(&asked)))
}

/// Returns a filter for a named object. The target searches its own table for the name. A name that is not in it, or is too
/// long for a command, may be in the bytes that the target sends.
fn filter(
    asked: &mut CommandTarget<'_>,
    numbers: &mut Numbers,
    named: &NamedObject,
) -> anyhow::Result<Option<i64>> {
    let by_name = match named.by_name() {
        Some(command) => asked.answer(&numbers.with(command), true)?,
        None => Some(NO_SUCH),
    };
    if by_name != Some(NO_SUCH) {
        return Ok(by_name);
    }
    // Names come before the next answer.
    for command in ["names", "info", "info"].into_iter().filter_map(plain) {
        asked.answer(&numbers.with(command), true)?;
        let number = asked.number_of(named).and_then(|number| named.by_number(number));
        if let Some(command) = number {
            return asked.answer(&numbers.with(command), true);
        }
    }
    Ok(by_name)
}

/// Prints the commands.
fn list() -> anyhow::Result<Outcome> {
    let lines = usages().map(|(kind, usage)| format!("{usage:<34}{}\n", kind.doc));
    print(lines.collect::<String>().as_bytes())?;
    Ok(Outcome::Clean)
}
