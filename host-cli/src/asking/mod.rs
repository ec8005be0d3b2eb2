//! What a target is asked for: a user's words as a command, the command as bytes, and its answer in words.

mod commands;
mod number;
mod trigger;
mod unanswered;
mod variables;
mod words;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tband_format::{COMMAND_ERRORS, Command, CommandKind, MAX_COMMAND_FRAME};

pub use self::commands::{CameOf, Commands};
pub use self::trigger::is_of_crash;
pub use self::unanswered::Unanswered;
pub use self::words::{Asks, Named, plain, usages, wish};

/// So long an answer is waited for before the command is sent once more.
pub const AGAIN: Duration = Duration::from_millis(500);

/// So long an answer is waited for before the user hears of it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Commands that do something else if they are obeyed twice. A target knows of the last one only that it has obeyed it: after a
/// restart, or the command of another host, it would do it again.
const ONCE: [&str; 8] = ["user", "write", "fill", "reset", "poke", "send", "notify", "trigger"];

/// A command of this kind may be sent again until it is answered.
pub fn may_come_again(kind: &CommandKind) -> bool {
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

/// What the answer says.
pub fn shown(kind: &CommandKind, is: i64) -> String {
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
