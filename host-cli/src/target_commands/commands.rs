//! Commands that users give while a recording grows, one after the other, and the target's answers.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Instant;

use tband_app::live::Answers;
use tband_format::classes::GROUPS;

use super::{
    Numbers, PATIENCE, RequestContent, SentCommand, format_answer, is_repeatable, parse_request,
    times,
};

/// Commands that wait, at most.
const MOST: usize = 16;

/// The outcome of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOutcome {
    /// The command as it was written, with a description of its outcome.
    pub text: String,
    /// Its kind, if there is such a command.
    pub kind: Option<&'static str>,
    /// The target's answer; below 0 the reason why it did not execute the command. `None` if the command was not sent, or not
    /// answered.
    pub is: Option<i64>,
}

/// The connection to the target for commands, and the commands.
pub struct Commands {
    /// `None`: commands cannot be sent.
    to_send: Option<Sender<Vec<u8>>>,
    /// There is a connection. Bytes sent without one are lost.
    is_connected: bool,
    /// The firmware's program, for names of its variables.
    elf: Option<PathBuf>,
    numbers: Numbers,
    /// Those that are not answered yet. The first of them was sent, alone.
    waits: VecDeque<PendingCommand>,
    /// The message about the last of them.
    pub message: String,
}

/// A command that is not answered yet.
struct PendingCommand {
    text: String,
    asked: SentCommand,
    /// Since then it is to be sent.
    since: Instant,
    /// Answers that there were before it was sent.
    before: u64,
    /// The receiver of the outcome, in addition to the display of `message`.
    asks: Option<Sender<CommandOutcome>>,
}

impl Commands {
    pub fn new(to_send: Option<Sender<Vec<u8>>>, elf: Option<PathBuf>) -> Self {
        let (numbers, message) = (Numbers::new(), String::new());
        Self { to_send, is_connected: false, elf, numbers, waits: VecDeque::new(), message }
    }

    /// Sets whether there is a connection.
    pub const fn set_connected(&mut self, is_connected: bool) {
        self.is_connected = is_connected;
    }

    /// Whether commands can be sent to the target.
    pub const fn can_ask(&self) -> bool {
        self.to_send.is_some()
    }

    /// Sends this command, in the syntax of `tband-cli command`, with the next [`look`](Self::look). `asks` receives the
    /// outcome.
    pub fn ask(&mut self, text: &str, asks: Option<Sender<CommandOutcome>>) {
        match self.prepare_command(text) {
            Ok(asked) => {
                let text = text.to_owned();
                self.message = format!("{text} ...");
                let since = Instant::now();
                self.waits.push_back(PendingCommand { text, asked, since, before: 0, asks });
            }
            Err(error) => {
                let kind = text.split_whitespace().next().unwrap_or_default();
                let kind = super::usages().find(|it| it.0.name == kind).map(|it| it.0.name);
                let text = format!("{text}: {error:#}");
                self.report_outcome(CommandOutcome { text, kind, is: None }, asks);
            }
        }
    }

    /// Switches a group of events, by its place in the list, off, or on again if nothing of it is recorded now.
    pub fn toggle(&mut self, place: usize, answers: &Answers) {
        // The last one is all of them.
        let Some((name, _)) = GROUPS.get(place).filter(|_| place + 1 < GROUPS.len()) else {
            return;
        };
        let to = if answers.is_off(place) { "on" } else { "off" };
        self.ask(&format!("filter {to} group {}", name.to_lowercase()), None);
    }

    /// Returns the command in the text, with its number.
    fn prepare_command(&mut self, text: &str) -> anyhow::Result<SentCommand> {
        if !self.can_ask() {
            anyhow::bail!("this source has no connection to the target");
        }
        if self.waits.len() >= MOST {
            anyhow::bail!("{MOST} commands wait for their answers; ask later");
        }
        let mut words = text.split_whitespace().map(str::to_owned);
        let name = words.next().unwrap_or_default();
        let wish = parse_request(&name, &words.collect::<Vec<_>>(), self.elf.as_deref())?;
        let command = match wish.asks {
            RequestContent::Command(command) => Some(command),
            RequestContent::Filter(named) => named.by_name(),
        };
        let Some(command) = command else {
            anyhow::bail!("the name is too long for a command; write its number");
        };
        Ok(SentCommand::new(wish.kind, self.numbers.with(command)))
    }

