//! Creates a source by the user's text. A new kind is a row in `args/sources.rs`, a file beside this one, and an arm here.

use anyhow::{anyhow, bail};

use super::banner::OWN;
use super::dialect::Dialect;
use super::source::Source;
use super::{file, itm, memory, serial, stdin, tcp, udp};
use crate::args::TargetArgs;
use crate::args::sources::{self, SourceFacts, SourceKind};
use crate::target::Channels;

/// Returns a source without its prefix for SWO.
#[must_use]
pub fn of_swo(text: &str) -> &str {
    let port_and_source = text.strip_prefix("itm:").and_then(|rest| rest.split_once(':'));
    port_and_source.map_or(text, |(_, source)| source)
}

/// The source that a user has named. Its target records with another recorder if there is a `dialect`.
///
/// # Errors
/// There is no such kind, or what it needs is not there.
pub fn named(
    text: &str,
    of_target: &TargetArgs,
    dialect: Option<&'static Dialect>,
) -> anyhow::Result<Box<dyn Source>> {
    let begins = dialect.map_or(OWN, |it| it.begins);
    if of_target.is_of_memory() && !memory::is_memory_source(text) {
        bail!(
            "--tick-rate, --no-halt and --chip are for what reads memory: {}",
            sources::of_memory()
        );
    }
    let Some((about, rest)) = SourceFacts::of(text) else {
        return Err(no_source(text));
    };
    let needs = |what: &str| anyhow!("{text}: write {}{what}", about.word);
    Ok(match about.kind {
        SourceKind::Stdin => Box::new(stdin::Stdin),
        SourceKind::File if rest.is_empty() => return Err(needs("PATH")),
        SourceKind::File => Box::new(file::GrowingFile::new(rest)),
        SourceKind::Tcp => {
            let client = tcp::Client::new(rest).ok_or_else(|| needs("HOST:PORT"))?;
            Box::new(client.with_begins(begins))
        }
        SourceKind::JLink => {
            let client = tcp::Client::of_j_link(rest).ok_or_else(|| {
                needs("HOST:PORT@N, with the number of a channel, as jlink:localhost:19021@1")
            })?;
            Box::new(client.with_begins(begins))
        }
        SourceKind::TcpListen => Box::new(tcp::Listener::new(rest)?.with_begins(begins)),
        SourceKind::UdpListen => Box::new(udp::Receiver::new(rest)?),
        SourceKind::Serial => Box::new(
            serial::Port::new(rest).ok_or_else(|| needs("PORT@RATE, with the rate in Bd"))?,
        ),
        SourceKind::Itm => {
            let port = rest.split_once(':').and_then(|(it, from)| Some((it.parse().ok()?, from)));
            let Some((port @ 0..=31, source)) = port else {
                return Err(needs("N:SOURCE, with the number of a stimulus port, 0 to 31"));
            };
            if source.starts_with("itm:") || memory::is_memory_source(source) {
                bail!("{text}: SWO comes over tcp, a serial port, a file or stdin");
            }
            Box::new(itm::Itm::new(port, named(source, of_target, dialect)?))
        }
        SourceKind::Gdb | SourceKind::Probe | SourceKind::Ram => {
            let channels = dialect.map_or(&Channels::OWN, |it| &it.channels);
            Box::new(memory::InMemory::new(text, of_target, channels)?)
        }
    })
}

/// Returns the error for a text that is not a source.
fn no_source(text: &str) -> anyhow::Error {
    let all = sources::all();
    match text.split_once(':') {
        Some((kind, _)) => anyhow!("'{kind}:' is not a kind of source; a source is {all}"),
        None => anyhow!(
            "'{text}' is not a source; a source is {all}; of a file that is there, file:{text}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use tband_recordings::project;

    use super::*;
    use crate::args::sources::{CommandPath, KINDS};

    /// The words of the guide's pieces of code.
    fn words(guide: &str) -> impl Iterator<Item = &str> {
        let is_of_a_name = |c: char| c.is_ascii_alphanumeric() || "-:".contains(c);
        guide.split(move |c| !is_of_a_name(c))
    }

    /// The guide describes how to record from each kind, and which of them carry commands.
    #[test]
    fn the_guide_has_each_kind() {
        let page = |name: &str| project::text(&format!("docs/src/guide/{name}"));
        let guide = page("link.md") + &page("link/probes.md");
        let commands = page("link/commands.md");
        let (_, commands) =
            commands.split_once("| the recording comes by | commands go |").unwrap();
        let (commands, _) = commands.split_once("\n\n").unwrap();
        for about in KINDS {
            let recorded = guide.split("tband-cli record").skip(1).any(|it| {
                let command = it.split('`').next().and_then(|it| it.lines().next()).unwrap_or("");
                command.split_whitespace().any(|word| {
                    word.strip_prefix(about.word)
                        .is_some_and(|rest| about.word.ends_with(':') || rest.is_empty())
                })
            });
            assert!(recorded, "link.md and probes.md have no 'tband-cli record {}'", about.word);
            let is_there = words(commands).any(|word| word == about.word);
            assert_eq!(is_there, about.way != CommandPath::None, "commands.md: {}", about.word);
        }
    }

    /// A source that reads memory also gives `extract` access to it.
    #[test]
    fn kinds_that_read_memory_are_those_of_the_memory() {
        let of_target = TargetArgs { elf: Some("firmware.elf".into()), ..TargetArgs::default() };
        for about in KINDS {
            let refused = memory::named(about.word, &of_target).err().map(|it| it.to_string());
            let is_none = refused.is_some_and(|text| text.contains("reads no memory"));
            assert_eq!(is_none, about.way != CommandPath::Memory, "{}", about.word);
        }
    }
}
