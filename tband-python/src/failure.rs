//! Errors as Python sees them: `tband.Error`.

use std::error::Error as _;
use std::io;
use std::path::Path;

use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::{create_exception, intern};
use tband_app::choice::Choice;
use tband_conv::ConvError;
use tband_conv::align::AlignError;
use tband_conv::encoding::notation::Format;
use tband_query::QueryError;

create_exception!(
    tband,
    Error,
    PyException,
    "A recording cannot be read, or an argument is wrong.\n\n\
     The text has the file, the place, the content and the remedy. `file` is the name of the file, or None;\n\
     `offset` the place in it in bytes, or None; `found` the content there, or None."
);

/// What it will say; it can be sent from one thread to another.
#[derive(Clone, Debug)]
pub struct Failure {
    text: String,
    file: Option<String>,
    offset: Option<u64>,
    found: Option<String>,
}

impl Failure {
    /// Of something that was asked for.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: in_python(text.into()), file: None, offset: None, found: None }
    }

    /// Returns the error about a file.
    pub fn of_file(path: &Path, found: &str, advice: &str) -> Self {
        let file = path.display().to_string();
        let text = format!("{file}: {found}{advice}");
        Self { file: Some(file), found: Some(found.to_owned()), ..Self::new(text) }
    }

    /// Returns the error about a file that the system cannot open.
    pub fn cannot_read(file: String, error: &io::Error) -> Self {
        let text = format!("cannot read {file}: {error}");
        Self { file: Some(file), found: Some(error.to_string()), ..Self::new(text) }
    }

    /// Returns the error about the program that is to explain a recording.
    pub fn of_program(path: &Path, error: &anyhow::Error) -> Self {
        let found = error.root_cause().to_string();
        let file = Some(path.display().to_string());
        Self { file, found: Some(found), ..Self::new(format!("{error:#}")) }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The exception.
    pub fn raise(&self, py: Python<'_>) -> PyErr {
        let error = Error::new_err(self.text.clone());
        let value = error.value(py);
        let set = value
            .setattr(intern!(py, "file"), &self.file)
            .and_then(|()| value.setattr(intern!(py, "offset"), self.offset))
            .and_then(|()| value.setattr(intern!(py, "found"), &self.found));
        set.err().unwrap_or(error)
    }
}

impl From<ConvError> for Failure {
    fn from(error: ConvError) -> Self {
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            text = format!("{text}: {cause}");
            source = cause.source();
        }
        let (file, offset, found) = match error {
            ConvError::Read { input, source } => (Some(input), None, Some(source.to_string())),
            ConvError::Empty { input, len, .. } => {
                (Some(input), Some(0), Some(format!("{len} bytes without an event")))
            }
            ConvError::NotARecording { input, offset, found, .. } => {
                (Some(input), Some(offset), Some(found))
            }
            _ => (None, None, None),
        };
        Self { file, offset, found, ..Self::new(text) }
    }
}

impl From<AlignError> for Failure {
    fn from(error: AlignError) -> Self {
        match error {
            AlignError::Read(error) => error.into(),
            other => Self::new(other.to_string()),
        }
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Mistake(mistake) => {
                let place = mistake.place.iter().flatten().map(|line| format!("\n{line}"));
                Self::new(mistake.text.clone() + &place.collect::<String>())
            }
            other => Self::new(other.to_string()),
        }
    }
}

/// Advice that names options of the command line, with those of Python.
fn in_python(mut text: String) -> String {
    for (_, word, _) in Format::ALL {
        text = text.replace(&format!("--format {word}"), &format!("format=\"{word}\""));
    }
    let text = text.replace("its --format", "its format");
    text.replace("one.bin@0 other.bin@1", "(\"one.bin\", 0), (\"other.bin\", 1)")
}
