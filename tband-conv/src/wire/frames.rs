//! Splits bytes at zero bytes into frames, with the offset of each.
//!
//! Memory is bounded: a frame longer than [`MAX_FRAME`] is reported with its length and the rest of it is skipped up to the
//! next zero byte. Runs of zero bytes are padding (senders flush with them, RAM dumps are filled with them) and are not frames.

use std::io::{self, Read};

use tband_format::decode::WINDOW;

use crate::wire::buffer::Buffer;
use crate::wire::zeros::{self, zeros_in};

/// Longest frame that is returned, closing zero not counted, in bytes; longer ones are damage. Most frames are below 300 bytes,
/// but a string may have 65535 (`tband_configMAX_STR_LEN`), with COBS codes, id and time around it.
pub const MAX_FRAME: usize = 66 * 1024;

const BLOCK: usize = 64 * 1024;

/// Bytes in which nearly every frame ends, its closing zero included.
pub(crate) const NEAR: usize = 1 + WINDOW;

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
    buffer: Buffer<R>,
    /// Unread bytes that are known to hold no zero.
    searched: usize,
    /// The frame that is passed over, since it is too long: where it begins, and its bytes so far.
    long: Option<(u64, u64)>,
}

/// Position of a frame in the recording.
struct FramePosition {
    offset: u64,
    /// Bytes after it that were taken with it: its zero.
    trailing: usize,
    len: u64,
    end: FrameEnd,
}

impl<R: Read> FrameReader<R> {
    /// Starts at the first byte of `input`.
    pub fn new(input: R) -> Self {
        Self { buffer: Buffer::new(input, MAX_FRAME + BLOCK), searched: 0, long: None }
    }

    /// Offset of the next unread byte.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// The bytes of the input, which may be taken from as well.
    pub(crate) const fn buffer(&mut self) -> &mut Buffer<R> {
        &mut self.buffer
    }

    /// The bytes of the input.
    pub(crate) const fn buffer_ref(&self) -> &Buffer<R> {
        &self.buffer
    }

    /// Returns the offset after the bytes read so far.
    pub(crate) fn read_to(&self) -> u64 {
        self.buffer.read_to()
    }

    /// The input.
    pub(crate) const fn input_mut(&mut self) -> &mut R {
        self.buffer.input_mut()
    }

