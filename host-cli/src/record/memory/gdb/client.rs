//! The client's side of GDB's remote protocol, as far as reading a target's memory needs it.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use tband_program::Memory;

use super::line::Line;

/// Something answers, and not as a GDB server does.
const NO_SERVER: &str = "this is not a GDB server";
/// A server that has a client leaves the next one waiting without a word, or closes the connection.
const HAS_ANOTHER: &str = "the server accepts the connection and does not answer: probably another client is connected, a debugger or another tband-cli, and most servers serve one at a time; end that session, and try again";
/// A server that is silent for this long is not a GDB server, or has lost its target.
const PATIENCE: Duration = Duration::from_secs(5);
/// Longest answer that is taken.
const MOST: usize = 1 << 16;
/// How often an answer with a wrong checksum is requested again.
const TRIES: u32 = 3;
/// Maximum number of unsolicited packets before an answer.
const UNASKED: u32 = 100;
/// Bytes of memory per request.
const PIECE: usize = 1024;

/// A connection to a GDB server.
pub struct Client {
    line: Box<dyn Line>,
    /// Received bytes that are still unread.
    pending: Vec<u8>,
    /// At least one byte was received.
    has_come: bool,
    /// The last packet sent, for a server that did not understand it.
    sent: Vec<u8>,
    /// Neither side acknowledges packets.
    without_acks: bool,
    /// Bytes of memory that an answer has room for.
    piece: usize,
    /// The target runs.
    runs: bool,
    /// Memory is read while it runs.
    while_running: bool,
    /// The target was resumed, and the connection is at its end; or there was no server.
    is_detached: bool,
}

impl Client {
    /// Begins to talk to a server, which stops its target for that. Once this is dropped, the target runs on in any case.
    /// `while_running`: memory is read while it runs.
    ///
    /// # Errors
    /// It is not a GDB server.
    pub fn new(line: Box<dyn Line>, while_running: bool) -> anyhow::Result<Self> {
        let mut client = Self {
            line,
            pending: Vec::new(),
            has_come: false,
            sent: Vec::new(),
            without_acks: false,
            piece: PIECE,
            runs: false,
            while_running,
            is_detached: true,
        };
        let offered = client.ask("qSupported");
        let why = if client.has_come { NO_SERVER } else { HAS_ANOTHER };
        let offered = offered.context(why)?;
        client.is_detached = false;
        let mut words = offered.split(|byte| *byte == b';');
        if words.clone().any(|word| word == b"QStartNoAckMode+") {
            client.without_acks = client.ask("QStartNoAckMode")? == b"OK";
        }
        let size = words.find_map(|word| {
            let digits = word.strip_prefix(b"PacketSize=")?;
            usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
        });
        // Two digits per byte, plus the frame around them.
        let room = size.unwrap_or(400).saturating_sub(8) / 2;
        ensure!(room > 0, "the server has no room for an answer");
        client.piece = room.min(PIECE);
        client.send(b"?")?;
        let state = client.reply(true)?;
        if !is_stop(&state) {
            client.attach(&state)?;
        }
        Ok(client)
    }

    /// Reaches the target of a server that begins without one: Black Magic Probe searches for it on request.
    fn attach(&mut self, state: &[u8]) -> anyhow::Result<()> {
        let none = "the server has no target that is stopped";
        // It has none, or the one that it had has ended.
        ensure!(matches!(state, [b'W' | b'X', ..]), "{none}: it reports '{}'", format_reply(state));
        self.ask(&format!("qRcmd,{}", digits(b"swdp_scan")))?;
        self.send(b"vAttach;1")?;
        let reply = self.reply(true)?;
        ensure!(
            is_stop(&reply),
            "{none}, and finds none by swdp_scan: it reports '{}'; is the target powered and wired?",
            format_reply(&reply)
        );
        Ok(())
    }

    /// Memory is read while the target runs.
    pub const fn while_running(&self) -> bool {
        self.while_running
    }

