//! Recordings of other recorders: an importer reads them, and its events become items of the recording.

pub mod empty;
mod entry;
mod events;
pub(crate) mod kept;

use std::io::{self, Read};

use tband_import::blank::{MAX_ZEROS, blank_len};
use tband_import::format::InputFormat;
use tband_import::recognised_format::{RecognisedFormat, Recognition};

pub(crate) use self::events::ForeignEvents;
use crate::wire::buffer::read_retrying;

/// Finds out which importer reads bytes, if any does. `Ok(None)`: more of them show it.
pub(crate) fn find(
    format: InputFormat,
    bytes: &[u8],
    at_end: bool,
    core: u32,
) -> io::Result<Option<Option<ForeignEvents>>> {
    let open = |format| tband_import::open::open(format, core).map(ForeignEvents::new);
    match format {
        InputFormat::Tband => Ok(Some(None)),
        InputFormat::Auto => match tband_import::recognise::recognise(bytes, at_end) {
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
/// Erased memory in front of a recording that is skipped before its format is found out, in bytes. Each question about a file
/// reads it again.
const MAX_EMPTY: u64 = 256 << 20;

/// Reads the first bytes of a recording, as many as show its format. Erased memory in front of it is skipped, at most 256 MiB.
///
/// # Errors
/// The reader's error.
pub fn recording_head(reader: impl Read) -> io::Result<Vec<u8>> {
    head_after(MAX_EMPTY, reader)
}

/// As [`recording_head`], with another limit of erased memory.
fn head_after(max_empty: u64, mut reader: impl Read) -> io::Result<Vec<u8>> {
    let mut head = vec![0; HEAD];
    let (mut len, mut skipped) = (0, 0_u64);
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
        if blank == 0 || skipped >= max_empty {
            break;
        }
        skipped = skipped.saturating_add(blank as u64);
        head.copy_within(blank.., 0);
        len -= blank;
    }
    head.truncate(len);
    Ok(head)
}

/// The format of another recorder that the beginning of a file shows, if it shows one.
#[must_use]
pub fn recognised_format(bytes: &[u8]) -> Option<InputFormat> {
    match tband_import::recognise::recognise(bytes, true) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A device may never end.
    #[test]
    fn reads_a_bounded_number_of_empty_bytes() {
        for erased in [0x00, 0xFF] {
            let head = head_after(1 << 20, io::repeat(erased)).unwrap();
            assert_eq!(head, vec![erased; HEAD]);
            let text = b"; Version SEGGER SystemViewer";
            for (empty, is_found) in [(900 << 10, true), (2 << 20, false)] {
                let image = io::repeat(erased).take(empty).chain(&text[..]);
                let head = head_after(1 << 20, image).unwrap();
                assert_eq!(head.ends_with(text), is_found, "{empty}");
            }
        }
    }
}
