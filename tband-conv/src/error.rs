//! Errors that end a conversion. Damage inside a recording is not an error: it becomes a [`Diagnostic`](crate::diagnostics::Diagnostic) and
//! the conversion continues.
//!
//! Every text contains the input, the fault and the remedy.

use std::io;

use crate::cores::MAX_CORES;

/// Why a conversion or dump failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvError {
    /// The input cannot be opened or read.
    #[error("cannot read {input}")]
    Read {
        /// Name of the input.
        input: String,
        /// The system's error.
        source: io::Error,
    },
    /// The input has no bytes, or only zero bytes.
    #[error("{input}: holds no event ({len} bytes{}): {}",
        if *.len == 0 || *.is_foreign { "" } else { ", all zero" },
        if *.is_foreign {
            "start the recorder before the events, and copy all that it has recorded"
        } else {
            "was recording started (tband_trigger_snapshot(), tband_start_streaming()) and read out when it had stopped, and is tband_configENABLE 1?"
        })]
    Empty {
        /// Name of the input.
        input: String,
        /// Bytes in the input.
        len: u64,
        /// Another recorder has made it.
        is_foreign: bool,
    },
    /// Hardly anything in the input is an event.
    #[error(
        "{input}: {}; the first that does not is at byte {offset}: {found}{}",
        if *.is_foreign {
            "nothing of it decodes as its recorder's format".to_owned()
        } else {
            format!("not a tband recording: {good} of {frames} frames decode")
        },
        if *.is_foreign { "; copy the recording again, from its start" } else { hint }
    )]
    NotARecording {
        /// Name of the input.
        input: String,
        /// Frames that are events.
        good: u64,
        /// Frames in all.
        frames: u64,
        /// Offset of the first undecodable frame in bytes.
        offset: u64,
        /// The fault of that frame.
        found: String,
        /// A hint, or an empty text.
        hint: &'static str,
        /// Another recorder has made it.
        is_foreign: bool,
    },
    /// The sink's output cannot be written.
    #[error("cannot write the output")]
    Write(#[source] io::Error),
    /// No input was given.
    #[error("no input")]
    NoInput,
    /// An input was given a core number out of range.
    #[error("{input}: named as core {core}; cores are numbered from 0 to {}", MAX_CORES - 1)]
    NoSuchCore {
        /// Name of the input.
        input: String,
        /// The core.
        core: u32,
    },
    /// Two inputs are the same: the events would be there twice.
    #[error(
        "{first} and {second} have the same content: one is a copy; leave it out, or give the file of the other core"
    )]
    Copy {
        /// Name of the earlier one.
        first: String,
        /// Name of the later one.
        second: String,
    },
    /// An input begins with all of another one: those events would be there twice.
    #[error(
        "one of {first} and {second} begins with all that is in the other, which was read out earlier: leave the \
             shorter one out"
    )]
    Part {
        /// Name of the earlier one.
        first: String,
        /// Name of the later one.
        second: String,
    },
    /// The complete recording would have to be read first.
    #[error("{what} needs the whole recording before its first event: convert it from a file")]
    NeedsFirstPass {
        /// The option that needs it.
        what: &'static str,
    },
    /// This output cannot have a window.
    #[error("a window cannot be converted to {what}: leave out --from, --to and --around")]
    NoWindow {
        /// The requested output.
        what: &'static str,
    },
    /// A fed conversion was used again after it returned an error.
    #[error("the conversion has failed before")]
    Failed,
    /// The window ends before it begins.
    #[error("the window ends, at {to_ns} ns, before it begins, at {from_ns} ns")]
    EmptyWindow {
        /// Where it begins, in ns.
        from_ns: i64,
        /// Where it ends, in ns.
        to_ns: i64,
    },
}

/// Why the representation of a recording cannot be read; it is passed inside an [`io::Error`] of kind `InvalidData`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// A byte is neither a digit of the notation nor white space.
    #[error(
        "byte {offset}: {found:?} is not a {notation} digit{}; for a binary recording use --format bin",
        reason(*.found)
    )]
    NotADigit {
        /// Offset in the text, in bytes.
        offset: u64,
        /// The byte, shown as a character.
        found: char,
        /// The notation.
        notation: &'static str,
    },
    /// The text ends after the first digit of a byte.
    #[error(
        "byte {offset}: odd number of hex digits: the last digit has no second one; \
             the text may be cut off"
    )]
    OddDigits {
        /// Offset of the lone digit, in bytes.
        offset: u64,
    },
    /// The text ends after the first digit of a byte.
    #[error("byte {offset}: a lone base64 digit is not a byte; the text may be cut off")]
    LoneDigit {
        /// Offset of the lone digit, in bytes.
        offset: u64,
    },
    /// The compressed data cannot be decompressed.
    #[error(
        "it is compressed, and cut off or damaged ({0}); 'zcat FILE | tband-cli dump -' shows what there is"
    )]
    Gzip(String),
    /// The compressed data expands so much that it is probably a decompression bomb.
    #[error(
        "it is compressed to less than a hundredth, as no recording is, so it was not read further than {0} bytes; \
         'zcat FILE | tband-cli check -' reads all of it"
    )]
    GzipBomb(u64),
    /// It begins as a zip archive does, and was not opened as one.
    #[error(
        "it is compressed with zip, and cut off, or not read as a file: name the whole archive; \
         'unzip -p FILE | tband-cli check -' reads a recording that is alone in one"
    )]
    Zip,
    /// It is a tar archive.
    #[error("it is a tar archive: unpack it with 'tar -xf FILE', and name its files")]
    Tar,
    /// It is compressed with another program than gzip.
    #[error(
        "it is compressed with {program}, which is not read here: '{command} | tband-cli check -' reads it"
    )]
    Compressed {
        /// The program that compressed it.
        program: &'static str,
        /// The command that writes the decompressed data to stdout.
        command: &'static str,
    },
}

/// Returns a reason why a text may contain a character that is not a digit.
const fn reason(found: char) -> &'static str {
    match found {
        ':' | '|' | '<' | '>' => {
            ": this is a dump with addresses, as of xxd, hexdump -C, gdb's x or OpenOCD's mdw: write digits only \
             (xxd -r turns its own dumps back; xxd -p writes digits; gdb's dump binary memory writes a file)"
        }
        '\0' => ": this may be UTF-16 without its first bytes",
        '\u{FD}' | '\u{FE}' | '\u{FF}' | '\u{EF}' | '\u{BB}' | '\u{BF}' => {
            ": this is not ASCII text; it may be in another encoding, or text and binary mixed"
        }
        _ => "",
    }
}

impl From<NotationError> for io::Error {
    fn from(error: NotationError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}
