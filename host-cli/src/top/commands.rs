//! What the user asks the target for, and what it answers.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use tband_app::live::Answers;
use tband_format::CommandKind;
use tband_format::classes::GROUPS;

use crate::command::{AGAIN, Asks, Numbers, may_come_again, sent, shown, wish};

/// So long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The way to the target, and what was asked last.
pub struct Commands {
    /// None: there is no way.
    to_send: Option<Sender<Vec<u8>>>,
    /// The firmware's program, for names of its variables.
    elf: Option<PathBuf>,
    numbers: Numbers,
    waits: Option<Waits>,
    /// Groups of events that are not recorded, since they were switched off here.
    off: u32,
    /// What is said of it on the screen.
    pub said: String,
}

/// A command that is not answered yet.
struct Waits {
    text: String,
    kind: &'static CommandKind,
    number: u16,
    bytes: Vec<u8>,
    since: Instant,
    sent: Instant,
    /// The groups that are off once it is obeyed.
    off: u32,
}

impl Commands {
    pub fn new(to_send: Option<Sender<Vec<u8>>>, elf: Option<PathBuf>) -> Self {
        let (numbers, said) = (Numbers::new(), String::new());
        Self { to_send, elf, numbers, waits: None, off: 0, said }
    }

    /// There is a way to the target.
    pub const fn can_ask(&self) -> bool {
        self.to_send.is_some()
    }

    /// Asks for this, as of `tband-cli command`.
    pub fn ask(&mut self, text: &str) {
        self.ask_for(text, self.off);
    }

    /// Switches a group of events off, or on again.
    pub fn toggle(&mut self, place: usize) {
        // The last one is all of them.
        let Some((name, _)) = GROUPS.get(place).filter(|_| place + 1 < GROUPS.len()) else {
            return;
        };
        let off = self.off ^ (1 << place);
        let to = if off & (1 << place) == 0 { "on" } else { "off" };
        self.ask_for(&format!("filter {to} group {}", name.to_lowercase()), off);
    }

    /// Asks for this, after which these groups are off, and says so.
    fn ask_for(&mut self, text: &str, off: u32) {
        self.said = match self.sends(text, off) {
            Ok(()) => format!("{text} ..."),
            Err(error) => format!("{text}: {error:#}"),
        };
    }

    fn sends(&mut self, text: &str, off: u32) -> anyhow::Result<()> {
        let Some(to_send) = &self.to_send else {
            anyhow::bail!("there is no way to the target from this source");
        };
        let mut words = text.split_whitespace().map(str::to_owned);
        let name = words.next().unwrap_or_default();
        let wish = wish(&name, &words.collect::<Vec<_>>(), self.elf.as_deref())?;
        let command = match wish.asks {
            Asks::Command(command) => Some(command),
            Asks::Filter(named) => named.by_name(),
        };
        let Some(command) = command else {
            anyhow::bail!("the name is too long for a command; write its number");
        };
        let command = self.numbers.with(command);
        let bytes = sent(&command);
        // The source may have ended.
        let _ = to_send.send(bytes.clone());
        let now = Instant::now();
        self.waits = Some(Waits {
            text: text.to_owned(),
            kind: wish.kind,
            number: command.number,
            bytes,
            since: now,
            sent: now,
            off,
        });
        Ok(())
    }

    /// Looks whether it is answered by now, and sends it again if not.
    pub fn look(&mut self, answers: &Answers) {
        let Some(waits) = &mut self.waits else { return };
        if let Some(is) = answers.to(waits.number) {
            if is >= 0 {
                self.off = waits.off;
            }
            self.said = format!("{}: {}", waits.text, shown(waits.kind, is));
            self.waits = None;
        } else if waits.since.elapsed() >= PATIENCE {
            self.said = format!(
                "{}: no answer; does the firmware record, and call tband_obey()?",
                waits.text
            );
            self.waits = None;
        } else if waits.sent.elapsed() >= AGAIN && may_come_again(waits.kind) {
            waits.sent = Instant::now();
            if let Some(to_send) = &self.to_send {
                let _ = to_send.send(waits.bytes.clone());
            }
        }
    }
}
