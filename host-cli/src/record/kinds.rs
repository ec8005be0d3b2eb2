//! The kinds of sources. A new one is a file beside this one, and an arm here.

use anyhow::{anyhow, bail};

use super::source::Source;
use super::{file, gdb, itm, serial, stdin, tcp, udp};
use crate::args::OfGdb;

/// Kinds of sources, as the user writes them.
const KINDS: &str = "-, file:PATH, tcp:HOST:PORT, tcp-listen:PORT, udp-listen:PORT, gdb:HOST:PORT or serial:PORT@RATE; in front of one itm:N:, for port N of SWO";

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
pub fn named(text: &str, of_gdb: &OfGdb) -> anyhow::Result<Box<dyn Source>> {
    if of_gdb.is_given() && !text.starts_with("gdb:") {
        bail!("--elf, --no-halt and --tick-rate are for a GDB server: gdb:HOST:PORT");
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
        if source.starts_with("itm:") || source.starts_with("gdb:") {
            bail!("{text}: SWO comes over tcp, a serial port, a file or stdin");
        }
        return Ok(Box::new(itm::Itm::new(port, named(source, of_gdb)?)));
    }
    let needs = |what: &str| anyhow!("{text}: write {kind}:{what}");
    Ok(match kind {
        "file" if rest.is_empty() => return Err(needs("PATH")),
        "file" => Box::new(file::Growing::new(rest)),
        "tcp" => Box::new(tcp::Client::new(rest).ok_or_else(|| needs("HOST:PORT"))?),
        "gdb" => {
            let Some(elf) = of_gdb.elf.clone() else {
                bail!("{text}: add --elf FIRMWARE.elf, the program that runs there, with symbols");
            };
            let tick_rate = of_gdb.tick_rate.map(|it| (it.numerator(), it.denominator()));
            Box::new(gdb::Server::new(rest, elf, of_gdb.no_halt, tick_rate))
        }
        "tcp-listen" => Box::new(tcp::Listener::new(rest)?),
        "udp-listen" => Box::new(udp::Receiver::new(rest)?),
        "serial" => Box::new(
            serial::Port::new(rest).ok_or_else(|| needs("PORT@RATE, with the rate in Bd"))?,
        ),
        _ => bail!("'{kind}:' is no kind of source; a source is {KINDS}"),
    })
}
