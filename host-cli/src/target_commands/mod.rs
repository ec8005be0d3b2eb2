//! Requests to a target: a user's text as a command, the command as bytes, and its answer as text.

mod commands;
mod number;
mod parse;
mod sent_command;
mod trigger;
mod variables;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tband_format::packet::command::{COMMAND_ERRORS, Command, CommandKind, MAX_COMMAND_FRAME};

pub use self::commands::{CommandOutcome, Commands};
pub use self::parse::{NamedObject, RequestContent, parse_request, plain, usages};
pub use self::sent_command::SentCommand;
pub use self::trigger::is_of_crash;

/// Time without an answer after which the command is sent once more.
pub const AGAIN: Duration = Duration::from_millis(500);

/// Time without an answer after which the user is informed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Commands that have another effect if they are executed twice. A target remembers only that it has executed the last one:
/// after a restart, or the command of another host, it would execute it again.
const ONCE: [&str; 8] = ["user", "write", "fill", "reset", "poke", "send", "notify", "trigger"];

/// A command of this kind may be sent again until it is answered.
pub fn is_repeatable(kind: &CommandKind) -> bool {
    !ONCE.contains(&kind.name)
}

/// The bytes of a command on the line, by how often it was sent before. A zero byte ends whatever is on the line. A repeated command is
/// doubled: its second answer is then the first event of a packet, and a short packet survives a line that loses bytes.
pub fn line_bytes(command: &Command, tries: u32) -> Vec<u8> {
    let mut frame = [0; MAX_COMMAND_FRAME];
    let len = command.frame(&mut frame);
    let bytes = [&[0], frame.get(..len).unwrap_or_default()].concat();
    bytes.repeat(if tries == 0 { 1 } else { 2 })
}

/// How often, in words.
pub fn times(count: u32) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// Numbers of commands, one after the other.
pub struct Numbers(u16);

impl Numbers {
    /// From a number on that no command of late had.
    pub fn new() -> Self {
        // Answers of earlier commands may still be on their way.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(now.subsec_micros() as u16)
    }

    /// The command with the next one.
    pub fn with(&mut self, command: Command) -> Command {
        self.0 = self.0.wrapping_add(1);
        Command { number: self.0, ..command }
    }
}

/// Returns the meaning of the answer.
pub fn format_answer(kind: &CommandKind, is: i64) -> String {
    if is < 0 {
        let error = COMMAND_ERRORS.iter().find(|(number, ..)| i64::from(*number) == is);
        let (name, why) = error.map_or(("error", "of the firmware"), |(_, name, why)| (name, why));
        return format!("{name} ({is}): {why}");
    }
    match kind.name {
        "info" => format!("version {} of the events, {} damaged commands", is & 0xFF, is >> 8),
        "read" | "peek" => format!("{is:#x} ({is})"),
        "trigger" => format!("trigger {is}"),
        "user" => (is as u32 as i32).to_string(),
        _ => "done".to_owned(),
    }
}