    /// Lets the target run.
    ///
    /// # Errors
    /// The connection is broken.
    pub fn resume(&mut self) -> anyhow::Result<()> {
        if !self.runs {
            self.send(b"c")?;
            self.runs = true;
        }
        Ok(())
    }

    /// Stops the target.
    ///
    /// # Errors
    /// It does not stop.
    pub fn halt(&mut self) -> anyhow::Result<()> {
        if self.runs {
            self.line.write_all(&[3])?;
            let stopped = self.reply(true).context("the target does not stop")?;
            ensure!(
                !stopped.starts_with(b"E"),
                "the server does not let the target run: it reports '{}'",
                format_reply(&stopped)
            );
            ensure!(is_stop(&stopped), "the target has ended");
            self.runs = false;
        }
        Ok(())
    }

    /// Resumes the target, and ends the connection. With reads while it runs, the server is not asked to halt it.
    fn detach(&mut self) -> anyhow::Result<()> {
        if std::mem::replace(&mut self.is_detached, true) {
            return Ok(());
        }
        // If it does not stop it runs, and its server may still accept the next commands.
        let halted = if self.while_running { Ok(()) } else { self.halt() };
        self.send(b"D")?;
        halted?;
        self.reply(false).map(drop)
    }

    fn ask(&mut self, text: &str) -> anyhow::Result<Vec<u8>> {
        self.send(text.as_bytes())?;
        self.reply(false)
    }

    fn send(&mut self, body: &[u8]) -> anyhow::Result<()> {
        let sum = body.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        let mut packet = b"$".to_vec();
        packet.extend_from_slice(body);
        packet.extend_from_slice(format!("#{sum:02x}").as_bytes());
        self.sent = packet;
        Ok(self.line.write_all(&self.sent)?)
    }

    /// Returns the answer to the last packet, without unsolicited packets: text for the console, and the report that the target
    /// has stopped, unless that is the answer. QEMU stops a running target when a client connects, and reports that first.
    fn reply(&mut self, to_stop: bool) -> anyhow::Result<Vec<u8>> {
        for _ in 0..UNASKED {
            let reply = self.answer()?;
            if !(is_console(&reply) || (is_stop(&reply) && !to_stop)) {
                return Ok(reply);
            }
        }
        bail!("the server answers nothing else than that the target has stopped")
    }

    /// Returns the next packet, and acknowledges it.
    fn answer(&mut self) -> anyhow::Result<Vec<u8>> {
        let since = Instant::now();
        let (mut again, mut noise) = (0, 0);
        for _ in 0..TRIES {
            loop {
                ensure!(noise < MOST, "the received bytes are not those of a GDB server");
                noise += 1;
                match self.byte(since)? {
                    b'$' => break,
                    b'-' if again < TRIES && !self.without_acks => {
                        again += 1;
                        self.line.write_all(&self.sent)?;
                    }
                    _ => {}
                }
            }
            let mut body = Vec::new();
            let mut sum = 0_u8;
            loop {
                let byte = self.byte(since)?;
                if byte == b'#' {
                    break;
                }
                sum = sum.wrapping_add(byte);
                ensure!(body.len() < MOST, "the server's answer has no end");
                match byte {
                    b'}' => {
                        let escaped = self.byte(since)?;
                        sum = sum.wrapping_add(escaped);
                        body.push(escaped ^ 0x20);
                    }
                    // Repeats the byte before this many times.
                    b'*' => {
                        let times = self.byte(since)?;
                        sum = sum.wrapping_add(times);
                        let times = usize::from(times.saturating_sub(29));
                        let Some(last) = body.last().copied() else {
                            bail!("the server's answer is damaged")
                        };
                        body.resize(body.len() + times, last);
                    }
                    byte => body.push(byte),
                }
            }
            let digits = [self.byte(since)?, self.byte(since)?];
            let reported =
                std::str::from_utf8(&digits).ok().and_then(|it| u8::from_str_radix(it, 16).ok());
            if self.without_acks {
                // It is not requested again.
                ensure!(
                    reported == Some(sum),
                    "the server's answer is damaged: its checksum is wrong"
                );
                return Ok(body);
            }
            if reported == Some(sum) {
                self.line.write_all(b"+")?;
                return Ok(body);
            }
            self.line.write_all(b"-")?;
        }
        bail!("the server's answers are damaged: their checksums are wrong")
    }

