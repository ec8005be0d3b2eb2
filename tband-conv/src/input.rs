//! What is converted: named inputs that can be opened more than once.
//!
//! A conversion reads each input twice, first for names and other metadata, which may stand
//! anywhere, then for the events. So an input is a factory of readers. The library itself opens no
//! files; callers pass closures, or bytes that they have at hand.

use std::fmt;
use std::io::{self, Read};

use crate::error::ConvError;
use crate::hex::{HexReader, looks_like_hex, read_retrying};

/// How the bytes of a recording are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Format {
    /// As they are.
    #[default]
    Bin,
    /// Two hex digits a byte.
    Hex,
    /// Hex if the first block holds hex digits and white space only, else binary.
    Auto,
}

/// A reader of one input, from its start.
pub type BoxRead<'a> = Box<dyn Read + 'a>;

type Open<'a> = Box<dyn Fn() -> io::Result<BoxRead<'a>> + 'a>;

/// One input of a conversion.
pub struct Input<'a> {
    name: String,
    core: u32,
    format: Format,
    open: Open<'a>,
}

impl<'a> Input<'a> {
    /// An input of this name (for messages) that `open` opens, each time from its start.
    pub fn new(name: impl Into<String>, open: impl Fn() -> io::Result<BoxRead<'a>> + 'a) -> Self {
        Self { name: name.into(), core: 0, format: Format::Bin, open: Box::new(open) }
    }

    /// An input that is in memory.
    pub fn from_bytes(name: impl Into<String>, bytes: &'a [u8]) -> Self {
        Self::new(name, move || Ok(Box::new(bytes)))
    }

    /// Sets the core that events belong to until the recording says otherwise (default 0).
    #[must_use]
    pub fn on_core(mut self, core: u32) -> Self {
        self.core = core;
        self
    }

    /// Sets how the bytes are written down (default [`Format::Bin`]).
    #[must_use]
    pub fn in_format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Name for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The core that events belong to until the recording says otherwise.
    #[must_use]
    pub const fn core(&self) -> u32 {
        self.core
    }

    /// A reader of the recording's bytes, hex text already turned into them.
    ///
    /// # Errors
    /// [`ConvError::Read`] if the input cannot be opened.
    pub fn open(&self) -> Result<BoxRead<'a>, ConvError> {
        let reader = (self.open)().map_err(|source| self.read_error(source))?;
        self.decode(reader).map_err(|source| self.read_error(source))
    }

    fn decode(&self, mut reader: BoxRead<'a>) -> io::Result<BoxRead<'a>> {
        match self.format {
            Format::Bin => Ok(reader),
            Format::Hex => Ok(Box::new(HexReader::new(reader))),
            Format::Auto => {
                let mut head = vec![0; 4096];
                let len = read_retrying(&mut reader, &mut head)?;
                head.truncate(len);
                let hex = looks_like_hex(&head);
                let whole = io::Cursor::new(head).chain(reader);
                Ok(if hex { Box::new(HexReader::new(whole)) } else { Box::new(whole) })
            }
        }
    }

    /// What to try if this turns out not to be a recording.
    pub(crate) fn hint(&self) -> &'static str {
        let mut head = [0; 4096];
        let read = (self.open)().and_then(|mut reader| read_retrying(&mut reader, &mut head));
        let head = head.get(..read.unwrap_or(0)).unwrap_or_default();
        match head {
            [0x1F, 0x8B, ..] => "; it is compressed: decompress it",
            _ if self.format == Format::Bin && looks_like_hex(head) => {
                "; it looks like hex text: use --format hex"
            }
            _ => "; name the file with the bytes that the target recorded",
        }
    }

    pub(crate) fn read_error(&self, source: io::Error) -> ConvError {
        ConvError::Read { input: self.name.clone(), source }
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("name", &self.name)
            .field("core", &self.core)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}
