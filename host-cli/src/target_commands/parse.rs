//! Parses a user's request as a command.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use tband_conv::model::World;
use tband_format::classes::filter::{
    CHOOSE_ALL, CHOOSE_CLASSES, CHOOSE_EVENT, CHOOSE_KIND, CHOOSE_OBJECT,
};
use tband_format::classes::objects::OBJECT_KINDS;
use tband_format::classes::{CLASSES, GROUPS};
use tband_format::packet::command::{COMMAND_KINDS, Command, CommandKind, MAX_ARGUMENTS};
use tband_format::registry::EVENTS;

use super::number::number;
use super::trigger;
use super::variables::address;

/// The requested command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The kind that the user has named.
    pub kind: &'static CommandKind,
    pub asks: RequestContent,
}

/// The kind of request to the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestContent {
    /// This, once it has a number.
    Command(Command),
    /// A filter for an object by its name.
    Filter(NamedObject),
}

/// An object by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedObject {
    /// A place in [`OBJECT_KINDS`].
    pub kind: usize,
    pub name: String,
    pub on: bool,
}

/// Kinds that a user names, each with how its arguments are written.
pub fn usages() -> impl Iterator<Item = (&'static CommandKind, String)> {
    let kinds = COMMAND_KINDS.iter().filter(|kind| kind.name != FILTER_OBJECT);
    kinds.map(|kind| (kind, usage(kind)))
}

const FILTER: &str = "filter";
const FILTER_OBJECT: &str = "filter object";
const OBJECT: &str = "object";
const SEND: &str = "send";
const TRIGGER: &str = "trigger";

/// Its name, and the names of its arguments.
fn usage(kind: &CommandKind) -> String {
    match kind.name {
        FILTER => return "filter on|off WHAT [WHICH]".to_owned(),
        OBJECT => return "object ADDRESS SIZE, or object NAME".to_owned(),
        SEND => return "send QUEUE [ITEM]...".to_owned(),
        TRIGGER => return "trigger CONDITION ... [nth N] [after EVENTS]".to_owned(),
        _ => {}
    }
    let arguments = kind.arguments.iter().map(|it| format!(" {}", it.to_uppercase()));
    kind.name.to_owned() + &arguments.collect::<String>()
}

/// The kind of this name.
fn kind(name: &str) -> Option<&'static CommandKind> {
    COMMAND_KINDS.iter().find(|kind| kind.name == name)
}

/// A command of this name, which has no arguments.
pub fn plain(name: &str) -> Option<Command> {
    Some(command(kind(name)?, &[]))
}

fn command(kind: &CommandKind, numbers: &[u32]) -> Command {
    let mut arguments = [0; MAX_ARGUMENTS];
    for (to, from) in arguments.iter_mut().zip(numbers) {
        *to = *from;
    }
    let count = u8::try_from(kind.arguments.len()).unwrap_or_default();
    Command { number: 0, kind: kind.number, arguments, count }
}

/// Returns the command of a name with these words. Variables of the program have names.
///
/// # Errors
/// There is no such command, or it has other arguments.
pub fn parse_request(name: &str, words: &[String], elf: Option<&Path>) -> anyhow::Result<Request> {
    let Some((kind, usage)) = usages().find(|(kind, _)| kind.name == name) else {
        let names: Vec<_> = usages().map(|(kind, _)| kind.name).collect();
        bail!("'{name}' is not a command; there are {}", names.join(", "));
    };
    if kind.name == FILTER {
        return filter(kind, words);
    }
    if kind.name == TRIGGER {
        return Ok(Request {
            kind,
            asks: RequestContent::Command(command(kind, &trigger::arguments(words)?)),
        });
    }
    let wanted = kind.arguments.len();
    if words.len() > wanted {
        bail!("{name} wants {wanted} numbers: {usage}");
    }
    let mut numbers = Vec::new();
    let mut size = None;
    for (word, argument) in words.iter().zip(kind.arguments) {
        let number = match *argument {
            "address" => {
                let (address, its_size) = address(word, elf)?;
                size = its_size;
                address
            }
            _ => number(word)?,
        };
        numbers.push(number);
    }
    // Arguments that follow from the others.
    match (kind.name, numbers.len()) {
        ("user" | SEND, 1..) => numbers.resize(wanted, 0),
        ("poke", 3) => numbers.push(1),
        (OBJECT, 1) => numbers.extend(size),
        _ => {}
    }
    if numbers.len() < wanted {
        bail!("{name} wants {wanted} numbers: {usage}");
    }
    Ok(Request { kind, asks: RequestContent::Command(command(kind, &numbers)) })
}

