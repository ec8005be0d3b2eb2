//! Splits bytes at zero bytes into frames, with the offset of each.
//!
//! Memory is bounded: a frame longer than [`MAX_FRAME`] is reported with its length and the rest of
//! it is skipped up to the next zero byte. Runs of zero bytes are padding (senders flush with them,
//! RAM dumps are filled with them) and give no frame.

use std::io::{self, Read};
use std::ops::Range;

use crate::hex::read_retrying;

/// Longest frame that is handed out, closing zero not counted. A recorder's frames are below 300
/// bytes; what is longer is damage.
pub const MAX_FRAME: usize = 64 * 1024;

const BLOCK: usize = 64 * 1024;

/// How a frame ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameEnd {
    /// With its zero byte.
    Zero,
    /// With the end of the input.
    EndOfInput,
    /// It is longer than [`MAX_FRAME`].
    TooLong,
}

/// The bytes between two zero bytes.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Offset of the first byte in the recording.
    pub offset: u64,
    /// The bytes, closing zero not included; none if the frame is too long.
    pub bytes: &'a [u8],
    /// Length in bytes.
    pub len: u64,
    /// How it ended.
    pub end: FrameEnd,
}

/// Reads frames from a byte stream.
#[derive(Debug)]
pub struct FrameReader<R> {
    input: R,
    buf: Vec<u8>,
    /// Unread bytes are `buf[at..len]`.
    at: usize,
    len: usize,
    /// Offset of `buf[0]` in the recording.
    base: u64,
    at_end: bool,
    /// Where the last frame lies in `buf`.
    frame: Range<usize>,
}

impl<R: Read> FrameReader<R> {
    /// Starts at the first byte of `input`.
    pub fn new(input: R) -> Self {
        let buf = vec![0; MAX_FRAME + BLOCK];
        Self { input, buf, at: 0, len: 0, base: 0, at_end: false, frame: 0..0 }
    }

    /// Offset of the next unread byte.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(self.at as u64)
    }

    /// The bytes of the frame that [`next_frame`](Self::next_frame) gave last.
    #[must_use]
    pub fn last_bytes(&self) -> &[u8] {
        self.buf.get(self.frame.clone()).unwrap_or_default()
    }

    /// The next frame; `None` at the end of the input.
    ///
    /// # Errors
    /// What the reader reports.
    #[inline]
    pub fn next_frame(&mut self) -> io::Result<Option<Frame<'_>>> {
        // Bytes from `at` that are known to hold no zero.
        let mut searched = 0;
        loop {
            let unread = self.buf.get(self.at..self.len).unwrap_or_default();
            match memchr::memchr(0, unread.get(searched..).unwrap_or_default()) {
                Some(0) if searched == 0 => self.at += 1,
                Some(zero) => {
                    let len = searched + zero;
                    let (start, offset) = (self.at, self.offset());
                    self.at += len + 1;
                    if len > MAX_FRAME {
                        return Ok(Some(self.too_long(offset, len as u64)));
                    }
                    self.frame = start..start + len;
                    let bytes = self.last_bytes();
                    return Ok(Some(Frame { offset, bytes, len: len as u64, end: FrameEnd::Zero }));
                }
                None if unread.len() > MAX_FRAME => return self.skip_long_frame().map(Some),
                None if self.at_end => return Ok(self.last_frame()),
                None => {
                    searched = unread.len();
                    self.fill()?;
                }
            }
        }
    }

    /// What is left when the input has ended without a zero byte.
    fn last_frame(&mut self) -> Option<Frame<'_>> {
        let (start, offset) = (self.at, self.offset());
        self.at = self.len;
        self.frame = start..self.len;
        let bytes = self.last_bytes();
        let len = bytes.len() as u64;
        (len > 0).then_some(Frame { offset, bytes, len, end: FrameEnd::EndOfInput })
    }

    /// Reads on to the next zero byte, keeping nothing.
    #[cold]
    fn skip_long_frame(&mut self) -> io::Result<Frame<'_>> {
        let offset = self.offset();
        let mut len = 0_u64;
        loop {
            let unread = self.buf.get(self.at..self.len).unwrap_or_default();
            if let Some(zero) = memchr::memchr(0, unread) {
                self.at += zero + 1;
                len = len.saturating_add(zero as u64);
                break;
            }
            len = len.saturating_add(unread.len() as u64);
            self.at = self.len;
            if self.at_end {
                break;
            }
            self.fill()?;
        }
        Ok(self.too_long(offset, len))
    }

    /// Moves the unread bytes to the front and reads a block behind them.
    #[cold]
    fn fill(&mut self) -> io::Result<()> {
        self.buf.copy_within(self.at..self.len, 0);
        self.base = self.base.saturating_add(self.at as u64);
        self.len = self.len.saturating_sub(self.at);
        self.at = 0;
        let room = self.buf.get_mut(self.len..).unwrap_or_default();
        let read = read_retrying(&mut self.input, room)?;
        self.at_end = read == 0;
        self.len += read;
        Ok(())
    }

    /// Its bytes have partly left the buffer; nothing can be made of them anyway.
    fn too_long(&mut self, offset: u64, len: u64) -> Frame<'_> {
        self.frame = 0..0;
        Frame { offset, bytes: &[], len, end: FrameEnd::TooLong }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives out `step` bytes a read.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(buf.len());
            self.0.read(buf.get_mut(..n).unwrap())
        }
    }

    fn split(bytes: &[u8], step: usize) -> Vec<(u64, u64, FrameEnd)> {
        let mut reader = FrameReader::new(Slow(bytes, step));
        let mut frames = Vec::new();
        while let Some(frame) = reader.next_frame().unwrap() {
            if frame.end != FrameEnd::TooLong {
                let start = frame.offset as usize;
                assert_eq!(frame.bytes, &bytes[start..start + frame.len as usize]);
            }
            frames.push((frame.offset, frame.len, frame.end));
        }
        frames
    }

    #[test]
    fn splits_at_zeros_whatever_the_block_size() {
        let bytes = [0, 0, 1, 2, 0, 3, 0, 0, 4, 5, 6];
        let expected =
            [(2, 2, FrameEnd::Zero), (5, 1, FrameEnd::Zero), (8, 3, FrameEnd::EndOfInput)];
        for step in [1, 2, 3, 100] {
            assert_eq!(split(&bytes, step), expected);
        }
        assert!(split(&[], 1).is_empty());
        assert!(split(&[0; 10], 3).is_empty());
    }

    #[test]
    fn an_endless_frame_is_skipped_in_bounded_memory() {
        for (len, end) in [
            (MAX_FRAME, FrameEnd::Zero),
            (MAX_FRAME + 1, FrameEnd::TooLong),
            (MAX_FRAME + BLOCK, FrameEnd::TooLong),
            (1_000_000, FrameEnd::TooLong),
        ] {
            let mut bytes = vec![1; len];
            bytes.extend([0, 7, 0]);
            for step in [1000, usize::MAX] {
                let expected = [(0, len as u64, end), (len as u64 + 1, 1, FrameEnd::Zero)];
                assert_eq!(split(&bytes, step), expected);
            }
        }
    }
}
