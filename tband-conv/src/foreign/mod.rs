//! Recordings of other recorders: an importer reads them, and its events become items of the recording.

mod entry;
mod events;
pub mod kept;

use std::io;

use tband_import::{InputFormat, RecognisedFormat, Recognition};

pub use self::events::ForeignEvents;

/// Finds out which importer reads bytes, if any does. `Ok(None)`: more of them show it.
pub fn find(
    format: InputFormat,
    bytes: &[u8],
    at_end: bool,
    core: u32,
) -> io::Result<Option<Option<ForeignEvents>>> {
    let open = |format| tband_import::open(format, core).map(ForeignEvents::new);
    match format {
        InputFormat::Tband => Ok(Some(None)),
        InputFormat::Auto => match tband_import::recognise(bytes, at_end) {
            Recognition::NeedsMore => Ok(None),
            Recognition::No => Ok(Some(None)),
            Recognition::Is(found) => match open(found.format) {
                // An importer reads text, not the binary file that another program converts to text.
                Some(events) if found.advice.is_empty() => Ok(Some(Some(events))),
                _ => Err(cannot_read(&found)),
            },
        },
        format => match open(format) {
            Some(events) => Ok(Some(Some(events))),
            None => Err(cannot_read(&RecognisedFormat {
                format,
                text: "a stream of a CTF trace, as given with --input-format".to_owned(),
                advice: ": name the folder with its file metadata",
            })),
        },
    }
}

/// The format of another recorder that the beginning of a file shows, if it shows one.
#[must_use]
pub fn recognised_format(bytes: &[u8]) -> Option<InputFormat> {
    match tband_import::recognise(bytes, true) {
        Recognition::Is(found) => Some(found.format),
        Recognition::NeedsMore | Recognition::No => None,
    }
}

/// No importer is available.
fn cannot_read(found: &RecognisedFormat) -> io::Error {
    let RecognisedFormat { text, advice, .. } = found;
    let text = match *advice {
        "" => format!("it is {text}; tband cannot read it yet"),
        advice => format!("it is {text}{advice}"),
    };
    io::Error::new(io::ErrorKind::InvalidData, text)
}
