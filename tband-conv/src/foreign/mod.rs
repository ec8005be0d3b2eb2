//! Recordings of other recorders: an importer reads them, and its events become items of the recording.

mod entry;
mod events;
pub mod kept;

use std::io::{self, Read};

use tband_import::{InputFormat, MAX_ZEROS, RecognisedFormat, Recognition, blank_len};

pub use self::events::ForeignEvents;
use crate::wire::buffer::read_retrying;

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

/// Bytes of a file by which it is recognised.
const HEAD: usize = 64 * 1024;

/// Reads the first bytes of a recording, as many as show its format. Erased memory in front of it is skipped.
///
/// # Errors
/// The reader's error.
pub fn recording_head(mut reader: impl Read) -> io::Result<Vec<u8>> {
    let mut head = vec![0; HEAD];
    let mut len = 0;
    loop {
        let read = read_retrying(&mut reader, head.get_mut(len..).unwrap_or_default())?;
        len += read;
        if read == 0 {
            break;
        }
        if len < HEAD {
            continue;
        }
        // The last zeros may belong to the recording.
        let blank = blank_len(&head, MAX_ZEROS).unwrap_or(HEAD / 2);
        if blank == 0 {
            break;
        }
        head.copy_within(blank.., 0);
        len -= blank;
    }
    head.truncate(len);
    Ok(head)
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
