//! The kinds of sources. A new one is a file beside this one, and an arm here.

use anyhow::{anyhow, bail};

use super::source::Source;
use super::{file, itm, memory, serial, stdin, tcp, udp};
use crate::args::OfTarget;

/// Kinds of sources, as the user writes them.
const KINDS: &str = "-, file:PATH, tcp:HOST:PORT, jlink:HOST:PORT@N, tcp-listen:PORT, udp-listen:PORT, gdb:HOST:PORT, probe:, ram:PATH@ADDRESS or serial:PORT@RATE; in front of one itm:N:, for port N of SWO";

/// A source, without what says that it is SWO.
#[must_use]
pub fn of_swo(text: &str) -> &str {
    let port_and_source = text.strip_prefix("itm:").and_then(|rest| rest.split_once(':'));
    port_and_source.map_or(text, |(_, source)| source)
}

/// The source that a user has named.
///
/// # Errors
/// There is no such kind, or what it needs is not there.
pub fn named(text: &str, of_target: &OfTarget) -> anyhow::Result<Box<dyn Source>> {
    if memory::is_one(text) {
        return Ok(Box::new(memory::InMemory::new(text, of_target)?));
    }
    if of_target.is_of_memory() {
        bail!(
            "--tick-rate, --no-halt and --chip are for what reads memory: a debug probe, probe:, a GDB server, gdb:HOST:PORT, or the memory of QEMU, ram:PATH@ADDRESS"
        );
    }
    if text == "-" {
        return Ok(Box::new(stdin::Stdin));
    }
    let Some((kind, rest)) = text.split_once(':') else {
        bail!("'{text}' is no source; a source is {KINDS}; of a file that is there, file:{text}");
    };
    if kind == "itm" {
        let port =
            rest.split_once(':').and_then(|(port, source)| Some((port.parse().ok()?, source)));
        let Some((port @ 0..=31, source)) = port else {
            bail!("{text}: write itm:N:SOURCE, with the number of a stimulus port, 0 to 31");
        };
        if source.starts_with("itm:") || memory::is_one(source) {
            bail!("{text}: SWO comes over tcp, a serial port, a file or stdin");
        }
        return Ok(Box::new(itm::Itm::new(port, named(source, of_target)?)));
    }
    let needs = |what: &str| anyhow!("{text}: write {kind}:{what}");
    Ok(match kind {
        "file" if rest.is_empty() => return Err(needs("PATH")),
        "file" => Box::new(file::Growing::new(rest)),
        "tcp" => Box::new(tcp::Client::new(rest).ok_or_else(|| needs("HOST:PORT"))?),
        "jlink" => Box::new(tcp::Client::of_j_link(rest).ok_or_else(|| {
            needs("HOST:PORT@N, with the number of a channel, as jlink:localhost:19021@1")
        })?),
        "tcp-listen" => Box::new(tcp::Listener::new(rest)?),
        "udp-listen" => Box::new(udp::Receiver::new(rest)?),
        "serial" => Box::new(
            serial::Port::new(rest).ok_or_else(|| needs("PORT@RATE, with the rate in Bd"))?,
        ),
        _ => bail!("'{kind}:' is no kind of source; a source is {KINDS}"),
    })
}
#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::{Cli, Command};

    /// The beginnings of the kinds of the list: `tcp:`, and so on.
    fn words() -> impl Iterator<Item = &'static str> {
        let kinds = KINDS.split([',', ' ', ';']).filter(|it| *it == "-" || it.contains(':'));
        kinds.map(|kind| kind.find(':').map_or(kind, |at| &kind[..=at]))
    }

    /// A kind that is in the list is a kind, and the help and the guide have it.
    #[test]
    fn kinds_are_those_of_the_help_and_of_the_guide() {
        let guide = include_str!("../../../docs/src/guide/link.md");
        let mut program = Cli::command();
        let record = program.find_subcommand_mut("record").unwrap();
        let help = record.render_long_help().to_string();
        let (_, sources) = help.split_once("\nSources:\n").unwrap();
        let Command::Record(args) = clap::Parser::try_parse_from(["tband-cli", "record", "-"])
            .map(|it: Cli| it.command)
            .unwrap()
        else {
            panic!("no record");
        };
        let mut count = 0;
        for word in words() {
            let line = format!("  {word}");
            assert!(sources.lines().any(|it| it.starts_with(&line)), "the help of record: {word}");
            assert!(guide.contains(word), "guide/link.md: {word}");
            let refused = named(word, &args.of_target).err().map(|error| error.to_string());
            let is_kind = refused.is_none_or(|text| !text.contains("is no "));
            assert!(is_kind, "{word} is in the list, and is none");
            count += 1;
        }
        assert!(count >= 9, "{count}");
    }
}
