//! The result of recognising a file.

use crate::format::InputFormat;

/// A format that was recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecognisedFormat {
    /// The format.
    pub format: InputFormat,
    /// Its description, such as "a Percepio PSF stream (little endian, format 0x0E)".
    pub text: String,
    /// What to do with it, if no importer reads it: the end of a sentence, or nothing.
    pub advice: &'static str,
}

impl RecognisedFormat {
    pub(crate) fn new(format: InputFormat, text: impl Into<String>) -> Self {
        Self { format, text: text.into(), advice: "" }
    }

    pub(crate) const fn with_advice(mut self, advice: &'static str) -> Self {
        self.advice = advice;
        self
    }
}

/// What the first bytes of a file show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognition {
    /// It has this format.
    Is(RecognisedFormat),
    /// It may have one of these formats; more bytes show it.
    NeedsMore,
    /// It has none of these formats, as far as these bytes show.
    No,
}