    fn byte(&mut self, since: Instant) -> anyhow::Result<u8> {
        while self.pending.is_empty() {
            let mut buf = [0; 4096];
            match self.line.read(&mut buf) {
                Ok(0) => bail!("the server has closed the connection"),
                Ok(len) => {
                    self.has_come = true;
                    self.pending.extend(buf.iter().take(len).rev());
                }
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                    ) =>
                {
                    ensure!(since.elapsed() < PATIENCE, "the server does not answer");
                }
                Err(error) => return Err(error.into()),
            }
        }
        self.pending.pop().context("the server does not answer")
    }
}

/// Matches `S05`, `T05thread:01;`: no answer with memory begins so, because `S` and `T` are not digits.
fn is_stop(reply: &[u8]) -> bool {
    matches!(reply, [b'S' | b'T', number @ ..] if number.len() >= 2 && number.iter().take(2).all(u8::is_ascii_hexdigit))
}

/// `O` and a text in digits, which `OK` is not.
fn is_console(reply: &[u8]) -> bool {
    matches!(reply, [b'O', text @ ..] if text.iter().all(u8::is_ascii_hexdigit))
}

impl Drop for Client {
    fn drop(&mut self) {
        // Without a connection the target cannot be resumed.
        let _ = self.detach();
    }
}

impl Memory for Client {
    fn read(&mut self, at: u64, buf: &mut [u8]) -> anyhow::Result<()> {
        let (mut from, mut rest) = (at, buf);
        while !rest.is_empty() {
            let len = rest.len().min(self.piece);
            let answer = self.ask(&format!("m{from:x},{len:x}"));
            let answer = if self.runs {
                answer.with_context(|| format!("{REFUSES} (asked for {from:#x})"))?
            } else {
                answer?
            };
            let bytes = bytes(&answer).filter(|bytes| (1..=len).contains(&bytes.len()));
            let Some(bytes) = bytes else {
                let hint = if self.runs { format!("; {REFUSES}") } else { String::new() };
                bail!(
                    "the server does not read {len} bytes at {from:#x}: it reports '{}'{hint}",
                    format_reply(&answer)
                );
            };
            // A server may return less than requested.
            let (part, after) = rest.split_at_mut(bytes.len());
            part.copy_from_slice(&bytes);
            from = from.saturating_add(bytes.len() as u64);
            rest = after;
        }
        Ok(())
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> anyhow::Result<()> {
        let answer = self.ask(&format!("M{at:x},{:x}:{}", bytes.len(), digits(bytes)))?;
        ensure!(
            answer == b"OK",
            "the server does not write at {at:#x}: it reports '{}'",
            format_reply(&answer)
        );
        Ok(())
    }
}

/// The remedy for a server that does not read memory while the target runs.
const REFUSES: &str = "perhaps it does not read while the target runs: leave out --no-halt, and the target is stopped for each look";

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of an answer that has nothing but digits.
fn bytes(answer: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = answer.chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

/// Returns a server's answer, as far as it fits a line. An error may have its own text.
fn format_reply(reply: &[u8]) -> String {
    let text = reply.strip_prefix(b"E.").unwrap_or(reply);
    tband_report::printable::printable(&String::from_utf8_lossy(text.get(..60).unwrap_or(text)))
        .to_string()
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};

    use super::*;

    /// Another program listens there, such as the server of a recording, which never stops sending.
    struct EndlessSender(u8);

    impl Read for EndlessSender {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            buf.fill(self.0);
            Ok(buf.len())
        }
    }

    impl Write for EndlessSender {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_is_no_server_is_not_listened_to_for_ever() {
        for byte in [0, b'+', b'-', b'$', b'#', b'x'] {
            let error = Client::new(Box::new(EndlessSender(byte)), false).err().expect("no server");
            let text = format!("{error:#}");
            assert!(text.starts_with(NO_SERVER), "{text}");
        }
    }
}
