//! `command`: sends one command to the firmware, and waits for its answer in what the firmware sends.

use std::fs::File;
use std::io::{self, Write as _};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow, bail};
use tband_app::live::{Awaited, Followed};
use tband_conv::timeline::{At, Change, World};
use tband_conv::{Sink, TimedEvent};
use tband_format::{
    COMMAND_ERRORS, COMMAND_KINDS, Command, CommandKind, Event, MAX_ARGUMENTS, MAX_COMMAND_FRAME,
};

use crate::args::{CommandArgs, OfTarget};
use crate::output::print;
use crate::record::kinds;
use crate::record::source::{Got, Link, Stop};
use crate::report::Report;
use crate::{Outcome, interrupt};

/// Bytes that are read at once, at most.
const BLOCK: usize = 64 * 1024;

/// Hears the answer to the command of a number.
struct Hears {
    number: u32,
    answer: Option<i64>,
}

impl Sink for Hears {
    fn wants_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        if let Event::Answer { n, is } = event.decoded.event
            && n == self.number
        {
            self.answer.get_or_insert(is);
        }
        Ok(())
    }

    fn change(&mut self, _: &World, _: At, _: &Change<'_>) -> io::Result<()> {
        Ok(())
    }
}

pub fn run(args: &CommandArgs, report: &Report) -> anyhow::Result<Outcome> {
    let (Some(source), Some(name)) = (&args.source, &args.name) else { return list() };
    let kind = kind(name)?;
    // Answers of earlier commands may still be on their way.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let command = command(kind, now.subsec_micros() as u16, &args.numbers)?;
    let mut source = kinds::named(source, &OfTarget::default())?;
    let mut output = match &args.output {
        Some(path) => {
            Some(File::create(path).with_context(|| format!("cannot create {}", path.display()))?)
        }
        None => None,
    };
    let stop = Stop::default();
    let pressed = stop.clone();
    interrupt::calls(move || pressed.set());
    let Some(mut link) = source.open(&stop)? else { bail!("{}: nobody was there", source.name()) };
    let mut frame = [0; MAX_COMMAND_FRAME];
    let len = command.frame(&mut frame);
    // What came before on the line ends with the first zero byte.
    let bytes = [&[0], frame.get(..len).unwrap_or_default()].concat();
    link.send(&bytes).with_context(|| source.name())?;
    let heard = listen(args, &mut *link, &stop, command.number, output.as_mut())?;
    interrupt::ends_the_program();
    let (answer, bytes) = heard;
    match answer {
        Some(is) if is >= 0 => {
            print(shown(kind, is).as_bytes())?;
            Ok(Outcome::Clean)
        }
        Some(is) => {
            let error = COMMAND_ERRORS.iter().find(|(number, ..)| i64::from(*number) == is);
            let (name, why) =
                error.map_or(("error", "of the firmware"), |(_, name, why)| (name, why));
            report.warn(&format!("{}: {name} ({is}): {why}", kind.name));
            Ok(Outcome::Damaged)
        }
        None => bail!(
            "{}: no answer to {} in {:?}, but {bytes} bytes; the firmware has to compile port/tband_commands.c and call tband_obey(), and answers come while it records only",
            source.name(),
            kind.name,
            args.wait
        ),
    }
}

/// Prints what there is.
fn list() -> anyhow::Result<Outcome> {
    let lines = COMMAND_KINDS.iter().map(|kind| format!("{:<34}{}\n", usage(kind), kind.doc));
    print(lines.collect::<String>().as_bytes())?;
    Ok(Outcome::Clean)
}

/// Its name, and the names of its arguments.
fn usage(kind: &CommandKind) -> String {
    let arguments = kind.arguments.iter().map(|it| format!(" {}", it.to_uppercase()));
    kind.name.to_owned() + &arguments.collect::<String>()
}