/// Returns a name in the form of a list: in small letters, with hyphens.
fn written(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

fn all_written<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(written).collect::<Vec<_>>().join(", ")
}

/// `on class queue`, `off task worker`, `on everything`.
fn filter(kind: &'static CommandKind, words: &[String]) -> anyhow::Result<Request> {
    let kinds = || all_written(OBJECT_KINDS.iter().map(|kind| kind.name));
    let usage = || {
        format!(
            "write filter on|off and what: everything, class NAME, group NAME, event NAME, or an object, as task NAME, task NUMBER or task all; kinds of objects are {}",
            kinds()
        )
    };
    let (on, what, which) = match words {
        [on, what] => (on, what, None),
        [on, what, which] => (on, what, Some(which.as_str())),
        _ => bail!("{}", usage()),
    };
    let on = match on.as_str() {
        "on" => true,
        "off" => false,
        _ => bail!("{}", usage()),
    };
    let what = written(what);
    let which = match (what.as_str(), which) {
        ("everything", None) => "everything",
        (_, Some(which)) => which,
        _ => bail!("{}", usage()),
    };
    let (what, of) = match what.as_str() {
        // Everything off is all classes.
        "everything" if on => (CHOOSE_ALL, 0),
        "everything" => (CHOOSE_CLASSES, index_of_name("group", GROUPS.iter().copied(), which)?),
        "group" => (CHOOSE_CLASSES, index_of_name("group", GROUPS.iter().copied(), which)?),
        "class" => {
            let classes = CLASSES.iter().map(|class| (class.name, class.flag));
            (CHOOSE_CLASSES, index_of_name("class", classes, which)?)
        }
        "event" => {
            let event = EVENTS.iter().find(|event| event.name == which.replace('-', "_"));
            let event =
                event.with_context(|| format!("no event is called '{which}', as dump has them"))?;
            (CHOOSE_EVENT, event.id.into())
        }
        other => {
            let place = OBJECT_KINDS.iter().position(|kind| written(kind.name) == other);
            let place = place.with_context(usage)?;
            let number_of_kind = u32::try_from(place)?;
            match number(which) {
                _ if which == "all" => (CHOOSE_KIND + number_of_kind, 0),
                Ok(number) => (CHOOSE_OBJECT + number_of_kind, number),
                Err(_) => {
                    let named = NamedObject { kind: place, name: which.to_owned(), on };
                    return Ok(Request { kind, asks: RequestContent::Filter(named) });
                }
            }
        }
    };
    Ok(Request { kind, asks: RequestContent::Command(command(kind, &[what, of, on.into()])) })
}

/// The number of a name in a list.
fn index_of_name<'a>(
    what: &str,
    list: impl Iterator<Item = (&'a str, u32)> + Clone,
    name: &str,
) -> anyhow::Result<u32> {
    let found = list.clone().find(|(each, _)| written(each) == written(name));
    found.map(|(_, number)| number).ok_or_else(|| {
        let names = all_written(list.map(|(name, _)| name));
        anyhow!("no {what} is called '{name}'; there are {names}")
    })
}

impl NamedObject {
    /// The command that has the name in it; none if it has no room for that.
    pub fn by_name(&self) -> Option<Command> {
        let kind = kind(FILTER_OBJECT)?;
        let mut bytes = self.name.clone().into_bytes();
        let room = 4 * (kind.arguments.len() - 1);
        if bytes.is_empty() || bytes.len() > room {
            return None;
        }
        bytes.resize(room, 0);
        let (words, _) = bytes.as_chunks::<4>();
        let of = u32::try_from(self.kind).ok()? + if self.on { 256 } else { 0 };
        let words = words.iter().map(|word| u32::from_le_bytes(*word));
        Some(command(kind, &[of].into_iter().chain(words).collect::<Vec<_>>()))
    }

    /// The command for the object of this number.
    pub fn by_number(&self, number: u32) -> Option<Command> {
        let what = CHOOSE_OBJECT + u32::try_from(self.kind).ok()?;
        Some(command(kind(FILTER)?, &[what, number, self.on.into()]))
    }

