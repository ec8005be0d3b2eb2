//! The characters of a text with their offsets, block by block.
//!
//! In a text with [markers](crate::encoding::markers), only the part between them is read, without the prefix that a log puts
//! in front of each line. Colour codes of a terminal are skipped in any text.

use std::io::{self, Read};

use crate::encoding::markers::{self, LONGEST, LONGEST_COLOUR, LONGEST_PREFIX, Marker, Prefix};
use crate::wire::buffer::read_retrying;

const BLOCK: usize = 16 * 1024;
/// Characters that are examined at the start of a line to recognise a marker.
const LINE: usize = 2 * LONGEST_PREFIX + LONGEST;

/// The next item of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Character {
    /// A character at this offset.
    Is(u8, u64),
    /// A text ends here, and another may follow.
    Boundary,
}

/// Reads characters, white space left out.
#[derive(Debug)]
pub struct Characters<R> {
    inner: R,
    /// Accepts the characters of a recording.
    is_digit: fn(u8) -> bool,
    text: Box<[u8]>,
    at: usize,
    len: usize,
    /// Offset of `text[0]` in the input.
    base: u64,
    /// Why there are only `len` bytes, if the look-ahead has found the reason.
    failed: Option<io::Error>,
    ended: bool,
    /// The current position belongs to the recording.
    inside: bool,
    begins_line: bool,
    /// The line so far, where it is not of the recording.
    line: Vec<u8>,
    prefix: Prefix,
}

impl<R: Read> Characters<R> {
    /// Creates the characters of a text with markers, or of one that is all recording. `is_digit` recognises its digits.
    pub fn new(inner: R, marked: bool, is_digit: fn(u8) -> bool) -> Self {
        Self {
            inner,
            is_digit,
            text: vec![0; BLOCK].into_boxed_slice(),
            at: 0,
            len: 0,
            base: 0,
            failed: None,
            ended: false,
            inside: !marked,
            begins_line: true,
            line: Vec::new(),
            prefix: Prefix::default(),
        }
    }

    /// The next character that is not white space, and its offset.
    pub fn next(&mut self) -> io::Result<Option<Character>> {
        loop {
            if self.begins_line {
                self.begins_line = false;
                self.line.clear();
                self.skip_prefix();
            }
            let Some(byte) = self.peek()? else { return Ok(None) };
            if byte == 0x1B && self.skip_colour() {
                continue;
            }
            let offset = self.base.saturating_add(self.at as u64);
            self.at += 1;
            match byte {
                b'\n' | b'\r' => self.begins_line = true,
                b'=' => {
                    if let Some(found) = self.equals_signs(offset)? {
                        return Ok(Some(found));
                    }
                }
                _ if !self.inside => self.line_has(byte),
                _ if byte.is_ascii_whitespace() => {}
                _ => return Ok(Some(Character::Is(byte, offset))),
            }
        }
    }

    /// All of a row of `=`, the first of which was read, and the marker that it opens.
    fn equals_signs(&mut self, offset: u64) -> io::Result<Option<Character>> {
        self.skip(b"=")?;
        let Some((marker, len)) = markers::words(self.ahead(LONGEST)) else {
            if !self.inside {
                self.line_has(b'=');
            }
            return Ok(self.inside.then_some(Character::Is(b'=', offset)));
        };
        self.at += len;
        self.skip(b" \t=")?;
        if marker == Marker::Start && !self.inside {
            self.prefix = Prefix::of(&self.line);
        }
        let was_inside = std::mem::replace(&mut self.inside, marker == Marker::Start);
        Ok(was_inside.then_some(Character::Boundary))
    }

    /// Skips the log's prefix in front of the recording's digits, or of a marker.
    fn skip_prefix(&mut self) {
        if !self.inside {
            return;
        }
        self.look_ahead_in_line(LINE);
        let text = self.text.get(self.at..self.len).unwrap_or_default();
        let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
        let line = text.get(..end).unwrap_or_default();
        let prefix = self.prefix.len_in(line);
        let before = markers::in_line(line).and_then(|at| line.get(..at)).unwrap_or_default();
        let is_digits =
            before.iter().all(|byte| (self.is_digit)(*byte) || byte.is_ascii_whitespace());
        // Another prefix may be in front of the end, such as one of a warning.
        self.at += if prefix == 0 && !is_digits { before.len() } else { prefix };
    }

    /// Skips a colour code, whose escape character is next.
    fn skip_colour(&mut self) -> bool {
        let len = markers::colour(self.ahead(LONGEST_COLOUR));
        self.at += len;
        len > 0
    }

    fn line_has(&mut self, byte: u8) {
        if self.line.len() < LONGEST_PREFIX {
            self.line.push(byte);
        }
    }

    /// Skips characters of this set.
    fn skip(&mut self, which: &[u8]) -> io::Result<()> {
        while self.peek()?.is_some_and(|byte| which.contains(&byte)) {
            self.at += 1;
        }
        Ok(())
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.at >= self.len {
            self.ahead(1);
            if self.at >= self.len
                && let Some(error) = self.failed.take()
            {
                return Err(error);
            }
        }
        Ok(self.text.get(..self.len).and_then(|it| it.get(self.at)).copied())
    }

    /// Returns the next characters, at least this many unless the text ends before.
    fn ahead(&mut self, count: usize) -> &[u8] {
        while self.len - self.at < count && self.read_on() {}
        self.text.get(self.at..self.len).unwrap_or_default()
    }

    /// Reads this many characters or the rest of the line at least unless the text ends before.
    fn look_ahead_in_line(&mut self, count: usize) {
        let mut seen = 0;
        loop {
            let text = self.text.get(self.at..self.len).unwrap_or_default();
            let is_enough = text.len() >= count
                || text.get(seen..).is_some_and(|new| memchr::memchr(b'\n', new).is_some());
            seen = text.len();
            if is_enough || !self.read_on() {
                return;
            }
        }
    }

    /// Reads more, in place of the characters already taken. Returns false if there are none.
    fn read_on(&mut self) -> bool {
        if self.ended {
            return false;
        }
        self.text.copy_within(self.at..self.len, 0);
        self.base = self.base.saturating_add(self.at as u64);
        self.len -= self.at;
        self.at = 0;
        let free = self.text.get_mut(self.len..).unwrap_or_default();
        match read_retrying(&mut self.inner, free) {
            Ok(more) => {
                self.len += more;
                self.ended = more == 0;
            }
            Err(error) => {
                self.failed = Some(error);
                self.ended = true;
            }
        }
        !self.ended
    }
}

/// Fills `out` with bytes until there are no more.
pub fn fill(out: &mut [u8], mut next: impl FnMut() -> io::Result<Option<u8>>) -> io::Result<usize> {
    let mut written = 0;
    for slot in out {
        let Some(byte) = next()? else { break };
        *slot = byte;
        written += 1;
    }
    Ok(written)
}