    /// Returns the next frame; `None` at the end of the input.
    ///
    /// # Errors
    /// The reader's error. Nothing is lost: if the input is [not ready](io::ErrorKind::WouldBlock), the caller calls it again.
    #[inline]
    pub fn next_frame(&mut self) -> io::Result<Option<Frame<'_>>> {
        let Some(FramePosition { offset, trailing, len, end }) = self.locate()? else {
            return Ok(None);
        };
        // A frame that is too long has partly left the buffer; it cannot be decoded anyway.
        let kept = if end == FrameEnd::TooLong { 0 } else { len as usize };
        let taken = self.buffer.last_taken(kept + trailing);
        let bytes = taken.get(..kept).unwrap_or_default();
        Ok(Some(Frame { offset, bytes, len, end }))
    }

    /// Returns the bytes that have been read and not been taken yet, and their offset.
    #[inline]
    pub(crate) fn unread(&self) -> (&[u8], u64) {
        (self.buffer.unread(), self.offset())
    }

    /// Takes this many bytes of it.
    #[inline]
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.buffer.skip(bytes);
        self.searched = 0;
    }

    /// Whether there is a frame, not just padding, after reading as far as is needed to know it.
    pub(crate) fn has_more(&mut self) -> io::Result<bool> {
        while self.long.is_none() {
            let unread = self.buffer.unread();
            match unread.iter().position(|byte| *byte != 0) {
                Some(0) => return Ok(true),
                Some(zeros) => self.skip(zeros),
                None => {
                    let zeros = unread.len();
                    self.skip(zeros);
                    if self.buffer.is_at_end() {
                        return Ok(false);
                    }
                    self.buffer.fill()?;
                }
            }
        }
        Ok(true)
    }

    /// Finds a frame that is long, or not all there yet, or after padding.
    #[inline(never)]
    fn locate(&mut self) -> io::Result<Option<FramePosition>> {
        if self.long.is_some() {
            return self.skip_long_frame().map(Some);
        }
        loop {
            let searched = std::mem::take(&mut self.searched);
            let (unread, offset) = self.unread();
            let len = unread.len();
            match memchr::memchr(0, unread.get(searched..).unwrap_or_default()) {
                Some(0) if searched == 0 => self.buffer.skip(1),
                Some(zero) => {
                    let len = searched + zero;
                    self.buffer.skip(len + 1);
                    let end = if len > MAX_FRAME { FrameEnd::TooLong } else { FrameEnd::Zero };
                    return Ok(Some(FramePosition { offset, trailing: 1, len: len as u64, end }));
                }
                None if len > MAX_FRAME => return self.skip_long_frame().map(Some),
                None if self.buffer.is_at_end() => {
                    self.buffer.skip(len);
                    let (len, end) = (len as u64, FrameEnd::EndOfInput);
                    return Ok((len > 0).then_some(FramePosition {
                        offset,
                        trailing: 0,
                        len,
                        end,
                    }));
                }
                None => {
                    self.searched = len;
                    self.buffer.fill()?;
                }
            }
        }
    }

    /// Skips frames that are not `wanted` according to the code byte and the first byte after it, and padding, as far as that
    /// is possible without reading on. Returns whether that was more than padding.
    #[inline(never)]
    pub(crate) fn skip_unwanted(&mut self, wanted: impl Fn(u8, u8) -> bool) -> bool {
        let before = self.offset();
        self.searched = 0;
        self.skip_to_wanted(wanted);
        let skipped = self.buffer.last_taken((self.offset() - before) as usize);
        skipped.iter().any(|byte| *byte != 0)
    }

    #[inline]
    fn skip_to_wanted(&mut self, wanted: impl Fn(u8, u8) -> bool) {
        let unread = self.buffer.unread();
        if let [code, first, ..] = unread
            && wanted(*code, *first)
        {
            return;
        }
        let mut rest = unread;
        while let Some(near) = rest.first_chunk::<{ zeros::BLOCK + 2 }>() {
            let Some((block, _)) = near.split_first_chunk() else { break };
            let mut zeros = zeros_in(block);
            while zeros != 0 {
                let zero = zeros.trailing_zeros() as usize;
                if let Some([_, code, first]) = near.get(zero..zero + 3)
                    && wanted(*code, *first)
                {
                    let taken = unread.len() - rest.len() + zero + 1;
                    self.buffer.skip(taken);
                    return;
                }
                zeros &= zeros - 1;
            }
            let Some(next) = rest.get(zeros::BLOCK..) else { break };
            rest = next;
        }
        let looked_at = unread.get(..unread.len() - rest.len()).unwrap_or_default();
        let taken = memchr::memrchr(0, looked_at).map_or(0, |zero| zero + 1);
        self.buffer.skip(taken);
    }

    /// Reads on to the next zero byte, keeping nothing.
    #[cold]
    fn skip_long_frame(&mut self) -> io::Result<FramePosition> {
        let (offset, mut len) = self.long.take().unwrap_or((self.offset(), 0));
        loop {
            let unread = self.buffer.unread();
            if let Some(zero) = memchr::memchr(0, unread) {
                self.buffer.skip(zero + 1);
                len = len.saturating_add(zero as u64);
                break;
            }
            let more = unread.len();
            len = len.saturating_add(more as u64);
            self.buffer.skip(more);
            if self.buffer.is_at_end() {
                break;
            }
            self.long = Some((offset, len));
            self.buffer.fill()?;
        }
        self.long = None;
        Ok(FramePosition { offset, trailing: 0, len, end: FrameEnd::TooLong })
    }
}

/// Position of the first zero byte; nearly always it is among the first sixteen.
#[inline]
pub(crate) fn near_zero(bytes: &[u8; WINDOW]) -> Option<usize> {
    let zeros = zeros_in(bytes.first_chunk()?);
    if zeros != 0 {
        return Some(zeros.trailing_zeros() as usize);
    }
    let zeros = zeros_in(bytes.last_chunk()?);
    (zeros != 0).then(|| WINDOW - zeros::BLOCK + zeros.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `step` bytes per read.
    struct StepReader<'a>(&'a [u8], usize);

    impl Read for StepReader<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(buf.len());
            self.0.read(buf.get_mut(..n).unwrap())
        }
    }

    fn split(bytes: &[u8], step: usize) -> Vec<(u64, u64, FrameEnd)> {
        let mut reader = FrameReader::new(StepReader(bytes, step));
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
    fn splits_at_zeros_with_any_block_size() {
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