    /// Sends the first one, if it was not sent yet, or not of late.
    fn send_first(&mut self, answers: &Answers) {
        let (Some(PendingCommand { asked, before, .. }), Some(to_send)) =
            (self.waits.front_mut(), &self.to_send)
        else {
            return;
        };
        if !self.is_connected {
            return;
        }
        if !asked.is_sent() {
            *before = answers.count();
        }
        asked.send(to_send, is_repeatable(asked.kind));
    }

    /// Whether a command is on its way.
    pub fn is_asking(&self) -> bool {
        self.waits.front().is_some_and(|waits| waits.asked.is_sent())
    }

    /// Checks which commands are answered by now, and sends the pending ones.
    pub fn look(&mut self, answers: &Answers) {
        while let Some(PendingCommand { asked, before, .. }) = self.waits.front()
            && asked.is_sent()
        {
            let is = answers.to(asked.command.number, *before);
            let what = match is {
                Some(is) => format_answer(asked.kind, is),
                None if asked.is_late() => format!(
                    "no answer, sent {}; does the firmware record and call tband_obey(), and does the line lose bytes?",
                    times(asked.tries())
                ),
                None => break,
            };
            self.end_first(&what, is);
        }
        while let Some(PendingCommand { asked, since, .. }) = self.waits.front()
            && !self.is_connected
            && !asked.is_sent()
            && since.elapsed() >= PATIENCE
        {
            self.end_first("not sent: the source is not there", None);
        }
        self.send_first(answers);
    }

    /// The first one could not be sent.
    pub fn unsent(&mut self, error: &std::io::Error) {
        if self.is_asking() {
            self.end_first(&format!("not sent: {error}"), None);
        }
    }

    /// The target no longer answers.
    pub fn end(&mut self) {
        while !self.waits.is_empty() {
            self.end_first("no answer; the recording has ended", None);
        }
        self.to_send = None;
    }

    fn end_first(&mut self, what: &str, is: Option<i64>) {
        let Some(PendingCommand { text, asked, asks, .. }) = self.waits.pop_front() else { return };
        let kind = Some(asked.kind.name);
        let came_of = CommandOutcome { text: format!("{text}: {what}"), kind, is };
        self.report_outcome(came_of, asks);
    }

