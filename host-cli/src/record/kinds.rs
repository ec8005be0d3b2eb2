//! The kinds of sources. A new one is a file beside this one, and an arm here.

use anyhow::{anyhow, bail};

use super::source::Source;
use super::{file, serial, stdin, tcp, udp};

/// Kinds of sources, as the user writes them.
const KINDS: &str =
    "-, file:PATH, tcp:HOST:PORT, tcp-listen:PORT, udp-listen:PORT or serial:PORT@RATE";

/// The source that a user has named.
///
/// # Errors
/// There is no such kind, or what it needs is not there.
pub fn named(text: &str) -> anyhow::Result<Box<dyn Source>> {
    if text == "-" {
        return Ok(Box::new(stdin::Stdin));
    }
    let Some((kind, rest)) = text.split_once(':') else {
        bail!("'{text}' is no source; a source is {KINDS}; of a file that is there, file:{text}");
    };
    let needs = |what: &str| anyhow!("{text}: write {kind}:{what}");
    Ok(match kind {
        "file" if rest.is_empty() => return Err(needs("PATH")),
        "file" => Box::new(file::Growing::new(rest)),
        "tcp" => Box::new(tcp::Client::new(rest).ok_or_else(|| needs("HOST:PORT"))?),
        "tcp-listen" => Box::new(tcp::Listener::new(rest)?),
        "udp-listen" => Box::new(udp::Receiver::new(rest)?),
        "serial" => Box::new(
            serial::Port::new(rest).ok_or_else(|| needs("PORT@RATE, with the rate in Bd"))?,
        ),
        _ => bail!("'{kind}:' is no kind of source; a source is {KINDS}"),
    })
}