/// Reads what comes until the answer is there, or nobody waits any more. Also how many bytes came.
fn listen(
    args: &CommandArgs,
    link: &mut dyn Link,
    stop: &Stop,
    number: u16,
    mut output: Option<&mut File>,
) -> anyhow::Result<(Option<i64>, u64)> {
    let hears = Hears { number: number.into(), answer: None };
    let mut followed = Followed::new("the target", Awaited::default(), hears);
    let (mut buf, mut bytes) = (vec![0; BLOCK], 0_u64);
    // The last that came: all of it, unless that is more than a target sends before it is silent.
    let (mut last, mut has_news) = (Vec::new(), false);
    let mut answer = None;
    let begin = Instant::now();
    while answer.is_none() && !stop.is_set() && begin.elapsed() < args.wait {
        let len = match link.read(&mut buf)? {
            Got::Bytes(len) => len,
            // Who has stopped sends no more, and it may be too little to be followed.
            Got::Nothing => {
                if std::mem::take(&mut has_news) {
                    answer = in_all(&last, number);
                }
                continue;
            }
            Got::End => break,
        };
        let came = buf.get(..len).unwrap_or_default();
        bytes = bytes.saturating_add(len as u64);
        if last.len() > BLOCK {
            last.clear();
        }
        last.extend_from_slice(came);
        has_news = true;
        if let Some(output) = &mut output {
            output.write_all(came).context("cannot write the output")?;
        }
        followed
            .feed_with(came, |hears| answer = answer.or(hears.answer))
            .map_err(|error| anyhow!("what came is no recording: {error}"))?;
    }
    Ok((answer, bytes))
}

/// The answer in bytes after which nothing comes.
fn in_all(bytes: &[u8], number: u16) -> Option<i64> {
    let hears = Hears { number: number.into(), answer: None };
    let mut followed = Followed::new("the target", Awaited::default(), hears);
    followed.feed(bytes).ok()?;
    followed.finish().ok()??.1.answer
}

/// The kind of this name.
fn kind(name: &str) -> anyhow::Result<&'static CommandKind> {
    COMMAND_KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<_> = COMMAND_KINDS.iter().map(|kind| kind.name).collect();
        anyhow!("'{name}' is no command; there are {}", names.join(", "))
    })
}

/// The command with these numbers. A user's may leave its last ones out, which are 0 then.
fn command(kind: &CommandKind, number: u16, numbers: &[u32]) -> anyhow::Result<Command> {
    let wanted = kind.arguments.len();
    let may_leave_out = kind.name == "user" && !numbers.is_empty();
    if numbers.len() > wanted || (numbers.len() < wanted && !may_leave_out) {
        bail!("{} wants {wanted} numbers: {}", kind.name, usage(kind));
    }
    let mut arguments = [0; MAX_ARGUMENTS];
    for (to, from) in arguments.iter_mut().zip(numbers) {
        *to = *from;
    }
    Ok(Command { number, kind: kind.number, arguments, count: u8::try_from(wanted)? })
}

/// What the answer says.
fn shown(kind: &CommandKind, is: i64) -> String {
    match kind.name {
        "info" => format!("version {} of the events, {} damaged commands\n", is & 0xFF, is >> 8),
        "read" => format!("{is:#x} ({is})\n"),
        "user" => format!("{}\n", is as u32 as i32),
        _ => "done\n".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_their_numbers() {
        let named = |name: &str, numbers: &[u32]| command(kind(name).unwrap(), 7, numbers);
        let read = named("read", &[4, 0x2000_0000]).unwrap();
        assert_eq!((read.kind, read.count, read.arguments), (7, 2, [4, 0x2000_0000, 0, 0]));
        assert_eq!(named("user", &[3]).unwrap().count, 4);
        for (name, numbers) in
            [("info", &[1][..]), ("read", &[4]), ("user", &[]), ("fill", &[1; 5])]
        {
            let said = named(name, numbers).unwrap_err().to_string();
            assert!(said.contains("numbers"), "{said}");
        }
        assert!(kind("inof").unwrap_err().to_string().contains("info, start, stop"));
    }
}