    fn report_outcome(&mut self, came_of: CommandOutcome, asks: Option<Sender<CommandOutcome>>) {
        self.message.clone_from(&came_of.text);
        if let Some(asks) = asks {
            // The receiver may be gone.
            let _ = asks.send(came_of);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::mpsc::{Receiver, channel};

    use tband_app::live::{LiveRecording, StopEvent};
    use tband_format::Event;
    use tband_format::packet::command::Command;

    use super::*;

    /// Returns the commands sent so far.
    fn take_commands(sent: &Receiver<Vec<u8>>) -> Vec<Command> {
        let read = |bytes: Vec<u8>| Command::read(&bytes[1..bytes.len() - 1]).expect("a command");
        sent.try_iter().map(read).collect()
    }

    /// Returns the answers in these events of the target.
    fn answers_of(events: &[Event<'_>]) -> Answers {
        let mut followed = LiveRecording::new("target", StopEvent::default(), Answers::of_events());
        let bytes: Vec<u8> = events.iter().flat_map(|it| tband_recordings::frame(1, *it)).collect();
        followed.feed(&bytes).unwrap();
        followed.finish().unwrap().unwrap().1
    }

    #[test]
    fn one_is_sent_after_the_other_is_answered() {
        let (to_send, sent) = channel();
        let (asks, came) = channel();
        let mut commands = Commands::new(Some(to_send), None);
        commands.set_connected(true);
        commands.ask("user 7", Some(asks.clone()));
        commands.ask("stop", Some(asks.clone()));
        commands.ask("poke 1", Some(asks));
        commands.look(&Answers::of_events());
        let [first] = take_commands(&sent)[..] else { panic!("one") };
        commands.look(&Answers::of_events());
        assert!(take_commands(&sent).is_empty());
        // The answer to another command does not count; the first answer to this one does.
        let n = u32::from(first.number);
        let answers = answers_of(&[
            Event::Answer { n: n ^ 0x8000, is: 1 },
            Event::Answer { n, is: 42 },
            Event::Answer { n, is: 43 },
        ]);
        commands.look(&answers);
        let [second] = take_commands(&sent)[..] else { panic!("one") };
        assert_eq!((first.kind, second.kind), (6, 3));
        commands.unsent(&io::Error::other("no way"));
        let came: Vec<_> = came.try_iter().map(|it| (it.text, it.kind, it.is)).collect();
        let [wrong, user, stop] = &came[..] else { panic!("{came:?}") };
        assert!(wrong.0.starts_with("poke 1: poke wants"), "{wrong:?}");
        assert_eq!((wrong.1, wrong.2), (Some("poke"), None));
        assert_eq!(*user, ("user 7: 42".to_owned(), Some("user"), Some(42)));
        assert_eq!(*stop, ("stop: not sent: no way".to_owned(), Some("stop"), None));
        assert_eq!(commands.message, stop.0);
    }

    #[test]
    fn those_that_wait_are_not_too_many_and_hear_of_the_end() {
        let (to_send, sent) = channel();
        let (asks, came) = channel();
        let mut commands = Commands::new(Some(to_send), None);
        commands.set_connected(true);
        for _ in 0..=MOST {
            commands.ask("flush", Some(asks.clone()));
        }
        commands.look(&Answers::of_events());
        assert_eq!(take_commands(&sent).len(), 1);
        assert!(came.try_recv().unwrap().text.contains("16 commands wait"));
        commands.end();
        assert_eq!(came.try_iter().filter(|it| it.text.contains("has ended")).count(), MOST);
        commands.ask("flush", Some(asks));
        assert!(came.try_recv().unwrap().text.contains("no connection to the target"));
    }

    #[test]
    fn an_answer_from_before_the_command_is_none() {
        let (to_send, sent) = channel();
        let mut commands = Commands::new(Some(to_send), None);
        commands.set_connected(true);
        commands.ask("user 1", None);
        let n = u32::from(commands.waits[0].asked.command.number);
        // From another host, or from before the numbers wrapped.
        let old = [Event::Answer { n, is: 7 }; 70];
        commands.look(&answers_of(&old));
        commands.look(&answers_of(&old));
        assert_eq!(take_commands(&sent).len(), 1);
        assert_eq!(commands.message, "user 1 ...");
        commands.look(&answers_of(&[&old[..], &[Event::Answer { n, is: 8 }]].concat()));
        assert_eq!(commands.message, "user 1: 8");
    }

    /// A command that would be lost is sent when a receiver is there, or reported as not sent.
    #[test]
    fn nothing_is_sent_without_a_receiver() {
        let (to_send, sent) = channel();
        let (asks, came) = channel();
        let mut commands = Commands::new(Some(to_send), None);
        commands.ask("user 1", Some(asks.clone()));
        commands.look(&Answers::of_events());
        assert!(take_commands(&sent).is_empty() && !commands.is_asking());
        commands.set_connected(true);
        commands.look(&Answers::of_events());
        let [first] = take_commands(&sent)[..] else { panic!("one") };
        let n = u32::from(first.number);
        commands.look(&answers_of(&[Event::Answer { n, is: 3 }]));
        assert_eq!(came.try_recv().unwrap().text, "user 1: 3");
        commands.set_connected(false);
        commands.ask("user 2", Some(asks.clone()));
        commands.ask("info", Some(asks));
        for waits in &mut commands.waits {
            waits.since = Instant::now().checked_sub(PATIENCE).unwrap();
        }
        commands.look(&Answers::of_events());
        let message: Vec<_> = came.try_iter().map(|it| it.text).collect();
        let why = "not sent: the source is not there";
        assert_eq!(message, [format!("user 2: {why}"), format!("info: {why}")]);
        assert!(take_commands(&sent).is_empty());
    }

    /// A command that could be executed twice is not sent twice: a target remembers only the last command, and not after a
    /// restart.
    #[test]
    fn what_acts_twice_is_sent_once() {
        let once = super::super::usages().filter(|(kind, _)| !is_repeatable(kind));
        let once: Vec<_> = once.map(|(kind, _)| kind.name).collect();
        let expected = ["user", "write", "fill", "reset", "poke", "send", "notify", "trigger"];
        assert_eq!(once, expected);
    }
}
