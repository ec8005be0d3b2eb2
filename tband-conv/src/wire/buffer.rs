//! Bytes that have been read of an input and not been taken yet.

use std::io::{self, Read};

/// Unread bytes of an input, with their offset.
#[derive(Debug)]
pub(crate) struct Buffer<R> {
    input: R,
    bytes: Vec<u8>,
    /// Unread bytes are `bytes[at..len]`.
    at: usize,
    len: usize,
    /// Offset of `bytes[0]`.
    base: u64,
    at_end: bool,
}

impl<R: Read> Buffer<R> {
    /// Starts at the first byte of `input`, with room for this many bytes.
    pub fn new(input: R, room: usize) -> Self {
        Self { input, bytes: vec![0; room], at: 0, len: 0, base: 0, at_end: false }
    }

    /// The input.
    pub const fn input_mut(&mut self) -> &mut R {
        &mut self.input
    }

    /// Offset of the next unread byte.
    #[inline]
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(self.at as u64)
    }

    /// Returns the offset after the bytes read so far.
    pub fn read_to(&self) -> u64 {
        self.base.saturating_add(self.len as u64)
    }

    /// The input has ended.
    pub const fn is_at_end(&self) -> bool {
        self.at_end
    }

    /// Returns the bytes that have been read and not been taken yet.
    #[inline]
    pub fn unread(&self) -> &[u8] {
        self.bytes.get(self.at..self.len).unwrap_or_default()
    }

    /// The `len` bytes that were taken last; none if they are no longer there.
    #[inline]
    pub fn last_taken(&self, len: usize) -> &[u8] {
        let start = self.at.checked_sub(len);
        start.and_then(|start| self.bytes.get(start..self.at)).unwrap_or_default()
    }

    /// Takes this many bytes.
    #[inline]
    pub fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.len);
    }

    /// Puts other bytes in the place of the next `len` ones. They end at the same offset.
    ///
    /// Where more bytes than there were begin before the first byte of the input, offsets after them are higher than
    /// they were, by one or two.
    #[cold]
    pub fn replace(&mut self, len: usize, with: &[u8]) {
        let end = self.at.saturating_add(len).min(self.len);
        let more = with.len().saturating_sub(end);
        if more > 0 {
            if self.bytes.len() < self.len + more {
                self.bytes.resize(self.len + more, 0);
            }
            self.bytes.copy_within(..self.len, more);
            self.len += more;
            self.base = self.base.saturating_sub(more as u64);
        }
        let end = end + more;
        self.at = end.saturating_sub(with.len());
        if let Some(place) = self.bytes.get_mut(self.at..end) {
            place.copy_from_slice(with);
        }
    }

    /// Moves these of the unread bytes before the others.
    #[cold]
    pub fn bring_forward(&mut self, at: usize, len: usize) {
        let unread = self.bytes.get_mut(self.at..self.len).unwrap_or_default();
        if let Some(moved) = at.checked_add(len).and_then(|end| unread.get_mut(..end)) {
            moved.rotate_right(len);
        }
    }

    /// Reads more after the unread bytes, which move to the front.
    ///
    /// # Errors
    /// The reader's error. Nothing is lost.
    #[cold]
    pub fn fill(&mut self) -> io::Result<()> {
        self.bytes.copy_within(self.at..self.len, 0);
        self.base = self.base.saturating_add(self.at as u64);
        self.len = self.len.saturating_sub(self.at);
        self.at = 0;
        let room = self.bytes.get_mut(self.len..).unwrap_or_default();
        let read = read_retrying(&mut self.input, room)?;
        self.at_end = read == 0;
        self.len += read;
        Ok(())
    }
}

/// Reads once, again if a signal interrupted it.
pub fn read_retrying(input: &mut impl Read, buf: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buf) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // A reader that claims more than it was given room for is not accepted.
            other => return other.map(|n| n.min(buf.len())),
        }
    }
}