    /// Returns its number, if the recording has its name by now. If several objects have the name, the youngest counts.
    pub fn number_in(&self, world: &World) -> Option<u32> {
        // Tables have them in the order in which they appeared.
        macro_rules! youngest {
            ($table:ident) => {{
                let all = world.$table.iter().map(|(_, it)| it);
                all.filter(|it| it.name.as_deref() == Some(&self.name)).last().map(|it| it.id)
            }};
        }
        match self.kind {
            0 => youngest!(tasks),
            1 => youngest!(queues),
            2 => youngest!(stream_buffers),
            3 => youngest!(event_groups),
            4 => youngest!(timers),
            5 => {
                let cores = world.cores.iter().copied().chain([0]);
                let is = |isr: u32, core| world.name_of_isr(isr, core) == Some(&self.name);
                let mut all = world.isrs.iter().map(|(_, isr)| isr.id);
                all.find(|isr| cores.clone().any(|core| is(*isr, core)))
            }
            6 => youngest!(markers),
            7 => youngest!(values),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> anyhow::Result<Request> {
        let mut words = text.split(' ').map(str::to_owned);
        let name = words.next().unwrap();
        parse_request(&name, &words.collect::<Vec<_>>(), None)
    }

    fn command_of(text: &str) -> Command {
        match parse(text).unwrap().asks {
            RequestContent::Command(command) => command,
            RequestContent::Filter(named) => named.by_name().unwrap(),
        }
    }

    #[test]
    fn commands_have_their_numbers() {
        let read = command_of("read 4 0x20000000");
        assert_eq!((read.kind, read.count, &read.arguments[..3]), (7, 2, &[4, 0x2000_0000, 0][..]));
        assert_eq!(command_of("user 3").count, 4);
        assert_eq!(command_of("poke 2 4 7").arguments[..4], [2, 4, 7, 1]);
        assert_eq!(command_of("send 3 1 2").arguments, [3, 1, 2, 0, 0, 0]);
        assert_eq!(command_of("send 3").count, 6);
        assert_eq!(command_of("object 16 8").arguments[..2], [16, 8]);
        assert!(parse("read 4 counter").unwrap_err().to_string().contains("--elf"));
        for wrong in
            ["info 1", "object 16", "poke 2 4", "read 4", "user", "fill 1 1 1 1 1", "read 4 x"]
        {
            let parse = parse(wrong).unwrap_err().to_string();
            assert!(parse.contains("number"), "{wrong}: {parse}");
        }
        assert!(parse("inof").unwrap_err().to_string().contains("info, start, stop"));
        assert!(parse("filter object").is_err());
    }

    #[test]
    fn filters_are_parsed_from_words() {
        for (text, numbers) in [
            ("filter off class queue", [1, 0x40, 0]),
            ("filter on class STREAM_BUFFER", [1, 0x400, 1]),
            ("filter off group communication", [1, 0xF40, 0]),
            ("filter off event queue_send", [0, 102, 0]),
            ("filter on event queue-send", [0, 102, 1]),
            ("filter on everything", [2, 0, 1]),
            ("filter off everything", [1, 0xF_FFF8, 0]),
            ("filter off task 3", [16, 3, 0]),
            ("filter on stream-buffer 0x10", [18, 16, 1]),
            ("filter off valmarker all", [39, 0, 0]),
        ] {
            let command = command_of(text);
            assert_eq!((command.kind, command.count), (11, 3), "{text}");
            assert_eq!(command.arguments[..3], numbers, "{text}");
        }
        for (wrong, hint) in [
            ("filter", "on|off"),
            ("filter of task 3", "on|off"),
            ("filter off", "on|off"),
            ("filter off class", "on|off"),
            ("filter off everything now", "there are scheduling, communication"),
            ("filter off class queues", "there are marker, own-isr"),
            ("filter off event queue", "no event"),
            ("filter off thread 3", "kinds of objects are task, queue"),
        ] {
            let parse = parse(wrong).unwrap_err().to_string();
            assert!(parse.contains(hint), "{wrong}: {parse}");
        }
    }

    #[test]
    fn an_object_is_named_in_the_command_or_found_in_what_is_known() {
        let command = command_of("filter on queue jobs");
        let numbers = [257, u32::from_le_bytes(*b"jobs"), 0, 0, 0, 0];
        assert_eq!((command.kind, command.count, command.arguments), (12, 6, numbers));
        let named = NamedObject { kind: 1, name: "a name of 21 bytes...".to_owned(), on: true };
        assert_eq!(named.by_name(), None);
        assert_eq!(named.number_in(&World::default()), None);
        assert_eq!(named.by_number(7).unwrap().arguments[..3], [17, 7, 1]);
        for kind in 0..OBJECT_KINDS.len() {
            assert_eq!(NamedObject { kind, ..named.clone() }.number_in(&World::default()), None);
        }
    }
}
