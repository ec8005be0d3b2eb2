//! The empty start of an input: memory that nothing was written to before the recording.

use std::io::{self, Read};

use tband_import::blank::blank_len;

use crate::wire::buffer::Buffer;

/// Bytes of erased memory that may be a part of the recording.
pub(crate) const MAX_BLANK: usize = 256;
/// Erased memory in front of a recording, in bytes, at most: a device of zeros does not end.
pub(crate) const MAX_EMPTY: u64 = 4 << 30;
/// Bytes that are skipped at a time.
const BLOCK: usize = 32 * 1024;

/// Skips blocks of erased memory in front of a recording.
///
/// # Errors
/// The reader's error, or there are more than `most` bytes.
pub(crate) fn skip<R: Read>(buffer: &mut Buffer<R>, most: u64) -> io::Result<()> {
    let start = buffer.offset();
    while blank_len(buffer.unread(), 0).is_none() && !buffer.is_at_end() {
        let unread = buffer.unread().len();
        if unread >= BLOCK {
            buffer.skip(unread - MAX_BLANK);
        }
        if buffer.offset().saturating_sub(start) > most {
            return Err(is_empty(most));
        }
        buffer.fill()?;
    }
    Ok(())
}

fn is_empty(most: u64) -> io::Error {
    let text = format!(
        "its first {} MiB are erased memory, 0x00 or 0xFF: pass the part that contains the recording",
        most >> 20
    );
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// An input that ends with an error if its empty start does not end.
#[derive(Debug)]
pub struct BoundedStart<R> {
    input: R,
    /// Bytes of the empty start so far; `None`: something else has followed.
    empty: Option<u64>,
    most: u64,
}

impl<R: Read> BoundedStart<R> {
    /// Reads from the start of an input, with at most 4 GiB of erased memory.
    pub const fn new(input: R) -> Self {
        Self::with_limit(input, MAX_EMPTY)
    }

    const fn with_limit(input: R, most: u64) -> Self {
        Self { input, empty: Some(0), most }
    }
}

impl<R: Read> Read for BoundedStart<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = self.input.read(bytes)?;
        let Some(empty) = self.empty else { return Ok(len) };
        self.empty = match blank_len(bytes.get(..len).unwrap_or_default(), 0) {
            None => Some(empty.saturating_add(len as u64)),
            Some(_) => None,
        };
        if self.empty > Some(self.most) { Err(is_empty(self.most)) } else { Ok(len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A device may never end.
    #[test]
    fn an_endless_empty_start_is_an_error() {
        for erased in [0x00, 0xFF] {
            let mut buffer = Buffer::new(io::repeat(erased), 64 * 1024);
            let error = skip(&mut buffer, 1 << 20).unwrap_err();
            assert!(error.to_string().starts_with("its first 1 MiB are erased memory"), "{error}");
            let image = io::repeat(erased).take(900 << 10).chain(&b"text"[..]);
            let mut buffer = Buffer::new(image, 64 * 1024);
            skip(&mut buffer, 1 << 20).unwrap();
            assert!(buffer.unread().ends_with(b"text"));

            let mut endless = BoundedStart::with_limit(io::repeat(erased), 1 << 20);
            let error = io::copy(&mut endless, &mut io::sink()).unwrap_err();
            assert!(error.to_string().starts_with("its first 1 MiB are erased memory"), "{error}");
            let image = io::repeat(erased).take(900 << 10).chain(&b"text"[..]);
            let image = image.chain(io::repeat(erased).take(2 << 20));
            let mut image = BoundedStart::with_limit(image, 1 << 20);
            assert_eq!(io::copy(&mut image, &mut io::sink()).unwrap(), (2948 << 10) + 4);
        }
    }
}
