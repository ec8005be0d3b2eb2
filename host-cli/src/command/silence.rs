//! Why a command has no answer, as far as that can be seen from here.

use std::path::Path;
use std::time::Duration;

use object::{Object, ObjectSymbol};
use tband_format::packet::command::CommandKind;
use tband_program::of_elf_file;

use super::command_target::{CommandTarget, End};
use crate::target_commands::{is_repeatable, times};

/// The function of `port/tband_commands.c` that firmware calls.
const OBEYS: &str = "tband_obey";

/// A command without an answer.
#[derive(Debug)]
pub struct Silence {
    end: End,
    /// How long an answer was waited for.
    waited: Duration,
    /// How often the command was sent.
    tries: u32,
    /// Received bytes.
    bytes: u64,
    has_damage: bool,
}

impl Silence {
    pub fn of(asked: &CommandTarget<'_>) -> Self {
        Self {
            end: asked.end(),
            waited: asked.timeout(),
            tries: asked.tries,
            bytes: asked.bytes,
            has_damage: asked.has_damage,
        }
    }

    /// Returns a description of the facts, and a remedy. `elf`: the firmware's program, if the user has named it.
    pub fn text(&self, kind: &CommandKind, elf: Option<&Path>) -> String {
        let Self { bytes, .. } = *self;
        let tries = times(self.tries);
        let sent = match self.end {
            End::Interrupted => "interrupted".to_owned(),
            End::Closed => "the connection was closed".to_owned(),
            End::Late => format!("it was sent {tries} in {:?}", self.waited),
        };
        let text = format!("no answer to {}: {sent}, after {bytes} bytes", kind.name);
        if self.end != End::Late {
            return text;
        }
        let once = if is_repeatable(kind) {
            ""
        } else {
            "; it is not sent again automatically, and may have been executed"
        };
        format!("{text}{once}; {}", self.cause(elf))
    }

    fn cause(&self, elf: Option<&Path>) -> String {
        if let Some(elf) = elf.filter(|elf| has_no_commands(elf)) {
            return format!(
                "{} has no {OBEYS}(): compile port/tband_commands.c, and call it in a task, the idle hook or the main loop",
                elf.display()
            );
        }
        if self.bytes == 0 {
            return "nothing comes from there: is it the right port and rate, and does the firmware record? Answers are events of the recording".to_owned();
        }
        if self.has_damage {
            return "bytes are lost or changed on the way, so the command or its answer may be lost each time: choose a lower rate or a better line, or wait for longer, as --wait 60s".to_owned();
        }
        format!(
            "the received bytes are not damaged, so the firmware has not executed the command: it has to compile port/tband_commands.c, give what the line receives to tband_received(), call {OBEYS}(), and record, since answers are events of the recording"
        )
    }
}

/// The program has symbols, but no symbol of the function that executes commands.
fn has_no_commands(elf: &Path) -> bool {
    let found = of_elf_file(elf, |file| {
        let mut names = file.symbols().filter(ObjectSymbol::is_definition);
        // With optimisation of the complete program the function may be inlined in its caller.
        let has = |name: &str| name == OBEYS || name.starts_with("tband_coming");
        Ok(names.any(|symbol| symbol.name().is_ok_and(has)) || file.symbols().next().is_none())
    });
    found.is_ok_and(|has| !has)
}

#[cfg(test)]
mod tests {
    use tband_format::packet::command::COMMAND_KINDS;

    use super::*;

    fn text(name: &str, bytes: u64, has_damage: bool) -> String {
        let kind = COMMAND_KINDS.iter().find(|kind| kind.name == name).unwrap();
        let waited = Duration::from_secs(3);
        let silence = Silence { end: End::Late, waited, tries: 6, bytes, has_damage };
        silence.text(kind, None)
    }

    #[test]
    fn distinguishes_a_lost_command_from_an_unsupported_one() {
        for (bytes, has_damage, cause, other) in [
            (0, false, "nothing comes from there", "tband_commands.c"),
            (100, true, "bytes are lost", "tband_commands.c"),
            (100, false, "tband_commands.c", "lost"),
        ] {
            let text = text("info", bytes, has_damage);
            assert!(text.starts_with("no answer to info: it was sent 6 times in 3s"), "{text}");
            assert!(text.contains(cause) && !text.contains(other), "{text}");
            assert!(!text.contains("may have been executed"), "{text}");
        }
        let once = text("user", 100, true);
        assert!(once.contains("may have been executed"), "{once}");
    }
}
