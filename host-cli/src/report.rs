//! Messages on stderr: errors with their causes, findings with one line per kind, notes.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};

use tband_report::messages::{Label, Message};
use tband_report::printable::printable;

/// Prints messages on stderr, as verbose as the user wants.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    verbose: u8,
    quiet: bool,
    colour: bool,
}

/// Decides from the environment of a terminal: <https://no-color.org>, and the name of terminals without colours.
fn is_colour_wanted(no_color: Option<OsString>, term: Option<OsString>) -> bool {
    no_color.is_none_or(|value| value.is_empty()) && term.is_none_or(|term| term != "dumb")
}

impl Report {
    pub fn new(verbose: u8, quiet: bool) -> Self {
        let colour = std::io::stderr().is_terminal()
            && is_colour_wanted(std::env::var_os("NO_COLOR"), std::env::var_os("TERM"));
        Self { verbose, quiet, colour }
    }

    /// `-q` was given.
    pub const fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// `-v` was given.
    pub const fn is_verbose(&self) -> bool {
        self.verbose > 0
    }

    fn print(&self, label: Label, text: &str) {
        let (name, text) = (label.name(), printable(text));
        let colour = match label {
            Label::Error => "31",
            Label::Warning => "33",
            Label::Note => "36",
        };
        // If stderr is closed the message cannot be read.
        let _ = if self.colour {
            writeln!(std::io::stderr(), "\u{1b}[1;{colour}m{name}\u{1b}[0m: {text}")
        } else {
            writeln!(std::io::stderr(), "{name}: {text}")
        };
    }

    /// An error that ends the command, with its causes.
    pub fn error(&self, error: &anyhow::Error) {
        self.print(Label::Error, &format!("{error:#}"));
    }

    /// Something that is wrong, but not the end.
    pub fn warn(&self, text: &str) {
        if !self.quiet {
            self.print(Label::Warning, text);
        }
    }

    /// Something worth knowing.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.print(Label::Note, text);
        }
    }

    /// A plain line.
    pub fn line(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "{}", printable(text));
        }
    }

    /// A plain line if `-v` was given.
    pub fn detail(&self, text: &str) {
        if self.verbose > 0 {
            self.line(text);
        }
    }

    /// Lines of any kind.
    pub fn messages(&self, messages: impl IntoIterator<Item = Message>) {
        for (label, text) in messages {
            if label == Label::Error || !self.quiet {
                self.print(label, &text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_can_be_refused() {
        assert!(is_colour_wanted(None, None));
        assert!(is_colour_wanted(Some("".into()), Some("xterm".into())));
        assert!(!is_colour_wanted(Some("1".into()), Some("xterm".into())));
        assert!(!is_colour_wanted(None, Some("dumb".into())));
    }
}
