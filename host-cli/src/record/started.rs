//! A source whose target waits for the start command of another recorder. It gets the command with each connection, and the stop
//! command before the connection ends.

use std::collections::VecDeque;
use std::io;

use anyhow::bail;
use tband_conv::InputFormat;

use super::dialect::{Dialect, Exchange, Greeting};
use super::source::{Link, ReadResult, Source, StopFlag};
use super::{kinds, memory};
use crate::args::TargetArgs;
use crate::args::sources::{CommandPath, SourceFacts};

/// How often a connection that ends looks for room for the rest of the stop command.
const FLUSHES: u32 = 3;

/// The recorder is another one than tband, as the user has named it.
pub const fn is_foreign(format: InputFormat) -> bool {
    !matches!(format, InputFormat::Auto | InputFormat::Tband)
}

/// The source that a user has named, and whose target records in this format.
///
/// # Errors
/// There is no such source, or it cannot bring this format.
pub fn named(
    text: &str,
    of_target: &TargetArgs,
    format: InputFormat,
) -> anyhow::Result<Box<dyn Source>> {
    let dialect = Dialect::of(format)?;
    if dialect.is_none() && is_foreign(format) && memory::is_memory_source(text) {
        bail!(
            "{text}: this recorder has no channel of RTT that is known; in a target's memory tband-cli finds its own recordings, and those of SystemView and TraceRecorder"
        );
    }
    let source = kinds::named(text, of_target, dialect)?;
    Ok(match (dialect, SourceFacts::of(text)) {
        (Some(dialect), Some((about, rest))) if about.way != CommandPath::None => {
            started(source, dialect.exchange(about.kind, rest))
        }
        // No command goes there: the target starts without one.
        _ => source,
    })
}

/// A source that starts and stops the recorder of its target.
pub fn started(source: Box<dyn Source>, exchange: Exchange) -> Box<dyn Source> {
    Box::new(StartedSource { source, exchange })
}

struct StartedSource {
    source: Box<dyn Source>,
    exchange: Exchange,
}

impl Source for StartedSource {
    fn name(&self) -> String {
        self.source.name()
    }

    fn open(&mut self, stop: &StopFlag) -> anyhow::Result<Option<Box<dyn Link>>> {
        let Some(mut link) = self.source.open(stop)? else { return Ok(None) };
        let Exchange { first, stop, greeting } = self.exchange.clone();
        let warning = link.send(&first).err().map(|error| {
            format!("the start command was not sent ({error}): the target has to start to record without it")
        });
        Ok(Some(Box::new(StartedLink { link, stop, warning, greeting, came: VecDeque::new() })))
    }

    fn can_return(&self) -> bool {
        self.source.can_return()
    }

    fn expect_reopening(&mut self) {
        self.source.expect_reopening();
    }
}

/// A connection to a target that got the start command.
struct StartedLink {
    link: Box<dyn Link>,
    stop: Vec<u8>,
    warning: Option<String>,
    /// Until it has come, or something else.
    greeting: Option<Greeting>,
    /// Bytes of the recording, or of what may be the greeting, that were not taken yet.
    came: VecDeque<u8>,
}

impl StartedLink {
    /// Leaves the greeting out. True: more bytes are needed to know whether there is one.
    fn is_greeted(&mut self) -> bool {
        let Some(Greeting { begin, len }) = self.greeting else { return false };
        let is_greeting = self.came.iter().zip(begin).all(|(came, expected)| came == expected);
        if is_greeting && self.came.len() < len {
            return true;
        }
        if is_greeting {
            self.came.drain(..len);
        }
        self.greeting = None;
        self.came.is_empty()
    }

    fn take(&mut self, buf: &mut [u8]) -> ReadResult {
        let len = self.came.len().min(buf.len());
        for (to, from) in buf.iter_mut().zip(self.came.drain(..len)) {
            *to = from;
        }
        ReadResult::Bytes(len)
    }
}

impl Link for StartedLink {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<ReadResult> {
        if self.greeting.is_none() {
            return if self.came.is_empty() { self.link.read(buf) } else { Ok(self.take(buf)) };
        }
        match self.link.read(buf)? {
            ReadResult::Bytes(len) => self.came.extend(buf.get(..len).unwrap_or_default()),
            ReadResult::Nothing => return Ok(ReadResult::Nothing),
            // The received bytes are not a complete greeting.
            ReadResult::End if self.came.is_empty() => return Ok(ReadResult::End),
            ReadResult::End => {
                self.greeting = None;
                return Ok(self.take(buf));
            }
        }
        if self.is_greeted() { Ok(ReadResult::Nothing) } else { Ok(self.take(buf)) }
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.link.send(bytes)
    }

    fn level(&mut self) -> Option<u8> {
        self.link.level()
    }

    fn warning(&mut self) -> Option<String> {
        self.warning.take().or_else(|| self.link.warning())
    }
}

impl Drop for StartedLink {
    fn drop(&mut self) {
        // A connection that is gone needs no command.
        let _ = self.link.send(&self.stop);
        // A command need not fit into the target's channel at once.
        for _ in 0..FLUSHES {
            let _ = self.link.send(&[]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives these pieces, then the end.
    struct Pieces(VecDeque<Vec<u8>>);

    impl Link for Pieces {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<ReadResult> {
            let Some(piece) = self.0.pop_front() else { return Ok(ReadResult::End) };
            buf[..piece.len()].copy_from_slice(&piece);
            Ok(ReadResult::Bytes(piece.len()))
        }
    }

    fn read(pieces: &[&[u8]]) -> Vec<u8> {
        let greeting = Some(Greeting { begin: b"SV", len: 4 });
        let link = Box::new(Pieces(pieces.iter().map(|it| it.to_vec()).collect()));
        let (stop, came) = (Vec::new(), VecDeque::new());
        let mut running = StartedLink { link, stop, warning: None, greeting, came };
        let (mut all, mut buf) = (Vec::new(), [0; 8]);
        loop {
            match running.read(&mut buf).unwrap() {
                ReadResult::Bytes(len) => all.extend(&buf[..len]),
                ReadResult::Nothing => {}
                ReadResult::End => return all,
            }
        }
    }

    #[test]
    fn a_greeting_is_no_part_of_the_recording_wherever_it_is_cut() {
        let all = b"SV\x03\x02\0\0\x0A";
        for cut in 1..all.len() {
            assert_eq!(read(&[&all[..cut], &all[cut..]]), [0, 0, 10], "{cut}");
        }
        assert_eq!(read(&[b"SV\x03\x02", b"SV\x03\x02"]), b"SV\x03\x02");
        for none in [&b"S"[..], b"SV\x03", b"SX\x03\x02\0", b"\0\0SV"] {
            assert_eq!(read(&[none]), none);
        }
    }
}
