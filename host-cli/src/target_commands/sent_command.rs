//! A command without an answer so far: it is sent, and repeated if that is harmless.

use std::sync::mpsc::Sender;
use std::time::Instant;

use tband_format::packet::command::{Command, CommandKind};

use super::{AGAIN, PATIENCE, line_bytes};

/// A command, which is the only one on its way: a target remembers only that it has executed the last one.
pub struct SentCommand {
    pub kind: &'static CommandKind,
    pub command: Command,
    /// When it was sent first, and last.
    sent: Option<(Instant, Instant)>,
    /// How often it was sent.
    tries: u32,
}

impl SentCommand {
    /// One that has its number, and was not sent.
    pub const fn new(kind: &'static CommandKind, command: Command) -> Self {
        Self { kind, command, sent: None, tries: 0 }
    }

    /// It was sent.
    pub const fn is_sent(&self) -> bool {
        self.sent.is_some()
    }

    /// Sends it if it was not sent yet, or with `again` not of late.
    pub fn send(&mut self, to_send: &Sender<Vec<u8>>, again: bool) {
        if self.sent.is_none_or(|(_, last)| again && last.elapsed() >= AGAIN) {
            let bytes = line_bytes(&self.command, self.tries);
            self.tries = self.tries.saturating_add(1);
            // The source may have ended.
            let _ = to_send.send(bytes);
            let now = Instant::now();
            self.sent = Some((self.sent.map_or(now, |(first, _)| first), now));
        }
    }

    /// How often it was sent.
    pub const fn tries(&self) -> u32 {
        self.tries
    }

    /// It is to be sent at once, since the connection is another one.
    pub fn resend_at_once(&mut self) {
        self.sent = None;
    }

    /// The answer should be there by now.
    pub fn is_late(&self) -> bool {
        self.sent.is_some_and(|(first, _)| first.elapsed() >= PATIENCE)
    }
}
