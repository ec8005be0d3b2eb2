//! Outputs of sinks: one file or stream, or a folder for sinks that write several files.
//!
//! The library itself opens no files; callers pass open files, or for a folder a function that creates a file by name.

use std::fmt;
use std::io::{self, Write};

/// A writer of one file.
pub type BoxWrite<'a> = Box<dyn Write + 'a>;

type FileCreator<'a> = Box<dyn FnMut(&str) -> io::Result<BoxWrite<'a>> + 'a>;

/// Where a sink writes.
pub struct Output<'a>(OutputTarget<'a>);

enum OutputTarget<'a> {
    /// One file or stream; none once it was given away.
    Stream(Option<BoxWrite<'a>>),
    Folder(FileCreator<'a>),
}

impl<'a> Output<'a> {
    /// One file or stream.
    pub fn stream(out: impl Write + 'a) -> Self {
        Self(OutputTarget::Stream(Some(Box::new(out))))
    }

    /// Returns an output to a folder. `create` creates a file with a given name in it, or truncates it.
    ///
    /// ```
    /// use std::io::Write;
    /// use tband_conv::output::Output;
    ///
    /// # fn main() -> std::io::Result<()> {
    /// # let folder = std::env::temp_dir();
    /// let create = |name: &str| Ok(Box::new(std::fs::File::create(folder.join(name))?) as Box<_>);
    /// let mut output = Output::folder(create);
    /// output.file("tband-doc.csv")?.write_all(b"ns,event\n")?;
    /// # std::fs::remove_file(folder.join("tband-doc.csv"))
    /// # }
    /// ```
    pub fn folder(create: impl FnMut(&str) -> io::Result<BoxWrite<'a>> + 'a) -> Self {
        Self(OutputTarget::Folder(Box::new(create)))
    }

    /// Returns a new file with this name. If the output is a stream, the first file is that stream, whatever its name.
    ///
    /// # Errors
    /// An error of kind `InvalidInput` if there is only a stream, which is in use already, or if the name is not a plain file
    /// name: letters, digits, `-`, `_` and `.`, and the first one is not a point. Errors of creating the file.
    pub fn file(&mut self, name: &str) -> io::Result<BoxWrite<'a>> {
        let wrong = |text: String| Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
            return wrong(format!("{name:?} is not a name for a file in a folder"));
        }
        match &mut self.0 {
            OutputTarget::Folder(create) => create(name),
            OutputTarget::Stream(out) => match out.take() {
                Some(out) => Ok(out),
                None => wrong(format!("{name} would be the second file: name a folder")),
            },
        }
    }
}

impl fmt::Debug for Output<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            OutputTarget::Stream(_) => "Output::stream",
            OutputTarget::Folder(_) => "Output::folder",
        })
    }
}
