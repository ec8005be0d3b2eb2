//! Where sinks write: one file or stream, or a folder for those that make several files.
//!
//! The library itself opens no files; callers pass what they have opened, or for a folder what makes a file of a
//! name.

use std::fmt;
use std::io::{self, Write};

/// A writer of one file.
pub type BoxWrite<'a> = Box<dyn Write + 'a>;

type Create<'a> = Box<dyn FnMut(&str) -> io::Result<BoxWrite<'a>> + 'a>;

/// Where a sink writes.
pub struct Output<'a>(To<'a>);

enum To<'a> {
    /// One file or stream; none once it was given away.
    Stream(Option<BoxWrite<'a>>),
    Folder(Create<'a>),
}

impl<'a> Output<'a> {
    /// One file or stream.
    pub fn stream(out: impl Write + 'a) -> Self {
        Self(To::Stream(Some(Box::new(out))))
    }

    /// A folder, in which `create` makes a file of a name, or empties it.
    ///
    /// ```
    /// use std::io::Write;
    /// use tband_conv::Output;
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
        Self(To::Folder(Box::new(create)))
    }

    /// A new file of this name. The first one is the stream, if it is one, whatever its name.
    ///
    /// # Errors
    /// Of kind `InvalidInput` if there is only a stream, which has been given away, or if the name is not that of a
    /// file in a folder: letters, digits, `-`, `_` and `.`, the first of which is no point. What making the file
    /// reports.
    pub fn file(&mut self, name: &str) -> io::Result<BoxWrite<'a>> {
        let wrong = |text: String| Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
            return wrong(format!("{name:?} is no name for a file in a folder"));
        }
        match &mut self.0 {
            To::Folder(create) => create(name),
            To::Stream(out) => match out.take() {
                Some(out) => Ok(out),
                None => wrong(format!("{name} would be the second file: name a folder")),
            },
        }
    }
}

impl fmt::Debug for Output<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            To::Stream(_) => "Output::stream",
            To::Folder(_) => "Output::folder",
        })
    }
}
