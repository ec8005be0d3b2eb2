//! The empty start of an input: memory that nothing was written to before the recording.

use std::io::{self, Read};

use tband_import::blank_len;

use crate::wire::buffer::Buffer;

/// Bytes of erased memory that may be a part of the recording.
pub const MAX_BLANK: usize = 256;
/// Erased memory in front of a recording, in bytes, at most: a device of zeros does not end.
pub const MAX_EMPTY: u64 = 8 << 30;
/// Bytes that are skipped at a time.
const BLOCK: usize = 32 * 1024;

/// Skips blocks of erased memory in front of a recording.
///
/// # Errors
/// The reader's error, or there are more than `most` bytes.
pub fn skip<R: Read>(buffer: &mut Buffer<R>, most: u64) -> io::Result<()> {
    let start = buffer.offset();
    while blank_len(buffer.unread(), 0).is_none() && !buffer.is_at_end() {
        let unread = buffer.unread().len();
        if unread >= BLOCK {
            buffer.skip(unread - MAX_BLANK);
        }
        if buffer.offset().saturating_sub(start) > most {
            let text = format!(
                "its first {} MiB are erased memory, 0x00 or 0xFF: pass the part that contains the recording",
                most >> 20
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        buffer.fill()?;
    }
    Ok(())
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
        }
    }
}
