//! What came of a command, and why it failed.

use std::error::Error;
use std::fmt;

use serde_json::Value;
use tband_conv::{ConvError, Summary};
use tband_report::messages::{self, Message};

/// What came of a command that has written what was asked for.
#[derive(Debug)]
pub struct Done {
    /// What there is to report, in the order in which it is shown.
    pub messages: Vec<Message>,
    /// Nothing is lost or damaged.
    pub is_clean: bool,
    /// Events that it is about.
    pub events: u64,
    /// What the recording is, if it was read to its end.
    pub summary: Option<Summary>,
    /// The verdict of `check` for programs, if that was asked for.
    pub verdict: Option<Value>,
}

impl Done {
    /// Of a conversion: its findings, and that its window is empty.
    #[must_use]
    pub fn of(summary: Summary) -> Self {
        Self {
            messages: found(&summary),
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

/// What a conversion found, and that its window is empty.
#[must_use]
pub fn found(summary: &Summary) -> Vec<Message> {
    let mut found = messages::findings(summary);
    found.extend(messages::empty_window(summary));
    found
}

/// Why a command gives nothing.
#[derive(Debug)]
pub enum Failure {
    /// The recording cannot be converted, or the output not be written.
    Convert(ConvError),
    /// There is no such thing as was asked for; in words for the user.
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
