//! The result of a command, and why it failed.

use std::error::Error;
use std::fmt;

use serde_json::Value;
use tband_conv::{ConvError, Summary};
use tband_report::messages::{self, Message};

/// The result of a command that has written its output.
#[derive(Debug)]
pub struct CommandResult {
    /// The messages, in the order in which they are shown.
    pub messages: Vec<Message>,
    /// Whether the recording is free of losses and damage.
    pub is_clean: bool,
    /// Events that it is about.
    pub events: u64,
    /// The recording's summary, if it was read to its end.
    pub summary: Option<Summary>,
    /// The result of `check` for programs, if requested.
    pub verdict: Option<Value>,
}

impl CommandResult {
    /// Returns the result of a conversion: its findings, and a message if its window is empty.
    #[must_use]
    pub fn of(summary: Summary) -> Self {
        Self {
            messages: finding_messages(&summary),
            is_clean: summary.diagnostics.is_clean(),
            events: summary.events_of_window(),
            summary: Some(summary),
            verdict: None,
        }
    }

    /// Reports this as well.
    #[must_use]
    pub fn with(mut self, messages: impl IntoIterator<Item = Message>) -> Self {
        self.messages.extend(messages);
        self
    }

    /// Of this recording, and of another one that was shown with it.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            is_clean: self.is_clean && other.is_clean,
            events: self.events + other.events,
            ..self.with(other.messages)
        }
    }
}

/// Returns the findings of a conversion, and a message if its window is empty.
#[must_use]
pub fn finding_messages(summary: &Summary) -> Vec<Message> {
    let mut found = messages::findings(summary);
    found.extend(messages::empty_window(summary));
    found
}

/// Why a command has no result.
#[derive(Debug)]
pub enum Failure {
    /// The recording cannot be converted, or the output not be written.
    Convert(ConvError),
    /// The requested object does not exist; the text is for the user.
    NoSuch(String),
}

impl From<ConvError> for Failure {
    fn from(error: ConvError) -> Self {
        Self::Convert(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Convert(error) => error.fmt(f),
            Self::NoSuch(text) => text.fmt(f),
        }
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Convert(error) => error.source(),
            Self::NoSuch(_) => None,
        }
    }
}
