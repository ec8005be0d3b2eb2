//! Triggers in words: `queue-full 3 8 after 50`, `value 1 at-least 5000`, `failure any nth 3`.

use anyhow::{Context, bail, ensure};
use tband_format::registry::EVENTS;
use tband_format::trigger::{
    AT_LEAST, AT_MOST, CONDITIONS, CRASH, EQUAL, EVENT, FAILURE, QUEUE_FULL, READY_WAIT, STACK,
};

use super::number::number;

/// How they are written.
pub const USAGE: &str = "trigger event NAME OBJECT|any, queue-full QUEUE LENGTH, ready-wait TASK TICKS, \
                         stack TASK|any BYTES, value MARKER at-least|at-most|is VALUE, failure OBJECT|any, or crash; \
                         then nth N (1 without it) and after EVENTS (100 without it, 0 for a crash)";

/// Any object: `TBAND_TRIGGER_ANY`.
const ANY: u32 = u32::MAX;
/// Default number of events recorded after it.
const AFTER: u32 = 100;

/// Whether it waits for a crash, which ends a recording: events after it would not come, and so neither would the report that
/// it is frozen.
pub fn is_of_crash(arguments: &[u32; 6]) -> bool {
    let [condition, _, event, ..] = *arguments;
    let is_crash = |id: &u8| u32::from(*id) == event;
    let crash = CONDITIONS.iter().find(|it| it.number == CRASH);
    condition == u32::from(CRASH)
        || (condition == u32::from(EVENT) && crash.is_some_and(|it| it.events.iter().any(is_crash)))
}

/// Returns the arguments of the command.
///
/// # Errors
/// The syntax is wrong; the text describes the right one.
pub fn arguments(words: &[String]) -> anyhow::Result<[u32; 6]> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let usage = || format!("write {USAGE}");
    let (condition, of, value, rest): (u8, u32, i64, &[&str]) = match *words.as_slice() {
        ["event", name, of, ref rest @ ..] => {
            let event = EVENTS.iter().find(|event| event.name == name.replace('-', "_"));
            let event =
                event.with_context(|| format!("no event is called '{name}', as dump has them"))?;
            (EVENT, object(of)?, event.id.into(), rest)
        }
        ["queue-full", queue, length, ref rest @ ..] => {
            (QUEUE_FULL, number(queue)?, number(length)?.into(), rest)
        }
        ["ready-wait", task, ticks, ref rest @ ..] => {
            (READY_WAIT, number(task)?, number(ticks)?.into(), rest)
        }
        ["stack", task, bytes, ref rest @ ..] => {
            (STACK, object(task)?, number(bytes)?.into(), rest)
        }
        ["value", marker, how, value, ref rest @ ..] => {
            let condition = match how {
                "at-least" => AT_LEAST,
                "at-most" => AT_MOST,
                "is" => EQUAL,
                _ => bail!("{}", usage()),
            };
            let value = value.parse().with_context(|| format!("'{value}' is not a number"))?;
            (condition, number(marker)?, value, rest)
        }
        ["failure", of, ref rest @ ..] => (FAILURE, object(of)?, 0, rest),
        ["crash", ref rest @ ..] => (CRASH, ANY, 0, rest),
        _ => bail!("{}", usage()),
    };
    let (mut nth, mut after) = (1, None);
    let (pairs, odd) = rest.as_chunks::<2>();
    ensure!(odd.is_empty(), "{}", usage());
    for [what, count] in pairs {
        match *what {
            "nth" => nth = number(count)?,
            "after" => after = Some(number(count)?),
            _ => bail!("{}", usage()),
        }
    }
    ensure!(nth > 0, "it fires for the first time at the soonest: nth 1");
    let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
    let [low, high] = [[a, b, c, d], [e, f, g, h]].map(u32::from_le_bytes);
    let of = |after| [condition.into(), of, low, high, nth, after];
    let usual = if is_of_crash(&of(0)) { 0 } else { AFTER };
    Ok(of(after.unwrap_or(usual)))
}

/// The number of an object, or any of them.
fn object(word: &str) -> anyhow::Result<u32> {
    if word == "any" { Ok(ANY) } else { number(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Result<[u32; 6], String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        arguments(&words).map_err(|error| error.to_string())
    }

    #[test]
    fn conditions_are_parsed_from_words() {
        for (line, numbers) in [
            ("queue-full 3 8 after 50", [1, 3, 8, 0, 1, 50]),
            ("event task-resumed any", [0, ANY, 86, 0, 1, 100]),
            ("event queue_send 0x10 nth 2", [0, 16, 102, 0, 2, 100]),
            ("ready-wait 2 168000", [2, 2, 168_000, 0, 1, 100]),
            ("stack any 64 after 0", [3, ANY, 64, 0, 1, 0]),
            ("value 1 at-least 5000000000", [4, 1, 705_032_704, 1, 1, 100]),
            ("value 1 at-most -1", [5, 1, ANY, ANY, 1, 100]),
            ("value 1 is 0", [6, 1, 0, 0, 1, 100]),
            ("failure any after 5 nth 3", [7, ANY, 0, 0, 3, 5]),
            ("crash", [8, ANY, 0, 0, 1, 0]),
            ("crash nth 2 after 7", [8, ANY, 0, 0, 2, 7]),
            ("event crash any", [0, ANY, 225, 0, 1, 0]),
            ("event crash any after 3", [0, ANY, 225, 0, 1, 3]),
        ] {
            assert_eq!(of(line), Ok(numbers), "{line}");
        }
    }

    #[test]
    fn other_syntax_is_reported() {
        for (line, text) in [
            ("", "write trigger event"),
            ("queue-full 3", "write trigger event"),
            ("value 1 above 5", "write trigger event"),
            ("value 1 is five", "'five' is not a number"),
            ("event nothing any", "no event is called 'nothing'"),
            ("crash after", "write trigger event"),
            ("crash before 5", "write trigger event"),
            ("failure any nth 0", "nth 1"),
        ] {
            let error = of(line).unwrap_err();
            assert!(error.contains(text), "{line}: {error}");
        }
    }
}
