//! Commands that read recordings and write one text or page, each in a separate file: the output that the command line prints and
//! the web page saves.

pub mod check;
pub mod dump;
pub mod report;
mod side_conversion;
pub mod stats;

use std::fmt;
use std::io::Write;

use tband_conv::{Input, Options};

use crate::command_result::{CommandResult, Failure};
use crate::options::CommandSettings;

/// All of them.
pub const COMMANDS: &[Command] = &[dump::COMMAND, stats::COMMAND, check::COMMAND, report::COMMAND];

/// A command.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Its word.
    pub name: &'static str,
    /// Its purpose, in one line.
    pub about: &'static str,
    /// What it can write; the first is what it writes unless another is asked for.
    pub outputs: &'static [Output],
    /// How often inputs are read, for those who show progress: of so many, and whether only a window is of interest.
    pub passes: fn(inputs: usize, has_window: bool) -> usize,
    /// Bytes that it takes at most for a small target's recording, however long that is.
    pub memory: usize,
}

/// Reads recordings, and writes the requested output.
pub type Run =
    fn(&[Input<'_>], &Options, &CommandSettings, &mut dyn Write) -> Result<CommandResult, Failure>;

/// Something that a command writes.
#[derive(Clone, Copy)]
pub struct Output {
    /// Its word.
    pub name: &'static str,
    /// What a file of it ends in.
    pub ending: &'static str,
    /// Its media type. An output of type `application/json` is one object, or one a line.
    pub media_type: &'static str,
    /// How it is written.
    pub run: Run,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Command {
    /// The one of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        COMMANDS.iter().find(|it| it.name == name)
    }

    /// The output of a name, or the usual one.
    #[must_use]
    pub fn output(&self, name: Option<&str>) -> Option<&'static Output> {
        match name {
            Some(name) => self.outputs.iter().find(|it| it.name == name),
            None => self.outputs.first(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tband_recordings::project;

    use super::*;

    #[test]
    fn names_are_of_one_command_and_of_one_output() {
        for command in COMMANDS {
            assert_eq!(Command::named(command.name).map(|it| it.about), Some(command.about));
            assert!(!command.about.is_empty() && !command.about.ends_with('.'), "{command:?}");
            assert!((command.passes)(1, false) > 0 && command.memory > 0, "{command:?}");
            for output in command.outputs {
                let found = command.output(Some(output.name)).map(|it| it.ending);
                assert_eq!(found, Some(output.ending), "{command:?}");
            }
            assert!(command.output(None).is_some(), "{command:?}");
        }
        assert!(Command::named("").is_none() && COMMANDS[0].output(Some("")).is_none());
    }

    /// The file of a command that is in no list would never be used.
    #[test]
    fn every_file_is_a_command() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/commands");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_part = ["mod", "side_conversion"].contains(&name);
            assert!(is_part || Command::named(name).is_some(), "COMMANDS has no {name}");
        }
    }

    /// Shown by the page beside what it saves.
    const SHOWN: &str = "offsets";

    /// The web page saves every output, with its ending and its media type, and knows how often files are read for it.
    #[test]
    fn the_web_page_has_each_output() {
        let [script, page] = ["web/app.js", "web/page.html"].map(project::text);
        for command in COMMANDS {
            for (index, output) in command.outputs.iter().enumerate() {
                let Output { name, ending, media_type, .. } = output;
                if *name == SHOWN {
                    assert!(page.contains(&format!("<option value=\"{name}\">")), "{name}");
                    continue;
                }
                let choice = match index {
                    0 => String::new(),
                    _ => format!(", as: \"{name}\""),
                };
                let passes = (command.passes)(1, false);
                let line = format!(
                    ": [{{ command: \"{}\"{choice} }}, \"{ending}\", \"{media_type}\", {passes}],",
                    command.name
                );
                let found = script.lines().find(|it| it.ends_with(&line));
                let found = found.unwrap_or_else(|| panic!("web/app.js: SAVES has no {line}"));
                let word = found.trim().trim_end_matches(&line).trim_matches('"');
                let option = format!("<option value=\"{word}\">");
                assert!(page.contains(&option), "web/page.html: {option}");
            }
        }
    }
}
